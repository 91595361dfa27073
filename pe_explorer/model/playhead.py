"""The play-head moves the cursor by the clock: a slow machine skips frames but keeps time."""

import math
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal, Slot

from pe_explorer.exploration import Resolved, moved_cursor
from pe_explorer.params import Real

SPEED = Real(
    8.0,
    0.01,
    1e12,
    label="Speed",
    unit="positions per second",
    help="How fast the cursor moves while it plays.",
)

_GLIDE_TIME = 0.1  # seconds of the hands' way to the next position, if it is not sooner
_ROUND_SPEEDS = [float(f"{digit}e{power}") for power in range(-2, 13) for digit in (1, 2, 5)]
_SPEEDS = [speed for speed in _ROUND_SPEEDS if speed <= SPEED.high]


class PlayHead(QObject):
    """Moves the cursor through the shown positions: play, pause, step, speed, loop.

    While it plays, the hands of the clocks glide to each position and rest there: `moved`
    announces how far ahead of the cursor they are, from -1 position to 0.
    """

    moved = Signal(float)
    playing_changed = Signal(bool)
    settings_changed = Signal()
    loop_changed = Signal(bool)

    def __init__(
        self, state: Callable[[], Resolved], set_cursor: Callable[..., object], parent: QObject
    ) -> None:
        """`state` returns what is shown; `set_cursor` takes another position or dimension."""
        super().__init__(parent)
        self._state, self._set_cursor = state, set_cursor
        self.speed: float = SPEED.default  # positions per second
        self.loop = True  # whether it starts again at the end of the shown positions
        self.fraction = 0.0  # the share of the time until the next position that has passed, 0 to 1
        self.ahead = 0.0  # distance of the hands from the cursor, -1 to 0 positions
        self._offset = 0.0
        self._origin = self._expected = state().position
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=16)  # milliseconds
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.advance)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def set_speed(self, speed: float) -> None:
        """Change the speed, in positions per second, without a jump."""
        if math.isfinite(speed):
            self.speed = SPEED.clamp(speed)
            self._restart(self.fraction)
            self.settings_changed.emit()

    def change_speed(self, steps: int) -> None:
        """Go faster, or slower below 0, by steps of 1, 2, 5, 10 ... positions per second."""
        speed = self.speed
        for _ in range(abs(steps)):
            speed = next_speed(speed, steps)
        self.set_speed(speed)

    @Slot()
    def faster(self) -> None:
        self.change_speed(1)

    @Slot()
    def slower(self) -> None:
        self.change_speed(-1)

    @Slot()
    def toggle_loop(self) -> None:
        self.set_loop(not self.loop)

    def set_loop(self, loop: bool) -> None:
        """Choose what happens at the end of the shown positions."""
        self.loop = loop
        self.loop_changed.emit(loop)
        self.settings_changed.emit()

    @Slot()
    def play(self) -> None:
        """Start at the cursor, or at the first shown position if it is elsewhere or at the end."""
        state = self._state()
        shown, position = state.positions, state.position
        at_end = position == shown[-1] and not self.loop
        if at_end or position not in shown:
            self._set_cursor(position=shown[0])
        self._restart(0.0)
        self._timer.start()
        self.playing_changed.emit(True)

    @Slot()
    def pause(self) -> None:
        """Stop at the cursor."""
        if self.playing:
            self._timer.stop()
            self._move_hands(0.0, glides=False)
            self.playing_changed.emit(False)

    @Slot()
    def toggle(self) -> None:
        if self.playing:
            self.pause()
        else:
            self.play()

    def step(self, steps: int, what: str = "position") -> None:
        """Move the cursor by hand, see `moved_cursor`; a change of its position pauses."""
        if what != "dimension":
            self.pause()
        self._set_cursor(**moved_cursor(self._state(), what, steps))

    @Slot()
    def step_back(self) -> None:
        self.step(-1)

    @Slot()
    def step_forward(self) -> None:
        self.step(1)

    @Slot()
    def advance(self) -> None:
        shown = self._state().positions
        if self._state().position != self._expected:  # it was moved by hand: go on from there
            self._restart(0.0)
        seconds = self._clock.nsecsElapsed() * 1e-9
        distance = self._offset + seconds * self.speed
        whole = math.floor(distance)
        position, fraction = self._origin + whole, distance - whole
        if position > shown[-1] and not self.loop:
            self._set_cursor(position=shown[-1])
            self.pause()
            return
        glides = whole > 0 and position in shown
        if position not in shown:
            # Past the end it starts again; where the shown positions were moved away, at the first.
            position = shown[max(position - shown[0], 0) % len(shown)]
            self._set_cursor(position=position)
            self._restart(fraction)
        self._expected = position
        self._set_cursor(position=position)
        self._move_hands(fraction, glides=glides)

    def _restart(self, fraction: float) -> None:
        """Count from now on from the cursor, with the hands `fraction` ahead of it."""
        self._origin = self._expected = self._state().position
        self._offset = fraction
        self._clock.start()

    def _move_hands(self, fraction: float, *, glides: bool) -> None:
        """Announce the place of the hands, a `fraction` of a step after a new position."""
        self.fraction = fraction
        way = min(1.0, fraction / min(1.0, _GLIDE_TIME * self.speed))
        self.ahead = way - 1.0 if glides else 0.0
        self.moved.emit(self.ahead)


def next_speed(speed: float, direction: int) -> float:
    """Return the next of 1, 2, 5, 10, 20 ... above or below a speed."""
    if direction > 0:
        return min((other for other in _SPEEDS if other > speed), default=SPEED.high)
    return max((other for other in _SPEEDS if other < speed), default=SPEED.low)
