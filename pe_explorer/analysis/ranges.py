"""The minimum and maximum of distances and curves within blocks of positions."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis._offsets import convert_versines
from pe_explorer.analysis._rows import Blocks
from pe_explorer.arrays import Floats, Phasors
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.encodings.abilities.checks import check_blocks
from pe_explorer.numeric import rotation
from pe_explorer.progress import Reporter, ignore_progress

MAX_EXACT_POSITIONS = 10**7  # maximum number of positions for which every value is computed
_CHUNK_POSITIONS = 1 << 18


class Ranges(NamedTuple):
    """The extremes of each block, or bounds if `is_exact` is False; arrays of shape (count,)."""

    low: Floats
    high: Floats
    is_exact: bool


def compute_distance_ranges(
    e: Encoding,
    p: int,
    blocks: Blocks,
    metric: str = "cosine",
    progress: Reporter | None = None,
    limit: int = MAX_EXACT_POSITIONS,
) -> Ranges | None:
    """Return the minimum and maximum distance from position `p` within blocks of positions.

    The result is exact for at most `limit` positions. For more positions, it consists of bounds,
    which follow from the smallest and the largest cosine of each pair in a block. Return None if
    the metric does not follow from these cosines. Blocks, progress and exceptions are as in
    `distance.matrix_block_means`.
    """
    start, block, count = check_blocks(*blocks)
    report = progress or ignore_progress
    if block * count <= limit:
        measure = partial(distance.from_reference, e, p, metric=metric)
        return measure_ranges(measure, (start, block, count), report)
    if not distance.has_closed_form(e, metric):
        return None
    indices = find_slow_waves(e, block)
    fast_wave_count = e.pairs - len(indices)  # fast waves reach both -1 and 1 in every block
    sums = np.repeat([[-1.0], [1.0]], count, axis=1) * fast_wave_count
    half_steps = range(2 * (start - p), 2 * (start - p + block * count), 2 * block)
    angles = (block - 1) * e.frequencies()[indices]
    for rows, waves, starts in rotation.sweep(e.turns.part(indices), half_steps, None, report):
        sums[:, rows] += np.sum(compute_cosine_limits(starts, angles[waves]), axis=2)
    versines = np.maximum(e.pairs - sums, 0.0)
    limits = convert_versines(versines, distance.find_base_metric(metric), e.pairs, e.pair_weight)
    limits = distance.convert_to_metric(limits, metric, e.width)
    report(1.0)
    return Ranges(limits.min(axis=0), limits.max(axis=0), is_exact=False)


def find_slow_waves(e: Steady, block: int) -> list[int]:
    """Return the waves that make less than a whole turn within a block of positions."""
    is_slow = (block - 1) * np.abs(e.frequencies()) < 2 * np.pi
    return list(map(int, np.flatnonzero(is_slow)))


def measure_ranges(function: Callable[[range], Floats], blocks: Blocks, report: Reporter) -> Ranges:
    """Return the minimum and maximum of a function of the position within each block."""
    start, block, count = blocks
    low, high = np.empty(count), np.empty(count)
    chunk = max(1, _CHUNK_POSITIONS // block)
    for row in range(0, count, chunk):
        report(row / count)
        end = min(row + chunk, count)
        positions = range(start + row * block, start + end * block)
        values = function(positions).reshape(-1, block)
        np.fmin.reduce(values, axis=1, out=low[row:end])  # nan only if all values are nan
        np.fmax.reduce(values, axis=1, out=high[row:end])
    return Ranges(low, high, is_exact=True)


def compute_cosine_limits(starts: Phasors, angles: Any) -> tuple[Floats, Floats]:
    """Return the minimum and maximum cosine on arcs that begin at `starts` and span `angles`."""
    start_angles = np.angle(np.where(angles < 0, starts.conj(), starts)) % (2 * np.pi)
    end_angles = start_angles + np.abs(angles)
    end_cosines = np.cos(start_angles), np.cos(end_angles)
    has_crest = end_angles >= 2 * np.pi
    has_trough = ((start_angles <= np.pi) & (end_angles >= np.pi)) | (end_angles >= 3 * np.pi)
    low = np.where(has_trough, -1.0, np.minimum(*end_cosines))
    return low, np.where(has_crest, 1.0, np.maximum(*end_cosines))
