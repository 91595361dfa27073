"""Arrays, axes and words as text of a script: as many digits as can be seen, in short lines."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.pictures.axis_numbers import notation, short
from pe_explorer.pictures.figure import Axis
from pe_explorer.pictures.levels import finite_ends

__all__ = ["LETTER", "SEEN", "AxisCode", "Name", "array_lines", "call", "plain", "wrapped"]

_WIDTH = 96  # characters in a line of numbers
LETTER = 0.64
"""Width of a digit, in font sizes; other letters are seldom wider."""
SEEN = 1e-6
"""Of a range of numbers: no figure shows less."""
_ROUNDING = 1e-12  # relative
_MOST_DIGITS = 17
_MOST_DECIMALS = 15  # rounding to more, or to larger powers of ten, could overflow


def array_lines(name: str, values: npt.NDArray[Any], seen: float = 0.0) -> list[str]:
    """Return lines that make an array of float64 numbers, under a name.

    `seen` is the least difference that can be seen; 0 for a millionth of the range of the values.
    """
    if spaced := _evenly_spaced(values):
        return [f"{name} = {spaced}"]
    digits = _MOST_DIGITS
    seen = seen or _least_seen(values)
    if seen:
        values = _rounded(values, seen)
        digits = _digits(values, seen)
    form = f"%.{digits}g"
    numbers = " ".join(form % value for value in values.ravel().tolist())
    lines = textwrap.wrap(numbers, _WIDTH, break_long_words=False, break_on_hyphens=False)
    shape = "" if values.ndim == 1 else f".reshape{values.shape}"
    end = f'""".split(), dtype=float){shape}'
    return [f'{name} = np.array("""', *lines, end]


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in pieces of so many characters."""
    starts = range(0, len(text), width)
    return [text[start : start + width] for start in starts]


def _evenly_spaced(values: npt.NDArray[Any]) -> str:
    """Return a short expression of numbers with equal steps, or an empty text."""
    count = len(values)
    if values.ndim != 1 or count < 3:
        return ""
    if not np.isfinite(values).all():
        return ""
    first = float(values[0])
    last = float(values[-1])
    reach = max(abs(first), abs(last))
    off = np.abs(np.linspace(first, last, count) - values)
    if off.max() > _ROUNDING * reach:
        return ""
    return f"np.linspace({first!r}, {last!r}, {count})"


def _least_seen(values: npt.NDArray[Any]) -> float:
    """Return the least difference of some values that can be seen, 0 where that is not known."""
    ends = finite_ends(values)
    if ends is None:
        return 0.0
    low, high = ends
    seen = (high - low) * SEEN
    return seen if math.isfinite(seen) else 0.0


def _rounded(values: npt.NDArray[Any], seen: float) -> npt.NDArray[Any]:
    """Return values without decimals that cannot be seen, so that what is nearly 0 is short."""
    decimals = 1 - math.floor(math.log10(seen))
    if abs(decimals) > _MOST_DECIMALS:
        return values
    rounded: npt.NDArray[Any] = np.round(values, decimals) + 0.0  # no minus before a zero
    return rounded


def _digits(values: npt.NDArray[Any], seen: float) -> int:
    """Return how many significant digits of an array can be seen."""
    low, high = finite_ends(values) or (0.0, 0.0)
    largest = max(abs(low), abs(high))
    if largest <= seen:
        return 1
    return min(_MOST_DIGITS, math.ceil(math.log10(largest / seen)) + 1)


def call(function: str, *values: Any, **options: Any) -> str:
    """Return the call of a function; texts are quoted, unless they are a `Name`."""
    words = [repr(value) for value in values]
    words += [f"{name}={value!r}" for name, value in options.items()]
    return f"{function}({', '.join(words)})"


class Name(str):
    """A name or an expression of a script."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def plain(text: str) -> str:
    """Return a text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")


def in_legend(name: str) -> str:
    """Return a name that matplotlib shows in a legend: it leaves out those with a `_` in front."""
    return plain(f"\u200b{name}" if name.startswith("_") else name)


class AxisCode:
    """The numbers of an axis in a script: short, with what is left out in its title.

    Without a label, the title says only what is left out of the numbers.
    """

    def __init__(self, axis: Axis, *, labelled: bool) -> None:
        title = plain(axis.title) if labelled else ""
        self._axis, self._origin, self._unit = axis, 0, 1
        if axis.origin is not None:
            offset, power = notation(axis.origin, axis.count)
            self._origin = axis.origin - offset
            self._unit = int(10**power)
            if power:
                title += f" × $10^{{{power}}}$"
            if offset:
                title += f", from {short(offset)}"
        self.title = title.strip(" ,")
        self.names = axis.names
        self.is_whole = axis.origin is not None and self._unit == 1
        self.is_logarithmic = axis.powers

    @property
    def ends(self) -> tuple[float, float]:
        """Its least and its greatest number."""
        return self.at(self._axis.low), self.at(self._axis.high)

    def at(self, place: float) -> float:
        """Return a place, counted from the axis' origin, as a number of the script."""
        if self._axis.powers:
            return self._axis.value(place)
        doubled = round(2 * place)
        if 2 * place == doubled:  # exact, as ends and middles of cells are
            return (2 * self._origin + doubled) / (2 * self._unit)
        return (self._origin + place) / self._unit
