"""Distances between the encodings of positions.

Where an encoding is shift-invariant (sines with their cosines), four of the metrics depend
on the offset Δ between two positions only: with w for what a pair adds to a squared length, through

    K(Δ) = Σ_i cos(Δ·ω_i) = pairs - V(Δ),    V(Δ) = 2 Σ_i sin²(Δ·ω_i / 2).

V is what is computed: it keeps its digits for neighbours, where K is close to `pairs`.
Rows on a line (index, fraction) have closed forms as well. All other cases (Manhattan, lone
waves, bits) are computed from the tables, in blocks; where those are too close for their
digits, from the differences of their angles (`_close`). Definitions as in SciPy's
`spatial.distance`.

Digits: every distance is right to 1e-12 of itself, however small it is. Exceptions are right
to 1e-15 of the largest that can be: the inner product, and the cosine distance of rows that
differ in length far more than in direction, such as lone waves near their zeros. Squares below
the least float64 number, 5e-324, are zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from pe_explorer.analysis._close import close_mean_versines, close_versines, is_close
from pe_explorer.analysis._tables import Blocks, Progress, by_tables, products_of_means
from pe_explorer.encodings import Encoding, EncodingError, Line, Waves
from pe_explorer.encodings.abilities.checks import as_positions, check_blocks
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, len_of
from pe_explorer.numeric.turns import Turns
from pe_explorer.params import did_you_mean, quoted

__all__ = [
    "METRICS",
    "Progress",
    "between",
    "from_reference",
    "matrix",
    "matrix_block_means",
    "mean_is_exact",
]

Floats = npt.NDArray[np.float64]

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

_CELLS = 2**18  # offsets that are looked at together
_CLOSE_MEANS = 1e-2  # of the versine's mean: below this, 13 digits are not left of 1 - cos
_FAR = 0.9  # of the work that is told, until what is close is made anew
_PER_EVALUATION = 16  # differences of table cells that cost as much as one evaluation of a pair
_MANY = 2**14  # offsets: for fewer the closed form keeps its digits where distances are tiny


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
        nan for `cosine` where a row is zero in float64 and so has no direction.

    Raises
    ------
    EncodingError
        For an unknown metric or a position outside its limits.
    """
    row = from_reference(e, p, as_positions([q], "q"), metric)
    return float(row[0])


def from_reference(
    e: Encoding, p: float, positions: Any, metric: str = "cosine", progress: Progress | None = None
) -> Floats:
    """Return the distance of every position from position `p`, shape (n,).

    Takes and raises what `between` does; `positions` may be all that `Encoding.table` takes,
    `progress` is as in `matrix`.
    """
    one, many = as_positions([p], "p"), as_positions(positions)
    row: Floats = matrix(e, one, many, metric, progress)[0]
    return row


def matrix(
    e: Encoding, rows: Any, cols: Any, metric: str = "cosine", progress: Progress | None = None
) -> Floats:
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
    if _is_shift_invariant(e) and metric in _FROM_VERSINE and _whole(p) and _whole(q):
        turns, value, weight = e.turns, _FROM_VERSINE[metric], e.pair_weight

        def by_offsets(offsets: Positions, tell: Progress) -> Floats:
            return value(_versines(turns, offsets, tell), len(turns), weight)

        def by_rows(part: Positions, tell: Progress) -> Floats:
            return by_tables(e, part, q, metric, tell)

        return _over_offsets(p, q, tell, by_offsets, by_rows)
    if isinstance(e, Line):
        return _on_line(e.width, e.divisor, p, q, metric)
    return by_tables(e, p, q, metric, tell)


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
    rows, cols = (
        check_blocks(*_triple(blocks, name)) for blocks, name in ((rows, "rows"), (cols, "cols"))
    )
    if rows[1] == cols[1] == 1:
        return matrix(e, _centres(*rows), _centres(*cols), metric, progress)
    if _is_shift_invariant(e) and metric in _FROM_VERSINE:
        if metric == "dot":
            return e.pair_weight * _mean_products(e, rows, cols, progress or _ignore)
        versines = _mean_versines(e, rows, cols, progress or _ignore)
        return _FROM_VERSINE[metric](versines, e.pairs, e.pair_weight)
    if metric == "dot":
        return products_of_means(e, rows, cols, progress or _ignore)
    return matrix(e, _centres(*rows), _centres(*cols), metric, progress)


def mean_is_exact(e: Encoding, metric: str) -> bool:
    """Return whether `matrix_block_means` gives a true mean, not a sample."""
    _check(metric)
    return metric == "dot" or (_is_shift_invariant(e) and metric in ("cosine", "sse"))


def _is_shift_invariant(e: Encoding) -> TypeGuard[Waves]:
    return isinstance(e, Waves) and e.shift_invariant


_FROM_VERSINE: Mapping[str, Callable[[Floats, int, float], Floats]] = {
    "cosine": lambda versine, pairs, _: versine / pairs,
    "dot": lambda versine, pairs, weight: weight * (pairs - versine),
    "sse": lambda versine, _, weight: 2 * weight * versine,
    "euclidean": lambda versine, _, weight: np.sqrt(2 * weight * np.maximum(versine, 0.0)),
}
"""Distances by the versine V, the number of pairs, and what a pair adds to a squared length."""


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
        raise EncodingError(
            "metric",
            f"{quoted(metric)} is not one of {', '.join(METRICS)}{did_you_mean(metric, METRICS)}",
        )


def _versines(turns: Turns, offsets: Positions, tell: Progress) -> Floats:
    """Return V(Δ) for every offset, shape (n,).

    A position's half-angle is the phase of half a step.
    """
    sums = np.zeros(len_of(offsets))
    for rows, pairs, block in rotation.sweep(turns, offsets):
        sums[rows] += 2 * np.einsum("np,np->n", block.imag, block.imag)
        tell(_FAR * _swept(rows, pairs, len(sums), len(turns)))
    places = np.asarray(offsets)
    sums[places == 0] = 0.0  # what rotation leaves there is rounding
    close = np.flatnonzero(is_close(sums, "sse", len(turns)) & (places != 0))
    sums[close] = close_versines(turns, places[close], _part(tell, _FAR, 1 - _FAR))
    return sums


def _mean_versines(e: Waves, rows: Blocks, cols: Blocks, tell: Progress) -> Floats:
    """Return the mean of V over pairs of blocks."""
    versines = e.pairs - _mean_products(e, rows, cols, _part(tell, 0.0, _FAR))
    close = versines < _CLOSE_MEANS * e.pairs
    centres, told = (_doubled_centres(*rows), _doubled_centres(*cols)), _part(tell, _FAR, 1 - _FAR)
    versines[close] = close_mean_versines(e.turns, (rows[1], cols[1]), centres, close, told)
    return versines


def _swept(rows: slice, pairs: slice, positions: int, waves: int) -> float:
    """Return how much of a sweep is done with this block of it."""
    share: float = (pairs.start + (pairs.stop - pairs.start) * rows.stop / positions) / waves
    return share


def _mean_products(e: Waves, rows: Blocks, cols: Blocks, tell: Progress) -> Floats:
    """Return the mean of K over pairs of blocks: Σ D_r(ω) D_c(ω) cos(ω·(centre_r - centre_c))."""
    if rows[1] != cols[1]:  # few equal offsets
        return products_of_means(e, rows, cols, tell) / e.pair_weight
    turns = e.turns
    weights = block_means.amplitudes(turns, rows[1]) ** 2

    def of_centres(half_steps: Positions, tell: Progress) -> Floats:
        sums = np.zeros(len_of(half_steps))
        for found, pairs, block in rotation.sweep(turns, half_steps, weights):
            sums[found] += block.real.sum(axis=1)
            tell(_swept(found, pairs, len(sums), len(turns)))
        return sums

    return _over_offsets(_doubled_centres(*rows), _doubled_centres(*cols), tell, of_centres)


def _over_offsets(
    p: Positions,
    q: Positions,
    tell: Progress,
    values: _OfOffsets,
    otherwise: _OfOffsets | None = None,
) -> Floats:
    """Return values(p_i - q_j), shape (r, c), evaluating each distinct offset of a block once.

    The offsets of two progressions lie on a lattice. Cell (i, j) is element i·a - j·b of
    the values along it, so the matrix is a strided view of them. Scattered positions may have
    so many distinct offsets that `otherwise`, called with a part of p, costs less.
    """
    r, c = len_of(p), len_of(q)
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
        if otherwise and len(distinct) > max(
            _MANY, len(offsets) + c + offsets.size / _PER_EVALUATION
        ):
            out[start : start + rows] = otherwise(at[start : start + rows], tell_part)
        else:
            out[start : start + rows] = values(distinct, tell_part)[places.reshape(offsets.shape)]
    return out


def _on_line(dim: int, divisor: int, p: Positions, q: Positions, metric: str) -> Floats:
    """Return the distances of rows whose every number is position / divisor, from exact
    differences.
    """
    u, v = (np.asarray(x) for x in (p, q))
    if metric == "cosine":
        signs = np.sign(u)[:, None] * np.sign(v).astype(np.float64)
        return np.where(signs == 0, np.nan, 1 - signs)
    if metric == "dot":
        products: Floats = (u / divisor)[:, None] * (v / divisor) * dim
        return products
    steps: Floats = np.abs(u[:, None] - v) / divisor
    lengths: Mapping[str, Floats] = {
        "manhattan": dim * steps,
        "euclidean": math.sqrt(dim) * steps,
        "sse": dim * steps**2,
    }
    return lengths[metric]


def _triple(blocks: Any, name: str) -> tuple[Any, Any, Any]:
    try:
        start, block, count = blocks
    except (TypeError, ValueError):
        raise EncodingError(name, f"{quoted(blocks)} is not (start, block, count)") from None
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
