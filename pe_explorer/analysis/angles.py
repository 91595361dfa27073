"""The difference between the angles, or the waves, of two encodings.

If the angles are ω·(p + offset) and ω'·(p + offset'), their difference is (ω - ω')·p +
(ω·offset - ω'·offset'), which is the angle of another wave. The frequency of this wave
and its phase at position 0 are differences of fixed-point numbers and therefore exact.
The mean of this wave over a block has the same closed form as that of any other wave.
The mean cannot be computed from the means of the two original waves, because the angle
of a mean jumps by half a turn when the mean passes through zero.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.caching import cache_results
from pe_explorer.encodings import Encoding, Steady, needs
from pe_explorer.encodings.abilities.waves import compute_periods
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, list_doubled_centres
from pe_explorer.numeric.turns import HalfSteps, Turns, to_half_steps
from pe_explorer.params import Choice

ANGLE_TURNS = Choice(
    "all",
    {"all": "all turns", "one": "one turn, from 0 to 2π"},
    label="Turns",
    help="Whether angles include complete turns.",
)


@lru_cache(maxsize=8)  # plots and texts call this often, and it is slow for thousands of columns
def find_common_columns(first: Encoding, second: Encoding) -> tuple[Ints, Ints]:
    """Return the indices of the columns that have the same meaning in both encodings.

    The result is one array for each encoding, shape (m,), in the order of the first
    encoding. The arrays are read-only. They are empty if the encodings have different
    column axes.
    """
    columns, other_columns = np.arange(0), np.arange(0)
    if first.columns == second.columns:
        meanings, other_meanings = first.list_column_meanings(), second.list_column_meanings()
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
    """The angles of one encoding minus those of another, with methods like those of `Waves`."""

    turns: Turns  # the exact frequencies of the differences, one per pair of waves
    phases: Turns  # the phases of the differences at position 0, in turns
    wave_indices: Ints  # the difference of each common column; -1 if a wave is missing

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self.turns.nbytes + self.phases.nbytes + self.wave_indices.nbytes

    def phasors(self, positions: range) -> Phasors:
        """Return cos θ + i sin θ of each difference θ at positions, shape (n, waves)."""
        return self._gather_phasors(to_half_steps(positions, 0), 1.0)

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        """Return the block means of `phasors`, shape (rows, waves)."""
        amplitudes = block_means.amplitudes(self.turns, block)
        return self._gather_phasors(list_doubled_centres(start, block, rows), amplitudes)

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return an angle difference at a position as whole turns and a fraction of a turn."""
        return self.turns.turn(wave, position, self.phases.fixed[wave])

    def periods(self) -> Floats:
        """Return each column's period in positions, shape (columns,); 0 if it is constant."""
        return compute_periods(self.turns.frequencies, self.wave_indices)

    def _gather_phasors(self, half_steps: range | HalfSteps, amplitudes: Floats | float) -> Phasors:
        origin: Phasors = self.phases.phasors(np.array([2]))[0]  # two half-steps make one position
        return rotation.gather(self.turns, half_steps, origin * amplitudes)


@cache_results(2**25)  # the cursor and all parts of a plot need the same difference
def subtract_angles(first: Steady, second: Steady) -> AngleDifference:
    """Return the angles of the first encoding minus those of the second, for common columns."""
    columns, second_columns = find_common_columns(first, second)
    waves, second_waves = first.wave_indices[columns], second.wave_indices[second_columns]
    has_waves = (waves >= 0) & (second_waves >= 0)
    count = int(second_waves.max(initial=-1)) + 1
    keys = waves[has_waves] * count + second_waves[has_waves]  # a unique number per pair of waves
    distinct_keys, indices = np.unique(keys, return_inverse=True)
    wave_indices = np.full(len(columns), -1)
    wave_indices[has_waves] = indices
    wave_indices.flags.writeable = False
    differences, phase_differences = [], []
    for key in distinct_keys.tolist():
        wave, second_wave = divmod(key, count)
        frequency, second_frequency = first.turns.fixed[wave], second.turns.fixed[second_wave]
        differences.append(frequency - second_frequency)
        phase_differences.append(frequency * first.origin - second_frequency * second.origin)
    phases = replace(Turns.from_fixed(phase_differences), cache_row_limit=0)
    return AngleDifference(Turns.from_fixed(differences), phases, wave_indices)


def degrees(phasors: Phasors) -> Floats:
    """Return the angles of phasors in degrees, 0 <= angle < 360."""
    angles = np.degrees(np.angle(phasors)) % 360.0
    angles[angles == 360.0] = 0.0  # rounding turns a tiny negative angle into 360
    return angles


def expand_to_columns(values: Floats, wave_indices: Ints) -> Floats:
    """Return the value of each column's wave, shape (n, columns); nan if a column has no wave."""
    missing_column = np.full((len(values), 1), np.nan)
    return np.hstack([values, missing_column])[:, wave_indices]  # index -1 selects the last column


def explain_no_difference(first: Encoding, second: Encoding) -> str:
    """Return why the angles of two encodings cannot be subtracted, or "" if they can."""
    problems = [needs.steady(e) for e in (first, second) if not needs.waves(e)]
    return next(filter(None, problems), "")


# Subtracting two sines that are close to each other cancels digits. This identity avoids the
# cancellation:
#
#     exp(iα) - exp(iβ) = 2i · sin((α - β)/2) · exp(i(α + β)/2)
#
# Half the difference and the mean of two frequencies are exact in fixed point. Means over blocks
# also need the difference of the two amplitudes.

_EQUAL_TOLERANCE = 1 << 32  # maximum fixed-point difference between frequencies that count as equal
_MIN_SHARED_BITS = 20  # minimum number of leading bits that almost equal frequencies share
_MIN_DIFFERENCE = 1 << 88  # smaller fixed-point differences have fewer than 56 accurate bits


@dataclass(frozen=True, eq=False)  # no equality, because comparing arrays gives an array
class WaveDifference:
    """The differences between corresponding waves of two encodings."""

    half_differences: Turns  # half the differences of the frequencies
    means: Turns  # the means of the frequencies
    first: Turns  # the frequencies of the first encoding
    second: Turns  # the frequencies of the second encoding, which is subtracted
    phase_gaps: Turns  # the phase lead of the second encoding, caused by different origins
    factors: Floats
    """The first encoding's amplitude, and the difference between both amplitudes (first minus
        second), shape (2, pairs); nan if the frequency difference has no accurate digits."""
    columns: Ints  # the indices of the common columns whose waves can be subtracted
    pair_indices: Ints  # the index of the pair of waves for each column in `columns`
    sines: Bools  # whether each column in `columns` is a sine
    origin: int  # the number added to each position before angles are computed

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(getattr(values, "nbytes", 0) for values in vars(self).values())

    def write(self, positions: Positions, out: Floats) -> None:
        """Write the differences at positions to their columns of `out`, shape (n, width)."""
        self._write(self._compute_phasors(to_half_steps(positions, self.origin)), out)

    def write_means(self, start: int, block: int, out: Floats) -> None:
        """Write the block means of the differences to their columns of `out`, shape (n, width)."""
        centres = list_doubled_centres(start + self.origin, block, len(out))
        phasors = self._compute_phasors(centres) * block_means.amplitudes(self.second, block)
        frequencies = self.first, self.second, self.half_differences, self.means
        differences = block_means.differences(*frequencies, block)
        phasors += rotation.gather(self.first, centres) * (differences * self.factors[0])
        self._write(phasors, out)

    def _compute_phasors(self, half_steps: range | HalfSteps) -> Phasors:
        """Return the differences between phasors scaled by amplitudes, shape (n, pairs)."""
        half_gap: Phasors = self.phase_gaps.phasors(np.array([1]))[0]
        gap, conj_gap = (half_gap, half_gap.conj()) if any(self.phase_gaps.fixed) else (None, None)
        sines = rotation.gather(self.half_differences, half_steps, conj_gap).imag
        amplitude, amplitude_difference = self.factors
        means = rotation.gather(self.means, half_steps, gap)
        phasors: Phasors = (2j * amplitude) * sines * means
        if amplitude_difference.any():
            phasors += rotation.gather(self.second, half_steps, half_gap**2) * amplitude_difference
        return phasors

    def _write(self, phasors: Phasors, out: Floats) -> None:
        values = phasors[:, self.pair_indices]
        out[:, self.columns] = np.where(self.sines, values.imag, values.real) + 0.0  # avoids -0.0


@cache_results(2**25)  # all parts of a plot need the same difference
def subtract_waves(first: Steady, second: Steady, column: int | None = None) -> WaveDifference:
    """Return the waves of the first encoding minus those of the second, for common columns.

    If `column` is given, the result contains only the common column with this index, which
    is fast even for wide encodings. The result omits columns without a wave, and columns
    that are a sine in one encoding and a cosine in the other.
    """
    columns, second_columns = find_common_columns(first, second)
    if column is not None:
        columns, second_columns = columns[[column]], second_columns[[column]]
    waves, second_waves = first.wave_indices[columns], second.wave_indices[second_columns]
    sines = first.sines[columns]
    is_same_kind = sines == second.sines[second_columns]
    indices = np.flatnonzero((waves >= 0) & (second_waves >= 0) & is_same_kind)
    wave_pairs = np.column_stack([waves[indices], second_waves[indices]])
    pairs, pair_indices = np.unique(wave_pairs, axis=0, return_inverse=True)
    turns = first.turns.part(pairs[:, 0].tolist())
    second_turns = second.turns.part(pairs[:, 1].tolist())
    differences, has_accurate_digits = _subtract_frequencies(turns, second_turns)
    frequencies = zip(turns.fixed, second_turns.fixed, strict=True)
    gap, amplitude = second.origin - first.origin, first.exact_amplitude
    amplitudes = [float(amplitude)], [float(amplitude - second.exact_amplitude)]
    return WaveDifference(
        half_differences=Turns.from_fixed([difference >> 1 for difference in differences]),
        means=Turns.from_fixed([(a + b) >> 1 for a, b in frequencies]),
        first=turns,
        second=second_turns,
        phase_gaps=Turns.from_fixed([gap * frequency for frequency in second_turns.fixed]),
        factors=np.where(has_accurate_digits, amplitudes, np.nan),
        columns=indices,
        pair_indices=pair_indices.ravel(),
        sines=sines[indices],
        origin=first.origin,
    )


def are_almost_equal(first: Encoding, second: Encoding) -> bool:
    """Return whether corresponding frequencies differ so little that subtraction loses digits."""
    if not isinstance(first, Steady) or not isinstance(second, Steady):
        return False
    pairs = zip(first.turns.fixed, second.turns.fixed, strict=False)
    return any(_EQUAL_TOLERANCE < abs(a - b) < abs(a) >> _MIN_SHARED_BITS for a, b in pairs)


def _subtract_frequencies(first: Turns, second: Turns) -> tuple[list[int], Bools]:
    """Return fixed-point differences between frequencies, and whether each one is accurate."""
    differences = [a - b for a, b in zip(first.fixed, second.fixed, strict=True)]
    has_accurate_digits = np.array([abs(d) >= _MIN_DIFFERENCE for d in differences], dtype=bool)
    if first.radians is None and second.radians is None:
        is_equal = np.array([abs(d) <= _EQUAL_TOLERANCE for d in differences], dtype=bool)
    else:
        array_pairs = zip(first.radians_with_error, second.radians_with_error, strict=True)
        is_equal = np.logical_and.reduce([a == b for a, b in array_pairs]) & ~has_accurate_digits
    differences = [0 if is_same else d for d, is_same in zip(differences, is_equal, strict=True)]
    return differences, has_accurate_digits | is_equal
