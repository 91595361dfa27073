"""The area that shows the clocks: faces from a cached layer, hands and texts anew each frame."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from pe_explorer.colours import maps
from pe_explorer.colours.maps import ORDER_MAP
from pe_explorer.pictures.clock_face import Face, Grid, count_text, lengths, number, wave_texts
from pe_explorer.pictures.clock_pixels import splat
from pe_explorer.widgets.device import snap
from pe_explorer.widgets.theme import colours

__all__ = ["Canvas"]

_NEAR = 8.0  # pixels: a click this close to a point means the point
_NOTCH = 120  # of a wheel, in Qt's units
_TOO_DARK = 40  # colours of the map, of 256, that a dark ground swallows

Turns = tuple[int, float]


class Canvas(QWidget):
    """Draws a page of clocks, or a sentence, and tells what is clicked."""

    pointed = Signal(int, object)
    """(clock, position or None): the mouse is over a clock, maybe near a point."""
    left = Signal()
    """It is over no clock any more."""
    picked = Signal(int, object)
    """(clock, position or None): a clock was clicked, maybe near a point."""
    scrolled = Signal(int)
    """By how many rows."""
    restyled = Signal()
    """Colours or font are others."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Clock faces")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(120, 110))
        self.face: Face | None = None
        self.sentence = ""
        self.turns: Sequence[Turns] = ()
        self.marked: int | None = None
        self._preview: tuple[Sequence[float], int | None] = ((), None)
        self._pressed: QPointF | None = None
        self._position = 0
        self._labels: Sequence[str] = ()
        self._longest = 0  # characters below a clock
        self._points = QImage()
        self._layer: QImage | None = None
        self._ground: QImage | None = None
        self._ground_of: tuple[Grid, bool] | None = None
        self._notches = 0.0
        self._dress()

    def _dress(self) -> None:
        self._colours = colours(self.palette())
        self._layer = self._ground = None
        self._small = QFont(self.font())
        self._small.setPointSizeF(max(6.0, self.font().pointSizeF() * 0.84))
        dark = QColor(self._colours.base).lightness() < 128
        self._order = maps.table(ORDER_MAP)[_TOO_DARK if dark else 0 :]
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._dress()
            self.restyled.emit()

    def text_height(self, lines: int) -> float:
        """Return the height of some lines below a clock."""
        return math.ceil(lines * self._line_height) + 2

    @property
    def _line_height(self) -> float:
        return QFontMetricsF(self._small).height()

    def show_message(self, sentence: str) -> None:
        """Show a sentence and no clock."""
        self.face, self.sentence = None, sentence
        self.setAccessibleDescription(sentence)
        self.unsetCursor()
        self.update()

    def show_face(self, face: Face) -> None:
        """Show a page of clocks."""
        self.face, self.sentence = face, ""
        self.setAccessibleDescription(f"{face.grid.shown} of {face.grid.pairs} clocks")
        metrics = QFontMetricsF(self._small)
        room = (
            face.grid.width - 8
        )  # a little to spare: of texts of one length any may be the widest
        fitting = (
            texts
            for texts in wave_texts(face)
            if metrics.horizontalAdvance(max(texts, key=len)) <= room
        )
        self._labels = next(
            fitting, [str(face.grid.first + clock) for clock in range(face.grid.shown)]
        )
        self._longest = int(
            (room - metrics.horizontalAdvance(" turns")) / metrics.horizontalAdvance("0")
        ) + len(" turns")
        width, height = face.area.width, face.area.height
        # The image does not own its pixels.
        self._pixels = np.ascontiguousarray(splat(face, self._order, width, height))
        blended = QImage.Format.Format_ARGB32_Premultiplied
        self._points = QImage(self._pixels.data, width, height, 4 * width, blended)
        self._points.setDevicePixelRatio(face.grid.ratio)
        self._layer = None
        self.update()

    def set_hands(self, turns: Sequence[Turns], position: int, marked: int | None) -> None:
        """Show the hands after some turns, and mark one clock."""
        if (turns, position, marked) != (self.turns, self._position, self.marked):
            if marked != self.marked:
                self._layer = self._ground = None
            self.turns, self._position, self.marked = turns, position, marked
            self.update()

    def set_preview(self, parts: Sequence[float], clock: int | None) -> None:
        """Show lighter hands at parts of a turn, or none, and a frame round one clock."""
        if (parts, clock) != self._preview:
            self._preview = parts, clock
            self.update()

    # -- drawing -----------------------------------------------------------------------------

    def _composed(self, face: Face) -> QImage:
        """Return what stays the same from frame to frame: ground, mark, rims and points."""
        if self._ground is None or self._ground_of != (face.grid, face.clockwise):
            self._ground, self._ground_of = self._drawn_ground(face), (face.grid, face.clockwise)
        layer = self._ground.copy()
        painter = QPainter(layer)
        painter.drawImage(QPointF(0, 0), self._points)
        painter.end()
        return layer

    def _drawn_ground(self, face: Face) -> QImage:
        ground = QImage(self._points.size(), QImage.Format.Format_RGB32)
        ground.setDevicePixelRatio(face.grid.ratio)
        ground.fill(QColor(self._colours.base))
        painter = QPainter(ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.marked is not None:
            painter.setPen(QPen(QColor(self._colours.accent), 1.4))
            painter.setBrush(QColor(self._colours.raised))
            painter.drawRoundedRect(
                QRectF(*face.grid.cell(self.marked)).adjusted(1.5, 1.5, -1.5, -1.5), 6, 6
            )
        self._paint_rims(painter, face)
        painter.end()
        return ground

    def _paint_rims(self, painter: QPainter, face: Face) -> None:
        grid = face.grid
        quarters = [
            self._direction(face, quarter / 4) for quarter in range(4)
        ]  # the angle is zero at twelve, or at three
        ticks, zeros = [], []
        painter.setPen(QPen(QColor(self._colours.line), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for centre in (QPointF(*centre) for centre in grid.centres):
            painter.drawEllipse(centre, grid.radius, grid.radius)
            ticks += [
                QLineF(centre + out * (0.88 * grid.radius), centre + out * grid.radius)
                for out in quarters[1:]
            ]
            zeros.append(
                QLineF(
                    centre + quarters[0] * (grid.radius + grid.dot + 0.5),
                    centre + quarters[0] * grid.outer,
                )
            )
        painter.drawLines(ticks)
        painter.setPen(QPen(QColor(self._colours.text), 1.6))
        painter.drawLines(zeros)

    @staticmethod
    def _direction(face: Face, turn: float) -> QPointF:
        angle = 2 * math.pi * turn
        across, up = math.cos(angle), math.sin(angle)
        return QPointF(up, -across) if face.clockwise else QPointF(across, -up)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), QColor(self._colours.base))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.face is None:
                self._paint_sentence(painter)
            else:
                self._paint_clocks(painter, self.face)
        except Exception:  # nothing may leave a paint event
            logging.getLogger(__name__).exception("clocks could not be painted")
        finally:
            painter.end()

    def _paint_sentence(self, painter: QPainter) -> None:
        width = min(420.0, self.width() - 24.0)
        area = QRectF((self.width() - width) / 2, 8, width, self.height() - 16)
        painter.setPen(QColor(self._colours.muted))
        painter.drawText(
            area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.sentence
        )

    def _paint_clocks(self, painter: QPainter, face: Face) -> None:
        if self._layer is None:
            self._layer = self._composed(face)
        snap(painter)
        painter.drawImage(QPointF(0, 0), self._layer)
        self._paint_preview(painter, face)
        self._paint_hands(painter, face)
        self._paint_texts(painter, face)

    def _paint_hands(self, painter: QPainter, face: Face) -> None:
        grid = face.grid
        centres = [QPointF(*centre) for centre in grid.centres]
        directions = [self._direction(face, fraction) for _, fraction in self.turns]
        colour, ring = QColor(self._colours.cursor), grid.dot + 1.5
        painter.setPen(
            QPen(
                colour,
                min(max(grid.outer / 32, 1.4), 3.0),
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
            )
        )
        hands = zip(centres, directions, strict=False)
        painter.drawLines(
            [
                QLineF(centre, centre + direction * (grid.radius - ring))
                for centre, direction in hands
            ]
        )
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)  # the point below stays visible
        for centre, direction in zip(centres, directions, strict=False):
            painter.drawEllipse(centre + direction * grid.radius, ring, ring)

    def _paint_preview(self, painter: QPainter, face: Face) -> None:
        parts, clock = self._preview
        grid = face.grid
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if clock is not None and clock != self.marked:
            painter.setPen(QPen(QColor(self._colours.muted), 1.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(QRectF(*grid.cell(clock)).adjusted(1.5, 1.5, -1.5, -1.5), 6, 6)
        painter.setPen(QPen(QColor(self._colours.muted), 1.0))
        for (x, y), part in zip(grid.centres, parts, strict=False):
            centre, direction = QPointF(x, y), self._direction(face, part)
            painter.drawLine(centre, centre + direction * (grid.radius - grid.dot))
            painter.drawEllipse(centre + direction * grid.radius, grid.dot + 1.5, grid.dot + 1.5)

    def _paint_texts(self, painter: QPainter, face: Face) -> None:
        grid, line = face.grid, self._line_height
        painter.setFont(self._small)
        middle = (
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip
        )
        tops = [
            (grid.cell(clock)[0], grid.centres[clock][1] + grid.outer + 2)
            for clock in range(grid.shown)
        ]
        painter.setPen(QColor(self._colours.text))
        for (left, top), label in zip(tops, self._labels, strict=True):
            painter.drawText(QRectF(left, top, grid.width, line), middle, label)
        painter.setPen(QColor(self._colours.muted))
        for (left, top), (whole, fraction) in zip(tops, self.turns, strict=False):
            painter.drawText(
                QRectF(left, top + line, grid.width, line),
                middle,
                count_text(whole, fraction, self._longest),
            )

    # -- the mouse ---------------------------------------------------------------------------

    def _at(self, where: QPointF) -> int | None:
        return None if self.face is None else self.face.grid.at(where.x(), where.y())

    def _near(self, face: Face, clock: int, where: QPointF) -> int | None:
        """Return the place in `face.positions` of the point at a spot, if there is one."""
        x, y = face.grid.centres[clock]
        across, down = (where.x() - x) * face.grid.ratio, (where.y() - y) * face.grid.ratio
        far = np.hypot(face.x[:, clock] - across, face.y[:, clock] - down)
        nearest = int(far.argmin())
        return nearest if far[nearest] <= _NEAR * face.grid.ratio else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._at(event.position()) is None:
            event.ignore()
            return
        self._pressed = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            event.ignore()
            return
        moved = (event.position() - pressed).manhattanLength()
        if moved < QApplication.startDragDistance():
            self._tell(self.picked, pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._at(event.position()) is None:
            self.unsetCursor()
            self.left.emit()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self._tell(self.pointed, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def _tell(self, signal: SignalInstance, where: QPointF) -> None:
        """Tell which clock is at a spot, and the position of the point there, if there is one."""
        clock = self._at(where)
        if self.face is not None and clock is not None:
            near = self._near(self.face, clock, where)
            signal.emit(clock, None if near is None else int(self.face.positions[near]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.face is None or self.face.grid.shown == self.face.grid.pairs:
            event.ignore()
            return
        self._notches += event.angleDelta().y() / _NOTCH
        rows = int(self._notches)  # fine wheels and touchpads report parts of a notch
        self._notches -= rows
        if rows:
            self.scrolled.emit(-rows)
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            clock = self._at(QPointF(event.pos()))
            if self.face is not None and clock is not None:
                area = QRectF(*self.face.grid.cell(clock)).toRect()
                QToolTip.showText(
                    event.globalPos(), self.described(clock, QPointF(event.pos())), self, area
                )
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def described(self, clock: int, where: QPointF) -> str:
        """Return what can be read off a clock, and the point at a spot of it."""
        assert self.face is not None
        whole, fraction = self.turns[clock]
        lines = [
            f"Pair {self.face.grid.first + clock}: dimensions "
            f"{' and '.join(map(str, self.face.dimensions[clock]))}",
            f"Wavelength λ = {number(lengths(self.face)[clock], 7)} positions",
            f"Frequency ω = {self.face.frequencies[clock]:.6g} rad per position",
            f"Angle at position {self._position:,}: {fraction * 360:.2f}° after {whole:,} turns",
        ]
        near = self._near(self.face, clock, where)
        if near is not None:
            x, y = float(self.face.x[near, clock]), -float(self.face.y[near, clock])
            angle = (
                math.degrees(math.atan2(x, y) if self.face.clockwise else math.atan2(y, x)) % 360
            )
            lines.append(f"This point: position {self.face.positions[near]:,}, {angle:.1f}°")
        return "\n".join(lines)
