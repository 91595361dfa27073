"""Distances of rows of tables, block by block: for all that has no closed form."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pe_explorer.analysis._close import (
    SMALL_COSINE_DISTANCE,
    angles_of_rounding,
    centred,
    correct_close_distances,
    correct_short_rows,
    correct_small_angles,
    cosine_errors,
    keeps_digits,
    rounded_to_right_digits,
    row_lengths,
    unit,
)
from pe_explorer.analysis._rows import binary_exponents, scaled_one_by_one
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Stored
from pe_explorer.numeric.positions import Positions, len_of
from pe_explorer.progress import Reporter

Blocks = tuple[int, int, int]

_ANGLE_METRICS = ("cosine", "correlation")
_NEGLIGIBLE_ANGLE = 5e-14  # radians: changes no digit of a distance that is not close
_ROUNDING_PER_NUMBER = 1e-15  # error of a product of rows of size 1, for each number of a row
_SMALL_SQUARE = 1e-290  # below it, the terms of the sum may have lost digits
_CHUNK_RIGHT = 2**18  # numbers of the rows on the right that are compared together
_CHUNK_LEFT = 2**21  # numbers of the rows on the left that are computed together
_CHUNK_DIFFERENCES = 2**14  # numbers that are subtracted together, unless a row has more
_ROWS_PER_REPORT = 64  # rows on the left between two reports of progress


def by_tables(e: Encoding, p: Positions, q: Positions, metric: str, report: Reporter) -> Floats:
    """Return the distances of the rows of positions p from those of q, shape (p, q)."""
    turned_p, turned_q = np.zeros(len_of(p)), np.zeros(len_of(q))

    def left(part: slice) -> Floats:
        return _rows(e, p[part], metric, turned_p[part])

    def right(part: slice) -> Floats:
        return _rows(e, q[part], metric, turned_q[part])

    def measure(u: Floats, v: Floats, rows: slice, columns: slice) -> Floats:
        values = _distances(u, v, metric)
        if metric == "dot":
            return values
        if keeps_digits(e):
            is_right = correct_close_distances(e, p[rows], q[columns], metric, values)
            turned = np.add.outer(turned_p[rows], turned_q[columns])
            if turned.max() > _NEGLIGIBLE_ANGLE:
                known = rounded_to_right_digits(values, cosine_errors(values, turned))
                values = np.where(is_right, values, known)
        elif metric in _ANGLE_METRICS:
            _correct_small_angles(e, p[rows], q[columns], metric, values)
        return values

    return _by_blocks((len_of(p), len_of(q)), e.width, _CHUNK_RIGHT, left, right, measure, report)


def _correct_small_angles(
    e: Encoding, p: Positions, q: Positions, metric: str, values: Floats
) -> None:
    close = values < SMALL_COSINE_DISTANCE
    close &= np.asarray(p)[:, None] != np.asarray(q)
    of_p, of_q = np.flatnonzero(close.any(axis=1)), np.flatnonzero(close.any(axis=0))
    if len(of_p):
        some = np.ix_(of_p, of_q)
        found = values[some]
        rows, others = e.table(np.asarray(p)[of_p]), e.table(np.asarray(q)[of_q])
        correct_small_angles(rows, others, metric, found)
        values[some] = found


def _by_blocks(
    shape: tuple[int, int],
    width: int,
    most: int,
    left: Callable[[slice], Floats],
    right: Callable[[slice], Floats],
    measure: Callable[[Floats, Floats, slice, slice], Floats],
    report: Reporter,
) -> Floats:
    """Return the measure of each row on the left with each on the right, rows of `width` numbers.

    `measure` gets some rows of either side, and which they are. Many on the left are made at
    once, and then on the right at most as many as hold `most` numbers. What is too large for
    float64 is infinite, and the measure of numbers that are not finite is not finite.
    """
    r, c = shape
    out = np.empty(shape)
    rows = max(1, _CHUNK_LEFT // width)
    cols = max(1, most // width)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(0, r, rows):
            u = left(slice(i, min(i + rows, r)))
            for j in range(0, c, cols):
                lower = slice(j, min(j + cols, c))
                v = right(lower)
                for k in range(0, len(u), _ROWS_PER_REPORT):
                    some = u[k : k + _ROWS_PER_REPORT]
                    compared = k + len(some)
                    upper = slice(i + k, i + compared)
                    out[upper, lower] = measure(some, v, upper, lower)
                    done = i * c + len(u) * j + compared * len(v)
                    report(done / (r * c))
    return out


def _rows(e: Encoding, positions: Positions, metric: str, turned: Floats) -> Floats:
    """Return the rows that a metric compares; for angles they have length 1, or are nan.

    Where rounding turns rows much, it writes to `turned` by how much.
    """
    table = e.table(positions)
    if keeps_digits(e):
        correct_short_rows(e, positions, table)
    if metric == "correlation":
        if not keeps_digits(e):
            return unit(centred(scaled_one_by_one(table)))
        deviations = centred(table)
        turned[:] = angles_of_rounding(e.amplitude, table, deviations)
        return unit(deviations)
    return unit(table) if metric == "cosine" else table


def distance_of_rows(u: Floats, v: Floats, metric: str, amplitude: float) -> float:
    """Return the distance of two rows, shape (width,) each.

    Their numbers are rounded ones of waves of some amplitude, or exact where that is 0.
    """
    rows = np.array([u, v])
    with np.errstate(over="ignore", invalid="ignore"):
        if metric not in _ANGLE_METRICS:
            return float(_distances(rows[:1], rows[1:], metric)[0, 0])
        compared = rows if amplitude else scaled_one_by_one(rows)
        compared = centred(compared) if metric == "correlation" else compared
        units = unit(compared)
        values = _distances(units[:1], units[1:], metric)
        correct_small_angles(rows[:1], rows[1:], metric, values)
        if metric == "correlation" and amplitude:
            turned = angles_of_rounding(amplitude, rows, compared).sum()
            values = rounded_to_right_digits(values, cosine_errors(values, turned))
    return float(values[0, 0])


def _distances(u: Floats, v: Floats, metric: str) -> Floats:
    """Return the distances of rows, shape (len(u), len(v)); for angles, of rows of length 1."""
    if metric == "dot":
        return _products(u, v)
    if metric == "manhattan":
        return _differences(u, v, np.abs)
    if metric == "chebyshev":
        return _differences(u, v, np.abs, np.max)
    squares = _differences(u, v, np.square)
    if metric in _ANGLE_METRICS:
        return np.minimum(squares / 2, 2.0)  # without the cancellation of 1 - u·v
    return _lengths(u, v, squares) if metric == "euclidean" else squares


def _products(u: Floats, v: Floats) -> Floats:
    """Return the inner products of rows, shape (len(u), len(v)).

    Where a sum would be too large on its way, though not at its end, it is made of smaller rows;
    it is nan where rounding alone would make it too large.
    """
    products: Floats = u @ v.T
    if np.isfinite(products).all() or not (np.isfinite(u).all() and np.isfinite(v).all()):
        return products
    again: Floats = scaled_one_by_one(u) @ scaled_one_by_one(v).T
    powers = binary_exponents(u) + binary_exponents(v).T
    rounding = _ROUNDING_PER_NUMBER * u.shape[1]
    is_lost = (np.abs(again) < rounding) & np.isinf(np.ldexp(rounding, powers))
    return np.where(is_lost, np.nan, np.ldexp(again, powers))


def _lengths(u: Floats, v: Floats, squares: Floats) -> Floats:
    """Return the Euclidean distances of rows; squares that are too large or small are not used."""
    found = np.sqrt(squares)
    if squares.min() > _SMALL_SQUARE and squares.max() < np.inf:
        return found
    i, j = np.nonzero(~((squares > _SMALL_SQUARE) & (squares < np.inf)))
    step = max(1, _CHUNK_RIGHT // u.shape[1])
    for start in range(0, len(i), step):
        pairs = i[start : start + step], j[start : start + step]
        found[pairs] = row_lengths(np.abs(u[pairs[0]] - v[pairs[1]]))
    return found


def _differences(u: Floats, v: Floats, measure: Any, total: Any = np.sum) -> Floats:
    """Return the total over j of measure(u_ij - v_kj), shape (len(u), len(v))."""
    totals = np.empty((len(u), len(v)))
    step = max(1, _CHUNK_DIFFERENCES // max(1, v.size))
    memory = np.empty((step, *v.shape))  # to allocate it for each row takes ten times as long
    for i in range(0, len(u), step):
        rows = u[i : i + step, None]
        apart = np.subtract(rows, v, out=memory[: len(rows)])
        total(measure(apart, out=apart), axis=2, out=totals[i : i + step])
    return totals


def products_of_means(e: Encoding, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the products of the means of blocks, which are the means of the products."""
    done = 0.0

    def advance(share: float) -> None:
        nonlocal done
        done = share
        report(share)

    def stop_if_cancelled() -> None:
        report(done)

    left = partial(_means, e, rows, stop_if_cancelled)
    right = partial(_means, e, cols, stop_if_cancelled)

    def product(u: Floats, v: Floats, *_: slice) -> Floats:
        return _products(u, v)

    return _by_blocks((rows[2], cols[2]), e.width, _CHUNK_LEFT, left, right, product, advance)


def _means(
    e: Encoding, blocks: Blocks, stop_if_cancelled: Callable[[], None], part: slice
) -> Floats:
    """Return the means of some blocks; where a file is read, in steps that can be stopped."""
    start, block, _ = blocks
    start += part.start * block
    count = part.stop - part.start
    if not isinstance(e, Stored):
        return e.block_means(start, block, count)
    means = np.empty((count, e.width))
    step = max(1, int(_CHUNK_LEFT // e.cost(1, block)))
    for first in range(0, count, step):
        some = means[first : first + step]
        position = start + first * block
        some[:] = e.block_means(position, block, len(some))
        stop_if_cancelled()
    return means
