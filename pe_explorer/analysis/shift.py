"""The matrix that moves all rows of an encoding by k positions, if it exists.

If every sine has its cosine, the row of p + k is the row of p times one matrix T_k for
all p. For each pair, T_k has a block of two rows and two columns that follows from
these formulas, with c = cos(kω) and s = sin(kω)::

    sin(ω(p + k)) = sin(ωp)·c + cos(ωp)·s
    cos(ω(p + k)) = cos(ωp)·c - sin(ωp)·s

Each column of T_k has at most two non-zero values. `SparseShift` stores only these:
16,384 values for a width of 8,192, compared with 67 million for the full matrix. If
there is no such matrix, `fit_matrix` returns a least-squares fit.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis._rows import find_binary_exponent, scale_rows
from pe_explorer.analysis.moved_rows import columns, movable_positions, width
from pe_explorer.arrays import Bools, Floats, Ints
from pe_explorer.encodings import (
    Bias,
    Encoding,
    EncodingError,
    LinearRows,
    Rotary,
    Steady,
    Stored,
    Waves,
)
from pe_explorer.encodings.abilities.checks import to_whole_number
from pe_explorer.numeric.positions import LIMIT, clip_positions, shift_range
from pe_explorer.params import Whole
from pe_explorer.progress import Reporter, ignore_progress

SHIFT = Whole(
    1,
    -LIMIT,
    LIMIT,
    slider_range=(-50, 50),
    label="Steps",
    symbol="k",
    unit="positions",
    help="The number of positions to shift rows by; negative numbers shift them back.",
)
MAX_FIT_WIDTH = 1024  # maximum number of columns in a fit, because the time grows with their cube
_MAX_FITTED_VALUES = 1 << 22  # maximum number of values in the rows to which a matrix is fitted
_MAX_WORK = 4e9  # maximum of rows · width² in a fit, which takes a few seconds
_FITTING_SHARE = 0.6  # progress at which measuring the residuals begins
_ROUNDING_PER_ROW = float(np.finfo(np.float64).eps)  # relative rounding error per row

_LINE_REASON = "{} grows with the {}, so a shift adds a constant, but no matrix can add a constant"
_NO_MATRIX_REASONS: Mapping[Any, str] = {
    LinearRows: _LINE_REASON,
    Bias: _LINE_REASON,
    Stored: "the rows come from a file, and no single matrix shifts all of them",
    Waves: "{} does not rotate by the same angle everywhere, so no single matrix shifts all rows",
    Encoding: "{} has no sine–cosine pairs, so no single matrix shifts all rows",
}
"""The reason why there is no matrix, by class; the placeholders stand for the names of the
encoding and of a row."""


class SparseShift(NamedTuple):
    """A matrix with at most two non-zero values per column; all fields have the shape (width,)."""

    diagonal: Floats  # the diagonal value of each column
    partner: Ints  # the row of the second value of each column; -1 if there is no second value
    partner_values: Floats  # the second value of each column, or 0
    sines: Bools  # whether a column is the sine of its wave

    @property
    def matrix(self) -> Floats:
        """The matrix, shape (width, width)."""
        matrix = np.diag(self.diagonal)
        (columns,) = np.nonzero(self.partner >= 0)
        matrix[self.partner[columns], columns] = self.partner_values[columns]
        return matrix

    def apply(self, table: Floats) -> Floats:
        """Return the rows of a table times the matrix, shape (n, width)."""
        moved_table: Floats = table * self.diagonal
        if self.partner_values.any():
            moved_table += table[:, self.partner] * self.partner_values
        return moved_table


def matrix(e: Encoding, k: int) -> Floats:
    """Return the matrix that moves every row by k positions.

    Parameters
    ----------
    e : Encoding
    k : int
        The number of positions, which can be negative, within ±2^53.

    Returns
    -------
    (dim, dim) float64
        ``e.table(p) @ matrix`` is ``e.table(p + k)`` for all p. For a rotary encoding, the
        matrix rotates a head, shape (head_dim, head_dim): ``e.rotate(x, p) @ matrix`` is
        ``e.rotate(x, p + k)``. The error of each value is at most 1e-16 for every k; the
        relative error of sines of angles below 1 rad is at most 4e-16.

    Raises
    ------
    EncodingError
        If no such matrix exists (the message states the reason), or k is not an integer
        within ±2^53.
    """
    return build_sparse_shift(e, k).matrix


def build_sparse_shift(e: Encoding, k: int) -> SparseShift:
    """Return `matrix` in sparse form; raise the same exceptions as `matrix`."""
    k = to_whole_number(k, "k")
    if problem := explain_no_matrix(e, k):
        raise EncodingError("encoding", problem)
    wave_indices, sines = _find_waves(e)
    diagonal, partner_values = np.ones(len(wave_indices)), np.zeros(len(wave_indices))
    partner = np.full(len(wave_indices), -1)
    has_wave = wave_indices >= 0
    if isinstance(e, Steady) and has_wave.any():
        phasors = e.turns.phasors(np.array([2 * k]))[0][wave_indices[has_wave]]
        diagonal[has_wave] = phasors.real
        partner = _find_partners(wave_indices, sines)
        partner_values[has_wave] = np.where(sines[has_wave], phasors.imag, -phasors.imag)
        partner_values[partner < 0] = 0.0
    return SparseShift(diagonal, partner, partner_values, sines)


def explain_no_matrix(e: Encoding, k: int = 1) -> str:
    """Return why no matrix moves all rows by k, or "" if such a matrix exists."""
    if k == 0:
        return ""
    if isinstance(e, Steady):
        return _explain_no_rotation(e)
    template = next(text for kind, text in _NO_MATRIX_REASONS.items() if isinstance(e, kind))
    return template.format(e.format_name(), e.rows.name)


def _explain_no_rotation(e: Steady) -> str:
    wave_indices, sines = _find_waves(e)
    partners = _find_partners(wave_indices, sines)
    candidates = np.flatnonzero((wave_indices >= 0) & (partners < 0)).tolist()
    # Constant columns need no partner.
    columns = [column for column in candidates if e.turns.fixed[wave_indices[column]]]
    if not columns:
        return ""
    kind, missing_kind = ("sine", "cosine") if sines[columns[0]] else ("cosine", "sine")
    noun, name = e.columns.name, e.format_name()
    requirement = f"a shift also requires the {missing_kind} of the same angle"
    if len(columns) > 1:
        return f'every {noun} of {name} is a {kind}, but {requirement}; set Waves to "both"'
    return f"{noun} {columns[0]} of {name} is a {kind}, but {requirement}; choose an even width"


def _find_waves(e: Encoding) -> tuple[Ints, Bools]:
    """Return each matrix row's wave (-1 if it has no wave), and whether the row is a sine."""
    if not isinstance(e, Waves):
        return np.full(e.width, -1), np.zeros(e.width, dtype=bool)
    if not isinstance(e, Rotary):
        return e.wave_indices, e.sines
    wave_indices, sines = np.full(e.head_dim, -1), np.zeros(e.head_dim, dtype=bool)
    wave_indices[: e.rotary] = e.channels.pair_indices
    sines[: e.rotary] = e.channels.member_indices == 1
    return wave_indices, sines


def _find_partners(wave_indices: Ints, sines: Bools) -> Ints:
    """Return the column of each sine's cosine and each cosine's sine; -1 if it is missing."""
    columns_by_wave = np.full((2, len(wave_indices)), -1)  # wave -1 selects the last, which is -1
    (columns,) = np.nonzero(wave_indices >= 0)
    kind_indices = sines.astype(np.int64)
    columns_by_wave[kind_indices[columns], wave_indices[columns]] = columns
    return columns_by_wave[1 - kind_indices, wave_indices]


class ShiftFit(NamedTuple):
    """A matrix that approximates a shift by least squares."""

    matrix: Floats  # the least-squares solution of minimum norm, shape (width, width)
    rank: int  # the rank of the rows; if it equals `width`, the solution is unique
    rows: int  # the number of rows used in the fit
    largest: float  # the largest residual in these rows

    def apply(self, table: Floats) -> Floats:
        """Return the rows of a table times the matrix, shape (n, width)."""
        rows, power = scale_rows(table)  # the scaling prevents overflow of intermediate sums
        with np.errstate(over="ignore"):
            moved_table: Floats = np.ldexp(rows @ self.matrix, power)
        return moved_table


def explain_no_fit(e: Encoding) -> str:
    """Return why there is no best fit, without a full stop, or "" if a fit is possible."""
    if width(e) <= MAX_FIT_WIDTH:
        return ""
    return f"the best fit is limited to {columns(e).format_count(MAX_FIT_WIDTH)}"


def compute_max_rows(width: int) -> int:
    """Return the maximum number of rows for a best fit."""
    return int(max(2 * width, min(_MAX_FITTED_VALUES / width, _MAX_WORK / width**2)))


def build_matrix_or_fit(
    e: Encoding, k: int, positions: range, progress: Reporter | None = None
) -> SparseShift | ShiftFit:
    """Return the matrix that moves all rows by k, or the best fit if there is no such matrix.

    The best fit uses the rows of the positions, or of an evenly spaced sample if there are
    too many positions. `progress` and the exceptions are as in `fit_matrix`.
    """
    if not explain_no_matrix(e, k):
        return build_sparse_shift(e, k)
    sources = clip_positions(positions, movable_positions(e, k))
    step = -(-len(sources) // compute_max_rows(width(e)))
    return fit_matrix(e, k, sources[:: max(1, step)], progress)


def fit_matrix(e: Encoding, k: int, positions: range, progress: Reporter | None = None) -> ShiftFit:
    """Return the least-squares solution for the matrix that moves rows by k positions.

    Rows are processed in chunks by QR decomposition, which needs memory for only a few
    matrices and is more accurate than the normal equations. Positions p are skipped unless
    both p and p + k have a row. `progress` may raise an exception to cancel. Raise
    `EncodingError` if k is not an integer within ±2^53, the encoding is too wide, there are
    no rows, or some values are not finite.
    """
    k = to_whole_number(k, "k")
    if problem := explain_no_fit(e):
        raise EncodingError("encoding", problem)
    positions = clip_positions(positions, movable_positions(e, k))
    if not positions:
        raise EncodingError("k", f"no {e.rows.name} shown has a row {k:,} positions later")
    report = progress or ignore_progress
    triangle, power = np.empty((0, 2 * width(e))), 0  # triangle in units of 2^power
    for part in moved_rows.split_into_chunks(e, positions):
        ranges = positions[part], shift_range(positions[part], k)
        rows = np.hstack([moved_rows.rows(e, p) for p in ranges])
        if not np.isfinite(rows).all():
            problem = f"some rows of {e.format_name()} contain NaN or infinity"
            raise EncodingError("encoding", problem)
        exponent = find_binary_exponent(rows)
        new_power = max(power, exponent) if len(triangle) else exponent
        scaled_blocks = np.ldexp(triangle, power - new_power), np.ldexp(rows, -new_power)
        triangle = np.linalg.qr(np.vstack(scaled_blocks), mode="r")  # type: ignore[assignment]
        power = new_power
        report(_FITTING_SHARE * part.stop / len(positions))
    rows_before, rows_after = np.hsplit(triangle, 2)
    cutoff = _ROUNDING_PER_ROW * max(len(positions), width(e))
    solution, _, rank, _ = np.linalg.lstsq(rows_before, rows_after, rcond=cutoff)
    fit = ShiftFit(solution.astype(np.float64, copy=False), int(rank), len(positions), 0.0)
    for part in moved_rows.split_into_chunks(e, positions):
        largest = moved_rows.compute_max_differences(e, k, fit, positions[part]).max()
        fit = fit._replace(largest=max(fit.largest, float(largest)))
        report(_FITTING_SHARE + (1 - _FITTING_SHARE) * part.stop / len(positions))
    return fit
