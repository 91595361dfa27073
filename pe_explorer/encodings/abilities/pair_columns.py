"""Where the sines and the cosines of waves stand in a table, and how they are written there."""

from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.caching import cached
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.numeric import rotation
from pe_explorer.numeric.positions import Positions
from pe_explorer.numeric.rotation import Amplitude
from pe_explorer.numeric.turns import Turns


class PairColumns(NamedTuple):
    """The columns of a table of sines and cosines.

    Attributes
    ----------
    width : int
        The number of columns.
    waves, pairs : int
        The number of waves, and of those that have both a sine and a cosine; they come first.
    layout : str
        ``interleaved`` or ``concatenated``: whether the partners of pairs are side by side.
    sine_first : bool
        Whether the first wave of a pair, or the only one, is the sine.
    """

    width: int
    waves: int
    pairs: int
    layout: str
    sine_first: bool

    @property
    def places(self) -> tuple[slice, slice]:
        """The columns of the first waves and of their partners, in the order of the waves."""
        if self.pairs and self.layout == "interleaved":
            return slice(0, 2 * self.waves - 1, 2), slice(1, 2 * self.pairs, 2)
        return slice(0, self.waves), slice(self.waves, self.waves + self.pairs)

    @property
    def wave_of(self) -> Ints:
        """The wave of each column; -1 for a column of zeros."""
        return _wave_of(self)

    @property
    def sines(self) -> Bools:
        """Whether each column is a sine."""
        return _sines(self)

    def code(self, library: Library, sine: str, cosine: str) -> str:
        """Return code that puts the columns together, from code for all sines and cosines."""
        first, second = (sine, cosine) if self.sine_first else (cosine, sine)
        if not self.pairs:
            return first
        cut = f"[:, :{self.pairs}]" if self.waves > self.pairs else ""
        empty = self.width - self.waves - self.pairs
        zeros = [library.zeros("len(positions)", empty)] if empty else []
        if self.layout == "concatenated":
            return library.join(first, second + cut, *zeros)
        table = library.pairs(first, second, 2 * self.waves)
        if zeros:
            return library.join(table, *zeros)
        return f"{table}[:, :{self.width}]" if cut else table

    def write(
        self, turns: Turns, half_steps: Positions, out: Floats, amplitude: Amplitude = None
    ) -> None:
        """Write amplitude·(sine, cosine) of the phases to their columns of `out`."""
        side_by_side = self.layout == "interleaved" and self.width == 2 * self.pairs
        if side_by_side and isinstance(half_steps, range):
            count = rotation.rotated_rows(half_steps)
            self._write_pairs(turns, half_steps[:count], out[:count].view(np.complex128), amplitude)
            half_steps, out = half_steps[count:], out[count:]
        first_columns, second_columns = self.places
        first = out[:, first_columns]
        second = out[:, second_columns]
        for rows, pairs, block in rotation.sweep(turns, half_steps, amplitude):
            wave, partner = block.imag, block.real
            if not self.sine_first:
                wave, partner = partner, wave
            first[rows, pairs] = wave
            partners = second[rows, pairs]
            partners[...] = partner[:, : partners.shape[1]]
        out[:, self.waves + self.pairs :] = 0.0

    def _write_pairs(
        self, turns: Turns, half_steps: range, out: Phasors, amplitude: Amplitude
    ) -> None:
        """Write straight to a table whose pairs are complex numbers.

        These are exp(iθ), or sin θ + i cos θ = i·exp(-iθ).
        """
        zero = rotation.row_of_zero(half_steps)
        for pairs, tile in turns.tiles:
            factor = None if amplitude is None else amplitude[pairs]
            fine, blocks = rotation.anchors(tile, half_steps, factor)
            if self.sine_first:
                fine = fine.conj()
            for rows, anchors in blocks:
                if self.sine_first:
                    anchors = 1j * anchors.conj()
                rotation.rotate(anchors, fine, out[rows, pairs])
            if zero >= 0:
                turned = 1j if self.sine_first else 1.0
                out[zero, pairs] = turned if factor is None else turned * factor


@cached(2**21)
def _wave_of(columns: PairColumns) -> Ints:
    wave_of = np.full(columns.width, -1)
    first, second = columns.places
    wave_of[first] = np.arange(columns.waves)
    wave_of[second] = np.arange(columns.pairs)
    wave_of.flags.writeable = False
    return wave_of


@cached(2**21)
def _sines(columns: PairColumns) -> Bools:
    first, _ = columns.places
    sines = np.full(columns.width, not columns.sine_first)
    sines[first] = columns.sine_first
    sines.flags.writeable = False
    return sines
