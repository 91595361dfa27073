"""Lines in a figure: curves, and dashed lines that mark one number of an axis."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.colours.markers import MARKERS, Marker
from pe_explorer.pictures.places import Axis, Rectangle

_LEAST_ABOVE = 0.85  # of an axis: above it a level line has its name below
_MARKERS = 6  # on a curve


class Curve(NamedTuple):
    """A line through points, shape (points,) each; nan leaves a gap.

    `colour` is ``accent`` or one of the pins' colours. `lack` says in few words why there is
    nothing to draw. `brief` is a name where there is little room, empty for the same. What has
    no name is not in the legend. `stepped` says that each number holds from half way before to half
    way after its place, and that the ground below the first curve is filled.
    """

    name: str
    x: Floats
    y: Floats
    colour: str = "accent"
    lack: str = ""
    brief: str = ""
    stepped: bool = False

    @property
    def outline(self) -> tuple[Floats, Floats]:
        """The points that the line goes through."""
        if not self.stepped:
            return self.x, self.y
        half = (self.x[1] - self.x[0]) / 2
        edges = np.column_stack([self.x - half, self.x + half]).ravel()
        heights = np.repeat(self.y, 2)
        # The first step begins on the ground, and the last one ends there.
        return np.pad(edges, 1, mode="edge"), np.pad(heights, 1)

    @property
    def marker(self) -> Marker | None:
        """The shape that tells it from other curves without colour, None of the current one."""
        return MARKERS.get(self.colour)

    def with_marker(self, axis: Axis) -> npt.NDArray[np.intp]:
        """Return which points of the outline have a marker: a few, equally far apart.

        They lie in the shown part of the `axis`. Those of another colour begin elsewhere, so that
        the markers of curves that cover each other can be seen.
        """
        if self.marker is None or not self.name:
            return np.empty(0, dtype=np.intp)
        x, y = self.outline
        seen = np.flatnonzero(np.isfinite(y) & (x >= axis.low) & (x <= axis.high))
        if len(seen) <= _MARKERS:
            return seen
        parts = (np.arange(_MARKERS) + self._first_marker) / _MARKERS
        return seen[(parts * len(seen)).astype(np.intp)]

    @property
    def _first_marker(self) -> float:
        """How far from the left the first one is, as part of the gap between two."""
        return (list(MARKERS).index(self.colour) + 0.5) / len(MARKERS)

    @property
    def bars(self) -> tuple[Rectangle, ...]:
        """What lies below the steps, none of a curve without steps."""
        if not self.stepped or not self.visible:
            return ()
        width = float(self.x[1] - self.x[0])
        pairs = zip(self.x.tolist(), self.y.tolist(), strict=True)
        return tuple(Rectangle(x - width / 2, 0.0, width, y) for x, y in pairs if y > 0)

    @property
    def called(self) -> str:
        """What it is called on paper: as briefly as on the screen, unless that is cut off."""
        is_whole = self.brief and not self.brief.endswith("…")
        return self.brief if is_whole else self.name

    @property
    def visible(self) -> bool:
        """Whether there is a number to draw."""
        return bool(np.isfinite(self.y).any())

    def value_at(self, x: float) -> float | None:
        """Return the number nearest to a place, None beyond the curve's ends."""
        if not len(self.x):
            return None
        first, last = self.x[0], self.x[-1]
        reach = 0.5
        if len(self.x) > 1:
            reach = (self.x[1] - first) / 2
        if not first - reach <= x <= last + reach:
            return None
        nearest = int(np.abs(self.x - x).argmin())
        return float(self.y[nearest])


class Mark(NamedTuple):
    """A dashed line across a panel at one `x`; `label` stands at its upper end."""

    x: float
    name: str
    label: str = ""


class Level(NamedTuple):
    """A dashed level line at one `y`; its name stands at its left end."""

    y: float
    name: str

    def is_high(self, axis: Axis) -> bool:
        """Return whether there is no room for the name above the line."""
        return axis.part(self.y) > _LEAST_ABOVE
