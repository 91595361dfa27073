"""Presets: whole explorations with a name, as ``resources/gallery/presets.json`` lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, changes, panes_of
from pe_explorer.values import frozen

__all__ = ["Preset", "presets"]


@frozen
class Preset:
    """A whole exploration with a name: what the file names of it, the defaults for all else.

    It is made from its entry when it is first needed: a newcomer's window shows all their names,
    and one of them.
    """

    id: str
    title: str
    note: str
    entry: Mapping[str, Any]

    @cached_property
    def encoding(self) -> Encoding:
        """Its encoding, by which most presets are told quickly from an exploration."""
        return encodings.create(**self.entry["encoding"])

    @cached_property
    def exploration(self) -> Exploration:
        """The whole exploration."""
        fields = dict(self.entry)
        panes, options = fields.pop("panes", None), fields.pop("options", {})
        fields["encoding"] = self.encoding
        state = Exploration(**fields, panes=None if panes is None else panes_of(**panes))
        for view, chosen in options.items():
            state = pictures.with_options(state, view, **chosen)
        return state

    @property
    def step(self) -> str:
        """What applying it is called among the steps that can be undone."""
        return f"preset {self.title}"

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration is this one, whatever its cursor and panes are."""
        same = self.encoding == state.intention.encoding
        return same and not changes(self.exploration, state)


@cache
def presets() -> dict[str, Preset]:
    """Return the presets by their ids, in the order of the file."""
    with asset("gallery/presets.json").open(encoding="utf-8") as file:
        return {entry["id"]: _preset(**entry) for entry in json.load(file)["presets"]}


def _preset(
    id: str,  # noqa: A002 - as the file calls it
    title: str,
    note: str,
    **entry: Any,
) -> Preset:
    return Preset(id, title, note, MappingProxyType(entry))
