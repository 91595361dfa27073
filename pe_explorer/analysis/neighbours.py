"""Which rows are nearest to each other: those that follow each other, or others."""

import threading

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.progress import report

_CHUNK_DISTANCES = 1 << 20  # distances that are computed together
_MOST_COLUMNS_BY_DIFFERENCE = 4  # for so few, differences are formed, which keep all digits
_TIE_TOLERANCE = 1e-9  # relative difference below which two distances count as equal


def share_of_neighbours(rows: Floats, progress: threading.Event) -> float:
    """Return for what share of rows the nearest other one is the one before or the one after.

    Parameters
    ----------
    rows : (n, columns) float64, n >= 2
        Finite, and of a size whose squares are finite. Distances are Euclidean.
    progress : event
        It learns how much is done; what is cancelled raises `CancelledError`.
    """
    count = len(rows)
    rows = rows - rows.mean(axis=0)  # what all have in common would cost digits of the products
    together = max(1, _CHUNK_DISTANCES // count)
    found = 0
    for first in range(0, count, together):
        report(progress, first / count)
        numbers = np.arange(first, min(first + together, count))
        squares = _squares(rows[numbers], rows)
        here = np.arange(len(numbers))
        squares[here, numbers] = np.inf
        nearest = squares.min(axis=1)
        before = np.where(numbers > 0, squares[here, numbers - 1], np.inf)
        after = squares[here, (numbers + 1) % count]
        after = np.where(numbers + 1 < count, after, np.inf)
        found += int((np.minimum(before, after) <= nearest * (1 + _TIE_TOLERANCE)).sum())
    return found / count


def _squares(some: Floats, rows: Floats) -> Floats:
    """Return the squared distances of some rows from all."""
    if rows.shape[1] <= _MOST_COLUMNS_BY_DIFFERENCE:
        squares: Floats = np.square(some[:, None] - rows).sum(axis=2)
        return squares
    lengths = np.square(some).sum(axis=1)[:, None] + np.square(rows).sum(axis=1)
    far: Floats = np.maximum(lengths - 2 * (some @ rows.T), 0.0)
    return far
