"""Frequencies as exact fractions of a turn, and exact phases at any position.

A frequency is stored as a fraction of a turn per position, in fixed point with 256 bits (`Turns`).
A phase is then a product of integers modulo 2^64, where 2^64 units are one turn. The reduction to
one turn is therefore exact, whereas a float64 implementation loses digits at large positions.

A phase has 64 bits after the point, which are too few for the sine of a small angle, because the
error would be large relative to the sine. Unreduced angles below 1 rad are therefore computed in
double-double arithmetic and rounded once.

Phases are counted in *half-steps*, two per position, because the centre of a block of positions can
lie halfway between two positions.
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
from pe_explorer.caching import cache_results
from pe_explorer.numeric.phasors import (
    TWO_PI,
    DoubleDouble,
    compute_phasors,
    compute_product_error,
    compute_radians,
)
from pe_explorer.numeric.positions import Positions

if TYPE_CHECKING:
    from fractions import Fraction

DECIMAL_DIGITS = 90  # number of decimal digits for computing frequencies
_BITS = 256  # number of fractional bits in the fixed-point format
ONE_TURN = 1 << _BITS  # one turn in fixed point
_FIXED_BYTES = 48  # size of a fixed-point number in bytes, including sign and whole turns
_TILE_WAVES = 256  # number of waves to compute together, so that they fit into the CPU cache
_MAX_SMALL_ANGLE = 1.0  # limit in radians, below which sines have full relative precision
_MIN_ACCURATE_SINE = 1e-2  # minimum sine computed from a phase; smaller sines need more bits
_WAVE_BYTES = 208  # size of a cached wave in bytes, without its multiples
_MAX_CACHED_ROWS = 128  # maximum number of cached multiples per wave; lower if there are many waves
_MAX_MULTIPLES_BYTES = 2**23  # maximum size in bytes of an encoding's cached multiples
_MAX_CACHE_BYTES = 2**26  # maximum total size in bytes of the cached frequencies of all encodings

_TWO_PI_NUMERATOR, _TWO_PI_DENOMINATOR = TWO_PI.as_integer_ratio()
_TWO_PI_FIXED = (_TWO_PI_NUMERATOR << _BITS) // _TWO_PI_DENOMINATOR

HalfSteps = npt.NDArray[Any]
"""Half-steps as int64, as float64, or as the records that `to_half_steps` returns."""

_Multiples = dict[tuple[int, int, int], tuple[Phasors, Phasors]]
_HALF_STEP_RECORD = np.dtype([("whole", np.int64), ("remainder", np.float64)])


@dataclass(frozen=True)
class Turns:
    """Frequencies of m waves as exact fractions of a turn per position.

    If `fixed` has too few digits, `radians` contains the frequencies in radians per
    position and their rounding errors; otherwise `radians` is None.
    """

    fixed: Sequence[int]  # turns per position in fixed point, with 256 bits after the point
    high: Ints  # rounded fraction of a turn per half-step, in units of 2^-64 turn
    low: Floats  # rounding errors of `high` in the same units, |low| <= 1/2
    radians: DoubleDouble | None = None
    cache_row_limit: int = _MAX_CACHED_ROWS  # maximum number of multiples to cache per wave
    _multiples: _Multiples = field(default_factory=dict, init=False, repr=False)

    __eq__, __hash__ = object.__eq__, object.__hash__  # the generated methods fail for arrays

    @classmethod
    def from_fixed(cls, fixed: Sequence[int], radians: DoubleDouble | None = None) -> Turns:
        """Create an instance from turns per position in fixed point."""
        numbers = [turns.to_bytes(_FIXED_BYTES, "little", signed=True) for turns in fixed]
        words = np.frombuffer(b"".join(numbers), dtype="<u8").astype(np.uint64)
        words = words.reshape(-1, _FIXED_BYTES // 8).T  # least significant words first
        lower_word, middle_word, upper_word = words[_BITS // 64 - 2 : _BITS // 64 + 1]
        # Shift by one bit to convert turns per position to turns per half-step.
        one_shift, top_shift = np.uint64(1), np.uint64(63)
        remainder = (middle_word << top_shift) | (lower_word >> one_shift)
        high = ((upper_word << top_shift) | (middle_word >> one_shift)) + (remainder >> top_shift)
        low = remainder.view(np.int64) * 2.0**-64
        return cls(fixed, high.view(np.int64), low, radians)

    def __len__(self) -> int:
        return len(self.high)

    @property
    def frequencies(self) -> Floats:
        """Radians per position, shape (m,), each rounded once."""
        return self.radians_with_error[0]

    @cached_property
    def radians_with_error(self) -> DoubleDouble:
        """Radians per position and their rounding errors, shape (m,) each."""
        if self.radians is not None:
            return self.radians
        bits = [abs(turns).bit_length() for turns in self.fixed]
        if min(bits, default=0) < _BITS - 56 or max(bits, default=0) >= _BITS - 1:
            # For very small or large frequencies, `high` and `low` have too few bits.
            products = [turns * _TWO_PI_FIXED for turns in self.fixed]
            radians = [product / (ONE_TURN * ONE_TURN) for product in products]
            errors = [
                (product - int(math.ldexp(angle, 2 * _BITS))) / (ONE_TURN * ONE_TURN)
                for product, angle in zip(products, radians, strict=True)
            ]
            return np.array(radians), np.array(errors)
        return compute_radians(self.high, self.low)

    @property
    def nbytes(self) -> int:
        """The maximum size of the frequencies and their cached multiples in bytes."""
        return len(self) * (_WAVE_BYTES + 16 * self._max_cached_rows)

    @cached_property
    def tiles(self) -> list[tuple[slice, Turns]]:
        """The frequencies in groups that fit into the CPU cache, each with a slice of waves."""
        count = len(self)
        starts = range(0, count, _TILE_WAVES)
        slices = [slice(start, min(start + _TILE_WAVES, count)) for start in starts]
        return [(waves, self.part(waves, self._max_cached_rows)) for waves in slices]

    def part(self, waves: slice | Sequence[int], cache_row_limit: int = _MAX_CACHED_ROWS) -> Turns:
        """Return the frequencies of the selected waves."""
        if isinstance(waves, slice):
            fixed = self.fixed[waves]
        else:
            fixed, waves = [self.fixed[wave] for wave in waves], list(waves)
        radians = self.radians and (self.radians[0][waves], self.radians[1][waves])
        return Turns(fixed, self.high[waves], self.low[waves], radians, cache_row_limit)

    def turn(self, wave: int, position: int | Fraction, phase: int = 0) -> tuple[int, float]:
        """Return the whole turns and the fraction of a turn that a wave makes up to a position.

        The number of whole turns, rounded down, is exact. The fraction, from 0 to 1, is rounded
        once. `phase` is the phase at position 0, in fixed point.
        """
        product = math.floor(position * self.fixed[wave]) + phase
        whole = product >> _BITS
        return whole, (product - (whole << _BITS)) / ONE_TURN

    def phases(self, half_steps: Ints) -> Ints:
        """Return phases in units of 2^-64 turn, modulo whole turns, shape (n, m).

        The error is a few units for |half_steps| <= 2^56.
        """
        steps = half_steps[:, None]
        low = steps.astype(np.float64) * self.low
        return steps * self.high + np.rint(low).astype(np.int64)

    def phasors(self, half_steps: HalfSteps) -> Phasors:
        """Return exp(iωp), shape (n, m), computed from exact phases for |half_steps| <= 2^56.

        The absolute error of each part is at most 1e-16; sines of angles below 1 rad have a
        relative error of at most 4e-16. Phases at fractional half-steps are also exact.
        """
        whole, remainder = _separate_remainders(half_steps)
        phases = self.phases(whole)
        if remainder is not None:
            t = remainder[:, None]
            frequencies, errors = self._turns_per_half_step
            product = t * frequencies
            error = compute_product_error(t, frequencies, product) + t * errors
            turns = (product - np.rint(product)) + error
            phases += (turns * 2.0**62).astype(np.int64) << np.int64(2)
        phasors = compute_phasors(phases)
        is_small, sines = self.find_small_sines(half_steps)
        phasors.imag[is_small] = sines
        return phasors

    def angles(self, half_steps: HalfSteps) -> Floats:
        """Return angles in radians including whole turns, shape (n, m), each rounded once."""
        whole, fraction = _separate_remainders(half_steps)
        steps = whole.astype(np.float64)
        remainder = (whole - steps.astype(np.int64)).astype(np.float64)
        if fraction is not None:
            sums = steps + fraction
            remainder += fraction - (sums - steps)
            steps = sums
        steps, remainder = steps[:, None], remainder[:, None]
        frequencies, frequency_errors = (part / 2 for part in self.radians_with_error)
        product = steps * frequencies
        error = compute_product_error(steps, frequencies, product) + steps * frequency_errors
        if remainder.any():
            error += remainder * frequencies
        return product + error

    def find_small_sines(self, half_steps: HalfSteps) -> tuple[Bools, Floats]:
        """Return a mask of the angles below 1 rad (including whole turns), and their sines.

        The mask has the shape (n, m). The sines are a flat array in the order of the True values,
        with a relative error of at most 3e-16.
        """
        angles = self.angles(half_steps)
        is_small = np.abs(angles) < _MAX_SMALL_ANGLE
        return is_small, np.sin(angles[is_small])

    def compute_precise_phasors(self, half_steps: Ints | npt.NDArray[np.object_]) -> Phasors:
        """Return `phasors` with both parts accurate to a few ulp, even close to 0.

        Parts that are close to 0 after many turns are computed with Python integers.
        """
        is_whole = half_steps.dtype.kind == "i"
        float_steps: HalfSteps = half_steps if is_whole else half_steps.astype(np.float64)
        phasors = self.phasors(float_steps)
        is_small, _ = self.find_small_sines(float_steps)
        steps = half_steps.tolist()
        for part, quarter_turns in ((phasors.imag, 0), (phasors.real, 1)):
            is_inaccurate = ~is_small
            if is_whole:
                is_inaccurate &= np.abs(part) < _MIN_ACCURATE_SINE
            for row, wave in np.argwhere(is_inaccurate).tolist():
                part[row, wave] = self._compute_sine(steps[row], wave, quarter_turns)
        return phasors

    def multiples(self, step: int, b: int, a: int) -> tuple[Phasors, Phasors]:
        """Return b fine and a coarse phasors, shapes (b, m) and (a, m).

        The fine phasors belong to consecutive multiples of `step`, starting at -(b//2). The
        coarse phasors belong to consecutive multiples of b·step, starting at 0. The latest
        result is cached unless it is too large, because streams and moving views need the same
        multiples repeatedly.
        """
        key = (step, b, a)
        if multiples := self._multiples.get(key):
            return multiples
        phasors = self.phasors(step * np.concatenate([np.arange(b) - b // 2, b * np.arange(a)]))
        fine_phasors, coarse_phasors = phasors[:b], phasors[b:]
        self._multiples.clear()
        if a + b <= self.cache_row_limit:
            self._multiples[key] = fine_phasors, coarse_phasors
        return fine_phasors, coarse_phasors

    @property
    def _max_cached_rows(self) -> int:
        row_bytes = 16 * max(1, len(self))
        return min(self.cache_row_limit, _MAX_MULTIPLES_BYTES // row_bytes)

    @cached_property
    def _turns_per_half_step(self) -> tuple[Floats, Floats]:
        frequencies, errors = [], []
        for turns in self.fixed:
            frequencies.append(turns / (2 * ONE_TURN))
            error = turns - int(math.ldexp(frequencies[-1], _BITS + 1))
            errors.append(error / (2 * ONE_TURN))
        return np.array(frequencies), np.array(errors)

    def _compute_sine(self, half_steps: int | Fraction, wave: int, quarter_turns: int) -> float:
        numerator, denominator = half_steps.as_integer_ratio()
        half, quarter_turn = ONE_TURN // 2, ONE_TURN // 4
        product = numerator * self.fixed[wave]
        turns = product // (2 * denominator) + quarter_turns * quarter_turn
        half_turns = (turns + quarter_turn) // half
        remainder = turns - half_turns * half
        angle = 2 * math.pi * (remainder / ONE_TURN)
        sine = math.sin(angle)
        return -sine if half_turns % 2 else sine


def multiply(turns: Turns, ratios: Iterable[tuple[int, int]]) -> Turns:
    """Return frequencies multiplied by ratios, each a numerator and a denominator."""
    pairs = zip(turns.fixed, ratios, strict=True)
    return Turns.from_fixed([fixed * ratio[0] // ratio[1] for fixed, ratio in pairs])


@cache_results(_MAX_CACHE_BYTES)
def make_geometric_turns(
    base: float | Decimal, numerator: int, denominator: int, count: int, scale: float = 1.0
) -> Turns:
    """Return the frequencies scale·base^(-i·numerator/denominator) for i = 0 to count - 1.

    The base is above 0; the scale is the first frequency in radians per position. The result is
    cached because schemes that differ only in layout have equal frequencies. In fixed point,
    frequencies with a small scale would have few significant bits. If the scale is below 1/2, they
    are therefore computed for a larger scale and then divided.
    """
    places = max(0, -math.frexp(scale)[1])
    with localcontext() as context:
        context.prec = DECIMAL_DIGITS
        decimal_turn = Decimal(ONE_TURN)
        exponent = -Decimal(base).ln() * numerator / denominator
        ratio = int(exponent.exp() * decimal_turn)
        turns = int(Decimal(math.ldexp(scale, places)) / TWO_PI * decimal_turn)
    fixed = []
    for _ in range(count):
        fixed.append(turns)
        turns = turns * ratio >> _BITS
    if not places:
        return Turns.from_fixed(fixed)
    radians, errors = Turns.from_fixed(fixed).radians_with_error
    radians_with_error = np.ldexp(radians, -places), np.ldexp(errors, -places)
    return Turns.from_fixed([turns >> places for turns in fixed], radians_with_error)


def to_half_steps(positions: Positions, origin: int) -> range | HalfSteps:
    """Return the half-steps of positions, after adding the origin to each position.

    Fractional positions become records of whole half-steps and remainders, because float64 cannot
    represent the sum of both exactly.
    """
    if isinstance(positions, range):
        first, end = positions.start + origin, positions.stop + origin
        return range(2 * first, 2 * end, 2 * positions.step)
    if positions.dtype.kind == "i":
        return 2 * (positions + origin)
    return _split(2 * positions, 2 * origin)


def _split(half_steps: HalfSteps, offset: int) -> HalfSteps:
    whole = np.rint(half_steps)
    records: HalfSteps = np.empty(len(half_steps), dtype=_HALF_STEP_RECORD)
    records["whole"] = whole.astype(np.int64) + offset
    records["remainder"] = half_steps - whole
    return records


def _separate_remainders(half_steps: HalfSteps) -> tuple[Ints, Floats | None]:
    """Return the nearest integers and the remainders, which are None for an int array."""
    if half_steps.dtype.kind == "i":
        return half_steps.astype(np.int64, copy=False), None
    if half_steps.dtype.kind == "f":
        half_steps = _split(half_steps, 0)
    return half_steps["whole"], half_steps["remainder"]
