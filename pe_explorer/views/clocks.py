"""The clocks on the screen: hands that follow the cursor and the play-head, and pages of clocks."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from pe_explorer.encodings import Waves
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import Choice, declared
from pe_explorer.pictures.clock_face import Grid
from pe_explorer.pictures.clocks import Area, ClockOptions, Clocks, clock_of, turns_at
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.picture import Picture
from pe_explorer.views._clock_canvas import Canvas
from pe_explorer.views.view import View
from pe_explorer.widgets.editors import ChoiceEditor

__all__ = ["ClocksView"]


class ClocksView(View):
    """A unit circle for every pair: the shown positions as points, a hand at the cursor."""

    picture: ClassVar[type[Picture]] = Clocks
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (("Wheel", "show other pairs"),)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas()
        self.range = _FittedLabel()
        self.back = _button(Qt.ArrowType.LeftArrow, "Previous pairs")
        self.forth = _button(Qt.ArrowType.RightArrow, "Next pairs")
        parameter = declared(ClockOptions)["direction"]
        assert isinstance(parameter, Choice)
        self.direction = ChoiceEditor("direction", parameter, self)
        # A click leaves the keys with the clocks.
        self.direction.combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._encoding: Waves | None = None
        """The encoding whose clocks are shown."""
        self._lay_out(parameter)

    def _lay_out(self, parameter: Choice) -> None:
        self.header = QWidget()
        self._caption = QLabel(parameter.label)
        self._caption.setBuddy(self.direction.combo)
        row = QHBoxLayout(self.header)
        row.setContentsMargins(8, 4, 8, 2)
        row.setSpacing(6)
        row.addWidget(self.range, 1)
        for widget in (self.back, self.forth, self._caption, self.direction.combo):
            row.addWidget(widget)
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
            (self.back.clicked, self._page_back),
            (self.forth.clicked, self._page_forth),
            (self.direction.edited, self.set_option),
        ]

    # -- the picture ---------------------------------------------------------------------------

    def size_in_pixels(self) -> Area:
        size, ratio = self.canvas.size(), self.ratio
        width, height = round(size.width() * ratio), round(size.height() * ratio)
        lines = 2 if self.target.marks_cursor else 1
        return Area(width, height, ratio, self.canvas.text_height(lines))

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        assert figure.clocks is not None
        assert isinstance(state.encoding, Waves)
        self._encoding = state.encoding
        self._show_direction(state, enabled=True)
        self.canvas.show_face(figure.clocks)
        self._show_range(*_range_texts(figure.clocks.grid))
        if self.target.marks_cursor:
            self.show_cursor(state)  # other clocks, other hands

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._encoding = None
        self._show_direction(state, enabled=False)
        self.canvas.show_message(sentence)
        self._show_range("no pairs")

    def show_message(self, sentence: str) -> None:
        self.canvas.show_message(sentence)

    def _show_direction(self, state: Exploration, *, enabled: bool) -> None:
        """Show which way round the hands go; without hands it is no choice."""
        options = self.picture.options(state)
        assert isinstance(options, ClockOptions)
        self.direction.display(options.direction)
        for widget in (self._caption, self.direction.combo):
            widget.setEnabled(enabled)

    def _show_range(self, *texts: str) -> None:
        """Show which pairs are seen, and the buttons that lead to others."""
        self.range.set_texts(*texts)
        grid = self.canvas.face.grid if self.canvas.face else None
        several_pages = grid is not None and grid.shown < grid.pairs
        before = grid is not None and grid.first > 0
        after = grid is not None and grid.first + grid.shown < grid.pairs
        for button, more in ((self.back, before), (self.forth, after)):
            button.setVisible(several_pages)
            button.setEnabled(more)

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


class _FittedLabel(QLabel):
    """Shows the longest of some texts that fits."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("",)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("00,000–00,000") + 2)

    def set_texts(self, *texts: str) -> None:
        """Choose from other texts, the longest first."""
        self._texts = texts
        self.setAccessibleName(texts[0])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, room = self.fontMetrics(), self.width()
        fitting = [text for text in self._texts if metrics.horizontalAdvance(text) <= room]
        self.setText(fitting[0] if fitting else self._texts[-1])


def _button(arrow: Qt.ArrowType, name: str) -> QToolButton:
    button = QToolButton(arrowType=arrow, autoRaise=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    button.setToolTip(f"{name}; the wheel goes row by row")
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # the row stays as it is
    button.setSizePolicy(policy)
    return button


def _range_texts(grid: Grid) -> tuple[str, ...]:
    """Return which pairs are shown, in longer and shorter texts."""
    pairs, which = "pair", f"{grid.first:,}"
    if grid.shown > 1:
        last = grid.first + grid.shown - 1
        pairs, which = "pairs", f"{which}–{last:,}"
    of_all = f"{which} of {grid.pairs:,}"
    return f"{pairs} {of_all}", of_all, which
