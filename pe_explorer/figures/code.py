"""A figure as a script for matplotlib: the same axes, numbers, colours and titles.

Where the code of an encoding makes a panel's numbers, the script computes them; other numbers are
written into it, as many digits as can be seen.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.colours.themes import DARK, LIGHT, Colours
from pe_explorer.figures._clock_code import clock_lines
from pe_explorer.figures._code_text import LETTER, call, plain
from pe_explorer.figures._look import LINE
from pe_explorer.figures._panel_code import PanelCode
from pe_explorer.figures._table import table_lines
from pe_explorer.figures.size import PIXELS_PER_INCH, POINTS_PER_INCH, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError
from pe_explorer.pictures.figure import Figure, Panel
from pe_explorer.pictures.table import Table

__all__ = ["LONGEST", "FigureCodeError", "Formula", "figure_code"]

LONGEST = 1_000_000
"""Characters that a script may have."""

_NUMPY = "import numpy as np"
_PARTS = (
    ("collections", "LineCollection"),
    ("colors", "ListedColormap"),
    ("ticker", "MaxNLocator"),
)
"""What scripts use of matplotlib, with the modules that have it."""
_NO_PANELS: Mapping[str, str] = MappingProxyType({})
_MOST_TABLE = 0.4  # of the height of a figure


class FigureCodeError(ParameterError):
    """A figure that no script of a reasonable length draws."""

    def __init__(self, fault: str, remedy: str = "") -> None:
        super().__init__("figure", fault, remedy)


class Formula(NamedTuple):
    """Code that computes numbers of a figure.

    Attributes
    ----------
    table : str
        Lines that make the array `table`, with an import of NumPy; empty for none.
    panels : mapping of str to str
        For some panels, by name, an expression of `table`: their cells, or their first curve.
    """

    table: str = ""
    panels: Mapping[str, str] = _NO_PANELS


def figure_code(
    figure: Figure,
    style: Style,
    size: FigureSize,
    formula: Formula = Formula(),  # noqa: B008 - a constant
    heading: str = "",
) -> str:
    """Return a script for matplotlib that draws a figure.

    Parameters
    ----------
    figure : Figure
    style : Style
    size : FigureSize
    formula : Formula
        How some of its numbers are computed.
    heading : str
        What the figure shows, for the first line.

    Raises
    ------
    FigureCodeError
        If there is nothing to draw, or the numbers would be more than `LONGEST` characters.
    """
    if not any(map(_has_data, figure.panels)) and not figure.clocks:
        sentence = figure.note.sentence if figure.note else "there are no numbers"
        raise FigureCodeError(sentence.rstrip("."), "choose what can be shown")
    lines = _Writer(style, size, formula).script(figure, heading)
    text = "\n".join(lines) + "\n"
    if len(text) > LONGEST:
        raise FigureCodeError(
            f"its numbers are {len(text):,} characters of code, more than {LONGEST:,}",
            "show fewer positions",
        )
    return text


def _has_data(panel: Panel) -> bool:
    has_points = panel.trail is not None and panel.trail.visible
    return bool(panel.cells or panel.curves or has_points)


class _Writer:
    """Writes the lines of one script."""

    def __init__(self, style: Style, size: FigureSize, formula: Formula) -> None:
        self._style, self._size, self._formula = style, size, formula
        self._colours: Colours = DARK if style.ground == "dark" else LIGHT

    def script(self, figure: Figure, heading: str) -> Iterator[str]:
        """Yield all lines."""
        body = list(self._drawing(figure))
        for line in heading.splitlines():
            yield f"# {line}"
        yield from _imports(body)
        yield ""
        if any(panel.name in self._formula.panels for panel in figure.panels):
            lines = self._formula.table.splitlines()
            yield from (line for line in lines if line != _NUMPY)
            yield ""
        yield from self._settings()
        yield from body
        if title := self._title(figure):
            yield f"figure.suptitle({title!r})"
        transparent = ", transparent=True" if self._style.ground == "transparent" else ""
        yield f'# figure.savefig("figure.pdf"{transparent})'
        yield "plt.show()"

    def _drawing(self, figure: Figure) -> Iterator[str]:
        width, _ = self._size.in_points
        if figure.clocks:
            yield from clock_lines(figure.clocks, self._style, self._colours, width)
            return
        columns = len(figure.panels)
        yield f"figure, axes = plt.subplots(1, {columns}, squeeze=False)"
        for number, panel in enumerate(figure.panels):
            yield from ("", f"# {panel.name}", f"ax = axes[0, {number}]")
            expression = self._formula.panels.get(panel.name, "")
            each = width / columns
            code = PanelCode(panel, self._style, self._colours, each, expression)
            yield from code.lines()
        if figure.table:
            yield from self._table(figure.table)

    def _table(self, table: Table) -> Iterator[str]:
        """Yield the lines of a table: drawn above the axes, or where that is too high a comment."""
        width, height = self._size.in_points
        lines = table_lines(table.in_words)
        if max(map(len, lines)) * LETTER * self._style.font_size > width:
            lines = table_lines(table)
        if len(lines) * LINE * self._style.font_size > _MOST_TABLE * height:
            yield from (f"# {line}" for line in lines)
            return
        look = {"loc": "left", "family": ["DejaVu Sans Mono", "monospace"]}
        yield call("ax.set_title", plain("\n".join(lines)), **look)

    def _title(self, figure: Figure) -> str:
        """Return the title, and the sentence on why there is nothing to see, if there is one."""
        sentence = figure.note.sentence if figure.note else ""
        width, _ = self._size.in_points
        letters = int(width / (LETTER * self._style.font_size))
        lines = textwrap.wrap(sentence, max(1, letters))
        if self._style.title:
            lines.insert(0, self._style.title)
        return plain("\n".join(lines))

    def _settings(self) -> Iterator[str]:
        width, height = (length / POINTS_PER_INCH for length in self._size.in_points)
        style = self._style
        dpi = PIXELS_PER_INCH if self._size.unit == "px" else style.dpi
        if self._colours is DARK:
            yield 'plt.style.use("dark_background")'
        yield "plt.rcParams.update({"
        yield f'    "font.family": [{style.font!r}, "sans-serif"],'
        yield f'    "font.size": {style.font_size},'
        yield '    "figure.titlesize": "medium",'
        yield '    "axes.formatter.useoffset": False,'
        yield f'    "figure.figsize": ({round(width, 4)}, {round(height, 4)}),'
        yield f'    "figure.dpi": {dpi},'
        yield '    "figure.constrained_layout.use": True,'
        if self._colours is DARK:
            for part in ("figure", "axes", "savefig"):
                yield f'    "{part}.facecolor": {DARK.base!r},'
        yield "})"


def _imports(body: Sequence[str]) -> Iterator[str]:
    """Yield the imports that some lines need."""
    yield "import matplotlib.pyplot as plt"
    yield _NUMPY
    text = "\n".join(body)
    for module, name in _PARTS:
        if f"{name}(" in text:
            yield f"from matplotlib.{module} import {name}"
