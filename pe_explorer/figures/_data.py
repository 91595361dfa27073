"""Items inside the axes of a panel: cells, hatching, grid, marks, curves and the cursor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.colours.maps import is_dark, table
from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import colour_table, order_colours
from pe_explorer.figures._look import ASCENT, BASE, DESCENT, GAP, LINE, PIXEL, Look, filled
from pe_explorer.figures.page import Circle, Dots, Item, PageImage, PageText, Polyline, Source
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.pictures.axis_numbers import WIDEST_NUMBER, cell_text
from pe_explorer.pictures.figure import Band, Cells, Curve, Level, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.pictures.trail import Trail

_NUMBER_SIZE = 0.8  # size of the text in a cell, relative to the font size


def draw_cell_numbers(axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the values of the cells as text, if every value fits into its cell."""
    cells, size = axes.panel.cells, _NUMBER_SIZE * look.size
    if cells is None or not cells.numbered:
        return
    rows, columns = cells.values.shape
    place = axes.place(cells.place)
    width, height = place.width / columns, place.height / rows
    if width < look.width(f"{WIDEST_NUMBER} ") * _NUMBER_SIZE or height < LINE * size:
        return
    indices = cells.indices
    white = is_dark(cells.colour_map, NO_VALUE)
    colours = table(cells.colour_map, NO_VALUE)
    for (row, column), value in np.ndenumerate(cells.values):
        text, index = cell_text(value), indices[row, column]
        x = place.left + (column + 0.5) * width
        down = row if axes.panel.y.down else rows - 1 - row
        y = place.top + (down + 0.5) * height + BASE * size
        if not text or not axes.area.left < x < axes.area.right:
            continue
        if look.style.cursor == "show":  # dashes beside the values would look like minus signs
            behind = min(width, look.width(text) * _NUMBER_SIZE + size)
            ground = Rectangle(x - behind / 2, y - ASCENT * size, behind, size)
            yield filled(ground, f"#{colours[index].tobytes().hex()}")
        colour = "#ffffff" if white[index] else "#000000"
        yield look.text(text, x, y, "middle")._replace(colour=colour, size=size)


_TRAIL_WIDTH = 0.6  # width relative to other lines, so that the line does not hide the points
_RING = 2.5  # screen pixels between a point and the ring around it


def draw_trail(trail: Trail | None, axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the lines and points of a trail, with a ring around the cursor's point if shown."""
    if trail is None or not trail.visible:
        return
    colours, pixel = order_colours(look), PIXEL * look.size
    places = np.column_stack([axes.across(trail.x), axes.down(trail.y)])
    for shade, part in trail.parts(len(colours)):
        if len(places[part]) < 2:  # a part that is only the last point
            continue
        colour = f"#{colours[shade].tobytes().hex()}"
        yield Polyline(places[part], colour, _TRAIL_WIDTH * look.style.line_width, clip=axes.area)
    radius = trail.radius * pixel
    yield Dots(places, radius, colours[trail.shades(len(colours))])
    if look.style.cursor == "show" and trail.marked is not None:
        x, y = places[trail.marked].tolist()
        yield Circle(x, y, radius + _RING * pixel, look.colours.cursor, pixel)


_EDGE_WIDTH = 0.5  # width of the edges of a band, relative to other lines
_DOT_RADIUS = 3.5  # pixels of the screen
_COLUMNS_PER_POINT = 1200 / POINTS_PER_INCH  # finer columns are indistinguishable
_POINTS_PER_COLUMN = 4  # points per column of a thinned curve
_FEW_POINTS = 20_000  # curves with fewer points are never thinned
_HATCHING = 5.0  # distance of hatching lines along an edge, in points
_DASHES = (3.0, 2.0)
_MOST_CROSSED = 1  # maximum number of other lines between a label and its own line
_STEPS = 64  # number of x coordinates across a label at which the height of a curve is computed


class Inside(NamedTuple):
    """Items inside the axes of a panel in three layers: below the data, data, above the data."""

    below: tuple[Item, ...]
    data: tuple[Item, ...]
    above: tuple[Item, ...]


def draw_data(
    axes: Axes, look: Look, grid: Sequence[Polyline], legend: Rectangle | None = None
) -> Inside:
    """Return the items inside the axes, except for texts that belong below the legend."""
    panel = axes.panel
    images = [] if panel.cells is None else [_image(panel.cells, axes)]
    marks = (*_grounds(axes, look), *grid, *_draw_marks(axes, look, legend))
    foreground = tuple(_draw_over(axes, look))
    if panel.curves or not images:
        return Inside((*images, *marks), tuple(_draw_curves(axes, look)), foreground)
    return Inside((), tuple(images), (*marks, *foreground))


def _draw_marks(axes: Axes, look: Look, legend: Rectangle | None) -> Iterator[Item]:
    panel, dashed = axes.panel, (look.colours.reference, look.rule_width, _DASHES)
    for mark in panel.marks:
        yield Polyline(axes.upright(mark.x), *dashed, clip=axes.area)
    occupied = [] if legend is None else [legend]
    for label in _labels(axes, look, occupied):
        occupied.append(label.box)
        yield label.text
    for level in panel.levels:
        yield Polyline(axes.level(level.y), *dashed, clip=axes.area)
        if box := _place_of_name(level, axes, look, occupied):
            occupied.append(box)
            name = look.text(level.name, box.left, box.top + ASCENT * look.size)
            source = Source(level.own or level.name, level.name)
            yield name._replace(colour=look.colours.reference, source=source)


def _draw_curves(axes: Axes, look: Look) -> Iterator[Polyline]:
    """Yield the curves in reverse order, so that the first is in front."""
    for curve in reversed(axes.panel.curves):
        if not curve.visible:
            continue
        colour, width, dashes = look.shade(curve.colour), look.line_width(curve), look.dashes(curve)
        source = (
            Source(curve.own or curve.legend_name, curve.legend_name) if curve.legend_name else None
        )
        if curve.band is None:
            line = points_of(curve, axes)
            yield Polyline(line, colour, width, dashes, axes.area, source=source)
            continue
        width *= _EDGE_WIDTH if curve.band.exact else 1.0
        for edge in curve.lines:
            points = np.column_stack([axes.across(curve.x), axes.down(edge)])
            yield Polyline(points, colour, width, dashes, axes.area, source=source)


def _draw_over(axes: Axes, look: Look) -> Iterator[Item]:
    for dot in axes.panel.dots:
        radius, fill = _DOT_RADIUS * PIXEL * look.size, look.shade(dot.colour)
        yield Circle(axes.across(dot.x), axes.down(dot.y), radius, "", 0.0, fill)
    yield from draw_trail(axes.panel.trail, axes, look)
    if look.style.cursor == "show":
        yield from _cursor(axes, look)
    yield from draw_cell_numbers(axes, look)


def _grounds(axes: Axes, look: Look) -> Iterator[Item]:
    panel = axes.panel
    for rectangle in panel.shaded:
        place = common(axes.place(rectangle), axes.area)
        if not place.empty:
            yield filled(place, look.colours.raised)
    for curve in reversed(panel.curves):
        if curve.band is not None:
            yield from _band(curve, curve.band, axes, look)
    if panel.bars:
        ground, colour = points_of(panel.curves[0].ground, axes), panel.curves[0].colour
        yield Polyline(ground, "", 0.0, clip=axes.area, fill=look.filling(colour))
    for rectangle in panel.hatched:
        place = common(axes.place(rectangle), axes.area)
        if not place.empty:
            yield hatching(place, look)


def _band(curve: Curve, band: Band, axes: Axes, look: Look) -> Iterator[Polyline]:
    """Yield one filled outline for each part without gaps."""
    edges = np.column_stack([axes.across(curve.x), axes.down(band.high), axes.down(band.low)])
    is_drawn = np.isfinite(edges).all(axis=1)
    breaks = np.flatnonzero(np.diff(is_drawn)) + 1
    for piece in np.split(edges, breaks):
        if np.isfinite(piece).all() and len(piece) > 1:
            outline = np.concatenate([piece[:, :2], piece[::-1, ::2]])
            yield Polyline(outline, "", 0.0, clip=axes.area, fill=look.tint(curve.colour))


def _image(cells: Cells, axes: Axes) -> PageImage:
    indices = cells.indices
    if not axes.panel.y.down:
        indices = indices[::-1]
    place = axes.place(cells.place)
    colours = colour_table(cells.colour_map)
    return PageImage(indices, place, colours, axes.area)


# -- lines ---------------------------------------------------------------------------------------


def points_of(curve: Curve, axes: Axes) -> Floats:
    """Return the points of a curve on the page, without points that would be indistinguishable."""
    places, numbers = curve.outline
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    x = axes.across(places)
    y = axes.down(finite)
    columns = max(1, math.ceil(axes.area.width * _COLUMNS_PER_POINT))
    if len(x) <= max(_FEW_POINTS, _POINTS_PER_COLUMN * columns):
        return np.column_stack([x, y])
    return _thinned(x, y, axes.area, columns)


def _thinned(x: Floats, y: Floats, area: Rectangle, columns: int) -> Floats:
    """Return the first, lowest, highest and last point of each column."""
    part = (x - area.left) / area.width
    column = np.floor(part * columns)
    starts = np.flatnonzero(np.diff(column, prepend=np.nan))
    ends = np.append(starts[1:] - 1, len(x) - 1)
    middles = (x[starts] + x[ends]) / 2
    lowest = np.fmin.reduceat(y, starts)
    highest = np.fmax.reduceat(y, starts)
    across = np.column_stack([x[starts], middles, middles, x[ends]])
    down = np.column_stack([y[starts], lowest, highest, y[ends]])
    return np.column_stack([across.ravel(), down.ravel()])


def free_places(
    level: Level, axes: Axes, look: Look, occupied: Sequence[Rectangle]
) -> list[Rectangle]:
    """Return places where the name of a level line covers no other text, the best place first.

    A name is on the side of its line with more space, or on the other side if the left end is
    occupied. No name crosses the cursor.
    """
    area, size, gap, width = axes.area, look.size, GAP * look.size, look.width(level.name)
    lefts = np.linspace(area.left + gap, area.right - gap - width, _NAME_PLACES).tolist()
    if look.style.cursor == "show" and (x := axes.panel.cursor[0]) is not None:
        line = axes.across(x)
        lefts = [left for left in lefts if not left <= line <= left + width] or lefts
    tops = [axes.down(level.y) - gap - ASCENT * size, axes.down(level.y) + gap]
    if level.is_high(axes.panel.y):
        tops.reverse()
    places: list[Rectangle] = []
    for number, top in enumerate(tops if level.name else ()):
        if places and places[0].left == lefts[0]:
            break
        boxes = (Rectangle(left, top, width, (ASCENT + DESCENT) * size) for left in lefts)
        boxes = (box for box in boxes if all(common(box, place).empty for place in occupied))
        places += (
            box for box in boxes if number == 0 or area.top <= top <= area.bottom - box.height
        )
    return places


def _place_of_name(
    level: Level, axes: Axes, look: Look, occupied: Sequence[Rectangle]
) -> Rectangle | None:
    """Return the first free place that no other line crosses, if there is one."""
    curves = [points_of(curve, axes) for curve in axes.panel.curves if curve.visible]
    downs = [axes.down(line.y) for line in axes.panel.levels if line is not level]
    lines = [axes.area._replace(top=down, height=look.rule_width) for down in downs]
    places = free_places(level, axes, look, [*occupied, *lines])
    places = places or free_places(level, axes, look, occupied)
    for box in places:
        line = box._replace(height=ASCENT * look.size)
        if not _is_crossed(line, _spans(curves, box.left, box.right)):
            return box
    return places[0] if places else None


def _labels(axes: Axes, look: Look, occupied: Sequence[Rectangle]) -> list[_LabelPlace]:
    candidates = [_placed_labels(axes, look, occupied, short=short) for short in (False, True)]

    def badness(places: Sequence[_LabelPlace]) -> tuple[int, int]:
        return -len(places), sum(place.crossings + place.on_curves for place in places)

    return min(candidates, key=badness)


def _placed_labels(
    axes: Axes, look: Look, texts: Sequence[Rectangle], *, short: bool
) -> list[_LabelPlace]:
    panel, occupied = axes.panel, [*texts]
    if panel.cells is not None:
        occupied.append(axes.place(panel.cells.place))
    curves = [points_of(curve, axes) for curve in panel.curves if curve.visible]
    lines = [axes.across(mark.x) for mark in panel.marks]
    labels = []
    for line, mark in sorted(zip(lines, panel.marks, strict=True), reverse=True):
        label = _in_short(mark.label) if short and not mark.own else mark.label
        source = Source(mark.own or mark.label, mark.label)
        sides = [
            _place_beside(line, label, axes.area, look, occupied, curves, before=before)
            for before in (False, True)
        ]
        places = [place.crossed_by(lines, line) for place in sides if place is not None]
        best = min(places, key=lambda place: (place.crossings, place.on_curves), default=None)
        if best is not None and best.crossings <= _MOST_CROSSED:
            occupied.append(best.box)
            labels.append(best._replace(text=best.text._replace(source=source)))
    return labels


_NAME_PLACES = 17  # number of candidate places along a level line for its name
_SHORT_FORM = re.compile(r"^.+(?=: )|(?<=^p = ).+$")  # the short form of "1: 12" and "p = 2.5"


def _in_short(label: str) -> str:
    match = _SHORT_FORM.search(label)
    return match[0] if match else label


class _LabelPlace(NamedTuple):
    text: PageText
    box: Rectangle
    on_curves: bool
    crossings: int = 0

    def crossed_by(self, lines: Sequence[float], line: float) -> _LabelPlace:
        """Return the number of lines between the label's own line and its far end."""
        left, right = min(self.box.left, line), max(self.box.right, line)
        return self._replace(crossings=sum(left <= x <= right for x in lines if x != line))


def _place_beside(
    line: float,
    label: str,
    area: Rectangle,
    look: Look,
    occupied: Sequence[Rectangle],
    curves: Sequence[Floats],
    *,
    before: bool,
) -> _LabelPlace | None:
    gap, height, width = GAP * look.size, LINE * look.size, look.width(label)
    left = line - gap - width if before else line + gap
    if not label or left < area.left or left + width > area.right:
        return None
    end, anchor = (line - gap, "end") if before else (left, "start")
    spans, fallback = _spans(curves, left, left + width), None
    for row in range(math.floor(area.height / height)):
        base = area.top + (row + 1) * height
        box = Rectangle(left, base - ASCENT * look.size, width, height)
        if box.bottom <= area.bottom and all(common(box, place).empty for place in occupied):
            text, on_curves = look.text(label, end, base, anchor), _is_crossed(box, spans)
            if not on_curves:
                return _LabelPlace(text, box, on_curves)
            fallback = fallback or _LabelPlace(text, box, on_curves)
    return fallback


_Spans = Sequence[tuple[float, float]]


def _spans(curves: Sequence[Floats], left: float, right: float) -> _Spans:
    downs = (heights(points, left, right, _STEPS) for points in curves)
    return [(float(down.min()), float(down.max())) for down in downs if len(down)]


def _is_crossed(box: Rectangle, spans: _Spans) -> bool:
    return any(first <= box.bottom and box.top <= last for first, last in spans)


def heights(points: Floats, left: float, right: float, steps: int) -> Floats:
    """Return the y coordinates of a curve at `steps` x coordinates between two ends.

    The result includes the points of the curve between the ends.
    """
    x, y = points.T
    interpolated = np.interp(np.linspace(left, right, steps), x, y, left=np.nan, right=np.nan)
    downs: Floats = np.concatenate([interpolated, y[(left <= x) & (x <= right)]])
    return downs[np.isfinite(downs)]


def _cursor(axes: Axes, look: Look) -> Iterator[Polyline]:
    x, y = axes.panel.cursor
    lines = [] if x is None else [axes.upright(x)]
    lines += [] if y is None else [axes.level(y)]
    for colour, dashes in (("#ffffff", ()), ("#000000", _DASHES)):
        for ends in lines:
            yield Polyline(ends, colour, look.rule_width, dashes, axes.area)


# -- hatching ------------------------------------------------------------------------------------


def common(place: Rectangle, area: Rectangle) -> Rectangle:
    """Return the intersection of a rectangle and an area."""
    left = max(place.left, area.left)
    top = max(place.top, area.top)
    right = min(place.right, area.right)
    bottom = min(place.bottom, area.bottom)
    return Rectangle(left, top, right - left, bottom - top)


def hatching(place: Rectangle, look: Look) -> Polyline:
    """Return diagonal lines that align with the hatching of other rectangles."""
    first = math.floor((place.left + place.top) / _HATCHING)
    last = math.ceil((place.right + place.bottom) / _HATCHING)
    sums = _HATCHING * np.arange(first, last + 1)  # x + y, which is constant along a hatching line
    lines = np.full((len(sums), 3, 2), np.nan)  # both ends and a gap
    for end, y in enumerate((place.top, place.bottom)):
        lines[:, end, 0] = sums - y
        lines[:, end, 1] = y
    points = lines.reshape(-1, 2)
    return Polyline(points, look.colours.line, look.rule_width, clip=place)
