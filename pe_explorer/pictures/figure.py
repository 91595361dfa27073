"""The description of a figure without Qt objects, for windows and pages.

Coordinates are in units of the axes. On an axis of whole numbers, coordinates are
relative to the origin of the axis, because float64 cannot represent half positions near
2^53. The centre of a cell has integer coordinates.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.params import printed
from pe_explorer.pictures.clock_face import ClockFaces
from pe_explorer.pictures.lines import Band as Band, Curve, Dot, LevelLine, MarkLine
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.pictures.places import (
    PanelAxis as PanelAxis,
    PanelPoint as PanelPoint,
    Rectangle as Rectangle,
    make_whole_axis as make_whole_axis,
)
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.trail import Trail


class Cells(NamedTuple):
    """A grid of coloured cells of equal size; arrays have the shape (rows, columns)."""

    values: Floats  # values of the cells; nan for an empty cell
    indices: npt.NDArray[np.uint8]  # 0 for the lower limit, 254 for the upper, 255 for no colour
    place: Rectangle  # rectangle that the cells fill
    colour_map: str  # name of a map in `colours.maps`
    limits: tuple[float, float]  # values at the ends of the colour map
    title: str  # name of the values
    unit: str = ""  # "°" for angles; otherwise empty
    has_numbers: bool = False  # whether values are written into cells that are large enough
    columns: PixelColumns | None = None  # how columns share pixels; None if they share none
    min_magnitude: float = 0.0  # minimum magnitude used to estimate rounding errors
    ticks: tuple[float, ...] | None = None  # colour bar ticks chosen by the user; None if automatic
    # Whether values lie below the lower limit, and whether values lie above the upper limit.
    has_clipped_values: tuple[bool, bool] = (False, False)

    @property
    def scale(self) -> PanelAxis:
        return PanelAxis(self.title, *self.limits, ticks=self.ticks)

    def find_value(self, x: float, y: float) -> float | None:
        """Return the value of the cell at (x, y), or None if (x, y) is outside the cells."""
        rows, columns = self.values.shape
        height, width = self.place.height / rows, self.place.width / columns
        row = int((y - self.place.top) // height)
        column = int((x - self.place.left) // width)
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        return float(self.values[row, column])


class Note(NamedTuple):
    """A sentence over an empty panel that states why it is empty, with an optional remedy."""

    sentence: str  # reason, with a full stop
    button_text: str = ""  # label of the button that applies the remedy; empty without a remedy

    # At most one of the next four fields is set, as the remedy.
    rows: range | None = None  # rows to display; None for no change
    period: float = 0.0  # wavelength to zoom to, in positions; 0 for none
    metric: str = ""  # metric to choose; empty for none
    should_retry: bool = False  # whether to repeat the same computation
    panel: str = ""  # name of the panel; empty for the first panel


class Substitute(NamedTuple):
    """A replacement for an option value that does not suit the data."""

    option: str  # name of the option
    replacement: str
    unsuited_values: tuple[str, ...]
    reason: str  # reason, without a full stop


class Panel(NamedTuple):
    """A pair of axes with its contents.

    The first curve belongs to the current encoding; several curves have a legend. `badge`
    states how positions are combined in a pixel, such as ``mean of 12 positions``, and is
    empty if each position has its own pixel.
    """

    name: str
    x: PanelAxis
    y: PanelAxis
    cells: Cells | None = None
    curves: tuple[Curve, ...] = ()
    marks: tuple[MarkLine, ...] = ()
    hatched_areas: tuple[Rectangle, ...] = ()  # areas without rows
    shaded_areas: tuple[Rectangle, ...] = ()  # areas with another background
    hatched_name: str = "no rows"  # legend entry of hatched areas
    shaded_area_name: str = ""  # legend entry of shaded areas
    band_name: str = ""  # legend entry of bands; empty for none
    levels: tuple[LevelLine, ...] = ()
    dots: tuple[Dot, ...] = ()
    badge: str = ""
    has_bar: bool = True  # whether the cells have their own colour bar
    has_legend: bool = True  # False if the curves share the legend of another panel
    is_above_next_panel: bool = False  # whether the next panel is below and labels the shared axis
    cursor: PanelPoint = (None, None)  # (x, y) of the cursor lines; None for no line
    trail: Trail | None = None  # path of points; a panel with a trail is square
    heading: str = ""  # name of the encoding; empty if the panel shows all encodings
    has_heading: bool = True  # whether the heading is displayed

    @property
    def bars(self) -> tuple[Rectangle, ...]:
        """The bars between the x axis and the first curve."""
        return self.curves[0].bars if self.curves else ()

    @property
    def is_empty(self) -> bool:
        """Whether the axes contain no data, so that their tick labels have no meaning."""
        has_no_data = self.cells is None and self.trail is None
        return has_no_data and not any(curve.is_visible for curve in self.curves)

    @property
    def areas(self) -> tuple[Curve, ...]:
        """The legend entries for shaded areas, hatched areas and bands."""
        empty_array, entries = np.empty(0), []
        if not all(place.is_empty for place in self.shaded_areas):
            entries.append(Curve(self.shaded_area_name, empty_array, empty_array, area="shaded"))
        if not all(place.is_empty for place in self.hatched_areas):
            entries.append(Curve(self.hatched_name, empty_array, empty_array, area="hatched"))
        if self.band_name:
            colours = [curve.colour for curve in self.curves]
            colour = "accent" if "accent" in colours else colours[0]
            entries.append(Curve(self.band_name, empty_array, empty_array, colour, area="band"))
        return tuple(entries)

    @property
    def legend(self) -> tuple[Curve, ...]:
        """The curves and areas in the legend, which is empty for a single curve."""
        entries = (*(curve for curve in self.curves if curve.name), *self.areas)
        should_show_legend = len(entries) > 1 or self.areas or self.trail is not None
        return entries if self.has_legend and should_show_legend else ()

    def find_value(self, x: float, y: float) -> float | None:
        """Return the value of the cell, trail or first curve at (x, y), or None without a value."""
        if self.cells is not None:
            cell_value = self.cells.find_value(x, y)
            if cell_value is not None or not self.curves:
                return cell_value
        if self.trail is not None:
            return self.trail.find_value(x, y)
        number = self.curves[0].find_value(x) if self.curves else None
        return None if number is None else self.y.value(number)


class Figure(NamedTuple):
    """The description of a whole figure, independent of its size and style."""

    panels: tuple[Panel, ...] = ()  # from left to right, except with `is_above_next_panel`
    clocks: ClockFaces | None = None  # page of unit circles instead of panels
    status: str = ""  # sentence about the contents and about the meaning of a pixel
    note: Note | None = None  # sentence over an empty panel
    substitute: Substitute | None = None
    table: TextTable | None = None  # table below the panels
    caption: str = ""  # sentence above the panels in the window
    label: str = ""  # name among several figures on a page; empty for none
    letter: str | None = None  # set by the user; None for automatic letters of several figures
    share: float | None = None  # fraction of the space for the second panel; None for the default
    removed_texts: tuple[str, ...] = ()  # texts that a style removed

    @property
    def separate_figures(self) -> tuple[Figure, ...]:
        """The figures drawn side by side; adjacent panels with the same heading form a figure."""
        groups = itertools.groupby(self.panels, lambda panel: panel.heading)
        figures = [Figure(tuple(panels), label=label) for label, panels in groups]
        if len(figures) < 2:
            return (self,)
        return (self._replace(panels=figures[0].panels, label=figures[0].label), *figures[1:])

    def with_panel(self, name: str) -> Figure:
        """Return a figure with only one panel, or this figure if no panel has the name."""
        panel = self.panel(name)
        if panel is None:
            return self
        panel = panel._replace(has_legend=True, is_above_next_panel=False)
        has_note = self.note is not None and self.note.panel in ("", name)
        return self._replace(panels=(panel,), note=self.note if has_note else None)

    def with_minus_signs(self) -> Figure:
        """Return the figure with minus signs instead of hyphens before numbers in its texts."""
        note, table = self.note, self.table
        if note is not None:
            note = note._replace(sentence=printed.text(note.sentence))
        panels = (
            panel._replace(
                curves=tuple(
                    c._replace(missing_reason=printed.text(c.missing_reason)) for c in panel.curves
                ),
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
            table=table and table.with_minus_signs(),
            caption=printed.text(self.caption),
        )

    @property
    def note_index(self) -> int:
        """The index of the panel that shows the note."""
        names = [panel.name for panel in self.panels]
        name = self.note.panel if self.note else ""
        return names.index(name) if name in names else 0

    def panel(self, name: str) -> Panel | None:
        return next((panel for panel in self.panels if panel.name == name), None)
