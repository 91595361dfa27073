"""The area that shows the clocks: most from a cached layer, hands and turns of each frame."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_pixels import splat
from pe_explorer.pictures.clock_texts import clock_text, wave_texts
from pe_explorer.pictures.clocks import TurnsMade
from pe_explorer.views._clock_mouse import ClockMouse
from pe_explorer.views._clock_painter import ClockLook, ClockPainter
from pe_explorer.views._note import NoteFrame
from pe_explorer.widgets.painting import guarded, snap

_SPARE = 8  # pixels beside a text: of texts of one length any may be the widest
_UNIT = " turns"


class Canvas(ClockMouse):
    """Draws a page of clocks, or a sentence."""

    restyled = Signal()
    """Colours or font have changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Clock faces")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(QSize(120, 110))
        self.message = NoteFrame(self)
        self.turns: Sequence[TurnsMade] = ()
        """Where the hands are, on their way to the position or there."""
        self._turns_made: Sequence[TurnsMade] = ()
        """Those of the position, which are said in words."""
        self.marked: int | None = None
        self.preview: tuple[Sequence[float], int | None] = ((), None)
        """Parts of a turn for lighter hands, and the clock that is framed."""
        self.note: tuple[int, str] = (0, "")
        """A clock, and a short text in a corner of it."""
        self.labels: Sequence[str] = ()
        self.longest = 0
        """How many characters fit below a clock."""
        self.layer = ClockLayer()
        self.look = ClockLook.of(self)
        self._position = 0

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.look = ClockLook.of(self)
            self.layer.clear()
            self.restyled.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.layer.clear()  # megabytes, which are painted again when it is shown

    def text_height(self, lines: int) -> float:
        """Return the height of some lines below a clock."""
        return math.ceil(lines * self.look.line_height) + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.message.place(self.rect(), self.rect())
        super().resizeEvent(event)

    @property
    def sentence(self) -> str:
        """The sentence shown in the place of clocks, or an empty text."""
        return self.message.sentence

    def show_message(self, sentence: str, offer: str = "") -> None:
        """Show a sentence and no clock; `offer` is the text of a button below it."""
        self.drop()
        self.face = None
        self.message.show_sentence(sentence, offer)
        self.message.place(self.rect(), self.rect())
        self.setAccessibleDescription(sentence)
        self.unsetCursor()
        self.update()

    def show_face(self, face: Face) -> None:
        """Show a page of clocks."""
        grid, metrics = face.grid, self.look.metrics
        if self.face is not None and self.face.grid != grid:
            self.drop()  # the clock that is dragged is elsewhere, or not shown any more
        self.face = face
        self.message.show_sentence("")
        self.setAccessibleDescription(f"{grid.shown} of {grid.pairs} clocks")
        room = grid.width - _SPARE
        self.labels = self._fitting_labels(face, room)
        digits = (room - metrics.horizontalAdvance(_UNIT)) / metrics.horizontalAdvance("0")
        self.longest = int(digits) + len(_UNIT)
        self.layer.set_points(face, self.look)
        self.update()

    def _fitting_labels(self, face: Face, room: float) -> Sequence[str]:
        """Return the longest labels that fit below the clocks."""
        metrics = self.look.metrics
        for texts in wave_texts(face):
            if metrics.horizontalAdvance(max(texts, key=len)) <= room:
                return texts
        return [str(number) for number in face.grid.numbers]

    def set_hands(
        self,
        turns: Sequence[TurnsMade],
        position: int,
        marked: int | None,
        made: Sequence[TurnsMade] | None = None,
    ) -> None:
        """Show the hands after some turns, and mark one clock.

        `made` are those of the position, which are said, while the hands are on their way.
        """
        if (turns, position, marked) == (self.turns, self._position, self.marked):
            return
        if marked != self.marked:
            self.layer.clear()
        self.turns, self._turns_made = turns, turns if made is None else made
        self._position, self.marked = position, marked
        self.update()

    def set_preview(self, parts: Sequence[float], clock: int | None) -> None:
        """Show lighter hands at parts of a turn, or none, and a frame round one clock."""
        if (parts, clock) != self.preview:
            self.preview = parts, clock
            self.update()

    def set_note(self, clock: int, text: str) -> None:
        """Show a short text in a corner of a clock; an empty one for none."""
        if (clock, text) != self.note:
            self.note = clock, text
            self.update()

    def hand_at(self, where: QPointF) -> int | None:
        clock = self._at(where)
        if self.face is None or clock is None or clock >= len(self.turns):
            return None
        _, part = self.turns[clock]
        return clock if self.face.has_hand_at(clock, part, where.x(), where.y()) else None

    def described(self, clock: int, where: QPointF) -> str:
        """Return what can be read off a clock, and the point at a spot of it."""
        assert self.face is not None
        point = self.face.point_at(clock, where.x(), where.y())
        return clock_text(self.face, clock, self._position, self._turns_made[clock], point)

    # -- painting ------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), QColor(self.look.colours.base))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.face is not None:
                self._paint_clocks(painter, self.face)
        finally:
            painter.end()

    def _paint_clocks(self, painter: QPainter, face: Face) -> None:
        image = self.layer.image(face, self.look, self.labels, self.marked)
        snap(painter)
        painter.drawImage(QPointF(0, 0), image)
        clocks = ClockPainter(painter, face, self.look)
        parts, framed = self.preview
        clocks.paint_preview(parts, framed if framed != self.marked else None)
        clocks.paint_hands(self.turns)
        clocks.paint_turns(self._turns_made, self.longest)
        clocks.paint_note(*self.note)


# -- what stays from frame to frame ----------------------------------------------------------------


class ClockLayer:
    """An image of a page of clocks without what moves, painted only when it has changed.

    The ground below the points is cached by itself, because points change more often.
    """

    def __init__(self) -> None:
        self.points = QImage()
        self._pixels: npt.NDArray[np.uint32] | None = None  # the memory of `points`
        self._image: QImage | None = None
        self._ground: QImage | None = None
        self._ground_key: tuple[Any, ...] = ()

    def set_points(self, face: Face, look: ClockLook) -> None:
        """Show the points of another page."""
        width, height = face.area.width, face.area.height
        pixels = np.ascontiguousarray(splat(face, look.order, width, height))
        blended = QImage.Format.Format_ARGB32_Premultiplied
        self.points = QImage(pixels.data, width, height, 4 * width, blended)
        self.points.setDevicePixelRatio(face.grid.ratio)
        self._pixels = pixels
        self._image = None

    def clear(self) -> None:
        """Paint everything again the next time, in other colours or with another mark."""
        self._image = self._ground = None

    def image(
        self, face: Face, look: ClockLook, labels: Sequence[str], marked: int | None
    ) -> QImage:
        """Return the image, painted if it has changed."""
        if self._image is None:
            self._image = self.compose(face, look, labels, marked)
        return self._image

    def compose(
        self, face: Face, look: ClockLook, labels: Sequence[str], marked: int | None
    ) -> QImage:
        """Return a new image of the page."""
        key = (face.grid, face.clockwise)
        if self._ground is None or self._ground_key != key:
            self._ground = self._paint_ground(face, look, marked)
            self._ground_key = key
        image = self._ground.copy()
        painter = QPainter(image)
        painter.drawImage(QPointF(0, 0), self.points)
        ClockPainter(painter, face, look).paint_labels(labels)
        painter.end()
        return image

    def _paint_ground(self, face: Face, look: ClockLook, marked: int | None) -> QImage:
        ground = QImage(self.points.size(), QImage.Format.Format_RGB32)
        ground.setDevicePixelRatio(face.grid.ratio)
        ground.fill(QColor(look.colours.base))
        painter = QPainter(ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        clocks = ClockPainter(painter, face, look)
        if marked is not None:
            clocks.paint_mark(marked)
        clocks.paint_rims()
        painter.end()
        return ground
