"""Sliders, and the steps of a slider for a parameter."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QWidget

from pe_explorer.params import Parameter, Real, Whole
from pe_explorer.widgets.keys import get_claimable_key, get_plain_key
from pe_explorer.widgets.theme import colours

STEP_KEYS: dict[int, tuple[int, bool]] = {
    Qt.Key.Key_Up: (1, False),
    Qt.Key.Key_Down: (-1, False),
    Qt.Key.Key_PageUp: (1, True),
    Qt.Key.Key_PageDown: (-1, True),
}  # the direction for each key that changes a number, and whether the step is large

_SLIDER_KEYS = {**STEP_KEYS, Qt.Key.Key_Right: (1, False), Qt.Key.Key_Left: (-1, False)}
_CLAIMED_KEYS = {*_SLIDER_KEYS, Qt.Key.Key_Home, Qt.Key.Key_End}

_STEPS_PER_DECADE = 100  # on a logarithmic slider
_STEPS_PER_DOUBLING = 16  # steps between consecutive powers of two
_MIN_LINEAR_STEPS = 100  # minimum number of steps for a linear slider over real numbers
_MAX_TICK_INTERVALS = 10  # maximum number of intervals between the ticks of a linear slider
_TICK_HEIGHT, _SLIDER_HEIGHT = 3, 22  # heights in pixels
_WHOLE_PAGE_STEPS, _REAL_PAGE_STEPS = 8, 10  # steps per page key for integers and for real numbers
_NOTCH_ANGLE = 120  # angle of one wheel notch in Qt's units, eighths of a degree


class Scale(NamedTuple):
    """The slider range of a number, divided into steps from 0 to `steps`."""

    parameter: Whole | Real
    low: float
    high: float

    @property
    def steps(self) -> int:
        return math.ceil(self._to_steps(self.high))

    @property
    def ticks(self) -> list[int]:
        """The steps with tick marks: powers of two or ten, or a few round numbers."""
        if self.parameter.has_binary_steps:
            base, logarithm = 2.0, math.log2
        elif self.parameter.log:
            base, logarithm = 10.0, math.log10
        else:
            min_gap = (self.high - self.low) / _MAX_TICK_INTERVALS
            power = 10.0 ** math.floor(math.log10(min_gap))
            gap = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= min_gap)
            numbers = range(math.ceil(self.low / gap), math.floor(self.high / gap) + 1)
            return [self.find_step(number * gap) for number in numbers]
        exponents = range(math.ceil(logarithm(self.low)), math.floor(logarithm(self.high)) + 1)
        return [self.find_step(base**exponent) for exponent in exponents]

    def find_value(self, step: int) -> Any:
        """Return the value of a step, rounded and within the range."""
        if self.parameter.has_binary_steps:
            exponent, sixteenths = divmod(step + self._first_step, _STEPS_PER_DOUBLING)
            value = math.ldexp(1 + sixteenths / _STEPS_PER_DOUBLING, exponent)
        elif self.parameter.log:
            value = 10 ** ((step + self._first_step) / _STEPS_PER_DECADE)
        else:
            value = self.low + step * self._step_size
        return self._convert(_clamp(self._round(value), self.low, self.high))

    def find_step(self, value: float) -> int:
        """Return the step nearest to a value, limited to the range."""
        nearest_step = round(self._to_steps(_clamp(value, self.low, self.high)))
        return min(max(nearest_step, 0), self.steps)

    def compute_value_after_step(self, value: Any, direction: int, page: bool) -> Any:
        """Return the value after a step; a value outside the range cannot move farther away."""
        low, high = min(self.low, value), max(self.high, value)
        return self._convert(_clamp(self._compute_next_value(value, direction, page), low, high))

    def _compute_next_value(self, value: Any, direction: int, page: bool) -> Any:
        if isinstance(self.parameter, Whole):
            if page and (self.parameter.log or self.parameter.has_binary_steps) and value > 0:
                return value * 2 if direction > 0 else value // 2
            return value + direction * (1, _WHOLE_PAGE_STEPS)[page]
        if self.parameter.has_binary_steps:
            next_step = self.find_step(value) + direction
            return value * 2.0**direction if page else self.find_value(next_step)
        if self.parameter.log:
            decades = direction if page else direction / 10
            return self._round(value * 10**decades)
        steps = direction * (_REAL_PAGE_STEPS if page else 1)
        return self._round(value + steps * self._step_size)

    @property
    def _first_step(self) -> int:
        if self.parameter.has_binary_steps:
            return math.floor(_compute_doubling_steps(self.low))
        return math.floor(_STEPS_PER_DECADE * math.log10(self.low))

    @property
    def _decimal_count(self) -> int:
        if isinstance(self.parameter, Whole):
            return 0
        return -math.floor(math.log10((self.high - self.low) / _MIN_LINEAR_STEPS))

    @property
    def _step_size(self) -> float:
        return 10.0**-self._decimal_count

    def _to_steps(self, value: float) -> float:
        if self.parameter.has_binary_steps:
            return _compute_doubling_steps(value) - self._first_step
        if self.parameter.log:
            return _STEPS_PER_DECADE * math.log10(value) - self._first_step
        return (value - self.low) / self._step_size

    def _round(self, value: float) -> float:
        return float(f"{value:.3g}") if self.parameter.log else round(value, self._decimal_count)

    def _convert(self, value: float) -> Any:
        allowed_value = self.parameter.clamp(value)  # type: ignore[arg-type]
        return round(allowed_value) if isinstance(self.parameter, Whole) else float(allowed_value)


def make_scale(parameter: Parameter) -> Scale | None:
    """Return the scale of a number with a `slider_range`, or None for other parameters."""
    if isinstance(parameter, Whole | Real) and parameter.slider_range:
        return Scale(parameter, *parameter.slider_range)
    return None


def _compute_doubling_steps(value: float) -> float:
    fraction, exponent = math.frexp(value)  # fraction is at least 0.5 and below 1
    return _STEPS_PER_DOUBLING * (exponent - 1 + 2 * fraction - 1)


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


class Slider(QSlider):
    """A horizontal slider that jumps to a click, and ignores the wheel unless focused."""

    stepped = Signal(int, bool)  # (direction, page): the user pressed a key or turned the wheel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._grip_offset = 0.0  # distance in pixels from the middle of the handle to the mouse
        self._wheel_angle = 0  # wheel angle since the last complete notch
        self._ticks: Sequence[int] = ()

    def set_ticks(self, steps: Sequence[int]) -> None:
        self._ticks = steps
        self.setFixedHeight(_SLIDER_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._ticks:
            return
        handle_length, travel_length = self._measure_handle()
        low, high, bottom = self.minimum(), self.maximum(), self.height() - 1
        painter = QPainter(self)
        painter.setPen(QColor(colours(self.palette()).edge))
        for step in self._ticks:
            x = handle_length // 2 + QStyle.sliderPositionFromValue(low, high, step, travel_length)
            painter.drawLine(x, bottom - _TICK_HEIGHT, x, bottom)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if get_claimable_key(event) in _CLAIMED_KEYS:
            event.accept()  # otherwise the window moves the cursor
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = get_plain_key(event)
        if key in _SLIDER_KEYS:
            self.stepped.emit(*_SLIDER_KEYS[key])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():
            event.ignore()  # so that the surrounding panel scrolls
            return
        self._wheel_angle += event.angleDelta().y()
        notches = int(self._wheel_angle / _NOTCH_ANGLE)
        self._wheel_angle -= notches * _NOTCH_ANGLE
        for _ in range(abs(notches)):
            self.stepped.emit(1 if notches > 0 else -1, False)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        handle_length, travel_length = self._measure_handle()
        low, high = self.minimum(), self.maximum()
        left = QStyle.sliderPositionFromValue(low, high, self.sliderPosition(), travel_length)
        offset = event.position().x() - (left + handle_length / 2)
        self._grip_offset = offset if abs(offset) <= handle_length / 2 else 0.0
        self.setSliderDown(True)
        self._follow_mouse(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._follow_mouse(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def _follow_mouse(self, event: QMouseEvent) -> None:
        handle_length, travel_length = self._measure_handle()
        left = round(event.position().x() - self._grip_offset - handle_length / 2)
        low, high = self.minimum(), self.maximum()
        self.setSliderPosition(QStyle.sliderValueFromPosition(low, high, left, travel_length))

    def _measure_handle(self) -> tuple[int, int]:
        handle_length = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
        return handle_length, self.width() - handle_length
