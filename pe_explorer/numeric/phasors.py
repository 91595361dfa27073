"""Sines and cosines of phases that are whole numbers: units of 2^-64 turn."""

import math
from decimal import Decimal

import numpy as np

from pe_explorer.arrays import Ints, Phasors

TWO_PI = Decimal(
    "6.28318530717958647692528676655900576839433879875021164194988918461563281257241799726"
)
"""Radians in a turn, to 84 digits."""

# 2π/2^64 in two parts: the first has 26 bits, so that its product with 27 bits is exact.
_TWO_PI_HIGH = math.floor(float(TWO_PI) * 2**23) * 2.0**-23
_TWO_PI_LOW = float(TWO_PI - Decimal(_TWO_PI_HIGH))
_UNIT = float(TWO_PI) * 2.0**-64
_UNIT_HIGH = _TWO_PI_HIGH * 2.0**-64
_UNIT_LOW = _TWO_PI_LOW * 2.0**-64

_EIGHTH = np.int64(1 << 61)  # units in an eighth of a turn
_QUARTER_SHIFT = np.int64(62)  # a quarter of a turn is 2^62 units
_UPPER_BITS = np.int64(-1 << 35)  # mask of the upper 27 bits of a phase below an eighth of a turn


def phasors_of(phases: Ints) -> Phasors:
    """Return exp(2πi·phase/2^64), each part within 1.2e-16.

    Parameters
    ----------
    phases : int64 array of any shape
        In units of 2^-64 turn; whole turns drop out as the integers wrap around.

    Returns
    -------
    complex128 array of the same shape
        The phase is reduced to an eighth of a turn without error; its angle is rounded once.
    """
    quarter = (phases + _EIGHTH) >> _QUARTER_SHIFT
    rest = phases - (quarter << _QUARTER_SHIFT)
    top = rest & _UPPER_BITS
    high = top.astype(np.float64)
    low = (rest - top).astype(np.float64)
    angle = high * _UNIT_HIGH + (high * _UNIT_LOW + low * _UNIT)  # the first product is exact
    sine = np.sin(angle)
    cosine = np.cos(angle)
    odd = (quarter & 1).astype(bool)
    sign = 1.0 - (quarter & 2)
    phasors = np.empty(phases.shape, dtype=np.complex128)
    real = np.where(odd, -sine, cosine)
    np.multiply(real, sign, out=phasors.real)
    imaginary = np.where(odd, cosine, sine)
    np.multiply(imaginary, sign, out=phasors.imag)
    return phasors
