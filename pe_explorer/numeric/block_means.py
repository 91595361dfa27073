"""Means of waves over blocks of positions, in closed form.

The mean of exp(iωp) over n consecutive positions is a geometric sum::

    sin(nω/2) / (n·sin(ω/2)) · exp(iω·centre)

The first factor, the Dirichlet kernel divided by n, is the *amplitude* of the mean. It
depends on the frequency and on n alone, so the mean of a block costs what one position costs.
"""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.numeric.turns import Turns

_TERMS = range(1, 13)  # of a series of a sine
_LEAST_DIVISOR = 0.5  # n·sin(ω/2), below which a difference of amplitudes loses its digits
_FEWEST_DIGITS = 1e-12  # difference of two amplitudes that has three digits
_HALF_TURN = np.int64(-(2**63))  # 2^63 units of 2^-64 turn, wrapped around


def amplitudes(turns: Turns, block: int) -> Floats:
    """Return the signed length of the mean of each wave over `block` consecutive positions.

    It loses no digits where ω, or nω, is close to 0 or to a whole turn, and is rounded once
    where it is close to 1.

    Parameters
    ----------
    turns : Turns
        The frequencies of m waves.
    block : int
        Positions in a block, 1 or more.

    Returns
    -------
    (m,) float64
        From -1 to 1; times exp(iω·centre), it is the mean of exp(iωp).
    """
    units = turns.high.astype(np.float64) + turns.low
    half = units * 2.0**-64  # turns, -1/2 to 1/2
    flip = np.abs(half) > 0.25
    rest = (_HALF_TURN - turns.high).astype(np.float64) - turns.low
    near = np.where(flip, rest * 2.0**-64, half)  # 1/2 - half has the same sine, but is near 0
    with np.errstate(divide="ignore", invalid="ignore"):
        sines = turns.phasors(np.array([block]))[0].imag
        many = sines / (block * np.sin(2 * np.pi * near))
    is_few = np.abs(near) * block <= 0.25
    few = 1 - _few_losses(np.where(is_few, 2 * np.pi * near, 0.0), block)
    if block % 2 == 0:
        few[flip] *= -1.0  # sin(nπ - nx) = -sin(nx) for even n, sin(nx) for odd n
    return np.where(is_few, few, many)


def losses(turns: Turns, block: int) -> Floats:
    """Return 1 - `amplitudes`, shape (m,), with all digits where that is close to 0."""
    half = turns.frequencies / 2
    few = np.abs(half) * block < math.pi / 2
    found = _few_losses(np.where(few, half, 0.0), block)
    return np.where(few, found, 1 - amplitudes(turns, block))


def differences(waves: Turns, others: Turns, halves: Turns, middles: Turns, block: int) -> Floats:
    """Return the `amplitudes` of waves minus those of others, shape (m,), where these are close.

    Where n positions take less than half a turn, this is made of the terms of a series; else of
    the differences of the two sines in the amplitude, which are products. It is nan where the
    frequency is so close to whole turns that rounding decides.

    `halves` are half the differences of their frequencies, and `middles` the means.
    """
    amplitude, other = amplitudes(waves, block), amplitudes(others, block)
    x, y = waves.frequencies / 2, others.frequencies / 2
    few = np.maximum(np.abs(x), np.abs(y)) * block < math.pi / 2
    squares = halves.frequencies * middles.frequencies  # x² - y²
    x, y, squares = (np.where(few, numbers, 0.0) for numbers in (x, y, squares))
    one, of_block = _sinc_difference(x, y, squares, 1), _sinc_difference(x, y, squares, block)
    by_series = (1 - _sinc_loss(y * block)) * one - of_block * (1 - _sinc_loss(y))
    by_series /= (1 - _sinc_loss(x)) * (1 - _sinc_loss(y))
    steps = np.array([block, 1])
    of_sines, of_one = 2 * middles.phasors(steps).real * halves.phasors(steps).imag
    divisor = block * waves.phasors(steps)[1].imag
    with np.errstate(divide="ignore", invalid="ignore"):
        by_products = (of_sines - other * block * of_one) / divisor
    direct = amplitude - other
    lost = (np.abs(direct) < _FEWEST_DIGITS) & (halves.frequencies != 0)
    direct[lost] = np.nan
    found = np.where(np.abs(divisor) < _LEAST_DIVISOR, direct, by_products)
    return np.where(few, by_series, found)


def _few_losses(half: Floats, block: int) -> Floats:
    """Return `losses` from half frequencies, where a block takes less than half a turn."""
    loss_of_one = _sinc_loss(half)
    loss_of_block = _sinc_loss(block * half)
    return (loss_of_block - loss_of_one) / (1 - loss_of_one)


def _sinc_loss(x: Floats) -> Floats:
    """Return 1 - sin(x)/x for |x| < π/2, by its series."""
    square = x * x
    loss = np.zeros_like(x)
    for k in reversed(_TERMS):
        loss = square / (2 * k * (2 * k + 1)) * (1 - loss)
    return loss


def _sinc_difference(x: Floats, y: Floats, squares: Floats, n: int) -> Floats:
    """Return `_sinc_loss(n·x) - _sinc_loss(n·y)`, from x² - y²."""
    u, v = np.square(n * x), np.square(n * y)
    difference = np.zeros_like(x)
    power, sums, factor = np.ones_like(v), np.ones_like(u), 1.0
    for k in _TERMS:
        factor /= -2 * k * (2 * k + 1)
        difference -= factor * sums
        power = power * v
        sums = u * sums + power
    return n * n * squares * difference
