"""One panel of a figure: the layout of its axes, and its items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import Bar, bar_of, draw_bar, draw_bar_title
from pe_explorer.figures._data import Inside, draw_data
from pe_explorer.figures._legend import PlacedLegend, draw_legend, legend_inside
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE, OVER, TICK, Look
from pe_explorer.figures._ticks import Ticks, draw_numbers, ticks_of
from pe_explorer.figures.overrides import X, Y, hideable
from pe_explorer.figures.page import Item, PagePart, PageText, Polyline, Source
from pe_explorer.pictures.figure import Panel, Rectangle

_ROUNDS = 5  # maximum iterations, because the tick labels of one axis change the space of the other
_LEAST_WIDTH, _LEAST_HEIGHT = 4.0, 3.0  # minimum sides of a legible area, in font sizes
_OUTSIDE = 0.2  # part of a tick label that may extend beyond an area, in font sizes
_NARROW = 18.0  # width in font sizes below which two equal axes share a long title


class Margins(NamedTuple):
    """Margins around an area, in points."""

    left: float
    top: float
    right: float
    bottom: float


NO_MARGINS = Margins(0.0, 0.0, 0.0, 0.0)


class PlacedPanel(NamedTuple):
    """A panel with the places of its axes and of the items around the axes, in points.

    `around` is the space that those items reserve on the page; `legend` is None unless it is inside
    the panel.
    """

    panel: Panel
    area: Rectangle
    around: Margins
    left: Ticks
    bottom: Ticks
    left_title: list[str]
    bottom_title: list[str]
    bar: Bar | None
    legend: PlacedLegend | None = None

    @property
    def outer(self) -> Rectangle:
        """The area including its margins."""
        left = self.area.left - self.around.left
        top = self.area.top - self.around.top
        width = self.area.right + self.around.right - left
        height = self.area.bottom + self.around.bottom - top
        return Rectangle(left, top, width, height)

    @property
    def axes(self) -> Axes:
        """The axes with their place on the page."""
        return Axes(self.panel, self.area)

    @property
    def without_numbers(self) -> PlacedPanel:
        """A copy whose axes have titles but no tick labels."""
        left = self.left._replace(places=(), texts=())
        bottom = self.bottom._replace(places=(), texts=())
        return self._replace(left=left, bottom=bottom)

    def with_data(self, panel: Panel, look: Look, *, has_names: bool) -> PlacedPanel:
        """Return a copy with the data of a panel that has the same layout.

        The data determine the tick labels, the badge, and the place of the legend. `has_names` is
        True if the names of curves are inside the panel.
        """
        if panel.y.down != self.panel.y.down:
            panel = panel._replace(y=replace(panel.y, down=self.panel.y.down))
        left = self.left.like(ticks_of(panel.y, self.area.height, look, upright=True))
        bottom = self.bottom.like(ticks_of(panel.x, self.area.width, look, upright=False))
        title, bar = self.left_title, self.bar
        if panel.y.origin is None:
            title = left.retitled(title, panel.badge, self.area.height, look)
        if bar:
            bar = bar.with_data(panel, look.of_bars)
        updated = self._replace(panel=panel, left=left, bottom=bottom, left_title=title, bar=bar)
        if not (has_names and panel.legend) or look.style.legend == "none":
            return updated
        return updated._replace(legend=legend_inside(updated.axes, look))

    def room_factor(self, look: Look) -> float:
        """Return the size of the area relative to the smallest legible size.

        The result is 0 if a title that states the origin of the tick labels does not fit.
        """
        lower, left = look.widest(self.bottom_title), look.widest(self.left_title)
        if lower > self.outer.width or left > self.area.height:
            return 0.0
        width = self.area.width / (_LEAST_WIDTH * look.size)
        height = self.area.height / (_LEAST_HEIGHT * look.size)
        if self.panel.upper:  # this panel represents two panels
            height /= 2
        return min(width, height)

    def needed_above(self, look: Look) -> float:
        """Return the height needed above the area."""
        return self.bar.room if self.bar and self.bar.horizontal else OVER * look.size

    @property
    def is_named(self) -> bool:
        """Whether the y axis has a title or needs none."""
        is_wanted = any(self.left.titles) and not self.left.counted
        return bool(self.left_title) or not is_wanted

    @property
    def is_named_below(self) -> bool:
        """Whether the x axis has a title, or another panel has the title for both."""
        is_shared = bool(self.bottom.places) and not any(self.bottom.texts)
        return bool(self.bottom_title) or is_shared or not self.panel.x.title

    @property
    def bar_above(self) -> bool:
        """Whether the colour bar is above the area, not beside it."""
        return self.bar is not None and self.bar.horizontal


def least_width(look: Look) -> float:
    return look.size * _LEAST_WIDTH


def least_height(panel: Panel, look: Look) -> float:
    return look.size * (_LEAST_WIDTH if is_square(panel) else _LEAST_HEIGHT)


def is_square(panel: Panel) -> bool:
    """Return whether both axes have the same quantity or the same unit."""
    counts = panel.y.origin is not None and panel.y.counts_like(panel.x)
    return counts or panel.trail is not None


def placed(
    panel: Panel,
    room: Rectangle,
    look: Look,
    *,
    least: Margins = NO_MARGINS,
    corner: bool = False,
    bar_above: bool = False,
    numbered: bool = True,
) -> PlacedPanel:
    """Place a panel with the ticks and titles of its axes, with margins of at least `least`.

    A square panel is centred, or in the lower left `corner` if there are panels beside it. If
    `numbered` is False, the panel shares the x axis of another panel, which has the tick labels and
    the title.
    """
    if look.style.upward and panel.y.down:
        panel = panel._replace(y=replace(panel.y, down=False))

    def with_titles(look: Look) -> PlacedPanel:
        """Place the panel with the longest titles that fit, until its margins converge."""
        is_square_panel = is_square(panel)
        brief = is_square_panel and room.width < _NARROW * look.size
        margins = least
        for _ in range(_ROUNDS):
            area = _without(room, margins)
            if is_square_panel:
                area = _square(area, corner=corner)
            result = _around(panel, area, margins, look, brief=brief, bar_above=bar_above)
            if not numbered:
                texts = ("",) * len(result.bottom.places)
                result = result._replace(
                    bottom=result.bottom._replace(texts=texts), bottom_title=[]
                )
            margins = Margins(*map(max, margins, _needed_margins(result, look)))
            if margins == result.around:
                break
        return result

    result = with_titles(look)
    is_long = not look.omits("long titles")
    if is_long and not result.is_named:  # a long title with many lines can use up all the space
        brief_result = with_titles(look.without("long titles"))
        result = brief_result if brief_result.is_named else result
    return result


def _square(area: Rectangle, *, corner: bool) -> Rectangle:
    side = min(area.width, area.height)
    left, top = area.left, area.bottom - side
    if not corner:
        left += (area.width - side) / 2
        top -= (area.height - side) / 2
    return Rectangle(left, top, side, side)


def _around(
    panel: Panel, area: Rectangle, margins: Margins, look: Look, *, brief: bool, bar_above: bool
) -> PlacedPanel:
    left = ticks_of(panel.y, area.height, look, upright=True)
    bottom = ticks_of(panel.x, area.width, look, upright=False)
    badge = panel.badge if panel.y.origin is None else ""
    left_title = left.title_lines(look, area.height, badge)
    if brief and left.counted:
        left_title = []
    bottom_title = bottom.title_lines(look, margins.left + area.width + margins.right)
    bar = bar_of(panel, area, look, horizontal=bar_above)
    return PlacedPanel(panel, area, margins, left, bottom, left_title, bottom_title, bar)


def _without(room: Rectangle, margins: Margins) -> Rectangle:
    left = room.left + margins.left
    top = room.top + margins.top
    width = max(1.0, room.right - margins.right - left)
    height = max(1.0, room.bottom - margins.bottom - top)
    return Rectangle(left, top, width, height)


def _needed_margins(panel: PlacedPanel, look: Look) -> Margins:
    size, bar = look.size, panel.bar
    left = (TICK + GAP) * size + panel.left.room
    left += _title_room(panel.left_title, look)
    overhang = max(0.0, panel.bottom.room / 2 - _OUTSIDE * size)  # half a tick label overhangs
    left = max(left, overhang)
    texts = panel.bottom.texts
    below = GAP + ASCENT + DESCENT if any(texts) or not texts else OVER
    bottom = (TICK + below) * size
    bottom += _title_room(panel.bottom_title, look)
    top = OVER * size
    right = overhang
    if bar and bar.horizontal:
        top = bar.room
        right = max(right, bar.ticks.room / 2)
        left = max(left, bar.ticks.room / 2)
    elif bar:
        right = bar.room
    return Margins(left, top, right, bottom)


def _title_room(lines: list[str], look: Look) -> float:
    return (GAP + LINE * len(lines)) * look.size if lines else 0.0


# -- drawing -------------------------------------------------------------------------------------


def draw_inside(place: PlacedPanel, look: Look) -> Inside:
    """Return the layers of a panel: titles and grid below the data, frame and legend above it."""
    grid = _grid(place, look) if look.style.grid else []
    legend = place.legend.place if place.legend else None
    inside = draw_data(place.axes, look, grid, legend)
    background = (*draw_titles(place, look), *inside.below)
    foreground = [*inside.above, look.border(place.area, look.colours.muted)]
    if place.legend:
        foreground += draw_legend(place.legend, look)
    return inside._replace(below=background, above=tuple(foreground))


def draw_around(place: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield the items around the area of a panel, except for its titles."""
    places_across = list(map(place.axes.across, place.bottom.places))
    yield from draw_numbers(place.bottom, places_across, place.area.bottom, look, "below")
    places_down = list(map(place.axes.down, place.left.places))
    yield from draw_numbers(place.left, places_down, place.area.left, look, "left")
    if place.bar:
        yield from draw_bar(place.bar, look)


def _grid(place: PlacedPanel, look: Look) -> list[Polyline]:
    area = place.area
    upright = map(place.axes.across, place.bottom.places)
    horizontal = map(place.axes.down, place.left.places)
    ends = [[(x, area.top), (x, area.bottom)] for x in upright]
    ends += [[(area.left, y), (area.right, y)] for y in horizontal]
    colour, width = look.colours.line, look.rule_width / 2
    return [Polyline(np.array(pair), colour, width) for pair in ends]


def draw_titles(place: PlacedPanel, look: Look) -> Iterator[PageText]:
    """Yield the titles of the axes of a panel and of its colour bar."""
    size = look.size
    half, (middle, upright_middle) = look.widest(place.bottom_title) / 2, place.area.middle
    middle = max(place.outer.left + half, min(middle, place.outer.right - half))
    base = place.area.bottom
    base += (TICK + GAP + ASCENT + DESCENT + GAP + ASCENT) * size
    for line in place.bottom_title:
        yield look.text(line, middle, base, "middle")
        base += LINE * size
    base = place.area.left - place.left.room
    base -= (TICK + GAP + GAP + DESCENT) * size
    for line in reversed(place.left_title):
        yield look.upward(line, base, upright_middle)
        base -= LINE * size
    if place.bar:
        yield from draw_bar_title(place.bar, look)


def parts_of(place: PlacedPanel, figure: int) -> Iterator[PagePart]:
    """Yield the parts of a panel that can be edited, the uppermost first."""
    panel, area, outer = place.panel, place.area, place.outer
    owner = figure, panel.name
    if place.bar:
        yield PagePart("bar", place.bar.source, place.bar.place_at(area), *owner)
    lower = outer._replace(top=area.bottom, height=outer.bottom - area.bottom)
    yield PagePart("x", Source(f"{panel.name} {X}", panel.x.title), lower, *owner)
    left = Rectangle(outer.left, area.top, area.left - outer.left, area.height)
    yield PagePart("y", Source(f"{panel.name} {Y}", panel.y.title), left, *owner)
    yield PagePart("panel", Source("", ""), area, *owner, words=hideable(panel))
