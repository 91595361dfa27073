"""A line through points of a figure, coloured by the order of the points."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints

_MAX_RADIUS, _MIN_RADIUS = 3.0, 1.25  # radius limits of a point, in screen pixels
_MAX_LARGE_POINTS = 40.0  # maximum number of points with the largest radius


class Trail(NamedTuple):
    """A line through points in the plane, coloured from dark to bright."""

    x: Floats
    y: Floats
    numbers: range  # number of each point, relative to the first number in `counted_items`
    counted_items: tuple[str, int, int]  # name, first number and count, such as of positions
    marked_index: int | None = None  # index of the point at the cursor; None if there is none

    @property
    def is_visible(self) -> bool:
        return len(self.x) > 0

    @property
    def radius(self) -> float:
        shrink: float = (_MAX_LARGE_POINTS / max(_MAX_LARGE_POINTS, len(self.x))) ** 0.25
        return max(_MIN_RADIUS, _MAX_RADIUS * shrink)

    def shades(self, colours: int) -> Ints:
        """Return the colour index of each point, for a map of `colours` colours."""
        *_, count = self.counted_items
        scale = (colours - 1) / max(1, count - 1)
        return np.rint(scale * np.array(self.numbers)).astype(np.int64)

    def parts(self, colours: int) -> Iterator[tuple[int, slice]]:
        """Yield each colour index with a slice of its points.

        A slice includes the first point of the next colour, so that the line has no gaps.
        """
        shades = self.shades(colours)
        starts = np.flatnonzero(np.diff(shades, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], len(shades)], strict=True):
            yield int(shades[start]), slice(start, end + 1)

    def find_nearest_index(self, x: float, y: float) -> int | None:
        """Return the index of the point nearest to (x, y), or None if there are no points."""
        if not self.is_visible:
            return None
        return int(np.hypot(self.x - x, self.y - y).argmin())

    def number(self, place: int) -> int:
        _, first, _ = self.counted_items
        return first + self.numbers[place]

    def locate(self, number: int) -> int | None:
        """Return the index of the point with a number, or None if there is no such point."""
        _, first, _ = self.counted_items
        offset = number - first
        return self.numbers.index(offset) if offset in self.numbers else None

    def find_value(self, x: float, y: float) -> float | None:
        """Return the number of the point nearest to (x, y), or None if there are no points."""
        point = self.find_nearest_index(x, y)
        return None if point is None else float(self.number(point))
