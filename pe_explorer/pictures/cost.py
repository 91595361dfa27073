"""Estimate the cost of pictures, so that the worker computes expensive pictures.

The unit is the time to compute one value of a table, about 10 ns.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from pe_explorer.encodings import Encoding, Steady, is_file_based
from pe_explorer.pictures.pixels import Size

_MAX_INLINE_COST = 1_000_000  # maximum cost of a picture computed in the GUI thread
_COARSE_VIEW_COUNT = 3  # number of coarse pictures that together may cost `_MAX_INLINE_COST`
_MIN_COARSE_COST = 10_000_000  # cost above which a coarse picture is shown first
_MIN_COARSE_SIDE = 24  # minimum width and height of a coarse picture, in pixels
_EXACT_DISTANCE_FACTOR = 16  # cost factor for distances between nearly equal rows
_MAX_QUICK_WIDTH = 8192  # width above which even the frequencies are slow to compute
_EXACT_PHASES_COST = 40  # cost of the exact initial phases of a wave


def is_expensive(cost: float) -> bool:
    """Return whether the worker computes a picture of this cost."""
    return cost > _MAX_INLINE_COST


def is_very_expensive(cost: float) -> bool:
    """Return whether a picture of this cost is preceded by a coarse picture."""
    return cost > _MIN_COARSE_COST


def is_quick(cost: float) -> bool:
    """Return whether the GUI thread can compute coarse pictures of this cost in several views."""
    return cost <= _MAX_INLINE_COST / _COARSE_VIEW_COUNT


def find_coarse_size(
    cost: Callable[[Size], float], coarsen: Callable[[Size], Size], size: Size
) -> Size:
    """Return `size`, reduced until the picture is quick to compute or cannot become coarser."""
    if size.ranges and not is_quick(cost(size)):
        size = replace(size, ranges=1)  # requests proven bounds instead of exact ranges
    fine_size = size
    while not is_quick(cost(size)) and min(size.width, size.height) > 2 * _MIN_COARSE_SIDE:
        smaller_size = coarsen(size)
        if smaller_size == size:
            break
        size = smaller_size
    # Means over the rows of a file cost the same at any size.
    return size if cost(size) < cost(fine_size) else fine_size


def estimate_start_cost(e: Encoding) -> int:
    """Return the additional cost of the first row, per dimension.

    Rows are computed by rotation from the exact phases of each wave. If there are few rows
    and many dimensions, computing these phases takes most of the time.
    """
    if not isinstance(e, Steady):
        return 0
    has_waves = bool(e.wave_indices.max(initial=-1) >= 0)  # faster than `e.turns`
    return _EXACT_PHASES_COST if has_waves else 0


def estimate_reading_cost(e: Encoding) -> int:
    """Return the cost of reading the file of an encoding, or 0 if no file is read.

    The cost exceeds the limit for the GUI thread, because a slow disk must not block this
    thread.
    """
    return _MAX_INLINE_COST + 1 if is_file_based(e) else 0


def compute_exact_factor(e: Encoding, count: int) -> int:
    """Return the factor by which exact distances of `count` positions increase the cost.

    The factor is 1 if exact distances are not needed. If even the fastest wave makes less
    than half a turn, all rows are nearly equal, so accurate distances need exact phases.
    Rows of a single wave are often nearly equal, too, because they have only two directions
    after subtracting their mean.
    """
    if not isinstance(e, Steady) or not estimate_start_cost(e) or e.width > _MAX_QUICK_WIDTH:
        return 1
    frequencies = abs(e.frequencies())
    is_near = len(frequencies) == 1 or float(frequencies.max()) * count < math.pi
    return _EXACT_DISTANCE_FACTOR if is_near else 1
