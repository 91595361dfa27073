"""What was chosen for the last figure: its style, its size, and the kind of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.params import Parameter, ParameterError, declared, quoted

__all__ = ["ENDINGS", "FigureChoices", "check_text"]

ENDINGS = (".pdf", ".svg", ".png")
"""The kinds of files that a figure is written to."""

_SIZE, _ENDING = "size", "ending"
_OF_ONE_FIGURE = frozenset({"title", "limits", "clocks"})
"""Settings that belong to what was drawn, and mean nothing for the next figure."""


class FigureChoices(NamedTuple):
    """What the dialog for figures begins with."""

    style: Style = Style.default()
    size: FigureSize = PRESETS["one-column"]
    ending: str = ENDINGS[0]

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> FigureChoices:
        """Return the choices that `as_texts` wrote; what is left out is as at first."""
        choices, style = cls(), Style.default()
        for name, parameter in _kept().items():
            if name in texts:
                style = replace(style, **{name: parameter.parse(name, texts[name])})
        if _SIZE in texts:
            choices = choices._replace(size=parse_figure_size(texts[_SIZE]))
        ending = texts.get(_ENDING, choices.ending)
        return choices._replace(style=style, ending=ending)

    def as_texts(self) -> dict[str, str]:
        """Return the choices that are worth keeping, as texts by their names."""
        texts = {name: kind.format(getattr(self.style, name)) for name, kind in _kept().items()}
        return {**texts, _SIZE: str(self.size), _ENDING: self.ending}


def check_text(name: str, text: str) -> str | None:
    """Return the text of one choice, None for one that is not known here.

    Raises `ParameterError` if it is no legal value.
    """
    if name == _SIZE:
        parse_figure_size(text)
    elif name == _ENDING:
        if text not in ENDINGS:
            raise ParameterError(name, f"{quoted(text)} is not one of {', '.join(ENDINGS)}")
    elif parameter := _kept().get(name):
        parameter.parse(name, text)
    else:
        return None
    return text


def _kept() -> dict[str, Parameter]:
    return {name: kind for name, kind in declared(Style).items() if name not in _OF_ONE_FIGURE}
