"""Definitions of encodings, computed with 80 digits.

The definitions share no code with the program. The definition of a scheme is the class `Definition`
in `tests/encodings/test_NAME.py`, where `tests.support.oracles` finds it.
"""

import itertools
import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import mpmath
import numpy as np

mp = mpmath.mp.clone()  # a separate context, so that no other module changes its precision
mp.dps = 80  # angles up to 2^54·10^6 need 23 of these digits
LIMIT = 2**53
FAR = [0, 1, -1, -2, 7, 8, -64, 4096, 999_983, 10**9 + 7, -(10**12) - 11, 10**15 + 37]
FAR += [2**52 - 1, -(2**52), LIMIT - 1, LIMIT, -LIMIT]
REMEMBERED = 1 << 13  # maximum number of cached results


class Definition:
    """The definition of an encoding, which reads only the parameters of `e`."""

    called: str
    row, column, columns = "position", "dimension", "dimensions"
    abilities = frozenset()
    """The requirements that the encoding meets, by their names in `encodings.needs`."""
    sets = ()
    """Parameters to test in addition to usual values and the ends of sliders."""
    refused = ()
    """Illegal parameters, with words of the error message; the first word is the parameter."""
    near: ClassVar = {"dim": [1, 2, 3, 4, 7]}
    """Values near which a parameter may lose its effect, by the name of the parameter."""
    doubtful = frozenset()
    """Parameters that may change none of the values that a test computes, because of rounding."""
    step = None
    """The difference of every value from the value in the previous row, if this is constant."""
    table_rows = None
    """The number of rows in the file of the encoding."""
    count = pairs = 0
    """The number of waves, and of waves with both a sine and a cosine."""

    def __init__(self, e):
        self.e = e

    @property
    def width(self):
        return self.e.dim

    @property
    def moved(self):
        """The number of values of a row, or of channels of a head, that a shift changes."""
        return self.width

    @property
    def domain(self):
        return range(-LIMIT, LIMIT + 1)

    def element(self, p, j):
        """Return the value in row `p` and column `j`."""
        raise NotImplementedError

    def block_mean(self, start, block, j):
        """Return the mean of column `j` over `block` rows, starting at `start`."""
        return sum(self.element(p, j) for p in range(start, start + block)) / block

    def rows(self, positions):
        numbers = [[float(self.element(p, j)) for j in range(self.width)] for p in positions]
        return np.array(numbers).reshape(len(positions), self.width)

    def title(self, j):
        return str(j)

    def angle(self, p, j):
        """Return the angle of a sine or cosine; None for other values."""
        return

    def wavelengths(self):
        """Return the positions per turn of the pairs or, without pairs, of the single waves."""
        found = [self.frequency(i) for i in range(self.pairs or self.count)]
        return [float(2 * mp.pi / abs(w)) if w else math.inf for w in found]

    def longest_period(self):
        return max(self.wavelengths(), default=None)

    def slopes(self):
        raise KeyError

    def symbols(self, p, j):
        return {"p": p}

    def said(self, line, p, j):
        """Return the number that a line of the explanation describes in words."""
        raise AssertionError(f"the class Definition of {self.e.name} does not know: {line}")

    def reading(self, p, j):
        """Return the numbers that are shown for one value of the table, by name."""
        return {"Value": self.element(p, j)}


class Waves(Definition):
    """Sines and cosines; a scheme defines the `wave` of a column and its `frequency`."""

    abilities = frozenset({"waves", "steady", "pairs", "code_angles"})
    origin = 0
    amplitude = 1

    def frequency(self, i):
        """Return the radians per position of a wave; the first wave is the fastest."""
        raise NotImplementedError

    def frequencies(self):
        return [self.frequency(i) for i in range(self.count)]

    def wave(self, j):
        """Return the wave of a column and whether it is a sine; None for columns without a wave."""
        raise NotImplementedError

    def angle(self, p, j):
        found = self.wave(j)
        return found and self.frequency(found[0]) * (mp.mpf(p) + self.origin)

    def element(self, p, j):
        if (found := self.wave(j)) is None:
            return mp.mpf(0)
        cosine, sine = cos_sin(self.angle(p, j))
        return self.amplitude * (sine if found[1] else cosine)

    def block_mean(self, start, block, j):
        """Return the mean, computed as the sum of a geometric series of exp(iω)."""
        if (found := self.wave(j)) is None:
            return mp.mpf(0)
        w = self.frequency(found[0])
        mean = self.amplitude * mp.expj(w * (start + self.origin))
        if w:
            mean *= (1 - mp.expj(w * block)) / (1 - mp.expj(w)) / block
        return mean.imag if found[1] else mean.real

    def reading(self, p, j):
        if (found := self.wave(j)) is None:
            return super().reading(p, j)
        turns = self.angle(p, j) / (2 * mp.pi)
        part, w = turns - mp.floor(turns), self.frequency(found[0])
        return {
            **super().reading(p, j),
            "Angle": part * 360,
            "Part of a turn": part,
            "Whole turns": mp.floor(turns),
            "Wavelength in positions": 2 * mp.pi / abs(w) if w else mp.inf,
            "Frequency in rad per position": w,
            "Wave": found[0],
        }


class Rotary(Waves):
    """Cosines, followed by sines, of the angles by which pairs of channels are rotated."""

    abilities = Waves.abilities | {"rotary"}
    column, columns = "cosine or sine", "cosines and sines"

    @property
    def rotated(self):
        return self.e.head_dim

    @property
    def width(self):
        return 2 * self.rotated

    @property
    def moved(self):
        return self.e.head_dim

    @property
    def pairs(self):
        return self.rotated // 2

    @property
    def count(self):
        return self.pairs

    def wave(self, j):
        channel = j % self.rotated
        interleaved = self.e.layout == "interleaved"
        return channel // 2 if interleaved else channel % self.pairs, j >= self.rotated

    def title(self, j):
        pair, is_sine = self.wave(j)
        return f"{'sin' if is_sine else 'cos'} {pair}"


class Line(Definition):
    def element(self, p, j):
        return Fraction(p) * self.step

    def block_mean(self, start, block, j):
        return Fraction(2 * start + block - 1, 2) * self.step


@lru_cache(REMEMBERED)
def cos_sin(angle):
    """Return cosine and sine of an angle; both are cached, because columns share angles."""
    return mp.cos_sin(angle)


def as_mp(number, context=mp):
    """Return a number, which may be a fraction, as a number of mpmath."""
    if isinstance(number, Fraction):
        return context.mpf(number.numerator) / number.denominator
    return context.mpf(number)


NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:°)?")
FUNCTIONS = {name: getattr(mp, name) for name in ("sin", "cos", "exp", "log", "sqrt", "floor")}
FUNCTIONS |= {"abs": abs, "__builtins__": {}}


def worked_out(formula, symbols):
    """Return the value of a displayed formula, and the error that its omitted digits allow.

    Digits are omitted after the last decimal place of degrees and of a single number, and after six
    digits of other numbers. Raises `NameError` or `SyntaxError` if the text is not a formula.
    """
    formula, *given = formula.split(",  ")
    for name, stands_for in (each.split(" = ") for each in given):
        formula = formula.replace(name, f"({stands_for})")
    alone = NUMBER.fullmatch(formula.lstrip("+-")) is not None
    digits, places = NUMBER.findall(formula), itertools.count()
    spelled = NUMBER.sub(lambda _: f"n[{next(places)}]", formula)
    spelled = re.sub(r"\|(.+?)\|", r"abs(\1)", spelled).replace("·", "*").replace("^", "**")
    code = compile(spelled.replace(" mod ", " % ").strip(), formula, "eval")

    def at(numbers):
        return mp.mpf(eval(code, {**FUNCTIONS, **symbols, "n": numbers}))

    numbers = [_ends(each, alone)[1] for each in digits]
    found, off = at(numbers), mp.mpf(0)
    for place, each in enumerate(digits):
        ends = [[*numbers[:place], end, *numbers[place + 1 :]] for end in {*_ends(each, alone)}]
        off += max(abs(at(end) - found) for end in ends)
    return found, 1.5 * off + max(1, abs(found)) * mp.mpf(10) ** -11


def _ends(digits, alone):
    """Return the smallest number that rounds to some digits, their value, and the largest."""
    number, (mantissa, _, power) = mp.mpf(digits.rstrip("°")), digits.rstrip("°").partition("e")
    _, point, decimals = mantissa.partition(".")
    off, six_digits = mp.mpf(10) ** (int(power or 0) - len(decimals)) / 2, number / 200_000
    if digits.endswith("°"):
        number, off, six_digits = map(mp.radians, (number, off, six_digits))
    if not point and not power:
        off = six_digits if alone else 0
    elif not alone and not digits.endswith("°"):
        off = min(off, six_digits)
    return number - off, number, number + off
