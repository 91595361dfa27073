"""Lines in a figure: curves, and dashed lines at values of an axis."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.pictures.places import PanelAxis, Rectangle

_MIN_HIGH_LINE_SHARE = 0.85  # fraction of the axis above which a line's name is below the line


class Band(NamedTuple):
    """The range of values at each point of a curve, as arrays of shape (points,)."""

    low: Floats
    high: Floats
    is_exact: bool = True  # an exact range is drawn with its edges, a bound with the mean inside


class Curve(NamedTuple):
    """A line through points, with arrays of shape (points,)."""

    name: str  # empty for a curve that is not in the legend
    x: Floats
    y: Floats  # nan for a gap; the mean if a point represents many positions
    colour: str = "accent"  # ``accent``, a pin colour, or a custom colour such as ``#d62728``
    missing_reason: str = ""  # brief reason why no point is visible
    brief: str = ""  # short form of the name; empty if the name has no short form
    # Whether the curve is constant around each point, up to the midpoints between points. If the
    # first curve is stepped, the area below it is filled.
    is_stepped: bool = False
    # Value at the base of the filled bars, or None if the first curve does not consist of bars.
    # Every two points are the upper corners of a bar.
    bar_base: float | None = None
    # Kind of area that a legend entry without points describes: ``shaded``, ``hatched`` or
    # ``band``. It is empty for all other curves.
    area: str = ""
    original_name: str = ""  # name before a style replaced it; empty if not replaced
    band: Band | None = None  # range of the values if a point represents many positions
    dash: str = ""  # dash pattern, or the colour that has it; empty for the pattern of `colour`
    width: float = 0.0  # line width from a style; 0 for the default

    @property
    def outline(self) -> tuple[Floats, Floats]:
        """The coordinates of the line; the points of a band alternate between its edges."""
        if self.band is not None:
            return np.repeat(self.x, 2), np.ravel([self.band.low, self.band.high], order="F")
        if not self.is_stepped:
            return self.x, self.y
        half = (self.x[1] - self.x[0]) / 2
        edges = np.column_stack([self.x - half, self.x + half]).ravel()
        heights = np.repeat(self.y, 2)
        return np.pad(edges, 1, mode="edge"), np.pad(heights, 1)  # start and end at 0

    @property
    def bars(self) -> tuple[Rectangle, ...]:
        if self.bar_base is not None:
            low, edges = self.bar_base, [*self.x[::2].tolist(), float(self.x[-1])]
            ends = zip(pairwise(edges), self.y[::2].tolist(), strict=True)
            return tuple(Rectangle(x, low, end - x, y - low) for (x, end), y in ends if y > low)
        if not self.is_stepped or not self.is_visible:
            return ()
        width = float(self.x[1] - self.x[0])
        pairs = zip(self.x.tolist(), self.y.tolist(), strict=True)
        return tuple(Rectangle(x - width / 2, 0.0, width, y) for x, y in pairs if y > 0)

    @property
    def lines(self) -> tuple[Floats, ...]:
        """The y values of the lines on paper: the edges of an exact band, or else the curve."""
        if self.band is not None and self.band.is_exact:
            return self.band.high, self.band.low
        return (self.y,)

    @property
    def bar_outline(self) -> Curve:
        """The outline of the filled area below the curve."""
        if self.bar_base is None:
            return self
        low = self.bar_base
        y = np.where(self.y > low, self.y, low)
        x = np.pad(self.x, 1, mode="edge")
        return self._replace(x=x, y=np.pad(y, 1, constant_values=low))

    @property
    def legend_name(self) -> str:
        """The name in legends on paper: the brief name unless it is missing or truncated."""
        return self.brief if self.brief and not self.brief.endswith("…") else self.name

    @property
    def is_visible(self) -> bool:
        return bool(np.isfinite(self.y).any())

    def find_value(self, x: float) -> float | None:
        """Return the y value of the point nearest to `x`, or None if `x` is outside the curve."""
        if not len(self.x):
            return None
        first, last = self.x[0], self.x[-1]
        reach = (self.x[1] - first) / 2 if len(self.x) > 1 else 0.5
        if not first - reach <= x <= last + reach:
            return None
        return float(self.y[np.abs(self.x - x).argmin()])


class MarkLine(NamedTuple):
    """A dashed vertical line with a `label` at its top."""

    x: float
    name: str
    label: str = ""
    original_name: str = ""  # label before a style replaced it; empty if not replaced


class LevelLine(NamedTuple):
    """A dashed horizontal line."""

    y: float
    name: str
    original_name: str = ""  # name before a style replaced it; empty if not replaced

    def is_high(self, axis: PanelAxis) -> bool:
        """Return whether the line is too high for its name to fit above it."""
        return axis.part(self.y) > _MIN_HIGH_LINE_SHARE


class Dot(NamedTuple):
    """A dot in the colour of its curve."""

    x: float
    y: float
    colour: str
