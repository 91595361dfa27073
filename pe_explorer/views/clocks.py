"""The clocks on the screen: hands that follow the cursor and the play-head, and pages of clocks."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_explorer import pictures
from pe_explorer.encodings import Waves
from pe_explorer.exploration import Exploration, Resolved, resolve
from pe_explorer.model import Model
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clocks import (
    Area,
    ClockOptions,
    Clocks,
    clock_of,
    page_with_cursor,
    turns_at,
)
from pe_explorer.pictures.figure import Figure
from pe_explorer.views._clock_canvas import Canvas
from pe_explorer.views._clock_controls import ClockControls
from pe_explorer.views._clock_turning import Turning
from pe_explorer.views.view import View
from pe_explorer.widgets.keys import MOVES


class ClockPage:
    """Turns to the cursor's pair when the dimension moves, until the wheel leads elsewhere."""

    def __init__(self) -> None:
        self.first: int | None = None
        """The first pair of the page that was turned to; None for that of the options."""
        self._follows = False
        """Whether the page is that of the cursor, not of the wheel."""
        self._dimension: int | None = None
        """The cursor's dimension that the page last went by."""

    @property
    def seen_before(self) -> bool:
        """Whether a cursor has been seen."""
        return self._dimension is not None

    def stay(self, state: Exploration) -> None:
        """Show the page of the options until the dimension moves."""
        self._dimension, self._follows, self.first = state.dimension, False, None

    def follow(self, state: Exploration) -> bool:
        """Go with the cursor from now on, if the dimension has moved; return whether it has."""
        moved = state.dimension != self._dimension
        if moved:
            self._dimension, self._follows = state.dimension, True
        return moved

    def fit(self, state: Exploration, area: Area) -> Area:
        """Return an area with the page that is seen in it."""
        if self._follows and not Clocks.is_lacking(state):
            self.first = page_with_cursor(state, replace(area, first=self.first))
        return replace(area, first=self.first)


class ClocksView(View):
    """A unit circle for every pair: the shown positions as points, a hand at the cursor."""

    picture = Clocks

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas()
        self.controls = ClockControls(self.set_option)
        self.take_header(self.controls)
        self.turning = Turning(self.canvas, self)
        self.turning.said.connect(self._say)
        self._encoding: Waves | None = None
        """The encoding whose clocks are shown."""
        self._page = ClockPage()
        self._own_status = ""
        """What the picture says, without what the user does."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)

    def hide_controls(self) -> None:
        self.header.hide()
        self.canvas.message.forbid_offers()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (model.playhead.moved, self._move_hands),
            (self.canvas.pointed, self._point),
            (self.canvas.left, self._leave),
            (self.canvas.picked, self._pick),
            (self.canvas.scrolled, self._go),
            (self.canvas.restyled, self.redraw),
            (self.canvas.message.accepted, self.take_offer),
            (self.controls.paged, self._go),
            (model.changed, self.turning.forget),
        ]

    # -- the page ------------------------------------------------------------------------------

    def synchronise(self) -> None:
        begins_at_0 = self.options.first == 0
        if not self.target.driven and (self._page.seen_before or begins_at_0):
            self._page.follow(self.model.state)
        super().synchronise()

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        first = self._page.first
        if _page_of(old) != _page_of(new):
            self._page.stay(new)
        elif self._page.follow(new):
            self.is_stale |= self.size_in_pixels().first != first
        super()._changed(old, new)

    def seen(self, state: Resolved) -> Resolved:
        face, options = self.canvas.face, self.options
        if face is None:
            return state
        first, most, columns = options.first, options.most, face.grid.columns
        if not options.spread:
            first = face.grid.first
            most = face.grid.shown if first else most  # or a larger page would begin before it
        if (first, most, columns) == (options.first, options.most, options.columns):
            return state
        page = pictures.with_options(
            state, self.picture.name, first=first, most=most, columns=columns
        )
        return resolve(page, self.model.store)

    # -- the picture ---------------------------------------------------------------------------

    def size_in_pixels(self) -> Area:
        ratio = self.ratio
        width = round(self.canvas.width() * ratio)
        height = round(self.canvas.height() * ratio)
        lines = 2 if self.target.marks_cursor else 1
        area = Area(width, height, ratio=ratio, text=self.canvas.text_height(lines))
        return self._page.fit(self.model.state, area)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        assert figure.clocks is not None
        assert isinstance(state.encoding, Waves)
        self._encoding, self._own_status = state.encoding, figure.status
        self.canvas.show_face(figure.clocks)
        options = self.picture.options(state)
        self.controls.display(options, figure.clocks.grid)
        if self.target.marks_cursor:
            self.show_cursor(state)  # other clocks, other hands

    def place_of(self, panel: str, x: float, y: float) -> QPointF | None:
        return self.canvas.mapTo(self, QPointF(x, y))

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._encoding = None
        self.canvas.show_message(sentence, self.offer_of_lack(state))
        self.controls.display(self.picture.options(state), None)

    def show_message(self, sentence: str) -> None:
        self.canvas.show_message(sentence)

    # -- the hands -----------------------------------------------------------------------------

    def show_cursor(self, state: Exploration) -> None:
        """Turn the hands to the cursor, or to where they are on their way there."""
        self._turn_hands(state, self.model.playhead.ahead)

    @Slot(float)
    def _move_hands(self, ahead: float) -> None:
        if self.isVisible():
            self._turn_hands(self.model.state, ahead)

    def _turn_hands(self, state: Exploration, ahead: float) -> None:
        face, e = self.canvas.face, self._encoding
        if face is not None and e is not None:
            turns = turns_at(e, face, state.position, ahead)
            marked = clock_of(e, face, state.dimension)
            made = turns_at(e, face, state.position)
            self.canvas.set_hands(turns, state.position, marked, made)

    def show_preview(self, state: Exploration | None) -> None:
        """Show lighter hands at the position that the mouse points at, and a frame round a pair.

        While a hand is dragged they stay where all were when it was grabbed.
        """
        face, e = self.canvas.face, self._encoding
        state = self.turning.begun or state
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
        place = _place(self.canvas.face, clock, position)
        self.model.point_at(**place)

    @Slot()
    def _leave(self) -> None:
        self.model.point_at()

    @Slot(int, object)
    def _pick(self, clock: int, position: int | None) -> None:
        place = _place(self.canvas.face, clock, position)
        self.model.pick(**place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        what, steps = MOVES.get(Qt.Key(event.key()), ("dimension", 0))
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        turns = modifiers == Qt.KeyboardModifier.ShiftModifier and what != "dimension"
        if turns and self.attached and not self.blank:
            self.turning.step(steps, what)
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _say(self, sentence: str) -> None:
        """Show what has just been done, or again what the picture says."""
        self._set_status(sentence or self._own_status)

    @Slot(int)
    def _go(self, pairs: int) -> None:
        """Show clocks further on, as far as there are any."""
        if self.canvas.face is None:
            return
        grid = self.canvas.face.grid
        last_page = grid.pairs - grid.shown
        first = min(max(grid.first + pairs, 0), last_page)
        if first == grid.first:
            return
        self._page.stay(self.model.state)
        self.set_options(first=first)
        self.redraw()  # also where the options had this page before the cursor turned it


def _page_of(state: Exploration) -> tuple[int, str]:
    """Return what the options say of the page."""
    options = Clocks.options(state)
    assert isinstance(options, ClockOptions)
    return options.first, options.pairs


def _place(face: Face | None, clock: int, position: int | None) -> dict[str, int]:
    """Return the first dimension of a clock's pair, and the position of a point near by."""
    assert face is not None
    place = {"dimension": face.dimensions[clock][0]}
    if position is not None:
        place["position"] = position
    return place
