"""What code costs: tables as the usual code makes them in float32, against the exact ones.

The usual code computes frequencies, then angles, then sines, each in float32. An angle θ is off
by some θ·10^-7 then, and no sine can be better than its angle: the error grows with the position,
most where frequencies are high. Each step is rounded once here, see `Float32Angles`.

Rows that code makes and then moves by k positions differ from those that it makes there by as much:
plain NumPy code has angles of float64, a product of position and frequency that is rounded.
"""

from typing import Any

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.shift import why_none
from pe_explorer.arrays import Floats, Phasors
from pe_explorer.encodings import Encoding, EncodingError, Float32Angles, Steady, needs
from pe_explorer.encodings.abilities.checks import as_positions
from pe_explorer.encodings.abilities.waves import rounded
from pe_explorer.numeric.positions import len_of, shift_range
from pe_explorer.params import Choice

CODE = Choice(
    "exact",
    {
        "exact": "the exact rows alone",
        "float64": "those of plain code in float64, too",
        "float32": "those of the usual code in float32, too",
    },
    label="Rows",
    help="Which rows are moved: a curve each, on a scale of powers of ten where there are two.",
)


def float32_table(e: Encoding, positions: Any) -> Floats:
    """Return the rows that the usual float32 code makes, as `Encoding.table` does.

    Raises `EncodingError` if no such code is known, or a position is out of bounds.
    """
    if problem := needs.float32_angles(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Float32Angles)
    where = as_positions(positions)
    angles = e.float32_angles(where)
    waves, sines = e.wave_of, e.sines & (e.wave_of >= 0)
    cosines = ~e.sines & (e.wave_of >= 0)
    table = np.zeros((len_of(where), e.width))
    table[:, sines] = np.sin(angles)[:, waves[sines]]
    table[:, cosines] = np.cos(angles)[:, waves[cosines]]
    return rounded(rounded(table) * rounded(e.amplitude))


def float32_error(e: Encoding, positions: Any) -> Floats:
    """Return `float32_table` minus the exact table, (n, width); raises what that raises."""
    return float32_table(e, positions) - e.table(positions)


def why_no_code(e: Encoding, k: int, code: str) -> str:
    """Return why code moves no rows by k, see `CODE`, without a full stop; empty where it does."""
    if problem := why_none(e, k) or needs.steady(e):
        return problem
    return needs.float32_angles(e) if code == "float32" else ""


def code_differences(e: Encoding, k: int, positions: range, code: str) -> Floats:
    """Return by how much rows that code makes and moves by k are off from those that it makes.

    It is the largest difference in any number of a row, shape (n,). Every step is rounded to
    `code`, which is ``float64`` or ``float32``; `why_no_code` says nothing of the encoding.
    """
    assert isinstance(e, Steady)
    found = np.empty(len(positions))
    turned = _rounded_waves(e, range(k - e.origin, k - e.origin + 1), code)
    for rows in moved_rows.parts(e, positions):
        some = positions[rows]
        here, there = (_rounded_waves(e, where, code) for where in (some, shift_range(some, k)))
        kept, taken = (
            (_rounded(here.real * part, code), _rounded(here.imag * part, code))
            for part in (turned.real, turned.imag)
        )
        moved = _rounded(kept[0] - taken[1], code)
        raised = _rounded(kept[1] + taken[0], code)
        off = np.maximum(np.abs(moved - there.real), np.abs(raised - there.imag))
        found[rows] = e.amplitude * off.max(axis=1, initial=0.0)
    return found


def _rounded_waves(e: Steady, positions: range, code: str) -> Phasors:
    """Return cosines and sines, as real and imaginary parts, of angles that code computes."""
    if code == "float32":
        assert isinstance(e, Float32Angles)
        angles = e.float32_angles(positions)
    else:
        places = np.asarray(positions, dtype=np.float64) + e.origin
        angles = np.multiply.outer(places, e.frequencies())
    found = np.empty(angles.shape, dtype=np.complex128)
    found.real, found.imag = _rounded(np.cos(angles), code), _rounded(np.sin(angles), code)
    return found


def _rounded(numbers: Floats, code: str) -> Floats:
    return rounded(numbers) if code == "float32" else numbers
