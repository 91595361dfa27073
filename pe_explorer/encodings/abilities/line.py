"""The ability of encodings whose rows lie on one line: each is a multiple of one row."""

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.numeric.positions import Positions, as_column, doubled_centres


class Multiples(Encoding):
    """An encoding whose row is `factors` times `slopes`, divided by `divisor`.

    The factors of whole positions are whole numbers, so their differences are exact, where those
    of rows would have lost digits at far positions.
    """

    @property
    def slopes(self) -> Floats:
        """The row that all others are multiples of, but for the divisor, shape (width,)."""
        raise NotImplementedError

    @property
    def divisor(self) -> int:
        """The number that every product is divided by."""
        return 1

    def factors(self, positions: Positions) -> Ints | Floats:
        """Return what the slopes are multiplied by at each position, shape (n,)."""
        raise NotImplementedError


class Line(Multiples):
    """An encoding whose every number at position p is p / divisor."""

    @property
    def slopes(self) -> Floats:
        return np.ones(self.width)

    def factors(self, positions: Positions) -> Ints | Floats:
        return np.asarray(positions)

    def _fill(self, positions: Positions, out: Floats) -> None:
        out[:] = as_column(positions) / self.divisor

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = doubled_centres(start, block, len(out))
        out[:] = as_column(centres) / (2 * self.divisor)
