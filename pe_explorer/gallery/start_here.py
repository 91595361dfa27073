"""Where to start: presets for a newcomer, as ``resources/gallery/start_here.json`` lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.presets import Preset, presets

__all__ = ["Card", "cards"]


class Card(NamedTuple):
    """A preset to begin with.

    Attributes
    ----------
    preset : Preset
    view : str
        The view in its picture.
    sentence : str
        What there is to see, for somebody who knows nothing of it.
    options : mapping
        Those of the view that its picture has and the preset does not.
    """

    preset: Preset
    view: str
    sentence: str
    options: Mapping[str, Any] = MappingProxyType({})

    @property
    def drawn(self) -> Exploration:
        """What its picture shows."""
        return pictures.with_options(self.preset.exploration, self.view, **self.options)

    @property
    def picture(self) -> Path:
        """The file of its picture, which ``python -m tests.cards`` draws."""
        return asset(f"gallery/cards/{self.preset.id}.png")


@cache
def cards() -> tuple[Card, ...]:
    """Return the cards in the order in which they are shown."""
    with asset("gallery/start_here.json").open(encoding="utf-8") as file:
        entries = json.load(file)["cards"]
    return tuple(_card(**entry) for entry in entries)


def _card(preset: str, **entry: Any) -> Card:
    return Card(presets()[preset], **entry)
