"""One panel of a figure: the room that its axes take, and all that is drawn of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.figures._axes import Axes
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
    TICK,
    Look,
)
from pe_explorer.figures._ticks import Ticks, ticks_of
from pe_explorer.figures.page import Item, Line
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
_NARROW = 18.0  # a room, in font sizes, where equal axes share a title that is long


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
    def outer(self) -> Rectangle:
        """What it takes of the page with all that stands around it."""
        left = self.area.left - self.around.left
        top = self.area.top - self.around.top
        width = self.area.right + self.around.right - left
        height = self.area.bottom + self.around.bottom - top
        return Rectangle(left, top, width, height)

    @property
    def axes(self) -> Axes:
        """Where its numbers lie on the page."""
        return Axes(self.panel, self.area)

    @property
    def bar_above(self) -> bool:
        """Whether there is a colour bar above the area, not beside it."""
        return self.bar is not None and self.bar.level


def is_square(panel: Panel) -> bool:
    """Return whether both axes count the same."""
    if panel.y.origin is None:
        return False
    return replace(panel.y, down=False) == panel.x


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
    square = is_square(panel)
    brief = square and room.width < _NARROW * look.size
    taken = least
    for _ in range(_ROUNDS):
        area = _without(room, taken)
        if square:
            area = _square(area, corner=corner)
        found = _around(panel, area, look, brief=brief, bar_above=bar_above)
        found = found._replace(around=taken)
        needed = _needed(found, look)
        taken = Margins(*map(max, taken, needed))
        if taken == found.around:
            break
    if legend and panel.legend:
        found = found._replace(legend=legend_inside(found.axes, look))
    return found


def _square(area: Rectangle, *, corner: bool) -> Rectangle:
    """Return the largest square in an area: in its lower left corner, or in the middle."""
    side = min(area.width, area.height)
    left, top = area.left, area.bottom - side
    if not corner:
        left += (area.width - side) / 2
        top -= (area.height - side) / 2
    return Rectangle(left, top, side, side)


def _around(
    panel: Panel, area: Rectangle, look: Look, *, brief: bool, bar_above: bool
) -> PlacedPanel:
    """Return what stands around an area; if `brief`, a title with an origin is only below."""
    left = ticks_of(panel.y, area.height, look, upright=True)
    bottom = ticks_of(panel.x, area.width, look, upright=False)
    badge = panel.badge if panel.curves else ""
    left_title = look.title_lines(left.titles, badge, area.height)
    if brief and len(left.titles) > 1:
        left_title = []
    bottom_title = look.fitting_lines(bottom.titles, area.width)
    bar = bar_of(panel, area, look, level=bar_above)
    return PlacedPanel(panel, area, NO_MARGINS, left, bottom, left_title, bottom_title, bar)


def _without(room: Rectangle, taken: Margins) -> Rectangle:
    """Return what is left of a room for the area itself."""
    left = room.left + taken.left
    top = room.top + taken.top
    width = max(_LEAST, room.right - taken.right - left)
    height = max(_LEAST, room.bottom - taken.bottom - top)
    return Rectangle(left, top, width, height)


def _needed(found: PlacedPanel, look: Look) -> Margins:
    """Return how much stands around an area."""
    size, bar = look.size, found.bar
    left = (TICK + GAP) * size
    left += look.widest(found.left.texts)
    left += _title_room(found.left_title, look)
    bottom = (TICK + GAP + ASCENT + DESCENT) * size
    bottom += _title_room(found.bottom_title, look)
    top = OVER * size
    right = found.bottom.overhang(found.area, look)
    if bar and bar.level:
        top = bar.room
        right = max(right, bar.ticks.overhang(found.area, look))
    elif bar:
        right = bar.room
    return Margins(left, top, right, bottom)


def _title_room(lines: list[str], look: Look) -> float:
    if not lines:
        return 0.0
    count = min(len(lines), _MOST_LINES)
    return (GAP + LINE * count) * look.size


# -- drawing -------------------------------------------------------------------------------------


def draw(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a panel."""
    grid = _grid(place, look) if look.style.grid else []
    yield from draw_data(place.axes, look, grid)
    yield look.border(place.area, look.colours.muted)
    yield from _bottom(place, look)
    yield from _left(place, look)
    if place.bar:
        yield from draw_bar(place.bar, look)
    if place.legend:
        yield from draw_legend(place.legend, look)


def _grid(place: PlacedPanel, look: Look) -> list[Line]:
    """Return faint lines at all ticks."""
    area = place.area
    upright = map(place.axes.across, place.bottom.places)
    level = map(place.axes.down, place.left.places)
    ends = [[(x, area.top), (x, area.bottom)] for x in upright]
    ends += [[(area.left, y), (area.right, y)] for y in level]
    colour, width = look.colours.line, look.rule_width / 2
    return [Line(np.array(pair), colour, width) for pair in ends]


def _bottom(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield ticks, numbers and title below an area."""
    size, edge = look.size, place.area.bottom
    tick = edge + TICK * size
    base = tick + (GAP + ASCENT) * size
    for number, text in place.bottom.numbers:
        x = place.axes.across(number)
        yield look.rule((x, edge), (x, tick))
        yield look.text(text, x, base, "middle")
    middle, _ = place.area.middle
    base += (DESCENT + GAP + ASCENT) * size
    for line in place.bottom_title:
        yield look.text(line, middle, base, "middle")
        base += LINE * size


def _left(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield ticks, numbers and title to the left of an area."""
    size, edge = look.size, place.area.left
    tick = edge - TICK * size
    end = tick - GAP * size
    for number, text in place.left.numbers:
        y = place.axes.down(number)
        yield look.rule((tick, y), (edge, y))
        yield look.text(text, end, y + BASE * size, "end")
    _, middle = place.area.middle
    base = end - look.widest(place.left.texts)
    base -= (GAP + DESCENT) * size
    for line in reversed(place.left_title):
        yield look.upward(line, base, middle)
        base -= LINE * size
