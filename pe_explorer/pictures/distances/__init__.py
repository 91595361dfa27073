"""Distances: from a reference to every position as a curve, between all positions as a matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.distance import measure, rounding_size
from pe_explorer.arrays import Floats
from pe_explorer.encodings import axes_of, require_known
from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.params import printed
from pe_explorer.pictures.comparing import ComparingPicture
from pe_explorer.pictures.distances import histogram as histograms, words
from pe_explorer.pictures.distances.histogram import Histogram, bin_words, pair_at
from pe_explorer.pictures.distances.numbers import (
    DistancesNumbers,
    compute,
    cost,
)
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import why_no_curve_in_few_words
from pe_explorer.pictures.distances.words import SECOND, formula_of, inspect
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
from pe_explorer.pictures.inspection import Outside, rows_outside
from pe_explorer.pictures.limits import (
    PixelImage,
    substitute_sentence,
    suited_colours,
    why_not_drawn,
)
from pe_explorer.pictures.named import every_encoding, named_encodings
from pe_explorer.pictures.pixels import Room, Size
from pe_explorer.pictures.shown_positions import ends_of_rows, nearest_position, place_of_position

_SHARE = "share of pairs (%)"
_MARGIN = 0.03  # share of the value range left free above and below the curve


_EXPORTED = {"matrix": "matrix", "histogram": "distance-histogram"}
"""The quantity that exports each part but the distances from the reference."""


class Distances(ComparingPicture[DistancesOptions, DistancesNumbers]):
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
    fields: ClassVar[frozenset[str]] = ComparingPicture.fields | {"reference", "metric"}
    halved: ClassVar[tuple[str, ...]] = ("width", "height")
    coloured: ClassVar[frozenset[str]] = frozenset({"matrix"})
    inspected: ClassVar[tuple[str, ...]] = ("position", "second", "reference")
    main_number: ClassVar[str] = words.MAIN

    @classmethod
    def words(cls, state: Exploration) -> tuple[str, ...]:
        """Return which matrices are drawn; curves and histogram are always those of all."""
        return super().words(state) if cls.options(state).shows_matrix else ("current",)

    @classmethod
    def one(cls, state: Exploration, word: str) -> Exploration:
        """Return the state of one matrix; that of the current encoding has the curves, too."""
        one, options = super().one(state, word), cls.options(state)
        made = {each for shown in cls.words(state) for each in cls.made_of(shown)}
        part = options.part if word == "current" else "matrix"
        if word not in made:
            part = "curve"
        if part == options.part:
            return one
        own = replace(cls.options(one), part=part)
        return replace(one, options={**one.options, cls.name: own})

    @classmethod
    def ones(cls, state: Exploration) -> dict[str, Exploration]:
        ones = super().ones(state)
        if "current" in ones or not cls.options(state).shows_curve:
            return ones
        return {"current": cls.one(state, "current"), **ones}

    @classmethod
    def ingredients_one(cls, state: Exploration) -> tuple[Any, ...]:
        shown = every_encoding(state), state.start, state.count, state.reference
        options = cls.options(state)
        return *shown, state.metric, options.part, options.second_metric

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the curve's width and the matrix's side."""
        return replace(room.panels[0], height=room.panels[-1].height)

    cost_one = staticmethod(cost)
    compute_one = staticmethod(compute)
    inspect_one = staticmethod(inspect)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: DistancesNumbers) -> Figure:
        frame, matrix = cls.frame_one(state), numbers.matrix
        if numbers.histogram:
            return _histogram_figure(frame, state, numbers, numbers.histogram)
        substitute = None
        if matrix:  # all its values may lie on one side of 0
            symmetric = matrix.limits[0] < 0
            substitute = suited_colours(cls.options(state).values, symmetric=symmetric)
        panels = []
        if curves := frame.panel("curve"):
            panels.append(_curve_panel(curves, state, state.metric, numbers))
        if (curves := frame.panel(SECOND)) and numbers.below:
            panels.append(_second_panel(curves, panels[0], state, numbers.below))
        if matrix and (panel := frame.panel("matrix")):
            panels.append(_matrix_panel(panel, state, matrix, numbers.block, substitute))
        status = words.status(state, cls.options(state), numbers)
        note = words.note(numbers.note, numbers.rows, numbers.metric)
        return Figure(
            tuple(panels),
            status=f"{status}{substitute_sentence(substitute)}",
            note=words.note_of_two(note, numbers),
            substitute=substitute,
        )

    @classmethod
    def places_one(cls, state: Exploration) -> dict[str, PanelPlace]:
        if cls.options(state).shows_histogram:
            return {"histogram": (words.distance_of_two(state), None)}
        here, second = (place_of_position(state, p) for p in (state.position, state.second))
        return {"curve": (here, None), SECOND: (here, None), "matrix": (second, here)}

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        rows, _ = axes_of(state.encoding)
        options = cls.options(state)
        across = whole_numbers(rows.name, state.start, state.count)
        down = replace(across, down=True)
        if options.shows_histogram:
            x = PanelAxis(f"{measure(state.metric)} of two {rows.plural}", 0.0, 1.0)
            return Figure((Panel("histogram", x, PanelAxis(_SHARE, 0.0, 1.0)),))
        panels = []
        if options.shows_curve:
            axis = PanelAxis(_title(state.metric, state), 0.0, 1.0)
            panels.append(Panel("curve", across, axis, upper=bool(options.second_metric)))
        if options.second_metric:
            axis = PanelAxis(_title(options.second_metric, state), 0.0, 1.0)
            panels.append(Panel(SECOND, across, axis))
        if options.shows_matrix:
            panels.append(Panel("matrix", across, down))
        return Figure(tuple(panels))

    @classmethod
    def inspecting_takes_long(cls, state: Exploration) -> bool:
        return words.takes_long_to_inspect(state, cls.options(state).second_metric)

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        if cls.options(state).shows_histogram:
            return None
        if cls.options(state).shows_curve:
            return rows_outside(state, "to the left", "to the right")
        return super().cursor_outside(state)

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return a position on the curve; two of them in matrix and histogram."""
        if at.panel == "histogram":
            histogram = drawn.numbers.histogram if drawn else None
            pair = pair_at(histogram, at.x) if histogram else None
            return {"position": pair[0], "second": pair[1]} if pair else {}
        across = nearest_position(state, at.x)
        if at.panel == "matrix":
            return {"position": nearest_position(state, at.y), "second": across}
        return {"position": across}

    @classmethod
    def double_clicked(cls, state: Exploration, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Measure from the position at a point of the curve or the matrix."""
        is_position = at.panel != "histogram"
        return {"reference": nearest_position(state, at.x)} if is_position else {}

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        anchor = 0.0 if wheel.panel == "histogram" else wheel.x
        return zoomed(state, wheel.factor, anchor)

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Move through the positions; in the matrix along its diagonal."""
        part = (drag.x + drag.y) / 2 if drag.panel == "matrix" else drag.x
        return panned(state, drag.rows(-part * state.count))

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        options = cls.options(state)
        has_matrices = options.shows_matrix and cls.show(state) != "current"
        what = "matrix" if has_matrices else _EXPORTED.get(options.part, "distances")
        return what, cls.show(state)

    @classmethod
    def also_shown(cls, state: Exploration) -> tuple[str, ...]:
        what, _ = cls.exported(state)
        options = cls.options(state)
        if not (options.shows_curve and options.shows_matrix):
            return ()
        return ("the distances from the reference",) if what == "matrix" else ("the matrix",)

    @classmethod
    def formula_one(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        return formula_of(state, cls.options(state).second_metric, figure)


# -- the figure ----------------------------------------------------------------------------------


def _title(metric: str, state: Exploration) -> str:
    rows, _ = axes_of(state.encoding)
    return measure(metric, f"{rows.name} {printed.short(state.reference)}")


def _named_curves(state: Exploration, metric: str, numbers: DistancesNumbers) -> tuple[Curve, ...]:
    """Return the curves with their names and colours, the current one first."""
    block, columns = numbers.curve_block, len(numbers.curves[0])
    x = block * np.arange(columns, dtype=np.float64) + (block - 1) / 2
    curves = numbers.curves
    if columns == 1:  # one position: a level line is what can be seen
        x = np.array([-0.5, 0.5])
        curves = tuple(np.repeat(curve, 2) for curve in curves)
    named = _named(state, metric, x, curves)
    if not numbers.ranges:
        return named
    pairs = zip(named, numbers.ranges, strict=True)
    return tuple(curve._replace(band=each and Band(*each)) for curve, each in pairs)


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


def _histogram_figure(
    frame: Figure, state: Exploration, numbers: DistancesNumbers, histogram: Histogram
) -> Figure:
    """Return the figure of how distances are spread."""
    (panel,) = frame.panels
    lack = why_not_drawn(*histogram.edges[[0, -1]]) if len(histogram.edges) else ""
    if len(histogram.edges) and not lack:
        highest = max(np.nanmax(each, initial=0.0) for each in histogram.shares)
        curves = _named(state, state.metric, histogram.middles, histogram.shares, stepped=True)
        panel = panel._replace(
            x=replace(panel.x, low=histogram.edges[0], high=histogram.edges[-1]),
            y=PanelAxis(_SHARE, 0.0, (1 + _MARGIN) * (highest or 1.0)),
            curves=curves,
        )
    if histogram.of_current is None:
        return Figure(
            (panel,),
            status=f"Distances: {numbers.note}",
            note=words.note(numbers.note, numbers.rows, numbers.metric),
        )
    sentence = histograms.sentence(histogram)
    status = f"Distances: {sentence}{words.left_out(state, state.metric, histogram.shares)}"
    return Figure((panel,), status=status, note=Note(lack) if lack else None)


def _curve_panel(panel: Panel, state: Exploration, metric: str, numbers: DistancesNumbers) -> Panel:
    """Return the panel of the curves by a metric."""
    reference = place_of_position(state, state.reference)
    marks = () if reference is None else (Mark(reference, "reference"),)
    return panel._replace(
        y=panel.y.reaching(*numbers.curve_limits, _MARGIN),
        curves=_named_curves(state, metric, numbers),
        marks=marks,
        badge=words.badge_of_curves(state, metric, numbers.curve_block, numbers.ranges),
    )


def _second_panel(
    panel: Panel, first: Panel, state: Exploration, numbers: DistancesNumbers
) -> Panel:
    """Return the panel of the curves by the second metric, below the first ones."""
    below = _curve_panel(panel, state, Distances.options(state).second_metric, numbers)
    lacks = [[curve.lack for curve in each.curves] for each in (first, below)]
    return below._replace(has_legend=lacks[0] != lacks[1])


def _matrix_panel(
    panel: Panel,
    state: Exploration,
    matrix: PixelImage,
    block: int,
    substitute: Substitute | None,
) -> Panel:
    """Return the panel of the matrix."""
    side = len(matrix.values) * block
    colours = substitute.shown if substitute else Distances.options(state).values
    cells = matrix.cells(side, side, colours, measure(state.metric))
    least = rounding_size(require_known(state.encoding), state.metric)
    return panel._replace(
        cells=cells._replace(least=least),
        hatched=_without_rows(state, block),
        badge=words.badge(state, state.metric, block, both_ways=True),
    )


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
