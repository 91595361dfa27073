"""Points in their order in a plot, in the colours of their order, and rings round two of them."""

from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPen, QPolygonF

from pe_explorer.arrays import Floats
from pe_explorer.colours import maps
from pe_explorer.pictures.trail import Trail
from pe_explorer.widgets.colour_bar import OrderBar
from pe_explorer.widgets.painting import by_device_pixels, guarded, pixel_ratio
from pe_explorer.widgets.plot import BarPlot
from pe_explorer.widgets.theme import colours

_MOST_PIXELS = 1 << 25  # of the image that is kept
_FARTHEST = 30_000.0  # pixels: Qt counts in 16 bits where it draws
_RING, _LINE = 3.0, 1.6  # pixels: between a point and its ring, and how wide the ring is


class TrailItem(pg.GraphicsObject):  # type: ignore[misc]
    """A line through points, a disc for each, and rings round those that are marked."""

    def __init__(self) -> None:
        super().__init__()
        self.trail: Trail | None = None
        self.marked: tuple[int | None, int | None] = (None, None)
        """The points of the cursor, and of what the mouse points at."""
        self._rect = QRectF()
        self.order = maps.order_table(on_dark=False)
        """The colours from the first point to the last."""
        self._cursor = self._muted = QColor()
        self._image: QImage | None = None
        self._drawn_for = QRect(), 0.0

    def show_points(self, trail: Trail | None, rect: QRectF) -> None:
        """Show points in a rectangle of the plot."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        self.trail, self.marked, self._image = trail, (None, None), None
        self.update()

    def mark(self, cursor: int | None, preview: int | None) -> None:
        """Draw a ring round two points, or none."""
        if (cursor, preview) != self.marked:
            self.marked = cursor, preview
            self.update()

    def dress(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        c = colours(palette)
        self._cursor, self._muted = QColor(c.cursor), QColor(c.muted)
        self.order = maps.order_table(on_dark=QColor(c.base).lightness() < 128)
        self._image = None
        self.update()

    def release(self) -> None:
        """Free the image; it is made again to be painted."""
        self._image = None

    def boundingRect(self) -> QRectF:
        return self._rect

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        if self.trail is None or not self.trail.visible:
            return
        ratio = pixel_ratio(painter)
        with by_device_pixels(painter) as to_device:
            across = _within_reach(self.trail.x * to_device.m11() + to_device.dx())
            down = _within_reach(self.trail.y * to_device.m22() + to_device.dy())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_points(painter, to_device.mapRect(self._rect), across, down, ratio)
            self._paint_rings(painter, self.trail, across, down, ratio)

    def _paint_points(
        self, painter: QPainter, area: QRectF, x: Floats, y: Floats, ratio: float
    ) -> None:
        """Paint lines and points, in device pixels, by an image: a ring that moves leaves it."""
        assert self.trail is not None
        # Until a plot is laid out, it may be many times as large as the screen.
        if not area.width() * area.height() <= _MOST_PIXELS:
            self._draw(painter, self.trail, x, y, ratio)
            return
        place = area.toAlignedRect()
        if place.isEmpty():
            return
        if self._image is None or (place, ratio) != self._drawn_for:
            self._image = QImage(place.size(), QImage.Format.Format_ARGB32_Premultiplied)
            self._image.fill(Qt.GlobalColor.transparent)
            self._drawn_for = place, ratio
            inside = QPainter(self._image)
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            inside.translate(-place.topLeft())
            self._draw(inside, self.trail, x, y, ratio)
            inside.end()
        painter.drawImage(place.topLeft(), self._image)

    def _draw(self, painter: QPainter, trail: Trail, x: Floats, y: Floats, ratio: float) -> None:
        for pen, points in self._parts(trail, x, y):
            pen.setWidthF(ratio)
            painter.setPen(pen)
            painter.drawPolyline(points)
        for pen, points in self._parts(trail, x, y):
            pen.setWidthF(2 * trail.radius * ratio)
            painter.setPen(pen)
            painter.drawPoints(points)

    def _parts(self, trail: Trail, x: Floats, y: Floats) -> Iterator[tuple[QPen, QPolygonF]]:
        """Yield a pen for each colour, and the points that it draws."""
        for shade, part in trail.parts(len(self.order)):
            pen = QPen(QColor(*self.order[shade].tolist()))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            yield pen, pg.functions.arrayToQPolygonF(x[part], y[part])

    def _paint_rings(
        self, painter: QPainter, trail: Trail, x: Floats, y: Floats, ratio: float
    ) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = (trail.radius + _RING) * ratio
        for place, colour in zip(self.marked, (self._cursor, self._muted), strict=True):
            if place is not None:
                painter.setPen(QPen(colour, _LINE * ratio))
                painter.drawEllipse(QPointF(x[place], y[place]), radius, radius)


def _within_reach(places: Floats) -> Floats:
    """Return places in pixels, none further away than Qt can draw lines to."""
    return np.clip(places, -_FARTHEST, _FARTHEST)


class TrailPlot(BarPlot):
    """Points in the plane in their order, with a bar of their colours."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem) -> None:
        self.order_bar = OrderBar()
        super().__init__(left, bottom, self.order_bar, down=False)
        self.item = TrailItem()
        self.add(self.item)

    def release(self) -> None:
        self.item.release()

    def show_trail(self, trail: Trail | None, rect: QRectF) -> None:
        """Show points in the range of the axes."""
        self.item.show_points(trail, rect)
        if trail is not None:
            self.order_bar.show_order(trail.counted, self.item.order)
            self.make_room_for_bar()

    def make_room_for(self, counted: tuple[str, int, int]) -> None:
        """Leave as much room to the bar as its numbers need."""
        self.order_bar.show_order(counted)
        self.make_room_for_bar()

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.item.dress(palette)
        if self.item.trail is not None:
            self.order_bar.show_order(self.item.trail.counted, self.item.order)
