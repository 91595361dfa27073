"""Points of a figure in their order, joined by a line, and coloured from the first to the last."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints

_LARGEST_RADIUS, _SMALLEST_RADIUS = 3.0, 1.25  # of a point, in pixels of the screen
_CROWDED = 40.0  # more points are smaller


class Trail(NamedTuple):
    """Points in the plane, joined in their order; the first is dark, the last bright.

    Attributes
    ----------
    x, y : (n,) float64
        Where they are.
    numbers : range
        The whole number that each stands for, counted from the first of `counted`.
    counted : (str, int, int)
        Name, first and number of what the colours run through, such as positions.
    marked : int or None
        Which point the cursor is at.
    """

    x: Floats
    y: Floats
    numbers: range
    counted: tuple[str, int, int]
    marked: int | None = None

    @property
    def visible(self) -> bool:
        return len(self.x) > 0

    @property
    def radius(self) -> float:
        shrink: float = (_CROWDED / max(_CROWDED, len(self.x))) ** 0.25
        return max(_SMALLEST_RADIUS, _LARGEST_RADIUS * shrink)

    def shades(self, colours: int) -> Ints:
        """Return which of so many colours each point has."""
        *_, count = self.counted
        scale = (colours - 1) / max(1, count - 1)
        shades: Ints = np.rint(scale * np.array(self.numbers)).astype(np.int64)
        return shades

    def parts(self, colours: int) -> Iterator[tuple[int, slice]]:
        """Yield each colour with its points, and the first of the next, to which its line leads."""
        shades = self.shades(colours)
        starts = np.flatnonzero(np.diff(shades, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], len(shades)], strict=True):
            yield int(shades[start]), slice(start, end + 1)

    def nearest(self, x: float, y: float) -> int | None:
        """Return the point nearest to a place, None where there are no points."""
        if not self.visible:
            return None
        return int(np.hypot(self.x - x, self.y - y).argmin())

    def number(self, place: int) -> int:
        """Return the whole number that a point stands for."""
        _, first, _ = self.counted
        return first + self.numbers[place]

    def place_of(self, number: int) -> int | None:
        """Return the point that stands for a whole number, None where there is none."""
        _, first, _ = self.counted
        offset = number - first
        return self.numbers.index(offset) if offset in self.numbers else None

    def value_at(self, x: float, y: float) -> float | None:
        """Return the whole number that the point nearest to a place stands for."""
        found = self.nearest(x, y)
        return None if found is None else float(self.number(found))
