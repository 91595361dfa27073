"""Rows of any numbers: checked, and brought to a size whose squares and sums are finite."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import reason

Ints = npt.NDArray[np.int32]


def checked_rows(rows: Any) -> Floats:
    """Return rows as float64, or raise `EncodingError` with what is wrong with them."""
    try:
        given = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncodingError("rows", f"cannot be read as numbers ({reason(error)})") from None
    if given.ndim != 2:
        raise EncodingError("rows", f"have the shape {given.shape}; it must be (n, columns)")
    if not np.isfinite(given).all():
        problem = "hold numbers that are not finite, which have no place in a projection"
        raise EncodingError("rows", problem, "choose rows without them")
    return given


def binary_exponent(rows: Floats) -> int:
    """Return the power of two that is just above the size of all finite numbers; 0 for none."""
    sizes = np.abs(rows)
    largest = sizes.max(initial=0.0)
    if not np.isfinite(largest):
        largest = sizes.max(initial=0.0, where=np.isfinite(sizes))
    return int(np.frexp(largest)[1])


def scaled(rows: Floats) -> tuple[Floats, int]:
    """Return rows divided by a power of two, exactly but for the smallest, and the power."""
    power = binary_exponent(rows)
    return np.ldexp(rows, -power), power


def binary_exponents(rows: Floats) -> Ints:
    """Return the power of two that is just above the size of each row, shape (n, 1)."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    return np.frexp(largest)[1]


def scaled_one_by_one(rows: Floats) -> Floats:
    """Return each row divided by its power of two: its squares and sums are then finite."""
    return np.ldexp(rows, -binary_exponents(rows))
