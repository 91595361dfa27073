"""Where to start: exhibits for a newcomer, as ``resources/gallery/start_here.json`` lists them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.exhibits import Exhibit, find

__all__ = ["Card", "cards", "presets"]


class Card(NamedTuple):
    """An exhibit to begin with, and what there is to see for somebody who knows nothing of it."""

    exhibit: Exhibit
    sentence: str

    @property
    def view(self) -> str:
        """The view in its picture."""
        return self.exhibit.main

    @property
    def drawn(self) -> Exploration:
        """What its picture shows."""
        return self.exhibit.exploration

    @property
    def picture(self) -> Path:
        """The file of its picture."""
        return self.exhibit.picture


@cache
def cards() -> tuple[Card, ...]:
    """Return the cards in the order in which they are shown."""
    return tuple(Card(find(card["exhibit"]), card["sentence"]) for card in _listed("cards"))


@cache
def presets() -> dict[str, Exhibit]:
    """Return the few exhibits that the form of the encoding offers, by their ids.

    No file of another exhibit is read, as that form is there when the program starts.
    """
    return {name: find(name) for name in _listed("presets")}


@cache
def _listed(key: str) -> list[Any]:
    with asset("gallery/start_here.json").open(encoding="utf-8") as file:
        found: list[Any] = json.load(file)[key]
    return found
