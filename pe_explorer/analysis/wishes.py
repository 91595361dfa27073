"""All that an encoding may be wished to have, measured together."""

import math
from collections.abc import Callable
from typing import NamedTuple

from pe_explorer.analysis import distance, properties
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import positions_in
from pe_explorer.progress import part_reporter

_MOST_NUMBERS = 1 << 22  # numbers of a table, which take less than some seconds
_MOST_PRODUCTS = 4e9  # products of two numbers, where each row is compared with each
_PAIR_OVERHEAD = 60  # cost of a pair besides its products, in products


class Evidence(NamedTuple):
    """What was found at some positions; the functions of `properties` say when it is None."""

    positions: range
    extremes: properties.Extremes | None
    longer: tuple[Encoding, properties.LocatedNumber] | None  # for texts twice as long
    repeated: float  # the largest difference of two tables of the same positions
    closest: properties.ClosestPair | None
    growth: properties.Growth | None  # None where no distance from the reference can be measured
    residual: properties.LocatedNumber | None  # of moving rows by one


def measure(
    e: Encoding, positions: range, reference: int, metric: str, progress: Callable[[float], object]
) -> Evidence:
    """Return what is found at some positions that have rows; `progress` may raise to stop."""
    growth = None
    if reference in e.domain and math.isfinite(distance.between(e, reference, reference, metric)):
        growth = properties.growth(e, reference, positions, metric)
    progress(0.1)
    extremes = properties.extremes(e, positions)
    progress(0.2)
    longer = properties.other_length(e, positions)
    repeated = properties.difference_when_repeated(e, positions)
    residual = properties.shift_residual(e, positions)
    rest = part_reporter(progress, 0.3, 0.7)
    closest = properties.closest_pair(e, positions, metric_of_pairs(metric), rest)
    return Evidence(positions, extremes, longer, repeated, closest, growth, residual)


def measurable(e: Encoding, shown: range, reference: int, metric: str) -> range:
    """Return the positions that are measured: those with rows, or as many as take some seconds.

    They are then those nearest to the reference.
    """
    most = _MOST_NUMBERS // e.width
    if not distance.depends_on_offset(e, metric_of_pairs(metric)):
        most = min(most, math.isqrt(int(_MOST_PRODUCTS / (e.width + _PAIR_OVERHEAD))))
    return around(positions_in(shown, e.domain), reference, max(2, most))


def around(positions: range, place: int, most: int) -> range:
    """Return at most `most` of some positions, those nearest to a place."""
    last_start = max(positions.start, positions.stop - most)
    start = min(max(place - most // 2, positions.start), last_start)
    return range(start, min(start + most, positions.stop))


def metric_of_pairs(metric: str) -> str:
    """Return the metric that pairs are compared by: by an inner product no row is its nearest."""
    base = distance.base_of(metric)
    return "euclidean" if base == "dot" else base


def pairs_to_compare(e: Encoding, count: int, metric: str) -> float:
    """Return how many pairs of rows are compared to find the closest: none in closed form."""
    return 0.0 if distance.depends_on_offset(e, metric_of_pairs(metric)) else count * count / 2
