"""What is looked at where an encoding is pinned: the current one, the pinned one, or their difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, angle_difference
from pe_explorer.encodings import Encoding, Unknown, known
from pe_explorer.params import Choice

__all__ = ["SHOW", "Subject", "chosen"]

Floats = npt.NDArray[np.float64]

SHOW = Choice(
    "current",
    {
        "current": "the encoding that is set up",
        "pinned": "the pin that is compared with",
        "difference": "the current encoding minus the pinned one, in the dimensions that both have",
    },
    label="Show",
    help="Which encoding is shown, where one is pinned to compare with.",
)


@dataclass(frozen=True)
class Subject:
    """An encoding, minus another for the difference; `show` is the choice of `SHOW` that made it."""

    show: str
    encoding: Encoding
    less: Encoding | None = None

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """The encodings that are looked at."""
        return (self.encoding,) if self.less is None else (self.encoding, self.less)

    @property
    def dim(self) -> int:
        """The number of dimensions that all of them have."""
        return min(e.dim for e in self.encodings)

    @cached_property
    def angles(self) -> Encoding | AngleDifference:
        """What tells the angles: a mean angle of the difference is none of the two means."""
        return self.encoding if self.less is None else angle_difference(self.encoding, self.less)

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the values, shape (n, dim), as `Encoding.table` does."""
        if self.less is None:
            return self.encoding.table(positions, out)
        own, other = (e.table(positions)[:, : self.dim] for e in self.encodings)
        return np.subtract(own, other, out=out)

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return their means over consecutive blocks, shape (rows, dim): of a difference, the difference of the means."""
        own, *other = (e.block_means(start, block, rows)[:, : self.dim] for e in self.encodings)
        return own - other[0] if other else own


def chosen(show: str, e: Encoding | Unknown, pinned: Encoding | Unknown | None) -> Subject:
    """Return what a choice of `SHOW` means; without a pinned encoding, it is the current one.

    Raises
    ------
    EncodingError
        If an encoding that is looked at is not known here.
    """
    if pinned is None or show == "current":
        return Subject("current", known(e))
    other = known(pinned, "pin")
    return Subject(show, other) if show == "pinned" else Subject(show, known(e), other)
