"""Plots of whole positions: an image or curves, zoom and pan that ask the model."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtWidgets import QGraphicsSceneResizeEvent, QSizePolicy

from pe_explorer.colours import maps
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.widgets.axes import ValueAxis
from pe_explorer.widgets.device import by_device_pixels, pixel_ratio, thin_pen
from pe_explorer.widgets.hatching import Hatching
from pe_explorer.widgets.theme import colours

__all__ = ["ColourBar", "ImagePlot", "RangePlot", "ZoomBox"]


_WHEEL_STEP = 0.8
_LARGEST = 1e308  # value that can be shown; left to itself a view box would end at a tenth of it


class ZoomBox(pg.ViewBox):  # type: ignore[misc]
    """A view box that signals what the mouse asks for, and does not change its range itself."""

    zoom_asked = Signal(float, float, float, object)
    """factor, then the anchor as fractions across and down the box, and the modifiers."""
    pan_asked = Signal(float, float)
    """How far to the right and down the picture was dragged, as fractions of the box."""
    pointed = Signal(float, float)
    """The mouse is at these coordinates of the plot."""
    left = Signal()
    """It is no longer over the plot."""
    picked = Signal(float, float)
    """It was clicked there."""
    chosen = Signal(float, float)
    """It was double-clicked there."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self.setLimits(yMin=-_LARGEST, yMax=_LARGEST)

    def paint(self, painter: QPainter, *args: Any) -> None:
        """Draw the outer half of the frame; pyqtgraph's is half a pixel beside the inner one."""
        painter.setPen(self.border)
        painter.drawRect(self.rect())

    def wheelEvent(self, ev: Any, axis: int | None = None) -> None:
        steps = ev.delta() / 120
        place = self._fraction(ev.pos())
        self.zoom_asked.emit(_WHEEL_STEP**steps, place.x(), place.y(), ev.modifiers())
        ev.accept()

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        moved = self._fraction(ev.pos()) - self._fraction(ev.lastPos())
        self.pan_asked.emit(moved.x(), moved.y())
        ev.accept()

    def hoverEvent(self, ev: Any) -> None:
        if ev.isExit():
            self.left.emit()
        else:
            point = self.mapToView(ev.pos())
            self.pointed.emit(point.x(), point.y())

    def mouseClickEvent(self, ev: Any) -> None:
        if ev.button() == Qt.MouseButton.LeftButton:
            point = self.mapToView(ev.pos())
            signal = self.chosen if ev.double() else self.picked
            signal.emit(point.x(), point.y())
            ev.accept()

    def _fraction(self, point: QPointF) -> QPointF:
        width, height = max(1.0, self.width()), max(1.0, self.height())
        return QPointF(point.x() / width, point.y() / height)


class _CursorLine(pg.InfiniteLine):  # type: ignore[misc]
    """A line that can be seen on every colour: dark dashes on a light one."""

    _LIGHT, _DARK, _DASH = "#ffffff", "#000000", (3, 3)

    def paint(self, painter: QPainter, *args: Any) -> None:
        ratio = pixel_ratio(painter)
        dashes = {"style": Qt.PenStyle.CustomDashLine, "dash": self._DASH}
        self.currentPen = thin_pen(self._LIGHT, ratio)
        super().paint(painter, *args)
        self.currentPen = thin_pen(self._DARK, ratio, **dashes)
        super().paint(painter, *args)


class _PreviewLine(_CursorLine):
    """A line that can be seen, but lets more of the picture through than that of the cursor."""

    _LIGHT, _DARK, _DASH = "#ffffff80", "#00000080", (1, 3)


def _drop_menu(plot: Any) -> None:
    """Delete the menu that pyqtgraph makes: nobody opens it, and it would outlive the plot."""
    shiboken6.delete(plot.ctrlMenu)
    plot.ctrlMenu, plot.subMenus = None, []


class RangePlot(pg.PlotItem):  # type: ignore[misc]
    """A plot with exact axes, a cursor, and a lighter mark where the mouse points."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, *, down: bool) -> None:
        self.box = ZoomBox()
        super().__init__(
            viewBox=self.box, axisItems={"left": left, "bottom": bottom}, enableMenu=False
        )
        self.hideButtons()
        _drop_menu(self)
        self.box.invertY(down)
        self.box.setDefaultPadding(0.0)
        self.left, self.bottom = left, bottom
        # Or hidden axes would lay out their labels at every change of the range.
        for hidden in ("top", "right"):
            self.getAxis(hidden).enableAutoSIPrefix(False)
        self._range = QRectF()
        self.across = _CursorLine(angle=0, movable=False)
        self.upright = _CursorLine(angle=90, movable=False)
        self.preview_across = _PreviewLine(angle=0, movable=False)
        self.preview_upright = _PreviewLine(angle=90, movable=False)
        for line in (self.across, self.upright, self.preview_across, self.preview_upright):
            line.hide()
            line.setZValue(10)
            self.addItem(line, ignoreBounds=True)

    def set_range(
        self, width: float, height: float, low: float = -0.5, bottom: float = -0.5
    ) -> None:
        """Show `width` x `height` cells; by default the first are centred on 0."""
        wanted = QRectF(low, bottom, width, height)
        if wanted != self._range:  # to set it again would lay the axes out again
            self._range = wanted
            self.box.setRange(wanted, padding=0, disableAutoRange=True)
            self.box.updateMatrix()  # now: while it is painted this would ask for another paint

    def set_cursor(self, x: float | None, y: float | None) -> None:
        """Mark a place, or none."""
        _place(self.upright, x)
        _place(self.across, y)

    def set_preview(self, x: float | None, y: float | None) -> None:
        """Mark a place that is pointed at, or none."""
        _place(self.preview_upright, x)
        _place(self.preview_across, y)

    def dress(self, palette: QPalette, ratio: float) -> None:
        """Take the colours of a palette, and lines for a ratio of device pixels to pixels."""
        c = colours(palette)
        for axis in (self.left, self.bottom):
            axis.setPen(thin_pen(c.line, ratio))
            axis.setTextPen(pg.mkPen(c.muted))
        self.box.setBorder(thin_pen(c.line, ratio))


def _place(line: pg.InfiniteLine, value: float | None) -> None:
    line.setVisible(value is not None)
    if value is not None:
        line.setPos(value)


class _CellImage(pg.GraphicsObject):  # type: ignore[misc]
    """Cells of colour, each device pixel from the cell that its middle lies in.

    The picture is made at the size of the screen and copied there unscaled, which is both
    sharper and faster than to let the painter scale it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._cells: npt.NDArray[np.uint32] = np.zeros((1, 1), dtype=np.uint32)
        self._rect = self._place = QRectF()  # in the plot, and in device pixels
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

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, *args: Any) -> None:
        try:
            self._paint(painter)
        except Exception:  # an exception that leaves paint() can end the process
            logging.getLogger(__name__).exception("a picture could not be painted")

    def _paint(self, painter: QPainter) -> None:
        with by_device_pixels(painter) as to_device:
            place = to_device.mapRect(self._rect)
            if self._scaled is None or place != self._place:
                self._place, self._scaled = place, self._scale(place)
            corner = QPoint(round(place.left()), round(place.top()))
            painter.drawImage(corner, self._scaled)

    def _scale(self, place: QRectF) -> QImage:
        rows, columns = self._cells.shape
        across = _copies(columns, place.left(), place.right())
        down = _copies(rows, place.top(), place.bottom())
        widened = np.repeat(self._cells, across, axis=1)
        self._pixels = np.repeat(widened, down, axis=0)
        height, width = self._pixels.shape
        return QImage(self._pixels.data, width, height, 4 * width, self._format)


def _copies(cells: int, low: float, high: float) -> npt.NDArray[np.int64]:
    """Return how many pixels have their middle in each of the equal cells from `low` to `high`."""
    places = np.rint(np.linspace(low, high, cells + 1))
    edges: npt.NDArray[np.int64] = places.astype(np.int64)
    return edges[1:] - edges[:-1]


class ImagePlot(RangePlot):
    """An image of colour indices with a colour bar."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem) -> None:
        super().__init__(left, bottom, down=True)
        self.image = _CellImage()
        self.addItem(self.image, ignoreBounds=True)
        self.hatching = Hatching()
        """Where there are no rows to show."""
        self.addItem(self.hatching, ignoreBounds=True)
        self.bar = ColourBar()
        self.layout.addItem(self.bar, 2, 4)
        self.layout.setColumnFixedWidth(4, ColourBar.WIDTH)

    def show_image(
        self,
        indices: npt.NDArray[np.uint8],
        rect: QRectF,
        colour_map: str,
        levels: tuple[float, float],
    ) -> None:
        """Show indices made by `colour_indices` in a rectangle of the plot."""
        self.image.show_cells(indices, _table(colour_map), rect)
        self.image.show()
        self.bar.show_scale(colour_map, levels)

    def show_nothing(self) -> None:
        """Show neither image nor colour bar, and nothing hatched."""
        self.hatching.show_rects(())
        self.image.hide()
        self.bar.hide()

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.hatching.dress(colours(palette).line)
        self.bar.dress(palette, ratio)


@cache
def _table(colour_map: str) -> npt.NDArray[np.uint32]:
    """Return the 255 colours of a map, then the transparent `NO_VALUE`, as premultiplied ARGB."""
    red, green, blue = maps.table(colour_map, NO_VALUE).astype(np.uint32).T
    opaque = 255 << 24 | red << 16 | green << 8 | blue
    transparent = 0
    return np.append(opaque, transparent).astype(np.uint32)


class ColourBar(pg.GraphicsWidget):  # type: ignore[misc]
    """A strip of the colours beside the numbers that they stand for."""

    WIDTH = 76
    _GAP, _STRIP = 6, 12

    def __init__(self) -> None:
        super().__init__()
        self.axis = ValueAxis("right")
        self.axis.setParentItem(self)
        self._strip = _CellImage()
        self._strip.setParentItem(self)
        self._scale: tuple[str, tuple[float, float]] | None = None
        self._make_room()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def show_scale(self, colour_map: str, levels: tuple[float, float]) -> None:
        """Show a colour map from one level to the other."""
        if (colour_map, levels) != self._scale:
            self._scale = (colour_map, levels)
            self.axis.setRange(*levels)
            self._place()
        if not self.isVisible():
            self.show()
            self._make_room()  # an axis that was dressed while it was hidden has given up its width

    def dress(self, palette: QPalette, ratio: float) -> None:
        """Take the colours of a palette, and lines for a ratio of device pixels to pixels."""
        c = colours(palette)
        self.axis.setPen(thin_pen(c.line, ratio))
        self.axis.setTextPen(pg.mkPen(c.muted))

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._place()

    def _make_room(self) -> None:
        """Give the numbers their width, or the axis would leave out the wide ones."""
        self.axis.setWidth(self.WIDTH - self._GAP - self._STRIP)
        self._place()

    def _place(self) -> None:
        height = self.size().height()
        if self._scale is not None:
            shades = np.arange(NO_VALUE, dtype=np.uint8)[::-1, None]
            strip = QRectF(self._GAP, 0, self._STRIP, height)
            self._strip.show_cells(shades, _table(self._scale[0]), strip)
        left = self._GAP + self._STRIP
        self.axis.setGeometry(QRectF(left, 0, self.WIDTH - left, height))
