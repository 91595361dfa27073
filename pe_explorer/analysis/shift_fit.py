"""The matrix that comes nearest to a shift by least squares, where none moves all rows."""

from typing import NamedTuple

import numpy as np

from pe_explorer.analysis._rows import binary_exponent, scaled
from pe_explorer.analysis.moved_rows import (
    columns,
    largest_differences,
    movable,
    parts,
    rows,
    width,
)
from pe_explorer.analysis.shift import SparseShift, sparse_shift, why_none
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.numeric.positions import later, positions_in
from pe_explorer.progress import Reporter, no_report

MOST_FITTED = 1024
"""Columns of the widest encoding with a best fit: the time grows with their cube."""

_MOST_NUMBERS = 1 << 22  # numbers of the rows to which a matrix is fitted
_MOST_WORK = 4e9  # rows times the square of the width, which takes some seconds
_FITTING_SHARE = 0.6  # share of the work before the differences are measured
_RELATIVE_ROUNDING = float(np.finfo(np.float64).eps)  # for each row, of the greatest number


class ShiftFit(NamedTuple):
    """The matrix that comes nearest to a shift.

    Attributes
    ----------
    whole : (width, width) float64
        The matrix; of equally good ones, that of the least numbers.
    rank : int
        The number of independent rows it was fitted to; `width` of them are needed.
    rows : int
        The number of rows it was fitted to.
    largest : float
        The largest difference that it leaves in any number of these rows.
    """

    whole: Floats
    rank: int
    rows: int
    largest: float

    def moved(self, table: Floats) -> Floats:
        """Return the rows of a table, shape (n, width), times the matrix."""
        rows, power = scaled(table)  # or a sum might be too large on its way
        with np.errstate(over="ignore"):
            moved: Floats = np.ldexp(rows @ self.whole, power)
        return moved


def why_no_fit(e: Encoding) -> str:
    """Return why there is no best fit, without a full stop; empty where there can be one."""
    if width(e) <= MOST_FITTED:
        return ""
    return f"the best fit is made for up to {columns(e).counted(MOST_FITTED)}"


def most_rows(width: int) -> int:
    """Return the number of rows that are enough for a best fit, and not too many."""
    return int(max(2 * width, min(_MOST_NUMBERS / width, _MOST_WORK / width**2)))


def matrix_or_fit(
    e: Encoding, k: int, positions: range, progress: Reporter | None = None
) -> SparseShift | ShiftFit:
    """Return the matrix that moves every row by k, or the best fit where there is none.

    It is fitted to the rows of some positions, or of very many to some of these; `progress` and
    errors are those of `best_fit`.
    """
    if not why_none(e, k):
        return sparse_shift(e, k)
    rows_there = positions_in(positions, movable(e, k))
    step = -(-len(rows_there) // most_rows(width(e)))
    return best_fit(e, k, rows_there[:: max(1, step)], progress)


def best_fit(e: Encoding, k: int, positions: range, progress: Reporter | None = None) -> ShiftFit:
    """Return the matrix that brings rows nearest to those k positions later, by least squares.

    Rows are taken in parts, and each part leaves a triangle of numbers behind: so the memory is
    that of a few matrices, and no digits are lost to squares.

    Parameters
    ----------
    e : Encoding
        Of at most `MOST_FITTED` columns.
    k : int
        Positions, of either sign, within ±2^53.
    positions : range
        Where it is fitted; rows that there are not are left out.
    progress : function, optional
        Called between parts with the share that is done, from 0 to 1; it may raise to stop.

    Raises
    ------
    EncodingError
        If k is no whole number within limits, the encoding is too wide, or there are no rows.
    """
    k = as_whole(k, "k")
    if problem := why_no_fit(e):
        raise EncodingError("encoding", problem)
    where = positions_in(positions, movable(e, k))
    if not where:
        raise EncodingError("k", f"no {e.rows.name} shown has a row that is {k:,} after it")
    report = progress or no_report
    triangle, power = np.empty((0, 2 * width(e))), 0  # in units of 2^power
    for part in parts(e, where):
        some = where[part]
        both = np.hstack([rows(e, some), rows(e, later(some, k))])
        if not np.isfinite(both).all():
            problem = f"rows of {e.called()} have numbers that are not finite"
            raise EncodingError("encoding", problem)
        wanted = max(power, binary_exponent(both)) if len(triangle) else binary_exponent(both)
        both = np.ldexp(both, -wanted)
        joined = np.vstack([np.ldexp(triangle, power - wanted), both])
        triangle = np.linalg.qr(joined, mode="r")  # type: ignore[assignment]  # one, not two
        power = wanted
        report(_FITTING_SHARE * part.stop / len(where))
    before, after = np.hsplit(triangle, 2)
    least = _RELATIVE_ROUNDING * max(len(where), width(e))
    found, _, rank, _ = np.linalg.lstsq(before, after, rcond=least)
    fit = ShiftFit(found.astype(np.float64, copy=False), int(rank), len(where), 0.0)
    largest = 0.0
    for part in parts(e, where):
        differences = largest_differences(e, k, fit, where[part])
        largest = max(largest, float(differences.max()))
        report(_FITTING_SHARE + (1 - _FITTING_SHARE) * part.stop / len(where))
    return fit._replace(largest=largest)
