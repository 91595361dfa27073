"""The closest of all pairs of positions, found without keeping a distance of each."""

from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis._close import unit
from pe_explorer.analysis._rows import scaled
from pe_explorer.arrays import Bools, Floats, Ints
from pe_explorer.encodings import Encoding, Line, Waves
from pe_explorer.progress import Reporter

_METRICS_BY_PRODUCTS = ("cosine", "euclidean", "sse")  # they order pairs as products of rows do
_CHUNK_DISTANCES = 2**21  # distances that are computed together
_PRODUCT_ROUNDING = 1e-12  # error of squares by products, relative to the largest square
_MOST_CANDIDATES = 1000  # pairs whose distances are measured to the last digit


class ClosestPair(NamedTuple):
    """The two positions whose rows are closest, the first of equal pairs, and their distance."""

    first: int
    second: int
    distance: float


def closest_of_all(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    """Return the closest pair of some positions, None where no two have a distance."""
    if len(positions) < 2:
        return None
    if depends_on_offset(e, metric):
        row = distance.from_reference(e, positions[0], positions[1:], metric, report)
        return ClosestPair(positions[0], positions[1 + int(row.argmin())], float(row.min()))
    if metric in _METRICS_BY_PRODUCTS:
        return _by_products(e, positions, metric, report)
    return _by_distances(e, positions, metric, report)


def depends_on_offset(e: Encoding, metric: str) -> bool:
    """Return whether the distance of two rows follows from the offset of their positions."""
    if isinstance(e, Line):
        return metric not in ("cosine", "correlation", "dot")
    return metric in _METRICS_BY_PRODUCTS and isinstance(e, Waves) and e.shift_invariant


def _by_distances(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    """Return the closest pair by the distances of some rows from all later ones at a time."""
    count, best = len(positions), None
    step = max(1, _CHUNK_DISTANCES // count)
    for start in range(0, count - 1, step):
        report(_share_done(start, count))
        some = positions[start : start + step]
        found = distance.matrix(e, some, positions[start:], metric)
        found[_not_later(len(some), found.shape[1]) | np.isnan(found)] = np.inf
        row, column = divmod(int(found.argmin()), found.shape[1])
        value = float(found[row, column])
        if np.isfinite(value) and (best is None or value < best.distance):
            best = ClosestPair(some[row], positions[start + column], value)
    return best


def _by_products(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    """Return the closest pair, found by products of rows and then measured to the last digit."""
    table = e.table(positions)
    rows = _minus_first(unit(table) if metric == "cosine" else table)
    squares = np.einsum("nd,nd->n", rows, rows)
    present = np.isfinite(squares)
    margin = _PRODUCT_ROUNDING * squares.max(initial=0.0, where=present)
    count, least = len(positions), np.inf
    near: list[tuple[Floats, Ints]] = []
    step = max(1, _CHUNK_DISTANCES // count)
    for start in range(0, count - 1, step):
        report(_share_done(start, count))
        upper = rows[start : start + step]
        with np.errstate(invalid="ignore", over="ignore"):
            found = squares[start : start + step, None] + squares[start:]
            found -= 2 * (upper @ rows[start:].T)
        found[_not_later(len(upper), found.shape[1]) | ~np.isfinite(found)] = np.inf
        least = min(least, float(found.min()))
        places = np.argwhere(found <= least + margin)[:_MOST_CANDIDATES]
        near.append((found[places[:, 0], places[:, 1]], places + start))
    if not np.isfinite(least):
        return None
    values = np.concatenate([some for some, _ in near])
    pairs = np.concatenate([some for _, some in near])
    return _closest_of(e, positions, metric, pairs[values <= least + margin][:_MOST_CANDIDATES])


def _minus_first(rows: Floats) -> Floats:
    """Return rows less the first that is finite, and of a size whose squares are finite.

    What all rows have in common would cost the digits of the products by which they differ.
    """
    (finite,) = np.nonzero(np.isfinite(rows).all(axis=1))
    if not len(finite):
        return rows
    small, _ = scaled(rows)
    with np.errstate(invalid="ignore"):  # of rows that are not finite
        steps: Floats = small - small[finite[0]]
    return scaled(steps)[0]


def _closest_of(e: Encoding, positions: range, metric: str, pairs: Ints) -> ClosestPair:
    """Return the closest of some pairs, measured to the last digit."""
    best = None
    for first, second in pairs.tolist():
        p, q = positions[first], positions[second]
        value = distance.between(e, p, q, metric)
        if best is None or value < best.distance:
            best = ClosestPair(p, q, value)
    assert best is not None
    return best


def _not_later(rows: int, columns: int) -> Bools:
    """Return which positions of a block are no later than that of the row."""
    return np.arange(columns) <= np.arange(rows)[:, None]


def _share_done(start: int, count: int) -> float:
    """Return the share of all pairs whose first position comes before a place."""
    left = (count - start) / count
    return 1 - left * left
