"""Legends: names at the ends of curves, in the emptiest corner, or in rows below a panel."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.colours.dashes import Dashes
from pe_explorer.figures._axes import Axes
from pe_explorer.figures._data import (
    find_free_boxes,
    heights,
    intersect,
    make_hatching,
    make_source,
    to_points,
)
from pe_explorer.figures._look import ASCENT, BASELINE, GAP, LINE_HEIGHT, Look
from pe_explorer.figures.page import Item, Polyline
from pe_explorer.pictures.figure import Curve, Panel, Rectangle

_SAMPLE_LENGTH = 2.2  # length of the sample line beside a name, in font sizes
_SAMPLE_HEIGHT = 0.8  # height of the sample rectangle of a filled area, in font sizes
_NAME_GAP = 1.0  # gap between two names in a row, in font sizes
_PADDING = 0.4  # gap between the border and the names, in font sizes
_MAX_WIDTHS = 0.65, 0.8  # maximum widths of a legend, relative to the area, in order of preference
_MAX_HEIGHT = 0.5  # maximum height of a legend, relative to the area
_MIN_DISTANCE = 2.0  # minimum distance between curves and a name or legend, in points
_MAX_END_NAME_WIDTH = 0.35  # maximum width of a name at the end of a curve, relative to the area
_CURVE_STEPS = 256  # number of x coordinates across a legend at which curves are evaluated

_NO_VALUES: Floats = np.empty(0)
_CurvesAndMarks = tuple[list[Floats], list[float]]
"""Points of curves and horizontal lines on the page, and x coordinates of vertical lines."""


class _Entry(NamedTuple):
    """The name of a curve in a legend."""

    lines: list[str]
    is_whole: bool  # whether every word fits into the available width
    x: float  # offset from the left edge of the legend
    y: float  # offset from the upper edge of the legend
    curve: Curve  # the named curve, without its points
    dashes: Dashes
    is_visible: bool  # whether the curve has finite values


class PlacedLegend(NamedTuple):
    """A legend with its position on the page."""

    names: list[_Entry]
    place: Rectangle
    has_frame: bool  # whether a frame is drawn; True only inside panels
    is_at_ends: bool = False  # whether each name is at the end of its curve, in the curve's colour


def _wrap_name(curve: Curve, x: float, y: float, space: float, look: Look) -> _Entry:
    name, reason = curve.legend_name, curve.missing_reason
    forms = (f"{name}: {reason}", f"{name}: none") if reason else (name,)
    lines = look.fit_lines(forms, space, max_lines=1) or look.wrap(forms[-1], space)
    is_whole = look.fits_words(" ".join(lines), space)
    bare_curve = curve._replace(x=_NO_VALUES, y=_NO_VALUES, band=None)
    return _Entry(lines, is_whole, x, y, bare_curve, look.dashes(curve), curve.is_visible)


def place_legend_below(panel: Panel, space: Rectangle, look: Look) -> PlacedLegend:
    """Return a legend in rows at the bottom of the available space."""
    size = look.size
    sample_width = (_SAMPLE_LENGTH + GAP) * size
    names: list[_Entry] = []
    x = y = height = 0.0
    for curve in panel.legend:
        name = _wrap_name(curve, x, y, space.width - sample_width, look)
        width = sample_width + look.max_width(name.lines)
        if x and x + width > space.width:
            x, y, height = 0.0, y + height, 0.0
            name = name._replace(x=x, y=y)
        names.append(name)
        x += width + _NAME_GAP * size
        height = max(height, LINE_HEIGHT * size * len(name.lines))
    height += y
    place = space._replace(top=space.bottom - height, height=height)
    return PlacedLegend(names, place, has_frame=False)


def place_legend_inside(axes: Axes, look: Look) -> PlacedLegend | None:
    """Return a legend at the ends of the curves or in the emptiest corner.

    Return None if the panel has only cells, or if the legend does not fit. Unless the style
    requires legends inside panels, also return None if the legend would cover lines or
    text.
    """
    area, panel = axes.area, axes.panel
    if panel.cells is not None and not panel.curves:
        return None
    curves = [to_points(curve, axes) for curve in panel.curves if curve.is_visible]
    curves += [axes.make_horizontal_line(level.y) for level in panel.levels]
    lines = curves, [axes.to_page_x(mark.x) for mark in panel.marks]
    if look.style.legend == "inside":
        legend, _ = _place_in_corner(_wrap_names(panel, area.width, look), axes, lines, look)
        return legend if _fits(legend, area.width, area.height) else None
    end_legend = _place_at_ends(axes, lines, look)
    if end_legend and not count_blocked_names(end_legend.place, axes, look):
        return end_legend
    for part in _MAX_WIDTHS:
        max_width = part * area.width
        legend = _wrap_names(panel, max_width, look)
        is_whole = all(name.is_whole for name in legend.names)
        if is_whole and _fits(legend, max_width, _MAX_HEIGHT * area.height):
            legend, penalty = _place_in_corner(legend, axes, lines, look)
            if not penalty:
                return legend
    return None


def _place_at_ends(axes: Axes, lines: _CurvesAndMarks, look: Look) -> PlacedLegend | None:
    """Place each name at the right end of its curve; return None if a name does not fit."""
    panel, area = axes.panel, axes.area
    boxes: list[Rectangle] = []
    names: list[_Entry] = []
    for curve in panel.legend:
        width, height = look.width(curve.legend_name), LINE_HEIGHT * look.size
        box = Rectangle(area.right - GAP * look.size - width, area.top, width, height)
        if not curve.is_visible or width > _MAX_END_NAME_WIDTH * area.width:
            return None
        y = heights(to_points(curve, axes), box.left - _MIN_DISTANCE, area.right, _CURVE_STEPS)
        tops = [y.min() - height - 2 * _MIN_DISTANCE, y.max() + 2 * _MIN_DISTANCE] if len(y) else []
        tops = [float(top) for top in tops if area.top <= top <= area.bottom - height]
        places = [box._replace(top=top) for top in tops]
        places = [place for place in places if not _count_overlaps(place, *lines)]
        places = [p for p in places if all(intersect(p, other).is_empty for other in boxes)]
        if not places:
            return None
        boxes.append(places[0])
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    for curve, box in zip(panel.legend, boxes, strict=True):
        offset = box.left - left, box.top - top
        names.append(_Entry([curve.legend_name], True, *offset, curve, look.dashes(curve), True))
    place = Rectangle(left, top, right - left, bottom - top)
    return PlacedLegend(names, place, has_frame=False, is_at_ends=True)


def _place_in_corner(
    legend: PlacedLegend, axes: Axes, lines: _CurvesAndMarks, look: Look
) -> tuple[PlacedLegend, int]:
    """Return the legend in the emptiest corner, and a penalty for covering lines and names."""
    area, gap, cells = axes.area, GAP * look.size, axes.panel.cells
    strip = None if cells is None else axes.to_page_rectangle(cells.place)
    left, top = area.left + gap, area.top + gap
    right, bottom = area.right - gap - legend.place.width, area.bottom - gap - legend.place.height
    best_candidate: tuple[tuple[int, int], Rectangle] | None = None
    for x, y in ((right, top), (left, top), (right, bottom), (left, bottom)):
        corner = legend.place._replace(left=x, top=y)
        is_over_strip = strip is not None and not intersect(corner, strip).is_empty
        covered_count = _count_overlaps(corner, *lines) + is_over_strip
        penalty = count_blocked_names(corner, axes, look), covered_count
        if best_candidate is None or penalty < best_candidate[0]:
            best_candidate = penalty, corner
    assert best_candidate is not None
    return legend._replace(place=best_candidate[1]), sum(best_candidate[0])


def _fits(legend: PlacedLegend, width: float, height: float) -> bool:
    return legend.place.width <= width and legend.place.height <= height


def _wrap_names(panel: Panel, max_width: float, look: Look) -> PlacedLegend:
    """Return a legend with a frame; its upper left corner is at the origin."""
    padding = _PADDING * look.size
    extra_width = (_SAMPLE_LENGTH + GAP) * look.size + 2 * padding
    names: list[_Entry] = []
    y = padding
    for curve in panel.legend:
        name = _wrap_name(curve, padding, y, max_width - extra_width, look)
        names.append(name)
        y += LINE_HEIGHT * look.size * len(name.lines)
    width = extra_width + max(look.max_width(name.lines) for name in names)
    return PlacedLegend(names, Rectangle(0.0, 0.0, width, y + padding), has_frame=True)


def count_blocked_names(place: Rectangle, axes: Axes, look: Look) -> int:
    """Count the horizontal lines whose names do not fit if a rectangle is occupied."""
    named_levels = (level for level in axes.panel.levels if level.name)
    return sum(not find_free_boxes(level, axes, look, [place]) for level in named_levels)


def _count_overlaps(place: Rectangle, curves: Sequence[Floats], marks: Sequence[float]) -> int:
    """Count the vertical lines and the points of curves that a rectangle covers."""
    left, right = place.left - _MIN_DISTANCE, place.right + _MIN_DISTANCE
    top, bottom = place.top - _MIN_DISTANCE, place.bottom + _MIN_DISTANCE
    count = sum(left <= x <= right for x in marks)
    for points in curves:
        y = heights(points, left, right, _CURVE_STEPS)
        count += int(((top <= y) & (y <= bottom)).sum())
    return count


def draw_legend(legend: PlacedLegend, look: Look) -> Iterator[Item]:
    """Yield the items of a legend."""
    size, place = look.size, legend.place
    if legend.has_frame:
        can_cover_curves = look.style.legend == "inside"
        fill = "#ffffff" if can_cover_curves and not look.ground else look.ground
        yield look.border(place, look.colours.line, fill)
    for name in legend.names:
        left = place.left + name.x
        base = place.top + name.y + (ASCENT + (LINE_HEIGHT - 1) / 2) * size
        if legend.is_at_ends:
            (line,), colour = name.lines, look.shade(name.curve.colour)
            text = look.text(line, left, base)
            yield text._replace(colour=colour, source=make_source(name.curve))
            continue
        end, middle_y = left + _SAMPLE_LENGTH * size, base - BASELINE * size
        if name.curve.area:
            height = _SAMPLE_HEIGHT * size
            sample = Rectangle(left, middle_y - height / 2, end - left, height)
            if name.curve.area == "hatched":
                yield make_hatching(sample, look)
            fills = {"shaded": look.colours.raised_background, "band": look.tint(name.curve.colour)}
            yield look.border(sample, look.colours.line, fills.get(name.curve.area, ""))
        elif name.is_visible:
            ends = np.array([(left, middle_y), (end, middle_y)])
            dashes, length = name.dashes, _SAMPLE_LENGTH * size
            if name.curve.dash and (pattern := sum((*dashes, *dashes[:1]))) > length:
                dashes = tuple(dash * length / pattern for dash in dashes)
            colour = look.shade(name.curve.colour)
            yield Polyline(ends, colour, look.line_width(name.curve), dashes)
        for line in name.lines:
            yield look.text(line, end + GAP * size, base)._replace(source=make_source(name.curve))
            base += LINE_HEIGHT * size
