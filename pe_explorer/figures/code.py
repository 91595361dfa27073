"""A figure as a script for matplotlib: the same axes, numbers, colours and titles.

Where the code of an encoding makes a panel's numbers, the script computes them; other numbers are
written into it, as many digits as can be seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours
from pe_explorer.figures._bar import chosen_levels
from pe_explorer.figures._clock_code import clock_lines
from pe_explorer.figures._code_text import array_lines, wrapped
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError
from pe_explorer.pictures.axis_numbers import notation, short
from pe_explorer.pictures.figure import Axis, Cells, Curve, Figure, Panel, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE

__all__ = ["LONGEST", "FigureCodeError", "Formula", "figure_code"]

LONGEST = 1_000_000
"""Characters that a script may have."""

_SHARED = "viridis"
"""The colour map that matplotlib has, too, with the same colours."""
_DIGITS = 6 * 15  # in a line of a colour map: six for each colour
_NO_PANELS: Mapping[str, str] = MappingProxyType({})


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
    if not figure.clocks and not any(panel.cells or panel.curves for panel in figure.panels):
        sentence = figure.note.sentence if figure.note else "there are no numbers"
        raise FigureCodeError(sentence.rstrip("."), "choose what can be shown")
    writer = _Writer(style, size, formula)
    lines = writer.script(figure, heading)
    text = "\n".join(lines) + "\n"
    if len(text) > LONGEST:
        raise FigureCodeError(
            f"its numbers are {len(text):,} characters of code, more than {LONGEST:,}",
            "show fewer positions",
        )
    return text


class _Writer:
    """Writes the lines of one script."""

    def __init__(self, style: Style, size: FigureSize, formula: Formula) -> None:
        self._style, self._size, self._formula = style, size, formula
        self._colours: Colours = DARK if style.ground == "dark" else LIGHT
        self._dark = style.ground == "dark"

    def script(self, figure: Figure, heading: str) -> list[str]:
        """Return all lines."""
        body = self._drawing(figure)
        used = any(panel.name in self._formula.panels for panel in figure.panels)
        lines = [f"# {line}" for line in heading.splitlines()]
        lines += self._imports(body)
        lines += [""]
        if used:
            table = self._formula.table.splitlines()
            lines += [line for line in table if line != "import numpy as np"]
            lines += [""]
        lines += self._settings()
        lines += body
        if self._style.title:
            lines.append(f"figure.suptitle({self._style.title!r})")
        transparent = ", transparent=True" if self._style.ground == "transparent" else ""
        lines.append(f'# figure.savefig("figure.pdf"{transparent})')
        return [*lines, "plt.show()"]

    def _drawing(self, figure: Figure) -> list[str]:
        if figure.clocks:
            return clock_lines(figure.clocks, self._style, self._colours)
        columns = len(figure.panels)
        lines = [f"figure, axes = plt.subplots(1, {columns}, squeeze=False)"]
        for number, panel in enumerate(figure.panels):
            lines += ["", f"# {panel.name}", f"ax = axes[0, {number}]"]
            lines += self._panel(panel)
        return lines

    def _imports(self, body: Sequence[str]) -> list[str]:
        lines = ["import matplotlib.pyplot as plt", "import numpy as np"]
        text = "\n".join(body)
        if "ListedColormap" in text:
            lines.append("from matplotlib.colors import ListedColormap")
        if "MaxNLocator" in text:
            lines.append("from matplotlib.ticker import MaxNLocator")
        return lines

    def _settings(self) -> list[str]:
        width, height = (round(length / 72, 4) for length in self._size.in_points)
        style = self._style
        lines = ['plt.style.use("dark_background")'] if self._dark else []
        return [
            *lines,
            "plt.rcParams.update({",
            f'    "font.family": [{style.font!r}, "sans-serif"],',
            f'    "font.size": {style.font_size},',
            '    "axes.titlesize": "medium",',
            '    "axes.formatter.useoffset": False,',
            f'    "figure.figsize": ({width}, {height}),',
            f'    "figure.dpi": {style.dpi},',
            '    "figure.constrained_layout.use": True,',
            "})",
        ]

    # -- a panel ---------------------------------------------------------------------------------

    def _panel(self, panel: Panel) -> list[str]:
        x, y = _Scale(panel.x), _Scale(panel.y)
        lines: list[str] = []
        if panel.cells:
            lines += self._cells(panel, panel.cells, x, y)
        for number, curve in enumerate(panel.curves):
            lines += self._curve(panel, curve, number, x)
        lines += self._marks(panel, x)
        lines += [self._hatching(part, x, y) for part in panel.hatched if not part.empty]
        lines += self._axes(panel, x, y)
        if len(panel.legend) > 1 and self._style.legend != "none":
            lines.append("ax.legend()")
        return lines

    def _cells(self, panel: Panel, cells: Cells, x: _Scale, y: _Scale) -> list[str]:
        low, high = chosen_levels(cells, self._style)
        place = cells.place
        left, right = x.at(place.left), x.at(place.left + place.width)
        top, bottom = y.at(place.top), y.at(place.top + place.height)
        lines = self._values(panel.name, "values", cells.values)
        lines += _colour_map(cells.colour_map)
        lines += [
            "image = ax.imshow(",
            f"    values, cmap=colours, vmin={low!r}, vmax={high!r}, aspect='auto',",
            f"    extent=({left!r}, {right!r}, {bottom!r}, {top!r}), interpolation='nearest',",
            ")",
        ]
        if self._style.colour_bar:
            title = f"{cells.title} ({cells.unit})" if cells.unit else cells.title
            ticks = ", ticks=range(0, 361, 90)" if cells.unit == "°" else ""
            label = f", label={_plain(title)!r}" if self._style.labels else ""
            lines.append(f"figure.colorbar(image, ax=ax{label}{ticks})")
        return lines

    def _values(self, panel: str, name: str, values: npt.NDArray[np.float64]) -> list[str]:
        """Return lines that make an array: by its expression, if it has one, else its numbers."""
        if expression := self._formula.panels.get(panel):
            return [f"{name} = {expression}"]
        return array_lines(name, values)

    def _curve(self, panel: Panel, curve: Curve, number: int, x: _Scale) -> list[str]:
        if not curve.visible:
            return [f"# {curve.name}: {curve.lack or 'no finite number'}"]
        colour = self._colour(curve.colour)
        label = f", label={_plain(curve.name)!r}" if panel.legend else ""
        places = [x.at(float(place)) for place in curve.x]
        lines = array_lines("x", np.array(places))
        if number == 0 and not panel.cells:
            lines += self._values(panel.name, "y", curve.y)
        else:
            lines += array_lines("y", curve.y)
        width = self._style.line_width
        order = f", zorder={2.9 - number / 100:.2f}"  # the first curve lies over the others
        lines.append(f"ax.plot(x, y, color={colour!r}, linewidth={width}{label}{order})")
        return lines

    def _marks(self, panel: Panel, x: _Scale) -> list[str]:
        colour = self._colours.reference
        lines = []
        for mark in panel.marks:
            look = f'color={colour!r}, linestyle="--", linewidth={self._style.line_width}'
            lines.append(f"ax.axvline({x.at(mark.x)!r}, {look})  # {mark.name}")
        return lines

    def _hatching(self, part: Rectangle, x: _Scale, y: _Scale) -> str:
        left, top = x.at(part.left), y.at(part.top)
        width = x.at(part.left + part.width) - left
        height = y.at(part.top + part.height) - top
        look = f'fill=False, hatch="///", linewidth=0, edgecolor={self._colours.line!r}'
        return f"ax.add_patch(plt.Rectangle(({left!r}, {top!r}), {width!r}, {height!r}, {look}))"

    def _axes(self, panel: Panel, x: _Scale, y: _Scale) -> list[str]:
        style = self._style
        bottom, top = y.at(panel.y.low), y.at(panel.y.high)
        if panel.y.down and not style.upward:
            bottom, top = top, bottom
        left, right = x.at(panel.x.low), x.at(panel.x.high)
        lines = [f"ax.set(xlim=({left!r}, {right!r}), ylim=({bottom!r}, {top!r}))"]
        if style.labels:
            lines.append(f"ax.set(xlabel={x.title!r}, ylabel={y.title!r})")
        if panel.name == "matrix":
            lines.append("ax.set_box_aspect(1)")
        if style.grid:
            lines.append("ax.grid(alpha=0.3)")
        for name, scale in (("xaxis", x), ("yaxis", y)):
            if scale.whole or style.ticks:
                most = style.ticks or "'auto'"
                whole = ", integer=True" if scale.whole else ""
                lines.append(f"ax.{name}.set_major_locator(MaxNLocator({most}{whole}))")
        return lines

    def _colour(self, name: str) -> str:
        if name == "accent":
            return self._colours.accent
        light, dark = PIN_SHADES[name]
        return dark if self._dark else light


class _Scale:
    """The numbers of an axis in the script: short, with what is left out in the title."""

    def __init__(self, axis: Axis) -> None:
        self.title = _plain(axis.title)
        self._origin, self._unit = 0, 1
        if axis.origin is not None:
            offset, power = notation(axis.origin, axis.count)
            self._unit = int(10**power)
            self._origin = axis.origin - offset
            factor = f" × $10^{{{power}}}$" if power else ""
            beginning = f", from {short(offset)}" if offset else ""
            self.title += f"{factor}{beginning}"
        self.whole = axis.origin is not None and self._unit == 1

    def at(self, place: float) -> float:
        """Return a place, counted from the axis' origin, as a number of the script."""
        doubled = round(2 * place)
        if 2 * place == doubled:  # exact, as ends and middles of cells are
            return (2 * self._origin + doubled) / (2 * self._unit)
        return (self._origin + place) / self._unit


def _colour_map(name: str) -> list[str]:
    """Return lines that make the array of a colour map, or name it."""
    if name == _SHARED:
        return [f'colours = "{name}"']
    digits = maps.table(name, NO_VALUE).tobytes().hex()
    lines = wrapped(digits, _DIGITS)
    return [
        f"colours = bytes.fromhex(  # {name}",
        *(f'    "{line}"' for line in lines),
        ")",
        "colours = ListedColormap(np.frombuffer(colours, np.uint8).reshape(-1, 3) / 255)",
    ]


def _plain(text: str) -> str:
    """Return a text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")
