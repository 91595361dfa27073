"""Sines and cosines of phases in units of 2^-64 turn, and products with their rounding errors."""

from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np

from pe_explorer.arrays import Floats, Ints, Phasors

TWO_PI = Decimal(
    "6.28318530717958647692528676655900576839433879875021164194988918461563281257241799726"
)  # radians per turn, to 84 digits
_TWO_PI_HIGH = float(TWO_PI)
_TWO_PI_LOW = float(TWO_PI - Decimal(_TWO_PI_HIGH))

DoubleDouble = tuple[Floats, Floats]
"""Numbers as unevaluated sums of a float64 value and its rounding error."""

_PHASE_UNIT = float(TWO_PI) * 2.0**-64  # radians per unit of a phase
_STEP_COUNT = 256  # number of phasors in the table, evenly spaced over a turn
_STEP_SHIFT = np.int64(56)  # binary logarithm of the units per step
_HALF_STEP = np.int64(1 << 55)


def compute_phasors(phases: Ints) -> Phasors:
    """Return exp(2πi·phase/2^64) for phases of any shape.

    The error of each part is at most 0.51 ulp or 1.7e-19, whichever is larger. Phases are
    int64 in units of 2^-64 turn, so integer overflow removes whole turns. Each phasor is
    the nearest of 256 phasors in a table, rotated by the residual phase. The rotation is a
    small correction, so only the rounding error of the final sum matters.
    """
    step = (phases + _HALF_STEP) >> _STEP_SHIFT
    angle = (phases - (step << _STEP_SHIFT)) * _PHASE_UNIT  # magnitude at most π/256
    square = angle * angle
    residual = np.empty(phases.shape, dtype=np.complex128)  # becomes exp(i·angle) - 1
    residual.real = square * (square * (1 / 24 - square / 720) - 1 / 2)
    residual.imag = angle - angle * square * (1 / 6 - square * (1 / 120 - square / 5040))
    table, errors = _make_table()
    table_phasors = table[step]  # a negative step selects from the end of the table
    residual *= table_phasors
    residual += errors[step]
    residual += table_phasors
    return residual


@cache
def _make_table() -> tuple[Phasors, Phasors]:
    """Return 256 evenly spaced phasors and their rounding errors, shape (256,) each."""
    with localcontext() as context:
        context.prec = 40
        cosine, sine = Decimal(0), Decimal(1)  # for a quarter turn
        for _ in range((_STEP_COUNT // 4).bit_length() - 1):
            sine = ((1 - cosine) / 2).sqrt()
            cosine = ((1 + cosine) / 2).sqrt()
        quarter_points = [(Decimal(1), Decimal(0))]
        for _ in range(_STEP_COUNT // 4 - 1):
            x, y = quarter_points[-1]
            quarter_points.append((x * cosine - y * sine, x * sine + y * cosine))
        rounded_points = np.array([complex(x, y) for x, y in quarter_points])
        pairs = zip(quarter_points, rounded_points.tolist(), strict=True)
        errors = [complex(x - Decimal(z.real), y - Decimal(z.imag)) for (x, y), z in pairs]
    quarter_turns = [1, 1j, -1, -1j]
    phasors = np.concatenate([z * rounded_points for z in quarter_turns])
    return phasors, np.concatenate([z * np.array(errors) for z in quarter_turns])


def compute_radians(high: Ints, low: Floats) -> DoubleDouble:
    """Return 2π·(high + low)·2^-63, rounded once, and the rounding error."""
    first = high.astype(np.float64)
    second = (high - first.astype(np.int64)) + low
    product = first * _TWO_PI_HIGH
    error = compute_product_error(first, np.float64(_TWO_PI_HIGH), product)
    correction = error + first * _TWO_PI_LOW + second * _TWO_PI_HIGH
    radians = product + correction
    rounding_error = (product - radians) + correction
    return radians * 2.0**-63, rounding_error * 2.0**-63


def compute_product_error(a: Floats, b: Floats | np.float64, product: Floats) -> Floats:
    """Return the exact rounding error a·b - product (Dekker 1971)."""
    a_high, b_high = _extract_upper_bits(a), _extract_upper_bits(b)
    a_low, b_low = a - a_high, b - b_high
    high = a_high * b_high - product
    return ((high + a_high * b_low) + a_low * b_high) + a_low * b_low


def _extract_upper_bits(x: Any) -> Any:
    """Return the upper 26 bits of each number (Veltkamp's splitting, Dekker 1971)."""
    product = x * 134217729.0
    return product - (product - x)
