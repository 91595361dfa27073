"""What moving by k positions does to the rows of an encoding: one matrix for all of them, or none.

Where every sine stands beside its cosine, the row of p + k is that of p times one matrix T_k,
whatever p is. It is made of blocks of two rows and two columns, one for each pair, with
c = cos(kω) and s = sin(kω) of its frequency::

    sin(ω(p + k)) = sin(ωp)·c + cos(ωp)·s
    cos(ω(p + k)) = cos(ωp)·c - sin(ωp)·s

So T_k holds two numbers in a column at most, and `SparseShift` keeps these alone: a width of 8,192
is 16,384 numbers, where the matrix has 67 million. Where there is no such matrix,
`best_fit` has the one that comes nearest by least squares.
"""

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
from pe_explorer.arrays import Bools, Floats, Ints
from pe_explorer.encodings import (
    LIMIT,
    Bias,
    Encoding,
    EncodingError,
    Line,
    Rotary,
    Steady,
    Stored,
    Waves,
)
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.numeric.positions import positions_in, shift_range
from pe_explorer.params import Whole
from pe_explorer.progress import Reporter, no_report

SHIFT = Whole(
    1,
    -LIMIT,
    LIMIT,
    slider_range=(-50, 50),
    label="Steps",
    symbol="k",
    unit="positions",
    help="By how many positions rows are moved; below 0, backwards.",
)
_FAMILIES = ((Line, "line"), (Bias, "line"), (Stored, "file"), (Waves, "angles"))
_REASONS = {
    "line": "{} grows with the {}, so a move adds to every number, and no matrix can add",
    "file": "the rows come from a file, and no one matrix moves them all to the next {1}",
    "angles": "{} does not turn by the same angle everywhere, so no one matrix moves every {}",
    "": "{} has no sines and cosines that turn together, so no one matrix moves every {}",
}
"""Why there is no matrix, by what an encoding is; of its name and what its rows are."""


class SparseShift(NamedTuple):
    """A matrix with two numbers in each column at most; each field has the shape (width,)."""

    kept: Floats  # the number of each column on the diagonal
    partner: Ints  # the row of the other number of each column; -1 where it has only one
    taken: Floats  # the number in that row, 0 where there is none
    sines: Bools  # whether a column is the sine of its wave

    @property
    def whole(self) -> Floats:
        """The matrix, shape (width, width)."""
        found = np.diag(self.kept)
        (two,) = np.nonzero(self.partner >= 0)
        found[self.partner[two], two] = self.taken[two]
        return found

    def moved(self, table: Floats) -> Floats:
        """Return the rows of a table, shape (n, width), times the matrix."""
        moved: Floats = table * self.kept
        if self.taken.any():
            moved += table[:, self.partner] * self.taken
        return moved


def matrix(e: Encoding, k: int) -> Floats:
    """Return the matrix that moves every row by k positions.

    Parameters
    ----------
    e : Encoding
    k : int
        Positions, of either sign, within ±2^53.

    Returns
    -------
    (dim, dim) float64
        ``e.table(p) @ matrix`` is ``e.table(p + k)``, for all p. For a rotary encoding it is the
        rotation itself, (head_dim, head_dim): ``e.rotate(x, p) @ matrix`` is
        ``e.rotate(x, p + k)``. Each number is right to 1e-16, whatever k is, and the sine of an
        angle below 1 rad to 4e-16 of itself.

    Raises
    ------
    EncodingError
        Where there is no such matrix, with the reason; or if k is no whole number within limits.
    """
    return sparse_shift(e, k).whole


def sparse_shift(e: Encoding, k: int) -> SparseShift:
    """Return the numbers of `matrix` that need not be 0; raises what it raises."""
    k = as_whole(k, "k")
    if problem := why_none(e, k):
        raise EncodingError("encoding", problem)
    wave_of, sines = _waves(e)
    kept, taken = np.ones(len(wave_of)), np.zeros(len(wave_of))
    partner = np.full(len(wave_of), -1)
    turning = wave_of >= 0
    if isinstance(e, Steady) and turning.any():
        half_steps = np.array([2 * k])
        phasors = e.turns.phasors(half_steps)[0][wave_of[turning]]
        kept[turning] = phasors.real
        partner = _partners(wave_of, sines)
        taken[turning] = np.where(sines[turning], phasors.imag, -phasors.imag)
        taken[partner < 0] = 0.0
    return SparseShift(kept, partner, taken, sines)


def why_none(e: Encoding, k: int = 1) -> str:
    """Return why no matrix moves every row by k, without a full stop; empty where one does.

    Not to move at all needs none that an encoding could lack.
    """
    if k == 0:
        return ""
    if isinstance(e, Steady):
        return _why_not_turned(e)
    family = next((family for kind, family in _FAMILIES if isinstance(e, kind)), "")
    return _REASONS[family].format(e.display_name(), e.rows.name)


def _why_not_turned(e: Steady) -> str:
    wave_of, sines = _waves(e)
    alone = (wave_of >= 0) & (_partners(wave_of, sines) < 0)
    for column in np.flatnonzero(alone).tolist():
        alone[column] = e.turns.fixed[wave_of[column]] != 0  # a wave that stands still needs none
    if not alone.any():
        return ""
    column = int(alone.argmax())
    one, other = ("sine", "cosine") if sines[column] else ("cosine", "sine")
    name, called = e.columns.name, e.display_name()
    needed = f"a shift also needs the {other} of the same angle"
    if alone.sum() > 1:
        return f"every {name} of {called} is a {one} here, and {needed}: set Waves to both"
    return f"{name} {column} of {called} is a {one} alone, and {needed}: choose an even width"


def _waves(e: Encoding) -> tuple[Ints, Bools]:
    """Return the wave of each row of the matrix, -1 for none, and whether it is the sine."""
    if not isinstance(e, Waves):
        return np.full(e.width, -1), np.zeros(e.width, dtype=bool)
    if not isinstance(e, Rotary):
        return e.wave_of, e.sines
    wave_of, sines = np.full(e.head_dim, -1), np.zeros(e.head_dim, dtype=bool)
    wave_of[: e.rotary] = e.channels.pair_of
    sines[: e.rotary] = e.channels.member_of == 1
    return wave_of, sines


def _partners(wave_of: Ints, sines: Bools) -> Ints:
    """Return the column of the other function of each column's wave, -1 for none."""
    at = np.full((2, len(wave_of)), -1)  # a column without a wave leaves the last place empty
    (turning,) = np.nonzero(wave_of >= 0)
    is_sine = sines.astype(np.int64)
    at[is_sine[turning], wave_of[turning]] = turning
    return at[1 - is_sine, wave_of]


# -- the best fit, where no matrix moves all rows --------------------------------------------------

MOST_FITTED = 1024  # columns of the widest encoding with a best fit: the time grows with their cube
_MOST_NUMBERS = 1 << 22  # numbers of the rows to which a matrix is fitted
_MOST_WORK = 4e9  # rows times the square of the width, which takes some seconds
_FITTING_SHARE = 0.6  # share of the work before the differences are measured
_RELATIVE_ROUNDING = float(np.finfo(np.float64).eps)  # for each row, of the greatest number


class ShiftFit(NamedTuple):
    """The matrix that comes nearest to a shift."""

    whole: Floats  # shape (width, width); of equally good ones, that of the least numbers
    rank: int  # the number of independent rows it was fitted to; `width` of them are needed
    rows: int  # the number of rows it was fitted to
    largest: float  # the largest difference that it leaves in any number of these rows

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
    that of a few matrices, and no digits are lost to squares. Positions without a row are left
    out. `progress` may raise to stop. Raises `EncodingError` if k is no whole number within limits,
    the encoding is too wide, or there are no rows.
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
        both = np.hstack([rows(e, some), rows(e, shift_range(some, k))])
        if not np.isfinite(both).all():
            problem = f"rows of {e.display_name()} have numbers that are not finite"
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
