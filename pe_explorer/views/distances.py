"""Distances: from a reference as a curve, between all positions as a matrix."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QRectF, Qt, Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.encodings import LIMIT, Axis, Encoding, Unknown, require_known
from pe_explorer.exploration import moved_to, panned, zoomed
from pe_explorer.model import Exploration, Model
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import Choice, Parameter, ParameterError, declared
from pe_explorer.views._cost import takes_long
from pe_explorer.views._distance_fields import between, neighbours, parameters
from pe_explorer.views._distances_picture import (
    DistancesOptions,
    Picture,
    colour_map,
    compared,
    cost,
    lacks,
    offer,
    pairs_cost,
    picture,
    status,
)
from pe_explorer.views._pin_curves import PinCurves, draw
from pe_explorer.views.base import Options, Size, View
from pe_explorer.views.stage import Stage
from pe_explorer.widgets.axes import RangeAxis, ValueAxis, short
from pe_explorer.widgets.curve import Curve
from pe_explorer.widgets.device import thin_pen
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.hatching import around_square
from pe_explorer.widgets.plot import ImagePlot, RangePlot, ZoomBox
from pe_explorer.widgets.theme import colours

__all__ = ["Distances", "DistancesOptions", "Picture", "picture"]

_FIELD = 58  # pixels for a typed position; longer ones scroll
_MARGINS = 90  # pixels that a matrix has more beside it than above and below
_READING = 112  # pixels for their distance, so that other numbers move nothing
_READER = "distance of two"  # to the worker
_PAGES = 10  # large steps of a typed position through those shown
_LEFT = 58  # pixels for the numbers of the curve
_LEGEND_STEPS = 64  # places across the plot where the legend looks for curves


class Distances(View):
    """The curve from the reference beside the matrix of all pairs."""

    name: ClassVar[str] = "distances"
    title: ClassVar[str] = "Distances"
    rank: ClassVar[int] = 30
    help: ClassVar[str] = (
        "How far encodings lie from that of the reference, and from each other. "
        "Wheel zooms, drag moves, a click sets the cursor, double-click the reference."
    )
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Wheel", "zoom the positions around the mouse"),
        ("Drag", "move through the positions"),
        ("Double-click", "measure from that position"),
    )
    Options: ClassVar[type[Options]] = DistancesOptions
    fields: ClassVar[frozenset[str]] = View.fields | {"reference", "metric", "pins"}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axes = [
            RangeAxis("bottom", "position"),
            RangeAxis("left", "position"),
            RangeAxis("bottom", "position"),
        ]
        self.values = ValueAxis("left")
        self.curve_plot = RangePlot(self.values, self.axes[0], down=False)
        self.matrix_plot = ImagePlot(self.axes[1], self.axes[2])
        self.line = Curve()
        self.reference_line = pg.InfiniteLine(angle=90, movable=False)
        for item in (self.line, self.reference_line):
            self.curve_plot.addItem(item, ignoreBounds=True)
        self.pin_curves = PinCurves(self.curve_plot)
        self.curve_plot.left.setWidth(_LEFT)
        self.stage = Stage(self, [self.curve_plot, self.matrix_plot], (), self.set_option)
        self._make_metric()
        self._make_reading()
        self.stage.add_option(
            "values", self.set_option, labelled=False
        )  # its tooltip says it; the row is full
        self._there: range | None = None
        """The rows to go to where none is shown."""
        self._metric = ""
        """The metric that has a curve where this one has none."""
        self._dragged = 0.0
        self._pointed: QObject | None = None  # the box that the mouse is over
        self.apply_theme()

    compute, cost = staticmethod(picture), staticmethod(cost)

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        return compared(state), state.start, state.count, state.reference, state.metric

    def size_in_pixels(self) -> Size:
        canvas = self.stage.canvas
        side = min(
            canvas.width() * 0.5, canvas.height() + _MARGINS
        )  # as square as there is room for
        canvas.ci.layout.setColumnFixedWidth(1, max(1.0, side))
        curve = self.stage.pixels(self.curve_plot, self.ratio)
        matrix = self.stage.pixels(self.matrix_plot, self.ratio)
        return Size(curve.width, min(matrix.width, matrix.height))

    def make_room(self, state: Exploration) -> None:
        for axis in self.axes:
            axis.set_origin(state.start, state.count)

    def show_picture(self, state: Exploration, picture: Picture) -> None:
        options = state.options[self.name]
        assert isinstance(options, DistancesOptions)
        self.stage.show_options(options)
        self._there, self._metric = picture.there, picture.metric
        self.stage.say(picture.note, offer=offer(picture), over=self.curve_plot)
        self._show_rows(state)
        self._show_curve(state, picture)
        self.matrix_plot.set_range(state.count, state.count)
        side = picture.indices.shape[0] * picture.block
        self.matrix_plot.show_image(
            picture.indices,
            QRectF(-0.5, -0.5, side, side),
            colour_map(options, picture),
            picture.levels,
        )
        self.matrix_plot.hatching.show_rects(_without_rows(state, picture.block))
        self._show_metric(state)
        self.set_status(status(state, options, picture))
        self._read()

    def show_lack(self, state: Exploration, sentence: str) -> None:
        self._there = None
        self._show_rows(state)
        for item in (self.line, self.reference_line):
            item.hide()
        self.pin_curves.hide(self.palette())
        self.curve_plot.set_range(state.count, 1.0, bottom=0.0)
        self.matrix_plot.set_range(state.count, state.count)
        self.matrix_plot.show_nothing()
        for plot in (self.curve_plot, self.matrix_plot):
            plot.set_cursor(None, None)
        self._show_metric(state)
        self._read()
        self.stage.say(sentence, offer=self.offer_of_lack(state), over=self.curve_plot)

    def _show_rows(self, state: Exploration) -> None:
        """Say what the rows are and which are shown; nothing of an encoding that is gone."""
        rows = Encoding.rows if isinstance(state.encoding, Unknown) else state.encoding.rows
        for axis in self.axes:
            axis.set_title(rows.name)
            axis.set_origin(state.start, state.count)
        self._limit_fields(state, rows)

    def _show_curve(self, state: Exploration, picture: Picture) -> None:
        low, high = picture.curve_levels
        margin = 0.03 * (high - low)
        self.curve_plot.set_range(state.count, high - low + 2 * margin, bottom=low - margin)
        centres = (
            picture.curve_block * np.arange(len(picture.curve)) + (picture.curve_block - 1) / 2
        )
        single = len(centres) == 1  # one position: a level line is what can be seen
        x = np.array([-0.5, 0.5]) if single else np.asarray(centres, dtype=np.float64)
        copies = 2 if single else 1
        curves = [np.repeat(curve, copies) for curve in (picture.curve, *picture.pins)]
        draw(self.line, x, curves[0])
        self.pin_curves.show(state.pins, lacks(state, picture), x, curves[1:], self.palette())
        if state.pins:
            across = np.linspace(0.0, 1.0, _LEGEND_STEPS + 1)
            top, height = high + margin, high - low + 2 * margin
            self.pin_curves.legend.avoid(
                across,
                [np.interp(across, (x + 0.5) / state.count, (top - y) / height) for y in curves],
            )
        self.reference_line.setPos(float(state.reference - state.start))
        self.reference_line.setVisible(state.reference in state.positions)

    def show_cursor(self, state: Exploration) -> None:
        place = _place(state)
        self.curve_plot.set_cursor(place, None)
        self.matrix_plot.set_cursor(None, place)

    def show_preview(self, state: Exploration | None) -> None:
        place = _place(state) if state else None
        self.curve_plot.set_preview(place, None)
        self.matrix_plot.set_preview(None, place)

    @staticmethod
    def coarser(size: Size) -> Size:
        return replace(size, width=size.width // 2, height=size.height // 2)

    def say(self, sentence: str) -> None:
        self.stage.say(sentence)

    def say_refining(self, refining: bool) -> None:
        self.stage.say_refining(refining)

    def hide_controls(self) -> None:
        self.stage.hide_controls()

    def apply_theme(self) -> None:
        self.stage.dress()
        c = colours(self.palette())
        self.line.setPen(c.accent)
        self.pin_curves.tint(self.palette())
        self.reference_line.setPen(thin_pen(c.reference, self.ratio, style=Qt.PenStyle.DashLine))
        self.curve_plot.left.setPen(thin_pen(c.line, self.ratio))
        self.curve_plot.left.setLabel(self.curve_plot.left.labelText, color=c.muted)

    # -- the row above: metric, reference, and the distance of two typed positions -------------

    def _make_metric(self) -> None:
        parameter = declared(Exploration)["metric"]
        assert isinstance(parameter, Choice)
        self.metric_box = self.stage.add_choice("metric", parameter, self._set_metric)

    @Slot(str, object)
    def _set_metric(self, field: str, value: object) -> None:
        self.model.set(**{field: value})

    def _show_metric(self, state: Exploration) -> None:
        title = f"{state.metric} from {short(state.reference)}"
        self.values.set_title(title)
        self.metric_box.display(state.metric)
        self.reference.display(state.reference)

    def _make_reading(self) -> None:
        of_curve, one, two = parameters(Encoding.rows, range(-LIMIT, LIMIT + 1))
        self.reference = self._field("from", of_curve)
        self.first = self._field("d(", one)
        self.second = self._field(",", replace(two, default=1))
        self._fields = (self.reference, self.first, self.second)
        self._limits = (Encoding.rows, range(-LIMIT, LIMIT + 1))
        self.reading = QLabel(") = ")
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reading.setFixedWidth(_READING)
        self.reading.setAccessibleName("Distance of the two positions")
        self.stage.add(self.reading)
        for field in (self.first, self.second):
            field.textChanged.connect(self._read)

    def _limit_fields(self, state: Exploration, rows: Axis) -> None:
        """Let the fields be called as the rows are, and take those that there are."""
        e, pair = state.encoding, (self.first, self.second)
        domain = range(-LIMIT, LIMIT + 1) if isinstance(e, Unknown) else e.domain
        if (rows, domain) == self._limits:
            return
        others = rows != self._limits[0]
        self._limits = (rows, domain)
        for field, parameter in zip(self._fields, parameters(rows, domain), strict=True):
            field.set_parameter(parameter)
        self.reading.setAccessibleName(f"Distance of the two {rows.plural}")
        if others and any(
            field.value not in state.positions for field in pair
        ):  # they meant others
            for field, value in zip(pair, neighbours(state.positions), strict=True):
                field.display(value)

    def _field(self, title: str, parameter: Parameter) -> NumberField:
        field = NumberField(parameter)
        field.setFixedWidth(_FIELD)
        label = QLabel(title)
        label.setBuddy(field)
        self.stage.add(label)
        self.stage.add(field)
        return field

    @Slot(object)
    def _set_reference(self, reference: int) -> None:
        self.model.set(reference=reference)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        field = self.sender()
        assert isinstance(field, NumberField)
        steps = max(self.model.state.count // _PAGES, 1) if page else 1
        rows = self._limits[1]
        field.enter(min(max(field.value + direction * steps, rows[0]), rows[-1]))

    @Slot()
    def _read(self) -> None:
        """Tell the distance of the two typed positions."""
        if self._model is None:
            return
        state = self.model.state
        try:
            e, p, q = require_known(state.encoding), self.first.read(), self.second.read()
        except ParameterError as error:
            self.model.worker.cancel(_READER)
            self._tell_lack(error.sentence)
            return
        task = partial(between, e, p, q, state.metric)
        if takes_long(pairs_cost(e, state.metric, (1, 1), (1, 1))):
            self.reading.setText(") = …")
            self.model.worker.request(_READER, task)
        else:
            self.model.worker.cancel(_READER)
            self._tell(_READER, task(threading.Event()))

    def _tell_lack(self, sentence: str) -> None:
        """Say why there is no distance of the two."""
        self.reading.setText(") = ?")
        self.reading.setToolTip(sentence)

    @Slot(str, object)
    def _tell(self, owner: str, answer: Any) -> None:
        if owner != _READER:
            return
        if isinstance(answer, str):
            self._tell_lack(answer)
            return
        value, state = answer, self.model.state
        self.reading.setText(f") = {value:.8g}" if math.isfinite(value) else ") is undefined")
        if math.isfinite(value):
            self.reading.setToolTip(f"{value!r}, {state.metric}")
        elif state.metric == "cosine":
            self.reading.setToolTip("A row of zeros has no direction.")
        else:
            self.reading.setToolTip("The numbers of the rows are too large, or not finite.")

    # -- the mouse -----------------------------------------------------------------------------

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        self.model.set(**zoomed(self.model.state, factor, x))

    @Slot(float, float)
    def _pan_curve(self, x: float, y: float) -> None:
        self._pan(-x)

    @Slot(float, float)
    def _pan_matrix(self, x: float, y: float) -> None:
        self._pan(-(x + y) / 2)  # along the diagonal

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(_READER)
        super().detach()

    def _pan(self, part: float) -> None:
        self._dragged += part * self.model.state.count
        positions = round(self._dragged)
        self._dragged -= positions
        if positions:
            self.model.set(**panned(self.model.state, positions))

    @Slot(float, float)
    def _point(self, x: float, y: float) -> None:
        self._pointed = self.sender()
        self.model.point_at(position=self._at(x, y))

    @Slot()
    def _leave(self) -> None:
        if self.sender() is self._pointed:  # one plot is left after the other has been entered
            self.model.point_at()

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        self.model.set(position=self._at(x, y))

    def _at(self, x: float, y: float) -> int:
        """Return the position at coordinates of the plot that the mouse is over."""
        state = self.model.state
        place = y if self.sender() is self.matrix_plot.box else x
        return state.start + min(max(0, round(place)), state.count - 1)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (model.worker.done, self._tell),
            (self.stage.accepted, self._accept),
            (self.reference.entered, self._set_reference),
            *((field.refused, model.refused) for field in self._fields),
            *((field.stepped, self._step) for field in self._fields),
            *(
                pair
                for plot in (self.curve_plot, self.matrix_plot)
                for pair in self._gestures(plot.box)
            ),
            (self.curve_plot.box.pan_asked, self._pan_curve),
            (self.matrix_plot.box.pan_asked, self._pan_matrix),
        ]

    def _gestures(self, box: ZoomBox) -> list[tuple[Any, Any]]:
        """Return what the mouse does over either plot."""
        return [
            (box.zoom_asked, self._zoom),
            (box.picked, self._pick),
            (box.pointed, self._point),
            (box.left, self._leave),
            (box.chosen, self._choose_reference),
        ]

    @Slot()
    def _accept(self) -> None:
        """Do what the button beside the sentence offers."""
        if self.blank:
            self.locate_asked.emit()
        elif self._there is not None:
            self.model.set(**moved_to(self.model.state, self._there))
        elif self._metric:
            self.model.set(metric=self._metric)

    @Slot(float, float)
    def _choose_reference(self, x: float, y: float) -> None:
        state = self.model.state
        self.model.set(reference=state.start + min(max(0, round(x)), state.count - 1))


def _place(state: Exploration) -> float | None:
    """Return where the cursor is among the shown positions, None if it is elsewhere."""
    return float(state.position - state.start) if state.position in state.positions else None


def _without_rows(state: Exploration, block: int) -> list[QRectF]:
    """Return where in the matrix one of two positions has no row."""
    count, cells = state.count, -(-state.count // block)
    inside = blocks_inside(state.start, block, cells, require_known(state.encoding).domain)
    if not inside:
        return [QRectF(-0.5, -0.5, count, count)]
    return around_square(inside.start * block, min(inside.stop * block, count), count)
