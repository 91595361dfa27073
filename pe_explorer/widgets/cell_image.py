"""Cells of colour at the size of the screen, in a plot or in its colour bar."""

from functools import cache

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QImage, QPainter

from pe_explorer.arrays import Ints
from pe_explorer.colours import maps
from pe_explorer.pictures.pixels import NO_VALUE, edges_across, edges_down, nearest_pixel
from pe_explorer.widgets.painting import by_device_pixels, guarded


class CellImage(pg.GraphicsObject):  # type: ignore[misc]
    """Cells of colour, each device pixel from the cell that its middle lies in.

    The picture is made at the size of the screen and copied there unscaled, which is both
    sharper and faster than to let the painter scale it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._cells: npt.NDArray[np.uint32] = np.zeros((1, 1), dtype=np.uint32)
        self._rect = self._place = QRectF()  # in the plot, and in device pixels
        self._corner = QPoint()
        self._format = QImage.Format.Format_RGB32
        self._scaled: QImage | None = None
        self._pixels: npt.NDArray[np.uint32] | None = None  # the memory of `_scaled`

    def show_cells(
        self, indices: npt.NDArray[np.uint8], table: npt.NDArray[np.uint32], rect: QRectF
    ) -> None:
        """Show colour indices in a rectangle of the plot; `table` has 256 premultiplied colours."""
        self._cells = table.take(indices)
        self._scaled = None
        self._format = QImage.Format.Format_RGB32  # is copied without blending
        if int(indices.max(initial=0)) == NO_VALUE:
            self._format = QImage.Format.Format_ARGB32_Premultiplied
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        self.update()

    def release(self) -> None:
        """Free the picture, which may take megabytes; it is made again to be painted."""
        self._scaled = self._pixels = None

    def boundingRect(self) -> QRectF:
        return self._rect

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        with by_device_pixels(painter) as to_device:
            place = to_device.mapRect(self._rect)
            if self._scaled is None or place != self._place:
                self._place, self._scaled = place, self._scale(place)
            painter.drawImage(self._corner, self._scaled)

    def _scale(self, place: QRectF) -> QImage:
        self._corner, down, across = pixels_of(self._cells.shape, place)
        widened = self._cells.take(across, axis=1)
        shape = height, width = len(down), len(across)
        if self._pixels is None or self._pixels.shape != shape:
            self._pixels = np.empty(shape, dtype=np.uint32)
        # The same memory again: what is new to the process costs more than to fill it.
        np.take(widened, down, axis=0, out=self._pixels, mode="clip")
        return QImage(self._pixels.data, width, height, 4 * width, self._format)


def pixels_of(shape: tuple[int, ...], place: QRectF) -> tuple[QPoint, Ints, Ints]:
    """Return where cells begin, in device pixels, and of which row and column each pixel is."""
    rows, columns = shape[:2]
    down = np.diff(edges_down(rows, place.top(), place.bottom()))
    across = np.diff(edges_across(columns, place.left(), place.right()))
    corner = QPoint(nearest_pixel(place.left()), nearest_pixel(place.top()))
    return corner, np.repeat(np.arange(rows), down), np.repeat(np.arange(columns), across)


@cache
def colour_table(colour_map: str) -> npt.NDArray[np.uint32]:
    """Return the 255 colours of a map, then the transparent `NO_VALUE`, as premultiplied ARGB."""
    return packed(maps.table(colour_map, NO_VALUE))


def packed(colours: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint32]:
    """Return colours, shape (n, 3), then a transparent one, as premultiplied ARGB."""
    red, green, blue = colours.astype(np.uint32).T
    opaque = 255 << 24 | red << 16 | green << 8 | blue
    transparent = 0
    return np.append(opaque, transparent).astype(np.uint32)
