"""Hands, turns and notes over the clocks of a page, updated in every frame."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.figures.layout import find_max_turn_length
from pe_explorer.painting.device import log_errors, snap_to_pixels
from pe_explorer.pictures.clock_face import ClockFaces
from pe_explorer.pictures.clock_texts import format_count
from pe_explorer.pictures.clocks import TurnCount
from pe_explorer.views._clock_mouse import ClockMouse
from pe_explorer.views._page_items import PageArea
from pe_explorer.widgets.theme import colours

_FONT_SCALE = 0.84  # font size relative to the widget's font
_TEXT_MARGIN = 8  # margin in pixels, because texts of the same length differ in width
_FRAME_MARGIN = 1.5  # distance in pixels between a cell and the frame inside it
_NOTE_MARGIN = 5.0  # padding in pixels of a note, and its distance from the corner of the clock
_CORNER_RADIUS = 6  # radius in pixels of the corners of a frame
_TEXT_FLAGS = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip


class Hands(ClockMouse):
    """An overlay on a page of clocks that draws hands, turn counts and notes."""

    style_changed = Signal()  # colours or font have changed

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Clock faces")
        self.turns: Sequence[TurnCount] = ()  # turns that the hands show, also between positions
        self._text_turns: Sequence[TurnCount] = ()  # turns at the cursor, shown as text
        self._preview: tuple[Sequence[float], int | None] = ((), None)
        self._note: tuple[int, str] = (0, "")
        self._position = 0
        self.item = _HandsItem(self)
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.style_changed.emit()

    def show_face(self, face: ClockFaces, rect: QRectF, origin: QPoint, scale: float) -> None:
        """Place the overlay on the clocks; `scale` is in screen pixels per pixel of the face."""
        if self.face is not None and self.face.grid != face.grid:
            self.drop_hand()  # the dragged clock may have moved or be hidden
        self.face, self.scale = face, scale
        self.setAccessibleDescription(f"{face.grid.clock_count} of {face.grid.pairs} clocks")
        geometry = rect.toAlignedRect()
        self.corner = rect.topLeft() - QPointF(geometry.topLeft())
        self.setGeometry(geometry.translated(origin))
        self.item.place(rect)
        self.show()
        self.item.update()

    def clear(self) -> None:
        self.drop_hand()
        self.face = None
        self.unsetCursor()
        self.hide()
        self.item.update()

    def set_hands(
        self, turns: Sequence[TurnCount], position: int, text_turns: Sequence[TurnCount]
    ) -> None:
        """Turn the hands by `turns`, and show `text_turns` as text below the clocks."""
        if (turns, position) != (self.turns, self._position):
            self.turns, self._text_turns, self._position = turns, text_turns, position
            self.item.update()

    def set_preview(self, fractions: Sequence[float], clock_index: int | None) -> None:
        """Show lighter hands at fractions of a turn; frame `clock_index` unless it is None."""
        if (fractions, clock_index) != self._preview:
            self._preview = fractions, clock_index
            self.item.update()

    def set_note(self, clock_index: int, text: str) -> None:
        """Show a short text in a corner of a clock; an empty text hides the note."""
        if (clock_index, text) != self._note:
            self._note = clock_index, text
            self.item.update()

    def find_hand(self, point: QPointF) -> int | None:
        clock_index = self._find_clock(point)
        if self.face is None or clock_index is None or clock_index >= len(self.turns):
            return None
        _, fraction = self.turns[clock_index]
        return (
            clock_index
            if self.face.has_hand_at(clock_index, fraction, point.x(), point.y())
            else None
        )

    def paint(self, painter: QPainter) -> None:
        """Draw the overlay in pixels, with the origin at its top left corner."""
        face = self.face
        if face is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.scale, self.scale)
        shades, grid = colours(self.palette()), face.grid
        fractions, framed_clock = self._preview
        if framed_clock is not None and framed_clock != face.marked_index:
            frame = QRectF(*grid.cell(framed_clock))
            frame.adjust(_FRAME_MARGIN, _FRAME_MARGIN, -_FRAME_MARGIN, -_FRAME_MARGIN)
            painter.setPen(QPen(QColor(shades.muted), 1.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(frame, _CORNER_RADIUS, _CORNER_RADIUS)
        _paint_hands(painter, face, fractions, QPen(QColor(shades.muted), 1.0), 1.0)
        pen = QPen(QColor(shades.cursor), min(max(grid.outer_radius / 32, 1.4), 3.0))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        _paint_hands(painter, face, [fraction for _, fraction in self.turns], pen, 1.4)
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, font.pointSizeF() * _FONT_SCALE))
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(shades.muted))
        max_turn_length = find_max_turn_length(metrics.horizontalAdvance, grid.width - _TEXT_MARGIN)
        for clock_index, ((_, y), turns) in enumerate(
            zip(grid.centres, self._text_turns, strict=False)
        ):
            top = y + grid.outer_radius + grid.text_height / 2
            rect = QRectF(grid.cell(clock_index)[0], top, grid.width, metrics.height())
            painter.drawText(rect, _TEXT_FLAGS, format_count(*turns, max_turn_length))
        clock_index, text = self._note
        if text and clock_index < grid.clock_count:
            left, top, _, _ = grid.cell(clock_index)
            rect = metrics.boundingRect(text)
            rect.adjust(-_NOTE_MARGIN, -_NOTE_MARGIN / 2, _NOTE_MARGIN, _NOTE_MARGIN / 2)
            rect.moveTo(left + _NOTE_MARGIN, top + _NOTE_MARGIN)
            painter.setPen(QPen(QColor(shades.accent), 1.0))
            painter.setBrush(QColor(shades.base))
            painter.drawRoundedRect(rect, _NOTE_MARGIN / 2, _NOTE_MARGIN / 2)
            painter.setPen(QColor(shades.text))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _paint_hands(
    painter: QPainter, face: ClockFaces, fractions: Sequence[float], pen: QPen, ring_width: float
) -> None:
    lines, ends, radius, ring_radius = [], [], face.grid.radius, face.grid.dot_radius + 1.5
    for centre, fraction in zip(face.grid.centres, fractions, strict=False):
        x, y = math.cos(math.tau * fraction), math.sin(math.tau * fraction)
        direction = QPointF(y, -x) if face.is_clockwise else QPointF(x, -y)
        lines.append(
            QLineF(QPointF(*centre), QPointF(*centre) + direction * (radius - ring_radius))
        )
        ends.append(QPointF(*centre) + direction * radius)
    painter.setPen(pen)
    painter.drawLines(lines)
    painter.setPen(QPen(pen.color(), ring_width))
    for end in ends:
        painter.drawEllipse(end, ring_radius, ring_radius)


class _HandsItem(PageArea):
    """An item that draws the hands in the scene of the clocks, so that both update together."""

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self._hands = hands
        self.setZValue(2)

    @log_errors
    def paint(self, painter: QPainter, *_: object) -> None:
        snap_to_pixels(painter)
        painter.translate(self._rect.topLeft())
        self._hands.paint(painter)
