"""Round numbers to the floating-point types of deep learning, and to what code computes in them."""

from typing import Any, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats


class _Format(NamedTuple):
    """A floating-point format; `digits` includes the leading binary digit, which is not stored."""

    digits: int
    min_exponent: int  # exponent of the smallest number with all digits
    max_value: float
    overflow: float = np.inf  # value of numbers that are rounded to more than `max_value`


_FORMATS = {
    "float32": _Format(24, -126, float(np.finfo(np.float32).max)),
    "bfloat16": _Format(8, -126, 255 * 2.0**120),
    "float16": _Format(11, -14, 65504.0),
    "float8-e4m3fn": _Format(4, -6, 448.0, np.nan),
    "float8-e5m2": _Format(3, -14, 57344.0),
}
DTYPES = tuple(_FORMATS)
_FLOAT64_DIGITS = 53


def round_to(numbers: Any, dtype: str) -> Floats:
    """Return numbers rounded once to a type of `DTYPES`, to nearest even, as a float64 array.

    Numbers beyond the largest value become infinite, or nan in float8-e4m3fn, which has no
    infinity.
    """
    exact = np.array(numbers, dtype=np.float64)  # a copy, which is rounded in place
    if dtype in ("float32", "float16"):
        with np.errstate(over="ignore"):
            return exact.astype(dtype).astype(np.float64)
    digits, min_exponent, max_value, overflow = _FORMATS[dtype]
    # Round the significand in its binary form, which is faster than scaling the numbers.
    spare = _FLOAT64_DIGITS - digits
    is_nan, is_tiny = np.isnan(exact), np.abs(exact) < 2.0**min_exponent
    spacing = 2.0 ** (min_exponent - digits + 1)
    tiny = np.rint(exact[is_tiny] / spacing) * spacing
    significands = exact.view(np.int64)
    significands += (1 << spare - 1) - 1 + (significands >> spare & 1)
    significands &= -1 << spare
    exact[is_tiny] = tiny
    is_beyond = np.abs(exact) > max_value
    exact[is_beyond] = np.copysign(overflow, exact[is_beyond])
    exact[is_nan] = np.nan
    return exact


def to_float32(numbers: Any) -> Floats:
    """Return numbers rounded to float32, as a float64 array."""
    return round_to(numbers, "float32")


class Rounding(NamedTuple):
    """How code rounds: every step to one type, or one value to it and every step to float32.

    Each step is computed in float64 and rounded once, as in a perfect library, because
    the errors of NumPy's float32 functions differ between machines.
    """

    dtype: str = "float32"
    cast: str = "everything"  # "everything", or the value that is rounded to `dtype`

    def __call__(self, numbers: Any, value: str = "") -> Floats:
        """Return the result of one step of the code; `value` names it if it can be cast."""
        if self.cast == "everything" or value == self.cast == "positions":
            return round_to(numbers, self.dtype)  # code holds positions as integers, so round once
        return round_to(to_float32(numbers), self.dtype if value == self.cast else "float32")


FLOAT32 = Rounding()


def find_largest_exact_integer(dtype: str) -> int:
    """Return the largest whole number below which a type contains every whole number."""
    return 1 << _FORMATS[dtype].digits


def find_representable_index(number: float, dtype: str) -> int:
    """Return the number of whole numbers of a type from 0 (exclusive) to one of them.

    `number` must be rounded to `dtype`; the index of a negative number is negative. Infinity
    follows the largest number.
    """
    digits, max_value = _FORMATS[dtype].digits, int(_FORMATS[dtype].max_value)
    if np.isinf(number):
        return int(np.sign(number)) * (find_representable_index(max_value, dtype) + 1)
    magnitude = abs(int(number))
    shift = max(0, magnitude.bit_length() - digits)
    index = (shift << digits - 1) + (magnitude >> shift)
    return index if number >= 0 else -index
