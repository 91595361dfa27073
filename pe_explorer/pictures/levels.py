"""Colour levels and axis limits that follow the values, but seldom move."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import DIVERGING, ORDER_MAP, VALUE_MAPS
from pe_explorer.pictures.figure import Substitute

__all__ = ["level_above", "substitute_sentence", "suited_colours"]

_MIDDLE_MAP = "blue-red"
"""The map for values on both sides of 0."""

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
    largest = float(np.abs(values).max(initial=0.0))
    if not math.isfinite(largest):  # as it hardly ever is
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    largest = min(largest, _MOST)
    if largest < _LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    enough = largest * (1 - _ROUNDING)
    return next(step * power for step in _STEPS if step * power >= enough)


def suited_colours(
    chosen: str, *, differences: bool = False, symmetric: bool = True
) -> Substitute | None:
    """Return what is shown in the place of the chosen colours for values; None for themselves.

    Differences lie on both sides of 0 and need a middle; where values are not `symmetric`, the
    middle would mean nothing.
    """
    if differences and chosen not in DIVERGING:
        unsuited = tuple(name for name in VALUE_MAPS if name not in DIVERGING)
        return Substitute("values", _MIDDLE_MAP, unsuited, "differences lie on both sides of 0")
    if not differences and not symmetric and chosen in DIVERGING:
        unsuited = tuple(name for name in VALUE_MAPS if name in DIVERGING)
        return Substitute("values", ORDER_MAP, unsuited, f"{chosen} needs values centred on 0")
    return None


def substitute_sentence(substitute: Substitute | None) -> str:
    """Return a sentence on why other colours are shown than those chosen, or an empty text."""
    if substitute is None:
        return ""
    return f" Colours: {substitute.shown}, because {substitute.why}."
