"""The distribution of the distances between all pairs of positions.

If a distance depends only on the separation Δ of two positions, n - Δ pairs of n positions have the
same distance, so n - 1 distances represent all pairs. Otherwise every pair is measured. If there
are too many pairs or separations, only a sample is measured, which is the same in every run.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis._rows import scale_rows
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import count_positions
from pe_explorer.progress import Reporter

MAX_SEPARATIONS = 100_000  # maximum number of separations to measure without sampling
SAMPLE_SIZE = 20_000  # number of separations in the sample
MAX_POSITIONS = 1000  # maximum number of positions to compare pair by pair without sampling
_BIN_COUNT = 48  # approximate number of bins
_EQUAL_TOLERANCE = 1e-12  # relative tolerance within which all distances count as equal
_MIN_ROUND_STEP = 1e-300  # smaller steps are not rounded, because powers of ten could be subnormal
_MAX_FLOAT = float(np.finfo(np.float64).max)


@dataclass(frozen=True, eq=False)  # no equality, because comparing arrays gives an array
class PairDistances:
    """The distances between all pairs of positions, in ascending order."""

    distances: Floats  # the finite distances
    weights: Floats  # the number of pairs that each distance represents
    earlier_positions: Ints  # the first position of an example pair for each distance
    later_positions: Ints  # the second position of the example pair
    pairs: int  # the total number of pairs
    undefined_count: int  # the number of pairs without a finite distance
    sample_size: int = 0  # the size of the sample; 0 if all distances were measured

    @property
    def mean(self) -> float:
        """The mean of the distances, weighted by the number of pairs."""
        numbers, power = scale_rows(self.distances)  # the scaling prevents overflow of the sum
        return math.ldexp(np.average(numbers, weights=self.weights), power)

    @property
    def median(self) -> float:
        """The median distance; for an even number of pairs, the mean of the two middle values."""
        totals = np.cumsum(self.weights)
        half_total = totals[-1] / 2
        lower_index = np.searchsorted(totals, half_total)
        upper_index = min(np.searchsorted(totals, half_total, side="right"), len(totals) - 1)
        return _compute_midpoint(
            float(self.distances[lower_index]), float(self.distances[upper_index])
        )

    def shares(self, bins: Floats) -> Floats:
        """Return the share of pairs in each bin, shape (len(bins) - 1,); `bins` are the edges."""
        counts, _ = np.histogram(self.distances, bins, weights=self.weights)
        return counts / self.weights.sum()

    def find_pair_between(self, low: float, high: float) -> tuple[int, int] | None:
        """Return a pair with the most frequent distance in a bin, or None if the bin is empty."""
        start, end = np.searchsorted(self.distances, (low, high))
        if start == end:
            return None
        index = start + self.weights[start:end].argmax()
        return int(self.earlier_positions[index]), int(self.later_positions[index])


def spread(
    e: Encoding, positions: range, metric: str = "cosine", progress: Reporter | None = None
) -> PairDistances:
    """Return the distances between all pairs of positions.

    All positions must have rows. The step of `positions` can be larger than 1. Raise the
    same exceptions as `distance.matrix`.
    """
    measure = _sample_separations if distance.depends_on_offset(e, metric) else _sample_pairs
    distances, weights, earlier_positions, later_positions, sample_size = measure(
        e, positions, metric, progress
    )
    count = count_positions(positions)
    pairs = count * (count - 1) // 2
    is_finite = np.isfinite(distances)
    undefined_count = (
        0 if is_finite.all() else round(weights[~is_finite].sum() / weights.sum() * pairs)
    )
    order = np.flatnonzero(is_finite)[np.argsort(distances[is_finite], kind="stable")]
    arrays = distances[order], weights[order], earlier_positions[order], later_positions[order]
    return PairDistances(*arrays, pairs, undefined_count, sample_size)


def _sample_separations(
    e: Encoding, positions: range, metric: str, progress: Reporter | None
) -> tuple[Floats, Floats, Ints, Ints, int]:
    start, count = positions.start, count_positions(positions)
    if count - 1 <= MAX_SEPARATIONS:
        offsets, sample_size = np.arange(1, count, dtype=np.int64), 0
        weights = (count - offsets).astype(np.float64)
    else:
        share = _draw_even_samples(SAMPLE_SIZE)
        targets = count * share / (1 + np.sqrt(1 - share))  # equals count · (1 - √(1 - share))
        offsets = np.clip(np.floor(targets).astype(np.int64) + 1, 1, count - 1)
        weights, sample_size = np.ones(len(offsets)), len(offsets)
    later_positions = start + positions.step * offsets
    distances = distance.from_reference(e, start, later_positions, metric, progress)
    return distances, weights, np.full(len(offsets), start), later_positions, sample_size


def _sample_pairs(
    e: Encoding, positions: range, metric: str, progress: Reporter | None
) -> tuple[Floats, Floats, Ints, Ints, int]:
    start, count = positions.start, count_positions(positions)
    if count <= MAX_POSITIONS:
        sample = np.arange(count, dtype=np.int64)
    else:
        sample = np.unique(np.floor(_draw_even_samples(MAX_POSITIONS) * count).astype(np.int64))
    rows = start + positions.step * np.minimum(sample, count - 1)
    table = distance.matrix(e, rows, rows, metric, progress)
    row_indices, column_indices = np.triu_indices(len(rows), 1)
    distances = table[row_indices, column_indices]
    sample_size = len(distances) if len(rows) < count else 0
    return distances, np.ones(len(distances)), rows[row_indices], rows[column_indices], sample_size


def _draw_even_samples(count: int) -> Floats:
    fractions = np.random.default_rng(count).random(count)
    return (np.arange(count) + fractions) / count


def edges(distance_sets: Sequence[PairDistances]) -> Floats:
    """Return rounded bin edges that enclose all distances; empty if there are no distances."""
    extreme_distances = [item.distances[[0, -1]] for item in distance_sets if len(item.distances)]
    if not extreme_distances:
        return np.zeros(0)
    low, high = float(np.min(extreme_distances)), float(np.max(extreme_distances))
    largest = max(abs(low), abs(high))
    if high - low <= _EQUAL_TOLERANCE * largest:
        step = _choose_round_step(largest / _BIN_COUNT) if largest else 1.0 / _BIN_COUNT
        bins = _compute_midpoint(low, high) + step * np.array([-1.5, -0.5, 0.5, 1.5])
    else:
        step = _choose_round_step(high / _BIN_COUNT - low / _BIN_COUNT)
        first, end = math.floor(low / step), math.floor(high / step) + 1
        with np.errstate(over="ignore"):
            bins = step * np.arange(first, end + 1, dtype=np.float64)
        bins[0], bins[-1] = min(bins[0], low), max(bins[-1], high)  # rounding may exclude an end
    return np.clip(bins, -_MAX_FLOAT, _MAX_FLOAT)


def _compute_midpoint(low: float, high: float) -> float:
    total = low + high
    return total / 2 if math.isfinite(total) else low / 2 + high / 2


def _choose_round_step(minimum: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is at least `minimum`.

    If powers of ten would be subnormal, return `minimum`, but at least the smallest
    positive number.
    """
    if minimum < _MIN_ROUND_STEP:
        return max(minimum, math.ulp(0.0))
    power = 10.0 ** math.floor(math.log10(minimum))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= minimum * (1 - 1e-9))
