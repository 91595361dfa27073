"""Abstract classes of encodings whose rows are multiples of one row."""

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.numeric.positions import Positions, as_column, list_doubled_centres


class Multiples(Encoding):
    """An encoding in which each row is a factor times `slopes`, divided by `divisor`.

    At integer positions, the factors are integers. Their differences are exact even
    for distant positions, where differences of rows would lose digits.
    """

    @property
    def slopes(self) -> Floats:
        """The row that the factors multiply, shape (width,)."""
        raise NotImplementedError

    @property
    def divisor(self) -> int:
        """The number that divides all products of factors and slopes."""
        return 1

    def factors(self, positions: Positions) -> Ints | Floats:
        """Return the factor of the slopes at each position, shape (n,)."""
        raise NotImplementedError


class LinearRows(Multiples):
    """An encoding in which every value at position p is p / divisor."""

    @property
    def slopes(self) -> Floats:
        return np.ones(self.width)

    def factors(self, positions: Positions) -> Ints | Floats:
        return np.asarray(positions)

    def _fill(self, positions: Positions, out: Floats) -> None:
        out[:] = as_column(positions) / self.divisor

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = list_doubled_centres(start, block, len(out))
        out[:] = as_column(centres) / (2 * self.divisor)
