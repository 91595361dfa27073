"""What the mouse does over the clocks, as signals."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from pe_explorer.pictures.clock_face import Face

__all__ = ["ClockMouse"]

_NOTCH = 120  # of a wheel, in Qt's units


class ClockMouse(QWidget):
    """A widget with a page of clocks that signals what the mouse does over it."""

    pointed = Signal(int, object)
    """(clock, position or None): the mouse is over a clock, maybe near a point."""
    left = Signal()
    """The mouse is over no clock any more."""
    picked = Signal(int, object)
    """(clock, position or None): a clock was clicked, maybe near a point."""
    scrolled = Signal(int)
    """By how many rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.face: Face | None = None
        self._pressed: QPointF | None = None
        self._notches = 0.0

    def described(self, clock: int, where: QPointF) -> str:
        """Return the tooltip of a clock at a spot of it."""
        raise NotImplementedError

    def _at(self, where: QPointF) -> int | None:
        if self.face is None:
            return None
        return self.face.grid.at(where.x(), where.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not is_left or self._at(event.position()) is None:
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
            self._emit_at(self.picked, pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._at(event.position()) is None:
            self.unsetCursor()
            self.left.emit()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self._emit_at(self.pointed, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def _emit_at(self, signal: SignalInstance, where: QPointF) -> None:
        """Emit which clock is at a spot, and the position of the point there, if there is one."""
        clock = self._at(where)
        if self.face is not None and clock is not None:
            point = self.face.point_at(clock, where.x(), where.y())
            position = None if point is None else int(self.face.positions[point])
            signal.emit(clock, position)

    def wheelEvent(self, event: QWheelEvent) -> None:
        grid = self.face.grid if self.face is not None else None
        if grid is None or grid.shown == grid.pairs or not grid.in_a_row:
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
            self._show_tooltip(event)
            return True
        return super().event(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        where = QPointF(event.pos())
        clock = self._at(where)
        if self.face is None or clock is None:
            QToolTip.hideText()
            return
        area = QRectF(*self.face.grid.cell(clock)).toRect()
        QToolTip.showText(event.globalPos(), self.described(clock, where), self, area)
