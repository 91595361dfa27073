"""The ability of encodings whose every number is the position, divided by one number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.numeric.positions import Positions, as_column, doubled_centres

__all__ = ["Line"]

Floats = npt.NDArray[np.float64]


class Line(Encoding):
    """An encoding whose every number at position p is p / divisor: its rows lie on one line."""

    @property
    def divisor(self) -> int:
        """The number that a position is divided by."""
        raise NotImplementedError

    def _fill(self, positions: Positions, out: Floats) -> None:
        out[:] = as_column(positions) / self.divisor

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = doubled_centres(start, block, len(out))
        out[:] = as_column(centres) / (2 * self.divisor)
