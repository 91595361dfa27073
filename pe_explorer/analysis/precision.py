"""The errors of tables that code computes in low precision, compared with exact tables.

Typical code computes frequencies, then angles, then sines, each in float32. An angle θ
then has an error of about θ·10^-7, and a sine cannot be more accurate than its angle.
The error therefore grows with the position, most for high frequencies. A cast to a
smaller type adds an error that depends on where the cast happens: a rounded cosine is
off by at most half a unit in the last place at any position, but a rounded frequency is
multiplied by the position. Each step is rounded once; see `Rounding` and
`CodeAngles`.

Plain float64 code has similar but smaller errors, because it rounds each angle, the
product of position and frequency, to float64. The errors appear when rows are moved by
k positions.
"""

from typing import Any

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.shift import explain_no_matrix
from pe_explorer.arrays import Floats, Phasors
from pe_explorer.encodings import CodeAngles, Encoding, EncodingError, Steady, needs
from pe_explorer.encodings.abilities.checks import to_positions
from pe_explorer.numeric.positions import count_positions, shift_range
from pe_explorer.numeric.rounding import (
    DTYPES,
    Rounding,
    find_representable_index,
    round_to,
    to_float32,
)
from pe_explorer.params import Choice, describe_bad_choice

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


DTYPE = Choice(
    "float32",
    {name: f"rounded to {name}" for name in DTYPES},
    label="Type",
    help="The floating-point type of the cast.",
)
CAST = Choice(
    "everything",
    {
        "everything": "every step",
        "positions": "the positions",
        "frequencies": "the frequencies, such as the buffers of a model after .half()",
        "angles": "the angles",
        "result": "the cosines and sines, as in transformers",
        "once": "the exact values, which is the best possible",
    },
    label="Cast",
    help="What code rounds to the type. It computes everything else in float32.",
)
_VALUE_CASTS = ("result", "once")  # the casts that leave the angles unchanged
_SMALL_DTYPES = ("float8-e4m3fn", "float8-e5m2")
CAST_REMEDY = "choose the cast result or once, or the type bfloat16 or float16"
_CHUNK_ANGLES = 1 << 18  # number of angles to compute at a time


def check(e: Encoding, dtype: str, cast: str) -> None:
    """Raise `EncodingError` if a cast is undefined for an encoding."""
    if problem := needs.code_angles(e):
        raise EncodingError("encoding", problem, "choose sinusoidal or rope")
    for name, choice, word in (("dtype", DTYPE, dtype), ("cast", CAST, cast)):
        if word not in choice.choices:
            raise EncodingError(name, describe_bad_choice(word, choice.choices))
    if problem := explain_no_cast(dtype, cast):
        raise EncodingError("cast", problem, CAST_REMEDY)


def explain_no_cast(dtype: str, cast: str) -> str:
    """Return why a cast to a type is undefined, or "" if it is defined; see `CAST_REMEDY`."""
    if dtype in _SMALL_DTYPES and cast not in _VALUE_CASTS:
        return f"{cast} is undefined for {dtype}, because positions and angles exceed its range"
    return ""


def table(
    e: Encoding, positions: Any, *, dtype: str = "float32", cast: str = "everything"
) -> Floats:
    """Return the rows that typical code computes; see `Encoding.table`.

    Parameters
    ----------
    e : Encoding
        An encoding with angles.
    positions : array_like
        Positions as in `Encoding.table`; fractions are allowed.
    dtype : str
        A type of `DTYPE`. The float8 types are allowed only if `cast` is ``result`` or ``once``.
    cast : str
        What is rounded to the type, a value of `CAST`; everything else is float32 code.

    Returns
    -------
    (n, width)
        Numbers beyond the range of the type are infinite, and their sines nan, as on a device.

    Raises
    ------
    EncodingError
        If no typical code is known for the encoding, `dtype` and `cast` cannot be combined, or
        a position is out of range.
    """
    check(e, dtype, cast)
    positions = to_positions(positions)
    if cast == "once":
        return round_to(e.table(positions), dtype)
    assert isinstance(e, CodeAngles)
    rounding = Rounding(dtype, cast)
    values = np.zeros((count_positions(positions), e.width))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        angles = e.compute_code_angles(positions, rounding)
        for function, has_function in ((np.sin, e.sines), (np.cos, ~e.sines)):
            columns = np.flatnonzero(has_function & (e.wave_indices >= 0))
            values[:, columns] = rounding(function(angles))[:, e.wave_indices[columns]]
        return rounding(values * rounding(e.amplitude), "result")


def error(
    e: Encoding, positions: Any, *, dtype: str = "float32", cast: str = "everything"
) -> Floats:
    """Return `table` minus the exact table, shape (n, width); raise the same errors."""
    return table(e, positions, dtype=dtype, cast=cast) - e.table(positions)


def phase_error(
    e: Encoding, positions: Any, *, dtype: str = "float32", cast: str = "everything"
) -> Floats:
    """Return the angles of typical code minus the exact angles, shape (n, waves).

    The differences are in radians and not reduced to one turn. They are 0 for the cast
    ``once``, and those of float32 code for ``result``. Raise the same errors as `table`.
    """
    check(e, dtype, cast)
    assert isinstance(e, CodeAngles)
    assert isinstance(e, Steady)
    positions = to_positions(positions)
    if cast == "once":
        return np.zeros((count_positions(positions), len(e.frequencies())))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        angles = e.compute_code_angles(positions, Rounding(dtype, cast))
        numbers = np.asarray(positions, dtype=np.float64) + e.origin
        estimates = angles - np.multiply.outer(numbers, e.frequencies())
        # Float64 products are exact to a fraction of a turn, and phasors within a turn.
        phasors = np.exp(1j * angles) * np.conj(e.phasors(positions))
        remainders = np.angle(phasors)
        return remainders + 2 * np.pi * np.rint((estimates - remainders) / (2 * np.pi))


def distinct(positions: Any, dtype: str) -> int:
    """Return how many of the given positions remain distinct if code holds them in a type."""
    positions = to_positions(positions)
    if isinstance(positions, range) and len(positions):
        ends = round_to([positions[0], positions[-1]], dtype)
        if positions.step == 1 and not np.isnan(ends).any():
            first, last = (find_representable_index(end, dtype) for end in ends)
            return last - first + 1
    return len(np.unique(round_to(positions, dtype)))


def first_beyond(
    e: Encoding,
    positions: Any,
    tolerance: float,
    *,
    dtype: str = "float32",
    cast: str = "everything",
) -> int | float | None:
    """Return the first position at which code is off by more than a tolerance, or None.

    For the casts ``result`` and ``once``, the tolerance is for values; for all other casts,
    it is for angles, in radians. A value that is not finite is beyond any tolerance. The
    positions are in ascending order. Raise the same errors as `table`.
    """
    compute = error if cast in _VALUE_CASTS else phase_error
    positions = to_positions(positions)
    chunk = max(1, _CHUNK_ANGLES // max(1, e.width))
    for start in range(0, count_positions(positions), chunk):
        part = positions[start : start + chunk]
        within = np.abs(compute(e, part, dtype=dtype, cast=cast)) <= tolerance  # False for nan
        beyond = np.flatnonzero(~within.all(axis=1))
        if len(beyond):
            position: int | float = part[beyond[0]]
            return position
    return None


def why_no_code(e: Encoding, k: int, code: str) -> str:
    """Return why code of a certain kind cannot move rows by k, or "" if it can.

    `code` is a value of `CODE`. The text has no full stop.
    """
    if problem := explain_no_matrix(e, k) or needs.steady(e):
        return problem
    return needs.code_angles(e) if code == "float32" else ""


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
        assert isinstance(e, CodeAngles)
        angles = e.compute_code_angles(positions)
    else:
        numbers = np.asarray(positions, dtype=np.float64) + e.origin
        angles = np.multiply.outer(numbers, e.frequencies())
    return _round_if_float32(np.cos(angles), code) + 1j * _round_if_float32(np.sin(angles), code)


def _round_if_float32(numbers: Floats, code: str) -> Floats:
    return to_float32(numbers) if code == "float32" else numbers
