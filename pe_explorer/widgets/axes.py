"""Axes whose numbers are right at any size: of whole positions, and of values."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsSceneResizeEvent

from pe_explorer.pictures.axis_numbers import (
    finest_step,
    multiples,
    notation,
    powers_of_ten,
    quarters,
    range_title,
    round_number,
    round_step,
    shorter_measures,
    value_texts,
    whole_multiples,
    whole_text,
)
from pe_explorer.widgets.fonts import first_fitting

_PIXELS_PER_TICK = {"left": 36, "right": 36, "bottom": 72, "top": 72}
_FEW_TICKS, _CLOSEST = 2.5, 40  # a short axis has so many ticks, if so many pixels are between them
_TITLE_WIDTH = 34  # pixels
_TICK_WIDTH = 12  # pixels, without a title
_DIGIT_WIDTH = 8  # pixels
_FEW_DIGITS = 4  # for which there is always room
_AROUND = 12  # pixels that a title takes besides its letters
_NAME_HEIGHT = 17  # pixels from one name to the next, above each other
_BETWEEN = 10  # pixels between two names beside each other
_TICK_DIGITS = 6  # after the point, of the pixel at which a tick is drawn
_MOST_MEASURED = 50  # of the longest names have their widths measured


class _Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose numbers can go, with their places kept, while a plot is empty."""

    _is_numbered = True

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            autoExpandTextSpace=False, autoReduceTextSpace=False, hideOverlappingLabels=False
        )

    def boundingRect(self) -> QRectF:
        # Qt may ask while pyqtgraph is still making the axis, or when its garbage is collected.
        rectangle: QRectF = super().boundingRect() if "style" in vars(self) else QRectF()
        return rectangle

    @property
    def _is_upright(self) -> bool:
        return self.orientation in ("left", "right")

    @property
    def _length(self) -> float:
        size: QSizeF = self.size()
        return size.height() if self._is_upright else size.width()

    def _draw_anew(self) -> None:
        self.picture = None
        self.update()

    def show_numbers(self, shown: bool) -> None:
        """Write numbers, or none."""
        if shown != self._is_numbered:
            self._is_numbered = shown
            self._draw_anew()

    def generateDrawSpecs(self, p: QPainter) -> Any:
        specs = super().generateDrawSpecs(p)
        if specs is None or not self._is_numbered:
            return specs and (specs[0], [], [])
        # The last bits of a range depend on what was shown before: they must not decide to which
        # pixel a tick between two of them is rounded.
        for _, *ends in specs[1]:
            for end in ends:
                end.setX(round(end.x(), _TICK_DIGITS))
                end.setY(round(end.y(), _TICK_DIGITS))
        return specs


class RangeAxis(_Axis):
    """An axis whose ticks are whole numbers, counted from an integer origin.

    Plots draw relative to the origin, because screen transforms lose a unit at 10^15; the
    axis adds it back in exact integers.
    """

    _origin = _offset = _power = 0  # an axis is laid out before it is made

    def __init__(self, orientation: str, title: str) -> None:
        super().__init__(orientation)
        self._title, self._titled = title, True
        self._room, self._digits = 0, _FEW_DIGITS
        self._names: tuple[str, ...] = ()
        self._widest = 0
        """Pixels of the widest name."""
        self.setStyle(tickLength=4)
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

    def show_ticks_alone(self, alone: bool) -> None:
        """Leave the place of the numbers to the plot, as another axis has the same."""
        if alone == self.style["showValues"]:
            self.setStyle(showValues=not alone)

    def set_origin(self, origin: int, count: int) -> None:
        """Count from `origin` on; `count` positions are shown."""
        offset, power = notation(origin, count)
        first, last = origin - offset, origin + count - offset
        ends = (whole_text(end // 10**power, 0) for end in (first, last))
        self._make_room(max(map(len, ends)))
        if (origin, offset, power) != (self._origin, self._offset, self._power):
            self._origin, self._offset, self._power = origin, offset, power
            self._relabel()
            self._draw_anew()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Write names in the place of the whole numbers, or none."""
        if names == self._names:
            return
        self._names = names
        metrics = QFontMetricsF(self.label.font())
        longest = sorted(set(names), key=len)[-_MOST_MEASURED:]
        self._widest = math.ceil(max(map(metrics.horizontalAdvance, longest), default=0))
        self._make_room(self._digits)
        self._draw_anew()

    def _make_room(self, digits: int) -> None:
        """Leave as much room beside a vertical axis as its longest number and its title need."""
        self._digits = digits
        around = _TITLE_WIDTH if self._titled else _TICK_WIDTH
        width = around + (self._widest or _DIGIT_WIDTH * max(digits, _FEW_DIGITS))
        if self._is_upright and width != self._room:
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
        labels = range_title(self._title, self._offset, factor)
        metrics = QFontMetricsF(self.label.font())
        return first_fitting(labels, metrics, self._length) or labels[-1]

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        if self._offset:
            self._relabel()
        super().resizeEvent(event)

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        low, high = sorted((minVal, maxVal))
        usual = size / _PIXELS_PER_TICK[self.orientation]
        room = max(1.0, usual, min(_FEW_TICKS, size / _CLOSEST))
        origin = self._origin
        if self._names:
            room = max(1.0, size / (_NAME_HEIGHT if self._is_upright else self._widest + _BETWEEN))
            origin = 0
        spacing = round_step((high - low) / room)
        ticks = whole_multiples(origin, low, high, spacing)
        return [(spacing, [float(tick) for tick in ticks])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self._names:
            inside = range(len(self._names))
            return [self._names[round(v)] if round(v) in inside else "" for v in values]
        start = self._origin - self._offset
        return [whole_text(round(value) + start, self._power) for value in values]


class ValueAxis(_Axis):
    """An axis of values of any size, in few digits.

    Where all values share many digits, only the roundest is written in full, the others as ±n. A
    title that is longer than the axis loses its last parts; if that is not enough, it is cut with
    an ellipsis.
    """

    _title = ""
    _in_degrees = _in_powers = False
    _power_texts: Mapping[float, str] = MappingProxyType({})
    """What is written beside the powers of ten that were asked for last."""

    def set_title(self, title: str, unit: str = "") -> None:
        """Name the values and their unit; degrees are counted by quarters of a turn."""
        named = f"{title} ({unit})" if unit else title
        if named != self._title:
            self._title = named
            self._in_degrees = unit == "°"
            self.resizeEvent()

    def count_in_powers(self, powers: bool) -> None:
        """Write powers of ten, of which the axis has the exponents, or the values themselves."""
        if powers != self._in_powers:
            self._in_powers = powers
            self._draw_anew()

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        if self._title:
            metrics = QFontMetricsF(self.label.font())
            room = self._length - _AROUND
            texts = _ever_shorter(self._title)
            cut = metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, room)
            fitting = first_fitting(texts, metrics, room) or cut
            if fitting != self.labelText:
                self.setLabel(fitting)
        super().resizeEvent(event)

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        low, high = sorted((minVal, maxVal))
        room = _PIXELS_PER_TICK[self.orientation]
        share = room / max(size, room)  # at most 1, or the largest of all spans would overflow
        least = max((high - low) * share, finest_step(low, high))
        if self._in_powers:
            places, texts, spacing = powers_of_ten(low, high, least)
            self._power_texts = dict(zip(places, texts, strict=True))
            return [(spacing, places)]
        spacing = quarters(least) if self._in_degrees else round_number(least)
        # Ticks of one kind only, so that all are written as differences from the same number.
        return [(spacing, multiples(low, high, spacing))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self._in_powers:
            return [self._power_texts.get(value, "") for value in values]
        return value_texts(values, spacing)


def _ever_shorter(title: str) -> list[str]:
    """Return a title, then without ``of the variance`` and the like, then its first part."""
    shares, _, _ = title.rpartition(" of ")
    first, found, _ = title.partition(", ")
    if found:
        return [title, *([shares] if shares else []), first]
    return [title, *shorter_measures(title)]
