"""The difference between the angles, or the waves, of two encodings.

If one angle is ω·(p + offset) and the other ω'·(p + offset'), their difference is (ω - ω')·p +
(ω·offset - ω'·offset'): another wave. Its frequency and its phase at position 0 are differences of
fixed-point numbers and therefore exact. The mean of the difference over a block has the same closed
form as that of any wave. It cannot be computed from the means of the two angles: the angle of a
mean jumps by half a turn when the mean passes through zero, whereas the mean of the difference does
not.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.caching import cached
from pe_explorer.encodings import Encoding, Steady, needs
from pe_explorer.encodings.abilities.waves import periods_of
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, doubled_centres
from pe_explorer.numeric.turns import HalfSteps, Turns, half_steps_of
from pe_explorer.params import Choice

ANGLE_TURNS = Choice(
    "all",
    {"all": "all turns", "one": "one turn, from 0 to 2π"},
    label="Turns",
    help="How angles are counted.",
)


@lru_cache(maxsize=8)  # plots and texts call this often, for up to 65,536 columns
def common_columns(first: Encoding, second: Encoding) -> tuple[Ints, Ints]:
    """Return the columns of each encoding that have the same meaning, shape (m,) each.

    The columns are in the order of the first encoding. The arrays are read-only, and empty if the
    two encodings have different axes.
    """
    columns, other_columns = np.arange(0), np.arange(0)
    if first.columns == second.columns:
        meanings, other_meanings = first.column_meanings(), second.column_meanings()
        order = np.argsort(other_meanings)
        indices = np.searchsorted(other_meanings, meanings, sorter=order)
        candidates = order[np.minimum(indices, len(order) - 1)]
        is_common = other_meanings[candidates] == meanings
        columns, other_columns = np.flatnonzero(is_common), candidates[is_common]
    columns.setflags(write=False)
    other_columns.setflags(write=False)
    return columns, other_columns


@dataclass(frozen=True, eq=False)  # no equality, because comparing arrays gives an array
class AngleDifference:
    """The angles of one encoding minus those of another, with the methods of `Waves`."""

    turns: Turns  # the exact frequencies of the differences, one per pair of waves
    phases: Turns  # the phases of the differences at position 0, in turns
    wave_of: Ints  # the index of the difference for each common column; -1 if a wave is missing

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self.turns.nbytes + self.phases.nbytes + self.wave_of.nbytes

    def phasors(self, positions: range) -> Phasors:
        """Return cos θ + i sin θ of each difference θ at positions, shape (n, waves)."""
        half_steps = range(2 * positions.start, 2 * positions.stop, 2 * positions.step)
        return self._gather(half_steps, 1.0)

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        """Return the block means of `phasors`, shape (rows, waves)."""
        amplitudes = block_means.amplitudes(self.turns, block)
        return self._gather(doubled_centres(start, block, rows), amplitudes)

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return the whole turns and the remaining fraction of a difference at a position."""
        return self.turns.turn(wave, position, self.phases.fixed[wave])

    def periods(self) -> Floats:
        """Return the period of each difference in positions, shape (dim,); 0 for constants."""
        return periods_of(self.turns.frequencies, self.wave_of)

    def _gather(self, half_steps: range, amplitudes: Floats | float) -> Phasors:
        one_position = np.array([2])  # two half-steps
        origin: Phasors = self.phases.phasors(one_position)[0]
        return rotation.gather(self.turns, half_steps, origin * amplitudes)


@cached(2**25)
def angle_difference(e: Steady, less: Steady) -> AngleDifference:
    """Return the angles of `e` minus those of `less`, in common columns.

    The result is cached, because the cursor and all parts of a plot need the same difference.
    """
    columns, columns_less = common_columns(e, less)
    waves = e.wave_of[columns]
    waves_less = less.wave_of[columns_less]
    has_waves = (waves >= 0) & (waves_less >= 0)
    count = int(waves_less.max(initial=-1)) + 1
    keys = waves[has_waves] * count + waves_less[has_waves]  # a unique number per pair of waves
    distinct, wave_indices = np.unique(keys, return_inverse=True)
    wave_of = np.full(len(columns), -1)
    wave_of[has_waves] = wave_indices
    wave_of.flags.writeable = False
    fixed, fixed_phases = [], []
    for key in distinct.tolist():
        wave, wave_less = divmod(key, count)
        frequency = e.turns.fixed[wave]
        frequency_less = less.turns.fixed[wave_less]
        fixed.append(frequency - frequency_less)
        fixed_phases.append(frequency * e.origin - frequency_less * less.origin)
    phases = replace(Turns.from_fixed(fixed_phases), cached_rows=0)
    return AngleDifference(Turns.from_fixed(fixed), phases, wave_of)


def degrees(phasors: Phasors) -> Floats:
    """Return the angles of phasors in degrees, 0 <= angle < 360."""
    angles = np.degrees(np.angle(phasors)) % 360.0
    angles[angles == 360.0] = 0.0  # rounding turns a tiny negative angle into 360
    return angles


def by_column(values: Floats, wave_of: Ints) -> Floats:
    """Return the value of each column's wave, shape (n, columns); nan for columns without one."""
    missing = np.full((len(values), 1), np.nan)
    return np.hstack([values, missing])[:, wave_of]  # index -1 selects the last column


def why_no_difference(e: Encoding, less: Encoding) -> str:
    """Return why two encodings have no difference of angles, or an empty string."""
    problems = [needs.steady(encoding) for encoding in (e, less) if not needs.waves(encoding)]
    return next(filter(None, problems), "")


# -- the waves of one encoding minus those of another ----------------------------------------------

# Subtracting two sines that are close to each other cancels digits. This identity avoids the
# cancellation:
#
#     exp(iα) - exp(iβ) = 2i · sin((α - β)/2) · exp(i(α + β)/2)
#
# Half the difference and the mean of two frequencies are exact in fixed point. Means over blocks
# also need the difference of the two amplitudes.

_EQUAL = 1 << 32  # fixed-point tolerance for rounding errors of equal frequencies
_ALMOST_BITS = 20  # leading bits that two almost equal frequencies share
_MIN_KNOWN = 1 << 88  # fixed-point limit; smaller differences have fewer than 56 accurate bits


@dataclass(frozen=True, eq=False)  # no equality, because comparing arrays gives an array
class WaveDifference:
    """The differences between the waves of two encodings, for each pair of waves."""

    halves: Turns  # half the differences of the frequencies
    means: Turns  # the means of the frequencies
    waves: Turns  # the frequencies of the first encoding
    waves_less: Turns  # the frequencies of the encoding that is subtracted
    phase_gaps: Turns  # the phase lead of the subtracted waves, caused by different origins
    origin: int  # the number added to each position before computing angles
    # The amplitude, and its difference from the subtracted amplitude, shape (2, pairs); nan if
    # the difference of frequencies has no accurate digits.
    factors: Floats
    columns: Ints  # the indices of the common columns with a difference of waves
    pair_of: Ints  # the index of the difference for each of these columns
    sines: Bools  # whether each of these columns is a sine

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        turns = (self.halves, self.means, self.waves, self.waves_less, self.phase_gaps)
        arrays = (self.factors, self.columns, self.pair_of, self.sines)
        return sum(part.nbytes for part in (*turns, *arrays))

    def write(self, positions: Positions, out: Floats) -> None:
        """Write the differences at positions to their columns of `out`, shape (n, width)."""
        self._write(self._phasors(half_steps_of(positions, self.origin)), out)

    def write_means(self, start: int, block: int, out: Floats) -> None:
        """Write the block means of the differences to their columns of `out`, shape (n, width)."""
        centres = doubled_centres(start + self.origin, block, len(out))
        phasors = self._phasors(centres) * block_means.amplitudes(self.waves_less, block)
        frequencies = self.waves, self.waves_less, self.halves, self.means
        differences = block_means.differences(*frequencies, block)
        phasors += rotation.gather(self.waves, centres) * (differences * self.factors[0])
        self._write(phasors, out)

    def _phasors(self, half_steps: range | HalfSteps) -> Phasors:
        """Return the differences of phasors times their amplitudes, shape (n, pairs)."""
        half_gap: Phasors = self.phase_gaps.phasors(np.array([1]))[0]
        has_gap = any(self.phase_gaps.fixed)
        sines = rotation.gather(self.halves, half_steps, half_gap.conj() if has_gap else None).imag
        means = rotation.gather(self.means, half_steps, half_gap if has_gap else None)
        amplitude, excess = self.factors
        phasors: Phasors = (2j * amplitude) * sines * means
        if excess.any():
            phasors += rotation.gather(self.waves_less, half_steps, half_gap**2) * excess
        return phasors

    def _write(self, phasors: Phasors, out: Floats) -> None:
        by_pair = phasors[:, self.pair_of]
        out[:, self.columns] = np.where(self.sines, by_pair.imag, by_pair.real) + 0.0  # no -0.0


@cached(2**25)
def wave_difference(e: Steady, less: Steady, place: int | None = None) -> WaveDifference:
    """Return the waves of `e` minus those of `less`, in common columns.

    If `place` is given, return the difference only in the common column with this index, which is
    fast even for wide encodings. The result omits columns without a wave, and columns that are a
    sine in one encoding and a cosine in the other. It is cached, because all parts of a plot need
    the same difference.
    """
    columns, columns_less = common_columns(e, less)
    if place is not None:
        columns, columns_less = columns[[place]], columns_less[[place]]
    waves, waves_less = e.wave_of[columns], less.wave_of[columns_less]
    sines = e.sines[columns]
    has_difference = (waves >= 0) & (waves_less >= 0) & (sines == less.sines[columns_less])
    (indices,) = np.nonzero(has_difference)
    waves_of_columns = np.column_stack([waves[indices], waves_less[indices]])
    pairs, pair_of = np.unique(waves_of_columns, axis=0, return_inverse=True)
    turns, turns_less = e.turns.part(pairs[:, 0].tolist()), less.turns.part(pairs[:, 1].tolist())
    differences, is_known = _differences(turns, turns_less)
    sums = [a + b for a, b in zip(turns.fixed, turns_less.fixed, strict=True)]
    gap = less.origin - e.origin
    amplitude, amplitude_less = e.exact_amplitude, less.exact_amplitude
    factors = np.where(is_known, [[float(amplitude)], [float(amplitude - amplitude_less)]], np.nan)
    return WaveDifference(
        halves=Turns.from_fixed([difference >> 1 for difference in differences]),
        means=Turns.from_fixed([total >> 1 for total in sums]),
        waves=turns,
        waves_less=turns_less,
        phase_gaps=Turns.from_fixed([gap * frequency for frequency in turns_less.fixed]),
        origin=e.origin,
        factors=factors,
        columns=indices,
        pair_of=pair_of.ravel(),
        sines=sines[indices],
    )


def are_almost_equal(first: Encoding, second: Encoding) -> bool:
    """Return whether any two frequencies are so close that subtracting them cancels digits."""
    if not isinstance(first, Steady) or not isinstance(second, Steady):
        return False
    pairs = zip(first.turns.fixed, second.turns.fixed, strict=False)
    return any(_EQUAL < abs(a - b) < abs(a) >> _ALMOST_BITS for a, b in pairs)


def _differences(waves: Turns, waves_less: Turns) -> tuple[list[int], Bools]:
    """Return differences of frequencies in fixed point, and a mask of the accurate differences."""
    differences = [a - b for a, b in zip(waves.fixed, waves_less.fixed, strict=True)]
    is_known = np.array([abs(d) >= _MIN_KNOWN for d in differences], dtype=bool)
    if waves.radians is None and waves_less.radians is None:
        is_equal = np.array([abs(d) <= _EQUAL for d in differences], dtype=bool)
    else:
        parts = zip(waves.radians_with_error, waves_less.radians_with_error, strict=True)
        is_equal = np.logical_and.reduce([a == b for a, b in parts]) & ~is_known
    differences = [0 if equal else d for d, equal in zip(differences, is_equal, strict=True)]
    return differences, is_known | is_equal
