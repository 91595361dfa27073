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
    """A rectangle of equal cells, each a colour: `values` and `indices` are (rows, columns)."""

    values: Floats  # nan where a cell has no number
    indices: npt.NDArray[np.uint8]  # 0 for the lower limit, 254 for the upper, 255 for no colour
    place: Rectangle  # what all cells together cover
    colour_map: str  # one of `colours.maps`
    limits: tuple[float, float]  # the numbers at the two ends of the colour map
    title: str  # what the numbers are
    unit: str = ""  # "°" for angles
    numbered: bool = False  # whether the numbers are written into the cells, where there is room
    columns: PixelColumns | None = None  # how columns became those of pixels; None where none did
    least: float = 0.0  # size of numbers with the same rounding errors, where those are smaller
    ticks: tuple[float, ...] | None = None  # the values that somebody chose for the colour bar
    clipped: tuple[bool, bool] = False, False  # whether values lie below and above chosen limits

    @property
    def scale(self) -> PanelAxis:
        """The numbers along the colour bar."""
        return PanelAxis(self.title, *self.limits, ticks=self.ticks)

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
    """A sentence over a panel: why there is nothing to see, and what would lead to something."""

    sentence: str  # why, with a full stop
    offer: str = ""  # the text of a button, empty for none
    rows: range | None = None  # the rows that the button leads to
    period: float = 0.0  # or the wavelength in positions that it zooms to, 0 for none
    metric: str = ""  # or the metric that it chooses, empty for none
    again: bool = False  # or whether it has the same computed once more
    panel: str = ""  # the name of the panel, empty for the first


class Substitute(NamedTuple):
    """What is shown in the place of a choice that does not suit the numbers."""

    option: str  # of the picture
    shown: str  # whatever was chosen
    unsuited: tuple[str, ...]  # the choices that would not be shown
    why: str  # why not, without a full stop


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
    hatched: tuple[Rectangle, ...] = ()  # where there are no rows to show
    shaded: tuple[Rectangle, ...] = ()  # what is set apart from the rest by its ground
    hatched_name: str = "no rows"  # what the hatched places are called in the legend
    shaded_name: str = ""  # what the shaded ones are called there
    band_name: str = ""  # and the bands of its curves; empty where they are not named
    levels: tuple[Level, ...] = ()
    dots: tuple[Dot, ...] = ()
    badge: str = ""
    has_bar: bool = True  # for cells; not where the colour bar of another panel serves for both
    has_legend: bool = True  # for several curves; not where that of another panel serves for both
    upper: bool = False  # whether the next panel stands below, on the same axis, numbered there
    cursor: PanelPlace = (None, None)  # across and down, None where it marks nothing
    trail: Trail | None = None  # points in the plane: the panel is a square
    heading: str = ""  # of which of several things drawn side by side it is; empty for all
    has_heading: bool = True  # whether that is written above it

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
            colours = [curve.colour for curve in self.curves]
            colour = "accent" if "accent" in colours else colours[0]
            found.append(Curve(self.band_name, none, none, colour, area="band"))
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
    """The description of a whole figure: what it consists of, whatever its size and style."""

    panels: tuple[Panel, ...] = ()  # from left to right; the next one stands below an `upper` one
    clocks: Face | None = None  # a page of unit circles, in the place of panels
    status: str = ""  # in a sentence, what a pixel stands for
    note: Note | None = None  # the sentence over a panel
    substitute: Substitute | None = None
    table: TextTable | None = None  # numbers below the panels
    caption: str = ""  # a sentence that stands above the panels in the window
    label: str = ""  # what it is called beside others on a page, empty for nothing
    letter: str | None = None  # as it is typed; None for a, b and so on, of several figures
    share: float | None = None  # of two panels the second's; None for a layout that suits both
    hidden: tuple[str, ...] = ()  # texts that it had before a style left them out

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
