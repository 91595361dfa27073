"""Frequencies as exact fractions of a turn, and exact phases at any position.

A frequency is kept as a fraction of a turn per position, in fixed point with 256 bits
(`Turns`). A phase is then a product of integers that wraps around modulo 2^64, and one
wrap *is* one turn: the reduction that costs a float64 implementation its digits at large
positions happens by itself and without error. The phase keeps 64 bits after the turn.
These are too few for the sine of a small angle, which needs its digits relative to itself. An
angle below 1 rad, before any reduction, is therefore a product of float64 numbers in pairs,
rounded once.

Phases are counted in *half-steps*, two to a position, because the centre of a block of
positions lies on a whole or a half position.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.caching import cached
from pe_explorer.numeric.phasors import TWO_PI, Pair, phasors_of, product_error, radians_of
from pe_explorer.numeric.positions import Positions

if TYPE_CHECKING:
    from fractions import Fraction

DIGITS = 90
"""Decimal digits in which frequencies are computed."""
_BITS = 256  # bits of a fraction of a turn in fixed point
ONE_TURN = 1 << _BITS
"""A whole turn in fixed point."""
_FIXED_BYTES = 48  # bytes of a number in fixed point, with its sign and whole turns
_TILE_WAVES = 256  # waves that are computed together, few enough for the cache
_SMALL_ANGLE = 1.0  # radians up to which sines are right relative to themselves
_EXACT_BELOW = 1e-2  # sines below it would show the last bit of the phase in float64
_WAVE_BYTES = 208  # cached bytes of a wave besides its multiples: two integers and some numbers
_KEPT_ROWS = 128  # cached multiples of a wave, unless there are many waves
_KEPT_BYTES = 2**23  # cached bytes of the multiples of one encoding
_CACHED_BYTES = 2**26  # cached bytes of the frequencies of all encodings

_NUMERATOR, _DENOMINATOR = TWO_PI.as_integer_ratio()
_TWO_PI_FIXED = (_NUMERATOR << _BITS) // _DENOMINATOR

HalfSteps = npt.NDArray[Any]
"""Half-steps: whole ones, or fractions, or records of `half_steps_of`."""

_Multiples = dict[tuple[int, int, int], tuple[Phasors, Phasors]]
_PARTS = np.dtype([("whole", np.int64), ("rest", np.float64)])  # of half-steps


@dataclass(frozen=True)
class Turns:
    """Frequencies of `m` waves as exact fractions of a turn per position.

    `radians` are radians per position and what rounding took from them, where `fixed` has too few
    digits.
    """

    fixed: Sequence[int]  # turns per position in fixed point, with 256 bits after the point
    high: Ints  # half of each in units of 2^-64 turn, whole turns dropped, rounded to the nearest
    low: Floats  # the rest of each, |low| <= 1/2, in the same units
    radians: Pair | None = None
    kept_rows: int = _KEPT_ROWS  # multiples of one wave that may be kept, to rotate by
    _kept: _Multiples = field(default_factory=dict, init=False, repr=False)

    __eq__, __hash__ = object.__eq__, object.__hash__  # arrays are equal element by element

    @classmethod
    def from_fixed(cls, fixed: Sequence[int], radians: Pair | None = None) -> Turns:
        """Return the frequencies of turns per position in fixed point."""
        numbers = [turns.to_bytes(_FIXED_BYTES, "little", signed=True) for turns in fixed]
        joined = b"".join(numbers)
        words = np.frombuffer(joined, dtype="<u8").astype(np.uint64)
        words = words.reshape(-1, _FIXED_BYTES // 8).T  # the least significant words first
        point = _BITS // 64
        upper = words[point]
        middle = words[point - 1]
        lower = words[point - 2]
        # One bit to the right: from turns per position to turns per half-step.
        one = np.uint64(1)
        rest = np.uint64(63)
        below = (middle << rest) | (lower >> one)
        high = ((upper << rest) | (middle >> one)) + (below >> rest)
        low = below.view(np.int64) * 2.0**-64
        return cls(fixed, high.view(np.int64), low, radians)

    def __len__(self) -> int:
        return len(self.high)

    @property
    def frequencies(self) -> Floats:
        """Radians per position, shape (m,), each rounded once."""
        return self.radians_and_rest[0]

    @cached_property
    def radians_and_rest(self) -> Pair:
        """Radians per position, and what rounding took from them: shape (m,) each."""
        if self.radians is not None:
            return self.radians
        bits = [abs(turns).bit_length() for turns in self.fixed]
        if min(bits, default=0) < _BITS - 56 or max(bits, default=0) >= _BITS - 1:
            # More than `high` and `low` hold of them.
            exact = [turns * _TWO_PI_FIXED for turns in self.fixed]
            rounded = [product / (ONE_TURN * ONE_TURN) for product in exact]
            rests = [
                (product - int(math.ldexp(angle, 2 * _BITS))) / (ONE_TURN * ONE_TURN)
                for product, angle in zip(exact, rounded, strict=True)
            ]
            return np.array(rounded), np.array(rests)
        return radians_of(self.high, self.low)

    @property
    def nbytes(self) -> int:
        """The most bytes that the frequencies and all that is kept with them will ever take."""
        return len(self) * (_WAVE_BYTES + 16 * self._rows_to_keep)

    @cached_property
    def tiles(self) -> list[tuple[slice, Turns]]:
        """The frequencies in groups that are narrow enough for the cache."""
        count = len(self)
        tiles = []
        for start in range(0, count, _TILE_WAVES):
            waves = slice(start, min(start + _TILE_WAVES, count))
            tiles.append((waves, self.part(waves, self._rows_to_keep)))
        return tiles

    def part(self, waves: slice | Sequence[int], kept_rows: int = _KEPT_ROWS) -> Turns:
        """Return some of the frequencies."""
        if isinstance(waves, slice):
            fixed = self.fixed[waves]
        else:
            fixed, waves = [self.fixed[wave] for wave in waves], list(waves)
        radians = self.radians and (self.radians[0][waves], self.radians[1][waves])
        return Turns(fixed, self.high[waves], self.low[waves], radians, kept_rows)

    def turn(self, wave: int, position: int, phase: int = 0) -> tuple[int, float]:
        """Return the turns of one wave at a position: whole ones, and the fraction of one more.

        Whole ones are exact, rounded down; the fraction, from 0 to 1, is rounded once. `phase` is
        that at position 0, in fixed point as the frequencies.
        """
        product = position * self.fixed[wave] + phase
        whole = product >> _BITS
        return whole, (product - (whole << _BITS)) / ONE_TURN

    def phases(self, half_steps: Ints) -> Ints:
        """Return phases in units of 2^-64 turn, shape (n, m), modulo whole turns.

        Exact to a few units for |half_steps| <= 2^56.
        """
        steps = half_steps[:, None]
        rest = steps.astype(np.float64) * self.low
        return steps * self.high + np.rint(rest).astype(np.int64)

    def phasors(self, half_steps: HalfSteps) -> Phasors:
        """Return exp(iωp), shape (n, m), each from its own exact phase.

        Each part is within 1e-16, and the sine of an angle below 1 rad is right to 4e-16 of
        itself.

        Parameters
        ----------
        half_steps : (n,) int64 or float64, or records of `half_steps_of`
            Two to a position, magnitudes up to 2^56; fractions are exact, too.
        """
        whole, rest = _parts(half_steps)
        phases = self.phases(whole)
        if rest is not None:
            phases += self._fraction(rest)
        phasors = phasors_of(phases)
        small, sines = self.small_sines(half_steps)
        phasors.imag[small] = sines
        return phasors

    def angles(self, half_steps: HalfSteps) -> Floats:
        """Return angles in radians, whole turns included, shape (n, m), each rounded once."""
        whole, fraction = _parts(half_steps)
        steps = whole.astype(np.float64)
        rest = (whole - steps.astype(np.int64)).astype(np.float64)
        if fraction is not None:
            sums = steps + fraction
            rest += fraction - (sums - steps)
            steps = sums
        steps, rest = steps[:, None], rest[:, None]
        frequencies, lost = (part / 2 for part in self.radians_and_rest)
        about = steps * frequencies
        error = product_error(steps, frequencies, about) + steps * lost
        if rest.any():
            error += rest * frequencies
        return about + error

    def small_sines(self, half_steps: HalfSteps) -> tuple[Bools, Floats]:
        """Return which angles, whole turns included, are below 1 rad, (n, m), and their sines.

        These are as many as are small, and right to 3e-16 of themselves.
        """
        angles = self.angles(half_steps)
        small = np.abs(angles) < _SMALL_ANGLE
        return small, np.sin(angles[small])

    def precise_phasors(self, half_steps: Ints | npt.NDArray[np.object_]) -> Phasors:
        """Return `phasors` with either part right to a few ulp, however close to 0 it is.

        Parts that are close to 0 after many turns are made of long integers.

        Parameters
        ----------
        half_steps : (n,) int64, or object array of `Fraction`
        """
        is_whole = half_steps.dtype.kind == "i"
        rounded: HalfSteps = half_steps if is_whole else half_steps.astype(np.float64)
        phasors = self.phasors(rounded)
        small, _ = self.small_sines(rounded)
        steps = half_steps.tolist()
        for part, quarter_turns in ((phasors.imag, 0), (phasors.real, 1)):
            doubtful = ~small
            if is_whole:
                doubtful &= np.abs(part) < _EXACT_BELOW
            for row, wave in np.argwhere(doubtful).tolist():
                part[row, wave] = self._sine(steps[row], wave, quarter_turns)
        return phasors

    def multiples(self, step: int, b: int, a: int) -> tuple[Phasors, Phasors]:
        """Return the phasors of b multiples of `step`, from -b//2 on, and a of b·step, from 0.

        The latest are kept: a stream, or a view that moves, asks for the same again.

        Returns
        -------
        (b, m) and (a, m) complex128
        """
        key = (step, b, a)
        found = self._kept.get(key)
        if found is not None:
            return found
        both = self.phasors(step * np.concatenate([np.arange(b) - b // 2, b * np.arange(a)]))
        fine, coarse = both[:b], both[b:]
        self._kept.clear()
        if a + b <= self.kept_rows:
            self._kept[key] = fine, coarse
        return fine, coarse

    @property
    def _rows_to_keep(self) -> int:
        row_bytes = 16 * max(1, len(self))
        return min(self.kept_rows, _KEPT_BYTES // row_bytes)

    @cached_property
    def _per_half_step(self) -> tuple[Floats, Floats]:
        """Turns per half-step, whole turns kept, as double-double numbers."""
        whole, rest = [], []
        for turns in self.fixed:
            rounded = turns / (2 * ONE_TURN)
            left = turns - int(math.ldexp(rounded, _BITS + 1))
            whole.append(rounded)
            rest.append(left / (2 * ONE_TURN))
        return np.array(whole), np.array(rest)

    def _fraction(self, half_steps: Floats) -> Ints:
        """Return phases of fractions of a half-step, |half_steps| <= 1/2, shape (n, m)."""
        t = half_steps[:, None]
        whole, rest = self._per_half_step
        product = t * whole
        error = product_error(t, whole, product) + t * rest
        turns = (product - np.rint(product)) + error
        upper_bits = (turns * 2.0**62).astype(np.int64)
        return upper_bits << np.int64(2)

    def _sine(self, half_steps: int | Fraction, wave: int, quarter_turns: int) -> float:
        """Return the sine of a wave's angle plus quarter turns, from the nearest half turn."""
        numerator, denominator = half_steps.as_integer_ratio()
        half, quarter = ONE_TURN // 2, ONE_TURN // 4
        product = numerator * self.fixed[wave]
        turns = product // (2 * denominator) + quarter_turns * quarter
        half_turns = (turns + quarter) // half
        rest = turns - half_turns * half
        angle = 2 * math.pi * (rest / ONE_TURN)
        sine = math.sin(angle)
        return -sine if half_turns % 2 else sine


def multiply(turns: Turns, ratios: Iterable[tuple[int, int]]) -> Turns:
    """Return frequencies times a numerator and a denominator, a pair of them for each wave."""
    each = zip(turns.fixed, ratios, strict=True)
    return Turns.from_fixed([fixed * above // below for fixed, (above, below) in each])


@cached(_CACHED_BYTES)
def geometric_turns(
    base: float | Decimal, numerator: int, denominator: int, count: int, scale: float = 1.0
) -> Turns:
    """Return the frequencies scale·base^(-i·numerator/denominator), i = 0..count-1.

    Nearly every scheme's frequencies are such a progression; cached, because a change of layout
    or positions leaves them as they are. Those of a scale below 1/2 are made for a larger one
    and then divided: the digits of a tiny one lie behind the last bit of the fixed point.

    Parameters
    ----------
    base : float or Decimal
        Above 0; above 1 for frequencies that fall.
    numerator, denominator : int
        The ratio by which the exponent grows from one wave to the next.
    count : int
        Number of waves.
    scale : float
        The first frequency, in radians per position.
    """
    places = max(0, -math.frexp(scale)[1])
    with localcontext() as context:
        context.prec = DIGITS
        one = Decimal(ONE_TURN)
        exponent = -Decimal(base).ln() * numerator / denominator
        ratio = int(exponent.exp() * one)
        turns = int(Decimal(math.ldexp(scale, places)) / TWO_PI * one)
    enlarged = []
    for _ in range(count):
        enlarged.append(turns)
        turns = turns * ratio >> _BITS
    if not places:
        return Turns.from_fixed(enlarged)
    radians, rest = Turns.from_fixed(enlarged).radians_and_rest
    divided = np.ldexp(radians, -places), np.ldexp(rest, -places)
    return Turns.from_fixed([turns >> places for turns in enlarged], divided)


def half_steps_of(positions: Positions, origin: int) -> range | HalfSteps:
    """Return the half-steps of positions, the origin added to each.

    Fractional positions become records of whole half-steps and rests: no float64 holds the sum.
    """
    if isinstance(positions, range):
        first, end = positions.start + origin, positions.stop + origin
        return range(2 * first, 2 * end, 2 * positions.step)
    if positions.dtype.kind == "i":
        return 2 * (positions + origin)
    return _split(2 * positions, 2 * origin)


def _split(half_steps: HalfSteps, more: int) -> HalfSteps:
    """Return half-steps, and more of them, as records of whole ones and rests."""
    nearest = np.rint(half_steps)
    found: HalfSteps = np.empty(len(half_steps), dtype=_PARTS)
    found["whole"] = nearest.astype(np.int64) + more
    found["rest"] = half_steps - nearest
    return found


def _parts(half_steps: HalfSteps) -> tuple[Ints, Floats | None]:
    """Return the whole numbers next to half-steps, and the rests, None where there are none."""
    if half_steps.dtype.kind == "i":
        return half_steps.astype(np.int64, copy=False), None
    if half_steps.dtype.kind == "f":
        half_steps = _split(half_steps, 0)
    return half_steps["whole"], half_steps["rest"]
