"""Matrices of values that depend only on the offset Δ between two positions.

Distances between rows of waves follow from V(Δ) = 2 Σ_i sin²(Δ·ω_i / 2), for example.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pe_explorer.analysis._close import close_mean_versines, close_versines, is_close
from pe_explorer.analysis._tables import Blocks, products_of_means
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, doubled_centres, len_of
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter, part_reporter

Values = Callable[[Positions, Reporter], Floats]

_CHUNK_OFFSETS = 2**18  # offsets per chunk
_DIFFERENCES_PER_EVALUATION = 16  # cost of an evaluation, in subtractions of cells
_CLOSED_FORM_OFFSETS = 2**14  # maximum number of offsets for the more accurate closed form
_CLOSE_MEANS = 1e-2  # mean of V per pair below which 1 - cos has fewer than 13 accurate digits
_SHARE_BEFORE_CLOSE = 0.9  # share of the progress before close rows are recomputed


def over_offsets(
    p: Positions, q: Positions, report: Reporter, values: Values, by_rows: Values | None = None
) -> Floats:
    """Return values(p_i - q_j), shape (r, c), with one evaluation per distinct offset of a block.

    If scattered positions have too many distinct offsets, call `by_rows` with parts of p instead.
    """
    if isinstance(p, range) and isinstance(q, range) and (lattice := _lattice(p, q)):
        line, matrix_of = lattice
        return matrix_of(values(line, report))
    r, c = len_of(p), len_of(q)
    out = np.empty((r, c))
    p_array = np.asarray(p)
    q_array = np.asarray(q)
    rows = max(1, _CHUNK_OFFSETS // max(c, 1))
    for start in range(0, r, rows):
        part = p_array[start : start + rows]
        report_part = part_reporter(report, start / r, len(part) / r)
        offsets = part[:, None] - q_array
        distinct, indices = np.unique(offsets, return_inverse=True)
        cost_by_rows = len(part) + c + offsets.size / _DIFFERENCES_PER_EVALUATION
        max_distinct = max(_CLOSED_FORM_OFFSETS, cost_by_rows)
        if by_rows and len(distinct) > max_distinct:
            out[start : start + rows] = by_rows(part, report_part)
        else:
            indices = indices.reshape(offsets.shape)
            out[start : start + rows] = values(distinct, report_part)[indices]
    return out


def _lattice(p: range, q: range) -> tuple[range, Callable[[Floats], Floats]] | None:
    """Return the range of the offsets p_i - q_j, and a function from values by offset to a matrix.

    Cell (i, j) of the matrix is element i·down + j·right - low of the values, so the matrix is a
    strided view of the values. Return None if most offsets of the range would not occur.
    """
    r, c = len_of(p), len_of(q)
    if not r or not c:
        return None
    p_step = p.step if r > 1 else 0
    q_step = q.step if c > 1 else 0
    step = math.gcd(p_step, q_step) or 1
    down, right = p_step // step, -(q_step // step)
    bottom = (r - 1) * down
    end = (c - 1) * right
    low = min(0, bottom) + min(0, end)
    high = max(0, bottom) + max(0, end)
    if high - low >= max(2 * (r + c), r * c):
        return None
    first = p[0] - q[0]
    stop = first + (high + 1) * step

    def matrix_of(values: Floats) -> Floats:
        strides = down * values.itemsize, right * values.itemsize
        return as_strided(values[-low:], (r, c), strides).copy()

    return range(first + low * step, stop, step), matrix_of


# -- versines --------------------------------------------------------------------------------------


def from_versines(versines: Floats, metric: str, pairs: int, weight: float) -> Floats:
    """Return distances from V; `weight` is the contribution of a pair to a row's squared length."""
    if metric == "cosine":
        return versines / pairs
    if metric == "dot":
        return weight * (pairs - versines)
    squares = 2 * weight * versines
    if metric == "sse":
        return squares
    return np.sqrt(np.maximum(squares, 0.0))


def versines(turns: Turns, offsets: Positions, report: Reporter) -> Floats:
    """Return V(Δ) for every offset, shape (n,); Δ·ω / 2 is the phase of a half-step."""
    sums = np.zeros(len_of(offsets))
    first_part = part_reporter(report, 0.0, _SHARE_BEFORE_CLOSE)
    for rows, _, block in rotation.sweep(turns, offsets, None, first_part):
        sums[rows] += 2 * np.square(block.imag).sum(axis=1)  # einsum is less accurate
    offset_array = np.asarray(offsets)
    sums[offset_array == 0] = 0.0  # rotation leaves only rounding errors at offset 0
    is_inaccurate = is_close(sums, "sse", len(turns)) & (offset_array != 0)
    close = np.flatnonzero(is_inaccurate)
    last_part = part_reporter(report, _SHARE_BEFORE_CLOSE, 1 - _SHARE_BEFORE_CLOSE)
    sums[close] = close_versines(turns, offset_array[close], last_part)
    return sums


def mean_versines(e: Steady, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of V for each pair of blocks."""
    products = mean_products(e, rows, cols, part_reporter(report, 0.0, _SHARE_BEFORE_CLOSE))
    means = e.pairs - products
    close = means < _CLOSE_MEANS * e.pairs
    blocks = rows[1], cols[1]
    centres = doubled_centres(*rows), doubled_centres(*cols)
    last_part = part_reporter(report, _SHARE_BEFORE_CLOSE, 1 - _SHARE_BEFORE_CLOSE)
    means[close] = close_mean_versines(e.turns, blocks, centres, close, last_part)
    return means


def mean_products(e: Steady, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of K over pairs of blocks: Σ D_r(ω) D_c(ω) cos(ω·(centre_r - centre_c))."""
    if rows[1] != cols[1]:  # few offsets are equal
        return products_of_means(e, rows, cols, report) / e.pair_weight
    turns = e.turns
    weights = block_means.amplitudes(turns, rows[1]) ** 2

    def mean_products_at(half_steps: Positions, report: Reporter) -> Floats:
        sums = np.zeros(len_of(half_steps))
        for part, _, block in rotation.sweep(turns, half_steps, weights, report):
            sums[part] += block.real.sum(axis=1)
        return sums

    return over_offsets(doubled_centres(*rows), doubled_centres(*cols), report, mean_products_at)
