"""Functions that check rows of numbers, and scale them so that squares and sums are finite."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import reason

Blocks = tuple[int, int, int]
"""The first position, the number of positions in a block, and the number of blocks."""


def check_rows(rows: Any) -> Floats:
    """Return rows as float64; raise `EncodingError` unless they form a finite matrix."""
    try:
        array = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncodingError("rows", f"cannot be read as numbers ({reason(error)})") from None
    if array.ndim != 2:
        raise EncodingError("rows", f"expected the shape (rows, columns), got {array.shape}")
    if not np.isfinite(array).all():
        raise EncodingError("rows", "contain NaN or infinity", "remove these rows")
    return array


def find_binary_exponent(rows: Floats) -> int:
    """Return the exponent of the smallest power of two above all finite absolute values.

    Return 0 if all finite values are zero, or if no value is finite.
    """
    sizes = np.abs(rows)
    max_size = sizes.max(initial=0.0)
    if not np.isfinite(max_size):
        max_size = sizes.max(initial=0.0, where=np.isfinite(sizes))
    return int(np.frexp(max_size)[1])


def scale_rows(rows: Floats) -> tuple[Floats, int]:
    """Return rows divided by 2^n, where n is `find_binary_exponent(rows)`, and n.

    The division is exact, except for subnormal results.
    """
    exponent = find_binary_exponent(rows)
    return np.ldexp(rows, -exponent), exponent


def find_binary_exponents(rows: Floats) -> npt.NDArray[np.int32]:
    """Return the exponent of the smallest power of two above each row's sizes, shape (n, 1)."""
    return np.frexp(np.abs(rows).max(axis=1, keepdims=True))[1]


def scale_each_row(rows: Floats) -> Floats:
    """Return each row divided by its own power of two, so that sums of its squares are finite."""
    return np.ldexp(rows, -find_binary_exponents(rows))
