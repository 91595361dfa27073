"""One panel of a figure: the layout of its axes, and its items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import Bar, draw_bar, draw_bar_title, make_bar
from pe_explorer.figures._data import InnerItems, draw_data, find_cursor_places, intersect
from pe_explorer.figures._legend import PlacedLegend, draw_legend, place_legend_inside
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE_HEIGHT, OVERHANG, TICK_LENGTH, Look
from pe_explorer.figures._ticks import Ticks, compute_ticks, draw_ticks
from pe_explorer.figures.overrides import X, Y, list_hideable_parts
from pe_explorer.figures.page import Item, PagePart, PageText, Polyline, Source
from pe_explorer.pictures.figure import Panel, PanelPoint, Rectangle

_MAX_ITERATIONS = (
    5  # maximum number of iterations; one is not enough, because axes shorten each other
)
_MIN_WIDTH, _MIN_HEIGHT = 4.0, 3.0  # minimum sides of a legible area, in font sizes
_MAX_OVERHANG = 0.2  # maximum width of a tick label beyond the end of the area, in font sizes
_TWO_TITLE_WIDTH = 18.0  # width below which axes of the same quantity share a title, in font sizes


class Margins(NamedTuple):
    """Margins around an area, in points."""

    left: float
    top: float
    right: float
    bottom: float


NO_MARGINS = Margins(0.0, 0.0, 0.0, 0.0)


class PlacedPanel(NamedTuple):
    """A panel with the positions of its axes and of the items around the axes, in points."""

    panel: Panel
    area: Rectangle
    margins: Margins  # margins for the items around the axes
    left: Ticks
    bottom: Ticks
    left_title: list[str]
    bottom_title: list[str]
    bar: Bar | None
    legend: PlacedLegend | None = None  # legend inside the panel, if any

    @property
    def outer_rectangle(self) -> Rectangle:
        """The area including its margins."""
        area, around = self.area, self.margins
        left, top = area.left - around.left, area.top - around.top
        width, height = area.right + around.right - left, area.bottom + around.bottom - top
        return Rectangle(left, top, width, height)

    @property
    def axes(self) -> Axes:
        """The axes with their position on the page."""
        return Axes(self.panel, self.area)

    @property
    def without_ticks(self) -> PlacedPanel:
        """A copy whose axes have titles but no ticks."""
        left, bottom = (axis._replace(places=(), texts=()) for axis in (self.left, self.bottom))
        return self._replace(left=left, bottom=bottom)

    def with_data(self, panel: Panel, look: Look, *, has_names: bool) -> PlacedPanel:
        """Return a copy with the data of a panel that has the same layout.

        The data determine the tick labels, the badge, and the position of the legend.
        `has_names` is True if the legend is inside the panel.
        """
        if panel.y.is_downward != self.panel.y.is_downward:
            panel = panel._replace(y=replace(panel.y, is_downward=self.panel.y.is_downward))
        area, title, bar = self.area, self.left_title, self.bar
        left = self.left.restrict(compute_ticks(panel.y, area.height, look, is_vertical=True))
        bottom = self.bottom.restrict(compute_ticks(panel.x, area.width, look, is_vertical=False))
        if panel.y.origin is None:
            title = left.replace_badge(title, panel.badge, area.height, look)
        if bar:
            bar = bar.with_data(panel, look.bar_look)
        result = self._replace(panel=panel, left=left, bottom=bottom, left_title=title, bar=bar)
        if not (has_names and panel.legend) or look.style.legend == "none":
            return result
        return result._replace(legend=place_legend_inside(result.axes, look))

    def room_factor(self, look: Look) -> float:
        """Return the size of the area relative to the smallest legible size.

        Return 0 if the tick labels are relative to an origin and the title with the origin does
        not fit.
        """
        bottom, left = look.max_width(self.bottom_title), look.max_width(self.left_title)
        if bottom > self.outer_rectangle.width or left > self.area.height:
            return 0.0
        width = self.area.width / (_MIN_WIDTH * look.size)
        height = self.area.height / (_MIN_HEIGHT * look.size)
        if self.panel.is_above_next_panel:  # the panel represents two stacked panels
            height /= 2
        return min(width, height)

    def find_cursor_places(
        self, cursor: PanelPoint, look: Look
    ) -> tuple[Rectangle | None, Rectangle | None]:
        """Return the visible parts of the lines or the frame of a cursor."""
        first, second = find_cursor_places(self.axes, cursor, look)
        return first and intersect(first, self.area), second and intersect(second, self.area)

    def compute_top_margin(self, look: Look) -> float:
        """Return the height needed above the area."""
        return self.bar.space if self.bar and self.bar.is_horizontal else OVERHANG * look.size

    @property
    def has_y_title(self) -> bool:
        """Whether the y axis has a title or needs none."""
        needs_title = any(self.left.titles) and not self.left.origin_titles
        return bool(self.left_title) or not needs_title

    @property
    def has_x_title(self) -> bool:
        """Whether the x axis has a title, or needs no title because another panel shows it."""
        is_title_shared = bool(self.bottom.places) and not any(self.bottom.texts)
        return bool(self.bottom_title) or is_title_shared or not self.panel.x.title

    @property
    def has_bar_above(self) -> bool:
        """Whether the colour bar is above the area instead of beside the area."""
        return self.bar is not None and self.bar.is_horizontal


def min_width(look: Look) -> float:
    """Return the minimum width of a legible area."""
    return look.size * _MIN_WIDTH


def compute_min_height(panel: Panel, look: Look) -> float:
    """Return the minimum height of a legible area."""
    return look.size * (_MIN_WIDTH if is_square(panel) else _MIN_HEIGHT)


def is_square(panel: Panel) -> bool:
    """Return whether a panel must be square, because its axes have the same quantity or unit."""
    has_equal_axes = panel.y.origin is not None and panel.y.has_same_values(panel.x)
    return has_equal_axes or panel.trail is not None


def place_panel(
    panel: Panel,
    space: Rectangle,
    look: Look,
    *,
    margins: Margins = NO_MARGINS,
    is_in_corner: bool = False,
    has_bar_above: bool = False,
    has_x_labels: bool = True,
) -> PlacedPanel:
    """Place a panel and the ticks and titles of its axes, with margins of at least `margins`.

    A square panel is centred, unless `is_in_corner` places it in the lower left corner. If
    `has_x_labels` is False, the panel shares the x axis of another panel, which has the
    tick labels and the title.
    """
    if look.style.upward and panel.y.is_downward:
        panel = panel._replace(y=replace(panel.y, is_downward=False))

    def place_with_titles(look: Look) -> PlacedPanel:
        """Place the panel with the longest titles that fit; repeat until its margins converge."""
        needs_square = is_square(panel)
        has_one_title = needs_square and space.width < _TWO_TITLE_WIDTH * look.size
        around, badge = margins, panel.badge if panel.y.origin is None else ""
        for _ in range(_MAX_ITERATIONS):
            area = _compute_area(space, around)
            if needs_square:
                side = min(area.width, area.height)
                left, top = area.left, area.bottom - side
                if not is_in_corner:
                    left += (area.width - side) / 2
                    top -= (area.height - side) / 2
                area = Rectangle(left, top, side, side)
            y = compute_ticks(panel.y, area.height, look, is_vertical=True)
            x = compute_ticks(panel.x, area.width, look, is_vertical=False)
            y_title = y.fit_title(look, area.height, badge)
            if has_one_title and y.origin_titles:
                y_title = []
            x_title = x.fit_title(look, around.left + area.width + around.right)
            if not has_x_labels:
                x, x_title = x._replace(texts=("",) * len(x.places)), []
            bar = make_bar(panel, area, look, is_horizontal=has_bar_above)
            result = PlacedPanel(panel, area, around, y, x, y_title, x_title, bar)
            around = Margins(*map(max, around, _compute_min_margins(result, look)))
            if around == result.margins:
                break
        return result

    result = place_with_titles(look)
    if not (result.has_y_title or look.omits("long titles")):  # a long title can use up all space
        short_panel = place_with_titles(look.with_omission("long titles"))
        result = short_panel if short_panel.has_y_title else result
    return result


def _compute_area(space: Rectangle, margins: Margins) -> Rectangle:
    left, top = space.left + margins.left, space.top + margins.top
    width = max(1.0, space.right - margins.right - left)
    height = max(1.0, space.bottom - margins.bottom - top)
    return Rectangle(left, top, width, height)


def _compute_min_margins(panel: PlacedPanel, look: Look) -> Margins:
    """Return the margins for the tick labels, the titles and the colour bar."""
    size, bar = look.size, panel.bar
    left = (TICK_LENGTH + GAP) * size + panel.left.space
    left += _compute_title_height(panel.left_title, look)
    overhang = max(0.0, panel.bottom.space / 2 - _MAX_OVERHANG * size)
    left = max(left, overhang)
    texts = panel.bottom.texts
    label_height = GAP + ASCENT + DESCENT if any(texts) or not texts else OVERHANG
    bottom = (TICK_LENGTH + label_height) * size + _compute_title_height(panel.bottom_title, look)
    if bar is None:
        return Margins(left, OVERHANG * size, overhang, bottom)
    if not bar.is_horizontal:
        return Margins(left, OVERHANG * size, bar.space, bottom)
    half_width = bar.ticks.space / 2
    return Margins(max(left, half_width), bar.space, max(overhang, half_width), bottom)


def _compute_title_height(lines: list[str], look: Look) -> float:
    return (GAP + LINE_HEIGHT * len(lines)) * look.size if lines else 0.0


def draw_inside(placed_panel: PlacedPanel, look: Look) -> InnerItems:
    """Return the layers of a panel, from titles and grid at the back to frame and legend."""
    axes, area = placed_panel.axes, placed_panel.area
    grid = []
    if look.style.grid:
        lines = [*map(axes.make_vertical_line, placed_panel.bottom.places)]
        lines += map(axes.make_horizontal_line, placed_panel.left.places)
        grid = [Polyline(line, look.colours.line, look.rule_width / 2) for line in lines]
    inside = draw_data(axes, look, grid, placed_panel.legend.place if placed_panel.legend else None)
    background = (*draw_titles(placed_panel, look), *inside.background)
    foreground = [*inside.foreground, look.border(area, look.colours.muted)]
    if placed_panel.legend:
        foreground += draw_legend(placed_panel.legend, look)
    return inside._replace(background=background, foreground=tuple(foreground))


def draw_around(placed_panel: PlacedPanel, look: Look) -> Iterator[Item]:
    """Yield the items around the area of a panel, except for titles."""
    x = list(map(placed_panel.axes.to_page_x, placed_panel.bottom.places))
    yield from draw_ticks(placed_panel.bottom, x, placed_panel.area.bottom, look, "below")
    y = list(map(placed_panel.axes.to_page_y, placed_panel.left.places))
    yield from draw_ticks(placed_panel.left, y, placed_panel.area.left, look, "left")
    if placed_panel.bar:
        yield from draw_bar(placed_panel.bar, look)


def draw_titles(placed_panel: PlacedPanel, look: Look) -> Iterator[PageText]:
    """Yield the titles of a panel's axes and colour bar."""
    size = look.size
    half_width, (x, y) = look.max_width(placed_panel.bottom_title) / 2, placed_panel.area.centre
    x = max(
        placed_panel.outer_rectangle.left + half_width,
        min(x, placed_panel.outer_rectangle.right - half_width),
    )
    base = placed_panel.area.bottom + (TICK_LENGTH + GAP + ASCENT + DESCENT + GAP + ASCENT) * size
    for line in placed_panel.bottom_title:
        yield look.text(line, x, base, "middle")
        base += LINE_HEIGHT * size
    base = (
        placed_panel.area.left
        - placed_panel.left.space
        - (TICK_LENGTH + GAP + GAP + DESCENT) * size
    )
    for line in reversed(placed_panel.left_title):
        yield look.make_upward_text(line, base, y)
        base -= LINE_HEIGHT * size
    if placed_panel.bar:
        yield from draw_bar_title(placed_panel.bar, look)


def list_parts(placed_panel: PlacedPanel, figure: int) -> Iterator[PagePart]:
    """Yield the editable parts of a panel in stacking order, the uppermost first."""
    panel, area, outline = placed_panel.panel, placed_panel.area, placed_panel.outer_rectangle
    owner = figure, panel.name
    if placed_panel.bar:
        yield PagePart(
            "bar", placed_panel.bar.source, placed_panel.bar.outer_rectangle(area), *owner
        )
    bottom = outline._replace(top=area.bottom, height=outline.bottom - area.bottom)
    yield PagePart("x", Source(f"{panel.name} {X}", panel.x.title), bottom, *owner)
    left = Rectangle(outline.left, area.top, area.left - outline.left, area.height)
    yield PagePart("y", Source(f"{panel.name} {Y}", panel.y.title), left, *owner)
    yield PagePart("panel", Source("", ""), area, *owner, words=list_hideable_parts(panel))
