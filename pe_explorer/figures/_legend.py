"""Legends: names at the ends of curves, in the emptiest corner of a panel, or in rows below."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.colours.dashes import Dashes
from pe_explorer.figures._axes import Axes
from pe_explorer.figures._data import common, free_places, hatching, heights, points_of
from pe_explorer.figures._look import ASCENT, BASE, GAP, LINE, Look
from pe_explorer.figures.page import Item, Polyline, Source
from pe_explorer.pictures.figure import Curve, Panel, Rectangle

_STROKE = 2.2  # length of the sample line beside a name, in font sizes
_SWATCH = 0.8  # height of the sample rectangle of a filled area, in font sizes
_APART = 1.0  # gap between two names in a row, in font sizes
_PAD = 0.4  # gap between the border and the names, in font sizes
_WIDEST = 0.65, 0.8  # maximum widths relative to the area, in order of preference
_HIGHEST = 0.5  # maximum height of a legend, as a fraction of the area's height
_CLOSE = 2.0  # minimum distance in points between curves and a name or legend
_WIDEST_AT_END = 0.35  # maximum width of a name at the end of a curve, relative to the area
_STEPS = 256  # number of x coordinates across a legend at which the height of a curve is computed

_NONE: Floats = np.empty(0)
_Lines = tuple[list[Floats], list[float]]
"""Points of curves and level lines on the page, and x coordinates of marks."""


class _Name(NamedTuple):
    """The wrapped name of a curve, its offset in the legend, and the curve without its points.

    `is_whole` is True if every word fits, `visible` if the curve has points.
    """

    lines: list[str]
    is_whole: bool
    x: float
    y: float
    curve: Curve
    dashes: Dashes
    visible: bool


class PlacedLegend(NamedTuple):
    """A legend with its place on the page.

    A legend inside a panel is `framed`. Names `at_ends` of the curves have the colours of the
    curves and no frame.
    """

    names: list[_Name]
    place: Rectangle
    framed: bool
    at_ends: bool = False


def _name(curve: Curve, x: float, y: float, room: float, look: Look) -> _Name:
    name = curve.legend_name
    forms = (
        (f"{name}: {curve.missing_reason}", f"{name}: none") if curve.missing_reason else (name,)
    )
    lines = look.lines_of(forms, room, max_lines=1) or look.wrapped(forms[-1], room)
    is_whole = look.has_room(" ".join(lines), room)
    bare_curve = curve._replace(x=_NONE, y=_NONE, band=None)
    return _Name(lines, is_whole, x, y, bare_curve, look.dashes(curve), curve.visible)


def legend_below(panel: Panel, room: Rectangle, look: Look) -> PlacedLegend:
    """Return a legend in rows at the bottom of the available space."""
    size = look.size
    stroke = (_STROKE + GAP) * size
    names: list[_Name] = []
    x = y = height = 0.0
    for curve in panel.legend:
        name = _name(curve, x, y, room.width - stroke, look)
        width = stroke + look.widest(name.lines)
        if x and x + width > room.width:
            x, y, height = 0.0, y + height, 0.0
            name = name._replace(x=x, y=y)
        names.append(name)
        x += width + _APART * size
        lines = len(name.lines)
        height = max(height, LINE * size * lines)
    height += y
    top = room.bottom - height
    place = room._replace(top=top, height=height)
    return PlacedLegend(names, place, framed=False)


def legend_inside(axes: Axes, look: Look) -> PlacedLegend | None:
    """Return a legend in the emptiest corner.

    Return None if the legend covers a curve there but may move elsewhere.
    """
    area, panel = axes.area, axes.panel
    if panel.cells is not None and not panel.curves:
        return None
    lines = _lines_in(axes)
    if look.style.legend == "inside":
        legend, _ = _in_corner(_framed(panel, area.width, look), axes, lines, look)
        return legend if _fits(legend, area.width, area.height) else None
    at_ends = _at_ends(axes, lines, look)
    if at_ends and not blocked(at_ends.place, axes, look):
        return at_ends
    for part in _WIDEST:
        widest = part * area.width
        legend = _framed(panel, widest, look)
        is_whole = all(name.is_whole for name in legend.names)
        if is_whole and _fits(legend, widest, _HIGHEST * area.height):
            legend, overlap = _in_corner(legend, axes, lines, look)
            if not overlap:
                return legend
    return None


def _at_ends(axes: Axes, lines: _Lines, look: Look) -> PlacedLegend | None:
    """Place each name at the right end of its curve; return None if a name does not fit."""
    panel = axes.panel
    occupied: list[Rectangle] = []
    if not all(curve.visible for curve in panel.legend):
        return None
    for curve in panel.legend:
        places = [place for place in _beside_end(curve, axes, look) if not _covered(place, *lines)]
        places = [place for place in places if all(common(place, name).empty for name in occupied)]
        if not places:
            return None
        occupied.append(places[0])
    left, top = min(place.left for place in occupied), min(place.top for place in occupied)
    right, bottom = max(place.right for place in occupied), max(place.bottom for place in occupied)
    dashes_of = [look.dashes(curve) for curve in panel.legend]
    names = [
        _Name([curve.legend_name], True, place.left - left, place.top - top, curve, dashes, True)
        for curve, place, dashes in zip(panel.legend, occupied, dashes_of, strict=True)
    ]
    return PlacedLegend(
        names, Rectangle(left, top, right - left, bottom - top), False, at_ends=True
    )


def _beside_end(curve: Curve, axes: Axes, look: Look) -> list[Rectangle]:
    area = axes.area
    width, height = look.width(curve.legend_name), LINE * look.size
    place = Rectangle(area.right - GAP * look.size - width, area.top, width, height)
    at_end = heights(points_of(curve, axes), place.left - _CLOSE, area.right, _STEPS)
    if width > _WIDEST_AT_END * area.width or not len(at_end):
        return []
    tops = at_end.min() - height - 2 * _CLOSE, at_end.max() + 2 * _CLOSE
    inside = (top for top in tops if area.top <= top <= area.bottom - height)
    return [place._replace(top=float(top)) for top in inside]


def _lines_in(axes: Axes) -> _Lines:
    panel = axes.panel
    curves = [points_of(curve, axes) for curve in panel.curves if curve.visible]
    curves += [axes.level(level.y) for level in panel.levels]
    return curves, [axes.across(mark.x) for mark in panel.marks]


def _in_corner(
    legend: PlacedLegend, axes: Axes, lines: _Lines, look: Look
) -> tuple[PlacedLegend, int]:
    cells = axes.panel.cells
    corners = _corners(axes.area, legend.place, GAP * look.size)
    strip = None if cells is None else axes.place(cells.place)
    overlaps = [
        (
            blocked(corner, axes, look),
            _covered(corner, *lines) + (strip is not None and not common(corner, strip).empty),
        )
        for corner in corners
    ]
    smallest = min(overlaps)
    place = corners[overlaps.index(smallest)]
    return legend._replace(place=place), sum(smallest)


def _fits(legend: PlacedLegend, width: float, height: float) -> bool:
    return legend.place.width <= width and legend.place.height <= height


def _framed(panel: Panel, widest: float, look: Look) -> PlacedLegend:
    pad = _PAD * look.size
    extra = (_STROKE + GAP) * look.size + 2 * pad
    names: list[_Name] = []
    y = pad
    for curve in panel.legend:
        name = _name(curve, pad, y, widest - extra, look)
        names.append(name)
        y += LINE * look.size * len(name.lines)
    widest = max(look.widest(name.lines) for name in names)
    width = extra + widest
    place = Rectangle(0.0, 0.0, width, y + pad)
    return PlacedLegend(names, place, framed=True)


def _corners(area: Rectangle, legend: Rectangle, gap: float) -> Sequence[Rectangle]:
    """Return the place of the legend in each corner of an area, upper right first."""
    left = area.left + gap
    top = area.top + gap
    right = area.right - gap - legend.width
    low = area.bottom - gap - legend.height
    corners = ((right, top), (left, top), (right, low), (left, low))
    return [legend._replace(left=x, top=y) for x, y in corners]


def blocked(place: Rectangle, axes: Axes, look: Look) -> int:
    """Return the number of level lines whose names no longer fit beside a rectangle."""
    return sum(
        not free_places(level, axes, look, [place]) for level in axes.panel.levels if level.name
    )


def _covered(place: Rectangle, curves: Sequence[Floats], marks: Sequence[float]) -> int:
    left = place.left - _CLOSE
    right = place.right + _CLOSE
    top = place.top - _CLOSE
    bottom = place.bottom + _CLOSE
    count = sum(left <= x <= right for x in marks)
    for points in curves:
        down = heights(points, left, right, _STEPS)
        count += int(((top <= down) & (down <= bottom)).sum())
    return count


def source_of(curve: Curve) -> Source:
    """Return the key of a curve's name, by which a style can replace the name."""
    return Source(curve.own or curve.legend_name, curve.legend_name)


def draw_legend(legend: PlacedLegend, look: Look) -> Iterator[Item]:
    """Yield the items of a legend."""
    size, place = look.size, legend.place
    if legend.framed:
        forced = look.style.legend == "inside"  # a forced legend may cover curves
        fill = "#ffffff" if forced and not look.ground else look.ground
        yield look.border(place, look.colours.line, fill)
    for name in legend.names:
        left = place.left + name.x
        base = place.top + name.y
        base += (ASCENT + (LINE - 1) / 2) * size
        if legend.at_ends:
            (line,), colour = name.lines, look.shade(name.curve.colour)
            text = look.text(line, left, base)
            yield text._replace(colour=colour, source=source_of(name.curve))
            continue
        end = left + _STROKE * size
        if name.curve.area:
            height = _SWATCH * size
            middle = base - BASE * size
            swatch = Rectangle(left, middle - height / 2, end - left, height)
            if name.curve.area == "hatched":
                yield hatching(swatch, look)
            fills = {"shaded": look.colours.raised, "band": look.tint(name.curve.colour)}
            yield look.border(swatch, look.colours.line, fills.get(name.curve.area, ""))
        elif name.visible:
            middle, colour = base - BASE * size, look.shade(name.curve.colour)
            ends = np.array([(left, middle), (end, middle)])
            dashes, room = name.dashes, _STROKE * size
            if name.curve.dash and (taken := sum((*dashes, *dashes[:1]))) > room:
                dashes = tuple(length * room / taken for length in dashes)
            yield Polyline(ends, colour, look.line_width(name.curve), dashes)
        for line in name.lines:
            yield look.text(line, end + GAP * size, base)._replace(source=source_of(name.curve))
            base += LINE * size
