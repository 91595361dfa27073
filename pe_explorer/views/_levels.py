"""Levels of colours and axes that follow the values, but seldom move."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

__all__ = ["level_above"]

_STEPS = (1, 1.5, 2, 3, 5, 7.5)
_ROUNDING = 1e-12  # relative: by so much may a value pass its level, or 1 would make the level 1.5 now and then
_LEAST = 1e-290  # below it a colour scale would overflow


def level_above(values: npt.NDArray[np.float64]) -> float:
    """Return the least of 1, 1.5, 2, 3, 5, 7.5, 10, ... times a power of ten that no finite value passes; 1 for zeros."""
    most = float(np.abs(values).max(initial=0.0))
    if most < _LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next((step * power for step in _STEPS if step * power >= most * (1 - _ROUNDING)), 10 * power)
