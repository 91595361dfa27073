"""A panel that is laid out as statements of matplotlib: cells, curves, marks, points and axes."""

import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from pe_explorer.colours import maps
from pe_explorer.figures._bar import chosen_limits
from pe_explorer.figures._code_text import VISIBLE_PART, Array, AxisCode, Name, Statement, call
from pe_explorer.figures._data import (
    draw_cell_numbers,
    draw_dot,
    draw_labels,
    draw_name,
    draw_trail,
)
from pe_explorer.figures._page_code import PageCode, of_kind
from pe_explorer.figures._panel import PlacedPanel, draw_bottom, draw_left
from pe_explorer.figures.page import Circle, Dots, Polyline
from pe_explorer.pictures.figure import Cells, Curve, Rectangle, whole_numbers
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.pictures.trail import Trail

_DIGITS = 6 * 15  # in a line of a colour map: 15 colours


class PanelCode:
    """Writes what draws a panel on the axes `ax`.

    An `expression` makes the values of its cells, or else of its first curve, if there is one.
    """

    def __init__(self, place: PlacedPanel, page: PageCode, expression: str) -> None:
        self._place, self._panel, self._expression = place, place.panel, expression
        self._page, self._look = page, page.look
        self._x, self._y = AxisCode(place.panel.x), AxisCode(place.panel.y)

    def statements(self) -> Iterator[Statement]:
        """Yield all of them, in the order in which things lie over each other."""
        place, page = self._place, self._page
        yield call("ax = figure.add_axes", page.box(place.area))
        yield from self._inside()
        yield from self._axes()
        if place.bar and self._panel.cells:
            yield from page.bar(place.bar, "image")
        elif place.bar and self._panel.trail is not None:
            yield from page.bar_of_order(place.bar)
        if place.legend:
            yield from page.legend(place.legend)
        yield from page.items(draw_cell_numbers(place.axes, self._look))

    def _inside(self) -> Iterator[Statement]:
        """Yield what is drawn inside the axes."""
        panel, page, style = self._panel, self._page, self._look.style
        if panel.cells:
            yield from self._cells(panel.cells)
        yield from self._grounds()
        if style.grid:
            yield "ax.grid()"
        yield from self._marks()
        for number, curve in reversed(list(enumerate(panel.curves))):
            if curve.visible:
                yield from self._curve(curve, first=number == 0)
        for dot in panel.dots:
            disc = draw_dot(dot, self._place.axes, self._look)
            yield page.dot(self._x.at(dot.x), self._y.at(dot.y), disc)
        if panel.trail is not None:
            yield from self._trail(panel.trail)
        if style.cursor == "show":
            yield from self._lines(*panel.cursor, "white", "-")
            yield from self._lines(*panel.cursor, "black", "--")

    def _cells(self, cells: Cells) -> Iterator[Statement]:
        low, high = chosen_limits(cells, self._look.style)
        *lines, expression = self._expression.split("\n")
        code = "\n".join([*lines, f"values = {expression}"]) if expression else ""
        yield Array("values", cells.values, VISIBLE_PART * (high - low), code)
        colours = cells.colour_map
        if colours not in maps.MATPLOTLIB_MAPS:
            yield _colour_map(colours)
            colours = Name("colours")
        left, top, width, height = self._box(cells.place)
        extent = left, left + width, top + height, top
        look = {"aspect": "auto", "interpolation": "nearest", "extent": extent}
        yield call("image = ax.imshow", Name("values"), cmap=colours, vmin=low, vmax=high, **look)

    def _box(self, part: Rectangle) -> tuple[float, float, float, float]:
        """Return a part of the panel in numbers of the script."""
        left, top = self._x.at(part.left), self._y.at(part.top)
        return left, top, self._x.at(part.right) - left, self._y.at(part.bottom) - top

    def _grounds(self) -> Iterator[Statement]:
        """Yield what sets parts of a panel apart."""
        colours = self._look.colours
        looks: list[tuple[Rectangle, dict[str, Any]]] = []
        looks += [(part, {"facecolor": colours.raised}) for part in self._panel.shaded]
        hatching = {"fill": False, "hatch": "///", "edgecolor": colours.line}
        looks += [(part, hatching) for part in self._panel.hatched if not part.empty]
        for part, look in looks:
            left, top, *sides = self._box(part)
            patch = call("Rectangle", (left, top), *sides, linewidth=0, **look)
            yield f"ax.add_patch({patch})"

    def _lines(self, x: float | None, y: float | None, colour: str, style: str) -> Iterator[str]:
        """Yield thin lines across the panel, upright at `x` and level at `y`."""
        width = round(self._look.rule_width, 3)
        look = {"color": colour, "linestyle": style, "linewidth": width}
        if x is not None:
            yield call("ax.axvline", self._x.at(x), **look)
        if y is not None:
            yield call("ax.axhline", self._y.at(y), **look)

    def _marks(self) -> Iterator[Statement]:
        """Yield dashed lines across the panel with what they are called."""
        axes, look, legend = self._place.axes, self._look, self._place.legend
        dashed = look.colours.reference, "--"
        for mark in self._panel.marks:
            yield from self._lines(mark.x, None, *dashed)
        labels = draw_labels(axes, look, legend.place if legend else None)
        yield from self._page.items(labels)
        for level in self._panel.levels:
            yield from self._lines(None, level.y, *dashed)
            yield from self._page.items([draw_name(level, axes, look)])

    def _curve(self, curve: Curve, *, first: bool) -> Iterator[Statement]:
        across, upward = curve.outline
        has_code = first and self._expression and not self._panel.cells
        yield Array("x", self._x.all_at(across))
        yield Array("y", upward, code=f"y = {self._expression}" if has_code else "")
        if self._panel.y.powers:
            yield "y = 10.0**y"
        if first and self._panel.bars:
            colour = self._look.colours.filling
            low = 0.0 if curve.filled_to is None else self._panel.y.value(curve.filled_to)
            ends = Name("x"), Name("y"), low
            yield call("ax.fill_between", *ends, color=colour, linewidth=0)
        dashes = self._look.dashes(curve, self._panel.y)
        yield call("ax.plot", Name("x"), Name("y"), **self._page.curve_look(curve, dashes))

    def _trail(self, trail: Trail) -> Iterator[Statement]:
        """Yield points, a line through them, and a ring round that of the cursor."""
        yield self._page.order_colours()
        if not trail.visible:
            return
        items = list(draw_trail(trail, self._place.axes, self._look))
        resolution = VISIBLE_PART * self._panel.x.length
        order = AxisCode(whole_numbers(*trail.counted))
        yield Array("x", trail.x, resolution)
        yield Array("y", trail.y, resolution)
        yield Array("order", order.all_at(np.array(trail.numbers, dtype=np.float64)))
        for line in of_kind(items, Polyline)[:1]:  # there is none through a single point
            look = self._page.order_look(trail.counted) | {"linewidth": round(line.width, 3)}
            path = call("LineCollection", Name("path"), array=Name("order[:-1]"), **look)
            yield "path = np.column_stack([x, y])"
            yield "path = np.stack([path[:-1], path[1:]], axis=1)"
            yield f"ax.add_collection({path})"
        (dots,), mark = of_kind(items, Dots), trail.marked
        yield self._page.dots("x", "y", dots.radius, trail.counted)
        for ring in of_kind(items, Circle):
            yield self._page.ring(f"x[{mark}]", f"y[{mark}]", ring)

    def _axes(self) -> Iterator[str]:
        """Yield what writes numbers and titles beside the axes, and how far they reach."""
        place, page, x, y = self._place, self._page, self._panel.x, self._panel.y
        if y.powers:
            yield 'ax.set_yscale("log")'
            yield "ax.minorticks_off()"
        yield call("ax.set_xticks", *page.ticks(place.bottom), va="baseline")
        yield call("ax.set_yticks", *page.ticks(place.left))
        yield from page.title("ax", "x", place.bottom, draw_bottom(place, self._look))
        yield from page.title("ax", "y", place.left, draw_left(place, self._look))
        upward = self._y.at(y.low), self._y.at(y.high)
        ylim = upward[::-1] if y.down else upward
        yield call("ax.set", xlim=(self._x.at(x.low), self._x.at(x.high)), ylim=ylim)


def _colour_map(name: str) -> str:
    """Return what makes the colours of a map that matplotlib does not have."""
    digits = maps.table(name, NO_VALUE).tobytes().hex()
    words = "\n".join(f'    "{line}"' for line in textwrap.wrap(digits, _DIGITS))
    rgb = "np.frombuffer(colours, np.uint8).reshape(-1, 3) / 255"
    return f"colours = bytes.fromhex(  # {name}\n{words}\n)\ncolours = ListedColormap({rgb})"
