"""The heatmap on the screen: its choices, and what the mouse does over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.exploration import Exploration, difference_name, panned, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.heatmap import Heatmap, HeatmapOptions, columns_shown, cursor_place
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._contract import Gestures
from pe_explorer.views._plots import PlotView
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.plot import ImagePlot

__all__ = ["HeatmapView"]

_ROWS_A_WAVE = 32  # rows of pixels that the longest wave gets when it is zoomed to
_ZOOMS_DIMENSIONS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class HeatmapView(PlotView):
    """Position down, dimension across, a colour for each value."""

    picture: ClassVar[type[Picture]] = Heatmap
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the dimensions"),
        ("Drag", "Move through positions and dimensions"),
    )

    explored: ClassVar[tuple[str, ...]] = ("show",)

    def __init__(self, parent: QWidget | None = None) -> None:
        down, across = RangeAxis("left", "position"), RangeAxis("bottom", "dimension")
        self.plot = ImagePlot(down, across)
        super().__init__({"cells": self.plot}, parent)
        self.header.add_option("quantity", self.set_option)
        of_which = replace(SHOW, label="of")
        self.of = self.header.add_choice("show", of_which, self._choose)
        self._show_choices(Exploration())  # now, or the pane would make room for all of them
        self._drawn: Exploration | None = None
        """What the picture shows, None before there is one."""
        self._dragged_rows = self._dragged_columns = 0.0
        """Parts of a cell that a drag has not moved yet."""
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        box = self.plot.box
        return [
            *super().connections(model),
            (box.zoom_asked, self._zoom),
            (box.pan_asked, self._pan),
            (box.pointed, self._point),
            (box.left, self._leave),
            (box.picked, self._pick),
        ]

    def size_in_pixels(self) -> Size:
        return self.stage.pixels(self.plot, self.ratio)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        self._drawn = state
        self._show_choices(state)
        super().show_figure(state, figure, refining=refining)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._show_choices(state)
        super().show_lack(state, frame, sentence)

    def _show_choices(self, state: Exploration) -> None:
        """Show what is chosen, also where it leaves no picture; of which, if there are two."""
        self.header.show_choice("quantity", _options(state).quantity)
        self.of.rename("difference", difference_name(state))
        self.header.show_choice("show", state.show, offered=bool(state.pins))

    @Slot(str, object)
    def _choose(self, field: str, value: object) -> None:
        self.model.set(**{field: value})

    # -- the cursor ----------------------------------------------------------------------------

    def show_cursor(self, state: Exploration) -> None:
        self.plot.set_cursor(*cursor_place(state))

    def show_preview(self, state: Exploration | None) -> None:
        place = cursor_place(state) if state else (None, None)
        self.plot.set_preview(*place)

    @Slot(float, float)
    def _point(self, x: float, y: float) -> None:
        self.model.point_at(**self._at(x, y))

    @Slot()
    def _leave(self) -> None:
        self.model.point_at()

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        if there := self._at(x, y):
            self.model.pick(**there)

    def _at(self, x: float, y: float) -> dict[str, int]:
        """Return position and dimension at coordinates of the plot; nothing without a picture."""
        state = self._drawn  # what is under the mouse, also while the next picture is on its way
        if state is None or self.blank:
            return {}
        first, count = columns_shown(_options(state), state.subject.width)
        last_row, last_column = state.count - 1, count - 1
        row = min(max(0, round(y)), last_row)
        column = min(max(0, round(x)), last_column)
        dimension = state.column_at(first + column)
        position = state.start + row
        if dimension is None:
            return {"position": position}
        return {"position": position, "dimension": dimension}

    # -- zooming and moving --------------------------------------------------------------------

    def follow(self, note: Note) -> None:
        if note.period:
            self._zoom_to(note.period)
        else:
            super().follow(note)

    def _zoom_to(self, period: float) -> None:
        """Show as few positions as resolve a wave."""
        rows = self.size_in_pixels().height / self.ratio
        positions = max(1.0, rows * period / _ROWS_A_WAVE)
        state = self.model.state
        factor = positions / state.count
        self.model.set(**zoomed(state, factor, 0.0))

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & _ZOOMS_DIMENSIONS and not self.blank:
            self._zoom_dimensions(factor, x)
        else:
            self.model.set(**zoomed(self.model.state, factor, y))

    def _zoom_dimensions(self, factor: float, anchor: float) -> None:
        width = self.model.state.subject.width
        first, count = columns_shown(self.options, width)
        wanted = round(count * factor)
        if wanted == count:
            wanted += 1 if factor > 1 else -1
        wanted = min(max(1, wanted), width)
        moved = first + round((count - wanted) * anchor)
        start = min(max(0, moved), width - wanted)
        dimensions = 0 if wanted == width else wanted
        self.set_options(first=start, dimensions=dimensions)

    @Slot(float, float)
    def _pan(self, x: float, y: float) -> None:
        state = self.model.state
        self._dragged_rows -= y * state.count
        rows = round(self._dragged_rows)
        self._dragged_rows -= rows
        if rows:
            self.model.set(**panned(state, rows))
        if self.blank:
            return
        width = state.subject.width
        first, count = columns_shown(self.options, width)
        self._dragged_columns -= x * count
        columns = round(self._dragged_columns)
        self._dragged_columns -= columns
        last = width - count
        moved = min(max(0, first + columns), last)
        if moved != first:
            self.set_options(first=moved)


def _options(state: Exploration) -> HeatmapOptions:
    options = Heatmap.options(state)
    assert isinstance(options, HeatmapOptions)
    return options
