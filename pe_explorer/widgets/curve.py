"""Curves that are as wide in every picture, and on every screen, as they should look."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from pe_explorer.arrays import Floats
from pe_explorer.widgets.painting import by_device_pixels, guarded, pixel_ratio

Shades = npt.NDArray[np.uint32]

_PARTS_PER_PIXEL = 4  # across
_CHUNK = 256  # columns of pixels drawn at a time
_FAR = 1e6  # pixels: beyond every picture


class CurveItem(pg.PlotCurveItem):  # type: ignore[misc]
    """A curve of y over growing x, one pixel wide, of several device pixels where there are more.

    Qt draws lines one device pixel wide at once, but strokes wider ones of many points for
    seconds. What such a stroke covers is an interval in every column, so it is filled here.
    """

    def __init__(self) -> None:
        super().__init__(connect="finite", antialias=True)

    @guarded
    def paint(self, painter: QPainter, *args: Any) -> None:
        width = pixel_ratio(painter)
        if width <= 1:
            super().paint(painter, *args)
        elif dashes := self.opts["pen"].dashPattern():
            pen = dashed_pen(self.opts["pen"].color(), width, [width * each for each in dashes])
            pen.setCosmetic(True)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.strokePath(self.getPath(), pen)
        else:
            self._paint_wide(painter, width)

    def _paint_wide(self, painter: QPainter, width: float) -> None:
        x, y = self.getData()
        if x is None or len(x) == 0:
            return
        with by_device_pixels(painter) as to_device:
            shown = self.getViewBox().viewRect()  # that of the item itself lags behind
            area = to_device.mapRect(shown).toAlignedRect()
            across = x * to_device.m11() + to_device.dx()
            down = y * to_device.m22() + to_device.dy()
            fill_band(painter, area, across, down, width, self.opts["pen"].color())


def fill_band(
    painter: QPainter, area: QRect, x: Floats, y: Floats, width: float, colour: QColor
) -> None:
    """Draw a line through points, all of it in device pixels; see `band`.

    Nothing is drawn outside of `area`.
    """
    first, low, high = band(x, y, width)
    top, bottom = area.top(), area.bottom() + 1
    low, high = low.clip(top, bottom), high.clip(top, bottom)
    end = min(first + len(low), area.right() + 1)
    shades = _shades(colour)
    for left in range(max(first, area.left()), end, _CHUNK):
        part = slice(left - first, min(left + _CHUNK, end) - first)
        upper, cover = _covered(low[part], high[part])
        pixels = shades.take(cover)
        rows, columns = pixels.shape
        form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, columns, rows, 4 * columns, form)
        painter.drawImage(QPoint(left, upper), image)


def dashed_pen(colour: QColor, width: float, dashes: Sequence[float]) -> QPen:
    """Return a pen for a curve; the lengths of dashes and gaps are in the units of the width."""
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes:
        pen.setDashPattern([length / width for length in dashes])
    return pen


def band(x: Floats, y: Floats, width: float) -> tuple[int, Floats, Floats]:
    """Return what a line through points covers, if it is drawn with a round brush.

    Parameters
    ----------
    x, y : (n,)
        The points in pixels, x growing; where y is not finite, there is a gap.
    width : float
        Diameter of the brush in pixels.

    Returns
    -------
    first : int
        The leftmost column of pixels.
    low, high : (columns, `_PARTS_PER_PIXEL`)
        From where to where each part of a column is covered; nan where nothing is.
    """
    radius = width / 2
    reach = max(1, round(radius * _PARTS_PER_PIXEL))
    first = int(np.floor(x[0] - radius)) - 1
    columns = int(np.ceil(x[-1] + radius)) + 1 - first
    middles = first + (np.arange(columns * _PARTS_PER_PIXEL) + 0.5) / _PARTS_PER_PIXEL
    least, most = _extremes(x, y, middles)
    low = np.full(len(middles), np.nan)
    high = np.full(len(middles), np.nan)
    # A gap is so many middles away from one to its left and one to its right.
    for gap in range(reach):
        away = (gap + 0.5) / _PARTS_PER_PIXEL
        brush = np.sqrt(max(0.0, radius**2 - away**2))
        gaps = len(most) - gap
        sides = (
            (slice(gap + 1, None), slice(gaps)),
            (slice(gaps), slice(gap, None)),
        )
        for here, there in sides:
            low[here] = np.fmin(low[here], least[there] - brush)
            high[here] = np.fmax(high[here], most[there] + brush)
    return first, low.reshape(columns, _PARTS_PER_PIXEL), high.reshape(columns, _PARTS_PER_PIXEL)


def _extremes(x: Floats, y: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """Return the least and the greatest of a line between every two edges, nan where it is not."""
    y = np.where(np.isfinite(y), y, np.nan)
    between = np.interp(edges, x, y, left=np.nan, right=np.nan)
    left, right = between[:-1], between[1:]
    least, most = np.fmin(left, right), np.fmax(left, right)
    places = np.searchsorted(edges, x) - 1
    np.fmin.at(least, places, y)
    np.fmax.at(most, places, y)
    return least, most


def _covered(low: Floats, high: Floats) -> tuple[int, npt.NDArray[np.uint8]]:
    """Return the topmost row, and how much of each pixel from there on is covered, of 255."""
    seen = low < high  # nan is not
    top = int(np.floor(low.min(where=seen, initial=_FAR)))
    bottom = max(top, int(np.ceil(high.max(where=seen, initial=-_FAR))))
    columns = np.arange(len(low))[:, None]
    changes = np.zeros((bottom - top + 2) * len(low))
    for ends, sign in ((low, 1.0), (high, -1.0)):  # what is covered begins, and ends
        whole, rest = np.divmod(np.where(seen, ends, top) - top, 1.0)
        for row, share in ((whole, 1.0 - rest), (whole + 1, rest)):
            places = row.astype(np.int64) * len(low) + columns
            changes += np.bincount(places.ravel(), sign * share.ravel(), minlength=len(changes))
    cover = changes.reshape(-1, len(low)).cumsum(axis=0)[: bottom - top]
    return top, np.rint(cover * (255 / _PARTS_PER_PIXEL)).clip(0, 255).astype(np.uint8)


def _shades(colour: QColor) -> Shades:
    """Return a colour for each part of 255 that is covered, as premultiplied ARGB."""
    opaque = np.array([255, colour.red(), colour.green(), colour.blue()])
    channels = colour.alphaF() * opaque
    shared = np.rint(channels[:, None] * np.arange(256) / 255)
    alpha, red, green, blue = shared.astype(np.uint32)
    shades: Shades = alpha << 24 | red << 16 | green << 8 | blue
    return shades
