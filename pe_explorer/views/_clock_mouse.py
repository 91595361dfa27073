"""Signals for mouse events over the clocks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.pictures.clock_face import ClockFaces

_NOTCH_ANGLE = 120  # angle of one wheel notch in Qt's units, eighths of a degree


class ClockMouse(QWidget):
    """A page of clocks with signals for mouse events."""

    hovered = Signal(int, object)  # (clock, position); the position is None if no point is near
    mouse_exited = Signal()
    clicked = Signal(int, object)  # (clock, position); the position is None if no point is near
    scrolled = Signal(int)  # number of pairs to scroll, negative for earlier pairs
    hand_grabbed = Signal(int)  # clock whose hand was grabbed
    hand_dragged = Signal(float)  # turns since the start of the drag
    hand_dropped = Signal()

    # Defined on the class, because Qt may call `hideEvent` before the constructor ends.
    _drag: _HandDrag | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.face: ClockFaces | None = None
        self.scale = 1.0  # pixels of the screen per pixel of the face
        self.corner = QPointF()  # offset of the face in the widget, less than a pixel
        self._press_point: QPointF | None = None
        self._wheel_notches = 0.0

    def find_hand(self, point: QPointF) -> int | None:
        """Return the clock whose hand is at a point, or None if no hand is there."""
        raise NotImplementedError

    def _to_face_point(self, event: QMouseEvent) -> QPointF:
        return (event.position() - self.corner) * (1 / self.scale)

    def _find_clock(self, point: QPointF) -> int | None:
        return None if self.face is None else self.face.grid.find_clock(point.x(), point.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self._to_face_point(event)
        is_left_button = event.button() == Qt.MouseButton.LeftButton
        if is_left_button and self._find_clock(point) is not None:
            self._press_point = point
        else:
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        start, self._press_point = self._press_point, None
        if self._drag is not None:
            self.drop_hand()
        elif event.button() != Qt.MouseButton.LeftButton or start is None:
            event.ignore()
        elif not _is_drag(start, self._to_face_point(event)):
            self._emit_at(self.clicked, start)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self._to_face_point(event)
        if self._press_point is not None and self._drag is None:
            self._grab_hand(self._press_point, point)
        if self._drag is not None:
            self._drag.move(point)
            self.hand_dragged.emit(self._drag.turns)
        elif self._find_clock(point) is None:
            self.unsetCursor()
            self.mouse_exited.emit()
        else:
            is_on_hand = self.find_hand(point) is not None
            cursors = Qt.CursorShape
            self.setCursor(cursors.OpenHandCursor if is_on_hand else cursors.PointingHandCursor)
            self._emit_at(self.hovered, point)

    def _grab_hand(self, start: QPointF, point: QPointF) -> None:
        clock_index = self.find_hand(start)
        if self.face is not None and clock_index is not None and _is_drag(start, point):
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._drag = _HandDrag(self.face, clock_index, start)
            self.hand_grabbed.emit(clock_index)

    def drop_hand(self) -> None:
        """Stop dragging a hand, if one is being dragged."""
        if self._drag is not None:
            self._drag = self._press_point = None
            self.unsetCursor()
            self.hand_dropped.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.drop_hand()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.mouse_exited.emit()

    def _emit_at(self, signal: SignalInstance, point: QPointF) -> None:
        clock_index = self._find_clock(point)
        if self.face is not None and clock_index is not None:
            index = self.face.point_at(clock_index, point.x(), point.y())
            position = None if index is None else int(self.face.positions[index])
            signal.emit(clock_index, position)

    def wheelEvent(self, event: QWheelEvent) -> None:
        grid = self.face.grid if self.face is not None else None
        if grid is None or grid.clock_count == grid.pairs or not grid.is_consecutive:
            event.ignore()
            return
        self._wheel_notches += event.angleDelta().y() / _NOTCH_ANGLE  # a touchpad reports fractions
        rows = int(self._wheel_notches)
        self._wheel_notches -= rows
        if rows:
            self.scrolled.emit(-rows * grid.columns)
        event.accept()


def _is_drag(start: QPointF, point: QPointF) -> bool:
    return (point - start).manhattanLength() >= QApplication.startDragDistance()


class _HandDrag:
    """A drag of a hand, which may be longer than a full turn."""

    def __init__(self, face: ClockFaces, clock_index: int, point: QPointF) -> None:
        self._face, self._clock = face, clock_index
        self._last_turn = face.compute_turn(clock_index, point.x(), point.y())
        self.turns = 0.0

    def move(self, point: QPointF) -> None:
        turn = self._face.compute_turn(self._clock, point.x(), point.y())
        if turn is not None:
            last_turn = turn if self._last_turn is None else self._last_turn
            self.turns += (turn - last_turn + 0.5) % 1.0 - 0.5  # in the shorter direction
            self._last_turn = turn
