"""One panel of a figure: the room that its axes take, and all that is drawn of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.figures._bar import Bar, bar_of, draw_bar
from pe_explorer.figures._data import draw_data
from pe_explorer.figures._legend import Legend, draw_legend, legend_below, legend_inside
from pe_explorer.figures._look import ASCENT, BASE, DESCENT, GAP, LINE, RULE, TICK, Look, border
from pe_explorer.figures._ticks import Ticks, ticks_of
from pe_explorer.figures.page import Item, Line, Text
from pe_explorer.pictures.figure import Panel, Rectangle

__all__ = ["PlacedPanel", "draw", "is_square", "margins", "placed"]

_OVER = 0.5  # what of a number reaches beyond the end of an upright axis, in font sizes
_ROUNDS = 3  # the numbers of one axis decide the room of the other
_LEAST = 10.0  # of an area, in points


class PlacedPanel(NamedTuple):
    """A panel with the place of its axes and of what stands around them, in points.

    `right` is what stands to the right of the area, and `legend` is None where there is none.
    """

    panel: Panel
    area: Rectangle
    left: Ticks
    bottom: Ticks
    left_title: list[str]
    bottom_title: list[str]
    bar: Bar | None
    right: float
    legend: Legend | None


def is_square(panel: Panel) -> bool:
    """Return whether both axes count the same."""
    return panel.y.origin is not None and replace(panel.y, down=False) == panel.x


def placed(panel: Panel, room: Rectangle, look: Look, *, low: bool = False) -> PlacedPanel:
    """Return a panel so that it fills a room with its numbers and titles.

    A square one is in the middle of the room, or `low` in it, where others stand beside it.
    """
    if look.style.upward and panel.y.down:
        panel = panel._replace(y=replace(panel.y, down=False))
    area, inside = room, look.style.legend in ("auto", "inside")
    found = _around(panel, area, room, look, inside=inside)
    for _ in range(_ROUNDS):
        area = _shrunk(room, found, look)
        if is_square(panel):
            area = _square(area, low=low)
        found = _around(panel, area, room, look, inside=inside)
        inside = inside and (found.legend is None or found.legend.framed)
    return found


def _square(area: Rectangle, *, low: bool) -> Rectangle:
    """Return the largest square in an area."""
    side = min(area.width, area.height)
    across, down = area.width - side, area.height - side
    return Rectangle(area.left + across / 2, area.top + (down if low else down / 2), side, side)


def _around(
    panel: Panel, area: Rectangle, room: Rectangle, look: Look, *, inside: bool
) -> PlacedPanel:
    """Return what stands around an area, and in it; the legend below if it is not `inside`."""
    left = ticks_of(panel.y, area.height, look, upright=True)
    bottom = ticks_of(panel.x, area.width, look, upright=False)
    left_title = look.fitting_lines(left.titles, area.height)
    bottom_title = look.fitting_lines(bottom.titles, area.width)
    bar = bar_of(panel, area, look)
    right = bar.room if bar else _overhang(panel, bottom, area, look)
    legend = None
    if panel.legend and look.style.legend != "none":
        if inside:
            forced = look.style.legend == "inside"
            legend = legend_inside(panel, area, look, forced=forced)
        if legend is None:
            top = area.top + area.height + _below(bottom_title, look) + GAP * look.size
            legend = legend_below(panel, room.left, top, room.width, look)
    return PlacedPanel(panel, area, left, bottom, left_title, bottom_title, bar, right, legend)


def _shrunk(room: Rectangle, found: PlacedPanel, look: Look) -> Rectangle:
    """Return what is left of a room for the area itself."""
    left, top, right, bottom = margins(found, look)
    width = max(_LEAST, room.width - left - right)
    height = max(_LEAST, room.height - top - bottom)
    return Rectangle(room.left + left, room.top + top, width, height)


def margins(found: PlacedPanel, look: Look) -> tuple[float, float, float, float]:
    """Return how much stands to the left of an area, above, to the right and below."""
    left = (TICK + GAP) * look.size + look.widest(found.left.texts)
    left += _title_room(found.left_title, look)
    bottom = _below(found.bottom_title, look)
    if found.legend and not found.legend.framed:
        bottom += GAP * look.size + found.legend.place.height
    return left, _OVER * look.size, found.right, bottom


def _below(title: list[str], look: Look) -> float:
    """Return how high numbers and title below an area are."""
    return (TICK + GAP + ASCENT + DESCENT) * look.size + _title_room(title, look)


def _title_room(lines: list[str], look: Look) -> float:
    return (GAP + LINE * len(lines)) * look.size if lines else 0.0


def _overhang(panel: Panel, bottom: Ticks, area: Rectangle, look: Look) -> float:
    """Return how far the last number below an area reaches beyond its right edge."""
    if not bottom.places:
        return 0.0
    part = (bottom.places[-1] - panel.x.low) / panel.x.length
    return max(0.0, look.width(bottom.texts[-1]) / 2 - (1.0 - part) * area.width)


# -- drawing -------------------------------------------------------------------------------------


def draw(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a panel."""
    yield from draw_data(place.panel, place.area, look, _grid(place, look))
    yield border(place.area, look.colours.muted)
    yield from _bottom(place, look)
    yield from _left(place, look)
    if place.bar:
        yield from draw_bar(place.bar, look)
    if place.legend:
        yield from draw_legend(place.legend, look)


def _across(place: PlacedPanel) -> list[float]:
    x, area = place.panel.x, place.area
    return [area.left + (tick - x.low) / x.length * area.width for tick in place.bottom.places]


def _down(place: PlacedPanel) -> list[float]:
    y, area = place.panel.y, place.area
    parts = [(tick - y.low) / y.length for tick in place.left.places]
    return [area.top + area.height * (part if y.down else 1.0 - part) for part in parts]


def _grid(place: PlacedPanel, look: Look) -> list[Line]:
    """Return faint lines at all ticks, if they are wanted."""
    if not look.style.grid:
        return []
    left, top, width, height = place.area
    ends = [[(x, top), (x, top + height)] for x in _across(place)]
    ends += [[(left, y), (left + width, y)] for y in _down(place)]
    return [Line(np.array(pair), look.colours.line, RULE / 2) for pair in ends]


def _bottom(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield ticks, numbers and title below an area."""
    area, size, colour = place.area, look.size, look.colours.text
    edge = area.top + area.height
    base = edge + (TICK + GAP + ASCENT) * size
    for x, text in zip(_across(place), place.bottom.texts, strict=True):
        ends = np.array([(x, edge), (x, edge + TICK * size)])
        yield Line(ends, look.colours.muted, RULE)
        yield Text(text, x, base, size, colour, "middle")
    base += (DESCENT + GAP + ASCENT) * size
    for number, line in enumerate(place.bottom_title):
        y = base + number * LINE * size
        yield Text(line, area.left + area.width / 2, y, size, colour, "middle")


def _left(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield ticks, numbers and title to the left of an area."""
    area, size, colour = place.area, look.size, look.colours.text
    right = area.left - (TICK + GAP) * size
    for y, text in zip(_down(place), place.left.texts, strict=True):
        ends = np.array([(area.left - TICK * size, y), (area.left, y)])
        yield Line(ends, look.colours.muted, RULE)
        yield Text(text, right, y + BASE * size, size, colour, "end")
    last = right - look.widest(place.left.texts) - (GAP + DESCENT) * size
    lines = len(place.left_title)
    for number, line in enumerate(place.left_title):
        x = last - (lines - 1 - number) * LINE * size
        middle = area.top + area.height / 2
        yield Text(line, x, middle, size, colour, "middle", upward=True)
