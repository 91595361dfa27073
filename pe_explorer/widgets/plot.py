"""Plots of whole positions: an image or curves, zoom and pan that ask the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem

from pe_explorer.widgets.badge import Badge
from pe_explorer.widgets.cell_image import CellImage, colour_table
from pe_explorer.widgets.colour_bar import ColourBar
from pe_explorer.widgets.device import pixel_ratio, thin_pen
from pe_explorer.widgets.hatching import Hatching
from pe_explorer.widgets.theme import colours

__all__ = ["ImagePlot", "Line", "RangePlot", "ZoomBox"]


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


class Line(pg.InfiniteLine):  # type: ignore[misc]
    """A line across the whole plot, hidden at first."""

    def __init__(self, angle: float) -> None:
        super().__init__(angle=angle, movable=False)
        self.hide()

    def viewTransformChanged(self) -> None:
        super().viewTransformChanged()
        self.boundingRect()  # now: while it is painted this would ask for another paint


class _CursorLine(Line):
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


class RangePlot(pg.GraphicsWidget):  # type: ignore[misc]
    """A box with exact axes, a cursor, and a lighter mark where the mouse points.

    It has no more than it shows; a `pyqtgraph.PlotItem` makes a menu of forty controls and axes
    at all four sides first.
    """

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, *, down: bool) -> None:
        super().__init__()
        self.box = ZoomBox()
        self.box.invertY(down)
        self.left, self.bottom = left, bottom
        self.grid = QGraphicsGridLayout(self)
        self.grid.setSpacing(0)
        self.grid.addItem(self.box, 0, 1)
        for axis, row, column in ((left, 0, 0), (bottom, 1, 1)):
            axis.linkToView(self.box)
            axis.setZValue(0.5)  # above images
            self.grid.addItem(axis, row, column)
        self._range = QRectF()
        self.badge = Badge(self.box)
        """What a pixel shows that stands for many positions."""
        self.across = _CursorLine(0)
        self.upright = _CursorLine(90)
        self.preview_across = _PreviewLine(0)
        self.preview_upright = _PreviewLine(90)
        for line in (self.across, self.upright, self.preview_across, self.preview_upright):
            line.setZValue(10)
            self.add(line)

    def add(self, item: QGraphicsItem) -> None:
        """Draw an item in the coordinates of the axes."""
        self.box.addItem(item, ignoreBounds=True)

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
        self.badge.dress(palette)


def _place(line: Line, value: float | None) -> None:
    line.setVisible(value is not None)
    if value is not None:
        line.setPos(value)


class ImagePlot(RangePlot):
    """An image of colour indices with a colour bar."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem) -> None:
        super().__init__(left, bottom, down=True)
        self.image = CellImage()
        self.add(self.image)
        self.hatching = Hatching()
        """Where there are no rows to show."""
        self.add(self.hatching)
        self.bar = ColourBar()
        self.grid.addItem(self.bar, 0, 2)
        self.grid.setColumnFixedWidth(2, self.bar.room)

    @property
    def around(self) -> QSizeF:
        """What axes and colour bar take of the width and of the height."""
        return QSizeF(self.left.maximumWidth() + self.bar.room, self.bottom.maximumHeight())

    def show_image(
        self,
        indices: npt.NDArray[np.uint8],
        rect: QRectF,
        colour_map: str,
        levels: tuple[float, float],
    ) -> None:
        """Show indices made by `colour_indices` in a rectangle of the plot."""
        self.image.show_cells(indices, colour_table(colour_map), rect)
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
