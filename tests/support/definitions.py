"""What every encoding is by definition, to 80 digits; and what waves and rotations have in common.

Written from the definitions and shared with no code of ours. A scheme's own class `Definition`
stands in `tests/encodings/test_NAME.py`, where `tests.support.oracles` finds it.
"""

import itertools
import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import mpmath
import numpy as np

mp = mpmath.mp.clone()  # a context of its own: nobody else changes its precision
mp.dps = 80  # angles reach 2^54·10^6, which takes 23 of them
LIMIT = 2**53
FAR = [0, 1, -1, -2, 7, 8, -64, 4096, 999_983, 10**9 + 7, -(10**12) - 11, 10**15 + 37]
FAR += [2**52 - 1, -(2**52), LIMIT - 1, LIMIT, -LIMIT]
REMEMBERED = 1 << 13  # numbers with many digits


class Definition:
    """One encoding by its definition; `e` is only asked for its parameters."""

    called: str
    row, column, columns = "position", "dimension", "dimensions"
    abilities = frozenset()
    """Which needs it meets, by the names in `encodings.needs`."""
    sets = ()
    """Parameters worth testing in addition to usual values and their comfortable ends."""
    refused = ()
    """Parameters that there cannot be, and words of the sentence that says so, its name first."""
    near: ClassVar = {"dim": [1, 2, 3, 4, 7]}
    """Values near which a number may lose its effect, by the name of the parameter."""
    doubtful = frozenset()
    """Parameters that may, by rounding, change nothing at the few values that a test tries."""
    step = None
    """By how much every number grows from row to row, where it does so by the same everywhere."""
    table_rows = None
    """Rows of the file that it is read from."""
    count = pairs = 0
    """Its waves, and how many of them have both their sine and their cosine."""

    def __init__(self, e):
        self.e = e

    @property
    def width(self):
        return self.e.dim

    @property
    def moved(self):
        """Return how many numbers of a row, or channels of a head, a shift moves."""
        return self.width

    @property
    def domain(self):
        return range(-LIMIT, LIMIT + 1)

    def element(self, p, j):
        """Return the number in row `p` and column `j`."""
        raise NotImplementedError

    def block_mean(self, start, block, j):
        """Return the mean of column `j` over `block` rows from `start` on."""
        return sum(self.element(p, j) for p in range(start, start + block)) / block

    def rows(self, positions):
        numbers = [[float(self.element(p, j)) for j in range(self.width)] for p in positions]
        return np.array(numbers).reshape(len(positions), self.width)

    def title(self, j):
        return str(j)

    def angle(self, p, j):
        """Return the angle whose sine or cosine a number is, None where it is neither."""
        return

    def wavelengths(self):
        """Return the positions per turn of the pairs, or else of the lone waves."""
        found = [self.frequency(i) for i in range(self.pairs or self.count)]
        return [float(2 * mp.pi / abs(w)) if w else math.inf for w in found]

    def longest_period(self):
        return max(self.wavelengths(), default=None)

    def slopes(self):
        raise KeyError

    def symbols(self, p, j):
        return {"p": p}

    def said(self, line, p, j):
        """Return the number that a line of its explanation names in words."""
        raise AssertionError(f"the class Definition of {self.e.name} does not know: {line}")

    def reading(self, p, j):
        """Return the numbers shown for one value of the table, by their names."""
        return {"Value": self.element(p, j)}


class Waves(Definition):
    """Sines and cosines: a scheme says which `wave` a column has and what its `frequency` is."""

    abilities = frozenset({"waves", "steady", "pairs", "float32_angles"})
    origin = 0
    amplitude = 1

    def frequency(self, i):
        """Return the radians per position of one wave, the fastest first."""
        raise NotImplementedError

    def frequencies(self):
        return [self.frequency(i) for i in range(self.count)]

    def wave(self, j):
        """Return the number of a column's wave and whether it is the sine; None without one."""
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
        """Return the mean as the sum of a geometric series of exp(iω)."""
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
    """Cosines, then sines, of the angles that pairs of channels are turned by."""

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
    """Return the cosine and the sine of an angle, as one column is one and another the other."""
    return mp.cos_sin(angle)


def as_mp(number, context=mp):
    """Return a number as one of mpmath, fractions included."""
    if isinstance(number, Fraction):
        return context.mpf(number.numerator) / number.denominator
    return context.mpf(number)


# -- what the program writes -----------------------------------------------------------------------

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:°)?")
FUNCTIONS = {name: getattr(mp, name) for name in ("sin", "cos", "exp", "log", "sqrt", "floor")}
FUNCTIONS |= {"abs": abs, "__builtins__": {}}


def worked_out(formula, symbols):
    """Return the number of a formula as it is written, and by how much it may be off.

    It may differ in the digits that its numbers omit: beyond the last place of those of degrees
    and of a number alone, beyond six digits of others. Raises `NameError` or `SyntaxError` where
    it has words that are no mathematics.
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
    """Return the least that is rounded to some digits, what they say, and the most."""
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
