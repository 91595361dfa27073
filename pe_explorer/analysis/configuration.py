"""Checks a model's configuration: what it means, in numbers, and what in it misleads."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from pe_explorer import encodings
from pe_explorer.analysis._frequency_findings import CheckInput, frequency_findings
from pe_explorer.analysis.sheet import Sheet, sheets
from pe_explorer.configs import ERROR, NOTE, SEMANTICS, WARNING, Finding, by_level
from pe_explorer.values import frozen

LEVELS = (ERROR, WARNING, NOTE)


@frozen
class ConfigurationCheck:
    """What a configuration means under one version of transformers.

    Attributes
    ----------
    semantics : str
        The version.
    model_type : str
        The class that the file was read as; empty where it names none.
    dtype : str or None
        The type of the weights.
    trained, stated, target : int or None
        The length of training, the one that the file promises, and the one that is looked at.
    softmax_factor : float
        What softmax scores are multiplied by besides the encoding.
    sheets : tuple of Sheet
        One for each layer type.
    findings : tuple of Finding
        Errors, then warnings, then notes.
    """

    semantics: str
    model_type: str
    dtype: str | None
    trained: int | None
    stated: int | None
    target: int | None
    softmax_factor: float
    sheets: tuple[Sheet, ...]
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each level, the gravest level first."""
        found = [finding.level for finding in self.findings]
        return {level: found.count(level) for level in LEVELS}

    @property
    def misleads(self) -> bool:
        """Whether there is more than notes."""
        return any(finding.level != NOTE for finding in self.findings)


def check(
    source: Any, semantics: str = "5", length: int | None = None, trained: int | None = None
) -> ConfigurationCheck:
    """Return what a configuration means and what in it misleads.

    Parameters
    ----------
    source : path or mapping
        A `config.json`, or what its JSON holds.
    semantics : str
        The version of transformers whose rules count.
    length : int, optional
        The longest length in use, which is looked at, too; None: what the file promises is.
    trained : int, optional
        The length of training, where that in the file was raised by hand.

    Raises
    ------
    EncodingError
        If the configuration cannot be read; see `encodings.read_config`.
    """
    found = encodings.read_config(source, semantics, length)
    target = length
    if target is None and found.stated is not None:
        target = min(found.stated, encodings.LIMIT)  # a factor can promise more than there is
    drawn = tuple(sheets(found.encodings, found.layers, trained, target))
    given = CheckInput(source, found, drawn, target, length, trained)
    return ConfigurationCheck(
        semantics=semantics,
        model_type=found.model_type,
        dtype=found.dtype,
        trained=found.trained if trained is None else trained,
        stated=found.stated,
        target=target,
        softmax_factor=found.softmax_factor,
        sheets=drawn,
        findings=by_level(_merged(frequency_findings(given))),
    )


def check_versions(source: Any) -> tuple[ConfigurationCheck, ...]:
    """Return what a configuration means under each version of transformers, the newest first.

    Versions that cannot read it are left out, but for the newest, for which `EncodingError` is
    raised as `check` raises it.
    """
    newest, *others = reversed(SEMANTICS)
    found = [check(source, newest)]
    for version in others:
        with suppress(encodings.EncodingError):
            found.append(check(source, version))
    return tuple(found)


def _merged(findings: list[Finding]) -> list[Finding]:
    """Return findings, those that only differ in their layer types as one."""
    found: dict[Finding, tuple[str, ...]] = {}
    for each in findings:
        key = replace(each, layers=())
        found[key] = (*found.get(key, ()), *each.layers)
    return [replace(key, layers=tuple(dict.fromkeys(layers))) for key, layers in found.items()]
