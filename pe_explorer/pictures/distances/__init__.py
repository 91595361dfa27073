"""Distances: a curve for the reference position, and a matrix for all pairs of positions."""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.distance import compute_rounding_size, measure
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, find_axes, is_file_based, require_known
from pe_explorer.exploration import Exploration, pan_range, zoom_range
from pe_explorer.params import printed
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.pictures.distances import words
from pe_explorer.pictures.distances.histogram import Histogram, find_pair, format_bin
from pe_explorer.pictures.distances.numbers import (
    DistancesNumbers,
    compute,
    cost,
    estimate_pairs_cost,
)
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import explain_no_curve_briefly
from pe_explorer.pictures.distances.words import SECOND_PANEL
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.gestures import DisplayedPicture, Drag, Effects, Fields, Pointer, Wheel
from pe_explorer.pictures.inspection import HiddenCursor, Inspection, make_hidden_cursor
from pe_explorer.pictures.limits import (
    describe_substitute,
    explain_not_drawn,
    find_colour_substitute,
)
from pe_explorer.pictures.lines import Band, Curve, MarkLine
from pe_explorer.pictures.named import list_encodings, named_encodings
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import FigureSpace, Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, Rectangle, make_whole_axis
from pe_explorer.pictures.shown_positions import (
    find_coordinate,
    find_nearest_position,
    find_row_ends,
)
from pe_explorer.words.texts import Wording

_SHARE_TITLE = "share of pairs (%)"
_MARGIN = 0.03  # margin above and below the curve, as a fraction of the value range


class Distances(Picture[DistancesOptions, DistancesNumbers]):
    """A curve of distances from the reference position, and a matrix of all distances."""

    name: ClassVar[str] = "distances"
    title: ClassVar[str] = "Distances"
    group: ClassVar[str] = "measure"
    rank: ClassVar[int] = 30
    help: ClassVar[str] = (
        "Distances of positions from a reference and from each other. Click to set the cursor (in "
        "the matrix, both positions); double-click to set the reference."
    )
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom in or out around the mouse pointer"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure from that position"),
    )
    shown_fields: ClassVar[tuple[str, ...]] = ("metric", "reference")
    can_compare: ClassVar[bool] = True
    fields: ClassVar[frozenset[str]] = Picture.fields | {"reference", "metric"}
    cost_sides: ClassVar[tuple[str, ...]] = ("width", "height")
    coloured_panels: ClassVar[frozenset[str]] = frozenset({"matrix"})
    cursor_fields: ClassVar[tuple[str, ...]] = ("position", "second", "reference")
    main_value_name: ClassVar[str] = "d(p, q)"

    def inputs(self) -> tuple[Any, ...]:
        state, options = self.state, self.options
        positions = state.start, state.count, state.reference
        return list_encodings(state), *positions, state.metric, options.part, options.second_metric

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        """Return a size with the width of the curve and the height of the matrix."""
        return replace(space.panels[0], height=space.panels[-1].height)

    def cost(self, size: Size) -> float:
        return cost(self.state, self.options, size)

    def numbers(self, size: Size, progress: threading.Event) -> DistancesNumbers:
        return compute(self.state, self.options, size, progress)

    def figure(self, numbers: DistancesNumbers) -> Figure:
        frame, wording = self.frame(), self.wording(numbers)
        if numbers.histogram:
            return self._make_histogram_figure(frame.panels[0], wording, numbers, numbers.histogram)
        matrix, below, substitute = numbers.matrix, numbers.below, None
        panels, status = [], wording.text("status")
        if curves := frame.panel("curve"):
            panels.append(self._make_curve_panel(curves, self.state.metric, numbers))
        if (curves := frame.panel(SECOND_PANEL)) and below:
            lower = self._make_curve_panel(curves, self.options.second_metric, below)
            pairs = zip(panels[0].curves, lower.curves, strict=True)
            has_legend = any(a.missing_reason != b.missing_reason for a, b in pairs)
            panels.append(lower._replace(has_legend=has_legend))
            if below.note != numbers.note:
                status = f"{status}{self.wording(below).text('below')}"
        if matrix and (panel := frame.panel("matrix")):
            symmetric = matrix.limits[0] < 0
            substitute = find_colour_substitute(self.options.values, symmetric=symmetric)
            side, metric = len(matrix.values) * numbers.block, self.state.metric
            colours = substitute.replacement if substitute else self.options.values
            cells = matrix.cells(side, side, colours, measure(metric))
            cells = cells._replace(min_magnitude=self.min_magnitude)
            areas, badge = _find_hatched_areas(self.state, numbers.block), numbers.matrix_badge
            panels.append(panel._replace(cells=cells, hatched_areas=areas, badge=badge))
        status = f"{status}{describe_substitute(substitute)}"
        return Figure(tuple(panels), status=status, note=_note(numbers), substitute=substitute)

    def _make_curve_panel(self, panel: Panel, metric: str, numbers: DistancesNumbers) -> Panel:
        block, curves = numbers.curve_block, numbers.curves
        x = block * np.arange(len(curves[0]), dtype=np.float64) + (block - 1) / 2
        if len(x) == 1:  # draw a horizontal line, because a single point is invisible
            x, curves = np.array([-0.5, 0.5]), tuple(np.repeat(curve, 2) for curve in curves)
        pairs = zip(self._make_curves(metric, x, curves), numbers.ranges, strict=True)
        reference = find_coordinate(self.state, self.state.reference)
        return panel._replace(
            y=panel.y.with_ends(*numbers.curve_limits, _MARGIN),
            curves=tuple(curve._replace(band=span and Band(*span)) for curve, span in pairs),
            marks=() if reference is None else (MarkLine(reference, "reference"),),
            badge=numbers.badge,
        )

    def _make_histogram_figure(
        self, panel: Panel, wording: Wording, numbers: DistancesNumbers, histogram: Histogram
    ) -> Figure:
        edges, shares, note = histogram.edges, histogram.shares, numbers.note
        if len(edges) and (missing_reason := explain_not_drawn(edges[0], edges[-1])):
            note = note or Note(missing_reason)
        elif len(edges):
            max_share = max(np.nanmax(share, initial=0.0) for share in shares)
            middles = (edges[:-1] + edges[1:]) / 2
            panel = panel._replace(
                x=replace(panel.x, low=edges[0], high=edges[-1]),
                y=PanelAxis(_SHARE_TITLE, 0.0, (1 + _MARGIN) * (max_share or 1.0)),
                curves=self._make_curves(self.state.metric, middles, shares, is_stepped=True),
            )
        pairs = histogram.current_pairs
        status = wording.with_item(pairs).text("spread") if pairs else wording.text("status")
        return Figure((panel,), status=status, note=note)

    def _make_curves(
        self, metric: str, x: Floats, curves: Sequence[Floats], *, is_stepped: bool = False
    ) -> tuple[Curve, ...]:
        named_curves: list[Curve] = []
        for (e, name, brief, colour), y in zip(named_encodings(self.state), curves, strict=True):
            missing_reason = ""
            if named_curves and not np.isfinite(y).any():  # a note explains a missing current curve
                missing_reason = explain_no_curve_briefly(self.state, e, metric)
            named_curves.append(Curve(name, x, y, colour, missing_reason, brief, is_stepped))
        return tuple(named_curves)

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        state, e = self.state, self.state.encoding
        if self.options.has_histogram:
            number = math.nan
            if isinstance(e, Encoding) and not (self.is_inspection_slow() or is_file_based(e)):
                number, *_ = words.measure_distance(e, state.position, state.second, state.metric)
            return {"histogram": (number if math.isfinite(number) else None, None)}
        first, second = (find_coordinate(state, p) for p in (state.position, state.second))
        return {"curve": (first, None), SECOND_PANEL: (first, None), "matrix": (second, first)}

    def frame(self) -> Figure:
        state, options, (rows, _) = self.state, self.options, find_axes(self.state.encoding)
        positions = make_whole_axis(rows.name, state.start, state.count)
        if options.has_histogram:
            x = PanelAxis(f"{measure(state.metric)} of two {rows.plural}", 0.0, 1.0)
            return Figure((Panel("histogram", x, PanelAxis(_SHARE_TITLE, 0.0, 1.0)),))
        panels, second = [], options.second_metric
        reference = f"{rows.name} {printed.format_short_number(state.reference)}"
        if options.has_curve:
            axis = PanelAxis(measure(state.metric, reference), 0.0, 1.0)
            panels.append(Panel("curve", positions, axis, is_above_next_panel=bool(second)))
        if second:
            axis = PanelAxis(measure(second, reference), 0.0, 1.0)
            panels.append(Panel(SECOND_PANEL, positions, axis))
        if options.has_matrix:
            panels.append(Panel("matrix", positions, replace(positions, is_downward=True)))
        return Figure(tuple(panels))

    @property
    def min_magnitude(self) -> float:
        return compute_rounding_size(self.encoding, self.state.metric)

    def inspect(self, progress: threading.Event) -> Inspection:
        return words.inspect(self.wording(), self.state, self.options, progress)

    def is_inspection_slow(self) -> bool:
        e, metric, second = self.state.encoding, self.state.metric, self.options.second_metric
        metrics = (metric, metric, second) if second else (metric, metric)
        return isinstance(e, Encoding) and is_expensive(
            sum(estimate_pairs_cost(e, metric, (1, 1), (1, 1)) for metric in metrics)
        )

    def find_hidden_cursor(self) -> HiddenCursor | None:
        if self.options.has_histogram:
            return None
        if self.options.has_curve:
            return make_hidden_cursor(self.state, "to the left", "to the right")
        return super().find_hidden_cursor()

    def find_pointer_fields(
        self, snapshot: DisplayedPicture | None, pointer: Pointer
    ) -> Mapping[str, int]:
        """Return a position on the curve, or two positions in the matrix or the histogram."""
        if pointer.panel == "histogram":
            histogram = snapshot.numbers.histogram if snapshot else None
            pair = find_pair(histogram, pointer.x) if histogram else None
            return {"position": pair[0], "second": pair[1]} if pair else {}
        position = find_nearest_position(self.state, pointer.x)
        if pointer.panel == "matrix":
            return {"position": find_nearest_position(self.state, pointer.y), "second": position}
        return {"position": position}

    def find_double_click_fields(
        self, snapshot: DisplayedPicture | None, pointer: Pointer
    ) -> Fields:
        has_position = pointer.panel != "histogram"
        return {"reference": find_nearest_position(self.state, pointer.x)} if has_position else {}

    def find_wheel_fields(self, snapshot: DisplayedPicture | None, wheel: Wheel) -> Fields:
        anchor = 0.0 if wheel.panel == "histogram" else wheel.x
        return zoom_range(self.state, wheel.factor, anchor)

    def find_drag_fields(self, snapshot: DisplayedPicture | None, drag: Drag) -> Fields:
        """Return the fields that scroll through the positions, in the matrix along its diagonal."""
        fraction = (drag.x + drag.y) / 2 if drag.panel == "matrix" else drag.x
        return pan_range(self.state, drag.rows(-fraction * self.state.count))

    def quantity_name(self) -> str:
        exported = {"matrix": "matrix", "histogram": "distance-histogram"}
        return exported.get(self.options.part, "distances")

    def list_omitted_data(self, exported: str) -> tuple[str, ...]:
        if self.options.part != "both":
            return ()
        return ("the distances from the reference" if exported == "matrix" else "the matrix",)

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        return words.make_expressions(self.state, self.options.second_metric, figure)


# -- the figure ----------------------------------------------------------------------------------


def _note(numbers: DistancesNumbers) -> Note | None:
    note, below = numbers.note, numbers.below
    if below is None or (note and below.note):
        return note
    if note:
        return note._replace(panel="curve")
    return Note(below.note.sentence, panel=SECOND_PANEL) if below.note else None


def _find_hatched_areas(state: Exploration, block: int) -> tuple[Rectangle, ...]:
    count = state.count
    low, high = find_row_ends(state.positions, block, require_known(state.encoding).domain)
    return (
        Rectangle(-0.5, -0.5, count, low),
        Rectangle(-0.5, high - 0.5, count, count - high),
        Rectangle(-0.5, low - 0.5, low, high - low),
        Rectangle(high - 0.5, low - 0.5, count - high, high - low),
    )
