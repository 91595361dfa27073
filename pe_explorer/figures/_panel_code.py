"""A panel as lines of a script for matplotlib: its cells, curves, marks, cursor and axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.markers import RADIUS
from pe_explorer.colours.themes import DARK, PIN_SHADES, Colours
from pe_explorer.figures._bar import chosen_levels
from pe_explorer.figures._code_text import (
    LETTER,
    SEEN,
    AxisCode,
    Name,
    array_lines,
    call,
    in_legend,
    plain,
    wrapped,
)
from pe_explorer.figures._look import PIXEL
from pe_explorer.figures._panel import is_square
from pe_explorer.figures._trail_code import trail_lines
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Cells, Curve, Level, Panel, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE

__all__ = ["PanelCode"]

Floats = npt.NDArray[np.float64]

_DIGITS = 6 * 15  # in a line of a colour map: six for each colour
_OVER_LINES = 2.9  # where the first curve lies: over the others, below the legend
_LABEL = 0.06  # of a panel's height, from the label of one mark to that of the next
_MOST_NAMES = 30  # beside an axis
_MOST_NUMBERS = 1000  # in cells
_NUMBER = 0.8  # size of the numbers in cells, as a part of the font's
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
        dashed = {"linestyle": "--", "linewidth": self._style.line_width}
        for number, mark in enumerate(panel.marks, 1):
            place = self._x.at(mark.x)
            yield call("ax.axvline", place, color=self._colours.reference, **dashed)
            if mark.label:
                upper = {"va": "bottom", "transform": Name("ax.get_xaxis_transform()")}
                height = round(1 - number * _LABEL, 2)
                yield call("ax.text", place, height, f" {plain(mark.label)}", **upper)
        for level in panel.levels:
            yield from self._level(level)
        for part in panel.shaded:
            colour = self._colours.raised
            yield self._rectangle(part, linewidth=0, facecolor=colour, zorder=0)
        for part in panel.hatched:
            if not part.empty:
                colour = self._colours.line
                look = {"fill": False, "hatch": "///", "linewidth": 0, "edgecolor": colour}
                yield self._rectangle(part, **look)
        if panel.trail is not None:
            yield from trail_lines(panel.trail, panel, self._style, self._colours)
        if self._style.cursor == "show":
            yield from self._cursor()
        yield from self._axes()
        yield from self._legend()

    # -- cells ---------------------------------------------------------------------------------

    def _cells(self, cells: Cells) -> Iterator[str]:
        low, high = chosen_levels(cells, self._style)
        place = cells.place
        across = self._x.at(place.left), self._x.at(place.right)
        down = self._y.at(place.bottom), self._y.at(place.top)
        yield from self._values("values", cells.values, SEEN * (high - low))
        yield from _colour_map(cells.colour_map)
        yield "image = ax.imshow("
        yield f'    values, cmap=colours, vmin={low!r}, vmax={high!r}, aspect="auto",'
        yield f'    extent={across + down}, interpolation="nearest",'
        yield ")"
        if cells.numbered and cells.values.size <= _MOST_NUMBERS:
            yield from self._numbers(cells)
        if self._style.colour_bar and self._panel.has_bar:
            yield self._bar(cells)

    def _numbers(self, cells: Cells) -> Iterator[str]:
        """Yield lines that write the numbers into the cells."""
        rows, columns = cells.values.shape
        left, top = self._x.at(cells.place.left), self._y.at(cells.place.top)
        width = (self._x.at(cells.place.right) - left) / columns
        height = (self._y.at(cells.place.bottom) - top) / rows
        size = round(_NUMBER * self._style.font_size, 1)
        yield "for (row, column), value in np.ndenumerate(values):"
        yield "    red, green, blue, _ = image.cmap(image.norm(value))"
        yield '    colour = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"'
        yield f"    x = {left!r} + {width!r} * (column + 0.5)"
        yield f"    y = {top!r} + {height!r} * (row + 0.5)"
        yield '    text = f"{value:.2f}".replace("nan", "")'
        yield f'    ax.text(x, y, text, ha="center", va="center", color=colour, size={size})'

    def _bar(self, cells: Cells) -> str:
        options: dict[str, Any] = {}
        if self._style.labels:
            title = f"{cells.title} ({cells.unit})" if cells.unit else cells.title
            options["label"] = self._with_badge(plain(title))
        if cells.unit == "°":
            options["ticks"] = range(0, 361, 90)
        return call("figure.colorbar", Name("image"), ax=Name("ax"), **options)

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
        look: dict[str, Any] = {"color": self._colour_of(curve)}
        if not curve.visible:
            if self._panel.legend:
                name = f"{curve.called}: {curve.lack or 'no finite number'}"
                yield call("ax.plot", [], [], **look, label=in_legend(name))
            return
        across, upward = curve.outline
        places = list(map(self._x.at, across.tolist()))
        yield from array_lines("x", np.array(places))
        if number == 0 and not self._panel.cells:
            yield from self._values("y", upward)
        else:
            yield from array_lines("y", upward)
        if self._panel.y.powers:
            yield "y = 10.0**y"
        if number == 0 and self._panel.bars:
            ground = {"color": self._colours.filling, "linewidth": 0, "zorder": 1}
            yield call("ax.fill_between", Name("x"), Name("y"), **ground)
        look["linewidth"] = self._style.line_width
        look["zorder"] = round(_OVER_LINES - number / 100, 2)
        if self._panel.legend and curve.name:
            look["label"] = in_legend(curve.called)
        which = curve.with_marker(self._panel.x)
        if curve.marker and len(which):
            look["marker"] = curve.marker.code
            look["markersize"] = round(2 * RADIUS * PIXEL * self._style.font_size, 1)
            look["markevery"] = which.tolist()
        yield call("ax.plot", Name("x"), Name("y"), **look)

    def _colour_of(self, curve: Curve) -> str:
        if curve.colour == "accent":
            return self._colours.accent
        light, dark = PIN_SHADES[curve.colour]
        return dark if self._colours is DARK else light

    def _level(self, level: Level) -> Iterator[str]:
        """Yield a dashed line with its name at the left."""
        colour, place = self._colours.reference, self._y.at(level.y)
        dashed = {"linestyle": "--", "linewidth": self._style.line_width}
        yield call("ax.axhline", place, color=colour, **dashed)
        side = "top" if level.is_high(self._panel.y) else "bottom"
        look = {"va": side, "transform": Name("ax.get_yaxis_transform()"), "color": colour}
        yield call("ax.text", 0.01, place, plain(level.name), **look)

    def _rectangle(self, part: Rectangle, **look: Any) -> str:
        left = self._x.at(part.left)
        top = self._y.at(part.top)
        width = self._x.at(part.right) - left
        height = self._y.at(part.bottom) - top
        rectangle = call("plt.Rectangle", (left, top), width, height, **look)
        return call("ax.add_patch", Name(rectangle))

    def _cursor(self) -> Iterator[str]:
        """Yield lines that can be seen on every colour: dark dashes on light ones."""
        across, down = self._panel.cursor
        for colour, style in (("white", "-"), ("black", "--")):
            look = {"color": colour, "linestyle": style, "linewidth": _RULE}
            if across is not None:
                yield call("ax.axvline", self._x.at(across), **look)
            if down is not None:
                yield call("ax.axhline", self._y.at(down), **look)

    # -- axes ----------------------------------------------------------------------------------

    def _axes(self) -> Iterator[str]:
        yield from self._ranges()
        yield from self._titles()
        if is_square(self._panel):
            yield "ax.set_box_aspect(1)"
        if self._style.grid:
            yield "ax.grid(alpha=0.3)"
        yield from _ticks("xaxis", self._x, self._style.ticks)
        yield from _ticks("yaxis", self._y, self._style.ticks)

    def _ranges(self) -> Iterator[str]:
        """Yield lines that say from where to where the axes reach, and in which direction."""
        low, high = self._y.ends
        if self._panel.y.powers:
            yield call("ax.set", yscale="log")
        if self._panel.y.down and not self._style.upward:
            low, high = high, low
        yield call("ax.set", xlim=self._x.ends, ylim=(low, high))

    def _titles(self) -> Iterator[str]:
        """Yield the line that writes the titles; a badge stands behind that of curves."""
        x_title, y_title = self._x.title, self._y.title
        if y_title and self._panel.curves:
            y_title = self._with_badge(y_title)
        if x_title or y_title:
            yield call("ax.set", xlabel=x_title, ylabel=y_title)

    def _legend(self) -> Iterator[str]:
        if not self._panel.legend or self._style.legend == "none":
            return
        wanted = self._style.legend
        longest = max(len(curve.called) for curve in self._panel.legend)
        width = (longest * LETTER + _STROKE) * self._style.font_size
        has_room = width <= _WIDEST * self._width
        if wanted == "inside" or (wanted == "auto" and has_room):
            yield "ax.legend()"
        else:
            yield 'figure.legend(loc="outside lower left", ncols=2, frameon=False)'


def _ticks(name: str, axis: AxisCode, most: int | None) -> Iterator[str]:
    """Yield the line that chooses what stands beside an axis, where it is not left alone."""
    if axis.names:
        yield _names(name, axis)
    elif axis.is_whole or (most and not axis.is_logarithmic):
        yield f"ax.{name}.set_major_locator({_locator(axis, most)})"


def _names(name: str, axis: AxisCode) -> str:
    """Return what writes names beside an axis, at most so many that they can be read."""
    step = -(-len(axis.names) // _MOST_NAMES)
    shown = range(0, len(axis.names), step)
    places = [axis.at(place) for place in shown]
    return call(f"ax.{name}.set_ticks", places, [plain(axis.names[place]) for place in shown])


def _locator(axis: AxisCode, most: int | None) -> str:
    """Return what chooses the numbers beside an axis, of which there are at most so many."""
    options: dict[str, Any] = {"integer": True} if axis.is_whole else {}
    if most:
        options |= {"nbins": most - 1, "min_n_ticks": 1}
    return call("MaxNLocator", **options, steps=[1, 2, 5, 10])


def _colour_map(name: str) -> Iterator[str]:
    """Yield lines that make the array of a colour map, or name it."""
    if name in maps.OF_MATPLOTLIB:
        yield f'colours = "{name}"'
        return
    digits = maps.table(name, NO_VALUE).tobytes().hex()
    yield f"colours = bytes.fromhex(  # {name}"
    for line in wrapped(digits, _DIGITS):
        yield f'    "{line}"'
    yield ")"
    yield "colours = ListedColormap(np.frombuffer(colours, np.uint8).reshape(-1, 3) / 255)"
