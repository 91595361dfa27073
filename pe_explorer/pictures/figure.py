"""The description of a figure, without Qt: the window shows it, and pages are laid out from it.

Places are in the units of the axes. Whole numbers are counted from an axis' origin, because a
float64 cannot tell positions near 2^53 from each other; cells have their middles there.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.params import printed
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.lines import (
    Band as Band,
    Curve as Curve,
    Dot as Dot,
    Level as Level,
    Mark as Mark,
)
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.pictures.places import (
    PanelAxis as PanelAxis,
    PanelPlace as PanelPlace,
    Rectangle as Rectangle,
    whole_numbers as whole_numbers,
)
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.trail import Trail


class Cells(NamedTuple):
    """A rectangle of equal cells, each a colour.

    Attributes
    ----------
    values : (rows, columns) float64
        The number of each cell; nan where there is none.
    indices : (rows, columns) uint8
        The colour of each cell: 0 for the lower limit, 254 for the upper, 255 for none.
    place : Rectangle
        What all cells together cover.
    colour_map : str
        One of `colours.maps`.
    limits : (float, float)
        The numbers at the two ends of the colour map.
    title, unit : str
        What the numbers are; the unit is ``°`` for angles.
    numbered : bool
        Whether the numbers are written into the cells, where there is room.
    columns : PixelColumns or None
        How columns became those of pixels, None where each cell is a column of its own.
    least : float
        The size of numbers that have the same rounding errors, where those of `values` are less.
    """

    values: Floats
    indices: npt.NDArray[np.uint8]
    place: Rectangle
    colour_map: str
    limits: tuple[float, float]
    title: str
    unit: str = ""
    numbered: bool = False
    columns: PixelColumns | None = None
    least: float = 0.0

    def value_at(self, x: float, y: float) -> float | None:
        """Return the number of the cell at a point, None where there is no cell."""
        rows, columns = self.values.shape
        height, width = self.place.height / rows, self.place.width / columns
        row = int((y - self.place.top) // height)
        column = int((x - self.place.left) // width)
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        return float(self.values[row, column])


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
    again : bool
        Or whether it has the same computed once more.
    panel : str
        The name of the panel, empty for the first.
    """

    sentence: str
    offer: str = ""
    rows: range | None = None
    period: float = 0.0
    metric: str = ""
    again: bool = False
    panel: str = ""


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
    x: PanelAxis
    y: PanelAxis
    cells: Cells | None = None
    curves: tuple[Curve, ...] = ()
    marks: tuple[Mark, ...] = ()
    hatched: tuple[Rectangle, ...] = ()
    """Where there are no rows to show."""
    shaded: tuple[Rectangle, ...] = ()
    """What is set apart from the rest by its ground."""
    hatched_name: str = "no rows"
    """What the hatched places are called in the legend."""
    shaded_name: str = ""
    """What the shaded ones are called there."""
    band_name: str = ""
    """What the bands of its curves are called there, empty where they are not named."""
    levels: tuple[Level, ...] = ()
    dots: tuple[Dot, ...] = ()
    badge: str = ""
    has_bar: bool = True
    """Whether cells have a colour bar; not where that of another panel serves for both."""
    has_legend: bool = True
    """Whether several curves are named; not where the legend of another panel serves for both."""
    upper: bool = False
    """Whether the next panel stands below it, on the same lower axis, numbered there alone."""
    cursor: PanelPlace = (None, None)
    """Where the cursor is across and down, None where it marks nothing."""
    trail: Trail | None = None
    """Points in the plane: both axes measure the same, so the panel is a square."""
    heading: str = ""
    """What of several things that are drawn side by side it is of; empty where it is all."""

    @property
    def bars(self) -> tuple[Rectangle, ...]:
        """What is filled below the first curve."""
        return self.curves[0].bars if self.curves else ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn inside its axes, whose numbers then mean nothing."""
        drawn = self.cells is not None or self.trail is not None
        return not drawn and not any(curve.visible for curve in self.curves)

    @property
    def areas(self) -> tuple[Curve, ...]:
        """The entries of what is shaded and hatched, and of bands, in the legend."""
        none = np.empty(0)
        kinds = (
            ("shaded", self.shaded_name, self.shaded),
            ("hatched", self.hatched_name, self.hatched),
        )
        found = [
            Curve(name, none, none, area=kind)
            for kind, name, places in kinds
            if not all(place.empty for place in places)
        ]
        if self.band_name:
            found.append(Curve(self.band_name, none, none, area="band"))
        return tuple(found)

    @property
    def legend(self) -> tuple[Curve, ...]:
        """The curves and areas that a legend names, none where there is only one curve."""
        named = (*(curve for curve in self.curves if curve.name), *self.areas)
        if not self.has_legend:
            return ()
        return named if len(named) > 1 or self.areas or self.trail is not None else ()

    def value_at(self, x: float, y: float) -> float | None:
        """Return the number under a point: that of a cell, of a trail, or of the first curve."""
        if self.cells is not None:
            of_cell = self.cells.value_at(x, y)
            if of_cell is not None or not self.curves:
                return of_cell
        if self.trail is not None:
            return self.trail.value_at(x, y)
        number = self.curves[0].value_at(x) if self.curves else None
        return None if number is None else self.y.value(number)


class Figure(NamedTuple):
    """The description of a whole figure: what it consists of, whatever its size and style.

    Attributes
    ----------
    panels : tuple of Panel
        Beside each other, from left to right; below one that is `upper` stands the next one.
    clocks : Face or None
        A page of unit circles, in the place of panels.
    status : str
        In a sentence, what a pixel stands for.
    note : Note or None
        The sentence over a panel.
    substitute : Substitute or None
        What is shown in the place of a choice.
    table : Table or None
        Numbers below the panels.
    caption : str
        A sentence on what is shown that stands above the panels in the window, empty for none.
    label : str
        What it is called beside others on a page, empty for nothing.
    share : float or None
        How much of the width or height of two panels the second has; None for a layout that
        suits both.
    """

    panels: tuple[Panel, ...] = ()
    clocks: Face | None = None
    status: str = ""
    note: Note | None = None
    substitute: Substitute | None = None
    table: TextTable | None = None
    caption: str = ""
    label: str = ""
    share: float | None = None

    @property
    def apart(self) -> tuple[Figure, ...]:
        """The figures that are drawn side by side: panels of the same heading belong together."""
        runs = itertools.groupby(self.panels, lambda panel: panel.heading)
        first, *others = [Figure(tuple(run), label=label) for label, run in runs] or [self]
        if not others:
            return (self,)
        return (self._replace(panels=first.panels, label=first.label), *others)

    def only(self, name: str) -> Figure:
        """Return a figure with one of its panels alone, or with all if it has no such."""
        panel = self.panel(name)
        if panel is None:
            return self
        panel = panel._replace(has_legend=True, upper=False)
        is_noted = self.note is not None and self.note.panel in ("", name)
        return self._replace(panels=(panel,), note=self.note if is_noted else None)

    def as_printed(self) -> Figure:
        """Return the same with a minus sign in the place of each hyphen of its words' numbers."""
        note, table = self.note, self.table
        if note is not None:
            note = note._replace(sentence=printed.text(note.sentence))
        panels = (
            panel._replace(
                curves=tuple(c._replace(lack=printed.text(c.lack)) for c in panel.curves),
                x=replace(panel.x, title=printed.text(panel.x.title)),
                y=replace(panel.y, title=printed.text(panel.y.title)),
                cells=panel.cells and panel.cells._replace(title=printed.text(panel.cells.title)),
            )
            for panel in self.panels
        )
        return self._replace(
            panels=tuple(panels),
            status=printed.text(self.status),
            note=note,
            table=table and table.as_printed(),
            caption=printed.text(self.caption),
        )

    @property
    def noted(self) -> int:
        """Which of its panels the sentence stands over, or would stand over."""
        names = [panel.name for panel in self.panels]
        name = self.note.panel if self.note else ""
        return names.index(name) if name in names else 0

    def panel(self, name: str) -> Panel | None:
        """Return one of its panels, None where it has no such."""
        return next((panel for panel in self.panels if panel.name == name), None)
