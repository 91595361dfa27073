"""The heat map: position by dimension, the picture that every explanation shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW, Subject
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.encodings.abilities import needs
from pe_explorer.encodings.abilities.needs import Need
from pe_explorer.exploration import moved_to, panned, zoomed
from pe_explorer.model import Exploration, Model
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.views._heatmap_picture import (
    HeatmapOptions,
    Picture,
    colour_map,
    cost,
    picture,
    status,
    window,
)
from pe_explorer.views.base import Options, Size, View
from pe_explorer.views.stage import Stage
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.plot import ImagePlot

__all__ = ["Heatmap", "HeatmapOptions", "Picture", "picture"]

_TO_STRUCTURE = "Zoom to where structure begins"
_TO_ROWS = "Show its rows"


class Heatmap(View):
    """Position down, dimension across, a colour for each value."""

    name: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "Heatmap"
    rank: ClassVar[int] = 10
    help: ClassVar[str] = (
        "Every position's encoding as a row of colours. Wheel zooms the positions, with Ctrl "
        "the dimensions; drag moves, a click sets the cursor."
    )
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Wheel", "zoom the positions around the mouse"),
        ("Ctrl + wheel, Shift + wheel", "zoom the dimensions"),
        ("Drag", "move through positions and dimensions"),
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
        self.stage.show_options(
            HeatmapOptions(), {"angles"}
        )  # now, or the window would make room for all of them
        self._show_choice(Exploration())
        self._drawn: Exploration | None = None
        """What the picture shows, None before there is one."""
        self._period = 0.0
        self._there: range | None = None
        """The rows to go to where none is shown."""
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
            (self.stage.accepted, self._accept),
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
        self.dimensions.set_origin(*window(_options(state), state.subject.width))

    def show_picture(self, state: Exploration, picture: Picture) -> None:
        options = _options(state)
        self._drawn, self._period, self._there = state, picture.period, picture.there
        self._show_choices(state)
        if (
            picture.indices is None or not self._refining
        ):  # what a coarse one does not show, a finer one may
            self.stage.say(picture.note, offer=_offer(picture))
        else:
            self.stage.say("")
        self._name_axes(state.subject.encoding)
        self.positions.set_origin(state.start, state.count)
        self.dimensions.set_origin(picture.first, picture.dimensions)
        self.plot.set_range(picture.dimensions, state.count)
        if picture.indices is None:
            self.plot.show_nothing()
        else:
            rows, columns = picture.indices.shape
            rect = QRectF(-0.5, -0.5, columns * picture.group, rows * picture.block)
            self.plot.show_image(
                picture.indices,
                rect,
                colour_map(state.subject, options, picture.levels),
                picture.levels,
            )
        self.plot.hatching.show_rects(_without_rows(state, picture))
        self.set_status(status(state, options, picture))

    @classmethod
    def subject(cls, state: Exploration) -> Subject:
        return state.subject

    @classmethod
    def need(cls, state: Exploration) -> Need:
        return needs.waves if _options(state).quantity == "angle" else needs.nothing

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        if state.subject.lack:
            return "show one of the two"
        return "show the values instead" if _options(state).quantity == "angle" else ""

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        if state.pin is None or state.show == "current":
            return super().needed(state)
        return {**super().needed(state), "pin": state.pin.encoding}

    def show_lack(self, state: Exploration, sentence: str) -> None:
        self._period, self._there = 0.0, None
        self._show_choices(state)
        self._name_axes(state.encoding)
        self.positions.set_origin(state.start, state.count)
        self.dimensions.set_origin(0, 1)
        self.plot.set_range(1, state.count)
        self.plot.show_nothing()
        self.plot.set_cursor(None, None)
        self.stage.say(sentence, offer=self.offer_of_lack(state))

    def _name_axes(self, e: Encoding | Unknown) -> None:
        named = Encoding if isinstance(e, Unknown) else e
        self.positions.set_title(named.rows.name)
        self.dimensions.set_title(named.columns.name)

    def _show_choices(self, state: Exploration) -> None:
        """Show the choices that matter, also where they leave no picture."""
        options = _options(state)
        self.stage.show_options(options, {"values" if options.quantity == "angle" else "angles"})
        self._show_choice(state)

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
        first, count = window(_options(state), state.subject.width)
        place = state.place
        return (
            place - first if place is not None and first <= place < first + count else None,
            state.position - state.start if state.position in state.positions else None,
        )

    def say(self, sentence: str) -> None:
        self.stage.say(sentence)

    def say_refining(self, refining: bool) -> None:
        self.stage.say_refining(refining)

    def hide_controls(self) -> None:
        self.stage.hide_controls()

    def apply_theme(self) -> None:
        self.stage.dress()

    @Slot()
    def _accept(self) -> None:
        """Do what the button beside the sentence offers."""
        if self.blank:
            self.locate_asked.emit()
        elif self._there is None:
            self.zoom_to_structure()
        else:
            self.model.set(**moved_to(self.model.state, self._there))

    def zoom_to_structure(self) -> None:
        """Show as few positions as resolve the longest wave."""
        if self._period:
            rows = self.size_in_pixels().height / self.ratio
            self.model.set(
                **zoomed(
                    self.model.state,
                    max(1.0, rows * self._period / 32) / self.model.state.count,
                    0.0,
                )
            )

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        if not self.blank and modifiers & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            first, count = window(self.options, self.model.state.subject.width)
            self._show_dimensions(first, count, factor, x)
        else:
            self.model.set(**zoomed(self.model.state, factor, y))

    def _show_dimensions(self, first: int, count: int, factor: float, anchor: float) -> None:
        width = self.model.state.subject.width
        fewer = round(count * factor)
        wanted = min(max(1, fewer + (fewer == count) * (1 if factor > 1 else -1)), width)
        start = min(max(0, first + round((count - wanted) * anchor)), width - wanted)
        self.set_options(first=start, dimensions=0 if wanted == width else wanted)

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
        first, count = window(self.options, width)
        self._dragged_columns -= x * count
        columns = round(self._dragged_columns)
        self._dragged_columns -= columns
        moved = min(max(0, first + columns), width - count)
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
        first, count = window(_options(state), state.subject.width)
        row, column = min(max(0, round(y)), state.count - 1), min(max(0, round(x)), count - 1)
        place = state.column_at(first + column)
        found = {} if place is None else {"dimension": place}
        return {"position": state.start + row, **found}


def _without_rows(state: Exploration, picture: Picture) -> list[QRectF]:
    """Return where in the plot positions have no row, as beyond the end of a stored table."""
    block, width = picture.block, picture.dimensions
    rows = -(-state.count // block)
    inside = blocks_inside(state.start, block, rows, state.subject.domain)
    if not inside:
        return [QRectF(-0.5, -0.5, width, state.count)]
    above, top = inside.start * block, inside.stop * block
    return [QRectF(-0.5, -0.5, width, above), QRectF(-0.5, top - 0.5, width, state.count - top)]


def _offer(picture: Picture) -> str:
    """Return what the button beside the note says, empty for none."""
    if picture.there is not None:
        return _TO_ROWS
    return _TO_STRUCTURE if picture.period else ""


def _options(state: Exploration) -> HeatmapOptions:
    options = state.options[Heatmap.name]
    assert isinstance(options, HeatmapOptions)
    return options
