"""Limits of colours and axes that follow the values, but seldom move; pixels coloured by them."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.colours.maps import DIVERGING, ORDER_MAP, VALUE_MAPS
from pe_explorer.pictures.figure import Cells, Rectangle, Substitute
from pe_explorer.pictures.pixels import colour_indices

_MIDDLE_MAP = "soft"
"""The map with a middle that replaces one without."""

_STEPS = (1, 1.5, 2, 3, 5, 7.5, 10)  # round numbers, times a power of ten
_LEAST_FILLED = 0.6  # part of an axis that its numbers and 0 fill, or else it is shorter
_ROUNDING = 1e-12  # relative excess over a limit that counts as a rounding error
_SMALLEST_LIMIT = 1e-290  # the scale of colours overflows below it
_LARGEST_LIMIT = 5e307  # the distance between both limits overflows beyond it


def all_finite(values: npt.NDArray[np.float64]) -> bool:
    """Return whether there are values, all of them finite; nothing is copied."""
    with np.errstate(invalid="ignore"):
        ends = values.min(initial=np.inf), values.max(initial=-np.inf)
    return bool(np.isfinite(ends).all())


def finite_ends(values: npt.NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the least and the greatest finite value, None if there is none; nothing is copied."""
    where: npt.NDArray[np.bool_] | bool = True
    if not all_finite(values):
        where = np.isfinite(values)
        if not where.any():
            return None
    low = values.min(initial=np.inf, where=where)
    high = values.max(initial=-np.inf, where=where)
    return float(low), float(high)


def limit_above(values: npt.NDArray[np.float64]) -> float:
    """Return a round number that no finite value passes.

    It is the least of 1, 1.5, 2, 3, 5 and 7.5 times a power of ten, and 1 where all values are 0.
    The largest is 5e307, which the very largest float64 numbers do pass.
    """
    low, high = finite_ends(values) or (0.0, 0.0)
    largest = min(max(-low, high), _LARGEST_LIMIT)
    if largest < _SMALLEST_LIMIT:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    enough = largest * (1 - _ROUNDING)
    return next(step * power for step in _STEPS if step * power >= enough)


def without_empty_range(
    limits: tuple[float, float], low: float, high: float
) -> tuple[float, float]:
    """Return limits of an axis of numbers from `low` to `high`, nearer ones if much is empty.

    These are round, and 0 is between them: how far numbers are from it can be seen.
    """
    ends = min(low, 0.0), max(high, 0.0)
    if ends[1] - ends[0] >= _LEAST_FILLED * (limits[1] - limits[0]) or not any(ends):
        return limits
    first, last = (limit_above(np.array([end])) if end else 0.0 for end in ends)
    return -first or 0.0, last


def why_not_drawn(*ends: float) -> str:
    """Return in a sentence why no axis reaches between these numbers, or an empty text.

    Screens and paper divide by the length of an axis, and multiply with it.
    """
    largest = max(map(abs, ends))
    if largest > _LARGEST_LIMIT:
        return "Numbers beyond ±5 · 10³⁰⁷ are too large to be drawn."
    if 0 < largest < _SMALLEST_LIMIT:
        return "Numbers below 10⁻²⁹⁰ are too small to be drawn."
    return ""


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


# -- pixels --------------------------------------------------------------------------------------


class PixelImage(NamedTuple):
    """Pixels and their colours.

    Attributes
    ----------
    values : (rows, columns) float64
        What each pixel shows, nan for none.
    indices : (rows, columns) uint8
        Their colours.
    limits : (float, float)
        The values at the two ends of the colour map.
    """

    values: Floats
    indices: npt.NDArray[np.uint8]
    limits: tuple[float, float]

    def cells(
        self, width: int, height: int, colours: str, title: str, *, numbered: bool = False
    ) -> Cells:
        """Return the cells of a panel that cover so many columns and rows."""
        place = Rectangle(-0.5, -0.5, width, height)
        values, indices, limits = self
        return Cells(values, indices, place, colours, limits, title, numbered=numbered)


def coloured(values: Floats, limits: tuple[float, float] | None) -> PixelImage:
    """Return numbers with their colours between two limits; without any, these are around 0."""
    if limits is None:
        largest = limit_above(values)
        limits = -largest, largest
    return PixelImage(values, colour_indices(values, limits), limits)
