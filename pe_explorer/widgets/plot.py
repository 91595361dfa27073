"""Plots of whole positions: an image or curves, zoom and pan that ask the model."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem

from pe_explorer.widgets.badge import Badge
from pe_explorer.widgets.cell_image import CellImage, colour_table
from pe_explorer.widgets.cell_numbers import CellNumbers
from pe_explorer.widgets.colour_bar import ColourBar
from pe_explorer.widgets.hatching import Hatching
from pe_explorer.widgets.painting import pixel_ratio, thin_pen
from pe_explorer.widgets.theme import colours

_WHEEL_STEP = 0.8  # factor of the range for a notch of the wheel
_BAR_BELOW = (False, True)  # both places of a colour bar: beside the image, below it
_HEADING, _BOX, _AXIS, _BELOW = range(4)  # rows of the grid; the last has a bar below the image
_NO_BAR = 10  # pixels right of an image without a colour bar, for a half of the last number
_OVER_IMAGES = 0.25  # the z value of what lies over images
_OVER_BOX = 4.0  # pixels between a heading and the plot
_LABEL_OPACITY = 160  # of 255
FIRST_LABEL, LABEL_STEP = 10.0, 17.0
"""Pixels from the top of a plot to the labels of lines, and from one to the next."""
_LARGEST = 1e308  # value shown; by default, a view box ends at a tenth of it


class ZoomBox(pg.ViewBox):  # type: ignore[misc]
    """A view box that signals what the mouse asks for, and does not change its range itself."""

    zoom_asked = Signal(float, float, float, object)
    """factor, then the anchor as fractions across and down the box, and the modifiers."""
    pan_asked = Signal(float, float)
    """How far to the right and down the picture was dragged, as fractions of the box."""
    pointed = Signal(float, float)
    """The mouse is at these coordinates of the plot."""
    left = Signal()
    """The mouse has left the plot."""
    picked = Signal(float, float)
    """The plot was clicked at these coordinates."""
    chosen = Signal(float, float)
    """The plot was double-clicked at these coordinates."""

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


class PlotLine(pg.InfiniteLine):  # type: ignore[misc]
    """A line across the whole plot, hidden at first."""

    def __init__(self, angle: float) -> None:
        super().__init__(angle=angle, movable=False)
        self.hide()

    def viewTransformChanged(self) -> None:
        super().viewTransformChanged()
        self.boundingRect()  # now: while it is painted this would ask for another paint


def dress_label(label: pg.TextItem, palette: QPalette) -> None:
    """Give a label the colours of a palette, on a ground that lets through what lies behind."""
    shades = colours(palette)
    ground = QColor(shades.base)
    ground.setAlpha(_LABEL_OPACITY)
    label.fill = pg.mkBrush(ground)
    label.setColor(shades.text)


class _CursorLine(PlotLine):
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


class Heading(pg.GraphicsWidget):  # type: ignore[misc]
    """A line of text above a plot, cut where it is longer than the plot is wide."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._colour = QColor()

    def show_text(self, text: str) -> None:
        """Show another text; an empty one takes no room."""
        if text != self.text:
            self.text = text
            self.setVisible(bool(text))
            self.update()

    @property
    def room(self) -> float:
        """The height that it takes."""
        return self._metrics.lineSpacing() + _OVER_BOX if self.text else 0.0

    @property
    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    def paint(self, painter: QPainter, *args: Any) -> None:
        """Draw the text in the middle."""
        area = self.rect()
        text = self._metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, area.width())
        painter.setFont(self.font())
        painter.setPen(self._colour)
        painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)

    def dress(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        self._colour = QColor(colours(palette).text)
        self.update()


class RangePlot(pg.GraphicsWidget):  # type: ignore[misc]
    """A box with exact axes, a cursor, and a lighter mark where the mouse points.

    It has no more than it shows; a `pyqtgraph.PlotItem` makes a menu of forty controls and axes
    at all four sides first.
    """

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, *, down: bool = False) -> None:
        super().__init__()
        self.box = ZoomBox()
        self.box.invertY(down)
        self.left, self.bottom = left, bottom
        self.grid = QGraphicsGridLayout(self)
        self.grid.setSpacing(0)
        self.grid.addItem(self.box, _BOX, 1)
        self.heading: Heading | None = None
        self._palette: QPalette | None = None
        for axis, row, column in ((left, _BOX, 0), (bottom, _AXIS, 1)):
            axis.linkToView(self.box)
            axis.setZValue(2 * _OVER_IMAGES)
            self.grid.addItem(axis, row, column)
        self._range = QRectF()
        self.hatching = Hatching()
        """Where there are no rows to show."""
        self.hatching.setZValue(_OVER_IMAGES)
        self.add(self.hatching)
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

    def count_down(self, down: bool) -> None:
        """Have numbers grow downwards, or upwards."""
        if self.box.yInverted() != down:
            self.box.invertY(down)
            self.box.updateMatrix()  # now: while it is painted this would ask for another paint

    def show_heading(self, text: str) -> None:
        """Write above the plot what it is of; an empty text takes no room."""
        if self.heading is None:
            if not text:
                return
            self.heading = Heading()
            if self._palette is not None:
                self.heading.dress(self._palette)
            self.grid.addItem(self.heading, _HEADING, 1)
        self.heading.show_text(text)
        self.grid.setRowFixedHeight(_HEADING, self.heading.room)

    def show_numbers(self, shown: bool) -> None:
        """Write numbers at the axes, or none, as of an empty plot they would mean nothing."""
        self.left.show_numbers(shown)
        self.bottom.show_numbers(shown)

    def set_cursor(self, x: float | None, y: float | None) -> None:
        """Mark a place, or none."""
        _place(self.upright, x)
        _place(self.across, y)

    def set_preview(self, x: float | None, y: float | None) -> None:
        """Mark a place that is pointed at, or none."""
        _place(self.preview_upright, x)
        _place(self.preview_across, y)

    def release(self) -> None:
        """Free what was made only for the screen, as the plot is hidden."""

    def dress(self, palette: QPalette, ratio: float) -> None:
        """Take the colours of a palette, and lines for a ratio of device pixels to pixels."""
        self._palette = palette
        c = colours(palette)
        for axis in (self.left, self.bottom):
            axis.setPen(thin_pen(c.line, ratio))
            axis.setTextPen(pg.mkPen(c.muted))
        self.box.setBorder(thin_pen(c.line, ratio))
        self.hatching.dress(c.line)
        self.badge.dress(palette)
        if self.heading is not None:
            self.heading.dress(palette)


def _place(line: PlotLine, value: float | None) -> None:
    line.setVisible(value is not None)
    if value is not None:
        line.setPos(value)


class BarPlot(RangePlot):
    """A plot with a colour bar beside it."""

    def __init__(
        self, left: pg.AxisItem, bottom: pg.AxisItem, bar: ColourBar, *, down: bool
    ) -> None:
        super().__init__(left, bottom, down=down)
        self.bar = bar
        self._has_bar, self._bar_below = True, False
        self.grid.addItem(bar, _BOX, 2)
        self.make_room_for_bar()

    def make_room_for_bar(self) -> None:
        """Keep as much of the width, or below the image of the height, as the bar takes."""
        has_right, has_below = (self._has_bar and self._bar_below is below for below in _BAR_BELOW)
        self.grid.setColumnFixedWidth(2, self.bar.room if has_right else _NO_BAR)
        if has_below or self.grid.rowCount() > _BELOW:
            self.grid.setRowFixedHeight(_BELOW, self.bar.room_below if has_below else 0)

    @property
    def around(self) -> QSizeF:
        """What axes and colour bar take of the width and of the height."""
        return self._around(self._bar_below)

    def _around(self, bar_below: bool) -> QSizeF:
        width, height = self.left.maximumWidth(), self.bottom.maximumHeight()
        height += self.heading.room if self.heading else 0.0
        if not self._has_bar:
            return QSizeF(width + _NO_BAR, height)
        if bar_below:
            return QSizeF(width + _NO_BAR, height + self.bar.room_below)
        return QSizeF(width + self.bar.room, height)

    def square_in(self, room: QSizeF) -> float:
        """Return the side of the largest square that a room for axes, bar and image leaves."""
        return max(self._squares(room))

    def _squares(self, room: QSizeF) -> list[float]:
        return [
            min(room.width() - around.width(), room.height() - around.height())
            for around in map(self._around, _BAR_BELOW)
        ]

    def place_bar(self, room: QSizeF) -> None:
        """Put the bar where it leaves the largest square in a room for axes, bar and image."""
        sides = self._squares(room)
        below = sides[True] > sides[False]
        if below != self._bar_below:
            self._bar_below = below
            self.bar.lie_below(below)
            self.grid.addItem(self.bar, *((_BELOW, 1) if below else (_BOX, 2)))
            self.make_room_for_bar()

    def show_bar(self, shown: bool) -> None:
        """Show the colour bar, or leave its place to the image."""
        if shown != self._has_bar:
            self._has_bar = shown
            self.bar.setMinimumSize(0, 0)  # or what is hidden would keep some of its place
            self.bar.setPreferredWidth(self.bar.room if shown else _NO_BAR)
            self.make_room_for_bar()
        if not shown:
            self.bar.hide()

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.bar.dress(palette, ratio)


class ImagePlot(BarPlot):
    """An image of colour indices with a colour bar."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, *, down: bool = True) -> None:
        super().__init__(left, bottom, ColourBar(), down=down)
        self.image = CellImage()
        self.add(self.image)
        self.numbers = CellNumbers()
        self.add(self.numbers)

    def release(self) -> None:
        self.image.release()

    def show_image(
        self,
        indices: npt.NDArray[np.uint8],
        rect: QRectF,
        colour_map: str,
        limits: tuple[float, float],
    ) -> None:
        """Show indices made by `colour_indices` in a rectangle of the plot, from its first row."""
        downwards = indices if self.box.yInverted() else indices[::-1]
        self.image.show_cells(downwards, colour_table(colour_map), rect)
        self.image.show()
        if self._has_bar:
            self.bar.show_scale(colour_map, limits)

    def show_nothing(self) -> None:
        """Show neither image nor colour bar."""
        self.image.hide()
        self.bar.hide()
