"""Axes whose numbers are right at any size: of whole positions, and of values."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGraphicsSceneResizeEvent

from pe_explorer.pictures.axis_numbers import notation, short
from pe_explorer.widgets.fonts import first_fitting

__all__ = ["RangeAxis", "ValueAxis"]

_PIXELS_PER_TICK = {"left": 36, "right": 36, "bottom": 72, "top": 72}
_TITLE_WIDTH = 34  # pixels
_TICK_WIDTH = 12  # pixels, without a title
_DIGIT_WIDTH = 8  # pixels
_FEW_DIGITS = 4  # there is always room for these
# In spacings: values further from 0 are written as differences from the first one.
_SHARED = 10**4
_AROUND = 12  # pixels that a title takes besides its letters
_LONGEST = 6  # characters of a number beside an axis of values


class RangeAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose ticks are whole numbers, counted from an integer origin.

    Plots draw relative to the origin, because screen transforms lose a unit at 10^15; the
    axis adds it back in exact integers.
    """

    _origin = _offset = _power = 0  # an axis is laid out before it is made

    def __init__(self, orientation: str, title: str) -> None:
        super().__init__(orientation)
        self._title, self._titled = title, True
        self._room, self._digits = 0, _FEW_DIGITS
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickLength=4,
            autoExpandTextSpace=False,
            autoReduceTextSpace=False,
            hideOverlappingLabels=False,
        )
        self._relabel()
        self._make_room(_FEW_DIGITS)

    def set_title(self, title: str) -> None:
        """Name what is counted."""
        if title != self._title:
            self._title = title
            self._relabel()

    def show_title(self, shown: bool) -> None:
        """Show the title, or leave its place to the plot."""
        if shown != self._titled:
            self._titled = shown
            self._relabel()
            self._make_room(self._digits)

    def set_origin(self, origin: int, count: int) -> None:
        """Count from `origin` on; `count` positions are shown."""
        offset, power = notation(origin, count)
        first, last = origin - offset, origin + count - offset
        largest = max(abs(first), abs(last)) // 10**power
        minus = 1 if first < 0 else 0
        self._make_room(len(str(largest)) + minus)
        if (origin, offset, power) != (self._origin, self._offset, self._power):
            self._origin, self._offset, self._power = origin, offset, power
            self._relabel()
            self.picture = None
            self.update()

    def _make_room(self, digits: int) -> None:
        """Leave as much room beside a vertical axis as its longest number and its title need."""
        self._digits = digits
        around = _TITLE_WIDTH if self._titled else _TICK_WIDTH
        width = around + _DIGIT_WIDTH * max(digits, _FEW_DIGITS)
        if self.orientation in ("left", "right") and width != self._room:
            self._room = width
            self.setWidth(width)

    def _relabel(self) -> None:
        fitting = self._fitting_label()
        if fitting != self.labelText:
            self.setLabel(fitting)
        super().resizeEvent()  # which puts the label in the middle

    def _fitting_label(self) -> str:
        """Return the longest label that fits: the title, and what is to be added to the numbers."""
        if not self._titled:
            return ""
        factor = f" × 10<sup>{self._power}</sup>" if self._power else ""
        if not self._offset:
            return f"{self._title}{factor}"
        in_full, briefly = f"{self._offset:,}", short(self._offset)
        labels = [
            f"{self._title}{factor}, from {in_full}",
            f"{self._title}{factor}, from {briefly}",
            f"{self._title}{factor} + {briefly}",
        ]
        metrics = QFontMetricsF(self.label.font())
        return first_fitting(labels, metrics, self._length()) or labels[-1]

    def _length(self) -> float:
        size: QSizeF = self.size()
        return size.height() if self.orientation in ("left", "right") else size.width()

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        if self._offset:
            self._relabel()
        super().resizeEvent(event)

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        low, high = sorted((minVal, maxVal))
        room = max(1.0, size / _PIXELS_PER_TICK[self.orientation])
        spacing = _nice_step((high - low) / room)
        start = self._origin + math.ceil(low)
        first = start + -start % spacing - self._origin
        last = math.floor(high)
        ticks = [float(tick) for tick in range(first, last + 1, spacing)]
        return [(spacing, ticks)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        start = self._origin - self._offset
        return [self._text(round(value) + start) for value in values]

    def _text(self, number: int) -> str:
        if not self._power:
            return str(number)
        unit = 10**self._power
        whole, rest = divmod(abs(number), unit)
        digits = f"{rest:0{self._power}d}".rstrip("0")
        sign = "-" if number < 0 else ""
        decimals = f".{digits}" if digits else ""
        return f"{sign}{whole}{decimals}"


class ValueAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis of values of any size, in few digits.

    Where all values share many digits, only the first is written in full, the others as +n. A
    title that is longer than the axis is cut with an ellipsis.
    """

    _title = ""
    _in_degrees = False

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            autoExpandTextSpace=False, autoReduceTextSpace=False, hideOverlappingLabels=False
        )

    def set_title(self, title: str, unit: str = "") -> None:
        """Name the values and their unit; degrees are counted by quarters of a turn."""
        named = f"{title} ({unit})" if unit else title
        if named != self._title:
            self._title = named
            self._in_degrees = unit == "°"
            self.resizeEvent()

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        if self._title:
            metrics = QFontMetricsF(self.label.font())
            room = self.size().height() - _AROUND
            fitting = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
            if fitting != self.labelText:
                self.setLabel(fitting)
        super().resizeEvent(event)

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        low, high = sorted((minVal, maxVal))
        room = _PIXELS_PER_TICK[self.orientation]
        share = room / max(size, room)  # at most 1, or the largest of all spans would overflow
        finest = math.ulp(max(abs(low), abs(high), 1.0e-290))
        least = max((high - low) * share, finest)
        spacing = _quarters(least) if self._in_degrees else _nice(least)
        first, last = math.ceil(low / spacing), math.floor(high / spacing)
        ticks = range(first, last + 1)
        # Ticks of one kind only, so that all are written as differences from the same number.
        return [(spacing, [tick * spacing for tick in ticks])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not values:
            return []
        if max(map(abs, values)) <= _SHARED * spacing:
            return _brief(values, spacing)
        length = values[-1] - values[0] or spacing
        grid = 10.0 ** (math.floor(math.log10(length)) + 1)
        base = math.floor(values[0] / grid) * grid
        (shared,) = _brief([base], max(grid, abs(base)))
        _, *others = _brief([value - base for value in values], spacing)
        is_exact = values[0] == base == float(shared)
        first = shared if is_exact else f"{shared}…"
        return [first, *(f"+{text}" for text in others)]


def _nice(least: float) -> float:
    """Return the smallest of 1, 2, 5, times a power of ten, that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    for nice in (power, 2 * power, 5 * power):
        if nice >= least * (1 - 1e-9):
            return nice
    return 10 * power


def _quarters(least: float) -> float:
    """Return a quarter, a half or a whole turn in degrees, as far as it is not below `least`."""
    return next((step for step in (90.0, 180.0) if step >= least), 360.0)


def _brief(values: list[float], spacing: float) -> list[str]:
    """Return multiples of a spacing in full, or all with a power of ten where that is too long."""
    finest = math.floor(math.log10(spacing) + 1e-9)
    decimals = max(0, -finest)
    plain = [_without_zeros(f"{value:.{decimals}f}") for value in values]
    if max(map(len, plain)) <= _LONGEST:
        return plain
    return [_scientific(value, finest) for value in values]


def _scientific(value: float, finest: int) -> str:
    """Return a number with a power of ten, down to the digit of 10^finest."""
    if not value:
        return "0"
    largest = math.floor(math.log10(abs(value)) + 1e-9)
    decimals = max(0, largest - finest)
    digits, power = f"{value:.{decimals}e}".split("e")
    return f"{_without_zeros(digits)}e{int(power)}"


def _without_zeros(digits: str) -> str:
    """Return a number without zeros at the end of its decimals."""
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _nice_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, ... that is not below `least`."""
    if least <= 1:
        return 1
    power: int = 10 ** math.floor(math.log10(least))
    for nice in (power, 2 * power, 5 * power):
        if nice >= least:
            return nice
    return 10 * power
