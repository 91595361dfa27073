"""The clocks on the screen: hands that follow the cursor and the play-head, and pages of clocks."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_explorer.encodings import Waves
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.pictures.clocks import Area, Clocks, clock_of, turns_at
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.picture import Picture
from pe_explorer.views._clock_canvas import Canvas
from pe_explorer.views._clock_controls import ClockControls
from pe_explorer.views.view import View

__all__ = ["ClocksView"]


class ClocksView(View):
    """A unit circle for every pair: the shown positions as points, a hand at the cursor."""

    picture: ClassVar[type[Picture]] = Clocks
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (("Wheel", "Show other pairs"),)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas()
        self.controls = ClockControls()
        self._encoding: Waves | None = None
        """The encoding whose clocks are shown."""
        self.header = self.controls
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas, 1)

    def hide_controls(self) -> None:
        self.header.hide()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (model.playhead.moved, self._move_hands),
            (self.canvas.pointed, self._point),
            (self.canvas.left, self._leave),
            (self.canvas.picked, self._pick),
            (self.canvas.scrolled, self._scroll),
            (self.canvas.restyled, self.redraw),
            (self.controls.back.clicked, self._page_back),
            (self.controls.forth.clicked, self._page_forth),
            (self.controls.direction.edited, self.set_option),
        ]

    # -- the picture ---------------------------------------------------------------------------

    def size_in_pixels(self) -> Area:
        ratio = self.ratio
        width = round(self.canvas.width() * ratio)
        height = round(self.canvas.height() * ratio)
        lines = 2 if self.target.marks_cursor else 1
        return Area(width, height, ratio, self.canvas.text_height(lines))

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        assert figure.clocks is not None
        assert isinstance(state.encoding, Waves)
        self._encoding = state.encoding
        self.canvas.show_face(figure.clocks)
        self.controls.display(self.picture.options(state), figure.clocks.grid)
        if self.target.marks_cursor:
            self.show_cursor(state)  # other clocks, other hands

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._encoding = None
        self.canvas.show_message(sentence)
        self.controls.display(self.picture.options(state), None)

    def show_message(self, sentence: str) -> None:
        self.canvas.show_message(sentence)

    # -- the hands -----------------------------------------------------------------------------

    def show_cursor(self, state: Exploration) -> None:
        """Turn the hands to the cursor, and to what the play-head is ahead of it."""
        self._turn_hands(state, self.model.playhead.fraction)

    @Slot(float)
    def _move_hands(self, ahead: float) -> None:
        if self.isVisible():
            self._turn_hands(self.model.state, ahead)

    def _turn_hands(self, state: Exploration, ahead: float) -> None:
        face, e = self.canvas.face, self._encoding
        if face is not None and e is not None:
            turns = turns_at(e, face, state.position, ahead)
            marked = clock_of(e, face, state.dimension)
            self.canvas.set_hands(turns, state.position, marked)

    def show_preview(self, state: Exploration | None) -> None:
        """Show lighter hands at the position that the mouse points at, and a frame round a pair."""
        face, e = self.canvas.face, self._encoding
        if state is None or face is None or e is None:
            self.canvas.set_preview((), None)
            return
        fractions: list[float] = []
        if state.position != self.model.state.position:
            fractions = [fraction for _, fraction in turns_at(e, face, state.position)]
        self.canvas.set_preview(fractions, clock_of(e, face, state.dimension))

    # -- what the user does --------------------------------------------------------------------

    @Slot(int, object)
    def _point(self, clock: int, position: int | None) -> None:
        self.model.point_at(**self._at(clock, position))

    @Slot()
    def _leave(self) -> None:
        self.model.point_at()

    @Slot(int, object)
    def _pick(self, clock: int, position: int | None) -> None:
        self.model.pick(**self._at(clock, position))

    def _at(self, clock: int, position: int | None) -> dict[str, int]:
        """Return the first dimension of a clock's pair, and the position of a point near by."""
        assert self.canvas.face is not None
        dimension = self.canvas.face.dimensions[clock][0]
        if position is None:
            return {"dimension": dimension}
        return {"dimension": dimension, "position": position}

    @Slot(int)
    def _scroll(self, rows: int) -> None:
        if self.canvas.face is not None:
            self._go(rows * self.canvas.face.grid.columns)

    @Slot()
    def _page_back(self) -> None:
        if self.canvas.face is not None:
            self._go(-self.canvas.face.grid.shown)

    @Slot()
    def _page_forth(self) -> None:
        if self.canvas.face is not None:
            self._go(self.canvas.face.grid.shown)

    def _go(self, pairs: int) -> None:
        """Show clocks further on, as far as there are any."""
        assert self.canvas.face is not None
        grid = self.canvas.face.grid
        last = grid.pairs - grid.shown
        shown = min(self.options.first, last)
        first = min(max(shown + pairs, 0), last)
        if first != self.options.first:
            self.set_options(first=first)
