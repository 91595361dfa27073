"""Sliders, and the steps of a slider for a parameter."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QWidget

from pe_explorer.params import Parameter, Real, Whole
from pe_explorer.widgets.keys import key_alone, offered_key
from pe_explorer.widgets.theme import colours

STEP_KEYS: dict[int, tuple[int, bool]] = {
    Qt.Key.Key_Up: (1, False),
    Qt.Key.Key_Down: (-1, False),
    Qt.Key.Key_PageUp: (1, True),
    Qt.Key.Key_PageDown: (-1, True),
}
"""The keys that change a number: direction, and whether the step is large."""

_SLIDER_KEYS = {**STEP_KEYS, Qt.Key.Key_Right: (1, False), Qt.Key.Key_Left: (-1, False)}
_JUMP_KEYS = {Qt.Key.Key_Home, Qt.Key.Key_End}

_PER_DECADE = 100  # steps per decade of a logarithmic slider
_PER_DOUBLING = 16  # steps between consecutive powers of two
_LINEAR_STEPS = 100  # minimum number of steps for a linear slider over real numbers
_MOST_TICKS = 10  # maximum number of ticks of a linear slider
_TICK, _HEIGHT = 3, 22  # heights of a tick and of a slider with ticks, in pixels
_WHOLE_PAGE, _REAL_PAGE = 8, 10  # steps of a page key
_NOTCH = 120  # angle of one wheel notch in Qt's units, eighths of a degree


class Scale(NamedTuple):
    """The comfortable range of a number, with the steps of a slider from 0 to `steps`."""

    parameter: Whole | Real
    low: float
    high: float

    @property
    def steps(self) -> int:
        return math.ceil(self._steps_of(self.high))

    @property
    def ticks(self) -> list[int]:
        """The steps with tick marks: powers of two or ten, or a few round numbers."""
        if self.parameter.doubling:
            ratio, value = 2.0, 2.0 ** math.ceil(math.log2(self.low))
        elif self.parameter.log:
            ratio, value = 10.0, 10.0 ** math.ceil(math.log10(self.low))
        else:
            return self._even_ticks
        ticks = []
        while value <= self.high:
            ticks.append(self.step_of(value))
            value *= ratio
        return ticks

    @property
    def _even_ticks(self) -> list[int]:
        least = (self.high - self.low) / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(least))
        between = next(power * part for part in (1, 2, 5, 10) if power * part >= least)
        numbers = range(math.ceil(self.low / between), math.floor(self.high / between) + 1)
        return [self.step_of(number * between) for number in numbers]

    def at(self, step: int) -> Any:
        """Return the value of a step, rounded and within the range."""
        if self.parameter.doubling:
            exponent, part = divmod(step + self._first, _PER_DOUBLING)
            value = math.ldexp(1 + part / _PER_DOUBLING, exponent)
        elif self.parameter.log:
            value = 10 ** ((step + self._first) / _PER_DECADE)
        else:
            value = self.low + step * self._unit
        return self._legal(_between(self.low, self._rounded(value), self.high))

    def step_of(self, value: float) -> int:
        """Return the step nearest to a value, limited to the range."""
        inside = _between(self.low, value, self.high)
        nearest = round(self._steps_of(inside))
        return min(max(nearest, 0), self.steps)

    def value_after_step(self, value: Any, direction: int, page: bool) -> Any:
        """Return the value after a step; outside the range, only steps towards the range apply."""
        low, high = min(self.low, value), max(self.high, value)
        return self._legal(
            _between(low, self._unlimited_value_after_step(value, direction, page), high)
        )

    def _unlimited_value_after_step(self, value: Any, direction: int, page: bool) -> Any:
        if isinstance(self.parameter, Whole):
            if page and (self.parameter.log or self.parameter.doubling) and value > 0:
                return value * 2 if direction > 0 else value // 2
            return value + direction * (1, _WHOLE_PAGE)[page]
        if self.parameter.doubling:
            return value * 2.0**direction if page else self.at(self.step_of(value) + direction)
        if self.parameter.log:
            decades = direction if page else direction / 10
            return self._rounded(value * 10**decades)
        units = direction * (_REAL_PAGE if page else 1)
        return self._rounded(value + units * self._unit)

    @property
    def _first(self) -> int:
        if self.parameter.doubling:
            return math.floor(_doublings(self.low))
        return math.floor(_PER_DECADE * math.log10(self.low))

    @property
    def _digits(self) -> int:
        if isinstance(self.parameter, Whole):
            return 0
        step = (self.high - self.low) / _LINEAR_STEPS
        return -math.floor(math.log10(step))

    @property
    def _unit(self) -> float:
        return 10.0**-self._digits

    def _steps_of(self, value: float) -> float:
        if self.parameter.doubling:
            return _doublings(value) - self._first
        if self.parameter.log:
            return _PER_DECADE * math.log10(value) - self._first
        return (value - self.low) / self._unit

    def _rounded(self, value: float) -> float:
        if self.parameter.log:
            return float(f"{value:.3g}")
        return round(value, self._digits)

    def _legal(self, value: float) -> Any:
        legal = self.parameter.clamp(value)  # type: ignore[arg-type]
        return round(legal) if isinstance(self.parameter, Whole) else float(legal)


def scale_of(parameter: Parameter) -> Scale | None:
    """Return the scale of a number that has a comfortable range."""
    if isinstance(parameter, Whole | Real) and parameter.slider_range:
        return Scale(parameter, *parameter.slider_range)
    return None


def _doublings(value: float) -> float:
    fraction, exponent = math.frexp(value)  # fraction is at least 0.5 and below 1
    return _PER_DOUBLING * (exponent - 1 + 2 * fraction - 1)


def _between(low: float, value: float, high: float) -> float:
    return min(max(value, low), high)


class Slider(QSlider):
    """A horizontal slider that jumps to a click, and ignores the wheel without the focus."""

    stepped = Signal(int, bool)  # (direction, page): the user pressed a key or turned the wheel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._grip = 0.0
        self._turned = 0  # wheel angle since the last complete notch
        self._ticks: Sequence[int] = ()

    def set_ticks(self, steps: Sequence[int]) -> None:
        self._ticks = steps
        self.setFixedHeight(_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._ticks:
            return
        handle, travel = self._metrics()
        low, high = self.minimum(), self.maximum()
        painter = QPainter(self)
        painter.setPen(QColor(colours(self.palette()).edge))
        bottom = self.height() - 1
        for step in self._ticks:
            x = handle // 2 + QStyle.sliderPositionFromValue(low, high, step, travel)
            painter.drawLine(x, bottom - _TICK, x, bottom)
        painter.end()

    def event(self, event: QEvent) -> bool:
        key = offered_key(event)
        if key in _SLIDER_KEYS or key in _JUMP_KEYS:
            event.accept()  # otherwise the window moves the cursor
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = key_alone(event)
        if key in _SLIDER_KEYS:
            self.stepped.emit(*_SLIDER_KEYS[key])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():
            event.ignore()  # so that the surrounding panel scrolls
            return
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        for _ in range(abs(notches)):
            self.stepped.emit(1 if notches > 0 else -1, False)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        handle, travel = self._metrics()
        low, high = self.minimum(), self.maximum()
        left = QStyle.sliderPositionFromValue(low, high, self.sliderPosition(), travel)
        offset = event.position().x() - (left + handle / 2)
        self._grip = offset if abs(offset) <= handle / 2 else 0.0
        self.setSliderDown(True)
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def _follow(self, event: QMouseEvent) -> None:
        handle, travel = self._metrics()
        place = round(event.position().x() - self._grip - handle / 2)
        ends = self.minimum(), self.maximum()
        self.setSliderPosition(QStyle.sliderValueFromPosition(*ends, place, travel))

    def _metrics(self) -> tuple[int, int]:
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
        return handle, self.width() - handle
