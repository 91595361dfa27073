"""Colour levels and axis limits that follow the values, but seldom move."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import DIVERGING

__all__ = ["level_above", "other_colours"]

_STEPS = (1, 1.5, 2, 3, 5, 7.5, 10)
# Relative: values may pass their level by so much, or 1 would now and then make the level 1.5.
_ROUNDING = 1e-12
_LEAST = 1e-290  # below it a colour scale would overflow
_MOST = 5e307  # beyond it the distance from below 0 to above it would overflow


def level_above(values: npt.NDArray[np.float64]) -> float:
    """Return a round number that no finite value passes.

    It is the least of 1, 1.5, 2, 3, 5 and 7.5 times a power of ten, and 1 where all values are 0.
    The largest is 5e307, which the very largest float64 numbers do pass.
    """
    sizes = np.abs(values[np.isfinite(values)])
    largest = min(float(sizes.max(initial=0.0)), _MOST)
    if largest < _LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    enough = largest * (1 - _ROUNDING)
    return next(step * power for step in _STEPS if step * power >= enough)


def other_colours(chosen: str, used: str) -> str:
    """Return a sentence on why another colour map than the chosen one is used, or an empty text."""
    if chosen == used:
        return ""
    if used in DIVERGING:
        return f" Colours: {used}, because differences lie on both sides of 0."
    return f" Colours: {used}, because {chosen} needs values centred on 0."
