"""How clocks are painted: rims, hands, frames and texts, in the colours of a palette."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.colours import maps
from pe_explorer.colours.themes import Colours
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_texts import count_text
from pe_explorer.pictures.clocks import TurnsMade
from pe_explorer.widgets.theme import colours

_FONT_SCALE = 0.84  # relative to the widget's font
_TICK_START = 0.88  # relative to the radius
_MARGIN = 1.5  # pixels between a cell and the frame in it
_NOTE_MARGIN = 5.0  # pixels around a short text in a corner of a clock
_CORNER_RADIUS = 6  # pixels, of the corners of a frame
_CENTRED = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip


@dataclass(frozen=True)
class ClockLook:
    """The colours and the font that clocks are painted with.

    `order` has the colours of the points from the first to the last, shape (colours, 3).
    """

    colours: Colours
    font: QFont
    order: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, widget: QWidget) -> ClockLook:
        """Return the look for the palette and the font of a widget."""
        shades = colours(widget.palette())
        font = QFont(widget.font())
        font.setPointSizeF(max(6.0, widget.font().pointSizeF() * _FONT_SCALE))
        dark = QColor(shades.base).lightness() < 128
        return cls(shades, font, maps.order_table(on_dark=dark))

    @property
    def metrics(self) -> QFontMetricsF:
        """The measures of the font."""
        return QFontMetricsF(self.font)

    @cached_property
    def line_height(self) -> float:
        """The height of a line of text."""
        return self.metrics.height()


class ClockPainter:
    """Paints the parts of a page of clocks."""

    def __init__(self, painter: QPainter, face: Face, look: ClockLook) -> None:
        self._painter, self._face, self._look = painter, face, look
        self._centres = [QPointF(*centre) for centre in face.grid.centres]

    def _direction(self, turn: float) -> QPointF:
        """Return which way a hand points after a part of a turn, as a vector of length 1."""
        angle = 2 * math.pi * turn
        across, up = math.cos(angle), math.sin(angle)
        return QPointF(up, -across) if self._face.clockwise else QPointF(across, -up)

    def paint_mark(self, clock: int) -> None:
        """Paint the ground of the marked clock."""
        self._painter.setPen(QPen(QColor(self._look.colours.accent), 1.4))
        self._painter.setBrush(QColor(self._look.colours.raised))
        self._paint_frame(clock)

    def _paint_frame(self, clock: int) -> None:
        cell = QRectF(*self._face.grid.cell(clock))
        frame = cell.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        self._painter.drawRoundedRect(frame, _CORNER_RADIUS, _CORNER_RADIUS)

    def paint_rims(self) -> None:
        """Paint the circles, with a line outside where the angle is zero: at twelve or at three."""
        grid, painter = self._face.grid, self._painter
        painter.setPen(QPen(QColor(self._look.colours.line), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        zero, *quarters = [self._direction(quarter / 4) for quarter in range(4)]
        ticks, zeros = [], []
        for centre in self._centres:
            painter.drawEllipse(centre, grid.radius, grid.radius)
            for quarter in quarters:
                inner = centre + quarter * (_TICK_START * grid.radius)
                ticks.append(QLineF(inner, centre + quarter * grid.radius))
            inner = centre + zero * (grid.radius + grid.dot + 0.5)
            zeros.append(QLineF(inner, centre + zero * grid.outer))
        painter.drawLines(ticks)
        painter.setPen(QPen(QColor(self._look.colours.text), 1.6))
        painter.drawLines(zeros)

    def paint_hands(self, turns: Sequence[TurnsMade]) -> None:
        """Paint a hand on each clock, and a ring round the point that it leads to."""
        grid, painter = self._face.grid, self._painter
        colour, ring = QColor(self._look.colours.cursor), grid.dot + 1.5
        lines, points = [], []
        for centre, (_, fraction) in zip(self._centres, turns, strict=False):
            direction = self._direction(fraction)
            lines.append(QLineF(centre, centre + direction * (grid.radius - ring)))
            points.append(centre + direction * grid.radius)
        width = min(max(grid.outer / 32, 1.4), 3.0)
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLines(lines)
        painter.setPen(QPen(colour, 1.4))
        for point in points:
            painter.drawEllipse(point, ring, ring)

    def paint_preview(self, parts: Sequence[float], framed: int | None) -> None:
        """Paint lighter hands at parts of a turn, and a dotted frame round one clock."""
        grid, painter = self._face.grid, self._painter
        muted, ring = QColor(self._look.colours.muted), grid.dot + 1.5
        if framed is not None:
            painter.setPen(QPen(muted, 1.0, Qt.PenStyle.DotLine))
            self._paint_frame(framed)
        painter.setPen(QPen(muted, 1.0))
        for centre, part in zip(self._centres, parts, strict=False):
            direction = self._direction(part)
            painter.drawLine(centre, centre + direction * (grid.radius - grid.dot))
            painter.drawEllipse(centre + direction * grid.radius, ring, ring)

    def paint_note(self, clock: int, text: str) -> None:
        """Paint a short text in the upper left corner of a clock, on a ground of its own."""
        if not text or clock >= self._face.grid.shown:
            return
        left, top, _, _ = self._face.grid.cell(clock)
        width = self._look.metrics.horizontalAdvance(text) + 2 * _NOTE_MARGIN
        ground = QRectF(
            left + _NOTE_MARGIN, top + _NOTE_MARGIN, width, self._look.line_height + _NOTE_MARGIN
        )
        self._painter.setPen(QPen(QColor(self._look.colours.accent), 1.0))
        self._painter.setBrush(QColor(self._look.colours.base))
        self._painter.drawRoundedRect(ground, _NOTE_MARGIN / 2, _NOTE_MARGIN / 2)
        self._painter.setPen(QColor(self._look.colours.text))
        self._painter.setFont(self._look.font)
        self._painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)

    def paint_labels(self, labels: Sequence[str]) -> None:
        """Paint the first line below each clock."""
        self._paint_line(0, self._look.colours.text, labels)

    def paint_turns(self, turns: Sequence[TurnsMade], longest: int) -> None:
        """Paint below each label the turns of its clock, in at most `longest` characters."""
        texts = [count_text(whole, fraction, longest) for whole, fraction in turns]
        self._paint_line(1, self._look.colours.muted, texts)

    def _paint_line(self, line: int, colour: str, texts: Sequence[str]) -> None:
        grid, height = self._face.grid, self._look.line_height
        self._painter.setFont(self._look.font)
        self._painter.setPen(QColor(colour))
        for clock, ((_, middle), text) in enumerate(zip(grid.centres, texts, strict=False)):
            left = grid.cell(clock)[0]
            top = middle + grid.outer + 2 + line * height
            place = QRectF(left, top, grid.width, height)
            self._painter.drawText(place, _CENTRED, text)
