"""The angles of one encoding minus those of another, as waves of their own, and their values.

Where one angle is ω·(p + offset) and another ω'·(p + offset'), their difference is
(ω - ω')·p + (ω·offset - ω'·offset'): a wave again, whose frequency and phase at position 0
are differences of fixed-point numbers and so exact. Means over blocks then have the closed
form of every wave. They do not follow from the two means: the angle of a mean turns by half
a turn where the mean passes through zero, and the mean of the difference does not.
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
    {"all": "all turns that were made", "one": "one turn, 0 to 2π, after which angles begin again"},
    label="Turns",
    help="What angles in radians count.",
)


@lru_cache(maxsize=8)  # a picture and its words ask again and again, also for 65,536 columns
def common_columns(e: Encoding, other: Encoding) -> tuple[Ints, Ints]:
    """Return the columns of two encodings that mean the same, (m,) each, in the order of the first.

    Both are empty where the columns of the two are not the same axis. They are shared, and cannot
    be written to.
    """
    columns, places = np.arange(0), np.arange(0)
    if e.columns == other.columns:
        meanings, other_meanings = e.column_meanings(), other.column_meanings()
        order = np.argsort(other_meanings)
        sorted_places = np.searchsorted(other_meanings, meanings, sorter=order)
        found = order[np.minimum(sorted_places, len(order) - 1)]
        both = other_meanings[found] == meanings
        columns, places = np.flatnonzero(both), found[both]
    columns.setflags(write=False)
    places.setflags(write=False)
    return columns, places


@dataclass(frozen=True, eq=False)  # arrays are equal element by element
class AngleDifference:
    """The angles of one encoding minus those of another, with the methods that `Waves` has."""

    turns: Turns  # the exact frequencies of the differences, one for each two waves compared
    phases: Turns  # their phases at position 0, in turns
    wave_of: Ints  # the difference of each common column; -1 where either has no wave

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return self.turns.nbytes + self.phases.nbytes + self.wave_of.nbytes

    def phasors(self, positions: range) -> Phasors:
        """Return cos θ + i sin θ of each difference at positions, shape (n, waves)."""
        half_steps = range(2 * positions.start, 2 * positions.stop, 2 * positions.step)
        return self._gather(half_steps, 1.0)

    def phasor_means(self, start: int, block: int, rows: int) -> Phasors:
        """Return the means of `phasors` over consecutive blocks, shape (rows, waves)."""
        amplitudes = block_means.amplitudes(self.turns, block)
        return self._gather(doubled_centres(start, block, rows), amplitudes)

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return whole turns and the fraction of a turn of one difference at a position."""
        return self.turns.turn(wave, position, self.phases.fixed[wave])

    def periods(self) -> Floats:
        """Return the positions after which each difference repeats, shape (dim,); 0 for never."""
        return periods_of(self.turns.frequencies, self.wave_of)

    def _gather(self, half_steps: range, amplitudes: Floats | float) -> Phasors:
        one_position = np.array([2])  # in half-steps
        origin: Phasors = self.phases.phasors(one_position)[0]
        return rotation.gather(self.turns, half_steps, origin * amplitudes)


@cached(2**25)
def angle_difference(e: Steady, less: Steady) -> AngleDifference:
    """Return the angles of `e` minus those of `less`, in the columns that mean the same.

    Cached, because the cursor and every part of a picture ask for the same.
    """
    columns, columns_less = common_columns(e, less)
    waves = e.wave_of[columns]
    waves_less = less.wave_of[columns_less]
    both = (waves >= 0) & (waves_less >= 0)
    count = int(waves_less.max(initial=-1)) + 1
    keys = waves[both] * count + waves_less[both]  # one number for each two waves
    distinct, places = np.unique(keys, return_inverse=True)
    wave_of = np.full(len(columns), -1)
    wave_of[both] = places
    wave_of.flags.writeable = False
    fixed, fixed_phases = [], []
    for key in distinct.tolist():
        wave, wave_less = divmod(key, count)
        frequency = e.turns.fixed[wave]
        frequency_less = less.turns.fixed[wave_less]
        fixed.append(frequency - frequency_less)
        fixed_phases.append(frequency * e.origin - frequency_less * less.origin)
    phases = replace(Turns.from_fixed(fixed_phases), kept_rows=0)
    return AngleDifference(Turns.from_fixed(fixed), phases, wave_of)


def degrees(phasors: Phasors) -> Floats:
    """Return the angles of phasors in degrees, 0 <= angle < 360."""
    angles = np.degrees(np.angle(phasors)) % 360.0
    angles[angles == 360.0] = 0.0  # the remainder of a hair below 0 is rounded up
    return angles


def by_column(numbers: Floats, wave_of: Ints) -> Floats:
    """Return numbers of waves for each column, shape (n, columns); nan where it has no wave."""
    none = np.full((len(numbers), 1), np.nan)
    return np.hstack([numbers, none])[:, wave_of]  # -1, the last, means no wave


def why_no_difference(e: Encoding, less: Encoding) -> str:
    """Return why the angles of two encodings made of waves have no difference, or an empty text."""
    lacks = [needs.steady(one) for one in (e, less) if not needs.waves(one)]
    return next(filter(None, lacks), "")


# -- the waves of one encoding minus those of another ----------------------------------------------

# Subtracting two sines that are close to each other loses digits. This identity keeps all of them:
#
#     exp(iα) - exp(iβ) = 2i · sin((α - β)/2) · exp(i(α + β)/2),
#
# where half the difference of two frequencies, and their mean, are frequencies like any other:
# exact in fixed point. Means over blocks also need the difference of the two amplitudes.

_EQUAL = 1 << 32  # in fixed point: frequencies are made in different ways, with other roundings
_ALMOST_BITS = 20  # leading bits that almost equal frequencies have in common
_LEAST_KNOWN = 1 << 88  # in fixed point: the difference of tiny frequencies that has 56 bits


@dataclass(frozen=True, eq=False)  # arrays are equal element by element
class WaveDifference:
    """The waves of one encoding minus those of another, for each two that are compared."""

    halves: Turns  # half the differences of their frequencies
    middles: Turns  # the means of their frequencies
    waves: Turns  # the frequencies of one encoding
    others: Turns  # and those of the other
    gaps: Turns  # by how much other phases are ahead, in turns, besides what frequencies do
    origin: int  # added to positions before angles are computed
    # The amplitude of the waves, and by how much it is above that of the others; nan where the
    # difference has no digits, shape (2, pairs).
    factors: Floats
    columns: Ints  # those that have such a difference, in the order of the common ones
    pair_of: Ints  # which difference each of these columns has
    sines: Bools  # whether it is one of sines

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        turns = (self.halves, self.middles, self.waves, self.others, self.gaps)
        arrays = (self.factors, self.columns, self.pair_of, self.sines)
        return sum(part.nbytes for part in (*turns, *arrays))

    def write(self, positions: Positions, out: Floats) -> None:
        """Write the differences at positions to their columns of `out`, shape (n, width)."""
        self._write(self._phasors(half_steps_of(positions, self.origin)), out)

    def write_means(self, start: int, block: int, out: Floats) -> None:
        """Write the means of consecutive blocks to their columns of `out`, shape (n, width)."""
        centres = doubled_centres(start + self.origin, block, len(out))
        phasors = self._phasors(centres) * block_means.amplitudes(self.others, block)
        apart = block_means.differences(self.waves, self.others, self.halves, self.middles, block)
        phasors += rotation.gather(self.waves, centres) * (apart * self.factors[0])
        self._write(phasors, out)

    def _phasors(self, half_steps: range | HalfSteps) -> Phasors:
        """Return the phasors of waves, times their amplitude, minus those of others: (n, pairs)."""
        ahead: Phasors = self.gaps.phasors(np.array([1]))[0]  # half of each gap
        is_ahead = any(self.gaps.fixed)
        sines = rotation.gather(self.halves, half_steps, ahead.conj() if is_ahead else None).imag
        middles = rotation.gather(self.middles, half_steps, ahead if is_ahead else None)
        amplitude, apart = self.factors
        found: Phasors = (2j * amplitude) * sines * middles
        if apart.any():
            found += rotation.gather(self.others, half_steps, ahead**2) * apart
        return found

    def _write(self, phasors: Phasors, out: Floats) -> None:
        by_pair = phasors[:, self.pair_of]
        out[:, self.columns] = np.where(self.sines, by_pair.imag, by_pair.real) + 0.0  # no -0.0


@cached(2**25)
def wave_difference(e: Steady, less: Steady, place: int | None = None) -> WaveDifference:
    """Return the waves of `e` minus those of `less`, in the columns that mean the same.

    With `place`, return the difference in that one of these columns, which takes no time in wide
    encodings. Columns without a wave, and sines that are compared with cosines, have none. Cached,
    because every part of a picture asks for the same.
    """
    columns, columns_less = common_columns(e, less)
    if place is not None:
        columns, columns_less = columns[[place]], columns_less[[place]]
    waves, waves_less = e.wave_of[columns], less.wave_of[columns_less]
    sines = e.sines[columns]
    (both,) = np.nonzero((waves >= 0) & (waves_less >= 0) & (sines == less.sines[columns_less]))
    compared = np.column_stack([waves[both], waves_less[both]])
    pairs, pair_of = np.unique(compared, axis=0, return_inverse=True)
    own, others = e.turns.part(pairs[:, 0].tolist()), less.turns.part(pairs[:, 1].tolist())
    differences, is_known = _differences(own, others)
    sums = [one + other for one, other in zip(own.fixed, others.fixed, strict=True)]
    gap = less.origin - e.origin
    amplitude, amplitude_less = e.exact_amplitude, less.exact_amplitude
    factors = np.where(is_known, [[float(amplitude)], [float(amplitude - amplitude_less)]], np.nan)
    return WaveDifference(
        halves=Turns.from_fixed([each >> 1 for each in differences]),
        middles=Turns.from_fixed([each >> 1 for each in sums]),
        waves=own,
        others=others,
        gaps=Turns.from_fixed([gap * turns for turns in others.fixed]),
        origin=e.origin,
        factors=factors,
        columns=both,
        pair_of=pair_of.ravel(),
        sines=sines[both],
    )


def are_almost_equal(e: Encoding, other: Encoding) -> bool:
    """Return whether frequencies of two encodings differ, but by so little that digits cancel."""
    if not isinstance(e, Steady) or not isinstance(other, Steady):
        return False
    both = zip(e.turns.fixed, other.turns.fixed, strict=False)
    return any(_EQUAL < abs(one - another) < abs(one) >> _ALMOST_BITS for one, another in both)


def _differences(waves: Turns, others: Turns) -> tuple[list[int], Bools]:
    """Return the differences of frequencies in fixed point, and which of them have digits."""
    found = [one - other for one, other in zip(waves.fixed, others.fixed, strict=True)]
    is_known = np.array([abs(each) >= _LEAST_KNOWN for each in found], dtype=bool)
    if waves.radians is None and others.radians is None:
        is_equal = np.array([abs(each) <= _EQUAL for each in found], dtype=bool)
    else:
        parts = zip(waves.radians_and_rest, others.radians_and_rest, strict=True)
        is_equal = np.logical_and.reduce([one == other for one, other in parts]) & ~is_known
    found = [0 if equal else each for each, equal in zip(found, is_equal, strict=True)]
    return found, is_known | is_equal
