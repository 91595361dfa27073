"""The colour bar beside a panel: a strip of the colours and the numbers that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.figures._look import BASE, DESCENT, GAP, LINE, RULE, TICK, Look, border
from pe_explorer.figures._ticks import Ticks, ticks_of
from pe_explorer.figures.page import Image, Item, Line, Text
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Axis, Cells, Panel, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE

__all__ = ["Bar", "bar_beside", "bar_of", "chosen_levels", "colour_table", "draw_bar", "levels_of"]

_BESIDE, _STRIP = 0.8, 1.0  # from the area to the strip, and how wide that is, in font sizes
_USUAL = "−0.5"  # there is always room for such numbers: few are known before all is computed
_UNKNOWN = Axis("value", -1.0, 1.0)


class Bar(NamedTuple):
    """A colour bar.

    Attributes
    ----------
    axis : Axis
        The numbers from its lower to its upper end.
    strip : Rectangle
        The colours.
    ticks : Ticks
    title : list of str
        Its lines.
    room : float
        How much the bar takes to the right of the area.
    colours : (n, 4) uint8
        From the lower end to the upper.
    """

    axis: Axis
    strip: Rectangle
    ticks: Ticks
    title: list[str]
    room: float
    colours: npt.NDArray[np.uint8]


def levels_of(cells: Cells, look: Look) -> tuple[float, float]:
    """Return the numbers at the ends of the colours: those chosen, or the cells' own."""
    return chosen_levels(cells, look.style)


def chosen_levels(cells: Cells, style: Style) -> tuple[float, float]:
    """Return the numbers at the ends of the colours that a style gives some cells."""
    limits = style.limits
    if not limits or cells.unit == "°" or min(limits) == max(limits):
        return cells.levels
    return min(limits), max(limits)


def colour_table(colour_map: str) -> npt.NDArray[np.uint8]:
    """Return the 255 colours of a map, then the transparent `NO_VALUE`, shape (256, 4)."""
    table = np.zeros((NO_VALUE + 1, 4), dtype=np.uint8)
    table[:NO_VALUE, :3] = maps.table(colour_map, NO_VALUE)
    table[:NO_VALUE, 3] = 255
    return table


def bar_of(panel: Panel, area: Rectangle, look: Look) -> Bar | None:
    """Return the colour bar of a panel that has cells or will have them, if one is wanted."""
    if not look.style.colour_bar or panel.y.origin is None:
        return None
    cells = panel.cells
    if cells is None:
        nothing = np.zeros((0, 4), dtype=np.uint8)
        return bar_beside(area, _UNKNOWN, "", nothing, look)
    axis = Axis(cells.title, *levels_of(cells, look))
    colours = colour_table(cells.colour_map)[:NO_VALUE]
    return bar_beside(area, axis, cells.unit, colours, look, badge=panel.badge)


def bar_beside(
    area: Rectangle,
    axis: Axis,
    unit: str,
    colours: npt.NDArray[np.uint8],
    look: Look,
    *,
    badge: str = "",
) -> Bar:
    """Return a colour bar to the right of an area; without a colour only its room.

    What a pixel stands for, as the `badge` says, stands with the title if there is room.
    """
    size = look.size
    left = area.left + area.width + _BESIDE * size
    strip = Rectangle(left, area.top, _STRIP * size, area.height)
    ticks = ticks_of(axis, area.height, look, upright=True, unit=unit)
    title = look.title_lines(ticks.titles, badge, area.height)
    numbers = max(look.widest(ticks.texts), look.width(_USUAL))
    room = (_BESIDE + _STRIP + TICK + GAP) * size + numbers
    if title:
        room += (GAP + LINE * len(title)) * size
    return Bar(axis, strip, ticks, title, room, colours)


def draw_bar(bar: Bar, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a colour bar whose colours are known."""
    if not len(bar.colours):
        return
    size, colour = look.size, look.colours.text
    _, top, _, height = bar.strip
    right, bottom = bar.strip.left + bar.strip.width, top + height
    yield Image(bar.colours[::-1, None], bar.strip)
    yield border(bar.strip, look.colours.muted)
    beside = right + (TICK + GAP) * size
    for value, text in zip(bar.ticks.places, bar.ticks.texts, strict=True):
        y = bottom - (value - bar.axis.low) / bar.axis.length * height
        ends = np.array([(right, y), (right + TICK * size, y)])
        yield Line(ends, look.colours.muted, RULE, rule=True)
        yield Text(text, beside, y + BASE * size, size, colour)
    first = beside + look.widest(bar.ticks.texts) + (GAP + LINE - DESCENT) * size
    for number, line in enumerate(bar.title):
        x = first + number * LINE * size
        yield Text(line, x, top + height / 2, size, colour, "middle", upward=True)
