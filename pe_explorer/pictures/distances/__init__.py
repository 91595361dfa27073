"""Distances: from a reference to every position as a curve, between all positions as a matrix."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.distance import measure, rounding_size
from pe_explorer.arrays import Floats
from pe_explorer.encodings import axes_of, require_known
from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.params import printed
from pe_explorer.pictures.distances import histogram as histograms, words
from pe_explorer.pictures.distances.histogram import Histogram, bin_words, pair_at
from pe_explorer.pictures.distances.numbers import DistancesNumbers, compute, cost
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import why_no_curve_in_few_words
from pe_explorer.pictures.distances.words import SECOND, formula_of
from pe_explorer.pictures.figure import (
    Band,
    Curve,
    Figure,
    Mark,
    Note,
    Panel,
    PanelAxis,
    PanelPlace,
    Rectangle,
    Substitute,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.inspection import Inspection, Outside, rows_outside
from pe_explorer.pictures.limits import (
    PixelImage,
    substitute_sentence,
    suited_colours,
    why_not_drawn,
)
from pe_explorer.pictures.named import every_encoding, named_encodings
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Room, Size
from pe_explorer.pictures.shown_positions import ends_of_rows, nearest_position, place_of_position

_SHARE = "share of pairs (%)"
_MARGIN = 0.03  # share of the value range left free above and below the curve


_EXPORTED = {"matrix": "matrix", "histogram": "distance-histogram"}
"""The quantity that exports each part but the distances from the reference."""


class Distances(Picture[DistancesOptions, DistancesNumbers]):
    """The curve from the reference beside the matrix of all pairs."""

    name: ClassVar[str] = "distances"
    title: ClassVar[str] = "Distances"
    group: ClassVar[str] = "measure"
    rank: ClassVar[int] = 30
    help: ClassVar[str] = (
        "How far encodings lie from that of the reference, and from each other. "
        "Wheel zooms, drag moves; a click sets the cursor, in the matrix both positions; a "
        "double-click sets the reference."
    )
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure from that position"),
    )
    explored: ClassVar[tuple[str, ...]] = ("metric", "reference")
    compares: ClassVar[bool] = True
    fields: ClassVar[frozenset[str]] = Picture.fields | {"reference", "metric"}
    halved: ClassVar[tuple[str, ...]] = ("width", "height")
    coloured: ClassVar[frozenset[str]] = frozenset({"matrix"})
    inspected: ClassVar[tuple[str, ...]] = ("position", "second", "reference")
    main_number: ClassVar[str] = words.MAIN

    def ingredients(self) -> tuple[Any, ...]:
        state, options = self.state, self.options
        shown = every_encoding(state), state.start, state.count, state.reference
        return *shown, state.metric, options.part, options.second_metric

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the curve's width and the matrix's side."""
        return replace(room.panels[0], height=room.panels[-1].height)

    def cost(self, size: Size) -> float:
        return cost(self.state, self.options, size)

    def numbers(self, size: Size, progress: threading.Event) -> DistancesNumbers:
        """Return the distances; `size` has the curve's width and the matrix's side."""
        return compute(self.state, self.options, size, progress)

    def figure(self, numbers: DistancesNumbers) -> Figure:
        frame, matrix = self.frame(), numbers.matrix
        if numbers.histogram:
            return self._histogram_figure(frame.panels[0], numbers, numbers.histogram)
        substitute = None
        if matrix:  # all its values may lie on one side of 0
            symmetric = matrix.limits[0] < 0
            substitute = suited_colours(self.options.values, symmetric=symmetric)
        panels = []
        if curves := frame.panel("curve"):
            panels.append(self._curve_panel(curves, self.state.metric, numbers))
        if (curves := frame.panel(SECOND)) and numbers.below:
            below = self._curve_panel(curves, self.options.second_metric, numbers.below)
            lacks = [[curve.lack for curve in each.curves] for each in (panels[0], below)]
            panels.append(below._replace(has_legend=lacks[0] != lacks[1]))
        if matrix and (panel := frame.panel("matrix")):
            panels.append(self._matrix_panel(panel, matrix, numbers.block, substitute))
        status = words.status(self.state, self.options, numbers)
        note = words.note(numbers.note, numbers.rows, numbers.metric)
        return Figure(
            tuple(panels),
            status=f"{status}{substitute_sentence(substitute)}",
            note=words.note_of_two(note, numbers),
            substitute=substitute,
        )

    def _curve_panel(self, panel: Panel, metric: str, numbers: DistancesNumbers) -> Panel:
        """Return the panel of the curves by a metric."""
        state, block, curves = self.state, numbers.curve_block, numbers.curves
        columns = len(curves[0])
        x = block * np.arange(columns, dtype=np.float64) + (block - 1) / 2
        if columns == 1:  # one position: a level line is what can be seen
            x, curves = np.array([-0.5, 0.5]), tuple(np.repeat(curve, 2) for curve in curves)
        named = _named(state, metric, x, curves)
        if numbers.ranges:
            pairs = zip(named, numbers.ranges, strict=True)
            named = tuple(curve._replace(band=each and Band(*each)) for curve, each in pairs)
        reference = place_of_position(state, state.reference)
        return panel._replace(
            y=panel.y.reaching(*numbers.curve_limits, _MARGIN),
            curves=named,
            marks=() if reference is None else (Mark(reference, "reference"),),
            badge=words.badge_of_curves(state, metric, block, numbers.ranges),
        )

    def _matrix_panel(
        self, panel: Panel, matrix: PixelImage, block: int, substitute: Substitute | None
    ) -> Panel:
        """Return the panel of the matrix."""
        side, metric = len(matrix.values) * block, self.state.metric
        colours = substitute.shown if substitute else self.options.values
        cells = matrix.cells(side, side, colours, measure(metric))
        return panel._replace(
            cells=cells._replace(least=rounding_size(self.encoding, metric)),
            hatched=_without_rows(self.state, block),
            badge=words.badge(self.state, metric, block, both_ways=True),
        )

    def _histogram_figure(
        self, panel: Panel, numbers: DistancesNumbers, histogram: Histogram
    ) -> Figure:
        """Return the figure of how distances are spread."""
        metric = self.state.metric
        lack = why_not_drawn(*histogram.edges[[0, -1]]) if len(histogram.edges) else ""
        if len(histogram.edges) and not lack:
            highest = max(np.nanmax(each, initial=0.0) for each in histogram.shares)
            x, shares = histogram.middles, histogram.shares
            panel = panel._replace(
                x=replace(panel.x, low=histogram.edges[0], high=histogram.edges[-1]),
                y=PanelAxis(_SHARE, 0.0, (1 + _MARGIN) * (highest or 1.0)),
                curves=_named(self.state, metric, x, shares, stepped=True),
            )
        if histogram.of_current is None:
            note = words.note(numbers.note, numbers.rows, numbers.metric)
            return Figure((panel,), status=f"Distances: {numbers.note}", note=note)
        sentence = histograms.sentence(histogram)
        status = f"Distances: {sentence}{words.left_out(self.state, metric, histogram.shares)}"
        return Figure((panel,), status=status, note=Note(lack) if lack else None)

    def cursor_places(self) -> dict[str, PanelPlace]:
        state = self.state
        if self.options.shows_histogram:
            return {"histogram": (words.distance_of_two(state), None)}
        here, second = (place_of_position(state, p) for p in (state.position, state.second))
        return {"curve": (here, None), SECOND: (here, None), "matrix": (second, here)}

    def frame(self) -> Figure:
        state, options, (rows, _) = self.state, self.options, axes_of(self.state.encoding)
        across = whole_numbers(rows.name, state.start, state.count)
        down = replace(across, down=True)
        if options.shows_histogram:
            x = PanelAxis(f"{measure(state.metric)} of two {rows.plural}", 0.0, 1.0)
            return Figure((Panel("histogram", x, PanelAxis(_SHARE, 0.0, 1.0)),))
        panels, reference = [], f"{rows.name} {printed.short(state.reference)}"
        if options.shows_curve:
            axis = PanelAxis(measure(state.metric, reference), 0.0, 1.0)
            panels.append(Panel("curve", across, axis, upper=bool(options.second_metric)))
        if options.second_metric:
            axis = PanelAxis(measure(options.second_metric, reference), 0.0, 1.0)
            panels.append(Panel(SECOND, across, axis))
        if options.shows_matrix:
            panels.append(Panel("matrix", across, down))
        return Figure(tuple(panels))

    def inspect(self, progress: threading.Event) -> Inspection:
        return words.inspect(self.state, self.options, progress)

    def inspecting_takes_long(self) -> bool:
        return words.takes_long_to_inspect(self.state, self.options.second_metric)

    def cursor_outside(self) -> Outside | None:
        if self.options.shows_histogram:
            return None
        if self.options.shows_curve:
            return rows_outside(self.state, "to the left", "to the right")
        return super().cursor_outside()

    def pointed_at(self, drawn: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return a position on the curve; two of them in matrix and histogram."""
        if at.panel == "histogram":
            histogram = drawn.numbers.histogram if drawn else None
            pair = pair_at(histogram, at.x) if histogram else None
            return {"position": pair[0], "second": pair[1]} if pair else {}
        across = nearest_position(self.state, at.x)
        if at.panel == "matrix":
            return {"position": nearest_position(self.state, at.y), "second": across}
        return {"position": across}

    def double_clicked(self, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Measure from the position at a point of the curve or the matrix."""
        is_position = at.panel != "histogram"
        return {"reference": nearest_position(self.state, at.x)} if is_position else {}

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        anchor = 0.0 if wheel.panel == "histogram" else wheel.x
        return zoomed(self.state, wheel.factor, anchor)

    def dragged(self, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Move through the positions; in the matrix along its diagonal."""
        part = (drag.x + drag.y) / 2 if drag.panel == "matrix" else drag.x
        return panned(self.state, drag.rows(-part * self.state.count))

    def exported(self) -> str:
        return _EXPORTED.get(self.options.part, "distances")

    def also_shown(self, exported: str) -> tuple[str, ...]:
        if self.options.part != "both":
            return ()
        is_matrix = exported == "matrix"
        return ("the distances from the reference",) if is_matrix else ("the matrix",)

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        return formula_of(self.state, self.options.second_metric, figure)


# -- the figure ----------------------------------------------------------------------------------


def _named(
    state: Exploration, metric: str, x: Floats, curves: Sequence[Floats], *, stepped: bool = False
) -> tuple[Curve, ...]:
    """Return the curves over `x` with names and colours."""
    named: list[Curve] = []
    for each, y in zip(named_encodings(state), curves, strict=True):
        lack = ""
        if named and not np.isfinite(y).any():  # a note says why of the current encoding
            lack = why_no_curve_in_few_words(state, each.encoding, metric)
        named.append(Curve(each.name, x, y, each.colour, lack, each.brief, stepped))
    return tuple(named)


def _without_rows(state: Exploration, block: int) -> tuple[Rectangle, ...]:
    """Return where in the matrix one of two positions has no row."""
    count = state.count
    low, high = ends_of_rows(state.positions, block, require_known(state.encoding).domain)
    if low == high:
        return (Rectangle(-0.5, -0.5, count, count),)
    above = Rectangle(-0.5, -0.5, count, low)
    below = Rectangle(-0.5, high - 0.5, count, count - high)
    left = Rectangle(-0.5, low - 0.5, low, high - low)
    right = Rectangle(high - 0.5, low - 0.5, count - high, high - low)
    return above, below, left, right
