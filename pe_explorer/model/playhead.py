"""The playhead, which moves the cursor.

The cursor moves according to the elapsed time, so slow machines skip frames.
"""

import math
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal, Slot

from pe_explorer.analysis.curves import is_continuous
from pe_explorer.exploration import ResolvedState, move_cursor
from pe_explorer.params import Real

_SPEED_HELP = "The speed of the cursor during playback."
SPEED = Real(2.0, 0.01, 1e12, label="Speed", unit="positions per second", help=_SPEED_HELP)
_SPEEDS = [float(f"{digit}e{power}") for power in range(-2, 12) for digit in (1, 2, 5)]


class PlayHead(QObject):
    """Playback of the visible positions: play, pause, step, speed and loop.

    The cursor is always at a whole position. If the encoding has values between positions,
    clock hands and lines move continuously ahead of the cursor.
    """

    moved = Signal(float)  # distance in positions from the cursor to the hands and lines, 0 to 1
    playing_changed = Signal(bool)
    settings_changed = Signal()
    loop_changed = Signal(bool)
    stepwise_changed = Signal(bool)

    def __init__(
        self, state: Callable[[], ResolvedState], set_cursor: Callable[..., object], parent: QObject
    ) -> None:
        """Create a playhead; `state` returns the exploration, `set_cursor` moves the cursor."""
        super().__init__(parent)
        self._state, self._set_cursor = state, set_cursor
        self.speed: float = SPEED.default  # positions per second
        self.is_looping = True  # whether playback starts over after the last visible position
        self.fraction = 0.0  # elapsed fraction of the time between two positions, from 0 to 1
        self.is_stepwise = False  # whether clock hands and lines pause at every position
        self._start_fraction = 0.0
        self._origin = self._expected_position = state().position
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=16)  # in milliseconds
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.advance)

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    @property
    def lead(self) -> float:
        """The distance in positions from the cursor to the clock hands and lines.

        The distance is from 0 to 1. It is 0 at the last position, and if the hands and lines do
        not move continuously.
        """
        state = self._state()
        position, moves = state.position, not self.is_stepwise and is_continuous(state.encoding)
        is_mid_step = position == self._expected_position and position + 1 in state.positions
        return self.fraction if moves and is_mid_step else 0.0

    def set_speed(self, speed: float) -> None:
        """Change the speed in positions per second; clock hands and lines do not jump."""
        if math.isfinite(speed):
            self.speed = SPEED.clamp(speed)
            self._restart(self.fraction)
            self.settings_changed.emit()

    def change_speed(self, steps: int) -> None:
        """Raise the speed by `steps` in the series 1, 2, 5, 10, ... or lower it if `steps` < 0."""
        speed = self.speed
        for _ in range(abs(steps)):
            speed = find_next_speed(speed, steps)
        self.set_speed(speed)

    @Slot()
    def speed_up(self) -> None:
        self.change_speed(1)

    @Slot()
    def slow_down(self) -> None:
        self.change_speed(-1)

    @Slot()
    def toggle_loop(self) -> None:
        self.set_loop(not self.is_looping)

    def set_loop(self, should_loop: bool) -> None:
        """Set whether playback starts over after the last visible position."""
        self.is_looping = should_loop
        self.loop_changed.emit(should_loop)
        self.settings_changed.emit()

    @Slot()
    def toggle_stepwise(self) -> None:
        self.is_stepwise = not self.is_stepwise
        self.stepwise_changed.emit(self.is_stepwise)

    @Slot()
    def play(self) -> None:
        """Play from the cursor.

        Start at the first visible position if the cursor is not visible, or if it is at the last
        position and playback does not loop.
        """
        positions, position = self._state().positions, self._state().position
        is_at_end = position == positions[-1] and not self.is_looping
        if is_at_end or position not in positions:
            self._set_cursor(position=positions[0])
        self._restart(0.0)
        self._timer.start()
        self.playing_changed.emit(True)

    @Slot()
    def pause(self) -> None:
        """Stop at the nearest position."""
        if self.is_playing:
            self._timer.stop()
            self._set_cursor(position=self._state().position + round(self.lead))
            self._set_fraction(0.0)
            self.playing_changed.emit(False)

    @Slot()
    def toggle(self) -> None:
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def step(self, steps: int, unit: str = "position") -> None:
        """Move the cursor by `steps` units; pause playback unless the unit is "dimension"."""
        if unit != "dimension":
            self.pause()
        self._set_cursor(**move_cursor(self._state(), unit, steps))

    @Slot()
    def step_back(self) -> None:
        self.step(-1)

    @Slot()
    def step_forward(self) -> None:
        self.step(1)

    @Slot()
    def advance(self) -> None:
        positions = self._state().positions
        # If the user has moved the cursor, continue from its new position.
        if self._state().position != self._expected_position:
            self._restart(0.0)
        seconds = self._clock.nsecsElapsed() * 1e-9
        distance = self._start_fraction + seconds * self.speed
        steps = math.floor(distance)
        position, fraction = self._origin + steps, distance - steps
        if position >= positions[-1] and not self.is_looping:
            self._set_cursor(position=positions[-1])
            self.pause()
            return
        if position not in positions:
            # Wrap around at the end, and stay in the visible positions if they have changed.
            position = positions[max(position - positions[0], 0) % len(positions)]
            self._set_cursor(position=position)
            self._restart(fraction)
        self._expected_position = position
        self._set_cursor(position=position)
        self._set_fraction(fraction)

    def _restart(self, fraction: float) -> None:
        self._origin = self._expected_position = self._state().position
        self._start_fraction = fraction
        self._clock.start()

    def _set_fraction(self, fraction: float) -> None:
        before, self.fraction = self.lead, fraction
        if before or self.lead:
            self.moved.emit(self.lead)


def find_next_speed(speed: float, direction: int) -> float:
    """Return the next speed above or below `speed` in the series 1, 2, 5, 10, 20, ..."""
    if direction > 0:
        return min((candidate for candidate in _SPEEDS if candidate > speed), default=SPEED.high)
    return max((candidate for candidate in _SPEEDS if candidate < speed), default=SPEED.low)
