"""What is drawn inside a panel's axes: cells, hatching, grid, marks, curves and the cursor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pe_explorer.figures._bar import colour_table, levels_of
from pe_explorer.figures._look import RULE, Look
from pe_explorer.figures.page import Image, Item, Line
from pe_explorer.pictures.figure import Cells, Curve, Panel, Rectangle
from pe_explorer.pictures.pixels import colour_indices

__all__ = ["across", "draw_data", "points_of"]

Floats = npt.NDArray[np.float64]

_FINEST = 1200 / 72  # columns to a point in which a curve can differ
_KEPT = 4  # points of a curve in such a column
_HATCHING = 5.0  # points between two lines, along an edge
_DASHES = (3.0, 2.0)


def _on_page(place: Rectangle, panel: Panel, area: Rectangle) -> Rectangle:
    """Return where on the page a part of a panel lies."""
    x, y = panel.x, panel.y
    width = place.width / x.length * area.width
    height = place.height / y.length * area.height
    left = area.left + (place.left - x.low) / x.length * area.width
    from_low = (place.top - y.low) / y.length * area.height
    top = area.top + from_low
    if not y.down:
        top = area.top + area.height - from_low - height
    return Rectangle(left, top, width, height)


def draw_data(panel: Panel, area: Rectangle, look: Look, grid: Sequence[Line]) -> Iterator[Item]:
    """Yield what is drawn inside the axes."""
    if panel.cells is not None:
        yield _image(panel.cells, panel, area, look)
    for rectangle in panel.hatched:
        place = _inside(_on_page(rectangle, panel, area), area)
        if not place.empty:
            yield _hatching(place, look)
    yield from grid
    for mark in panel.marks:
        yield _upright(mark.x, panel, area, look.colours.reference, _DASHES)
    for curve in reversed(panel.curves):
        if curve.visible:
            points = points_of(curve, panel, area)
            yield Line(points, look.shade(curve.colour), look.style.line_width, clip=area)
    if look.style.cursor == "show":
        yield from _cursor(panel, area)


def _image(cells: Cells, panel: Panel, area: Rectangle, look: Look) -> Image:
    """Return the cells, the uppermost row first; the last may reach beyond the axes."""
    levels, indices = levels_of(cells, look), cells.indices
    if levels != cells.levels:
        indices = colour_indices(cells.values, levels)
    if not panel.y.down:
        indices = indices[::-1]
    place = _on_page(cells.place, panel, area)
    return Image(indices, place, colour_table(cells.colour_map), area)


# -- lines ---------------------------------------------------------------------------------------


def points_of(curve: Curve, panel: Panel, area: Rectangle) -> Floats:
    """Return where on the page a curve goes, with no more points than can be told apart."""
    x = area.left + (curve.x - panel.x.low) / panel.x.length * area.width
    finite = np.where(np.isfinite(curve.y), curve.y, np.nan)
    y = area.top + (panel.y.high - finite) / panel.y.length * area.height
    columns = max(1, math.ceil(area.width * _FINEST))
    if len(x) <= _KEPT * columns:
        return np.column_stack([x, y])
    return _thinned(x, y, area, columns)


def _thinned(x: Floats, y: Floats, area: Rectangle, columns: int) -> Floats:
    """Return the first, the least, the greatest and the last point of each column."""
    column = np.floor((x - area.left) / area.width * columns)
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    ends = np.append(starts[1:], len(x)) - 1
    middles = (x[starts] + x[ends]) / 2
    across = np.column_stack([x[starts], middles, middles, x[ends]])
    least, most = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    down = np.column_stack([y[starts], least, most, y[ends]])
    return np.column_stack([across.ravel(), down.ravel()])


def across(x: float, panel: Panel, area: Rectangle) -> float:
    """Return how far to the right on the page a place on the lower axis is."""
    return area.left + (x - panel.x.low) / panel.x.length * area.width


def _upright(
    x: float, panel: Panel, area: Rectangle, colour: str, dashes: tuple[float, ...] = ()
) -> Line:
    """Return a line across an area from top to bottom."""
    place = across(x, panel, area)
    ends = [(place, area.top), (place, area.top + area.height)]
    return Line(np.array(ends), colour, RULE, dashes, area)


def _level(y: float, panel: Panel, area: Rectangle, colour: str, dashes: tuple[float, ...]) -> Line:
    """Return a line across an area from left to right."""
    place = _on_page(Rectangle(panel.x.low, y, panel.x.length, 0.0), panel, area)
    ends = [(area.left, place.top), (area.left + area.width, place.top)]
    return Line(np.array(ends), colour, RULE, dashes, area)


def _cursor(panel: Panel, area: Rectangle) -> Iterator[Line]:
    """Yield lines that can be seen on every colour: dark dashes on light ones."""
    x, y = panel.cursor
    for colour, dashes in (("#ffffff", ()), ("#000000", _DASHES)):
        if x is not None:
            yield _upright(x, panel, area, colour, dashes)
        if y is not None:
            yield _level(y, panel, area, colour, dashes)


# -- hatching ------------------------------------------------------------------------------------


def _inside(place: Rectangle, area: Rectangle) -> Rectangle:
    """Return the part of a place that lies inside an area."""
    left, top = max(place.left, area.left), max(place.top, area.top)
    right = min(place.left + place.width, area.left + area.width)
    bottom = min(place.top + place.height, area.top + area.height)
    return Rectangle(left, top, right - left, bottom - top)


def _hatching(place: Rectangle, look: Look) -> Line:
    """Return lines from bottom left to top right that align with those of other places."""
    left, top, width, height = place
    right, bottom = left + width, top + height
    first = math.floor((left + top) / _HATCHING)
    last = math.ceil((right + bottom) / _HATCHING)
    starts = _HATCHING * np.arange(first, last + 1)
    points = np.full((len(starts), 3, 2), np.nan)
    points[:, 0] = np.column_stack([starts - top, np.full_like(starts, top)])
    points[:, 1] = np.column_stack([starts - bottom, np.full_like(starts, bottom)])
    return Line(points.reshape(-1, 2), look.colours.line, RULE, clip=place)
