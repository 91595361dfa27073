"""Distances between the encodings of positions.

Where an encoding is shift-invariant (sines with their cosines), four of the metrics depend
on the offset Δ between two positions only, through

    K(Δ) = Σ_i cos(Δ·ω_i) = pairs - V(Δ),    V(Δ) = 2 Σ_i sin²(Δ·ω_i / 2).

V is what is computed: it keeps its digits for neighbours, where K is close to `pairs`.
Rows on a line (index, fraction) have closed forms as well. All other cases (Manhattan, lone
waves, bits) are computed from the tables, in blocks. Definitions as in SciPy's `spatial.distance`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.encodings._phase import Turns
from pe_explorer.encodings._positions import Positions, as_positions, check_blocks, len_of
from pe_explorer.params import did_you_mean, shown

__all__ = ["METRICS", "between", "from_reference", "matrix", "matrix_block_means", "mean_is_exact"]

Floats = npt.NDArray[np.float64]
Blocks = tuple[int, int, int]
Progress = Callable[[float], object]
"""Is told between blocks how much is done, from 0 to 1, and may raise to stop."""

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "cosine": "1 - cos of the angle between the rows: 0 for the same direction, at most 2",
        "dot": "the inner product: large for similar rows",
        "euclidean": "the straight-line distance",
        "sse": "the sum of squared differences, the square of the Euclidean distance",
        "manhattan": "the sum of absolute differences",
    }
)
"""What each metric measures, by name."""

_CELLS = 2**18  # numbers in a block of intermediate results
_TABLE = 2**21  # and in the rows of a table that such blocks are compared with
_AT_ONCE = 64  # of those rows, which are compared before anybody can say stop
_PER_EVALUATION = 16  # differences of table cells that cost as much as one evaluation of a pair
_MANY = 2**14  # offsets: for fewer the closed form keeps its digits where distances are tiny
_TINY = 1e-14  # largest number of a row that may be rounding alone


def between(e: Encoding, p: float, q: float, metric: str = "cosine") -> float:
    """Return the distance between the encodings of two positions.

    Parameters
    ----------
    e : Encoding
    p, q : int or float
        Positions within ±2^53.
    metric : str
        One of `METRICS`.

    Returns
    -------
    float
        nan for `cosine` where a row is zero and so has no direction.

    Raises
    ------
    EncodingError
        For an unknown metric or a position outside its limits.
    """
    row = from_reference(e, p, as_positions([q], "q"), metric)
    return float(row[0])


def from_reference(e: Encoding, p: float, positions: Any, metric: str = "cosine", progress: Progress | None = None) -> Floats:
    """Return the distance of every position from position `p`, shape (n,).

    Takes and raises what `between` does; `positions` may be all that `Encoding.table` takes,
    `progress` is as in `matrix`.
    """
    one, many = as_positions([p], "p"), as_positions(positions)
    row: Floats = matrix(e, one, many, metric, progress)[0]
    return row


def matrix(e: Encoding, rows: Any, cols: Any, metric: str = "cosine", progress: Progress | None = None) -> Floats:
    """Return the distance of every position in `rows` from every one in `cols`.

    For a shift-invariant encoding the cost is one evaluation, O(pairs), for each distinct
    offset: 19,999 of them for 10,000 x 10,000 positions. Where nearly all are distinct, of
    scattered positions, rows of the table are compared instead.

    Parameters
    ----------
    e : Encoding
    rows, cols : positions
        All that `Encoding.table` takes.
    metric : str
        One of `METRICS`.
    progress : function, optional
        Called between blocks with the share that is done, from 0 to 1; it may raise to stop.

    Returns
    -------
    (r, c) float64
        Memory: this, and a few blocks.

    Raises
    ------
    EncodingError
        For an unknown metric or a position outside its limits.
    """
    _check(metric)
    p, q = as_positions(rows, "rows"), as_positions(cols, "cols")
    tell = progress or _ignore
    if e.shift_invariant and metric in _FROM_VERSINE and _whole(p) and _whole(q):
        turns, value = _turns(e), _FROM_VERSINE[metric]

        def by_offsets(offsets: Positions, tell: Progress) -> Floats:
            return value(_versines(turns, offsets, tell), len(turns))

        def by_tables(part: Positions, tell: Progress) -> Floats:
            return _by_tables(e, part, q, metric, tell)

        return _over_offsets(p, q, tell, by_offsets, by_tables)
    if e.divisor and _whole(p) and _whole(q):
        return _on_line(e.dim, e.divisor, p, q, metric)
    return _by_tables(e, p, q, metric, tell)


def matrix_block_means(
    e: Encoding,
    rows: Blocks,
    cols: Blocks,
    metric: str = "cosine",
    progress: Progress | None = None,
) -> Floats:
    """Return the mean distance between blocks of positions, for matrices seen from afar.

    Parameters
    ----------
    e : Encoding
    rows, cols : (start, block, count)
        `count` consecutive blocks of `block` positions from `start` on, as in
        `Encoding.block_means`.
    metric : str
        `dot` is exact for every encoding; `cosine` and `sse` for shift-invariant ones;
        `euclidean` then is the root of the mean square. All else is a sample, the value
        between the blocks' centres: `mean_is_exact` tells.
    progress : function, optional
        As in `matrix`.

    Returns
    -------
    (count of rows, count of cols) float64

    Raises
    ------
    EncodingError
        For an unknown metric, or blocks that leave ±2^53.
    """
    _check(metric)
    rows, cols = (check_blocks(*_triple(blocks, name)) for blocks, name in ((rows, "rows"), (cols, "cols")))
    if rows[1] == cols[1] == 1:
        return matrix(e, _centres(*rows), _centres(*cols), metric, progress)
    if e.shift_invariant and metric in _FROM_VERSINE:
        products, pairs = _mean_products(e, rows, cols, progress or _ignore), e.pairs
        return products if metric == "dot" else _FROM_VERSINE[metric](pairs - products, pairs)
    if metric == "dot":
        return _products_of_means(e, rows, cols, progress or _ignore)
    return matrix(e, _centres(*rows), _centres(*cols), metric, progress)


def mean_is_exact(e: Encoding, metric: str) -> bool:
    """Return whether `matrix_block_means` gives a true mean, not a sample."""
    _check(metric)
    return metric == "dot" or (e.shift_invariant and metric in ("cosine", "sse"))


_FROM_VERSINE: Mapping[str, Callable[[Floats, int], Floats]] = {
    "cosine": lambda versine, pairs: versine / pairs,
    "dot": lambda versine, pairs: pairs - versine,
    "sse": lambda versine, _: 2 * versine,
    "euclidean": lambda versine, _: np.sqrt(2 * np.maximum(versine, 0.0)),
}


_OfOffsets = Callable[[Positions, Progress], Floats]


def _ignore(share: float) -> None:
    pass


def _part(tell: Progress, done: float, share: float) -> Progress:
    """Return how a part tells its progress, which begins when `done` of the whole is done."""

    def tell_part(part: float) -> None:
        tell(done + share * part)

    return tell_part


def _check(metric: str) -> None:
    if not isinstance(metric, str) or metric not in METRICS:
        raise EncodingError("metric", f"{shown(metric)} is not one of {', '.join(METRICS)}{did_you_mean(metric, METRICS)}")


def _versines(turns: Turns, offsets: Positions, tell: Progress) -> Floats:
    """Return V(Δ) for every offset, shape (n,): a position's half-angle is the phase of half a step."""
    sums = np.zeros(_length(offsets))
    for rows, pairs, block in turns.sweep(offsets):
        sums[rows] += 2 * np.einsum("np,np->n", block.imag, block.imag)
        tell(_swept(rows, pairs, len(sums), len(turns)))
    sums[np.asarray(offsets) == 0] = 0.0  # what rotation leaves there is rounding
    return sums


def _swept(rows: slice, pairs: slice, positions: int, waves: int) -> float:
    """Return how much of a sweep is done with this block of it."""
    share: float = (pairs.start + (pairs.stop - pairs.start) * rows.stop / positions) / waves
    return share


def _products_of_means(e: Encoding, rows: Blocks, cols: Blocks, tell: Progress) -> Floats:
    """Return the products of the blocks' means, which are the means of the products."""

    def left(part: slice) -> Floats:
        return e.block_means(*_some(rows, part))

    def right(part: slice) -> Floats:
        return e.block_means(*_some(cols, part))

    return _by_blocks((rows[2], cols[2]), e.dim, _TABLE, left, right, _BY_TABLE["dot"], tell)


def _some(blocks: Blocks, part: slice) -> Blocks:
    start, block, _ = blocks
    return start + part.start * block, block, part.stop - part.start


def _mean_products(e: Encoding, rows: Blocks, cols: Blocks, tell: Progress) -> Floats:
    """Return the mean of K over pairs of blocks: Σ D_r(ω) D_c(ω) cos(ω·(centre_r - centre_c))."""
    if rows[1] != cols[1]:  # few equal offsets
        return _products_of_means(e, rows, cols, tell)
    turns = _turns(e)
    weights = turns.mean_amplitudes(rows[1]) ** 2

    def products(half_steps: Positions, tell: Progress) -> Floats:
        sums = np.zeros(_length(half_steps))
        for found, pairs, block in turns.sweep(half_steps, weights):
            sums[found] += block.real.sum(axis=1)
            tell(_swept(found, pairs, len(sums), len(turns)))
        return sums

    return _over_offsets(_doubled_centres(*rows), _doubled_centres(*cols), tell, products)


def _turns(e: Encoding) -> Turns:
    assert e.turns is not None  # no encoding without waves is shift-invariant
    return e.turns


def _over_offsets(p: Positions, q: Positions, tell: Progress, values: _OfOffsets, otherwise: _OfOffsets | None = None) -> Floats:
    """Return values(p_i - q_j), shape (r, c), evaluating each distinct offset of a block once.

    The offsets of two progressions lie on a lattice. Cell (i, j) is element i·a - j·b of
    the values along it, so the matrix is a strided view of them. Scattered positions may have
    so many distinct offsets that `otherwise`, called with a part of p, costs less.
    """
    r, c = _length(p), _length(q)
    if isinstance(p, range) and isinstance(q, range) and r and c:
        step = math.gcd(p.step, q.step) if r > 1 and c > 1 else abs(p.step if c == 1 else q.step)
        a, b = (p.step // step if r > 1 else 0), (q.step // step if c > 1 else 0)
        low = min(0, (r - 1) * a) - max(0, (c - 1) * b)
        high = max(0, (r - 1) * a) - min(0, (c - 1) * b)
        if high - low < max(2 * (r + c), r * c):
            first = p[0] - q[0]
            line = values(range(first + low * step, first + (high + 1) * step, step), tell)
            size = line.itemsize
            return as_strided(line[-low:], (r, c), (a * size, -b * size)).copy()
    out = np.empty((r, c))
    at, to = (np.asarray(x) if isinstance(x, range) else x for x in (p, q))
    rows = max(1, _CELLS // max(c, 1))
    for start in range(0, r, rows):
        tell_part = _part(tell, start / r, min(rows, r - start) / r)
        offsets = at[start : start + rows, None] - to
        distinct, places = np.unique(offsets, return_inverse=True)
        if otherwise and len(distinct) > max(_MANY, len(offsets) + c + offsets.size / _PER_EVALUATION):
            out[start : start + rows] = otherwise(at[start : start + rows], tell_part)
        else:
            out[start : start + rows] = values(distinct, tell_part)[places.reshape(offsets.shape)]
    return out


def _on_line(dim: int, divisor: int, p: Positions, q: Positions, metric: str) -> Floats:
    """Return the distances of rows whose every number is position / divisor, from exact differences."""
    u, v = (np.asarray(x, dtype=np.int64) for x in (p, q))
    if metric == "cosine":
        signs = np.sign(u)[:, None] * np.sign(v).astype(np.float64)
        return np.where(signs == 0, np.nan, 1 - signs)
    if metric == "dot":
        products: Floats = (u / divisor)[:, None] * (v / divisor) * dim
        return products
    steps: Floats = np.abs(u[:, None] - v) / divisor
    lengths: Mapping[str, Floats] = {"manhattan": dim * steps, "euclidean": math.sqrt(dim) * steps, "sse": dim * steps**2}
    return lengths[metric]


def _by_tables(e: Encoding, p: Positions, q: Positions, metric: str, tell: Progress) -> Floats:
    """Return the distances of rows of the table."""
    table = _unit_table if metric == "cosine" else _table

    def left(part: slice) -> Floats:
        return table(e, p[part])

    def right(part: slice) -> Floats:
        return table(e, q[part])

    return _by_blocks((_length(p), _length(q)), e.dim, _CELLS, left, right, _BY_TABLE[metric], tell)


def _by_blocks(
    shape: tuple[int, int],
    width: int,
    most: int,
    left: Callable[[slice], Floats],
    right: Callable[[slice], Floats],
    measure: Callable[[Floats, Floats], Floats],
    tell: Progress,
) -> Floats:
    """Return the measure of each row on the left with each on the right, rows of `width` numbers.

    Many of the left are made at once, and then of the right at most as many as hold `most` numbers.
    """
    r, c = shape
    out = np.empty(shape)
    rows, cols = max(1, _TABLE // width), max(1, most // width)
    for i in range(0, r, rows):
        u = left(slice(i, min(i + rows, r)))
        for j in range(0, c, cols):
            lower = slice(j, min(j + cols, c))
            v = right(lower)
            for k in range(0, len(u), _AT_ONCE):
                some = u[k : k + _AT_ONCE]
                out[i + k : i + k + len(some), lower] = measure(some, v)
                tell((i * c + len(u) * j + (k + len(some)) * len(v)) / (r * c))
    return out


def _table(e: Encoding, positions: Positions) -> Floats:
    """Return the table; rows that may be zeros each from its own exact phases, as rounding would give them a direction."""
    table = e.table(positions)
    for row in np.flatnonzero(np.abs(table).max(axis=1) < _TINY):
        table[row] = e.table([positions[row]])
    return table


def _unit_table(e: Encoding, positions: Positions) -> Floats:
    """Return the table with each row of length 1; nan for a row of zeros."""
    table = _table(e, positions)
    with np.errstate(invalid="ignore"):
        unit: Floats = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit


def _differences(u: Floats, v: Floats, measure: Callable[[Floats], Floats]) -> Floats:
    """Return Σ_j measure(u_ij - v_kj), shape (len(u), len(v))."""
    sums = np.empty((len(u), len(v)))
    for i, row in enumerate(u):
        sums[i] = measure(row - v).sum(axis=1)
    return sums


_BY_TABLE: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "cosine": lambda u, v: _differences(u, v, np.square) / 2,  # of unit rows; without the cancellation of 1 - u·v
    "dot": lambda u, v: u @ v.T,
    "sse": lambda u, v: _differences(u, v, np.square),
    "euclidean": lambda u, v: np.sqrt(_differences(u, v, np.square)),
    "manhattan": lambda u, v: _differences(u, v, np.abs),
}


def _triple(blocks: Any, name: str) -> tuple[Any, Any, Any]:
    try:
        start, block, count = blocks
    except (TypeError, ValueError):
        raise EncodingError(name, f"{shown(blocks)} is not (start, block, count)") from None
    return start, block, count


def _doubled_centres(start: int, block: int, count: int) -> range:
    centre = 2 * start + block - 1
    return range(centre, centre + 2 * block * count, 2 * block)


def _centres(start: int, block: int, count: int) -> range:
    first = start + (block - 1) // 2
    return range(first, first + block * count, block)


def _whole(positions: Positions) -> bool:
    """Whether differences of these positions are exact."""
    return isinstance(positions, range) or positions.dtype.kind == "i"


def _length(positions: Positions) -> int:
    return len_of(positions) if isinstance(positions, range) else len(positions)
