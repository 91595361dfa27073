"""Levels of colours and axes that follow the values, but seldom move, and words for colours that
follow them, too.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import DIVERGING

__all__ = ["level_above", "stand_in"]

_STEPS = (1, 1.5, 2, 3, 5, 7.5)
# relative: by so much may a value pass its level, or 1 would make the level 1.5 now and then
_ROUNDING = 1e-12
_LEAST = 1e-290  # below it a colour scale would overflow
_MOST = 5e307  # beyond it the way from below 0 to above it would be too long for float64


def level_above(values: npt.NDArray[np.float64]) -> float:
    """Return the least of 1, 1.5, 2, 3, 5, 7.5, 10, ... times a power of ten that no finite value
    passes.

    For zeros it is 1; the largest is 5e307, which the largest of all numbers do pass.
    """
    sizes = np.abs(values[np.isfinite(values)])
    most = min(float(sizes.max(initial=0.0)), _MOST)
    if most < _LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(
        (step * power for step in _STEPS if step * power >= most * (1 - _ROUNDING)), 10 * power
    )


def stand_in(chosen: str, used: str) -> str:
    """Return why another colour map than the chosen one is used, or an empty text."""
    if chosen == used:
        return ""
    why = (
        "differences lie on both sides of 0"
        if used in DIVERGING
        else f"{chosen} has a middle, and these values have none"
    )
    return f" Colours: {used}, as {why}."
