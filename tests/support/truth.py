"""What the encodings are, to 80 digits.

Written from the definitions and shared with no code of ours.

`e` is only asked for its name and its parameters, the input. Values are mpmath numbers for
sinusoids and fractions for the naive encodings, so both are as good as exact.
"""

import cmath
import math
from fractions import Fraction
from functools import cache

import mpmath

mp = mpmath.mp.clone()  # a context of its own: nobody else changes its precision
mp.dps = 80  # angles reach 2^54·10^6, which takes 23 of them


def knows(e):
    """Return whether the definition of a scheme is written here; others have a test of their
    own.
    """
    return e.name in _ELEMENTS


def element(e, p, j):
    """Return the encoding of position `p` in dimension `j`."""
    return _ELEMENTS[e.name](e, p, j)


def block_mean(e, start, block, j):
    """Return the mean of dimension `j` over `block` positions from `start` on."""
    return _BLOCK_MEANS[e.name](e, start, block, j)


def error(e, positions, rows, columns):
    """Return the largest error of e.table(positions), looked for in some rows and columns."""
    table = e.table(positions)
    return max(_difference(table[i, j], element(e, positions[i], j)) for i in rows for j in columns)


def block_mean_error(e, start, block, rows, columns):
    """Return the largest error of e.block_means(start, block, rows), looked for in some columns."""
    means = e.block_means(start, block, rows)
    return max(
        _difference(means[i, j], block_mean(e, start + i * block, block, j))
        for i in range(rows)
        for j in columns
    )


def some(count):
    """Return indices below `count` to look at: both ends, and around the middle and the first
    tile.
    """
    return sorted(
        {0, 1, 2, 3, count // 2 - 1, count // 2, count // 2 + 1, 511, 512, count - 2, count - 1}
        & set(range(count))
    )


def wave(e, j):
    """Return (whether dimension j is a sine, x) for a frequency scale·base^-x; None for a column of
    zeros.
    """
    if e.waves != "both":
        return e.waves == "sine", Fraction(j, e.dim)
    pairs = e.dim // 2
    firsts = pairs if e.spacing == "endpoint" else e.dim - pairs
    if e.layout == "interleaved":
        i, second = divmod(j, 2)
    else:
        i, second = (j, 0) if j < firsts else (j - firsts, 1)
    if i >= (pairs if second else firsts):
        return None
    exponent = Fraction(i, max(pairs - 1, 1)) if e.spacing == "endpoint" else Fraction(2 * i, e.dim)
    return (e.order == "sin-cos") != second, exponent


@cache
def frequency(base, scale, exponent):
    """Return scale·base^-exponent."""
    return mp.mpf(scale) * mp.mpf(base) ** -(mp.mpf(exponent.numerator) / exponent.denominator)


def mean_turned(e, less, start, block, j):
    """Return the mean of exp(i·(angle - angle of `less`)) of dimension j, one position after the
    other; None without waves.
    """
    both = [
        (frequency(x.base, x.scale, wave(x, j)[1]), x.offset)
        for x in (e, less)
        if x.name == "sinusoidal" and wave(x, j)
    ]
    if len(both) < 2:
        return None
    (v, offset), (w, other) = both
    angles = (v * (p + offset) - w * (p + other) for p in range(start, start + block))
    phasors = [cmath.exp(1j * float(mp.fmod(angle, 2 * mp.pi))) for angle in angles]
    return complex(math.fsum(z.real for z in phasors), math.fsum(z.imag for z in phasors)) / block


def _sinusoid(e, p, j):
    if (found := wave(e, j)) is None:
        return mp.mpf(0)
    angle = frequency(e.base, e.scale, found[1]) * (mp.mpf(p) + e.offset)
    return mp.sin(angle) if found[0] else mp.cos(angle)


def _sinusoid_mean(e, start, block, j):
    """Return the mean as the sum of a geometric series of exp(iω)."""
    if (found := wave(e, j)) is None:
        return mp.mpf(0)
    w = frequency(e.base, e.scale, found[1])
    mean = mp.expj(w * (start + e.offset))
    if w:
        mean *= (1 - mp.expj(w * block)) / (1 - mp.expj(w)) / block
    return mean.imag if found[0] else mean.real


def _bit_mean(e, start, block, j):
    """Return the mean of bit j, which is floor(p/2^j) - 2·floor(p/2^(j+1))."""

    def floors(stop, divisor):  # the sum of floor(p/divisor) over 0 <= p < stop
        q, r = divmod(stop, divisor)
        return divisor * q * (q - 1) // 2 + q * r

    def ones(stop):
        return floors(stop, 1 << j) - 2 * floors(stop, 2 << j)

    return Fraction(ones(start + block) - ones(start), block)


_ELEMENTS = {
    "sinusoidal": _sinusoid,
    "index": lambda e, p, j: Fraction(p),
    "fraction": lambda e, p, j: Fraction(p) / e.length,
    "binary": lambda e, p, j: Fraction(math.floor(p) >> j & 1),
}
_BLOCK_MEANS = {
    "sinusoidal": _sinusoid_mean,
    "index": lambda e, start, block, j: Fraction(2 * start + block - 1, 2),
    "fraction": lambda e, start, block, j: Fraction(2 * start + block - 1, 2 * e.length),
    "binary": _bit_mean,
}


def _difference(value, exact):
    """Return |value - exact|, for values beyond ±1 relative to their size."""
    if not math.isfinite(value):
        return math.inf  # nan would get lost in max()
    if isinstance(exact, Fraction):
        return float(abs(Fraction(float(value)) - exact) / max(1, abs(exact)))
    return float(abs(mp.mpf(float(value)) - exact))
