"""Distances of rows of tables, block by block: for all that has no closed form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis._close import close_distances, made_of_waves, short_rows, unit
from pe_explorer.encodings import Encoding, Stored
from pe_explorer.numeric.positions import Positions, len_of

__all__ = ["Blocks", "Progress", "by_tables", "products_of_means"]

Floats = npt.NDArray[np.float64]
Blocks = tuple[int, int, int]
Progress = Callable[[float], object]
"""Is told between blocks how much is done, from 0 to 1, and may raise to stop."""

_CELLS = 2**18  # numbers in a block of intermediate results
_TABLE = 2**21  # and in the rows of a table that such blocks are compared with
_AT_ONCE = 64  # of those rows, which are compared before anybody can say stop


def by_tables(e: Encoding, p: Positions, q: Positions, metric: str, tell: Progress) -> Floats:
    """Return the distances of rows of the table."""
    table = _unit_table if metric == "cosine" else _table

    def left(part: slice) -> Floats:
        return table(e, p[part])

    def right(part: slice) -> Floats:
        return table(e, q[part])

    def measure(u: Floats, v: Floats, rows: slice, columns: slice) -> Floats:
        values = _BY_TABLE[metric](u, v)
        if metric != "dot" and made_of_waves(e):
            close_distances(e, p[rows], q[columns], metric, values)
        return values

    return _by_blocks((len_of(p), len_of(q)), e.width, _CELLS, left, right, measure, tell)


def _by_blocks(
    shape: tuple[int, int],
    width: int,
    most: int,
    left: Callable[[slice], Floats],
    right: Callable[[slice], Floats],
    measure: Callable[[Floats, Floats, slice, slice], Floats],
    tell: Progress,
) -> Floats:
    """Return the measure of each row on the left with each on the right, rows of `width` numbers.

    `measure` is given some of either, and which they are. Many of the left are made at once,
    and then of the right at most as many as hold `most` numbers. What is too large for float64
    is infinite, and what is not finite has a measure that is not.
    """
    r, c = shape
    out = np.empty(shape)
    rows, cols = max(1, _TABLE // width), max(1, most // width)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(0, r, rows):
            u = left(slice(i, min(i + rows, r)))
            for j in range(0, c, cols):
                lower = slice(j, min(j + cols, c))
                v = right(lower)
                for k in range(0, len(u), _AT_ONCE):
                    some = u[k : k + _AT_ONCE]
                    upper = slice(i + k, i + k + len(some))
                    out[upper, lower] = measure(some, v, upper, lower)
                    tell((i * c + len(u) * j + (k + len(some)) * len(v)) / (r * c))
    return out


def _table(e: Encoding, positions: Positions) -> Floats:
    table = e.table(positions)
    if made_of_waves(e):
        short_rows(e, positions, table)
    return table


def _unit_table(e: Encoding, positions: Positions) -> Floats:
    """Return the table with each row of length 1; nan for a row of zeros."""
    return unit(_table(e, positions))


def _cosine(u: Floats, v: Floats) -> Floats:
    """Return the distances of unit rows, without the cancellation of 1 - u·v."""
    return np.minimum(_differences(u, v, np.square) / 2, 2.0)


def _differences(u: Floats, v: Floats, measure: Callable[[Floats], Floats]) -> Floats:
    """Return Σ_j measure(u_ij - v_kj), shape (len(u), len(v))."""
    sums = np.empty((len(u), len(v)))
    for i, row in enumerate(u):
        sums[i] = measure(row - v).sum(axis=1)
    return sums


_BY_TABLE: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "cosine": _cosine,
    "dot": lambda u, v: u @ v.T,
    "sse": lambda u, v: _differences(u, v, np.square),
    "euclidean": lambda u, v: np.sqrt(_differences(u, v, np.square)),
    "manhattan": lambda u, v: _differences(u, v, np.abs),
}


def products_of_means(e: Encoding, rows: Blocks, cols: Blocks, tell: Progress) -> Floats:
    """Return the products of the blocks' means, which are the means of the products."""
    told = 0.0

    def tell_done(share: float) -> None:
        nonlocal told
        told = share
        tell(share)

    def look() -> None:
        tell(told)

    def left(part: slice) -> Floats:
        return _means(e, rows, part, look)

    def right(part: slice) -> Floats:
        return _means(e, cols, part, look)

    def product(u: Floats, v: Floats, *_: slice) -> Floats:
        return _BY_TABLE["dot"](u, v)

    return _by_blocks((rows[2], cols[2]), e.width, _TABLE, left, right, product, tell_done)


def _means(e: Encoding, blocks: Blocks, part: slice, look: Callable[[], None]) -> Floats:
    """Return the means of some blocks; `look` may raise to stop, where many rows are read."""
    start, block, _ = blocks
    if not isinstance(e, Stored):
        return e.block_means(start + part.start * block, block, part.stop - part.start)
    means = np.empty((part.stop - part.start, e.width))
    step = max(1, int(_TABLE // e.cost(1, block)))
    for first in range(0, len(means), step):
        some = means[first : first + step]
        some[:] = e.block_means(start + (part.start + first) * block, block, len(some))
        look()
    return means
