"""Signals for mouse events over the clocks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.pictures.clock_face import Face

_NOTCH = 120  # angle of one wheel notch in Qt's units


class ClockMouse(QWidget):
    """A page of clocks with signals for mouse events."""

    pointed = Signal(int, object)
    """(clock, position or None): the mouse is over a clock, perhaps near a point."""
    left = Signal()
    """The mouse has left the clocks."""
    picked = Signal(int, object)
    """(clock, position or None): a clock was clicked, perhaps near a point."""
    scrolled = Signal(int)
    """Scroll by a number of pairs."""
    grabbed = Signal(int)
    """A drag of the hand of a clock has begun."""
    turned = Signal(float)
    """The turns by which the hand has been dragged."""
    dropped = Signal()
    """The drag of the hand has ended."""

    # Set on the class, because Qt may call hideEvent before __init__ ends.
    _drag: _HandDrag | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.face: Face | None = None
        self.scale = 1.0
        """Pixels of the screen per pixel of the face."""
        self.corner = QPointF()
        """The corner of the face in the widget, less than a pixel from the corner of the widget."""
        self._pressed: QPointF | None = None
        self._notches = 0.0

    def hand_at(self, where: QPointF) -> int | None:
        """Return the clock whose hand is at a point, or None."""
        raise NotImplementedError

    def _place(self, event: QMouseEvent) -> QPointF:
        return (event.position() - self.corner) * (1 / self.scale)

    def _at(self, where: QPointF) -> int | None:
        if self.face is None:
            return None
        return self.face.grid.at(where.x(), where.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not is_left or self._at(self._place(event)) is None:
            event.ignore()
            return
        self._pressed = self._place(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if self._drag is not None:
            self.drop()
            return
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            event.ignore()
            return
        moved = (self._place(event) - pressed).manhattanLength()
        if moved < QApplication.startDragDistance():
            self._emit_at(self.picked, pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = self._place(event)
        if self._pressed is not None and self._drag is None:
            self._grab(self._pressed, where)
        if self._drag is not None:
            self._drag.move(where)
            self.turned.emit(self._drag.turns)
        elif self._at(where) is None:
            self.unsetCursor()
            self.left.emit()
        else:
            on_hand = self.hand_at(where) is not None
            shapes = Qt.CursorShape
            self.setCursor(shapes.OpenHandCursor if on_hand else shapes.PointingHandCursor)
            self._emit_at(self.pointed, where)

    def _grab(self, pressed: QPointF, where: QPointF) -> None:
        clock = self.hand_at(pressed)
        is_near = (where - pressed).manhattanLength() < QApplication.startDragDistance()
        if self.face is not None and clock is not None and not is_near:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._drag = _HandDrag(self.face, clock, pressed)
            self.grabbed.emit(clock)

    def drop(self) -> None:
        """End the drag of a hand, if there is a drag."""
        if self._drag is not None:
            self._drag = self._pressed = None
            self.unsetCursor()
            self.dropped.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.drop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def _emit_at(self, signal: SignalInstance, where: QPointF) -> None:
        clock = self._at(where)
        if self.face is not None and clock is not None:
            point = self.face.point_at(clock, where.x(), where.y())
            position = None if point is None else int(self.face.positions[point])
            signal.emit(clock, position)

    def wheelEvent(self, event: QWheelEvent) -> None:
        grid = self.face.grid if self.face is not None else None
        if grid is None or grid.clock_count == grid.pairs or not grid.in_a_row:
            event.ignore()
            return
        self._notches += event.angleDelta().y() / _NOTCH
        rows = int(self._notches)  # fine wheels and touchpads report fractions of a notch
        self._notches -= rows
        if rows:
            self.scrolled.emit(-rows * grid.columns)
        event.accept()


class _HandDrag:
    """A drag of a hand, which may be longer than a full turn."""

    def __init__(self, face: Face, clock: int, where: QPointF) -> None:
        self._face, self._clock = face, clock
        self._last = face.turn_at(clock, where.x(), where.y())
        self.turns = 0.0

    def move(self, where: QPointF) -> None:
        turn = self._face.turn_at(self._clock, where.x(), where.y())
        if turn is None:
            return
        if self._last is not None:
            self.turns += (turn - self._last + 0.5) % 1.0 - 0.5  # turn in the shorter direction
        self._last = turn
