"""Products of float64 numbers with their rounding errors."""

from decimal import Decimal
from typing import Any

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.numeric.phasors import TWO_PI

Pair = tuple[Floats, Floats]
"""Numbers, each as the sum of a float64 number and a smaller one."""

_TWO_PI_HIGH = float(TWO_PI)
_TWO_PI_LOW = float(TWO_PI - Decimal(_TWO_PI_HIGH))


def radians_of(high: Ints, low: Floats) -> Pair:
    """Return 2π·(high + low) in units of 2^-63, rounded once, and what rounding took."""
    first = high.astype(np.float64)
    second = (high - first.astype(np.int64)) + low
    product = first * _TWO_PI_HIGH
    error = product_error(first, np.float64(_TWO_PI_HIGH), product)
    rest = error + first * _TWO_PI_LOW + second * _TWO_PI_HIGH
    radians = product + rest
    lost = (product - radians) + rest
    return radians * 2.0**-63, lost * 2.0**-63


def product_error(a: Floats, b: Floats | np.float64, product: Floats) -> Floats:
    """Return a·b - product without error (Dekker 1971)."""
    a_high, b_high = _upper(a), _upper(b)
    a_low, b_low = a - a_high, b - b_high
    high = a_high * b_high - product
    return ((high + a_high * b_low) + a_low * b_high) + a_low * b_low


def _upper(x: Any) -> Any:
    """Return the upper 26 bits of each number (Veltkamp's splitting, Dekker 1971)."""
    big = x * 134217729.0
    return big - (big - x)
