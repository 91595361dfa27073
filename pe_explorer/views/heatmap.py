"""The heat map: position by dimension, the picture that every explanation shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import panned, zoomed
from pe_explorer.model import Exploration, Model
from pe_explorer.views._heatmap_picture import HeatmapOptions, Picture, colour_map, cost, picture, status, window
from pe_explorer.views.base import Options, Size, View
from pe_explorer.views.stage import Stage
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.plot import ImagePlot

__all__ = ["Heatmap", "HeatmapOptions", "Picture", "picture"]


class Heatmap(View):
    """Position down, dimension across, a colour for each value."""

    name: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "Heatmap"
    rank: ClassVar[int] = 10
    help: ClassVar[str] = (
        "Every position's encoding as a row of colours. Wheel zooms the positions, with Ctrl the dimensions; drag moves, a click sets the cursor."
    )
    Options: ClassVar[type[Options]] = HeatmapOptions
    fields: ClassVar[frozenset[str]] = View.fields | {"pins", "compared", "show"}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.positions = RangeAxis("left", "position")
        self.dimensions = RangeAxis("bottom", "dimension")
        self.plot = ImagePlot(self.positions, self.dimensions)
        self.stage = Stage(self, [self.plot], ("quantity",), self.set_option)
        self.of = self.stage.add_choice("show", replace(SHOW, label="of"), self._choose)
        for field in ("pixel", "values", "angles"):
            self.stage.add_option(field, self.set_option)
        self.stage.show_options(HeatmapOptions(), {"angles"})  # now, or the window would make room for all of them
        self._show_choice(Exploration())
        self.stage.offer("Zoom to where structure begins")
        self._drawn: Exploration | None = None
        """What the picture shows, None before there is one."""
        self._period = 0.0
        self.apply_theme()

    compute = staticmethod(picture)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        box = self.plot.box
        return [
            *super().connections(model),
            (box.zoom_asked, self._zoom),
            (box.pan_asked, self._pan),
            (box.pointed, self._point),
            (box.left, self._leave),
            (box.picked, self._pick),
            (self.stage.accepted, self.zoom_to_structure),
        ]

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        return state.start, state.count, state.options[cls.name], state.subject

    cost = staticmethod(cost)

    @staticmethod
    def coarser(size: Size) -> Size:
        return replace(size, height=size.height // 2)  # columns cost nothing

    def size_in_pixels(self) -> Size:
        return self.stage.pixels(self.plot, self.ratio)

    def make_room(self, state: Exploration) -> None:
        self.positions.set_origin(state.start, state.count)
        self.dimensions.set_origin(*window(state.options[self.name], state.subject.dim))  # type: ignore[arg-type]

    def show_picture(self, state: Exploration, picture: Picture) -> None:
        options = state.options[self.name]
        assert isinstance(options, HeatmapOptions)
        self._drawn, self._period = state, picture.period
        self.stage.show_options(options, {"values" if options.quantity == "angle" else "angles"})
        self._show_choice(state)
        if picture.indices is None or not self._refining:  # what a coarse one does not show, a finer one may
            self.stage.say(picture.note, offer=bool(picture.period))
        else:
            self.stage.say("")
        self.positions.set_origin(state.start, state.count)
        self.dimensions.set_origin(picture.first, picture.dimensions)
        self.plot.set_range(picture.dimensions, state.count)
        if picture.indices is None:
            self.plot.show_nothing()
        else:
            rows, columns = picture.indices.shape
            rect = QRectF(-0.5, -0.5, columns * picture.group, rows * picture.block)
            self.plot.show_image(picture.indices, rect, colour_map(state.subject, options), picture.levels)
        self.set_status(status(state, options, picture))

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        if state.pin is None or state.show == "current":
            return super().needed(state)
        return {**super().needed(state), "pin": state.pin.encoding}

    def show_lack(self, state: Exploration, sentence: str) -> None:
        self._period = 0.0
        self._show_choice(state)
        self.positions.set_origin(state.start, state.count)
        self.dimensions.set_origin(0, 1)
        self.plot.set_range(1, state.count)
        self.plot.show_nothing()
        self.plot.set_cursor(None, None)
        self.stage.say(sentence)

    def _show_choice(self, state: Exploration) -> None:
        """Show which encoding is seen, if there is a choice."""
        self.of.display(state.show)
        for widget in (self.stage.labels["show"], self.of):
            widget.setVisible(bool(state.pins))

    @Slot(str, object)
    def _choose(self, field: str, value: object) -> None:
        self.model.set(**{field: value})

    def show_cursor(self, state: Exploration) -> None:
        self.plot.set_cursor(*self._spot(state))

    def show_preview(self, state: Exploration | None) -> None:
        self.plot.set_preview(*(self._spot(state) if state else (None, None)))

    def _spot(self, state: Exploration) -> tuple[int | None, int | None]:
        """Return how far across and down the cursor is, None where it is not shown."""
        first, count = window(state.options[self.name], state.subject.dim)  # type: ignore[arg-type]
        across = state.dimension - first
        return (
            across if 0 <= across < count else None,
            state.position - state.start if state.position in state.positions else None,
        )

    def say(self, sentence: str) -> None:
        self.stage.say(sentence)

    def say_refining(self, refining: bool) -> None:
        self.stage.say_refining(refining)

    def hide_controls(self) -> None:
        self.stage.header.hide()

    def apply_theme(self) -> None:
        self.stage.dress()

    @Slot()
    def zoom_to_structure(self) -> None:
        """Show as few positions as resolve the longest wave."""
        if self._period:
            rows = self.size_in_pixels().height / self.ratio
            self.model.set(**zoomed(self.model.state, max(1.0, rows * self._period / 32) / self.model.state.count, 0.0))

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        if not self.blank and modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            first, count = window(self.options, self.model.state.subject.dim)
            self._show_dimensions(first, count, factor, x)
        else:
            self.model.set(**zoomed(self.model.state, factor, y))

    def _show_dimensions(self, first: int, count: int, factor: float, anchor: float) -> None:
        dim = self.model.state.subject.dim
        fewer = round(count * factor)
        wanted = min(max(1, fewer + (fewer == count) * (1 if factor > 1 else -1)), dim)
        start = min(max(0, first + round((count - wanted) * anchor)), dim - wanted)
        self.set_options(first=start, dimensions=0 if wanted == dim else wanted)

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
        dim = state.subject.dim
        first, count = window(self.options, dim)
        self._dragged_columns -= x * count
        columns = round(self._dragged_columns)
        self._dragged_columns -= columns
        moved = min(max(0, first + columns), dim - count)
        if moved != first:
            self.set_options(first=moved)

    _dragged_rows = _dragged_columns = 0.0  # parts of a cell that a drag has not yet moved

    @Slot(float, float)
    def _point(self, x: float, y: float) -> None:
        self.model.point_at(**self._at(x, y))

    @Slot()
    def _leave(self) -> None:
        self.model.point_at()

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        if there := self._at(x, y):
            self.model.set(**there)

    def _at(self, x: float, y: float) -> dict[str, int]:
        """Return position and dimension at coordinates of the plot; nothing without a picture."""
        state = self._drawn  # what is under the mouse, also while the next picture is on its way
        if state is None or self.blank:
            return {}
        first, count = window(state.options[self.name], state.subject.dim)  # type: ignore[arg-type]
        row, column = min(max(0, round(y)), state.count - 1), min(max(0, round(x)), count - 1)
        return {"position": state.start + row, "dimension": first + column}
