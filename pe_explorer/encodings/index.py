"""The position itself, the first idea that everyone has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings._base import Encoding, width
from pe_explorer.encodings._code import Library
from pe_explorer.encodings._positions import Positions, as_column


@dataclass(frozen=True)
class Index(Encoding):
    """Every dimension is the position: simple, and without bound.

    PE(p, j) = p. Shown in the documents only to be rejected: the values grow without
    limit, and drown the word vectors that they are added to.
    """

    name: ClassVar[str] = "index"
    rank: ClassVar[int] = 20

    dim: int = width(16)

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make the table."""
        return (f"table = positions[:, None] + {library.zeros('1', self.dim)}",)

    @property
    def divisor(self) -> int:
        """The position itself."""
        return 1

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        """Return the formula of one value, then with its numbers."""
        return (f"PE(p, {dimension}) = p", f"= {position}")

    def _fill(self, positions: Positions, out: npt.NDArray[np.float64]) -> None:
        out[:] = as_column(positions)

    def _fill_means(self, start: int, block: int, out: npt.NDArray[np.float64]) -> None:
        twice = 2 * start + block - 1  # the centre of the first block, doubled: a whole number
        out[:] = as_column(range(twice, twice + 2 * block * len(out), 2 * block)) / 2
