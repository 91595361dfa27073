"""An opened configuration of a model: its meaning, and how others differ from it."""

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
"""Layer types whose encoding is preferred as the current one."""
_NAMELESS = "layers"
"""The name of a pin if the name of the layer type is blank."""
_LONGEST_NAME, _LONGEST_FILE = 60, 45  # the first characters of a name


@dataclass(frozen=True)
class OpenedModel:
    """An opened configuration."""

    name: str
    """The name of its file, or of the model."""
    document: Mapping[str, Any]
    """Its parsed JSON."""
    configuration: ReadConfiguration
    """Its meaning, with at least one encoding."""
    trained: int | None = None
    """The training length, if the user has changed it."""
    compared: tuple[OpenedModel, ...] = ()
    """The configurations to compare it with."""

    @cached_property
    def checks(self) -> tuple[ConfigurationCheck, ...]:
        """The check of each version, the newest first."""
        from pe_explorer.analysis.configuration import check_versions

        return check_versions(self.document, self.trained)

    @cached_property
    def layers(self) -> dict[str, Encoding]:
        """Its encodings by layer type; the first becomes the current one, others become pins."""
        return ordered_layers(self.configuration)

    @property
    def label(self) -> str:
        """Its name among other files, with the class that an unknown one is read as."""
        name = pin_name(self.name)[:_LONGEST_FILE]
        return f"{name} as {self.configuration.assumed}" if self.configuration.assumed else name

    @property
    def names(self) -> Mapping[str, Encoding]:
        """Its encodings by name: the layer type, or the label if there is only one."""
        return names_of(self.layers, self.label if self.compared else "")

    def with_trained(self, trained: int | None) -> OpenedModel:
        """Return a copy with another training length; None is the length in the file."""
        trained = None if trained == self.configuration.trained else trained
        return self if trained == self.trained else replace(self, trained=trained)

    def verdict(self, other: OpenedModel) -> str:
        """Return a sentence that says whether another model means the same."""
        from pe_explorer.analysis.sheet_words import differences

        here, there = (
            {layer: only_used(e) for layer, e in each.layers.items()} for each in (self, other)
        )
        names = sorted({*here, *there} - {_ALL}) or [_ALL]
        layers = [n for n in names if here.get(n, here.get(_ALL)) != there.get(n, there.get(_ALL))]
        rows = differences(self.checks[0], other.checks[0])
        verdict = f"means the same as {self.name}"
        if layers:
            where = f" in {listed(map(pin_name, layers))}" if {*layers} - {_ALL} else ""
            verdict = f"differs from {self.name}{where}"
        elif rows:
            verdict = f"has the encodings of {self.name} but differs in {rows[0][0]}"
        if like := other.configuration.assumed:
            verdict += f", assuming that its unknown class works like {like}"
        return f"{other.name} {verdict}."


def ordered_layers(found: ReadConfiguration) -> dict[str, Encoding]:
    """Return the encodings by layer type; that of all layers, or of the widest window, is first."""

    def sees(layer: str) -> tuple[bool, float]:
        window = found.layers[layer].window if layer in found.layers else None
        return layer in _MAIN_TYPES, math.inf if window is None else window

    main = max(found.encodings, key=sees)
    return {main: found.encodings[main], **found.encodings}


def pin_name(name: str) -> str:
    """Shorten a name from a file to the name of a pin."""
    return one_line(name)[:_LONGEST_NAME].strip() or _NAMELESS


def names_of(layers: Mapping[str, Encoding], only: str = "") -> dict[str, Encoding]:
    """Return the encodings of a model by name: the layer type, or `only` if there is one."""
    names = map(pin_name, layers) if len(layers) > 1 else [only]
    return dict(zip(names, layers.values(), strict=True))
