"""Places in a figure, in the units of its axes: one direction of a panel, and parts of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from pe_explorer.arrays import Floats

Number = TypeVar("Number", float, Floats)
PanelPlace = tuple[float | None, float | None]
"""How far across and down something is in a panel, None where it is not shown."""


@dataclass(frozen=True)
class PanelAxis:
    """One direction of a panel."""

    title: str  # what is counted or measured
    low: float  # the range shown, from `origin` on
    high: float
    origin: int | None = None  # the whole number that 0 stands for; None for an axis of values
    count: int = 0  # how many whole numbers are shown
    down: bool = False  # whether numbers grow downwards
    powers: bool = False  # whether it is logarithmic: all its numbers are exponents of 10
    names: tuple[str, ...] = ()  # in the place of the whole numbers; empty for themselves
    own: str = ""  # the title before somebody typed another one; empty where nobody did
    ticks: tuple[float, ...] | None = None  # the values that somebody chose to stand beside it

    def counts_like(self, other: PanelAxis) -> bool:
        """Return whether both count the same things from the same number on, in any direction."""
        if (self.own or self.title) != (other.own or other.title):
            return False
        alike = replace(self, title=other.title, own=other.own, down=other.down, ticks=other.ticks)
        return alike == other

    @property
    def length(self) -> float:
        return self.high - self.low

    def part(self, number: Number) -> Number:
        """Return where a number lies: 0 at the lower end, 1 at the upper."""
        if math.isinf(self.length):  # the ends are as far apart as no float64 can say
            low = self.low / 2
            return (number / 2 - low) / (self.high / 2 - low)
        return (number - self.low) / self.length

    def reaching(self, low: float, high: float, margin: float) -> PanelAxis:
        """Return the same between two numbers, and a share of their distance beyond both."""
        spare = margin * (high - low)
        return replace(self, low=low - spare, high=high + spare)

    def around_middle(self, length: float) -> PanelAxis:
        """Return the same with another length and the same middle."""
        middle = (self.low + self.high) / 2
        return replace(self, low=middle - length / 2, high=middle + length / 2)

    def value(self, number: float) -> float:
        """Return what a number of the axis stands for."""
        return 10.0**number if self.powers else number

    @property
    def chosen(self) -> dict[float, float]:
        """The chosen values that lie on the axis by their numbers, in order; whole if it counts."""
        values = sorted(v for v in self.ticks or () if v > 0 or not self.powers)
        numbers = [math.log10(v) if self.powers else v - (self.origin or 0) for v in values]
        found = zip(numbers, values, strict=True)
        is_whole = self.origin is not None
        return {n: v for n, v in found if self.low <= n <= self.high and v % 1 * is_whole == 0}


def whole_numbers(
    title: str, origin: int, count: int, *, down: bool = False, names: tuple[str, ...] = ()
) -> PanelAxis:
    """Return an axis of `count` whole numbers from `origin` on, each in the middle of its cell."""
    return PanelAxis(title, -0.5, count - 0.5, origin, count, down, names=names)


class Rectangle(NamedTuple):
    """A part of a panel, from its least coordinates on."""

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
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def empty(self) -> bool:
        return self.width <= 0 or self.height <= 0
