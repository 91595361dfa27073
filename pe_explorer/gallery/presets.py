"""Presets: whole explorations with a name, as ``resources/gallery/presets.json`` lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration, changes, panes_of
from pe_explorer.values import frozen

__all__ = ["Preset", "presets"]

_NONE: Mapping[str, Any] = MappingProxyType({})


@frozen
class Preset:
    """A whole exploration with a name: what the file names of it, the defaults for all else."""

    id: str
    title: str
    note: str
    exploration: Exploration

    @property
    def step(self) -> str:
        """What applying it is called among the steps that can be undone."""
        return f"preset {self.title}"

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration is this one, whatever its cursor and panes are."""
        return self._has_encoding_of(state) and not changes(self.exploration, state)

    def _has_encoding_of(self, state: Exploration) -> bool:
        """Return what is quickly seen: most explorations differ from most presets in this."""
        return self.exploration.encoding == state.intention.encoding


@cache
def presets() -> dict[str, Preset]:
    """Return the presets by their ids, in the order of the file."""
    with asset("gallery/presets.json").open(encoding="utf-8") as file:
        return {entry["id"]: _preset(**entry) for entry in json.load(file)["presets"]}


def _preset(
    id: str,  # noqa: A002 - as the file calls it
    title: str,
    note: str,
    encoding: Mapping[str, Any],
    options: Mapping[str, Mapping[str, Any]] = _NONE,
    panes: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Preset:
    seen = None if panes is None else panes_of(**panes)
    state = Exploration(encodings.create(**encoding), panes=seen, **fields)
    for view, chosen in options.items():
        state = pictures.with_options(state, view, **chosen)
    return Preset(id, title, note, state)
