"""Means of waves over blocks of positions, in closed form.

The sum of exp(iωp) over n consecutive positions is geometric, so the mean is::

    sin(nω/2) / (n·sin(ω/2)) · exp(iω·centre)

The first factor, the Dirichlet kernel divided by n, is the *amplitude* of the mean. The
amplitude depends only on the frequency and on n, so computing the mean of a block takes
as long as computing the value at a single position.
"""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.numeric.turns import Turns

_TERM_INDICES = range(1, 13)  # indices of the terms of the sine series
_MIN_DIVISOR = 0.5  # minimum of n·sin(ω/2) for the product form, which is inaccurate below it
_MIN_DIFFERENCE = 1e-12  # minimum difference of amplitudes that has enough correct digits
_HALF_TURN = np.int64(-(2**63))  # half a turn in units of 2^-64 turn, modulo 2^64


def amplitudes(turns: Turns, block: int) -> Floats:
    """Return the amplitude of the mean of each wave over `block` positions, shape (m,).

    Amplitudes are between -1 and 1. No digits are lost if ω or nω is close to 0 or to a whole turn.
    Amplitudes close to 1 are rounded only once.
    """
    half = (turns.high.astype(np.float64) + turns.low) * 2.0**-64  # in turns, from -1/2 to 1/2
    is_mirrored = np.abs(half) > 0.25
    mirrored_half = (_HALF_TURN - turns.high).astype(np.float64) - turns.low
    # If half exceeds 1/4, use 1/2 - half, which has the same sine but is closer to 0.
    reduced_half = np.where(is_mirrored, mirrored_half * 2.0**-64, half)
    with np.errstate(divide="ignore", invalid="ignore"):
        sines = turns.phasors(np.array([block]))[0].imag
        quotients = sines / (block * np.sin(2 * np.pi * reduced_half))
    is_short = np.abs(reduced_half) * block <= 0.25
    series = 1 - _compute_short_losses(np.where(is_short, 2 * np.pi * reduced_half, 0.0), block)
    if block % 2 == 0:
        series[is_mirrored] *= -1.0  # sin(nπ - nx) is -sin(nx) for even n and sin(nx) for odd n
    return np.where(is_short, series, quotients)


def compute_losses(turns: Turns, block: int) -> Floats:
    """Return 1 - `amplitudes`, shape (m,), with full relative precision close to 0."""
    half = turns.frequencies / 2
    is_short = np.abs(half) * block < math.pi / 2
    short_losses = _compute_short_losses(np.where(is_short, half, 0.0), block)
    return np.where(is_short, short_losses, 1 - amplitudes(turns, block))


def differences(first: Turns, second: Turns, half_gaps: Turns, means: Turns, block: int) -> Floats:
    """Return the `amplitudes` of waves minus those of waves with similar frequencies, shape (m,).

    `half_gaps` contains half the differences of the frequencies, and `means` their means.

    If both waves make less than half a turn in a block, the difference is computed from a
    series, otherwise from products of sines and cosines. The difference is nan if the
    frequency is so close to a whole number of turns per position that rounding errors
    dominate.
    """
    amplitude, other_amplitude = amplitudes(first, block), amplitudes(second, block)
    x, y = first.frequencies / 2, second.frequencies / 2
    is_short = np.maximum(np.abs(x), np.abs(y)) * block < math.pi / 2
    squares = half_gaps.frequencies * means.frequencies  # x² - y²
    x, y, squares = (np.where(is_short, numbers, 0.0) for numbers in (x, y, squares))
    series = (1 - _sinc_loss(y * block)) * _sinc_difference(x, y, squares, 1)
    series -= _sinc_difference(x, y, squares, block) * (1 - _sinc_loss(y))
    series /= (1 - _sinc_loss(x)) * (1 - _sinc_loss(y))
    steps = np.array([block, 1])
    block_sines, step_sines = 2 * means.phasors(steps).real * half_gaps.phasors(steps).imag
    divisor = block * first.phasors(steps)[1].imag
    with np.errstate(divide="ignore", invalid="ignore"):
        products = (block_sines - other_amplitude * block * step_sines) / divisor
    difference = amplitude - other_amplitude
    is_too_small = np.abs(difference) < _MIN_DIFFERENCE
    difference[is_too_small & (half_gaps.frequencies != 0)] = np.nan
    products = np.where(np.abs(divisor) < _MIN_DIVISOR, difference, products)
    return np.where(is_short, series, products)


def _compute_short_losses(half: Floats, block: int) -> Floats:
    step_loss = _sinc_loss(half)
    return (_sinc_loss(block * half) - step_loss) / (1 - step_loss)


def _sinc_loss(x: Floats) -> Floats:
    """Return 1 - sin(x)/x for |x| < π/2, from its series."""
    square = x * x
    loss = np.zeros_like(x)
    for k in reversed(_TERM_INDICES):
        loss = square / (2 * k * (2 * k + 1)) * (1 - loss)
    return loss


def _sinc_difference(x: Floats, y: Floats, squares: Floats, n: int) -> Floats:
    """Return `_sinc_loss(n·x) - _sinc_loss(n·y)`, where `squares` is x² - y²."""
    u, v = np.square(n * x), np.square(n * y)
    difference = np.zeros_like(x)
    power, sums, factor = np.ones_like(v), np.ones_like(u), 1.0
    for k in _TERM_INDICES:
        factor /= -2 * k * (2 * k + 1)
        difference -= factor * sums
        power = power * v
        sums = u * sums + power
    return n * n * squares * difference
