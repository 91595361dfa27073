"""Where to start: exhibits for a newcomer, as ``resources/gallery/start_here.json`` lists them.

The program begins with this list, and reads the file of an exhibit only when it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, changes
from pe_explorer.params import ParameterError

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit


_START_EXHIBIT = "start"
"""The exhibit of the program's first exploration."""


class Card(NamedTuple):
    """An exhibit to begin with, and a sentence for a newcomer."""

    exhibit: Exhibit
    sentence: str


@dataclass(frozen=True)
class Preset:
    """An exhibit that the form of the encoding offers; its file is only read where needed."""

    id: str
    title: str
    note: str
    parameters: Mapping[str, Any]

    @cached_property
    def encoding(self) -> Encoding:
        """Its encoding, which quickly distinguishes most presets from an exploration."""
        return encodings.create(**self.parameters)

    @property
    def exhibit(self) -> Exhibit | None:
        """The whole exhibit, whose file is read now; None where it is damaged."""
        return _found(self.id)

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration is this one, apart from cursor and panes."""
        if self.id == _START_EXHIBIT:
            return not changes(Exploration(), state)
        is_near = self.encoding == state.intention.encoding  # without reading the exhibit
        return is_near and self.exhibit is not None and self.exhibit.matches(state)


@cache
def cards() -> tuple[Card, ...]:
    """Return the cards in the order in which they are shown."""
    found = [(_found(card["exhibit"]), card["sentence"]) for card in _listed("cards")]
    return tuple(Card(exhibit, sentence) for exhibit, sentence in found if exhibit)


@cache
def presets() -> dict[str, Preset]:
    """Return the few exhibits that the form of the encoding offers, by their ids."""
    found = (Preset(e["id"], e["title"], e["note"], e["encoding"]) for e in _listed("presets"))
    return {preset.id: preset for preset in found}


def _found(name: str) -> Exhibit | None:
    """Return an exhibit; None where its file is damaged."""
    from pe_explorer.gallery.exhibits import find  # the rest of the gallery takes a while to load

    try:
        return find(name)
    except ParameterError:
        return None


def _listed(key: str) -> list[Any]:
    return list(json.loads(asset("gallery/start_here.json").read_text(encoding="utf-8"))[key])
