"""The error of tables that typical code computes in float32, compared with exact tables.

Typical code computes frequencies, then angles, then sines, each in float32. An angle θ
then has an error of about θ·10^-7, and a sine cannot be more accurate than its angle.
The error therefore grows with the position, most for high frequencies. This module
rounds each step once; see `Float32Angles`.

Plain float64 code has similar but smaller errors, because it rounds each angle, the
product of position and frequency, to float64. The errors appear when rows are moved by
k positions.
"""

from typing import Any

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.shift import explain_no_matrix
from pe_explorer.arrays import Floats, Phasors
from pe_explorer.encodings import Encoding, EncodingError, Float32Angles, Steady, needs
from pe_explorer.encodings.abilities.checks import to_positions
from pe_explorer.encodings.abilities.waves import to_float32
from pe_explorer.numeric.positions import count_positions, shift_range
from pe_explorer.params import Choice

CODE = Choice(
    "exact",
    {
        "exact": "only exact rows",
        "float64": "exact rows, and rows from plain float64 code",
        "float32": "exact rows, and rows from the usual float32 code",
    },
    label="Rows",
    help="The rows to shift. Two kinds of rows share one logarithmic axis.",
)


def compute_float32_table(e: Encoding, positions: Any) -> Floats:
    """Return the rows that typical float32 code computes; see `Encoding.table`.

    Raise `EncodingError` if no typical code is known for the encoding, or a position is out
    of range.
    """
    if problem := needs.float32_angles(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Float32Angles)
    positions = to_positions(positions)
    angles = e.float32_angles(positions)
    table = np.zeros((count_positions(positions), e.width))
    for function, has_function in ((np.sin, e.sines), (np.cos, ~e.sines)):
        columns = np.flatnonzero(has_function & (e.wave_indices >= 0))
        table[:, columns] = function(angles)[:, e.wave_indices[columns]]
    return to_float32(to_float32(table) * to_float32(e.amplitude))


def compute_float32_error(e: Encoding, positions: Any) -> Floats:
    """Return `compute_float32_table` minus the exact table, shape (n, width).

    Raise the same exceptions as `compute_float32_table`.
    """
    return compute_float32_table(e, positions) - e.table(positions)


def why_no_code(e: Encoding, k: int, code: str) -> str:
    """Return why code of a certain kind cannot move rows by k, or "" if it can.

    `code` is a value of `CODE`. The text has no full stop.
    """
    if problem := explain_no_matrix(e, k) or needs.steady(e):
        return problem
    return needs.float32_angles(e) if code == "float32" else ""


def compute_code_differences(e: Encoding, k: int, positions: range, code: str) -> Floats:
    """Return the largest absolute difference between each moved row and the row at p + k.

    The shape is (n,). Both rows are computed with every step rounded to `code`, which is
    ``float64`` or ``float32``. `why_no_code` must return an empty string.
    """
    assert isinstance(e, Steady)
    maxima = np.empty(len(positions))
    shift = _compute_code_phasors(e, range(k - e.origin, k - e.origin + 1), code)
    for rows in moved_rows.split_into_chunks(e, positions):
        sources, targets = positions[rows], shift_range(positions[rows], k)
        phasors = _compute_code_phasors(e, sources, code)
        end_phasors = _compute_code_phasors(e, targets, code)
        products = [
            _round_if_float32(part * factor, code)
            for part in (phasors.real, phasors.imag)
            for factor in (shift.real, shift.imag)
        ]
        cosines = _round_if_float32(products[0] - products[3], code)
        sines = _round_if_float32(products[2] + products[1], code)
        errors = np.maximum(np.abs(cosines - end_phasors.real), np.abs(sines - end_phasors.imag))
        maxima[rows] = e.amplitude * errors.max(axis=1, initial=0.0)
    return maxima


def _compute_code_phasors(e: Steady, positions: range, code: str) -> Phasors:
    if code == "float32":
        assert isinstance(e, Float32Angles)
        angles = e.float32_angles(positions)
    else:
        numbers = np.asarray(positions, dtype=np.float64) + e.origin
        angles = np.multiply.outer(numbers, e.frequencies())
    return _round_if_float32(np.cos(angles), code) + 1j * _round_if_float32(np.sin(angles), code)


def _round_if_float32(numbers: Floats, code: str) -> Floats:
    return to_float32(numbers) if code == "float32" else numbers
