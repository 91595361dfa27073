"""The angles of one encoding minus those of another, as waves of their own.

Where one angle is ω·(p + offset) and another ω'·(p + offset'), their difference is
(ω - ω')·p + (ω·offset - ω'·offset'): a wave again, whose frequency and phase at position 0
are differences of fixed-point numbers and so exact. Means over blocks then have the closed
form of every wave. They do not follow from the two means: the angle of a mean turns by half
a turn where the mean passes through zero, and the mean of the difference does not.
"""

from dataclasses import dataclass, replace

import numpy as np

from pe_explorer.analysis.columns import common_columns
from pe_explorer.arrays import Floats, Ints, Phasors
from pe_explorer.caching import cached
from pe_explorer.encodings import Waves
from pe_explorer.encodings.abilities.waves import periods_of
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import doubled_centres
from pe_explorer.numeric.turns import Turns
from pe_explorer.params import Choice

ANGLE_TURNS = Choice(
    "all",
    {
        "all": "all turns that were made",
        "one": "one turn, 0 to 2π, after which angles begin again",
    },
    label="Turns",
    help="What angles in radians count.",
)
"""Which turns angles in radians count."""

_DOUBTFUL = 1e-2  # radians below which a phase of 64 bits has too few digits


@dataclass(frozen=True)
class AngleDifference:
    """The angles of one encoding minus those of another, with the methods that `Waves` has.

    Attributes
    ----------
    turns : Turns
        The exact frequencies of the differences, one for each two waves that are compared.
    phases : Turns
        Their phases at position 0, in turns.
    wave_of : (dim,) int64
        The difference that belongs to each common column; -1 where either has no wave.
    """

    turns: Turns
    phases: Turns
    wave_of: Ints

    __eq__, __hash__ = object.__eq__, object.__hash__  # arrays are equal element by element

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
        origin: Phasors = self.phases.exact(one_position)[0]
        return rotation.gather(self.turns, half_steps, origin * amplitudes)


@cached(2**25)
def angle_difference(e: Waves, less: Waves) -> AngleDifference:
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


def radians(e: Waves, positions: range, *, one_turn: bool) -> Floats:
    """Return the angles of all waves at positions in radians, shape (n, waves).

    They have all turns that were made, negative ones before the origin, or are those within one
    turn, 0 to 2π. Each is right to 4e-16 of itself.
    """
    half_steps = 2 * (np.asarray(positions, dtype=np.int64) + e.origin)
    angles = e.turns.angles(half_steps)
    if not one_turn:
        return angles
    turned = (angles < 0) | (angles >= 2 * np.pi)
    phases = e.turns.phases(half_steps)[turned]
    angles[turned] = phases.view(np.uint64) * (2 * np.pi / 2**64)
    for row, wave in np.argwhere(turned & (angles < _DOUBTFUL)).tolist():
        _, fraction = e.turn(wave, positions[row])
        angles[row, wave] = 2 * np.pi * fraction
    angles[angles == 2 * np.pi] = 0.0  # as of degrees
    return angles
