"""Waves whose angles are not proportional to the position, unlike those of all schemes so far."""

from dataclasses import dataclass

import numpy as np

from pe_explorer.encodings import Rotary, Waves
from pe_explorer.encodings.abilities.absolute import Absolute, declare_embedding_width


class _Uneven(Waves):
    """The angle of wave i is the square of the position, divided by 2^i, in degrees."""

    @property
    def domain(self):
        return range(-1000, 1001)

    def degrees(self, positions):
        return np.square(np.asarray(positions, float))[:, None] / 2.0 ** np.arange(self.pairs)

    def phasors(self, positions, waves=slice(None)):
        return np.exp(1j * np.radians(self.degrees(positions)))[:, waves]

    def phasor_means(self, start, block, rows):
        means = [self.phasors(range(start + n * block, start + (n + 1) * block)).mean(axis=0)
                 for n in range(rows)]  # fmt: skip
        return np.array(means).reshape(rows, self.pairs)

    def radians(self, positions, *, is_wrapped):
        degrees = self.degrees(positions)
        return np.radians(degrees % 360 if is_wrapped else degrees)

    def turn(self, wave, position):
        whole, part = divmod(self.degrees([position])[0, wave], 360)
        return int(whole), part / 360

    def explain(self, position, column):
        return ("a formula",)

    def code(self, library):
        return ("table = positions",)

    def _fill(self, positions, out):
        self._write(self.phasors(positions), out)

    def _fill_means(self, start, block, out):
        self._write(self.phasor_means(start, block, len(out)), out)

    def _write(self, phasors, out):
        by_column = phasors[:, self.wave_indices]
        out[:] = self.amplitude * np.where(self.sines, by_column.imag, by_column.real)


@dataclass(frozen=True)
class Uneven(Absolute, _Uneven):
    """Sines and cosines of squared positions."""

    name = "uneven"
    rank = 990

    dim: int = declare_embedding_width(8)

    @property
    def value_range(self):
        return -1.0, 1.0

    @property
    def wave_indices(self):
        return np.arange(self.dim) // 2

    @property
    def sines(self):
        return np.arange(self.dim) % 2 == 0

    @property
    def pairs(self):
        return self.dim // 2


@dataclass(frozen=True)
class UnevenRotary(Rotary, _Uneven):
    """Rotary encodings whose angles depend on the squared position."""

    name = "uneven-rotary"
    family = "rotary"
    rank = 991

    head_dim: int = declare_embedding_width(8)
    layout = "half"

    @property
    def rotary(self):
        return self.head_dim
