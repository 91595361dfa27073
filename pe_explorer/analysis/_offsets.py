"""Matrices of values that depend only on the offset Δ between two positions.

For example, distances between rows of sines and cosines follow from V(Δ) = 2 Σ_i
sin²(Δ·ω_i / 2).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pe_explorer.analysis._close import compute_close_means, compute_close_versines, is_close
from pe_explorer.analysis._rows import Blocks
from pe_explorer.analysis._tables import multiply_means
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, count_positions, list_doubled_centres
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter, make_part_reporter

Evaluator = Callable[[Positions, Reporter], Floats]

_OFFSETS_PER_CHUNK = 2**18  # offsets per chunk
_DIFFERENCES_PER_EVALUATION = 16  # this many row differences take as long as evaluating one row
_MAX_CLOSED_FORM_OFFSETS = 2**14  # up to this number of offsets, use the more accurate closed form
_CLOSE_MEAN_SHARE = 1e-2  # means of V below this share of the number of pairs have lost digits
_FIRST_PART_SHARE = 0.9  # progress at which the recomputation of close rows begins


def build_offset_matrix(
    p: Positions,
    q: Positions,
    report: Reporter,
    evaluate: Evaluator,
    evaluate_rows: Evaluator | None = None,
) -> Floats:
    """Return the matrix of evaluate(p_i - q_j), shape (r, c).

    Each distinct offset in a chunk of rows is evaluated once. If `evaluate_rows` is given,
    it evaluates the chunks of p that have too many distinct offsets.
    """
    if isinstance(p, range) and isinstance(q, range):
        matrix = _build_range_matrix(p, q, report, evaluate)
        if matrix is not None:
            return matrix
    r, c = count_positions(p), count_positions(q)
    out = np.empty((r, c))
    p_array, q_array = np.asarray(p), np.asarray(q)
    rows = max(1, _OFFSETS_PER_CHUNK // max(c, 1))
    for start in range(0, r, rows):
        part = p_array[start : start + rows]
        report_part = make_part_reporter(report, start / r, len(part) / r)
        offsets = part[:, None] - q_array
        distinct_offsets, indices = np.unique(offsets, return_inverse=True)
        row_cost = len(part) + c + offsets.size / _DIFFERENCES_PER_EVALUATION
        if evaluate_rows and len(distinct_offsets) > max(_MAX_CLOSED_FORM_OFFSETS, row_cost):
            out[start : start + rows] = evaluate_rows(part, report_part)
        else:
            values = evaluate(distinct_offsets, report_part)
            out[start : start + rows] = values[indices.reshape(offsets.shape)]
    return out


def _build_range_matrix(p: range, q: range, report: Reporter, evaluate: Evaluator) -> Floats | None:
    """Return the result of `build_offset_matrix` for two ranges.

    The values of all offsets in a range are copied to the matrix. Cell (i, j) is the value
    with the index i·row_stride + j·column_stride - low, where low is the minimum of
    i·row_stride + j·column_stride. Return None if most offsets of the range would not occur
    in the matrix.
    """
    r, c = count_positions(p), count_positions(q)
    if not r or not c:
        return None
    p_step = p.step if r > 1 else 0
    q_step = q.step if c > 1 else 0
    step = math.gcd(p_step, q_step) or 1
    row_stride, column_stride = p_step // step, -(q_step // step)
    row_extent, column_extent = (r - 1) * row_stride, (c - 1) * column_stride
    low = min(0, row_extent) + min(0, column_extent)
    high = max(0, row_extent) + max(0, column_extent)
    if high - low >= max(2 * (r + c), r * c):
        return None
    offset = p[0] - q[0]
    values = evaluate(range(offset + low * step, offset + (high + 1) * step, step), report)
    strides = row_stride * values.itemsize, column_stride * values.itemsize
    return as_strided(values[-low:], (r, c), strides).copy()


def convert_versines(versines: Floats, metric: str, pairs: int, weight: float) -> Floats:
    """Convert V to a metric; `weight` is the contribution of a pair to a row's squared length."""
    if metric == "cosine":
        return versines / pairs
    if metric == "dot":
        return weight * (pairs - versines)
    squares = 2 * weight * versines
    return squares if metric == "sse" else np.sqrt(np.maximum(squares, 0.0))


def versines(turns: Turns, offsets: Positions, report: Reporter) -> Floats:
    """Return V(Δ) for every offset Δ, shape (n,)."""
    sums = np.zeros(count_positions(offsets))
    report_first_part = make_part_reporter(report, 0.0, _FIRST_PART_SHARE)
    for rows, _, block in rotation.sweep(turns, offsets, None, report_first_part):
        sums[rows] += 2 * np.square(block.imag).sum(axis=1)  # einsum would be less accurate
    offset_array = np.asarray(offsets)
    sums[offset_array == 0] = 0.0  # V is exactly 0 at offset 0, but rotation causes rounding errors
    indices = np.flatnonzero(is_close(sums, "sse", len(turns)) & (offset_array != 0))
    report_last_part = make_part_reporter(report, _FIRST_PART_SHARE, 1 - _FIRST_PART_SHARE)
    sums[indices] = compute_close_versines(turns, offset_array[indices], report_last_part)
    return sums


def compute_mean_versines(e: Steady, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of V for each pair of blocks."""
    report_first_part = make_part_reporter(report, 0.0, _FIRST_PART_SHARE)
    means = e.pairs - compute_mean_products(e, rows, cols, report_first_part)
    is_inaccurate = means < _CLOSE_MEAN_SHARE * e.pairs
    report_last_part = make_part_reporter(report, _FIRST_PART_SHARE, 1 - _FIRST_PART_SHARE)
    means[is_inaccurate] = compute_close_means(e.turns, rows, cols, is_inaccurate, report_last_part)
    return means


def compute_mean_products(e: Steady, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of Σ cos(Δ·ω) over offsets Δ for each pair of blocks.

    The mean is Σ D_r(ω)·D_c(ω)·cos(ω·(centre_r - centre_c)), where D_r and D_c are the
    amplitudes of the wave's means over the two blocks.
    """
    if rows[1] != cols[1]:  # blocks of different sizes have few equal offsets between centres
        return multiply_means(e, rows, cols, report) / e.pair_weight
    turns = e.turns
    weights = block_means.amplitudes(turns, rows[1]) ** 2

    def compute_products(half_steps: Positions, report: Reporter) -> Floats:
        sums = np.zeros(count_positions(half_steps))
        for part, _, block in rotation.sweep(turns, half_steps, weights, report):
            sums[part] += block.real.sum(axis=1)
        return sums

    doubled_centres = list_doubled_centres(*rows), list_doubled_centres(*cols)
    return build_offset_matrix(*doubled_centres, report, compute_products)
