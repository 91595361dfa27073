"""Calls, arrays and axes as text of a script: as many digits as can be seen, in short lines."""

import math
import textwrap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.figures.page import pieces
from pe_explorer.pictures.axis_numbers import notation
from pe_explorer.pictures.figure import PanelAxis
from pe_explorer.pictures.limits import finite_ends

VISIBLE_PART = 1e-6
"""The least part of a range of numbers that a figure shows."""

_WIDTH = 96  # characters in a line
_ROUNDING = 1e-12  # relative, that counts as a rounding error
_MOST_DECIMALS = 15  # rounding to more, or to larger powers of ten, could overflow
_NO_BREAK = "\x00"  # stands for a space within a word


class Array(NamedTuple):
    """An array under a name: its numbers are in the script, unless `code` computes them there.

    `resolution` is the least difference that is visible; 0 for a millionth of the values' range.
    """

    name: str
    values: npt.NDArray[Any]
    resolution: float = 0.0
    code: str = ""


Statement = str | Array
"""What draws a figure: a piece of a script, or an array that the next ones know by its name."""


def lines_of(statement: Statement) -> list[str]:
    """Return a statement as lines of a script."""
    if isinstance(statement, Array):
        return (statement.code or _numbers(statement)).split("\n")
    return statement.split("\n")


def _numbers(array: Array) -> str:
    """Return what makes an array of float64 numbers."""
    name, values, resolution, _ = array
    if spaced := _evenly_spaced(values):
        return f"{name} = {spaced}"
    rounded = _rounded(values, resolution).ravel().tolist()
    lines = wrapped(" ".join(str(number).removesuffix(".0") for number in rounded))
    shape = "" if values.ndim == 1 else f".reshape{values.shape}"
    return f'{name} = np.array("""\n{lines}\n""".split(), dtype=float){shape}'


def _evenly_spaced(values: npt.NDArray[Any]) -> str:
    """Return a short expression of numbers with equal steps, or an empty text."""
    count = len(values)
    if values.ndim != 1 or count < 3 or not np.isfinite(values).all():
        return ""
    first, last = float(values[0]), float(values[-1])
    off = np.abs(np.linspace(first, last, count) - values)
    if off.max() > _ROUNDING * max(abs(first), abs(last)):
        return ""
    return f"np.linspace({first!r}, {last!r}, {count})"


def _rounded(values: npt.NDArray[Any], resolution: float) -> npt.NDArray[Any]:
    """Return values without decimals that cannot be seen, so that what is nearly 0 is short."""
    low, high = finite_ends(values) or (0.0, 0.0)
    resolution = resolution or (high - low) * VISIBLE_PART
    if resolution == 0 or not math.isfinite(resolution):
        return values
    decimals = 1 - math.floor(math.log10(resolution))
    if abs(decimals) > _MOST_DECIMALS:
        return values
    return np.asarray(np.round(values, decimals) + 0.0)  # no minus before a zero


def wrapped(text: str, indent: str = "") -> str:
    """Return a text in short lines, but no shorter than its words."""
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def call(function: str, *values: Any, **options: Any) -> str:
    """Return the call of a function; texts are quoted, unless they are a `Name`.

    The function may have a variable before it, such as ``ax = figure.add_axes``.
    """
    words = [repr(value) for value in values]
    words += [f"{name}={value!r}" for name, value in options.items()]
    inside = ", ".join(words)
    if len(function) + len(inside) < _WIDTH:
        return f"{function}({inside})"
    inside = ", ".join(word.replace(" ", _NO_BREAK) for word in words)
    return f"{function}(\n{wrapped(inside, '    ')},\n)".replace(_NO_BREAK, " ")


class Name(str):
    """A name or an expression of a script."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def matplotlib_text(text: str) -> str:
    """Return a text in which matplotlib sees no formula, but for what a `Typeset` one raises."""
    parts = ((part.replace("$", r"\$"), raised) for part, raised in pieces(text))
    return "".join(f"$^{{{part}}}$" if raised else part for part, raised in parts)


class AxisCode:
    """The numbers of an axis in a script: those that are written beside it."""

    def __init__(self, axis: PanelAxis) -> None:
        self._axis, self._origin, self._unit = axis, 0, 1
        if axis.origin is not None:
            offset, power = notation(axis.origin, axis.count)
            self._origin = axis.origin - offset
            self._unit = int(10**power)

    def at(self, place: float) -> float:
        """Return a place, counted from the axis' origin, as a number of the script."""
        if self._axis.powers:
            return self._axis.value(place)
        doubled = round(2 * place)
        if 2 * place == doubled:  # exact, as ends and middles of cells are
            return (2 * self._origin + doubled) / (2 * self._unit)
        return (self._origin + place) / self._unit

    def all_at(self, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return places as numbers of the script."""
        return np.array([self.at(place) for place in places.tolist()])
