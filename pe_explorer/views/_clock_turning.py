"""Turning the hands of all clocks with the mouse or keys, to demonstrate a shift by k."""

import math

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer import pictures
from pe_explorer.encodings import LIMIT, require_known
from pe_explorer.exploration import Exploration, ResolvedState, move_cursor
from pe_explorer.model.model import Gesture
from pe_explorer.params import printed
from pe_explorer.views._clock_hands import Hands
from pe_explorer.views.view import View

_SHIFT_PICTURE_NAME = "shift"  # picture whose option `k` is set
_FIXED_HAND_MESSAGE = "This hand does not turn with the position. Drag another hand."
_MAX_DEGREES = 36_000.0  # larger angles are shown in turns


class TurnController(QObject):
    """A controller that turns all hands by moving the cursor, and sets k in the shift view."""

    sentence_changed = Signal(str)  # sentence about the turn; empty after an unrelated change

    def __init__(self, hands: Hands, view: View) -> None:
        super().__init__(view)
        self._hands, self._view = hands, view
        self.start_state: ResolvedState | None = None  # state at the start of the drag, if any
        self._clock = 0
        self._origin = 0  # position of the cursor before the turn
        self._gesture: Gesture | None = None  # gesture of the current drag, if any
        self._result: tuple[int, int] | None = None  # position and k after the last turn
        hands.hand_grabbed.connect(self._grab_hand)
        hands.hand_dragged.connect(self._turn_hands)
        hands.hand_dropped.connect(self._drop_hand)

    @Slot(int)
    def _grab_hand(self, clock_index: int) -> None:
        face = self._hands.face
        if face is None or not self._view.is_attached or self._view.is_blank:
            return
        model = self._view.model
        model.point_at()  # end the hover preview
        if model.lock.is_locked or not face.frequencies[clock_index]:
            model.refused.emit(
                model.lock.LOCK_HINT if model.lock.is_locked else _FIXED_HAND_MESSAGE
            )
            return
        model.playhead.pause()
        self._gesture = model.gesture
        self._gesture.begin()
        dimensions = face.dimensions[clock_index]
        if model.state.dimension not in dimensions:
            model.set(dimension=dimensions[0])
        self.start_state, self._clock = model.state, clock_index
        self._origin = self.start_state.position

    @Slot(float)
    def _turn_hands(self, turns: float) -> None:
        if self.start_state is None or not self._view.is_attached or self._view.is_blank:
            return
        face = self._hands.face
        assert face is not None
        positions = turns * math.tau / float(face.frequencies[self._clock])
        domain = require_known(self.start_state.encoding).domain
        low = max(domain[0], self._origin - LIMIT)
        high = min(domain[-1], self._origin + LIMIT)
        shift = round(min(max(positions, low - self._origin), high - self._origin))
        self._move(position=self._origin + shift)
        self._hands.set_note(self._clock, f"k = {shift:,}")

    @Slot()
    def _drop_hand(self) -> None:
        if self._gesture is not None:
            self._gesture.end()
            self.start_state = self._gesture = None
            self._hands.set_note(0, "")
            self._hands.set_preview((), None)

    def step(self, steps: int, unit: str) -> None:
        """Move the cursor by `steps` units; set k to the total of consecutive moves."""
        model = self._view.model
        model.playhead.pause()
        cursor = move_cursor(model.state, unit, steps)
        is_continued = self._result == (model.state.position, _read_shift(model.state))
        if not is_continued or abs(cursor["position"] - self._origin) > LIMIT:
            self._origin = model.state.position
        self._move(**cursor)

    def _move(self, **cursor: int) -> None:
        model = self._view.model
        k = cursor["position"] - self._origin
        self._result = cursor["position"], k
        model.set(**cursor)
        model.set_options(_SHIFT_PICTURE_NAME, k=k)
        self.sentence_changed.emit(self._format_sentence(model.state, k))

    def _format_sentence(self, state: ResolvedState, k: int) -> str:
        face, rows = self._hands.face, require_known(state.encoding).rows
        span = f"from {rows.name} {self._origin:,} to {state.position:,}"
        sentence = f"Clocks: you turned all hands by k = {rows.format_count(k)}, {span}"
        has_cursor = [] if face is None else [state.dimension in d for d in face.dimensions]
        if face is None or True not in has_cursor:
            return f"{sentence}."
        clock_index = has_cursor.index(True)
        turns = k * float(face.frequencies[clock_index]) / math.tau
        is_small = abs(turns * 360) <= _MAX_DEGREES
        angle = f"{turns * 360:,.2f}°" if is_small else printed.turns(turns)
        return f"{sentence}; the hand of pair {face.grid.numbers[clock_index]} turned by {angle}."

    @Slot(object, object)
    def forget_turn(self, old: Exploration, new: Exploration) -> None:
        """Clear the sentence about the turn after an unrelated change."""
        if self._result is not None and self._result != (new.position, _read_shift(new)):
            self._result = None
            self.sentence_changed.emit("")


def _read_shift(state: Exploration) -> int:
    return int(pictures.find(_SHIFT_PICTURE_NAME)(state).options.k)
