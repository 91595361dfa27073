"""Hands, turns and notes over the clocks of a page, updated in every frame."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.figures.layout import longest_turns
from pe_explorer.painting.device import guarded, snap
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_texts import count_text
from pe_explorer.pictures.clocks import TurnsMade
from pe_explorer.views._clock_mouse import ClockMouse
from pe_explorer.views._page_items import PageArea
from pe_explorer.widgets.theme import colours

_FONT_SCALE = 0.84  # font size relative to the widget's font
_SPARE = 8  # margin in pixels, because texts of the same length differ in width
_MARGIN = 1.5  # distance in pixels between a cell and the frame inside
_NOTE_MARGIN = 5.0  # padding in pixels around a short text in a corner of a clock
_CORNER_RADIUS = 6  # radius in pixels of the corners of a frame
_CENTRED = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip


class Hands(ClockMouse):
    """An overlay with hands and notes on a page of clocks, with signals for the mouse."""

    restyled = Signal()
    """Colours or font have changed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Clock faces")
        self.turns: Sequence[TurnsMade] = ()
        """The turns of the hands, which may be moving to the position."""
        self._turns_made: Sequence[TurnsMade] = ()  # turns at the position, for texts
        self.preview: tuple[Sequence[float], int | None] = ((), None)
        """Fractions of a turn for lighter hands, and the clock with a frame."""
        self.note: tuple[int, str] = (0, "")
        """A clock, and a short text in a corner of it."""
        self._position = 0
        self.item = _HandsItem(self)
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.restyled.emit()

    def show_face(self, face: Face, place: QRectF, canvas: QPoint, scale: float) -> None:
        """Cover the clocks of a canvas; `scale` is in screen pixels per pixel of the face."""
        if self.face is not None and self.face.grid != face.grid:
            self.drop()  # the dragged clock has moved or is hidden
        self.face, self.scale = face, scale
        self.setAccessibleDescription(f"{face.grid.clock_count} of {face.grid.pairs} clocks")
        covered = place.toAlignedRect()
        self.corner = place.topLeft() - QPointF(covered.topLeft())
        self.setGeometry(covered.translated(canvas))
        self.item.place(place)
        self.show()
        self.item.update()

    def show_nothing(self) -> None:
        self.drop()
        self.face = None
        self.unsetCursor()
        self.hide()
        self.item.update()

    def set_hands(
        self, turns: Sequence[TurnsMade], position: int, turns_made: Sequence[TurnsMade]
    ) -> None:
        """Show the hands after some turns.

        `turns_made` are the turns at the position, for the text during an animation.
        """
        if (turns, position) != (self.turns, self._position):
            self.turns, self._turns_made, self._position = turns, turns_made, position
            self.item.update()

    def set_preview(self, parts: Sequence[float], clock: int | None) -> None:
        """Show lighter hands at fractions of a turn, or none, and a frame around one clock."""
        if (parts, clock) != self.preview:
            self.preview = parts, clock
            self.item.update()

    def set_note(self, clock: int, text: str) -> None:
        """Show a short text in a corner of a clock, or hide an empty text."""
        if (clock, text) != self.note:
            self.note = clock, text
            self.item.update()

    def hand_at(self, where: QPointF) -> int | None:
        clock = self._at(where)
        if self.face is None or clock is None or clock >= len(self.turns):
            return None
        _, part = self.turns[clock]
        return clock if self.face.has_hand_at(clock, part, where.x(), where.y()) else None

    def paint(self, painter: QPainter) -> None:
        """Draw the overlay, with the origin at the corner of the clocks, in units of pixels."""
        face = self.face
        if face is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.scale, self.scale)
        shades, ring = colours(self.palette()), face.grid.dot + 1.5
        parts, framed = self.preview
        if framed is not None and framed != face.marked:
            cell = QRectF(*face.grid.cell(framed)).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            painter.setPen(QPen(QColor(shades.muted), 1.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(cell, _CORNER_RADIUS, _CORNER_RADIUS)
        _paint_hands(painter, face, parts, ring, QPen(QColor(shades.muted), 1.0), 1.0)
        wide = QPen(QColor(shades.cursor), min(max(face.grid.outer / 32, 1.4), 3.0))
        wide.setCapStyle(Qt.PenCapStyle.RoundCap)
        _paint_hands(painter, face, [part for _, part in self.turns], ring, wide, 1.4)
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, font.pointSizeF() * _FONT_SCALE))
        painter.setFont(font)
        painter.setPen(QColor(shades.muted))
        self._paint_turns(painter, face, QFontMetricsF(font))
        clock, text = self.note
        if text and clock < face.grid.clock_count:
            left, top, _, _ = face.grid.cell(clock)
            ground = (
                QFontMetricsF(font)
                .boundingRect(text)
                .adjusted(-_NOTE_MARGIN, -_NOTE_MARGIN / 2, _NOTE_MARGIN, _NOTE_MARGIN / 2)
            )
            ground.moveTo(left + _NOTE_MARGIN, top + _NOTE_MARGIN)
            painter.setPen(QPen(QColor(shades.accent), 1.0))
            painter.setBrush(QColor(shades.base))
            painter.drawRoundedRect(ground, _NOTE_MARGIN / 2, _NOTE_MARGIN / 2)
            painter.setPen(QColor(shades.text))
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_turns(self, painter: QPainter, face: Face, metrics: QFontMetricsF) -> None:
        grid, height = face.grid, metrics.height()
        longest = longest_turns(metrics.horizontalAdvance, grid.width - _SPARE)
        for clock, ((_, middle), made) in enumerate(
            zip(grid.centres, self._turns_made, strict=False)
        ):
            top = middle + grid.outer + grid.text / 2
            place = QRectF(grid.cell(clock)[0], top, grid.width, height)
            painter.drawText(place, _CENTRED, count_text(*made, longest))


def _paint_hands(
    painter: QPainter, face: Face, parts: Sequence[float], ring: float, pen: QPen, width: float
) -> None:
    lines, ends, radius = [], [], face.grid.radius
    for centre, part in zip(face.grid.centres, parts, strict=False):
        across, up = math.cos(math.tau * part), math.sin(math.tau * part)
        way = QPointF(up, -across) if face.clockwise else QPointF(across, -up)
        lines.append(QLineF(QPointF(*centre), QPointF(*centre) + way * (radius - ring)))
        ends.append(QPointF(*centre) + way * radius)
    painter.setPen(pen)
    painter.drawLines(lines)
    painter.setPen(QPen(pen.color(), width))
    for end in ends:
        painter.drawEllipse(end, ring, ring)


class _HandsItem(PageArea):
    """An item for the hands in the scene of the clocks, so that both share a frame."""

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self._hands = hands
        self.setZValue(2)

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        snap(painter)
        painter.translate(self._rect.topLeft())
        self._hands.paint(painter)
