"""What is drawn inside a panel's axes: cells, hatching, grid, marks, curves and the cursor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import colour_table, levels_of
from pe_explorer.figures._look import Look
from pe_explorer.figures.page import Image, Item, Line
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.pictures.figure import Cells, Curve, Rectangle
from pe_explorer.pictures.pixels import colour_indices

__all__ = ["draw_data", "points_of"]

Floats = npt.NDArray[np.float64]
Dashes = tuple[float, ...]

_FINEST = 1200 / POINTS_PER_INCH  # columns to a point in which a curve can differ
_KEPT = 4  # points of a curve in such a column
_HATCHING = 5.0  # points between two lines, along an edge
_DASHES = (3.0, 2.0)


def draw_data(axes: Axes, look: Look, grid: Sequence[Line]) -> Iterator[Item]:
    """Yield what is drawn inside the axes."""
    panel = axes.panel
    if panel.cells is not None:
        yield _image(panel.cells, axes, look)
    for rectangle in panel.hatched:
        place = _inside(axes.place(rectangle), axes.area)
        if not place.empty:
            yield _hatching(place, look)
    yield from grid
    for mark in panel.marks:
        yield _upright(mark.x, axes, look, look.colours.reference, _DASHES)
    for curve in reversed(panel.curves):
        if curve.visible:
            points = points_of(curve, axes)
            colour = look.shade(curve.colour)
            yield Line(points, colour, look.style.line_width, clip=axes.area)
    if look.style.cursor == "show":
        yield from _cursor(axes, look)


def _image(cells: Cells, axes: Axes, look: Look) -> Image:
    """Return the cells, the uppermost row first; the last may reach beyond the axes."""
    levels, indices = levels_of(cells, look), cells.indices
    if levels != cells.levels:
        indices = colour_indices(cells.values, levels)
    if not axes.panel.y.down:
        indices = indices[::-1]
    place = axes.place(cells.place)
    colours = colour_table(cells.colour_map)
    return Image(indices, place, colours, axes.area)


# -- lines ---------------------------------------------------------------------------------------


def points_of(curve: Curve, axes: Axes) -> Floats:
    """Return where on the page a curve goes, with no more points than can be told apart."""
    finite = np.where(np.isfinite(curve.y), curve.y, np.nan)
    x = axes.across(curve.x)
    y = axes.down(finite)
    columns = max(1, math.ceil(axes.area.width * _FINEST))
    if len(x) <= _KEPT * columns:
        return np.column_stack([x, y])
    return _thinned(x, y, axes.area, columns)


def _thinned(x: Floats, y: Floats, area: Rectangle, columns: int) -> Floats:
    """Return the first, the least, the greatest and the last point of each column."""
    part = (x - area.left) / area.width
    column = np.floor(part * columns)
    starts = np.flatnonzero(np.diff(column, prepend=np.nan))
    ends = np.append(starts[1:] - 1, len(x) - 1)
    middles = (x[starts] + x[ends]) / 2
    least = np.fmin.reduceat(y, starts)
    most = np.fmax.reduceat(y, starts)
    across = np.column_stack([x[starts], middles, middles, x[ends]])
    down = np.column_stack([y[starts], least, most, y[ends]])
    return np.column_stack([across.ravel(), down.ravel()])


def _upright(x: float, axes: Axes, look: Look, colour: str, dashes: Dashes) -> Line:
    """Return a line across an area from top to bottom."""
    area, place = axes.area, axes.across(x)
    ends = [(place, area.top), (place, area.bottom)]
    return Line(np.array(ends), colour, look.rule_width, dashes, area)


def _level(y: float, axes: Axes, look: Look, colour: str, dashes: Dashes) -> Line:
    """Return a line across an area from left to right."""
    area, place = axes.area, axes.down(y)
    ends = [(area.left, place), (area.right, place)]
    return Line(np.array(ends), colour, look.rule_width, dashes, area)


def _cursor(axes: Axes, look: Look) -> Iterator[Line]:
    """Yield lines that can be seen on every colour: dark dashes on light ones."""
    x, y = axes.panel.cursor
    for colour, dashes in (("#ffffff", ()), ("#000000", _DASHES)):
        if x is not None:
            yield _upright(x, axes, look, colour, dashes)
        if y is not None:
            yield _level(y, axes, look, colour, dashes)


# -- hatching ------------------------------------------------------------------------------------


def _inside(place: Rectangle, area: Rectangle) -> Rectangle:
    """Return the part of a place that lies inside an area."""
    left = max(place.left, area.left)
    top = max(place.top, area.top)
    right = min(place.right, area.right)
    bottom = min(place.bottom, area.bottom)
    return Rectangle(left, top, right - left, bottom - top)


def _hatching(place: Rectangle, look: Look) -> Line:
    """Return lines from bottom left to top right that align with those of other places."""
    first = math.floor((place.left + place.top) / _HATCHING)
    last = math.ceil((place.right + place.bottom) / _HATCHING)
    sums = _HATCHING * np.arange(first, last + 1)  # of x and y, the same along a line
    lines = np.full((len(sums), 3, 2), np.nan)  # both ends and a gap
    for end, y in enumerate((place.top, place.bottom)):
        lines[:, end, 0] = sums - y
        lines[:, end, 1] = y
    points = lines.reshape(-1, 2)
    return Line(points, look.colours.line, look.rule_width, clip=place)
