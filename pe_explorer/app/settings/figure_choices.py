"""What was chosen for the last figure: its style, its size, and the kind of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import OF_ONE_FIGURE, Style
from pe_explorer.files.session import FIGURES
from pe_explorer.params import Choice, declared

ENDING = Choice(
    ".pdf",
    {ending: f"{ending[1:].upper()} figures" for ending in FIGURES},
    label="Format",
    help="Format of the file.",
)
"""The kinds of files that a figure is written to, by the ending of their names."""


class FigureChoices(NamedTuple):
    """What the dialog for figures begins with."""

    style: Style = Style.default()
    size: FigureSize = PRESETS["one-column"]
    ending: str = ENDING.default

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> FigureChoices:
        """Return the choices that `as_texts` wrote; what is left out is as at first."""
        found = {name: read(name, texts[name]) for name, read in readers().items() if name in texts}
        usual = cls()
        size = found.pop("size", usual.size)
        ending = found.pop("ending", usual.ending)
        return cls(replace(usual.style, **found), size, ending)

    def as_texts(self) -> dict[str, str]:
        """Return the choices that are worth keeping, as texts by their names."""
        kinds = declared(Style).items()
        texts = {name: kind.format(getattr(self.style, name)) for name, kind in kinds}
        for name in OF_ONE_FIGURE:
            del texts[name]
        return {**texts, "size": str(self.size), "ending": self.ending}

    def with_own_of(self, style: Style) -> FigureChoices:
        """Return these choices with what belongs to one figure only, from the style of that."""
        own = {name: getattr(style, name) for name in OF_ONE_FIGURE}
        return self._replace(style=replace(self.style, **own))

    def on_ground(self, ground: str) -> FigureChoices:
        """Return these choices with another ground."""
        return self._replace(style=replace(self.style, ground=ground))


def readers() -> dict[str, Callable[[str, str], Any]]:
    """Return what reads the text of each choice that is kept: a function of its name and text.

    It raises `ParameterError` for a text that is no legal value.
    """
    found: dict[str, Callable[[str, str], Any]] = {"size": _read_size, "ending": ENDING.parse}
    for name, parameter in declared(Style).items():
        if name not in OF_ONE_FIGURE:
            found[name] = parameter.parse
    return found


def _read_size(_name: str, text: str) -> FigureSize:
    return parse_figure_size(text)
