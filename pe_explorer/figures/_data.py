"""Items inside the axes of a panel, such as cells, hatching, lines, curves and the cursor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.colours.maps import find_dark_colours
from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import make_colour_table, make_order_colours
from pe_explorer.figures._look import (
    ASCENT,
    BASELINE,
    DESCENT,
    GAP,
    LINE_HEIGHT,
    PIXEL_SIZE,
    Look,
    list_corners,
    make_rectangle,
)
from pe_explorer.figures.page import Circle, Dots, Item, PageImage, PageText, Polyline, Source
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.pictures.axis_numbers import WIDEST_NUMBER, format_cell_value
from pe_explorer.pictures.figure import Curve, LevelLine, PanelPoint, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE_INDEX
from pe_explorer.pictures.trail import Trail

_CELL_TEXT_SIZE = 0.8  # font size of values in cells, relative to the font size of the figure
_TRAIL_WIDTH = 0.6  # line width relative to other lines; small, so that points remain visible
_RING_GAP = 2.5  # gap between a point and the ring around it, in screen pixels
_EDGE_WIDTH = 0.5  # width of the edges of a band, relative to other lines
_DOT_RADIUS = 3.5  # in screen pixels
_MAX_COLUMNS_PER_POINT = 1200 / POINTS_PER_INCH  # maximum; finer columns look the same in print
_POINTS_PER_COLUMN = 4  # number of points of a thinned curve in each column
_MIN_THINNED_POINTS = 20_000  # curves with fewer points are never thinned
_HATCHING_GAP = 5.0  # distance between hatching lines along an edge, in points
_DASHES = (3.0, 2.0)
_MAX_CROSSED_LINES = 1  # maximum number of other lines between a line and the end of its label
_CURVE_STEPS = 64  # number of x coordinates across a label at which curves are evaluated
_CANDIDATE_COUNT = 17  # number of candidate positions for a name along its horizontal line
_SHORT_LABEL = re.compile(r"^.+(?=: )|(?<=^p = ).+$")  # such as "1" in "1: 12", "2.5" in "p = 2.5"

_Spans = Sequence[tuple[float, float]]
"""The top and bottom y coordinates of each curve within the width of a label, in points."""


def find_numbered_cell_size(axes: Axes, look: Look) -> tuple[float, float]:
    """Return the width and height of a cell, or zeros unless every value fits into its cell."""
    cells = axes.panel.cells
    if cells is None or not cells.has_numbers:
        return 0.0, 0.0
    rows, columns = cells.values.shape
    place = axes.to_page_rectangle(cells.place)
    width, height = place.width / columns, place.height / rows
    has_width = width >= look.width(f"{WIDEST_NUMBER} ") * _CELL_TEXT_SIZE
    has_height = height >= LINE_HEIGHT * _CELL_TEXT_SIZE * look.size
    return (width, height) if has_width and has_height else (0.0, 0.0)


def find_cursor_places(
    axes: Axes, cursor: PanelPoint, look: Look
) -> tuple[Rectangle | None, Rectangle | None]:
    """Return the vertical and the horizontal cursor line as rectangles without width or height.

    Where cells show their values, return the frame of a cell, a column or a row instead, because
    a line would cross the values.
    """
    (x, y), area = cursor, axes.area
    width, height = find_numbered_cell_size(axes, look)
    column = row = None
    if x is not None:
        column = Rectangle(axes.to_page_x(x) - width / 2, area.top, width, area.height)
    if y is not None:
        row = Rectangle(area.left, axes.to_page_y(y) - height / 2, area.width, height)
    return (intersect(column, row), None) if column and row and width else (column, row)


def draw_cell_numbers(axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the values of the cells as text, but only if every value fits into its cell."""
    cells, size = axes.panel.cells, _CELL_TEXT_SIZE * look.size
    width, height = find_numbered_cell_size(axes, look)
    if cells is None or not width:
        return
    place, rows = axes.to_page_rectangle(cells.place), len(cells.values)
    needs_white_text = find_dark_colours(cells.colour_map, NO_VALUE_INDEX)
    for (row, column), value in np.ndenumerate(cells.values):
        text, index = format_cell_value(value), cells.indices[row, column]
        x = place.left + (column + 0.5) * width
        page_row = row if axes.panel.y.is_downward else rows - 1 - row
        y = place.top + (page_row + 0.5) * height + BASELINE * size
        if not text or not axes.area.left < x < axes.area.right:
            continue
        colour = "#ffffff" if needs_white_text[index] else "#000000"
        yield look.text(text, x, y, "middle")._replace(colour=colour, size=size)


def draw_trail(trail: Trail | None, axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the lines and points of a trail.

    If the style shows the cursor, also yield a ring around the point at the cursor.
    """
    if trail is None or not trail.is_visible:
        return
    colours, pixel = make_order_colours(look), PIXEL_SIZE * look.size
    places = np.column_stack([axes.to_page_x(trail.x), axes.to_page_y(trail.y)])
    for shade, part in trail.parts(len(colours)):
        if len(places[part]) < 2:  # the last part can be a single point
            continue
        colour = f"#{colours[shade].tobytes().hex()}"
        yield Polyline(places[part], colour, _TRAIL_WIDTH * look.style.line_width, clip=axes.area)
    radius = trail.radius * pixel
    yield Dots(places, radius, colours[trail.shades(len(colours))])
    if look.style.cursor == "show" and trail.marked_index is not None:
        x, y = places[trail.marked_index].tolist()
        yield Circle(x, y, radius + _RING_GAP * pixel, look.colours.cursor, pixel)


class InnerItems(NamedTuple):
    """The items inside the axes of a panel, in three layers."""

    background: tuple[Item, ...]
    data: tuple[Item, ...]
    foreground: tuple[Item, ...]


def draw_data(
    axes: Axes, look: Look, grid: Sequence[Polyline], legend: Rectangle | None = None
) -> InnerItems:
    """Return the items inside the axes; names of straight lines do not overlap `legend`."""
    panel = axes.panel
    images = []
    if (cells := panel.cells) is not None:
        indices = cells.indices if panel.y.is_downward else cells.indices[::-1]
        place, colours = axes.to_page_rectangle(cells.place), make_colour_table(cells.colour_map)
        images.append(PageImage(indices, place, colours, axes.area))
    marks = (*_draw_areas(axes, look), *grid, *_draw_marks(axes, look, legend))
    foreground: list[Item] = []
    radius = _DOT_RADIUS * PIXEL_SIZE * look.size
    for dot in panel.dots:
        centre = axes.to_page_x(dot.x), axes.to_page_y(dot.y)
        foreground.append(Circle(*centre, radius, fill=look.shade(dot.colour)))
    foreground += draw_trail(panel.trail, axes, look)
    if look.style.cursor == "show":
        lines = [
            list_corners(place) for place in find_cursor_places(axes, panel.cursor, look) if place
        ]
        for colour, dashes in (("#ffffff", ()), ("#000000", _DASHES)):
            for line in lines:
                foreground.append(Polyline(line, colour, look.rule_width, dashes, axes.area))
    foreground += draw_cell_numbers(axes, look)
    if panel.curves or not images:
        return InnerItems((*images, *marks), tuple(_draw_curves(axes, look)), tuple(foreground))
    return InnerItems((), tuple(images), (*marks, *foreground))


def _draw_marks(axes: Axes, look: Look, legend: Rectangle | None) -> Iterator[Item]:
    panel, line_style = axes.panel, (look.colours.reference, look.rule_width, _DASHES)
    for mark in panel.marks:
        yield Polyline(axes.make_vertical_line(mark.x), *line_style, clip=axes.area)
    obstacles = [] if legend is None else [legend]
    for label in _make_labels(axes, look, obstacles):
        obstacles.append(label.box)
        yield label.text
    for level in panel.levels:
        yield Polyline(axes.make_horizontal_line(level.y), *line_style, clip=axes.area)
        if box := _make_name_box(level, axes, look, obstacles):
            obstacles.append(box)
            name = look.text(level.name, box.left, box.top + ASCENT * look.size)
            source = Source(level.original_name or level.name, level.name)
            yield name._replace(colour=look.colours.reference, source=source)


def _draw_curves(axes: Axes, look: Look) -> Iterator[Polyline]:
    """Yield the curves in reverse order, so that the first curve is in front."""
    for curve in reversed(axes.panel.curves):
        if not curve.is_visible:
            continue
        colour, width, dashes = look.shade(curve.colour), look.line_width(curve), look.dashes(curve)
        source = make_source(curve) if curve.legend_name else None
        if curve.band is None:
            line = to_points(curve, axes)
            yield Polyline(line, colour, width, dashes, axes.area, source=source)
            continue
        width *= _EDGE_WIDTH if curve.band.is_exact else 1.0
        for edge in curve.lines:
            points = np.column_stack([axes.to_page_x(curve.x), axes.to_page_y(edge)])
            yield Polyline(points, colour, width, dashes, axes.area, source=source)


def make_source(curve: Curve) -> Source:
    """Return the name of a curve, with the key under which a style can replace the name."""
    return Source(curve.original_name or curve.legend_name, curve.legend_name)


def _draw_areas(axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the areas behind the grid: shading, bands, areas below curves, and hatching."""
    panel = axes.panel
    for rectangle in panel.shaded_areas:
        place = intersect(axes.to_page_rectangle(rectangle), axes.area)
        if not place.is_empty:
            yield make_rectangle(place, look.colours.raised_background)
    for curve in reversed(panel.curves):
        if (band := curve.band) is None:
            continue
        heights = axes.to_page_y(band.high), axes.to_page_y(band.low)
        edges = np.column_stack([axes.to_page_x(curve.x), *heights])
        gaps = np.flatnonzero(np.diff(np.isfinite(edges).all(axis=1))) + 1
        for part in np.split(edges, gaps):
            if np.isfinite(part).all() and len(part) > 1:
                outline = np.concatenate([part[:, :2], part[::-1, ::2]])
                yield Polyline(outline, "", 0.0, clip=axes.area, fill=look.tint(curve.colour))
    if panel.bars:
        outline, colour = to_points(panel.curves[0].bar_outline, axes), panel.curves[0].colour
        yield Polyline(outline, "", 0.0, clip=axes.area, fill=look.area_fill(colour))
    for rectangle in panel.hatched_areas:
        place = intersect(axes.to_page_rectangle(rectangle), axes.area)
        if not place.is_empty:
            yield make_hatching(place, look)


def to_points(curve: Curve, axes: Axes) -> Floats:
    """Return the points of a curve on the page.

    In each narrow column of a curve with many points, only the first, lowest, highest and
    last point are included, because more points would be indistinguishable.
    """
    x, y = curve.outline
    x, y = axes.to_page_x(x), axes.to_page_y(np.where(np.isfinite(y), y, np.nan))
    columns = max(1, math.ceil(axes.area.width * _MAX_COLUMNS_PER_POINT))
    if len(x) <= max(_MIN_THINNED_POINTS, _POINTS_PER_COLUMN * columns):
        return np.column_stack([x, y])
    column = np.floor((x - axes.area.left) / axes.area.width * columns)
    starts = np.flatnonzero(np.diff(column, prepend=np.nan))
    ends = np.append(starts[1:] - 1, len(x) - 1)
    middle_x = (x[starts] + x[ends]) / 2
    minima, maxima = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    thinned_x = np.column_stack([x[starts], middle_x, middle_x, x[ends]])
    thinned_y = np.column_stack([y[starts], minima, maxima, y[ends]])
    return np.column_stack([thinned_x.ravel(), thinned_y.ravel()])


def find_free_boxes(
    level: LevelLine, axes: Axes, look: Look, obstacles: Sequence[Rectangle]
) -> list[Rectangle]:
    """Return rectangles that cover no text, for the name of a horizontal line, best first.

    The name is above its line, or below a line near the upper end of the axis. Rectangles on
    the other side of the line are added if the leftmost rectangle is occupied. Rectangles
    avoid the cursor if possible.
    """
    area, size, gap, width = axes.area, look.size, GAP * look.size, look.width(level.name)
    left_edges = np.linspace(area.left + gap, area.right - gap - width, _CANDIDATE_COUNT).tolist()
    if look.style.cursor == "show":
        # A view draws its cursor separately, so avoid the first column, where the cursor starts.
        x = axes.to_page_x(axes.panel.cursor[0] or 0.0)
        left_edges = [e for e in left_edges if not -gap <= x - e <= width + gap] or left_edges
    top_edges = [axes.to_page_y(level.y) - gap - ASCENT * size, axes.to_page_y(level.y) + gap]
    if level.is_high(axes.panel.y):
        top_edges.reverse()
    places: list[Rectangle] = []
    for number, top in enumerate(top_edges if level.name else ()):
        if places and places[0].left == left_edges[0]:
            break
        boxes = (Rectangle(left, top, width, (ASCENT + DESCENT) * size) for left in left_edges)
        boxes = (box for box in boxes if all(intersect(box, text).is_empty for text in obstacles))
        is_allowed = number == 0 or area.top <= top <= area.bottom - (ASCENT + DESCENT) * size
        places += boxes if is_allowed else ()
    return places


def _make_name_box(
    level: LevelLine, axes: Axes, look: Look, obstacles: Sequence[Rectangle]
) -> Rectangle | None:
    """Return the best rectangle for the name of a horizontal line.

    Other lines and curves cross the name only if this is unavoidable. Return None if no
    rectangle is free.
    """
    curves = [to_points(curve, axes) for curve in axes.panel.curves if curve.is_visible]
    top_edges = [axes.to_page_y(line.y) for line in axes.panel.levels if line is not level]
    lines = [axes.area._replace(top=top, height=look.rule_width) for top in top_edges]
    places = find_free_boxes(level, axes, look, [*obstacles, *lines])
    places = places or find_free_boxes(level, axes, look, obstacles)
    for box in places:
        text = box._replace(height=ASCENT * look.size)
        if not _is_crossed(text, _find_spans(curves, box.left, box.right)):
            return box
    return places[0] if places else None


def _make_labels(axes: Axes, look: Look, obstacles: list[Rectangle]) -> list[_Label]:
    """Return the labels of vertical lines.

    Short labels are used if more of them fit, or if they cover fewer lines.
    """
    candidates = [_place_labels(axes, look, obstacles, is_short) for is_short in (False, True)]

    def compute_penalty(labels: Sequence[_Label]) -> tuple[int, int]:
        return -len(labels), sum(label.crossing_count + label.is_over_curves for label in labels)

    return min(candidates, key=compute_penalty)


def _place_labels(axes: Axes, look: Look, texts: list[Rectangle], is_short: bool) -> list[_Label]:
    panel, obstacles = axes.panel, [*texts]
    if panel.cells is not None:
        obstacles.append(axes.to_page_rectangle(panel.cells.place))
    curves = [to_points(curve, axes) for curve in panel.curves if curve.is_visible]
    lines = [axes.to_page_x(mark.x) for mark in panel.marks]
    labels = []
    for line, mark in sorted(zip(lines, panel.marks, strict=True), reverse=True):
        text = mark.label
        if is_short and not mark.original_name and (match := _SHORT_LABEL.search(text)):
            text = match[0]
        sides = []
        for is_left in (False, True):
            if label := _place_side_label(line, text, axes.area, look, obstacles, curves, is_left):
                left, right = min(label.box.left, line), max(label.box.right, line)
                crossing_count = sum(left <= x <= right for x in lines if x != line)
                sides.append(label._replace(crossing_count=crossing_count))
        choice = min(
            sides, key=lambda label: (label.crossing_count, label.is_over_curves), default=None
        )
        if choice is not None and choice.crossing_count <= _MAX_CROSSED_LINES:
            obstacles.append(choice.box)
            source = Source(mark.original_name or mark.label, mark.label)
            labels.append(choice._replace(text=choice.text._replace(source=source)))
    return labels


class _Label(NamedTuple):
    """A label beside its vertical line."""

    text: PageText
    box: Rectangle
    is_over_curves: bool
    crossing_count: int = 0  # number of other lines between the line and the far end of the label


def _place_side_label(
    line: float,
    label: str,
    area: Rectangle,
    look: Look,
    obstacles: Sequence[Rectangle],
    curves: Sequence[Floats],
    is_left: bool,
) -> _Label | None:
    gap, height, width = GAP * look.size, LINE_HEIGHT * look.size, look.width(label)
    left = line - gap - width if is_left else line + gap
    if not label or left < area.left or left + width > area.right:
        return None
    x, anchor = (line - gap, "end") if is_left else (left, "start")
    spans, fallback = _find_spans(curves, left, left + width), None
    for row in range(math.floor(area.height / height)):
        base = area.top + (row + 1) * height
        box = Rectangle(left, base - ASCENT * look.size, width, height)
        if box.bottom <= area.bottom and all(intersect(box, place).is_empty for place in obstacles):
            result = _Label(look.text(label, x, base, anchor), box, _is_crossed(box, spans))
            if not result.is_over_curves:
                return result
            fallback = fallback or result
    return fallback


def _find_spans(curves: Sequence[Floats], left: float, right: float) -> _Spans:
    curve_heights = (heights(points, left, right, _CURVE_STEPS) for points in curves)
    return [(float(y.min()), float(y.max())) for y in curve_heights if len(y)]


def _is_crossed(box: Rectangle, spans: _Spans) -> bool:
    return any(top <= box.bottom and box.top <= bottom for top, bottom in spans)


def heights(points: Floats, left: float, right: float, steps: int) -> Floats:
    """Return y coordinates of a curve between `left` and `right`.

    The curve is evaluated at its points and at `steps` equally spaced x coordinates.
    """
    x, y = points.T
    interpolated_y = np.interp(np.linspace(left, right, steps), x, y, left=np.nan, right=np.nan)
    values: Floats = np.concatenate([interpolated_y, y[(left <= x) & (x <= right)]])
    return values[np.isfinite(values)]


def intersect(first: Rectangle, second: Rectangle) -> Rectangle:
    """Return the intersection of two rectangles; the result may be empty."""
    left, top = max(first.left, second.left), max(first.top, second.top)
    right, bottom = min(first.right, second.right), min(first.bottom, second.bottom)
    return Rectangle(left, top, right - left, bottom - top)


def make_hatching(place: Rectangle, look: Look) -> Polyline:
    """Return the hatching of a rectangle, aligned with the hatching of other rectangles."""
    first = math.floor((place.left + place.top) / _HATCHING_GAP)
    last = math.ceil((place.right + place.bottom) / _HATCHING_GAP)
    sums = _HATCHING_GAP * np.arange(first, last + 1)  # x + y, which is constant along a line
    lines = np.full((len(sums), 3, 2), np.nan)  # two ends and a gap for each line
    for end, y in enumerate((place.top, place.bottom)):
        lines[:, end, 0] = sums - y
        lines[:, end, 1] = y
    return Polyline(lines.reshape(-1, 2), look.colours.line, look.rule_width, clip=place)
