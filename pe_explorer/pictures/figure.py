"""The description of a figure, without Qt: the window shows it, and pages are laid out from it.

Places are in the units of the axes. Whole numbers are counted from an axis' origin, because a
float64 cannot tell positions near 2^53 from each other; cells have their middles there.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pe_explorer.pictures.clock_face import Face
from pe_explorer.values import frozen

__all__ = [
    "Axis",
    "Cells",
    "Curve",
    "Figure",
    "Mark",
    "Note",
    "Panel",
    "Rectangle",
    "Substitute",
    "whole_numbers",
]

Floats = npt.NDArray[np.float64]
Number = TypeVar("Number", float, Floats)


@frozen
class Axis:
    """One direction of a panel.

    Attributes
    ----------
    title : str
        What is counted or measured.
    low, high : float
        The range shown, from `origin` on.
    origin : int or None
        The whole number that 0 stands for; None for an axis of values.
    count : int
        How many whole numbers are shown.
    down : bool
        Whether numbers grow downwards.
    rounded : bool
        Whether the range is larger than what is shown, so that it seldom moves while one explores.
    """

    title: str
    low: float
    high: float
    origin: int | None = None
    count: int = 0
    down: bool = False
    rounded: bool = False

    @property
    def length(self) -> float:
        """How far it reaches."""
        return self.high - self.low

    def part(self, number: Number) -> Number:
        """Return where a number lies: 0 at the lower end, 1 at the upper."""
        return (number - self.low) / self.length


def whole_numbers(title: str, origin: int, count: int, *, down: bool = False) -> Axis:
    """Return an axis of `count` whole numbers from `origin` on, each in the middle of its cell."""
    return Axis(title, -0.5, count - 0.5, origin, count, down)


class Rectangle(NamedTuple):
    """A part of a panel, from its least coordinates on."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends across."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where it ends downwards."""
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, across and down."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def empty(self) -> bool:
        """Whether nothing lies in it."""
        return self.width <= 0 or self.height <= 0


class Cells(NamedTuple):
    """A rectangle of equal cells, each a colour.

    Attributes
    ----------
    values : (rows, columns) float64
        The number of each cell; nan where there is none.
    indices : (rows, columns) uint8
        The colour of each cell: 0 for the lower level, 254 for the upper, 255 for none.
    place : Rectangle
        What all cells together cover.
    colour_map : str
        One of `colours.maps`.
    levels : (float, float)
        The numbers at the two ends of the colour map.
    title, unit : str
        What the numbers are; the unit is ``°`` for angles.
    brief : str
        A title where there is little room, empty for the same.
    rounded : bool
        Whether the levels are wider than the numbers, so that they seldom move while one explores.
    """

    values: Floats
    indices: npt.NDArray[np.uint8]
    place: Rectangle
    colour_map: str
    levels: tuple[float, float]
    title: str
    unit: str = ""
    brief: str = ""
    rounded: bool = False

    def value_at(self, x: float, y: float) -> float | None:
        """Return the number of the cell at a point, None where there is no cell."""
        rows, columns = self.values.shape
        height, width = self.place.height / rows, self.place.width / columns
        row = int((y - self.place.top) // height)
        column = int((x - self.place.left) // width)
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        return float(self.values[row, column])


class Curve(NamedTuple):
    """A line through points, shape (points,) each; nan leaves a gap.

    `colour` is ``accent`` or one of the pins' colours. `lack` says in few words why there is
    nothing to draw. `brief` is a name where there is little room, empty for the same.
    """

    name: str
    x: Floats
    y: Floats
    colour: str = "accent"
    lack: str = ""
    brief: str = ""

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
    """A dashed line across a panel at one `x`, such as the reference that is measured from."""

    x: float
    name: str


class Note(NamedTuple):
    """A sentence over a panel: why there is nothing to see, and what would lead to something.

    Attributes
    ----------
    sentence : str
        Why, with a full stop.
    offer : str
        The text of a button, empty for none.
    rows : range or None
        The rows that the button leads to.
    period : float
        Or the wavelength in positions that it zooms to, 0 for none.
    metric : str
        Or the metric that it chooses, empty for none.
    """

    sentence: str
    offer: str = ""
    rows: range | None = None
    period: float = 0.0
    metric: str = ""


class Substitute(NamedTuple):
    """What is shown in the place of a choice that does not suit the numbers.

    Attributes
    ----------
    option : str
        The option of the picture.
    shown : str
        What is shown, whatever was chosen.
    unsuited : tuple of str
        The choices that would not be shown.
    why : str
        Why not, without a full stop.
    """

    option: str
    shown: str
    unsuited: tuple[str, ...]
    why: str


class Panel(NamedTuple):
    """One pair of axes and all that is drawn in it.

    The first curve is the current encoding's; with more than one there is a legend. `badge` says
    what a pixel shows that stands for many positions, such as ``mean of 12 positions``; it is
    empty where each has a pixel of its own.
    """

    name: str
    x: Axis
    y: Axis
    cells: Cells | None = None
    curves: tuple[Curve, ...] = ()
    marks: tuple[Mark, ...] = ()
    hatched: tuple[Rectangle, ...] = ()
    """Where there are no rows to show."""
    badge: str = ""
    cursor: tuple[float | None, float | None] = (None, None)
    """Where the cursor is across and down, None where it marks nothing."""

    @property
    def legend(self) -> tuple[Curve, ...]:
        """The curves that a legend names, none where there is only one."""
        return self.curves if len(self.curves) > 1 else ()

    def value_at(self, x: float, y: float) -> float | None:
        """Return the number under a point: that of a cell, or of the first curve."""
        if self.cells is not None:
            return self.cells.value_at(x, y)
        return self.curves[0].value_at(x) if self.curves else None


class Figure(NamedTuple):
    """The description of a whole figure: what it consists of, whatever its size and style.

    Attributes
    ----------
    panels : tuple of Panel
        Beside each other, from left to right.
    clocks : Face or None
        A page of unit circles, in the place of panels.
    status : str
        In a sentence, what a pixel stands for.
    note : Note or None
        The sentence over the first panel.
    substitute : Substitute or None
        What is shown in the place of a choice.
    """

    panels: tuple[Panel, ...] = ()
    clocks: Face | None = None
    status: str = ""
    note: Note | None = None
    substitute: Substitute | None = None

    def panel(self, name: str) -> Panel | None:
        """Return one of its panels, None where it has no such."""
        return next((panel for panel in self.panels if panel.name == name), None)
