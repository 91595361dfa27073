"""Waves: selected dimensions as curves over position, with lines for reading values."""

import itertools
import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis.curves import CurveData, CurveGrid
from pe_explorer.encodings import Encoding, Steady, Unknown, Waves, find_axes, needs, require_known
from pe_explorer.exploration import PIN_COLOURS, Exploration, Pin, make_distinguishing_name
from pe_explorer.pictures.cost import estimate_reading_cost
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.gestures import Effects, Fields, Pointer, Snapshot
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.pictures.limits import explain_not_drawn, find_finite_limits, narrow_limits
from pe_explorer.pictures.lines import Band, Curve, Dot, MarkLine
from pe_explorer.pictures.named import find_encoding_names, list_encodings
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import FigureSpace, Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, make_whole_axis
from pe_explorer.pictures.shown_positions import (
    find_coordinate,
    find_hatched_areas,
    find_nearest_position,
)
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.waves.numbers import (
    LineDistances,
    LineValues,
    UndrawnPin,
    WavesNumbers,
    compute,
    format_row_distance,
    format_value_distance,
    heights,
    read_off,
)
from pe_explorer.pictures.waves.options import (
    LINE_OPTIONS,
    MAX_CURVES,
    WavesOptions,
    select_shown_dimensions,
)
from pe_explorer.words import FACTS, Facts, register_fact
from pe_explorer.words.texts import Wording

_WAVE_COST = 4.0  # cost of a point of a wave, in units of `pictures.cost`
_MARGIN = 0.05  # margin above and below the curves, as a fraction of the value range
_MAX_VARIATION = 300  # maximum total variation of a curve drawn in front, relative to its range
_DASH_COUNT = 100  # number of dashes across the width of the panel
_DASH_SHARE = 0.6  # length of a dash, relative to the sum of dash and gap
_DASHED_POINT_COUNT = 800  # number of points of a dashed line from the axis to a curve


class WavesPicture(Picture[WavesOptions, WavesNumbers]):
    """Columns of an encoding as curves, with vertical lines for reading values."""

    name: ClassVar[str] = "waves"
    title: ClassVar[str] = "Waves"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 12
    help: ClassVar[str] = "Each curve is one dimension of the encoding. Click to set the cursor."
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom in or out around the mouse pointer"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Add a line that shows the values of the curves"),
        ("Drag a line", "Move the line; hold Shift to move it between positions"),
        ("1, 2, 3", "Add this line at the cursor, or remove it"),
    )
    sides: ClassVar[tuple[str, str]] = ("to the left", "to the right")
    cost_sides: ClassVar[tuple[str, ...]] = ("width",)
    shown_fields: ClassVar[tuple[str, ...]] = ("metric",)
    fields: ClassVar[frozenset[str]] = Picture.fields | {"metric", "pins", "name"}

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns drawn; empty for an unknown encoding."""
        e = self.state.encoding
        return () if isinstance(e, Unknown) else select_shown_dimensions(self.options, e)

    def need(self) -> needs.Requirement:
        return needs.steady if self.options.shows_angles else super().need()

    def remedy(self) -> str:
        return "show the values instead" if self.options.shows_angles else ""

    def inputs(self) -> tuple[Any, ...]:
        state = self.state
        return list_encodings(state), state.start, state.count, state.metric, self.options

    def cost(self, size: Size) -> float:
        grid, total = CurveGrid.from_range(self.state.start, self.state.count, size.width), 0.0
        points = _WAVE_COST * grid.rows * grid.parts * len(self.columns)
        for e in list_encodings(self.state):
            if isinstance(e, Unknown):
                continue
            total += points + estimate_reading_cost(e) + e.width * len(self.options.lines)
            if not isinstance(e, Steady):
                total += e.cost(grid.rows, grid.block)
                if grid.block > 1 and self.state.count <= size.ranges:
                    total += e.cost(self.state.count, 1)
        return total

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        """Return the size with a height of 1, because no value depends on the height."""
        return replace(super().find_size(space), height=1)

    def numbers(self, size: Size, progress: threading.Event) -> WavesNumbers:
        return compute(self.state, self.options, size, progress)

    def figure(self, numbers: WavesNumbers) -> Figure:
        e, (panel,), wording = self.encoding, self.frame().panels, self.wording(numbers)
        curves = tuple(self._make_curves(numbers))
        low, high = self._compute_value_limits(curves)
        if missing_reason := explain_not_drawn(low, high):
            note: Note | None = Note(missing_reason)
        else:
            note = self._note(numbers, wording)
            y = panel.y.with_ends(low, high, _MARGIN)
            lines = [(line.position - self.state.start, line) for line in numbers.line_values]
            lines = [(x, line) for x, line in lines if -0.5 <= x <= self.state.count - 0.5]
            colours = self._list_colours(numbers)
            panel = panel._replace(
                y=y,
                curves=curves,
                marks=tuple(
                    MarkLine(x, line.option, _format_line_title(e, line)) for x, line in lines
                ),
                dots=tuple(
                    Dot(x, float(height), colour)
                    for x, line in lines
                    for height, colour in zip(line.heights, colours, strict=True)
                    if math.isfinite(height)
                ),
                hatched_areas=find_hatched_areas(self.state, numbers.block, e.domain, y),
                badge=wording.text("badge"),
            )
        table = self._make_table(numbers) if numbers.line_values else None
        return Figure((panel,), status=wording.text("status"), note=note, table=table)

    def _make_curves(self, numbers: WavesNumbers) -> Iterator[Curve]:
        state, colours = self.state, self._list_colours(numbers)
        courses = list(zip(numbers.columns, numbers.courses, colours, strict=True))
        # Draw fluctuating curves first, because they would hide the other curves.
        courses.sort(key=lambda item: _can_hide_curves(item[1]))
        for column, curve_data, colour in courses:
            missing_reason = "" if len(curve_data.x) else f"no {self.encoding.rows.plural} here"
            yield _curve(format_curve_names(state, column), curve_data, colour, missing_reason)
        # All curves of a pin have the same colour, so dash patterns distinguish them. Each pattern
        # belongs to a colour; patterns of unused colours are preferred.
        used_colours = {*colours, *(pin.colour for pin in state.pins)}
        dash_names = sorted(PIN_COLOURS, key=used_colours.__contains__)
        for pin, pin_curves in zip(state.pins, numbers.pins, strict=True):
            dashes = ("", *(dash for dash in dash_names if dash != pin.colour))
            for (column, curve_data), dash in zip(pin_curves.courses.items(), dashes, strict=False):
                if len(curve_data.x):
                    curve = _curve(format_curve_names(state, column, pin), curve_data, pin.colour)
                    yield curve._replace(dash=dash)
            if not pin_curves.courses:
                empty_curve = CurveData(np.empty(0), np.empty(0), "steps")
                yield _curve(
                    find_encoding_names(state, pin), empty_curve, pin.colour, pin_curves.why
                )
        if self.options.heights:
            yield from self._make_height_lines(numbers, colours)

    def _list_colours(self, numbers: WavesNumbers) -> tuple[str, ...]:
        pin_colours = [pin.colour for pin in self.state.pins]
        colours = "accent", *sorted(PIN_COLOURS, key=pin_colours.__contains__)
        return colours[: len(numbers.columns)]

    def _make_height_lines(
        self, numbers: WavesNumbers, colours: tuple[str, ...]
    ) -> Iterator[Curve]:
        count = self.state.count
        for line in numbers.line_values:
            end = line.position - self.state.start
            if not -0.5 < end < count - 0.5:
                continue
            x = np.linspace(-0.5, end, _DASHED_POINT_COUNT)
            is_dash = np.mod(x / (count / _DASH_COUNT), 1.0) < _DASH_SHARE
            for height, colour in zip(line.heights, colours, strict=True):
                yield Curve("", x, np.where(is_dash, height, np.nan), colour)

    def _compute_value_limits(self, curves: tuple[Curve, ...]) -> tuple[float, float]:
        known_range = self.encoding.value_range
        if self.options.shows_angles:
            known_range = (0.0, math.tau) if self.options.is_wrapped else None
        ends = [ends for curve in curves if (ends := find_finite_limits(curve.outline[1]))]
        if not ends:
            return known_range or (0.0, 1.0)
        low, high = min(end[0] for end in ends), max(end[1] for end in ends)
        if known_range:
            limits = min(known_range[0], low), max(known_range[1], high)
            low, high = narrow_limits(limits, low, high)
        if high > low:
            return low, high
        margin = (abs(low) or 1.0) / 2
        return low - margin, high + margin

    def _note(self, numbers: WavesNumbers, wording: Wording) -> Note | None:
        e = self.encoding
        has_lines = not isinstance(e, Steady) or any(kind != "range" for kind in numbers.kinds)
        if has_lines and any(np.isfinite(curve_data.y).any() for curve_data in numbers.courses):
            return None
        if not len(numbers.courses[0].x):
            return Note(wording.text("no_rows"), "Show its rows", rows=e.domain)
        if numbers.kinds[0] != "range" or not isinstance(e, Steady):
            return Note(wording.text("no_numbers"))
        period = max(e.periods()[list(numbers.columns)].tolist())
        if period > numbers.block:
            return None
        return Note(wording.text("all_turn"), "Zoom in until waves are visible", period=period)

    def _make_table(self, numbers: WavesNumbers) -> TextTable:
        e, metric, lines = self.encoding, self.state.metric, numbers.line_values
        titles = [_format_line_title(e, line) for line in lines]
        names = [_format_column_title(e, column) for column in numbers.columns]
        rows = list(zip(names, *(line.texts for line in lines), strict=True))
        for row, line in enumerate(() if self.options.shows_angles else lines[:-1]):
            texts = (format_value_distance(e, line, later, metric) for later in lines[row + 1 :])
            rows.append((distance.measure(metric, titles[row]), *[""] * (row + 1), *texts))
        return TextTable(("", *titles), tuple(rows))

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        return {"curves": (find_coordinate(self.state, self.state.position), None)}

    def frame(self) -> Figure:
        options, title, (rows, _) = self.options, "value", find_axes(self.state.encoding)
        x = make_whole_axis(rows.name, self.state.start, self.state.count)
        if options.shows_angles:
            title = "angle modulo 2π, radians" if options.is_wrapped else "angle, radians"
        return Figure((Panel("curves", x, PanelAxis(title, -1.0, 1.0)),))

    def quantity_name(self) -> str:
        return "radians" if self.options.shows_angles else "table"

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        curves = figure.panels[0].curves
        if self.options.shows_angles or len({len(curve.x) for curve in curves}) != 1:
            return {}
        return {"curves": tuple(f"table[:, {column}]" for column in self.columns)}

    def inspect(self, progress: threading.Event) -> Inspection:
        inspection, line_inspection = super().inspect(progress), make_inspection(self.wording())
        return inspection._replace(values=(*inspection.values, *line_inspection.values))

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return the position at a point, and the dimension of the nearest curve."""
        e, columns = self.state.encoding, self.columns
        cursor = {"position": find_nearest_position(self.state, pointer.x)}
        if snapshot is None or not columns:
            return cursor
        if not isinstance(e, Waves):
            return {**cursor, "dimension": columns[0]}
        values = heights(e, columns, cursor["position"], self.options)
        if np.isfinite(values).all():
            cursor["dimension"] = columns[int(np.abs(values - pointer.y).argmin())]
        return cursor

    def find_double_click_fields(self, snapshot: Snapshot, pointer: Pointer) -> Fields:
        """Return fields that set the first unused line to the position at a point.

        If all lines are used, the fields move the nearest line to this position.
        """
        position, lines = float(find_nearest_position(self.state, pointer.x)), self.options.lines
        unused_options = [option for option in LINE_OPTIONS if option not in lines]
        nearest_option = min(lines, key=lambda option: abs(lines[option] - position), default="")
        return {"options": {unused_options[0] if unused_options else nearest_option: position}}


# -- the figure ----------------------------------------------------------------------------------


def _can_hide_curves(curve_data: CurveData) -> bool:
    if curve_data.kind == "range":
        return True
    low, high = find_finite_limits(curve_data.y) or (0.0, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):  # a file may contain huge values
        return bool(np.nansum(np.abs(np.diff(curve_data.y))) > _MAX_VARIATION * (high - low))


def _curve(
    names: tuple[str, str], curve_data: CurveData, colour: str, missing_reason: str = ""
) -> Curve:
    curve = Curve(names[0], curve_data.x, curve_data.y, colour, missing_reason, names[1])
    if curve_data.low is None or curve_data.high is None:
        return curve
    return curve._replace(band=Band(curve_data.low, curve_data.high))


def _format_column_title(e: Encoding, column: int) -> str:
    return e.columns.add_noun(e.format_column_title(column))


def _format_line_title(e: Encoding, line: LineValues) -> str:
    return f"{e.rows.symbol} = {line.place}"


def format_curve_names(state: Exploration, column: int, pin: Pin | None = None) -> tuple[str, str]:
    """Return the name and brief name of a column's curve of `pin` or the current encoding."""
    name = _format_column_title(require_known(state.encoding), column)
    if not state.pins:
        return name, name
    encoding, brief_encoding_name = find_encoding_names(state, pin)
    return f"{encoding}: {name}", f"{brief_encoding_name}: {name}"


# -- facts -----------------------------------------------------------------------------------------

FACTS |= {
    # `listed_columns` is the number of listed dimensions that exist, if they are too many to be
    # drawn. `absent_columns` is the number of listed dimensions that do not exist.
    "listed_columns": lambda facts: (
        len(_list_columns(facts)) if len(_list_columns(facts)) > MAX_CURVES else None
    ),
    "absent_columns": lambda facts: len({*facts.options.dimensions} - _list_columns(facts)) or None,
    # `fast_curves` is the number of curves that fluctuate too fast to be drawn as lines.
    # `ranged_rows` is the number of positions per point of these curves, and `averaged_rows` that
    # of curves of means.
    "fast_curves": lambda facts: facts.numbers.kinds.count("range") or None,
    "ranged_rows": lambda facts: (
        facts.numbers.block if facts.get("fast_curves") and facts.numbers.block > 1 else None
    ),
    "averaged_rows": lambda facts: facts.numbers.block if "mean" in facts.numbers.kinds else None,
    "in_steps": lambda facts: "steps" in facts.numbers.kinds,
    "pins_without": lambda facts: [
        UndrawnPin(make_distinguishing_name(facts.state, pin), curves.why)
        for pin, curves in zip(facts.state.pins, facts.numbers.pins, strict=True)
        if curves.why
    ],
    "read_lines": lambda facts: read_off(facts.e, WavesPicture(facts.state).columns, facts.options),
    "drawn_columns": lambda facts: ", ".join(
        _format_column_title(facts.e, column) for column in WavesPicture(facts.state).columns
    ),
    "metric_name": lambda facts: distance.measure(facts.state.metric),
}


def _list_columns(facts: Facts) -> set[int]:
    return {column for column in facts.options.dimensions if column < facts.e.width}


@register_fact
def line_pairs(facts: Facts) -> list[LineDistances]:
    """Return the distances between all pairs of lines; empty if the curves show angles."""
    pairs = () if facts.options.shows_angles else itertools.combinations(facts["read_lines"], 2)
    return [
        LineDistances(
            f"{first.place} to {second.place}",
            format_value_distance(facts.e, first, second, facts.state.metric),
            format_row_distance(facts.e, first, second, facts.state.metric),
        )
        for first, second in pairs
    ]
