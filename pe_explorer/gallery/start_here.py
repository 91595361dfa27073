"""Exhibits for newcomers, listed in ``resources/gallery/start_here.json``.

At startup, the program loads only this list. It reads exhibit files when they are needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings
from pe_explorer.assets import find_asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, changes
from pe_explorer.params import ParameterError

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit


FIRST_LESSON = "waves"  # the id of the lesson that new users are offered
_START_EXHIBIT = "start"  # the id of the exhibit that a new user sees first


class StartCard(NamedTuple):
    """An exhibit for newcomers, with a sentence about it."""

    exhibit: Exhibit
    sentence: str


@dataclass(frozen=True)
class Preset:
    """An exhibit that the encoding panel offers, whose file is read only when needed."""

    id: str
    title: str
    note: str
    parameters: Mapping[str, Any]

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding of the preset, which is available without reading the exhibit's file."""
        return encodings.create(**self.parameters)

    @property
    def exhibit(self) -> Exhibit | None:
        """The exhibit, or None if its file is unusable."""
        return _find_exhibit(self.id)

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration equals the preset's, ignoring the cursor and panes."""
        if self.id == _START_EXHIBIT:
            return not changes(Exploration(), state)
        has_same_encoding = self.encoding == state.intention.encoding
        return has_same_encoding and self.exhibit is not None and self.exhibit.matches(state)


@cache
def cards() -> tuple[StartCard, ...]:
    """Return the cards in display order."""
    exhibits = [(_find_exhibit(card["exhibit"]), card["sentence"]) for card in _entries("cards")]
    return tuple(StartCard(exhibit, sentence) for exhibit, sentence in exhibits if exhibit)


@cache
def presets() -> dict[str, Preset]:
    """Return the presets by id."""
    keys = "id", "title", "note", "encoding"
    return {entry["id"]: Preset(*(entry[key] for key in keys)) for entry in _entries("presets")}


def _find_exhibit(name: str) -> Exhibit | None:
    from pe_explorer.gallery.exhibits import find  # imported here because it is slow to load

    try:
        return find(name)
    except ParameterError:
        return None


def _entries(key: str) -> list[Any]:
    return list(json.loads(find_asset("gallery/start_here.json").read_text(encoding="utf-8"))[key])
