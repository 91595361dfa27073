"""Abilities of encodings that are waves: sines and cosines of angles, and steady frequencies."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Self

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.encodings.abilities.base import Encoding, Reading
from pe_explorer.encodings.abilities.checks import as_positions, check_blocks
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, doubled_centres
from pe_explorer.numeric.turns import Turns, half_steps_of

ALL = slice(None)
_DOUBTFUL = 1e-2  # radians below which a phase of 64 bits has too few digits


class Periodic(Encoding):
    """An encoding whose columns repeat."""

    def periods(self) -> Floats:
        """Return the positions after which each column repeats, shape (width,); 0 for never."""
        raise NotImplementedError


class Waves(Encoding):
    """An encoding whose columns are sines and cosines of angles, which every row has.

    A scheme defines `wave_of`, `sines` and `pairs`, and its angles by `phasors`, `phasor_means`,
    `radians` and `turn`.
    """

    @property
    def wave_of(self) -> Ints:
        """The wave of each column, shape (width,); -1 where there is none."""
        raise NotImplementedError

    @property
    def kinds(self) -> Ints:
        """0 for cosines, 1 for sines."""
        return self.sines.astype(np.int64)

    @property
    def sines(self) -> Bools:
        """Whether each column is the sine of its wave, shape (width,); else it is the cosine.

        Columns without a wave are zero.
        """
        raise NotImplementedError

    @property
    def amplitude(self) -> float:
        """The factor of all sines and cosines."""
        return 1.0

    @property
    def exact_amplitude(self) -> Decimal:
        """The amplitude to more digits than float64 holds, for differences."""
        return Decimal(self.amplitude)

    @property
    def pairs(self) -> int:
        """Number of waves that have both their sine and their cosine among the columns."""
        raise NotImplementedError

    @property
    def pair_weight(self) -> float:
        """The part of the squared length of a row that one pair contributes."""
        return 1.0

    def value(self, position: int, column: int) -> float:
        """Return one number of the table without computing its row; raises as `table` does."""
        column = self.checked_column(column)
        wave = int(self.wave_of[column])
        if wave < 0:
            return 0.0
        phasor = complex(self.phasors([position], slice(wave, wave + 1))[0, 0])
        return self.amplitude * (phasor.imag if self.sines[column] else phasor.real)

    def phasors(self, positions: Any, waves: slice | Sequence[int] = ALL) -> Phasors:
        """Return cos θ + i sin θ of all waves, or of some, at positions, as `table` takes them.

        Returns
        -------
        (n, waves) complex128

        Raises
        ------
        EncodingError
            If a position is out of bounds.
        """
        raise NotImplementedError

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        """Return the means of `phasors` over blocks, shape (rows, waves); see `block_means`."""
        raise NotImplementedError

    def radians(self, positions: range, *, one_turn: bool) -> Floats:
        """Return the angles of all waves at positions in radians, shape (n, waves).

        They have all turns that were made, negative ones before the origin, or are those within
        one turn, 0 to 2π. Each is right to 4e-16 of itself.
        """
        raise NotImplementedError

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return whole turns and the fraction of a turn that a wave has made at a position."""
        raise NotImplementedError

    def reading(self, position: int, column: int) -> Reading:
        value, wave_of = super().reading(position, column), self.wave_of
        wave = int(wave_of[column])
        if wave < 0:
            return value
        whole, fraction = self.turn(wave, position)
        return (
            *value,
            ("Angle", f"{fraction * 360:.10f}°"),
            ("Part of a turn", f"{fraction:.15f}"),
            ("Whole turns", str(whole)),
            ("Wave", f"{wave} of {wave_of.max() + 1}"),
        )


class Steady(Waves, Periodic):
    """Waves whose angle is their frequency times the position, `origin` added to it.

    From one position to the next a wave turns by the same angle everywhere. So it has a
    wavelength, a matrix that shifts it, and values between positions. A scheme defines `turns`.
    """

    @property
    def turns(self) -> Turns:
        """The exact frequencies of the waves, fastest first: of pairs, then of lone waves."""
        raise NotImplementedError

    @property
    def unscaled(self) -> Self:
        """The same encoding without what is changed for texts longer than the trained ones."""
        return self

    @property
    def origin(self) -> int:
        """The number that is added to a position before its angle is computed."""
        return 0

    @property
    def shift_invariant(self) -> bool:
        """Whether dot products depend on the offset between positions only.

        That is so where a row is made up of sine-cosine pairs of equal weight, and nothing
        else; the product is then the weight times the sum over pairs of cos(offset·ω).
        """
        return self.pairs > 0 and len(self.turns) == self.pairs

    def frequencies(self) -> Floats:
        """Return the frequency of each wave, fastest first, in radians per position.

        Returns
        -------
        (pairs,) float64
            One for each sine-cosine pair; for a lone sine, too (odd widths, single waves).
        """
        return self.turns.frequencies.copy()

    def frequency(self, wave: int) -> float:
        """Return the frequency of one wave, in radians per position, without those of others."""
        return float(self.turns.part([wave]).frequencies[0])

    def wavelengths(self) -> Floats:
        """Return the positions per turn of each wave, shape (pairs,).

        Infinite for a constant, and where float64 has no number so large.
        """
        with np.errstate(divide="ignore", over="ignore"):
            return 2 * np.pi / np.abs(self.frequencies())

    def completes_turn(self, count: int) -> Bools:
        """Return which waves complete a turn in a number of positions: none that are longer."""
        return self.wavelengths() <= count

    def periods(self) -> Floats:
        return periods_of(self.frequencies(), self.wave_of)

    def phasors(self, positions: Any, waves: slice | Sequence[int] = ALL) -> Phasors:
        turns = self.turns if waves == ALL else self.turns.part(waves)
        where = as_positions(positions)
        return rotation.gather(turns, self._half_steps(where))

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        start, block, rows = check_blocks(start, block, rows)
        turns = self.turns
        amplitudes = block_means.amplitudes(turns, block)
        return rotation.gather(turns, self._centres(start, block, rows), amplitudes)

    def radians(self, positions: range, *, one_turn: bool) -> Floats:
        half_steps = 2 * (np.asarray(positions, dtype=np.int64) + self.origin)
        angles = self.turns.angles(half_steps)
        if not one_turn:
            return angles
        turned = (angles < 0) | (angles >= 2 * np.pi)
        phases = self.turns.phases(half_steps)[turned]
        angles[turned] = phases.view(np.uint64) * (2 * np.pi / 2**64)
        for row, wave in np.argwhere(turned & (angles < _DOUBTFUL)).tolist():
            _, fraction = self.turn(wave, positions[row])
            angles[row, wave] = 2 * np.pi * fraction
        angles[angles == 2 * np.pi] = 0.0  # the remainder of a hair below 0 is rounded up
        return angles

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        return self.turns.turn(wave, position + self.origin)

    def turns_made(self, waves: Iterable[int], position: int) -> list[tuple[int, float]]:
        """Return what `turn` returns, for several waves."""
        turns, place = self.turns, position + self.origin
        return [turns.turn(wave, place) for wave in waves]

    def reading(self, position: int, column: int) -> Reading:
        reading = super().reading(position, column)
        wave = int(self.wave_of[column])
        if wave < 0:
            return reading
        frequency = self.frequency(wave)
        wavelength = math.tau / abs(frequency) if frequency else math.inf
        length = f"{wavelength:.12g}" if math.isfinite(wavelength) else "infinite"
        return (
            *reading[:-1],
            ("Wavelength in positions", length),
            ("Frequency in rad per position", f"{frequency:.12g}"),
            reading[-1],
        )

    def angle_lines(self, function: str, wave: int, position: int) -> tuple[str, str]:
        """Return two lines that put numbers into the sine or cosine of a wave's angle."""
        whole, fraction = self.turn(wave, position)
        frequency = self.frequency(wave)
        degrees = f"= {function}({fraction * 360:.4f}°)"
        if whole:
            plural = "" if whole == 1 else "s"
            degrees = f"{degrees} after {whole:,} turn{plural}"
        product = f"= {function}({position + self.origin} · {frequency:.6g})"
        return product, degrees

    def _half_steps(self, positions: Positions) -> Positions:
        """Return the phases of positions in half-steps, the origin added."""
        return half_steps_of(positions, self.origin)

    def _centres(self, start: int, block: int, rows: int) -> range:
        """Return the phases of the centres of blocks, in half-steps."""
        return doubled_centres(start + self.origin, block, rows)


class Float32Angles(Waves):
    """Waves for which there is usual code, as models run it: every step of it in float32.

    A step is computed in float64 here and rounded once, as a perfect library would. NumPy's own
    float32 functions are off by some units in the last place, which differ between machines.
    """

    def float32_angles(self, positions: Positions) -> Floats:
        """Return the angles that the usual code computes, shape (n, waves): float32 numbers."""
        raise NotImplementedError


def rounded(numbers: Any) -> Floats:
    """Return float64 numbers rounded to float32, as float64."""
    return np.asarray(numbers).astype(np.float32).astype(np.float64)


def periods_of(frequencies: Floats, wave_of: Ints) -> Floats:
    """Return the wavelength of each column's wave; 0 for one without a wave, or without end."""
    with np.errstate(divide="ignore", over="ignore"):
        wavelengths = 2 * np.pi / np.abs(frequencies)
    periods = np.append(wavelengths, 0.0)[wave_of]  # the last for -1, no wave
    return np.where(np.isfinite(periods), periods, 0.0)


def power(base: str, numerator: int, denominator: int) -> str:
    """Return base^(-numerator/denominator) as a formula; the exponent 0 is written plainly."""
    if not numerator:
        return f"{base}^0"
    return f"{base}^(-{numerator}/{denominator})"
