"""How the distances of all pairs of positions are spread.

Where a distance depends on the separation Δ of two positions only, n - Δ pairs of n positions have
it: all pairs are counted by n - 1 distances. Elsewhere every pair is measured. Of very many, some
are drawn that stand for all: one from each of equal parts, always the same ones.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis._rows import scaled
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import len_of
from pe_explorer.progress import Reporter

MOST_SEPARATIONS = 100_000  # that are all measured, if distances depend on nothing else
DRAWN_SEPARATIONS = 20_000  # the sample that is measured if there are more
MOST_POSITIONS = 1000  # that are compared pair by pair, if distances depend on more
_BINS = 48  # approximate number of bins
_STEPS = (1, 2, 5, 10)
_TIE_TOLERANCE = 1e-12  # relative difference below which all distances count as equal
_LEAST_ROUND_STEP = 1e-300  # smaller steps have too few digits to be round
_LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, eq=False)  # arrays are equal element by element
class PairDistances:
    """The distances of all pairs, in growing order."""

    distances: Floats  # those that are finite
    weights: Floats  # the number of pairs that each stands for
    earlier: Ints  # the first position of one of these pairs
    later: Ints  # its second position
    pairs: int  # the number of pairs
    undefined: int  # the number of pairs without a finite distance
    drawn: int = 0  # the number of distances that were measured; 0 if all were

    @property
    def mean(self) -> float:
        """The mean distance."""
        numbers, power = scaled(self.distances)  # or their sum might be too large
        return math.ldexp(np.average(numbers, weights=self.weights), power)

    @property
    def median(self) -> float:
        """The distance that as many pairs are below as above; of two, the number between them."""
        below = np.cumsum(self.weights)
        half = below[-1] / 2
        lower = int(np.searchsorted(below, half))
        upper = min(int(np.searchsorted(below, half, side="right")), len(below) - 1)
        return _middle(float(self.distances[lower]), float(self.distances[upper]))

    def shares(self, bins: Floats) -> Floats:
        """Return the share of pairs in each bin between two edges, shape (edges - 1,)."""
        counts, _ = np.histogram(self.distances, bins, weights=self.weights)
        return counts / self.weights.sum()

    def pair_in(self, low: float, high: float) -> tuple[int, int] | None:
        """Return the pair in a bin that stands for most pairs; None where the bin is empty."""
        first, end = np.searchsorted(self.distances, (low, high))
        if first == end:
            return None
        found = first + int(self.weights[first:end].argmax())
        return int(self.earlier[found]), int(self.later[found])


def spread(
    e: Encoding, positions: range, metric: str = "cosine", progress: Reporter | None = None
) -> PairDistances:
    """Return the distances of all pairs of different positions; raises as `distance.matrix` does.

    The encoding has rows for all the positions, which may have a step.
    """
    measure = _separations if distance.depends_on_offset(e, metric) else _pairs
    found, weights, earlier, later, drawn = measure(e, positions, metric, progress)
    count = len_of(positions)
    pairs = count * (count - 1) // 2
    finite = np.isfinite(found)
    undefined = 0 if finite.all() else round(weights[~finite].sum() / weights.sum() * pairs)
    order = np.argsort(found[finite], kind="stable")
    kept = np.flatnonzero(finite)[order]
    return PairDistances(
        found[kept], weights[kept], earlier[kept], later[kept], pairs, undefined, drawn
    )


def _separations(
    e: Encoding, positions: range, metric: str, progress: Reporter | None
) -> tuple[Floats, Floats, Ints, Ints, int]:
    start, count = positions.start, len_of(positions)
    if count - 1 <= MOST_SEPARATIONS:
        offsets, drawn = np.arange(1, count, dtype=np.int64), 0
        weights = (count - offsets).astype(np.float64)
    else:
        share = _even_samples(DRAWN_SEPARATIONS)
        wanted = count * share / (1 + np.sqrt(1 - share))  # = count (1 - √(1 - share))
        offsets = np.clip(np.floor(wanted).astype(np.int64) + 1, 1, count - 1)
        weights, drawn = np.ones(len(offsets)), len(offsets)
    later = start + positions.step * offsets
    found = distance.from_reference(e, start, later, metric, progress)
    return found, weights, np.full(len(offsets), start), later, drawn


def _pairs(
    e: Encoding, positions: range, metric: str, progress: Reporter | None
) -> tuple[Floats, Floats, Ints, Ints, int]:
    start, count = positions.start, len_of(positions)
    if count <= MOST_POSITIONS:
        chosen = np.arange(count, dtype=np.int64)
    else:
        chosen = np.unique(np.floor(_even_samples(MOST_POSITIONS) * count).astype(np.int64))
    rows = start + positions.step * np.minimum(chosen, count - 1)
    table = distance.matrix(e, rows, rows, metric, progress)
    one, other = np.triu_indices(len(rows), 1)
    found = table[one, other]
    drawn = len(found) if len(rows) < count else 0
    return found, np.ones(len(found)), rows[one], rows[other], drawn


def _even_samples(count: int) -> Floats:
    """Return numbers from 0 to 1, one at a place of its own in each of equal parts."""
    inside = np.random.default_rng(count).random(count)
    return (np.arange(count) + inside) / count


def edges(spreads: Sequence[PairDistances]) -> Floats:
    """Return edges of bins between round numbers, for all distances; none without a distance."""
    ends = [each.distances[[0, -1]] for each in spreads if len(each.distances)]
    if not ends:
        return np.zeros(0)
    low, high = float(np.min(ends)), float(np.max(ends))
    largest = max(abs(low), abs(high))
    if high - low <= _TIE_TOLERANCE * largest:
        step = _round_step(largest / _BINS) if largest else 1.0 / _BINS
        found = _middle(low, high) + step * np.array([-1.5, -0.5, 0.5, 1.5])
    else:
        step = _round_step(high / _BINS - low / _BINS)
        first, end = math.floor(low / step), math.floor(high / step) + 1
        with np.errstate(over="ignore"):
            found = step * np.arange(first, end + 1, dtype=np.float64)
        found[0], found[-1] = min(found[0], low), max(found[-1], high)  # rounding moves edges, too
    return np.clip(found, -_LARGEST, _LARGEST)


def _middle(low: float, high: float) -> float:
    both = low + high
    return both / 2 if math.isfinite(both) else low / 2 + high / 2


def _round_step(least: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not below a number.

    Where powers of ten have no digits any more, it is that number, or else the least there is.
    """
    if least < _LEAST_ROUND_STEP:
        return max(least, math.ulp(0.0))
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))
