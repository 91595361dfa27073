"""A panel as lines of a script for matplotlib: its cells, curves, marks, cursor and axes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK, PIN_SHADES, Colours
from pe_explorer.figures._bar import chosen_levels
from pe_explorer.figures._code_text import LETTER, SEEN, AxisCode, array_lines, plain, wrapped
from pe_explorer.figures._panel import is_square
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Cells, Curve, Panel, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE

__all__ = ["PanelCode"]

Floats = npt.NDArray[np.float64]

_SHARED = "viridis"
"""The colour map that matplotlib has, too, with the same colours."""
_DIGITS = 6 * 15  # in a line of a colour map: six for each colour
_OVER_LINES = 2.9  # where the first curve lies: over the others, below the legend
_RULE = 0.6  # width of the cursor's lines, in points
_STROKE = 4.0  # beside a name in a legend, in font sizes
_WIDEST = 0.5  # of a panel's width, for a legend inside


class PanelCode:
    """Writes the lines that draw a panel on the axes `ax`.

    Parameters
    ----------
    panel : Panel
    style : Style
    colours : Colours
    width : float
        What it has of the figure's width, in points.
    expression : str
        Makes the values of the cells, or else of the first curve; empty to write numbers.
    """

    def __init__(
        self, panel: Panel, style: Style, colours: Colours, width: float, expression: str
    ) -> None:
        self._panel, self._style, self._colours = panel, style, colours
        self._width, self._expression = width, expression
        self._x = AxisCode(panel.x, labelled=style.labels)
        self._y = AxisCode(panel.y, labelled=style.labels)

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        panel = self._panel
        if panel.cells:
            yield from self._cells(panel.cells)
        for number, curve in enumerate(panel.curves):
            yield from self._curve(curve, number)
        for mark in panel.marks:
            look = f'color={self._colours.reference!r}, linestyle="--"'
            width = self._style.line_width
            yield f"ax.axvline({self._x.at(mark.x)!r}, {look}, linewidth={width})"
        for part in panel.hatched:
            if not part.empty:
                yield self._hatching(part)
        if self._style.cursor == "show":
            yield from self._cursor()
        yield from self._axes()
        yield from self._legend()

    # -- cells ---------------------------------------------------------------------------------

    def _cells(self, cells: Cells) -> Iterator[str]:
        low, high = chosen_levels(cells, self._style)
        left, top, width, height = cells.place
        across = f"{self._x.at(left)!r}, {self._x.at(left + width)!r}"
        down = f"{self._y.at(top + height)!r}, {self._y.at(top)!r}"
        yield from self._values("values", cells.values, SEEN * (high - low))
        yield from _colour_map(cells.colour_map)
        yield "image = ax.imshow("
        yield f'    values, cmap=colours, vmin={low!r}, vmax={high!r}, aspect="auto",'
        yield f'    extent=({across}, {down}), interpolation="nearest",'
        yield ")"
        if self._style.colour_bar:
            ticks = ", ticks=range(0, 361, 90)" if cells.unit == "°" else ""
            yield f"figure.colorbar(image, ax=ax{self._bar_label(cells)}{ticks})"

    def _bar_label(self, cells: Cells) -> str:
        if not self._style.labels:
            return ""
        title = f"{cells.title} ({cells.unit})" if cells.unit else cells.title
        return f", label={self._with_badge(plain(title))!r}"

    def _with_badge(self, title: str) -> str:
        """Return a title with what a pixel stands for, where that are many positions."""
        badge = self._panel.badge
        return f"{title}, {badge}" if badge else title

    def _values(self, name: str, values: Floats, seen: float = 0.0) -> list[str]:
        """Return lines that make an array: by the expression, if there is one, else its numbers."""
        if self._expression:
            return [f"{name} = {self._expression}"]
        return array_lines(name, values, seen)

    # -- lines ---------------------------------------------------------------------------------

    def _curve(self, curve: Curve, number: int) -> Iterator[str]:
        colour = self._colour_of(curve)
        label = f", label={plain(curve.name)!r}" if self._panel.legend else ""
        if not curve.visible:
            if self._panel.legend:
                name = f"{curve.name}: {curve.lack or 'no finite number'}"
                yield f"ax.plot([], [], color={colour!r}, label={plain(name)!r})"
            return
        places = [self._x.at(place) for place in curve.x.tolist()]
        yield from array_lines("x", np.array(places))
        if number == 0 and not self._panel.cells:
            yield from self._values("y", curve.y)
        else:
            yield from array_lines("y", curve.y)
        order = round(_OVER_LINES - number / 100, 2)
        look = f"color={colour!r}, linewidth={self._style.line_width}, zorder={order}"
        yield f"ax.plot(x, y, {look}{label})"

    def _colour_of(self, curve: Curve) -> str:
        if curve.colour == "accent":
            return self._colours.accent
        light, dark = PIN_SHADES[curve.colour]
        return dark if self._colours is DARK else light

    def _hatching(self, part: Rectangle) -> str:
        left, top = self._x.at(part.left), self._y.at(part.top)
        width = self._x.at(part.left + part.width) - left
        height = self._y.at(part.top + part.height) - top
        place = f"({left!r}, {top!r}), {width!r}, {height!r}"
        look = f'fill=False, hatch="///", linewidth=0, edgecolor={self._colours.line!r}'
        return f"ax.add_patch(plt.Rectangle({place}, {look}))"

    def _cursor(self) -> Iterator[str]:
        """Yield lines that can be seen on every colour: dark dashes on light ones."""
        across, down = self._panel.cursor
        for look in ('color="white"', 'color="black", linestyle="--"'):
            if across is not None:
                yield f"ax.axvline({self._x.at(across)!r}, {look}, linewidth={_RULE})"
            if down is not None:
                yield f"ax.axhline({self._y.at(down)!r}, {look}, linewidth={_RULE})"

    # -- axes ----------------------------------------------------------------------------------

    def _axes(self) -> Iterator[str]:
        left, right = self._x.ends
        low, high = self._y.ends
        if self._panel.y.down and not self._style.upward:
            low, high = high, low
        yield f"ax.set(xlim=({left!r}, {right!r}), ylim=({low!r}, {high!r}))"
        y_title = self._y.title
        if self._panel.curves and y_title:
            y_title = self._with_badge(y_title)
        if self._x.title or y_title:
            yield f"ax.set(xlabel={self._x.title!r}, ylabel={y_title!r})"
        if is_square(self._panel):
            yield "ax.set_box_aspect(1)"
        if self._style.grid:
            yield "ax.grid(alpha=0.3)"
        for name, axis in (("xaxis", self._x), ("yaxis", self._y)):
            if axis.is_whole or self._style.ticks:
                yield f"ax.{name}.set_major_locator({self._locator(axis)})"

    def _locator(self, axis: AxisCode) -> str:
        """Return what chooses the numbers beside an axis."""
        most = self._style.ticks
        intervals = f"{most - 1}, min_n_ticks=1" if most else "'auto'"
        whole = ", integer=True" if axis.is_whole else ""
        return f"MaxNLocator({intervals}{whole}, steps=[1, 2, 5, 10])"

    def _legend(self) -> Iterator[str]:
        if not self._panel.legend or self._style.legend == "none":
            return
        wanted, names = self._style.legend, [curve.name for curve in self._panel.legend]
        width = (max(map(len, names)) * LETTER + _STROKE) * self._style.font_size
        if wanted == "below" or (wanted == "auto" and width > _WIDEST * self._width):
            yield 'figure.legend(loc="outside lower left", ncols=2, frameon=False)'
        else:
            yield "ax.legend()"


def _colour_map(name: str) -> Iterator[str]:
    """Yield lines that make the array of a colour map, or name it."""
    if name == _SHARED:
        yield f'colours = "{name}"'
        return
    digits = maps.table(name, NO_VALUE).tobytes().hex()
    yield f"colours = bytes.fromhex(  # {name}"
    for line in wrapped(digits, _DIGITS):
        yield f'    "{line}"'
    yield ")"
    yield "colours = ListedColormap(np.frombuffer(colours, np.uint8).reshape(-1, 3) / 255)"
