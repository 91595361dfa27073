"""The minimum and maximum of distances and curves within blocks of positions."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis._offsets import from_versines
from pe_explorer.analysis._tables import Blocks
from pe_explorer.arrays import Floats, Phasors
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.encodings.abilities.checks import check_blocks
from pe_explorer.numeric import rotation
from pe_explorer.progress import Reporter, no_report

MOST_EXACT = 10**7  # maximum number of positions for which every value is computed
_CHUNK_POSITIONS = 1 << 18


class Ranges(NamedTuple):
    """The minimum and maximum of each block, shape (count,) each.

    If `exact` is false, they are bounds that the values of the block need not reach.
    """

    low: Floats
    high: Floats
    exact: bool


def distance_ranges(
    e: Encoding,
    p: int,
    blocks: Blocks,
    metric: str = "cosine",
    progress: Reporter | None = None,
    most: int = MOST_EXACT,
) -> Ranges | None:
    """Return the minimum and maximum distance from position `p` within blocks of positions.

    The result is exact for at most `most` positions. For more positions, the result is a bound: the
    sums of the smallest and of the largest cosine that each pair of waves reaches in the block.
    Return None if distances do not follow from these cosines. Blocks, progress and errors are as in
    `distance.matrix_block_means`.
    """
    start, block, count = check_blocks(*blocks)
    report = progress or no_report
    if block * count <= most:
        one_by_one = partial(distance.from_reference, e, p, metric=metric)
        return exact_ranges(one_by_one, (start, block, count), report)
    if not distance.has_closed_form(e, metric):
        return None
    offset, end = start - p, start - p + block * count
    slow = slow_waves(e, block)
    fast = float(e.pairs - len(slow))  # in every block, each fast wave reaches both -1 and 1
    sums = np.repeat([[-fast], [fast]], count, axis=1)
    half_steps = range(2 * offset, 2 * end, 2 * block)
    turned = (block - 1) * e.frequencies()[slow]
    for rows, waves, begins in rotation.sweep(e.turns.part(slow), half_steps, None, report):
        sums[:, rows] += np.sum(least_and_greatest(begins, turned[waves]), axis=2)
    versines = np.maximum(e.pairs - sums, 0.0)
    ends = from_versines(versines, distance.base_of(metric), e.pairs, e.pair_weight)
    ends = distance.from_base(ends, metric, e.width)
    report(1.0)
    return Ranges(ends.min(axis=0), ends.max(axis=0), exact=False)


def slow_waves(e: Steady, block: int) -> list[int]:
    """Return the waves that make less than a whole turn within a block of positions."""
    is_slow = (block - 1) * np.abs(e.frequencies()) < 2 * np.pi
    found: list[int] = np.flatnonzero(is_slow).tolist()
    return found


def exact_ranges(numbers: Callable[[range], Floats], blocks: Blocks, report: Reporter) -> Ranges:
    """Return the minimum and maximum of a function of position within blocks."""
    start, block, count = blocks
    low, high = np.empty(count), np.empty(count)
    chunk = max(1, _CHUNK_POSITIONS // block)
    for first in range(0, count, chunk):
        report(first / count)
        part = slice(first, min(first + chunk, count))
        positions = range(start + part.start * block, start + part.stop * block)
        values = numbers(positions).reshape(-1, block)
        np.fmin.reduce(values, axis=1, out=low[part])  # nan only if all values are nan
        np.fmax.reduce(values, axis=1, out=high[part])
    return Ranges(low, high, exact=True)


def least_and_greatest(starts: Phasors, angles: Any) -> tuple[Floats, Floats]:
    """Return the minimum and maximum cosine on arcs, given their starts and angles."""
    first = np.angle(np.where(angles < 0, starts.conj(), starts)) % (2 * np.pi)
    last = first + np.abs(angles)
    ends = np.cos(first), np.cos(last)
    low, high = np.minimum(*ends), np.maximum(*ends)
    has_crest = last >= 2 * np.pi
    has_trough = ((first <= np.pi) & (last >= np.pi)) | (last >= 3 * np.pi)
    return np.where(has_trough, -1.0, low), np.where(has_crest, 1.0, high)
