"""Distances between rows of tables, computed block by block where no closed form exists."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pe_explorer.analysis import _close
from pe_explorer.analysis._close import compute_cosine_errors, normalise, subtract_mean
from pe_explorer.analysis._rows import Blocks, find_binary_exponents, scale_each_row
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Stored
from pe_explorer.numeric.positions import Positions, count_positions
from pe_explorer.progress import Reporter

_ANGLE_METRICS = ("cosine", "correlation")
_NEGLIGIBLE_ANGLE = 5e-14  # radians; smaller rounding angles affect only distances close to zero
_ERROR_PER_COLUMN = 1e-15  # rounding error per column in the inner product of two scaled rows
_MIN_ACCURATE_SQUARE = 1e-290  # smaller sums of squares can have subnormal terms
_RIGHT_CHUNK_SIZE = 2**18  # values per chunk of right-hand rows
_LEFT_CHUNK_SIZE = 2**21  # values per chunk of left-hand rows
_CHUNK_DIFFERENCES = 2**14  # differences per chunk; a chunk has at least one row
_ROWS_PER_REPORT = 64  # left-hand rows between two progress reports


def compute_row_distances(
    e: Encoding, p: Positions, q: Positions, metric: str, report: Reporter
) -> Floats:
    """Return distances between the rows of p and those of q, shape (len(p), len(q))."""
    angles_p, angles_q = np.zeros(count_positions(p)), np.zeros(count_positions(q))

    def make_p_rows(part: slice) -> Floats:
        return _prepare_rows(e, p[part], metric, angles_p[part])

    def make_q_rows(part: slice) -> Floats:
        return _prepare_rows(e, q[part], metric, angles_q[part])

    def measure(u: Floats, v: Floats, rows: slice, columns: slice) -> Floats:
        values = _compute_distances(u, v, metric)
        if metric == "dot":
            return values
        if _close.has_exact_phases(e):
            is_corrected = _close.correct_close_distances(e, p[rows], q[columns], metric, values)
            angles = np.add.outer(angles_p[rows], angles_q[columns])
            if angles.max() > _NEGLIGIBLE_ANGLE:
                results = _close.keep_accurate_digits(values, compute_cosine_errors(values, angles))
                values = np.where(is_corrected, values, results)
        elif metric in _ANGLE_METRICS:
            _correct_angles(e, p[rows], q[columns], metric, values)
        return values

    shape = count_positions(p), count_positions(q)
    return _measure_chunks(
        shape, e.width, _RIGHT_CHUNK_SIZE, make_p_rows, make_q_rows, measure, report
    )


def _correct_angles(e: Encoding, p: Positions, q: Positions, metric: str, values: Floats) -> None:
    is_small = values < _close.MIN_ACCURATE_DISTANCE
    is_small &= np.asarray(p)[:, None] != np.asarray(q)
    rows, columns = np.flatnonzero(is_small.any(axis=1)), np.flatnonzero(is_small.any(axis=0))
    if len(rows):
        cell_indices = np.ix_(rows, columns)
        close_values = values[cell_indices]
        u, v = e.table(np.asarray(p)[rows]), e.table(np.asarray(q)[columns])
        _close.correct_small_angles(u, v, metric, close_values)
        values[cell_indices] = close_values


def _measure_chunks(
    shape: tuple[int, int],
    width: int,
    max_chunk_values: int,
    make_left_rows: Callable[[slice], Floats],
    make_right_rows: Callable[[slice], Floats],
    measure: Callable[[Floats, Floats, slice, slice], Floats],
    report: Reporter,
) -> Floats:
    """Return measure(u, v) for each row u of `make_left_rows` and each row v of `make_right_rows`.

    `measure` receives a chunk of rows from each side, and the slices that select these
    rows. A chunk of `make_right_rows` has at most `max_chunk_values` values, but at least one row.
    Values that overflow become infinite. The result is not finite if a row contains
    infinity or nan.
    """
    r, c = shape
    out = np.empty(shape)
    left_count, right_count = max(1, _LEFT_CHUNK_SIZE // width), max(1, max_chunk_values // width)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(0, r, left_count):
            u = make_left_rows(slice(i, min(i + left_count, r)))
            for j in range(0, c, right_count):
                columns = slice(j, min(j + right_count, c))
                v = make_right_rows(columns)
                for k in range(0, len(u), _ROWS_PER_REPORT):
                    end = min(k + _ROWS_PER_REPORT, len(u))
                    rows = slice(i + k, i + end)
                    out[rows, columns] = measure(u[k:end], v, rows, columns)
                    report((i * c + len(u) * j + end * len(v)) / (r * c))
    return out


def _prepare_rows(e: Encoding, positions: Positions, metric: str, angles: Floats) -> Floats:
    """Return the rows of positions in the form that a metric compares.

    For cosine and correlation, rows are scaled to length 1; rows of zeros become nan. The
    angles by which rounding errors can rotate the rows are written to `angles`, unless they
    are negligible.
    """
    table = e.table(positions)
    if _close.has_exact_phases(e):
        _close.correct_short_rows(e, positions, table)
    if metric == "correlation":
        if not _close.has_exact_phases(e):
            return normalise(subtract_mean(scale_each_row(table)))
        deviations = subtract_mean(table)
        angles[:] = _close.compute_rounding_angles(e.amplitude, table, deviations)
        return normalise(deviations)
    return normalise(table) if metric == "cosine" else table


def measure_row_distance(u: Floats, v: Floats, metric: str, amplitude: float) -> float:
    """Return the distance between two rows of shape (width,).

    `amplitude` is the amplitude of the waves in the rows; 0 means that the rows are exact.
    """
    rows = np.array([u, v])
    with np.errstate(over="ignore", invalid="ignore"):
        if metric not in _ANGLE_METRICS:
            return float(_compute_distances(rows[:1], rows[1:], metric)[0, 0])
        comparable_rows = rows if amplitude else scale_each_row(rows)
        if metric == "correlation":
            comparable_rows = subtract_mean(comparable_rows)
        unit_rows = normalise(comparable_rows)
        values = _compute_distances(unit_rows[:1], unit_rows[1:], metric)
        _close.correct_small_angles(rows[:1], rows[1:], metric, values)
        if metric == "correlation" and amplitude:
            angle = _close.compute_rounding_angles(amplitude, rows, comparable_rows).sum()
            values = _close.keep_accurate_digits(values, compute_cosine_errors(values, angle))
    return float(values[0, 0])


def _compute_distances(u: Floats, v: Floats, metric: str) -> Floats:
    """Return distances between rows, shape (len(u), len(v)).

    For cosine and correlation, the rows must have length 1.
    """
    if metric == "dot":
        return _multiply_rows(u, v)
    if metric == "manhattan":
        return _reduce_differences(u, v, np.abs)
    if metric == "chebyshev":
        return _reduce_differences(u, v, np.abs, np.max)
    squares = _reduce_differences(u, v, np.square)
    if metric in _ANGLE_METRICS:
        return np.minimum(squares / 2, 2.0)  # 1 - u·v would lose significant digits
    return _compute_lengths(u, v, squares) if metric == "euclidean" else squares


def _multiply_rows(u: Floats, v: Floats) -> Floats:
    """Return the inner products of rows, shape (len(u), len(v)).

    If only intermediate sums overflow, the products are computed from scaled rows. A product is nan
    if its rounding error overflows.
    """
    products: Floats = u @ v.T
    if np.isfinite(products).all() or not (np.isfinite(u).all() and np.isfinite(v).all()):
        return products
    scaled_products: Floats = scale_each_row(u) @ scale_each_row(v).T
    exponents = find_binary_exponents(u) + find_binary_exponents(v).T
    error = _ERROR_PER_COLUMN * u.shape[1]
    is_undetermined = (np.abs(scaled_products) < error) & np.isinf(np.ldexp(error, exponents))
    return np.where(is_undetermined, np.nan, np.ldexp(scaled_products, exponents))


def _compute_lengths(u: Floats, v: Floats, squares: Floats) -> Floats:
    lengths = np.sqrt(squares)
    i, j = np.nonzero(~((squares > _MIN_ACCURATE_SQUARE) & (squares < np.inf)))
    step = max(1, _RIGHT_CHUNK_SIZE // u.shape[1])
    for start in range(0, len(i), step):
        pairs = i[start : start + step], j[start : start + step]
        lengths[pairs] = _close.compute_row_lengths(np.abs(u[pairs[0]] - v[pairs[1]]))
    return lengths


def _reduce_differences(u: Floats, v: Floats, measure: Any, reduce: Any = np.sum) -> Floats:
    """Return total(measure(u_i - v_k)) for each pair of rows i and k, shape (len(u), len(v))."""
    totals = np.empty((len(u), len(v)))
    step = max(1, _CHUNK_DIFFERENCES // max(1, v.size))
    buffer = np.empty((step, *v.shape))  # reused, because allocating one per chunk would be slow
    for i in range(0, len(u), step):
        rows = u[i : i + step, None]
        differences = np.subtract(rows, v, out=buffer[: len(rows)])
        reduce(measure(differences, out=differences), axis=2, out=totals[i : i + step])
    return totals


def multiply_means(e: Encoding, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the inner products of block means, which equal the means of the inner products."""
    last_share = 0.0

    def report_share(share: float) -> None:
        nonlocal last_share
        last_share = share
        report(share)

    def stop_if_cancelled() -> None:
        report(last_share)

    make_rows = partial(_compute_means, e, rows, stop_if_cancelled)
    make_columns = partial(_compute_means, e, cols, stop_if_cancelled)

    def measure(u: Floats, v: Floats, *_: slice) -> Floats:
        return _multiply_rows(u, v)

    shape = rows[2], cols[2]
    return _measure_chunks(
        shape, e.width, _LEFT_CHUNK_SIZE, make_rows, make_columns, measure, report_share
    )


def _compute_means(
    e: Encoding, blocks: Blocks, stop_if_cancelled: Callable[[], None], part: slice
) -> Floats:
    start, block, _ = blocks
    start += part.start * block
    count = part.stop - part.start
    if not isinstance(e, Stored):
        return e.block_means(start, block, count)
    means = np.empty((count, e.width))
    step = max(1, int(_LEFT_CHUNK_SIZE // e.cost(1, block)))
    for row in range(0, count, step):
        chunk = means[row : row + step]
        chunk[:] = e.block_means(start + row * block, block, len(chunk))
        stop_if_cancelled()
    return means
