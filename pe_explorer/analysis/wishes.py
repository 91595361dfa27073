"""A combined measurement of all criteria of a good encoding."""

import math
from collections.abc import Callable
from typing import NamedTuple

from pe_explorer.analysis import distance, properties
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.progress import make_part_reporter

_MAX_VALUES = 1 << 22  # maximum number of values; a table of this size takes a few seconds
_MAX_PRODUCTS = 4e9  # maximum number of multiplications when all pairs of rows are compared
_PAIR_OVERHEAD = 60  # fixed cost of comparing two rows, in multiplications


class Evidence(NamedTuple):
    """The measurements at some positions; `properties` explains when a field is None."""

    positions: range
    extremes: properties.Extremes | None
    longer: tuple[Encoding, properties.LocatedNumber] | None  # see `compare_doubled_length`
    max_repeat_difference: float  # the largest difference between two tables of the same positions
    closest_positions: properties.ClosestPair | None
    growth: properties.Growth | None  # None if distances from the reference are undefined
    residual: properties.LocatedNumber | None  # largest residual when moving rows by 1 position


def measure(
    e: Encoding, positions: range, reference: int, metric: str, progress: Callable[[float], object]
) -> Evidence:
    """Return the measurements at positions, all of which must have rows.

    `progress` may raise an exception to cancel.
    """
    growth = None
    if reference in e.domain and math.isfinite(distance.between(e, reference, reference, metric)):
        growth = properties.growth(e, reference, positions, metric)
    progress(0.1)
    extremes = properties.extremes(e, positions)
    progress(0.2)
    longer = properties.compare_doubled_length(e, positions)
    difference = properties.measure_repetition(e, positions)
    residual = properties.compute_shift_residual(e, positions)
    reporter = make_part_reporter(progress, 0.3, 0.7)
    closest_pair = properties.find_closest_pair(e, positions, choose_pair_metric(metric), reporter)
    return Evidence(positions, extremes, longer, difference, closest_pair, growth, residual)


def find_measurable_positions(e: Encoding, positions: range, reference: int, metric: str) -> range:
    """Return the positions nearest to the reference that can be measured in a few seconds."""
    limit = _MAX_VALUES // e.width
    if not distance.depends_on_offset(e, choose_pair_metric(metric)):
        limit = min(limit, math.isqrt(int(_MAX_PRODUCTS / (e.width + _PAIR_OVERHEAD))))
    return find_nearest_positions(clip_positions(positions, e.domain), reference, max(2, limit))


def find_nearest_positions(positions: range, place: int, limit: int) -> range:
    """Return the `limit` positions nearest to `place`, or all positions if there are fewer."""
    latest_start = max(positions.start, positions.stop - limit)
    start = min(max(place - limit // 2, positions.start), latest_start)
    return range(start, min(start + limit, positions.stop))


def choose_pair_metric(metric: str) -> str:
    """Return the metric for comparing pairs: the Euclidean distance instead of dot products."""
    base = distance.find_base_metric(metric)
    return "euclidean" if base == "dot" else base


def count_compared_pairs(e: Encoding, count: int, metric: str) -> float:
    """Return how many pairs must be compared to find the closest pair.

    Return 0 if distances depend only on the offset.
    """
    return 0.0 if distance.depends_on_offset(e, choose_pair_metric(metric)) else count * count / 2
