"""Draw curves with the same apparent width in every image and on every screen."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPathStroker, QPen

from pe_explorer.arrays import Floats

Shades = npt.NDArray[np.uint32]

_PARTS_PER_PIXEL = 4  # horizontal subdivisions of a pixel
_PARTS_OF_FILLING = 16  # subdivisions of a pixel column, because edges may be steep
_CHUNK = 256  # pixel columns drawn at a time
_FAR = 1e6  # coordinate in pixels outside every image
_ROUNDING = 1e-6  # tolerance for rounding errors, in pixels
_MOST_STROKED = 300  # maximum points of a wide line that Qt strokes
_LONGEST_STROKE = 10_000.0  # vertical extent in pixels above which filling is faster


def draw_curve(
    painter: QPainter,
    area: QRect,
    x: Floats,
    y: Floats,
    width: float,
    colour: QColor,
    dashes: Sequence[float] = (),
) -> None:
    """Draw a line through points in device pixels, on the screen or in an image.

    Qt quickly draws lines that are one device pixel wide, but takes seconds to stroke wider lines
    with many points. Such a stroke covers one interval of each pixel column, so this function fills
    the intervals instead.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    is_single = abs(width - 1) < _ROUNDING
    if not is_single and _takes_long(x, y, dashes):
        fill_band(painter, area, x, y, width, colour)
        return
    pen = dashed_pen(colour, width, dashes)
    pen.setCosmetic(is_single)
    for part in [slice(None)] if is_single else _between_gaps(x, y):
        path = pg.arrayToQPath(x[part], y[part], connect="finite")
        if not is_single and width < 1 and len(x) <= _MOST_STROKED:  # Qt strokes no thinner line
            painter.fillPath(QPainterPathStroker(pen).createStroke(path), pen.brush())
        else:
            painter.strokePath(path, pen)


def _takes_long(x: Floats, y: Floats, dashes: Sequence[float]) -> bool:
    """Return whether a line that never goes left has many points or oscillates widely.

    Dashes are ignored in widely oscillating lines, because they are invisible there.
    """
    has_many = len(x) > _MOST_STROKED and not dashes
    is_long = has_many or np.nansum(np.abs(np.diff(y))) > _LONGEST_STROKE
    return bool(is_long and (np.diff(x) >= 0).all())


def _between_gaps(x: Floats, y: Floats) -> list[slice]:
    """Return the parts between gaps, because Qt takes a second for a path with 100 gaps."""
    gaps = np.flatnonzero(~np.isfinite(x + y)).tolist()
    edges = zip([0, *(gap + 1 for gap in gaps)], [*gaps, len(x)], strict=True)
    return [slice(first, end) for first, end in edges if end - first > 1]


def fill_band(
    painter: QPainter, area: QRect, x: Floats, y: Floats, width: float, colour: QColor
) -> None:
    """Draw a line through points, clipped to `area`; see `band`.

    All coordinates are device pixels.
    """
    _fill_columns(painter, area, *band(x, y, width), colour)


def fill_between(
    painter: QPainter, area: QRect, x: Floats, upper: Floats, lower: Floats, colour: QColor
) -> None:
    """Fill the band between two curves without gaps, because Qt is slow if they oscillate.

    All coordinates are device pixels, `x` does not decrease, and the band is clipped to `area`.
    """
    first = int(np.floor(x[0]))
    shape = int(np.ceil(x[-1])) - first, _PARTS_OF_FILLING
    middles = first + (np.arange(math.prod(shape)) + 0.5) / _PARTS_OF_FILLING
    low, high = (
        np.interp(middles, x, y, left=np.nan, right=np.nan).reshape(shape) for y in (upper, lower)
    )
    _fill_columns(painter, area, first, low, high, colour)


def _fill_columns(
    painter: QPainter, area: QRect, first: int, low: Floats, high: Floats, colour: QColor
) -> None:
    top, bottom = area.top(), area.bottom() + 1
    low, high = low.clip(top, bottom), high.clip(top, bottom)
    end = min(first + len(low), area.right() + 1)
    shades = _shades(colour)
    for left in range(max(first, area.left()), end, _CHUNK):
        part = slice(left - first, min(left + _CHUNK, end) - first)
        row, cover = _covered(low[part], high[part])
        pixels = shades.take(cover)
        rows, columns = pixels.shape
        form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, columns, rows, 4 * columns, form)
        painter.drawImage(QPoint(left, row), image)


def dashed_pen(colour: QColor, width: float, dashes: Sequence[float]) -> QPen:
    """Return a pen for a curve; lengths of dashes and gaps are multiples of the width."""
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dashes:
        pen.setDashPattern([length / width for length in dashes])
    return pen


def band(x: Floats, y: Floats, width: float) -> tuple[int, Floats, Floats]:
    """Return the interval of each pixel column that a line covers if drawn with a round brush.

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
    low, high : (columns, `_PARTS_PER_PIXEL`)
        Ends of the covered interval in each part of a column; nan if nothing is covered.
    """
    radius = width / 2
    reach = max(1, round(radius * _PARTS_PER_PIXEL))
    first = int(np.floor(x[0] - radius)) - 1
    columns = int(np.ceil(x[-1] + radius)) + 1 - first
    middles = first + (np.arange(columns * _PARTS_PER_PIXEL) + 0.5) / _PARTS_PER_PIXEL
    least, most = _extremes(x, y, middles)
    low = np.full(len(middles), np.nan)
    high = np.full(len(middles), np.nan)
    # For each distance, combine the intervals to the left and right of every middle.
    for gap in range(reach):
        away = (gap + 0.5) / _PARTS_PER_PIXEL
        brush = np.sqrt(max(0.0, radius**2 - away**2))
        gaps = len(most) - gap
        sides = ((slice(gap + 1, None), slice(gaps)), (slice(gaps), slice(gap, None)))
        for here, there in sides:
            low[here] = np.fmin(low[here], least[there] - brush)
            high[here] = np.fmax(high[here], most[there] + brush)
    return first, low.reshape(columns, _PARTS_PER_PIXEL), high.reshape(columns, _PARTS_PER_PIXEL)


def _extremes(x: Floats, y: Floats, edges: Floats) -> tuple[Floats, Floats]:
    y = np.where(np.isfinite(y), y, np.nan)
    between = np.interp(edges, x, y, left=np.nan, right=np.nan)
    left, right = between[:-1], between[1:]
    least, most = np.fmin(left, right), np.fmax(left, right)
    places = np.searchsorted(edges, x) - 1
    np.fmin.at(least, places, y)
    np.fmax.at(most, places, y)
    return least, most


def _covered(low: Floats, high: Floats) -> tuple[int, npt.NDArray[np.uint8]]:
    is_covered = low < high  # False for nan
    top = int(np.floor(low.min(where=is_covered, initial=_FAR)))
    bottom = max(top, int(np.ceil(high.max(where=is_covered, initial=-_FAR))))
    rows, columns = bottom - top, len(low)
    whole, rest = np.divmod(np.where(is_covered, (low, high), top) - top, 1.0)
    first = whole.astype(np.int64) * columns + np.arange(columns)[:, None]
    signs = np.reshape([1.0, -1.0], (2, 1, 1))  # 1 where an interval begins, −1 where it ends
    places, shares = np.stack([first, first + columns]), np.stack([1 - rest, rest]) * signs
    changes = np.bincount(places.ravel(), shares.ravel(), minlength=(rows + 2) * columns)
    cover = changes.reshape(-1, columns)
    for above, row in pairwise(cover):  # `cumsum` takes five times as long
        row += above
    return top, np.rint(cover[:rows] * (255 / low.shape[1])).astype(np.uint8)


def _shades(colour: QColor) -> Shades:
    opaque = np.array([255, colour.red(), colour.green(), colour.blue()])
    channels = colour.alphaF() * opaque
    shared = np.rint(channels[:, None] * np.arange(256) / 255)
    alpha, red, green, blue = shared.astype(np.uint32)
    shades: Shades = alpha << 24 | red << 16 | green << 8 | blue
    return shades
