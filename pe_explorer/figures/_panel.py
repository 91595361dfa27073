"""One panel of a figure: the room that its axes take, and all that is drawn of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.figures._bar import Bar, bar_of, draw_bar
from pe_explorer.figures._data import draw_data
from pe_explorer.figures._legend import Legend, draw_legend, legend_inside
from pe_explorer.figures._look import (
    ASCENT,
    BASE,
    DESCENT,
    GAP,
    LINE,
    OVER,
    RULE,
    TICK,
    Look,
    border,
)
from pe_explorer.figures._ticks import Ticks, overhang, ticks_of
from pe_explorer.figures.page import Item, Line, Text
from pe_explorer.pictures.figure import Panel, Rectangle

__all__ = [
    "NO_MARGINS",
    "Margins",
    "PlacedPanel",
    "draw",
    "is_square",
    "placed",
]


_ROUNDS = 5  # the numbers of one axis decide the room of the other
_LEAST = 10.0  # of an area, in points
_MOST_LINES = 4  # of a title, or it and the area would take room from each other in turn
_NARROW = 18.0  # a room, in font sizes, where equal axes share one title


class Margins(NamedTuple):
    """How much is taken to the left of an area, above, to the right and below, in points."""

    left: float
    top: float
    right: float
    bottom: float


NO_MARGINS = Margins(0.0, 0.0, 0.0, 0.0)


class PlacedPanel(NamedTuple):
    """A panel with the place of its axes and of what stands around them, in points.

    `around` is how much of the page is kept for that; `legend` is None where none is inside.
    """

    panel: Panel
    area: Rectangle
    around: Margins
    left: Ticks
    bottom: Ticks
    left_title: list[str]
    bottom_title: list[str]
    bar: Bar | None
    legend: Legend | None = None

    @property
    def bar_above(self) -> bool:
        """Whether there is a colour bar above the area, not beside it."""
        return self.bar is not None and self.bar.level


def is_square(panel: Panel) -> bool:
    """Return whether both axes count the same."""
    return panel.y.origin is not None and replace(panel.y, down=False) == panel.x


def placed(
    panel: Panel,
    room: Rectangle,
    look: Look,
    *,
    least: Margins = NO_MARGINS,
    legend: bool = False,
    corner: bool = False,
    bar_above: bool = False,
) -> PlacedPanel:
    """Return a panel so that it fills a room with its numbers and titles, or what `least` leaves.

    A square one is in the middle of the room, or in the lower left `corner`, where others stand
    beside it. With `legend` there is one inside, if that covers nothing or is wanted so.
    """
    if look.style.upward and panel.y.down:
        panel = panel._replace(y=replace(panel.y, down=False))
    brief = is_square(panel) and room.width < _NARROW * look.size
    taken = least
    for _ in range(_ROUNDS):
        area = _without(room, taken)
        if is_square(panel):
            area = _square(area, corner=corner)
        found = _around(panel, area, look, brief=brief, bar_above=bar_above)
        found = found._replace(around=taken)
        taken = Margins(*map(max, taken, _needed(found, look)))
        if taken == found.around:
            break
    if legend and panel.legend:
        found = found._replace(legend=legend_inside(panel, found.area, look))
    return found


def _square(area: Rectangle, *, corner: bool) -> Rectangle:
    """Return the largest square in an area: in its lower left corner, or in the middle."""
    side = min(area.width, area.height)
    across, down = 0.0, area.height - side
    if not corner:
        across, down = (area.width - side) / 2, down / 2
    return Rectangle(area.left + across, area.top + down, side, side)


def _around(
    panel: Panel, area: Rectangle, look: Look, *, brief: bool, bar_above: bool
) -> PlacedPanel:
    """Return what stands around an area; if `brief`, the title below is that of both axes."""
    left = ticks_of(panel.y, area.height, look, upright=True)
    bottom = ticks_of(panel.x, area.width, look, upright=False)
    badge = panel.badge if panel.curves else ""
    left_title = [] if brief else look.title_lines(left.titles, badge, area.height)
    bottom_title = look.fitting_lines(bottom.titles, area.width)
    bar = bar_of(panel, area, look, level=bar_above)
    return PlacedPanel(panel, area, NO_MARGINS, left, bottom, left_title, bottom_title, bar)


def _without(room: Rectangle, taken: Margins) -> Rectangle:
    """Return what is left of a room for the area itself."""
    width = max(_LEAST, room.width - taken.left - taken.right)
    height = max(_LEAST, room.height - taken.top - taken.bottom)
    return Rectangle(room.left + taken.left, room.top + taken.top, width, height)


def _needed(found: PlacedPanel, look: Look) -> Margins:
    """Return how much stands around an area."""
    left = (TICK + GAP) * look.size + look.widest(found.left.texts)
    left += _title_room(found.left_title, look)
    bottom = (TICK + GAP + ASCENT + DESCENT) * look.size
    bottom += _title_room(found.bottom_title, look)
    top, right = OVER * look.size, overhang(found.panel.x, found.bottom, found.area, look)
    if found.bar_above and found.bar:
        top = found.bar.room
        right = max(right, overhang(found.bar.axis, found.bar.ticks, found.area, look))
    elif found.bar:
        right = found.bar.room
    return Margins(left, top, right, bottom)


def _title_room(lines: list[str], look: Look) -> float:
    if not lines:
        return 0.0
    return (GAP + LINE * min(len(lines), _MOST_LINES)) * look.size


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
        yield look.rule((x, edge), (x, edge + TICK * size))
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
        yield look.rule((area.left - TICK * size, y), (area.left, y))
        yield Text(text, right, y + BASE * size, size, colour, "end")
    last = right - look.widest(place.left.texts) - (GAP + DESCENT) * size
    lines = len(place.left_title)
    for number, line in enumerate(place.left_title):
        x = last - (lines - 1 - number) * LINE * size
        middle = area.top + area.height / 2
        yield Text(line, x, middle, size, colour, "middle", upward=True)
