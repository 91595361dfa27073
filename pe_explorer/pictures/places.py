"""Axes, points and rectangles of a panel, in units of its axes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from pe_explorer.arrays import Floats

Number = TypeVar("Number", float, Floats)
PanelPoint = tuple[float | None, float | None]
"""The (x, y) coordinates of a point in a panel; a coordinate that is not shown is None."""


@dataclass(frozen=True)
class PanelAxis:
    """An axis of a panel."""

    title: str  # name of the quantity
    low: float  # lower end of the range shown, relative to `origin`
    high: float
    origin: int | None = None  # integer at the coordinate 0; None for an axis of values
    count: int = 0  # number of integers shown; 0 for an axis of values
    is_downward: bool = False  # whether values increase downwards
    powers: bool = False  # whether the axis is logarithmic, with exponents of 10 as coordinates
    names: tuple[str, ...] = ()  # tick labels instead of integers; empty to show integers
    original_name: str = ""  # title before the user replaced it; empty if not replaced
    ticks: tuple[float, ...] | None = None  # tick values chosen by the user; None if automatic

    def has_same_values(self, second: PanelAxis) -> bool:
        """Return whether both axes have the same quantity and range, regardless of direction."""
        if (self.original_name or self.title) != (second.original_name or second.title):
            return False
        ignored_fields = ("title", "original_name", "is_downward", "ticks")
        return replace(self, **{name: getattr(second, name) for name in ignored_fields}) == second

    @property
    def length(self) -> float:
        return self.high - self.low

    def part(self, number: Number) -> Number:
        """Return a coordinate as a fraction of the axis: 0 at the lower end, 1 at the upper end."""
        if math.isinf(self.length):  # the length overflows
            low = self.low / 2
            return (number / 2 - low) / (self.high / 2 - low)
        return (number - self.low) / self.length

    def with_ends(self, low: float, high: float, margin: float) -> PanelAxis:
        """Return the axis from `low` to `high`, with a margin added at each end.

        `margin` is a fraction of the distance from `low` to `high`.
        """
        margin *= high - low
        return replace(self, low=low - margin, high=high + margin)

    def with_length(self, length: float) -> PanelAxis:
        middle = (self.low + self.high) / 2
        return replace(self, low=middle - length / 2, high=middle + length / 2)

    def value(self, number: float) -> float:
        """Return the value at a coordinate; on a logarithmic axis, coordinates are exponents."""
        return 10.0**number if self.powers else number

    @property
    def custom_ticks(self) -> dict[float, float]:
        """The user's tick values that can be shown, by coordinate in ascending order."""
        values = sorted(v for v in self.ticks or () if v > 0 or not self.powers)
        numbers = [math.log10(v) if self.powers else v - (self.origin or 0) for v in values]
        pairs = zip(numbers, values, strict=True)
        is_whole = self.origin is not None
        return {n: v for n, v in pairs if self.low <= n <= self.high and v % 1 * is_whole == 0}


def make_whole_axis(
    title: str, origin: int, count: int, *, is_downward: bool = False, names: tuple[str, ...] = ()
) -> PanelAxis:
    """Return an axis of `count` integers from `origin`, each at the centre of its cell."""
    return PanelAxis(title, -0.5, count - 0.5, origin, count, is_downward, names=names)


class Rectangle(NamedTuple):
    """A rectangular area of a panel; `left` and `top` are the smallest coordinates."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0
