"""Rounded limits for colours and axes, and images of pixels coloured within these limits."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.colours.maps import DIVERGING_MAPS, ORDER_MAP, VALUE_MAPS
from pe_explorer.pictures.figure import Cells, Substitute
from pe_explorer.pictures.pixels import compute_colour_indices
from pe_explorer.pictures.places import Rectangle

_DIVERGING_COLOUR_MAP = "soft"  # map that replaces a sequential map
_STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # round limits, to multiply by a power of ten
# Minimum fraction of an axis that the values and 0 must span; otherwise, the limits are narrowed.
_MIN_FILLED_SHARE = 0.6
_TOLERANCE = 1e-12  # relative excess over a limit that is ignored as rounding error
_MIN_LIMIT = 1e-290  # minimum limit, because the colour scale overflows for smaller limits
_MAX_LIMIT = 5e307  # maximum limit, because the distance between larger limits overflows


def is_all_finite(values: npt.NDArray[np.float64]) -> bool:
    """Return whether an array is not empty and all its values are finite."""
    with np.errstate(invalid="ignore"):
        ends = values.min(initial=np.inf), values.max(initial=-np.inf)
    return bool(np.isfinite(ends).all())


def find_finite_limits(values: npt.NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the minimum and maximum of the finite values, or None if no value is finite."""
    mask: npt.NDArray[np.bool_] | bool = True
    if not is_all_finite(values):
        mask = np.isfinite(values)
        if not mask.any():
            return None
    low = values.min(initial=np.inf, where=mask)
    high = values.max(initial=-np.inf, where=mask)
    return float(low), float(high)


def find_limit_above(values: npt.NDArray[np.float64]) -> float:
    """Return a round number that is at least the absolute value of each finite value.

    The result is one of `_STEPS` times a power of ten. It is 1 if no absolute value reaches
    1e-290. It is at most 5e307, even if an absolute value is larger.
    """
    low, high = find_finite_limits(values) or (0.0, 0.0)
    largest = min(max(-low, high), _MAX_LIMIT)
    if largest < _MIN_LIMIT:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    min_limit = largest * (1 - _TOLERANCE)
    return next(step * power for step in _STEPS if step * power >= min_limit)


def narrow_limits(limits: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """Return `limits`, narrowed if the values fill only a small part of the axis.

    `low` and `high` are the smallest and the largest value. Narrowed limits are round and
    include 0, so that distances from 0 are visible.
    """
    ends = min(low, 0.0), max(high, 0.0)
    if ends[1] - ends[0] >= _MIN_FILLED_SHARE * (limits[1] - limits[0]) or not any(ends):
        return limits
    first, last = (find_limit_above(np.array([end])) if end else 0.0 for end in ends)
    return -first or 0.0, last


def explain_not_drawn(*ends: float) -> str:
    """Return why values cannot be drawn on an axis, or an empty string if they can.

    Drawing multiplies and divides by the length of the axis, which overflows for extreme
    values.
    """
    largest = max(map(abs, ends))
    if largest > _MAX_LIMIT:
        return "Numbers beyond ±5 · 10³⁰⁷ are too large to be drawn."
    if 0 < largest < _MIN_LIMIT:
        return "Numbers below 10⁻²⁹⁰ are too small to be drawn."
    return ""


def find_colour_substitute(
    values: str, *, differences: bool = False, symmetric: bool = True
) -> Substitute | None:
    """Return a replacement for a colour map that does not suit the values.

    Return None if the map is suitable. Differences lie on both sides of 0 and need a
    diverging map. For other values, a diverging map is unsuitable unless the limits are
    `symmetric`, because its middle colour would not mean 0.
    """
    if differences and values not in DIVERGING_MAPS:
        names = tuple(name for name in VALUE_MAPS if name not in DIVERGING_MAPS)
        return Substitute(
            "values", _DIVERGING_COLOUR_MAP, names, "differences lie on both sides of 0"
        )
    if not differences and not symmetric and values in DIVERGING_MAPS:
        names = tuple(name for name in VALUE_MAPS if name in DIVERGING_MAPS)
        return Substitute("values", ORDER_MAP, names, f'"{values}" needs values centred on 0')
    return None


def describe_substitute(substitute: Substitute | None) -> str:
    """Return a sentence about a replaced colour map, or an empty string if none was replaced."""
    return f" Using {substitute.replacement}, because {substitute.reason}." if substitute else ""


# -- pixels --------------------------------------------------------------------------------------


class PixelImage(NamedTuple):
    """The values and colours of pixels, as arrays of shape (rows, columns)."""

    values: Floats  # nan for an empty pixel
    indices: npt.NDArray[np.uint8]  # colour indices
    limits: tuple[float, float]  # values at the ends of the colour map

    def cells(
        self, width: int, height: int, colours: str, title: str, *, has_numbers: bool = False
    ) -> Cells:
        """Return the image as cells that cover `width` columns and `height` rows of a panel."""
        place = Rectangle(-0.5, -0.5, width, height)
        values, indices, limits = self
        return Cells(values, indices, place, colours, limits, title, has_numbers=has_numbers)


def make_pixel_image(values: Floats, limits: tuple[float, float] | None) -> PixelImage:
    """Return an image of values that maps them to colours.

    If `limits` is None, the limits contain all finite values and are symmetric around 0.
    """
    if limits is None:
        largest = find_limit_above(values)
        limits = -largest, largest
    return PixelImage(values, compute_colour_indices(values, limits), limits)
