"""The numeric heart: exact phases, filling by rotation, and means over blocks.

A frequency is kept as a fraction of a turn per position, in fixed point with 128 bits
(`Turns`). A phase is then a product of integers that wraps around modulo 2^64, and one
wrap *is* one turn: the reduction that costs a float64 implementation its digits at large
positions happens by itself and without error. The phase keeps 64 bits after the turn.

Sines are taken only of a few such phases. All others follow by rotation: the phasor
exp(iω(a + b)) is exp(iωa)·exp(iωb), so three short lists of exact phasors give millions.

Phases are counted in *half-steps*, two to a position, because the centre of a block of
positions lies on a whole or a half position.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.caching import cached
from pe_explorer.numeric.positions import Positions, len_of

__all__ = ["Turns", "geometric", "rotate"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Phasors = npt.NDArray[np.complex128]

_TWO_PI = Decimal(
    "6.28318530717958647692528676655900576839433879875021164194988918461563281257241799726"
)
_DIGITS = 90  # decimal digits while frequencies are made
_BITS = 256  # and bits after the point while they are multiplied up
_BYTES = 48  # of such a number, sign and whole turns included
_TILE = 256  # pairs handled at a time, so that a block of phasors stays in the cache
_ROWS = 64  # positions in a block
_SMALL_ANGLE = 0.5  # radians: float64 products are as good as their factors here
_SMALL_PART = 1e-2  # of a phasor: here the phase's last bit is seen in float64
_WAVE_BYTES = 208  # that are kept for a wave besides multiples: two integers and some numbers
_KEPT_BYTES = 2**23  # of multiples that are kept for one encoding
_CACHED_BYTES = 2**26  # for all encodings

_TWO_PI_FIXED = (_TWO_PI.as_integer_ratio()[0] << _BITS) // _TWO_PI.as_integer_ratio()[1]
_TWO_PI_HIGH = float(_TWO_PI)
_TWO_PI_LOW = float(_TWO_PI - Decimal(_TWO_PI_HIGH))

# 2π/2^64 in two parts: the first has 26 bits, so that its product with 27 bits is exact.
_UNIT = float(_TWO_PI) * 2.0**-64
_UNIT_HIGH = math.ldexp(math.floor(math.ldexp(float(_TWO_PI), 23)), -23 - 64)
_UNIT_LOW = float(_TWO_PI - Decimal(_UNIT_HIGH) * 2**64) * 2.0**-64


@dataclass(frozen=True, eq=False)
class Turns:
    """Frequencies of `m` waves as exact fractions of a turn per position.

    Attributes
    ----------
    fixed : m ints
        Turns per position in fixed point, with `_BITS` bits after the point.
    high : (m,) int64
        Half of each in units of 2^-64 turn, whole turns dropped, rounded down.
    low : (m,) float64
        What `high` left out, 0 <= low < 1, in the same units.
    radians : (m,) float64, optional
        Radians per position, where `fixed` has too few digits of them.
    kept_rows : int
        Multiples of one wave that may be kept, to rotate by.
    """

    fixed: Sequence[int]
    high: Ints
    low: Floats
    radians: Floats | None = None
    kept_rows: int = 2 * _ROWS
    _kept: dict[tuple[int, int, int], tuple[Phasors, Phasors]] = field(
        default_factory=dict, init=False, repr=False
    )

    @classmethod
    def from_fixed(cls, fixed: Sequence[int], radians: Floats | None = None) -> Turns:
        """Make it from turns per position in fixed point."""
        joined = b"".join(x.to_bytes(_BYTES, "little", signed=True) for x in fixed)
        words = np.frombuffer(joined, dtype="<u8").reshape(-1, _BYTES // 8)
        upper, middle, lower = (
            words[:, k].astype(np.uint64) for k in (_BITS // 64, _BITS // 64 - 1, _BITS // 64 - 2)
        )
        one, rest = np.uint64(1), np.uint64(63)
        high = (upper << rest | middle >> one).view(
            np.int64
        )  # shifted by one: from positions to half-steps
        low = ((middle << rest | lower >> one) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return cls(fixed, high, low, radians)

    @cached_property
    def frequencies(self) -> Floats:
        """Radians per position, shape (m,), each rounded once."""
        if self.radians is not None:
            return self.radians
        sizes = [abs(x).bit_length() for x in self.fixed]
        if (
            min(sizes, default=0) < _BITS - 56 or max(sizes) >= _BITS
        ):  # beyond what `high` and `low` hold of them
            return np.array([x * _TWO_PI_FIXED / (1 << 2 * _BITS) for x in self.fixed])
        first = self.high.astype(np.float64)
        second = (self.high - first.astype(np.int64)) + self.low
        product = first * _TWO_PI_HIGH
        error = _product_error(first, np.float64(_TWO_PI_HIGH), product)
        rounded: Floats = (
            product + (error + first * _TWO_PI_LOW + second * _TWO_PI_HIGH)
        ) * 2.0**-63
        return rounded

    @cached_property
    def _per_half_step(self) -> tuple[Floats, Floats]:
        """Turns per half-step, whole turns kept, as double-double numbers."""
        whole = [x / (2 << _BITS) for x in self.fixed]
        rest = [
            (x - int(math.ldexp(w, _BITS + 1))) / (2 << _BITS)
            for x, w in zip(self.fixed, whole, strict=True)
        ]
        return np.array(whole), np.array(rest)

    def __len__(self) -> int:
        return len(self.high)

    @property
    def nbytes(self) -> int:
        """The most bytes that the frequencies and all that is kept with them will ever take."""
        return len(self) * (_WAVE_BYTES + 16 * self._rows_to_keep)

    @property
    def _rows_to_keep(self) -> int:
        return min(self.kept_rows, _KEPT_BYTES // (16 * max(1, len(self))))

    @cached_property
    def tiles(self) -> list[tuple[slice, Turns]]:
        """The frequencies in groups that are narrow enough for the cache."""
        parts = (
            slice(start, min(start + _TILE, len(self))) for start in range(0, len(self), _TILE)
        )
        return [(part, self.part(part, self._rows_to_keep)) for part in parts]

    def part(self, waves: slice, kept_rows: int = 2 * _ROWS) -> Turns:
        """Return some of the frequencies."""
        radians = None if self.radians is None else self.radians[waves]
        return Turns(self.fixed[waves], self.high[waves], self.low[waves], radians, kept_rows)

    def turn(self, wave: int, position: int, ahead: int = 0) -> tuple[int, float]:
        """Return whole turns, rounded down, and the fraction of a turn of one wave at a position,
        exactly.

        `ahead` is the phase at position 0, in fixed point as the frequencies.
        """
        product = position * self.fixed[wave] + ahead
        whole = product >> _BITS
        return whole, (product - (whole << _BITS)) / (1 << _BITS)

    def phases(self, half_steps: Ints) -> Ints:
        """Return phases in units of 2^-64 turn, shape (n, m), modulo whole turns.

        Exact to a few units for |half_steps| <= 2^56.
        """
        steps = half_steps[:, None]
        return steps * self.high + (steps.astype(np.float64) * self.low).astype(np.int64)

    def exact(self, half_steps: Ints | Floats) -> Phasors:
        """Return exp(iωp) for every position, shape (n, m), each from its own exact phase."""
        if half_steps.dtype.kind == "i":
            return _phasors(self.phases(half_steps.astype(np.int64, copy=False)))
        nearest = np.rint(half_steps)
        rest = self._fraction((half_steps - nearest).astype(np.float64, copy=False))
        return _phasors(self.phases(nearest.astype(np.int64)) + rest)

    def precise(self, half_steps: Ints | npt.NDArray[np.object_]) -> Phasors:
        """Return `exact` with either part right to a few ulp, however close to 0 it is.

        Half-steps may be fractions, too. Small angles are products of float64 numbers; other
        parts that are close to 0 are what is left of many turns, and made of long integers.
        """
        angles = half_steps.astype(np.float64)[:, None] * (self.frequencies / 2)
        small = np.abs(angles) < _SMALL_ANGLE
        whole, steps = half_steps.dtype.kind == "i", half_steps.tolist()
        phasors: Phasors = self.exact(half_steps) if whole else np.cos(angles) + 0j  # type: ignore[arg-type]
        phasors.imag[small] = np.sin(angles[small])
        for part, ahead in ((phasors.imag, 0), (phasors.real, 1)):
            doubtful = ~small & (np.abs(part) < _SMALL_PART) if whole else ~small
            for row, wave in np.argwhere(doubtful).tolist():
                part[row, wave] = self._sine(steps[row], wave, ahead)
        return phasors

    def _sine(self, half_steps: int | Fraction, wave: int, ahead: int) -> float:
        """Return the sine of a wave's angle and `ahead` quarter turns, from the nearest half
        turn.
        """
        numerator, denominator = half_steps.as_integer_ratio()
        turns = numerator * self.fixed[wave] // (2 * denominator) + (ahead << _BITS - 2)
        half_turns = (turns + (1 << _BITS - 2)) >> (_BITS - 1)
        rest = turns - (half_turns << _BITS - 1)
        sine = math.sin(2 * math.pi * (rest / (1 << _BITS)))
        return -sine if half_turns % 2 else sine

    def sweep(
        self, half_steps: Positions, amplitude: Floats | Phasors | None = None
    ) -> Iterator[tuple[slice, slice, Phasors]]:
        """Yield (rows, pairs, block): exp(iωp)·amplitude for all positions, block by block.

        `amplitude` has the shape (m,). A block is valid until the next one is asked for.
        Memory: a few blocks, whatever the number of positions.
        """
        for pairs, turns in self.tiles:
            factor = None if amplitude is None else amplitude[pairs]
            if isinstance(half_steps, range):
                for rows, block in turns._rotated(half_steps, factor):
                    yield rows, pairs, block
                continue
            for start in range(0, len(half_steps), _ROWS):
                rows = slice(start, min(start + _ROWS, len(half_steps)))
                block = turns.exact(half_steps[rows])
                yield rows, pairs, block if factor is None else block * factor

    def gather(self, half_steps: Positions, amplitude: Floats | Phasors | None = None) -> Phasors:
        """Return the blocks of `sweep` as one array, shape (n, m)."""
        out = np.empty((len(half_steps), len(self)), dtype=np.complex128)
        for rows, waves, block in self.sweep(half_steps, amplitude):
            out[rows, waves] = block
        return out

    def anchors(
        self, half_steps: range, amplitude: Floats | Phasors | None = None
    ) -> tuple[Phasors, Iterator[tuple[slice, Phasors]]]:
        """Return what `rotate` turns into exp(iωp)·amplitude for an arithmetic progression.

        Returns
        -------
        fine : (b, m)
            Phasors of the first b multiples of the step.
        blocks : iterator of (rows, anchors)
            The rows of a block, and the phasors, shape (a, m), of every b-th of them.
        """
        count, start, step = len_of(half_steps), half_steps.start, half_steps.step
        b = min(_ROWS, math.ceil(count ** (1 / 3))) or 1
        a = min(b, -(-count // b)) or 1
        fine, middle = self._multiples(step, b, a)

        def blocks() -> Iterator[tuple[slice, Phasors]]:
            for group in range(0, count, a * b * _ROWS):
                firsts = range(group, min(group + a * b * _ROWS, count), a * b)
                coarse = self.exact(np.array([start + step * first for first in firsts]))
                if amplitude is not None:
                    coarse *= amplitude
                for first, phasor in zip(firsts, coarse, strict=True):
                    yield slice(first, min(first + a * b, count)), phasor * middle

        return fine, blocks()

    def _multiples(self, step: int, b: int, a: int) -> tuple[Phasors, Phasors]:
        """Return the phasors of the first b multiples of `step` and the first a of b·step.

        The last ones are kept: a stream, or a view that moves, asks for the same again.
        """
        key = (step, b, a)
        found = self._kept.get(key)
        if found is None:
            found = self.exact(step * np.arange(b)), self.exact(step * b * np.arange(a))
            self._kept.clear()
            if a + b <= self.kept_rows:
                self._kept[key] = found
        return found

    def mean_amplitudes(self, block: int) -> Floats:
        """Return the signed length of the mean of exp(iωp) over `block` consecutive positions.

        The mean is this length, shape (m,), times exp(iω·centre). It is a geometric sum,
        sin(nω/2) / (n sin(ω/2)); written with sinc(x) = sin(πx)/(πx), which is flat at 0,
        it loses no digits where ω, or nω, is close to 0 or to a whole turn.
        """
        half = (self.high.astype(np.float64) + self.low) * 2.0**-64  # turns, -1/2 to 1/2
        flip = np.abs(half) > 0.25
        near = np.where(flip, self._complement(), half)  # of the same sine, but near 0
        with np.errstate(divide="ignore", invalid="ignore"):
            many = self.exact(np.array([block]))[0].imag / (block * np.sin(2 * np.pi * near))
        few = np.sinc(2 * near * block) / np.sinc(2 * near)
        if block % 2 == 0:
            few[flip] *= -1.0  # sin(nπ - nx) = -sin(nx) for even n, sin(nx) for odd n
        amplitudes: Floats = np.where(np.abs(near) * block <= 0.25, few, many)
        return amplitudes

    def mean_losses(self, block: int) -> Floats:
        """Return 1 - `mean_amplitudes`, shape (m,), without the cancellation where that is close to
        0.
        """
        half = self.frequencies / 2
        few = np.abs(half) * block < math.pi / 2
        angle = np.where(few, half, 0.0)
        losses: Floats = (_sinc_loss(block * angle) - _sinc_loss(angle)) / (1 - _sinc_loss(angle))
        return np.where(few, losses, 1 - self.mean_amplitudes(block))

    def _complement(self) -> Floats:
        """Return 1/2 - half, the other representative with the same sine, without cancellation."""
        high = (np.int64(-(2**63)) - self.high).astype(np.float64)
        complement: Floats = (high - self.low) * 2.0**-64
        return complement

    def _rotated(
        self, half_steps: range, amplitude: Floats | Phasors | None
    ) -> Iterator[tuple[slice, Phasors]]:
        fine, blocks = self.anchors(half_steps, amplitude)
        together = max(1, _ROWS * _TILE // fine.size)
        scratch = np.empty((together * len(fine), len(self)), dtype=np.complex128)
        for rows, anchors in blocks:
            for start in range(rows.start, rows.stop, len(scratch)):
                part = slice(start, min(start + len(scratch), rows.stop))
                k = (start - rows.start) // len(fine)
                yield part, rotate(anchors[k : k + together], fine, scratch[: part.stop - start])

    def _fraction(self, half_steps: Floats) -> Ints:
        """Return phases of fractions of a half-step, |half_steps| <= 1/2, shape (n, m)."""
        t = half_steps[:, None]
        whole, rest = self._per_half_step
        product = t * whole
        error = _product_error(t, whole, product) + t * rest
        turns = (product - np.rint(product)) + error
        return (turns * 2.0**62).astype(np.int64) << np.int64(2)


@cached(_CACHED_BYTES)
def geometric(
    base: float, numerator: int, denominator: int, count: int, scale: float = 1.0
) -> Turns:
    """Return the frequencies scale·base^(-i·numerator/denominator), i = 0..count-1.

    Nearly every scheme's frequencies are such a progression; cached, because a change of layout or
    positions leaves them as they are. Those of a scale below 1/2 are made for a larger one and then
    divided: the digits of a tiny one lie behind the last bit of the fixed point.
    """
    places = max(0, -math.frexp(scale)[1])
    enlarged = _geometric_fixed(base, numerator, denominator, count, math.ldexp(scale, places))
    if not places:
        return Turns.from_fixed(enlarged)
    radians = np.ldexp(Turns.from_fixed(enlarged).frequencies, -places)
    return Turns.from_fixed([turns >> places for turns in enlarged], radians)


def _geometric_fixed(
    base: float, numerator: int, denominator: int, count: int, scale: float
) -> list[int]:
    """Return scale·base^(-i·numerator/denominator)/2π for i < count in fixed point."""
    with localcontext() as context:
        context.prec = _DIGITS
        one = Decimal(1 << _BITS)
        ratio = int((-Decimal(base).ln() * numerator / denominator).exp() * one)
        turns = int(Decimal(scale) / _TWO_PI * one)
    powers = []
    for _ in range(count):
        powers.append(turns)
        turns = turns * ratio >> _BITS
    return powers


def rotate(anchors: Phasors, fine: Phasors, out: Phasors) -> Phasors:
    """Fill `out`, shape (n, m), n <= a·b, with every anchor turned by every fine phasor."""
    whole, rest = divmod(len(out), len(fine))
    turned = out[: whole * len(fine)].reshape(whole, len(fine), out.shape[1])
    np.multiply(anchors[:whole, None, :], fine, out=turned)
    if rest:
        np.multiply(anchors[whole], fine[:rest], out=out[whole * len(fine) :])
    return out


def _phasors(phases: Ints) -> Phasors:
    """Return exp(2πi·phase/2^64), each part within 1.2e-16.

    The phase is reduced to an eighth of a turn; its angle is rounded once.
    """
    quarter = (phases + np.int64(1 << 61)) >> np.int64(62)
    rest = phases - (quarter << np.int64(62))
    top = rest & np.int64(-1 << 35)  # at most 27 significant bits
    first = top.astype(np.float64) * _UNIT_HIGH  # exact
    second = top.astype(np.float64) * _UNIT_LOW + (rest - top).astype(np.float64) * _UNIT
    angle = first + second
    sine, cosine = np.sin(angle), np.cos(angle)
    odd = (quarter & 1).astype(bool)
    sign = 1.0 - (quarter & 2)
    phasors = np.empty(phases.shape, dtype=np.complex128)
    np.multiply(np.where(odd, -sine, cosine), sign, out=phasors.real)
    np.multiply(np.where(odd, cosine, sine), sign, out=phasors.imag)
    return phasors


def _sinc_loss(x: Floats) -> Floats:
    """Return 1 - sin(x)/x for |x| < π/2, by its series."""
    square = x * x
    loss = np.zeros_like(x)
    for k in range(12, 0, -1):
        loss = square / (2 * k * (2 * k + 1)) * (1 - loss)
    return loss


def _product_error(a: Floats, b: Floats | np.float64, product: Floats) -> Floats:
    """Return a·b - product without error (Dekker 1971)."""
    a_high, b_high = _upper(a), _upper(b)
    a_low, b_low = a - a_high, b - b_high
    error: Floats = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return error


def _upper(x: Any) -> Any:
    """Return the upper 26 bits of each number (Veltkamp's splitting)."""
    big = x * 134217729.0
    return big - (big - x)
