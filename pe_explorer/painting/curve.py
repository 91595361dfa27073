"""Draw curves with the same apparent width in every image and on every screen."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPainterPathStroker, QPen

from pe_explorer.arrays import Floats

Shades = npt.NDArray[np.uint32]  # premultiplied ARGB values

_LINE_SUBPIXELS = 4  # number of horizontal subdivisions of a pixel for lines
_AREA_SUBPIXELS = 16  # number of subdivisions of a pixel for filled areas, whose edges may be steep
_COVERAGE_BITS = 5  # binary digits of the fraction of a coverage, which is at most 255
_CHUNK_COLUMNS = 1024  # number of pixel columns drawn at a time
_FAR_COORDINATE = 1e6  # a coordinate in pixels outside every image
_TOLERANCE = 1e-6  # tolerance for rounding errors, in pixels
_MAX_STROKED_POINTS = 300  # maximum number of points in a wide line that Qt strokes
_MAX_STROKED_HEIGHT = 10_000.0  # total vertical distance in pixels above which filling is faster


def draw_curve(
    painter: QPainter,
    area: QRect,
    x: Floats,
    y: Floats,
    width: float,
    colour: QColor,
    dashes: Sequence[float] = (),
) -> None:
    """Draw a line through points in device pixels, clipped to `area` if the line is long.

    Qt quickly draws lines that are one device pixel wide, but takes seconds to stroke wider
    lines with many points. A wide line that never goes left covers one interval in each pixel
    column, so this function fills these intervals. The dashes of a line that oscillates
    widely are ignored, because they are invisible.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = make_dashed_pen(colour, width, dashes)
    if abs(width - 1) < _TOLERANCE:
        pen.setCosmetic(True)
        painter.strokePath(make_path(x, y), pen)
        return
    has_few_points = len(x) <= _MAX_STROKED_POINTS
    is_long = not (has_few_points or dashes) or np.nansum(np.abs(np.diff(y))) > _MAX_STROKED_HEIGHT
    if is_long and (np.diff(x) >= 0).all():
        _fill_columns(painter, area, *compute_line_intervals(x, y, width), colour)
        return
    # Draw the parts between gaps one by one: Qt takes a second to stroke a path with 100 gaps.
    gaps = np.flatnonzero(~np.isfinite(x + y)).tolist()
    for first, end in zip([0, *(gap + 1 for gap in gaps)], [*gaps, len(x)], strict=True):
        if end - first < 2:
            continue
        path = make_path(x[first:end], y[first:end])
        if width < 1 and has_few_points:
            # Fill the outline of the line, because Qt's pens are at least a pixel wide.
            painter.fillPath(QPainterPathStroker(pen).createStroke(path), pen.brush())
        else:
            painter.strokePath(path, pen)


def make_path(x: Floats, y: Floats) -> QPainterPath:
    """Return the path of a line through points; coordinates that are not finite are gaps."""
    # Import pyqtgraph here, because its import takes longer than drawing a figure without paths.
    from pyqtgraph import arrayToQPath

    path: QPainterPath = arrayToQPath(x, y, connect="finite")
    return path


def fill_between(
    painter: QPainter, area: QRect, x: Floats, upper: Floats, lower: Floats, colour: QColor
) -> None:
    """Fill the area between two curves that have no gaps.

    Qt's own functions are slow if the curves oscillate. All coordinates are in device
    pixels, `x` does not decrease, and the result is clipped to `area`.
    """
    first = int(np.floor(x[0]))
    shape = int(np.ceil(x[-1])) - first, _AREA_SUBPIXELS
    middles = first + (np.arange(math.prod(shape)) + 0.5) / _AREA_SUBPIXELS
    low, high = (np.interp(middles, x, y, np.nan, np.nan).reshape(shape) for y in (upper, lower))
    _fill_columns(painter, area, first, low, high, colour)


def _fill_columns(
    painter: QPainter, area: QRect, first: int, low: Floats, high: Floats, colour: QColor
) -> None:
    top, bottom = area.top(), area.bottom() + 1
    low, high = low.clip(top, bottom), high.clip(top, bottom)
    end = min(first + len(low), area.right() + 1)
    levels = np.rint(np.arange(256) * colour.alphaF()).astype(np.uint32)
    colour_table = (levels << 24 | colour.rgb() & 0xFFFFFF).tolist()
    for left in range(max(first, area.left()), end, _CHUNK_COLUMNS):
        part = slice(left - first, min(left + _CHUNK_COLUMNS, end) - first)
        row, coverage = _compute_coverage(low[part], high[part])
        height, columns = coverage.shape
        image = QImage(coverage.data, columns, height, columns, QImage.Format.Format_Indexed8)
        image.setColorTable(colour_table)
        # Qt draws an image without a colour table faster, even including the conversion.
        image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(QPoint(left, row), image)


def make_image(shades: Shades, *, is_opaque: bool) -> QImage:
    """Return an image that shares the memory of an array, shape (height, width)."""
    height, width = shades.shape
    kind = QImage.Format.Format_RGB32 if is_opaque else QImage.Format.Format_ARGB32_Premultiplied
    return QImage(shades.data, width, height, 4 * width, kind)


def make_dashed_pen(colour: QColor, width: float, dashes: Sequence[float]) -> QPen:
    """Return a pen for a curve; `dashes` are lengths in the same unit as `width`."""
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dashes:
        pen.setDashPattern([length / width for length in dashes])
    return pen


def compute_line_intervals(x: Floats, y: Floats, width: float) -> tuple[int, Floats, Floats]:
    """Return the interval in each pixel column that a line drawn with a round brush covers.

    Parameters
    ----------
    x, y : (n,)
        Points in pixels with increasing x; points with non-finite y are gaps.
    width : float
        Diameter of the brush in pixels.

    Returns
    -------
    first : int
        The leftmost column of pixels.
    low, high : (columns, `_LINE_SUBPIXELS`)
        Ends of the covered interval in each part of a column; nan if nothing is covered.
    """
    radius = width / 2
    first = int(np.floor(x[0] - radius)) - 1
    columns = int(np.ceil(x[-1] + radius)) + 1 - first
    middles = first + (np.arange(columns * _LINE_SUBPIXELS) + 0.5) / _LINE_SUBPIXELS
    # Compute the minimum and maximum of the line between each pair of adjacent `middles`.
    y = np.where(np.isfinite(y), y, np.nan)
    heights = np.interp(middles, x, y, left=np.nan, right=np.nan)
    minima, maxima = np.fmin(heights[:-1], heights[1:]), np.fmax(heights[:-1], heights[1:])
    indices = np.searchsorted(middles, x) - 1
    np.fmin.at(minima, indices, y)
    np.fmax.at(maxima, indices, y)
    low, high = np.full((2, len(middles)), np.nan)
    # Combine the intervals to the left and right of each middle, up to the radius of the brush.
    for gap in range(max(1, round(radius * _LINE_SUBPIXELS))):
        distance = (gap + 0.5) / _LINE_SUBPIXELS
        brush = np.sqrt(max(0.0, radius**2 - distance**2))
        end = len(maxima) - gap
        for target, source in ((slice(gap + 1, None), slice(end)), (slice(end), slice(gap, None))):
            low[target] = np.fmin(low[target], minima[source] - brush)
            high[target] = np.fmax(high[target], maxima[source] + brush)
    return first, low.reshape(columns, _LINE_SUBPIXELS), high.reshape(columns, _LINE_SUBPIXELS)


def _compute_coverage(low: Floats, high: Floats) -> tuple[int, npt.NDArray[np.uint8]]:
    """Return the first row of pixels, and the coverage of each pixel, from 0 to 255."""
    is_covered = low < high  # False for nan
    top = int(np.floor(low.min(where=is_covered, initial=_FAR_COORDINATE)))
    bottom = max(top, int(np.ceil(high.max(where=is_covered, initial=-_FAR_COORDINATE))))
    columns, subpixels = low.shape
    # Add up how the coverage changes from row to row, in integers, which take less memory.
    whole, fraction = np.divmod(np.where(is_covered, (low, high), top) - top, 1.0)
    unit = (255 << _COVERAGE_BITS) // subpixels
    lower_share = np.rint(fraction * unit).astype(np.int16)
    signs = np.reshape(np.array([1, -1], np.int16), (2, 1, 1))  # an interval begins or ends
    first = whole.astype(np.int64) * columns + np.arange(columns)[:, None]
    changes = np.zeros((bottom - top + 2) * columns, np.int16)
    np.add.at(changes, first.ravel(), ((unit - lower_share) * signs).ravel())
    np.add.at(changes, first.ravel() + columns, (lower_share * signs).ravel())
    coverage = changes.reshape(-1, columns)
    for previous_row, row in pairwise(coverage):  # faster than `cumsum` by a factor of five
        row += previous_row
    coverage += 1 << _COVERAGE_BITS - 1
    coverage >>= _COVERAGE_BITS
    return top, coverage[:-2].astype(np.uint8)
