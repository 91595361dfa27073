"""Arrays as text of a script: as many digits as can be seen, in lines of a readable length."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["array_lines", "wrapped"]

_WIDTH = 96  # characters in a line of numbers
_SEEN = 1e-6  # of the range of an array: what no figure shows
_MOST_DIGITS = 17


def array_lines(name: str, values: npt.NDArray[Any]) -> list[str]:
    """Return lines that make an array of float64 numbers, under a name."""
    if spaced := _evenly_spaced(values):
        return [f"{name} = {spaced}"]
    digits = _digits(values)
    numbers = " ".join(f"{value:.{digits}g}" for value in values.ravel().tolist())
    lines = textwrap.wrap(numbers, _WIDTH, break_long_words=False, break_on_hyphens=False)
    shape = "" if values.ndim == 1 else f".reshape({', '.join(map(str, values.shape))})"
    return [f'{name} = np.array("""', *lines, f'""".split(), dtype=float){shape}']


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in pieces of so many characters."""
    return [text[start : start + width] for start in range(0, len(text), width)]


def _evenly_spaced(values: npt.NDArray[Any]) -> str:
    """Return a short expression of numbers with equal steps, or an empty text."""
    if values.ndim != 1 or len(values) < 3 or not np.isfinite(values).all():
        return ""
    first, last, count = float(values[0]), float(values[-1]), len(values)
    reach = max(abs(first), abs(last))
    if np.abs(np.linspace(first, last, count) - values).max() > 1e-12 * reach:
        return ""
    return f"np.linspace({first!r}, {last!r}, {count})"


def _digits(values: npt.NDArray[Any]) -> int:
    """Return how many significant digits of an array can be seen."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 1
    low, high = float(finite.min()), float(finite.max())
    largest = max(abs(low), abs(high))
    range_ = high - low
    if not range_ or not math.isfinite(range_):
        return _MOST_DIGITS
    return min(_MOST_DIGITS, math.ceil(math.log10(largest / (range_ * _SEEN))) + 1)
