"""Abstract classes of encodings that consist of sines and cosines."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Self

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.encodings.abilities.base import Encoding, ValueFacts
from pe_explorer.encodings.abilities.checks import check_blocks, to_positions
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, list_doubled_centres
from pe_explorer.numeric.rounding import FLOAT32, Rounding
from pe_explorer.numeric.turns import ONE_TURN, Turns, to_half_steps
from pe_explorer.params import printed

ALL_WAVES = slice(None)
_MIN_ACCURATE_ANGLE = 1e-2  # in radians; for smaller angles, 64-bit phases are too inaccurate


class Periodic(Encoding):
    """An encoding whose columns are periodic."""

    def periods(self) -> Floats:
        """Return the period of each column in positions, shape (width,); 0 if not periodic."""
        raise NotImplementedError


class Waves(Encoding):
    """An encoding whose columns are sines and cosines of angles.

    A scheme defines `wave_indices`, `sines` and `pairs`. The methods `phasors`, `phasor_means`,
    `radians` and `turn` define its angles.
    """

    @property
    def wave_indices(self) -> Ints:
        """The index of each column's wave, shape (width,); -1 for columns without a wave."""
        raise NotImplementedError

    @property
    def kinds(self) -> Ints:
        """0 for cosines, 1 for sines."""
        return self.sines.astype(np.int64)

    @property
    def sines(self) -> Bools:
        """Whether each column is a sine instead of a cosine, shape (width,).

        The entries of columns without a wave have no meaning.
        """
        raise NotImplementedError

    @property
    def amplitude(self) -> float:
        """The factor that multiplies all sines and cosines."""
        return 1.0

    @property
    def exact_amplitude(self) -> Decimal:
        """The amplitude with more digits than float64, for accurate differences."""
        return Decimal(self.amplitude)

    @property
    def pairs(self) -> int:
        """The number of waves that have both a sine and a cosine column."""
        raise NotImplementedError

    @property
    def pair_weight(self) -> float:
        """The contribution of one pair to the squared length of a row."""
        return 1.0

    def value(self, position: int, column: int) -> float:
        """Return one value of the table without computing its row.

        Raise the same exceptions as `table`.
        """
        column = self.check_column(column)
        wave = int(self.wave_indices[column])
        if wave < 0:
            return 0.0
        phasor = complex(self.phasors([position], slice(wave, wave + 1))[0, 0])
        return self.amplitude * (phasor.imag if self.sines[column] else phasor.real)

    def phasors(self, positions: Any, waves: slice | Sequence[int] = ALL_WAVES) -> Phasors:
        """Return cos θ + i sin θ of waves, shape (n, waves), at positions as in `table`."""
        raise NotImplementedError

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        """Return the block means of `phasors`, shape (rows, waves); see `block_means`."""
        raise NotImplementedError

    def radians(self, positions: range, *, is_wrapped: bool) -> Floats:
        """Return the angles of all waves at the given positions, in radians, shape (n, waves).

        If `is_wrapped` is True, angles are reduced to the range from 0 to 2π. Otherwise, they
        include whole turns and are negative before the origin. The relative error is at most 4e-16.
        """
        raise NotImplementedError

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return a wave's whole turns and the remaining fraction of a turn at a position."""
        raise NotImplementedError

    def reading(self, position: int, column: int) -> ValueFacts:
        facts, wave_indices = super().reading(position, column), self.wave_indices
        wave = int(wave_indices[column])
        if wave < 0:
            return facts
        whole_turns, fraction = self.turn(wave, position)
        return (
            *facts,
            ("Angle", printed.degrees(fraction * 360, 10)),
            ("Part of a turn", f"{fraction:.15f}"),
            ("Whole turns", str(whole_turns)),
            ("Wave", f"{wave} of {wave_indices.max() + 1}"),
        )


class Steady(Waves, Periodic):
    """Waves whose angles are frequency · (position + `origin`).

    Each wave turns by the same angle from any position to the next. It therefore has a wavelength,
    a shift matrix and values between positions. A scheme defines `turns`.
    """

    @property
    def turns(self) -> Turns:
        """The exact frequencies of all waves: pairs before single waves, fastest first."""
        raise NotImplementedError

    @property
    def unscaled(self) -> Self:
        """The same encoding without scaling beyond the training length."""
        return self

    @property
    def origin(self) -> int:
        """The number that is added to each position before angles are computed."""
        return 0

    @property
    def is_shift_invariant(self) -> bool:
        """Whether dot products of rows depend only on the offset between positions.

        This is true for rows of sine-cosine pairs with equal weights. The dot product is then the
        weight times the sum of cos(offset·ω) over all pairs.
        """
        return self.pairs > 0 and len(self.turns) == self.pairs

    def frequencies(self) -> Floats:
        """Return the frequency of each wave, fastest first, in radians per position.

        The shape is (pairs,), with one value for each sine-cosine pair and each single wave.
        """
        return self.turns.frequencies.copy()

    def frequency(self, wave: int) -> float:
        """Return the frequency of one wave in radians per position."""
        return float(self.turns.part([wave]).frequencies[0])

    def wavelengths(self) -> Floats:
        """Return the wavelength of each wave in positions, shape (pairs,).

        The value is infinite for constants, and for wavelengths that are too large for float64.
        """
        with np.errstate(divide="ignore", over="ignore"):
            return 2 * np.pi / np.abs(self.frequencies())

    def completes_turn(self, count: int) -> Bools:
        """Return a mask of the waves whose wavelength is at most `count` positions."""
        return np.array([abs(turns) * count >= ONE_TURN for turns in self.turns.fixed], dtype=bool)

    def periods(self) -> Floats:
        return compute_periods(self.frequencies(), self.wave_indices)

    def phasors(self, positions: Any, waves: slice | Sequence[int] = ALL_WAVES) -> Phasors:
        turns = self.turns if waves == ALL_WAVES else self.turns.part(waves)
        return rotation.gather(turns, to_half_steps(to_positions(positions), self.origin))

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        start, block, rows = check_blocks(start, block, rows)
        centres = list_doubled_centres(start + self.origin, block, rows)
        return rotation.gather(self.turns, centres, block_means.amplitudes(self.turns, block))

    def radians(self, positions: range, *, is_wrapped: bool) -> Floats:
        half_steps = 2 * (np.asarray(positions, dtype=np.int64) + self.origin)
        angles = self.turns.angles(half_steps)
        if not is_wrapped:
            return angles
        needs_reduction = (angles < 0) | (angles >= 2 * np.pi)
        phases = self.turns.phases(half_steps)[needs_reduction]
        angles[needs_reduction] = phases.view(np.uint64) * (2 * np.pi / 2**64)
        for row, wave in np.argwhere(needs_reduction & (angles < _MIN_ACCURATE_ANGLE)).tolist():
            _, fraction = self.turn(wave, positions[row])
            angles[row, wave] = 2 * np.pi * fraction
        angles[angles == 2 * np.pi] = 0.0  # tiny negative angles are rounded to 2π
        return angles

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        return self.turns.turn(wave, position + self.origin)

    def compute_turns(
        self, waves: Iterable[int], position: int | Fraction
    ) -> list[tuple[int, float]]:
        """Return the results of `turn` for several waves; the position can be a fraction."""
        turns, shifted_position = self.turns, position + self.origin
        return [turns.turn(wave, shifted_position) for wave in waves]

    def reading(self, position: int, column: int) -> ValueFacts:
        facts = super().reading(position, column)
        wave = int(self.wave_indices[column])
        if wave < 0:
            return facts
        frequency = self.frequency(wave)
        wavelength = math.tau / abs(frequency) if frequency else math.inf
        length = f"{wavelength:.12g}" if math.isfinite(wavelength) else "infinite"
        return (
            *facts[:-1],
            ("Wavelength in positions", length),
            ("Frequency in rad per position", f"{frequency:.12g}"),
            facts[-1],
        )

    def format_angle_lines(self, function: str, wave: int, position: int) -> tuple[str, str]:
        """Return two formulas for a sine or cosine.

        The first contains the product of position and frequency, and the second contains the
        angle in degrees.
        """
        whole_turns, fraction = self.turn(wave, position)
        product = f"= {function}({position + self.origin} · {self.frequency(wave):.6g})"
        degrees = f"= {function}({printed.degrees(fraction * 360, 4)})"
        if whole_turns:
            degrees += f" after {whole_turns:,} {'turn' if whole_turns == 1 else 'turns'}"
        return product, degrees


class CodeAngles(Waves):
    """Waves for which typical code is known."""

    def compute_code_angles(self, positions: Positions, rounding: Rounding = FLOAT32) -> Floats:
        """Return the angles that typical code computes, shape (n, waves).

        `rounding` rounds the result of every step, and receives the names of the values that
        can be cast: ``positions``, ``frequencies`` and ``angles``.
        """
        raise NotImplementedError

    def typical_code(self, library: Library) -> tuple[str, ...]:
        """Return lines of PyTorch code for the table, in the steps of `compute_code_angles`.

        The type of the arrays, and a value to cast, are those of `library`.
        """
        raise NotImplementedError


def compute_periods(frequencies: Floats, wave_indices: Ints) -> Floats:
    """Return the wavelength of each column; 0 for columns without a wave and for constants."""
    with np.errstate(divide="ignore", over="ignore"):
        wavelengths = 2 * np.pi / np.abs(frequencies)
    periods = np.append(wavelengths, 0.0)[wave_indices]  # index -1 selects the appended 0
    return np.where(np.isfinite(periods), periods, 0.0)


def format_power(base: str, numerator: int, denominator: int) -> str:
    """Return base^(-numerator/denominator) as a formula, simplified if the exponent is 0."""
    if not numerator:
        return f"{base}^0"
    return f"{base}^(-{numerator}/{denominator})"
