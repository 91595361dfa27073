"""Parts of a plot that are set apart: quiet diagonal lines, or another ground."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPainter

from pe_explorer.pictures.pixels import nearest_pixel
from pe_explorer.widgets.painting import by_device_pixels, guarded, pixel_ratio, thin_pen

_GAP = 7  # pixels between two lines, along an edge


class Hatching(pg.GraphicsObject):  # type: ignore[misc]
    """Rectangles of a plot, filled with lines that are as far apart at any zoom and scale."""

    def __init__(self) -> None:
        super().__init__()
        self.rects: tuple[QRectF, ...] = ()
        """What is hatched."""
        self._colour = "#808080"

    def show_rects(self, rects: Sequence[QRectF]) -> None:
        """Hatch rectangles of the plot; empty ones are left out."""
        wanted = tuple(rect for rect in rects if not rect.isEmpty())
        if wanted != self.rects:
            self.prepareGeometryChange()
            self.rects = wanted
            self.update()

    def dress(self, colour: str) -> None:
        """Take another colour."""
        self._colour = colour
        self.update()

    def boundingRect(self) -> QRectF:
        whole = QRectF()
        for rect in self.rects:
            whole = whole.united(rect)
        return whole

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        ratio = pixel_ratio(painter)
        with by_device_pixels(painter) as to_device:
            painter.setPen(thin_pen(self._colour, ratio))
            for rect in self.rects:
                place = to_device.mapRect(rect)
                painter.setClipRect(place)
                painter.drawLines(_lines(place, _GAP * ratio))


class Shading(Hatching):
    """Rectangles of a plot with a ground of their own, below all that is drawn there."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(-2)

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        with by_device_pixels(painter) as to_device:
            for rect in self.rects:  # those beside each other have no gap between them
                place = to_device.mapRect(rect)
                left, top = nearest_pixel(place.left()), nearest_pixel(place.top())
                width = nearest_pixel(place.right()) - left
                height = nearest_pixel(place.bottom()) - top
                painter.fillRect(left, top, width, height, QColor(self._colour))


def _lines(place: QRectF, gap: float) -> list[QLineF]:
    """Return lines from bottom left to top right that cover a place and align across places."""
    first = math.floor((place.left() + place.top()) / gap)
    last = math.ceil((place.right() + place.bottom()) / gap)
    top, bottom = place.top(), place.bottom()
    lines = []
    for number in range(first, last + 1):
        start = number * gap
        lines.append(QLineF(start - top, top, start - bottom, bottom))
    return lines
