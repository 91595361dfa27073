"""A model's configuration that was opened: what it means, and what other files have otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pe_explorer.params import listed, one_line, only_used

if TYPE_CHECKING:
    from pe_explorer.analysis.configuration import ConfigurationCheck
    from pe_explorer.encodings import Encoding, ReadConfiguration

_ALL = "all"
_MAIN_TYPES = (_ALL, "full_attention")
"""Layer types whose encoding becomes the current one, if there is one of them."""
_NAMELESS = "layers"
"""The name of a pin where the layer type has no letter in its own."""
_LONGEST_NAME, _LONGEST_FILE = 60, 45  # characters, the first of a pin's name


@dataclass(frozen=True)
class OpenedModel:
    """A configuration that was opened.

    Attributes
    ----------
    name : str
        The name of its file, or of the model.
    document : mapping
        What its JSON holds.
    found : ReadConfiguration
        What it means; it has at least one encoding.
    trained : int or None
        The length of training, if the user gives another than the file does.
    compared : tuple of OpenedModel
        What it is compared with.
    """

    name: str
    document: Mapping[str, Any]
    found: ReadConfiguration
    trained: int | None = None
    compared: tuple[OpenedModel, ...] = ()

    @cached_property
    def checks(self) -> tuple[ConfigurationCheck, ...]:
        """What it means and what in it misleads, under each version, the newest first."""
        from pe_explorer.analysis.configuration import check_versions

        return check_versions(self.document, self.trained)

    @cached_property
    def layers(self) -> dict[str, Encoding]:
        """Its encodings by layer type; it opens as the first of them, and the others are pins."""
        return main_first(self.found)

    @property
    def label(self) -> str:
        """What it is called beside other files, with the class that an unknown one is read as."""
        name = readable(self.name)[:_LONGEST_FILE]
        return f"{name} as {self.found.assumed}" if self.found.assumed else name

    @property
    def names(self) -> Mapping[str, Encoding]:
        """What its encodings are called: a layer type, or beside other files the file."""
        return names_of(self.layers, self.label if self.compared else "")

    def with_trained(self, trained: int | None) -> OpenedModel:
        """Return the same with another length of training; None is that of the file."""
        trained = None if trained == self.found.trained else trained
        return self if trained == self.trained else replace(self, trained=trained)

    def verdict(self, other: OpenedModel) -> str:
        """Return in a sentence whether another model means the same."""
        from pe_explorer.analysis.sheet_words import differences

        here, there = (
            {layer: only_used(e) for layer, e in each.layers.items()} for each in (self, other)
        )
        names = sorted({*here, *there} - {_ALL}) or [_ALL]
        layers = [n for n in names if here.get(n, here.get(_ALL)) != there.get(n, there.get(_ALL))]
        rows = differences(self.checks[0], other.checks[0])
        verdict = f"means the same as {self.name}"
        if layers:
            where = f" in {listed(map(readable, layers))}" if {*layers} - {_ALL} else ""
            verdict = f"differs from {self.name}{where}"
        elif rows:
            verdict = f"has the encodings of {self.name}, but another {rows[0][0]}"
        if like := other.found.assumed:
            verdict += f", assuming that its unknown class works like {like}"
        return f"{other.name} {verdict}."


def main_first(found: ReadConfiguration) -> dict[str, Encoding]:
    """Return the encodings by layer type, that of all layers or of those that see most first."""

    def sees(layer: str) -> tuple[bool, float]:
        window = found.layers[layer].window if layer in found.layers else None
        return layer in _MAIN_TYPES, math.inf if window is None else window

    main = max(found.encodings, key=sees)
    return {main: found.encodings[main], **found.encodings}


def readable(name: str) -> str:
    """Return a name from a file as the name of a pin."""
    return one_line(name)[:_LONGEST_NAME].strip() or _NAMELESS


def names_of(layers: Mapping[str, Encoding], only: str = "") -> dict[str, Encoding]:
    """Return what the encodings of a model are called: by layer type, or `only` if it has one."""
    names = map(readable, layers) if len(layers) > 1 else [only]
    return dict(zip(names, layers.values(), strict=True))
