"""What pictures cost before they are made, so that what takes long is left to the worker.

The unit is a value of a table, some 10 ns.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from pe_explorer.encodings import Encoding, Steady, reads_a_file
from pe_explorer.pictures.pixels import Size

_INLINE_COST = 1_000_000  # what costs more is left to the worker
_COARSE_VIEWS = 3  # views whose coarse pictures together are as quick as one inline picture
_LONG_COST = 10_000_000  # before what costs more, a coarse picture is shown
_COARSEST = 24  # least width and height of a coarse picture, in pixels
_EXACT_DISTANCE_FACTOR = 16  # cost of a distance of rows that hardly differ, relative to others
_WIDE = 8192  # more dimensions take long anyway, even their frequencies
_EXACT_PHASES_COST = 40  # of the exact phases that a wave starts from


def takes_long(cost: float) -> bool:
    """Whether what makes about so many numbers is left to the worker."""
    return cost > _INLINE_COST


def takes_very_long(cost: float) -> bool:
    """Whether a coarse picture comes before one of about so many numbers."""
    return cost > _LONG_COST


def is_quick(cost: float) -> bool:
    """Whether a coarse picture of about so many numbers is made at once: all views may make one."""
    return cost <= _INLINE_COST / _COARSE_VIEWS


def coarse(cost: Callable[[Size], float], coarser: Callable[[Size], Size], size: Size) -> Size:
    """Return the largest size whose picture is quick, or the coarsest size."""
    if size.ranges and not is_quick(cost(size)):
        size = replace(size, ranges=1)  # with proven bounds
    while not is_quick(cost(size)) and min(size.width, size.height) > 2 * _COARSEST:
        smaller = coarser(size)
        if smaller == size:
            break
        size = smaller
    return size


def start_cost(e: Encoding) -> int:
    """Return what the first row costs beyond the others, in values of a table per dimension.

    Rows follow each other by rotation, but each wave first needs some exact phases. With few
    rows and many dimensions these are nearly all the work.
    """
    if not isinstance(e, Steady):
        return 0
    has_waves = bool(e.wave_of.max(initial=-1) >= 0)  # quicker than asking for its turns
    return _EXACT_PHASES_COST if has_waves else 0


def reading_cost(e: Encoding) -> int:
    """Return the cost of reading a file, if rows need one: too much to be done at once.

    A disk may be slow, or not answer at all.
    """
    return _INLINE_COST + 1 if reads_a_file(e) else 0


def exact_distance_factor(e: Encoding, count: int) -> int:
    """Return the cost factor of exact distances among `count` positions, 1 where none are needed.

    Where not even the fastest wave makes half a turn, all rows are close to each other, and
    their distances are made from exact phases to keep their digits. The rows of a single wave
    often are: without their means, they have one of two directions.
    """
    if not isinstance(e, Steady) or not start_cost(e) or e.width > _WIDE:
        return 1
    frequencies = abs(e.frequencies())
    is_near = len(frequencies) == 1 or float(frequencies.max()) * count < math.pi
    return _EXACT_DISTANCE_FACTOR if is_near else 1
