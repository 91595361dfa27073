"""Distances: from a reference as a curve, between all positions as a matrix."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QObject, QRectF, Qt, Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT, Encoding, known
from pe_explorer.exploration import Pin, panned, zoomed
from pe_explorer.model import Exploration, Model
from pe_explorer.params import Choice, Parameter, ParameterError, declared
from pe_explorer.views._cost import takes_long
from pe_explorer.views._distances_picture import DistancesOptions, Picture, colour_map, compared, cost, pairs_cost, picture, status
from pe_explorer.views.base import Options, Size, View
from pe_explorer.views.stage import Stage
from pe_explorer.widgets.axes import RangeAxis, ValueAxis, short
from pe_explorer.widgets.curve import Curve
from pe_explorer.widgets.device import thin_pen
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.legend import Legend
from pe_explorer.widgets.plot import ImagePlot, RangePlot, ZoomBox
from pe_explorer.widgets.theme import colours, pin_shade

__all__ = ["Distances", "DistancesOptions", "Picture", "picture"]

Floats = npt.NDArray[np.float64]

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
    Options: ClassVar[type[Options]] = DistancesOptions
    fields: ClassVar[frozenset[str]] = View.fields | {"reference", "metric", "pins"}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axes = [RangeAxis("bottom", "position"), RangeAxis("left", "position"), RangeAxis("bottom", "position")]
        self.values = ValueAxis("left")
        self.curve_plot = RangePlot(self.values, self.axes[0], down=False)
        self.matrix_plot = ImagePlot(self.axes[1], self.axes[2])
        self.line = Curve()
        self.reference_line = pg.InfiniteLine(angle=90, movable=False)
        for item in (self.line, self.reference_line):
            self.curve_plot.addItem(item, ignoreBounds=True)
        self.pin_lines: list[Curve] = []
        self._pins: list[tuple[str, str]] = []
        self.legend = Legend(self.curve_plot.box)
        self.curve_plot.left.setWidth(_LEFT)
        self.stage = Stage(self, [self.curve_plot, self.matrix_plot], (), self.set_option)
        self._make_metric()
        self._make_reading()
        self.stage.add_option("values", self.set_option, labelled=False)  # its tooltip says it; the row is full
        self._dragged = 0.0
        self._pointed: QObject | None = None  # the box that the mouse is over
        self.apply_theme()

    compute, cost = staticmethod(picture), staticmethod(cost)

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        return compared(state), state.start, state.count, state.reference, state.metric

    def size_in_pixels(self) -> Size:
        canvas = self.stage.canvas
        side = min(canvas.width() * 0.5, canvas.height() + _MARGINS)  # as square as there is room for
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
        self.stage.say(picture.note, over=self.curve_plot)
        for axis in self.axes:
            axis.set_origin(state.start, state.count)
        self._show_curve(state, picture)
        self.matrix_plot.set_range(state.count, state.count)
        side = picture.indices.shape[0] * picture.block
        self.matrix_plot.show_image(picture.indices, QRectF(-0.5, -0.5, side, side), colour_map(options, picture), picture.levels)
        self._show_metric(state)
        self.set_status(status(state, options, picture))
        self._read()

    def show_lack(self, state: Exploration, sentence: str) -> None:
        for axis in self.axes:
            axis.set_origin(state.start, state.count)
        for item in (self.line, *self.pin_lines, self.reference_line):
            item.hide()
        self._pins = []
        self._tint_pins()
        self.curve_plot.set_range(state.count, 1.0, bottom=0.0)
        self.matrix_plot.set_range(state.count, state.count)
        self.matrix_plot.show_nothing()
        for plot in (self.curve_plot, self.matrix_plot):
            plot.set_cursor(None, None)
        self._show_metric(state)
        self._read()
        self.stage.say(sentence)

    def _show_curve(self, state: Exploration, picture: Picture) -> None:
        low, high = picture.curve_levels
        margin = 0.03 * (high - low)
        self.curve_plot.set_range(state.count, high - low + 2 * margin, bottom=low - margin)
        centres = picture.curve_block * np.arange(len(picture.curve)) + (picture.curve_block - 1) / 2
        single = len(centres) == 1  # one position: a level line is what can be seen
        x = np.array([-0.5, 0.5]) if single else np.asarray(centres, dtype=np.float64)
        copies = 2 if single else 1
        curves = [np.repeat(curve, copies) for curve in (picture.curve, *picture.pins)]
        _draw(self.line, x, curves[0])
        self._show_pins(state.pins, x, curves[1:])
        if state.pins:
            across = np.linspace(0.0, 1.0, _LEGEND_STEPS + 1)
            top, height = high + margin, high - low + 2 * margin
            self.legend.avoid(across, [np.interp(across, (x + 0.5) / state.count, (top - y) / height) for y in curves])
        self.reference_line.setPos(float(state.reference - state.start))
        self.reference_line.setVisible(state.reference in state.positions)

    def _show_pins(self, pins: tuple[Pin, ...], x: Floats, curves: Sequence[Floats]) -> None:
        """Draw the pins' curves behind the current one, in their colours, and name them all."""
        while len(self.pin_lines) < len(pins):
            self.pin_lines.append(Curve())
            self.pin_lines[-1].setZValue(-1)
            self.curve_plot.addItem(self.pin_lines[-1], ignoreBounds=True)
        for line in self.pin_lines[len(pins) :]:
            line.hide()
        for line, curve in zip(self.pin_lines, curves, strict=False):
            _draw(line, x, curve)
        undefined = [not np.isfinite(curve).any() for curve in curves]
        self._pins = [(f"{pin.name}: none" if lost else pin.name, pin.colour) for pin, lost in zip(pins, undefined, strict=True)]
        self._tint_pins()

    def _tint_pins(self) -> None:
        palette = self.palette()
        named = [(name, pin_shade(colour, palette)) for name, colour in self._pins]
        for line, (_, shade) in zip(self.pin_lines, named, strict=False):
            line.setPen(shade)
        self.legend.show_names([("current", colours(palette).accent), *named] if named else [], palette)

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
        self.stage.header.hide()

    def apply_theme(self) -> None:
        self.stage.dress()
        c = colours(self.palette())
        self.line.setPen(c.accent)
        self._tint_pins()
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
        kinds, told = declared(Exploration), "one of the two positions whose distance is told."
        line = "Position that the curve measures from, the dashed line; double-click sets it, too."
        self.reference = self._field("from", replace(kinds["reference"], help=line))
        self.first = self._field("d(", replace(kinds["position"], label="First position", help=f"The first, {told}"))
        self.second = self._field(",", replace(kinds["position"], default=1, label="Second position", symbol="q", help=f"The second, {told}"))
        self._fields = (self.reference, self.first, self.second)
        self.reading = QLabel(") = ")
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reading.setFixedWidth(_READING)
        self.reading.setAccessibleName("Distance of the two positions")
        self.stage.add(self.reading)
        for field in (self.first, self.second):
            field.textChanged.connect(self._read)

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
        field.enter(min(max(field.value + direction * steps, -LIMIT), LIMIT))

    @Slot()
    def _read(self) -> None:
        """Tell the distance of the two typed positions."""
        if self._model is None:
            return
        state = self.model.state
        try:
            e, p, q = known(state.encoding), self.first.read(), self.second.read()
        except ParameterError as error:
            self.model.worker.cancel(_READER)
            self.reading.setText(") = ?")
            self.reading.setToolTip(error.sentence)
            return
        task = partial(_between, e, p, q, state.metric)
        if takes_long(pairs_cost(e, state.metric, 1, 1)):
            self.reading.setText(") = …")
            self.model.worker.request(_READER, task)
        else:
            self.model.worker.cancel(_READER)
            self._tell(_READER, task(threading.Event()))

    @Slot(str, object)
    def _tell(self, owner: str, answer: Any) -> None:
        if owner != _READER:
            return
        value, state = answer, self.model.state
        self.reading.setText(f") = {value:.8g}" if math.isfinite(value) else ") is undefined")
        self.reading.setToolTip(f"{value!r}, {state.metric}" if math.isfinite(value) else "A row of zeros has no direction.")

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
            (self.reference.entered, self._set_reference),
            *((field.refused, model.refused) for field in self._fields),
            *((field.stepped, self._step) for field in self._fields),
            *(pair for plot in (self.curve_plot, self.matrix_plot) for pair in self._gestures(plot.box)),
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

    @Slot(float, float)
    def _choose_reference(self, x: float, y: float) -> None:
        state = self.model.state
        self.model.set(reference=state.start + min(max(0, round(x)), state.count - 1))


def _place(state: Exploration) -> float | None:
    """Return where the cursor is among the shown positions, None if it is elsewhere."""
    return float(state.position - state.start) if state.position in state.positions else None


def _between(e: Encoding, p: int, q: int, metric: str, cancelled: threading.Event) -> float:
    if cancelled.is_set():
        raise CancelledError
    return distance.between(e, p, q, metric)


def _draw(line: Curve, x: Floats, y: Floats) -> None:
    """Show a curve; one without a number is hidden, as it would look as it did before."""
    line.setData(x, y)
    line.setVisible(bool(np.isfinite(y).any()))
