"""What was chosen for the last figure: its style, its size, and the kind of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style
from pe_explorer.files.session import FIGURES
from pe_explorer.params import Choice, declared

ENDING = Choice(
    ".pdf",
    {ending: f"{ending[1:].upper()} figures" for ending in FIGURES},
    label="Format",
    help="Format of the file.",
)
"""The kinds of files that a figure is written to, by the ending of their names."""
_KEPT = {name: kind for name, kind in declared(Style).items() if name not in SINGLE_FIGURE_SETTINGS}


class FigureChoices(NamedTuple):
    """What the dialog for figures begins with."""

    style: Style = Style.default()
    size: FigureSize = PRESETS["one-column"]
    ending: str = ENDING.default

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> FigureChoices:
        """Return the choices that `as_texts` wrote; what is left out is as at first.

        Raises `ParameterError` for a text that is no legal value.
        """
        style = {name: _KEPT[name].parse(name, texts[name]) for name in _KEPT.keys() & texts}
        size = parse_figure_size(texts["size"]) if "size" in texts else cls().size
        ending = ENDING.parse("ending", texts.get("ending", ENDING.default))
        return cls(replace(Style.default(), **style), size, ending)

    def as_texts(self) -> dict[str, str]:
        """Return the choices that are worth keeping, as texts by their names."""
        texts = {name: kind.format(getattr(self.style, name)) for name, kind in _KEPT.items()}
        return {**texts, "size": str(self.size), "ending": self.ending}

    def with_own_of(self, style: Style) -> FigureChoices:
        """Return these choices with what belongs to one figure only, from the style of that."""
        own = {name: getattr(style, name) for name in SINGLE_FIGURE_SETTINGS}
        return self._replace(style=replace(self.style, **own))

    def on_ground(self, ground: str) -> FigureChoices:
        """Return these choices with another ground."""
        return self._replace(style=replace(self.style, ground=ground))
