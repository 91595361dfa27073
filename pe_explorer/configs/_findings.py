"""Findings about a configuration, and functions that format the text of findings."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from pe_explorer.configs.values import ERROR, NOTE, WARNING, Finding
from pe_explorer.params import printed, suggest_choice, to_one_line

_MAX_NAME_LENGTH, _MAX_PATH_LENGTH = 60, 200  # maximum lengths in characters


class NoEncodingError(Exception):
    """An error raised for layers without an encoding, after a finding records the reason."""


class Findings:
    """Unique findings, each with the layer types that it affects."""

    def __init__(self) -> None:
        self._layers: dict[Finding, tuple[str, ...]] = {}

    def add(
        self,
        level: str,
        kind: str,
        field: str,
        happens: str,
        why: str = "",
        layer: str = "",
        versions: Iterable[str] = (),
        flag: str = "",
    ) -> None:
        """Add a finding; if it already exists, only add the layer type to it."""
        texts = to_one_line(field[:_MAX_PATH_LENGTH]), to_one_line(happens), to_one_line(why)
        finding = Finding(level, kind, *texts, versions=tuple(versions), flag=flag)
        layers = self._layers.setdefault(finding, ())
        if layer and layer not in layers:
            self._layers[finding] = (*layers, layer)

    def has(self, kind: str, field: str) -> bool:
        """Return whether a field has a finding of the given kind."""
        return any((finding.kind, finding.field) == (kind, field) for finding in self._layers)

    def fail(self, kind: str, field: str, happens: str, why: str, layer: str) -> NoReturn:
        """Add a finding of the level `error`, and raise `NoEncodingError`."""
        self.add(ERROR, kind, field, happens, why, layer)
        raise NoEncodingError

    def list_in_order(self) -> tuple[Finding, ...]:
        """Return all findings with their layer types, sorted by level."""
        findings = (replace(finding, layers=layers) for finding, layers in self._layers.items())
        return sort_by_level(findings)


def sort_by_level(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings sorted by level: errors, then warnings, then notes."""
    levels = (ERROR, WARNING, NOTE)
    return tuple(sorted(findings, key=lambda finding: levels.index(finding.level)))


def to_text(value: object) -> str:
    """Format a value for a sentence, for example as 131,072, 0.25, 1.3689 or false."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return printed.exact(value)
    if isinstance(value, float):
        return printed.factor(value)
    if isinstance(value, tuple | list):
        return f"{len(value):,} numbers"
    return str(value)


def shorten(text: str) -> str:
    """Truncate a name from a file if it is too long for a sentence."""
    return text if len(text) <= _MAX_NAME_LENGTH else f"{text[:_MAX_NAME_LENGTH]}…"


def format_suggestion(name: str, known_names: Iterable[str]) -> str:
    """Return ``Did you mean 'x'?`` for the most similar known name; empty if none is similar."""
    return (
        suggest_choice(name, known_names).removeprefix(". ")
        if len(name) <= _MAX_NAME_LENGTH
        else ""
    )
