"""Waves: selected dimensions as curves over position, with lines that read off values."""

import itertools
import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis.curves import Course, CurveGrid
from pe_explorer.encodings import (
    Encoding,
    Steady,
    Unknown,
    Waves,
    axes_of,
    needs,
    require_known,
)
from pe_explorer.exploration import PIN_COLOURS, Exploration, Pin, distinguishing_name
from pe_explorer.pictures.cost import reading_cost
from pe_explorer.pictures.figure import (
    Band,
    Curve,
    Dot,
    Figure,
    Mark,
    Note,
    Panel,
    PanelAxis,
    PanelPlace,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Effects, Fields, OnScreen, Pointer
from pe_explorer.pictures.inspection import Inspection, inspection_of
from pe_explorer.pictures.limits import finite_ends, narrow_limits, why_not_drawn
from pe_explorer.pictures.named import every_encoding, names_of
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Room, Size
from pe_explorer.pictures.shown_positions import (
    areas_without_rows,
    nearest_position,
    place_of_position,
)
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.waves.numbers import (
    Apart,
    PinWithout,
    Vector,
    WavesNumbers,
    apart,
    compute,
    heights,
    read_off,
    rows_apart,
)
from pe_explorer.pictures.waves.options import LINES, MOST_CURVES, WavesOptions, dimensions_shown
from pe_explorer.words import FACTS, Facts, fact
from pe_explorer.words.texts import Wording

_WAVE_COST = 4.0  # cost of a point of a wave, in values of a table
_MARGIN = 0.05  # margin above and below the curves, as a fraction of the value range
_MOST_PASSES = 300  # maximum vertical passes of a curve that does not hide other curves
_DASHES = 100  # number of dashes across the panel
_DASH_SHARE = 0.6  # length of a dash, relative to the sum of dash and gap
_DASH_POINTS = 800  # points of a dashed line from the axis to a curve


class WavesPicture(Picture[WavesOptions, WavesNumbers]):
    """Columns of an encoding as curves, with lines that read off values."""

    name: ClassVar[str] = "waves"
    title: ClassVar[str] = "Waves"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 12
    help: ClassVar[str] = "Each curve is one dimension of the encoding. Click to set the cursor."
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom in or out around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Add a line that shows the values of the curves"),
        ("Drag a line", "Move the line; hold Shift to move it between positions"),
        ("1, 2, 3", "Add this line at the cursor, or remove it"),
    )
    sides: ClassVar[tuple[str, str]] = ("to the left", "to the right")
    halved: ClassVar[tuple[str, ...]] = ("width",)
    explored: ClassVar[tuple[str, ...]] = ("metric",)
    fields: ClassVar[frozenset[str]] = Picture.fields | {"metric", "pins", "name"}

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns drawn; empty for an unknown encoding."""
        e = self.state.encoding
        return () if isinstance(e, Unknown) else dimensions_shown(self.options, e)

    def need(self) -> needs.Need:
        return needs.steady if self.options.shows_angles else super().need()

    def remedy(self) -> str:
        return "show the values instead" if self.options.shows_angles else ""

    def ingredients(self) -> tuple[Any, ...]:
        shown = every_encoding(self.state), self.state.start, self.state.count
        return *shown, self.state.metric, self.options

    def cost(self, size: Size) -> float:
        grid, total = CurveGrid.of(self.state.start, self.state.count, size.width), 0.0
        points = _WAVE_COST * grid.rows * grid.parts * len(self.columns)
        for e in every_encoding(self.state):
            if isinstance(e, Unknown):
                continue
            total += points + reading_cost(e) + e.width * len(self.options.lines)
            if not isinstance(e, Steady):
                total += e.cost(grid.rows, grid.block)
                if grid.block > 1 and self.state.count <= size.ranges:
                    total += e.cost(self.state.count, 1)
        return total

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the size without the height, because no value depends on the height."""
        return replace(super().size_in(room), height=1)

    def numbers(self, size: Size, progress: threading.Event) -> WavesNumbers:
        return compute(self.state, self.options, size, progress)

    def figure(self, numbers: WavesNumbers) -> Figure:
        e, (panel,), wording = self.encoding, self.frame().panels, self.wording(numbers)
        curves = tuple(self._curves(numbers))
        low, high = self._value_limits(curves)
        note = (
            Note(missing_reason)
            if (missing_reason := why_not_drawn(low, high))
            else self._note(numbers, wording)
        )
        if not missing_reason:
            y = panel.y.reaching(low, high, _MARGIN)
            lines = [(line.position - self.state.start, line) for line in numbers.vectors]
            lines = [(x, line) for x, line in lines if -0.5 <= x <= self.state.count - 0.5]
            panel = panel._replace(
                y=y,
                curves=curves,
                marks=tuple(Mark(x, line.option, _title(e, line)) for x, line in lines),
                dots=tuple(
                    Dot(x, float(height), colour)
                    for x, line in lines
                    for height, colour in zip(line.heights, self._colours(numbers), strict=True)
                    if math.isfinite(height)
                ),
                hatched=areas_without_rows(self.state, numbers.block, e.domain, y),
                badge=wording.text("badge"),
            )
        table = self._table(numbers) if numbers.vectors else None
        return Figure((panel,), status=wording.text("status"), note=note, table=table)

    def _curves(self, numbers: WavesNumbers) -> Iterator[Curve]:
        state, colours = self.state, self._colours(numbers)
        own = list(zip(numbers.columns, numbers.courses, colours, strict=True))
        # Draw fluctuating curves behind other curves.
        own.sort(key=lambda curve: _hides_others(curve[1]))
        for column, course, colour in own:
            missing_reason = "" if len(course.x) else f"no {self.encoding.rows.plural} here"
            yield _curve(names_of_curve(state, column), course, colour, missing_reason)
        # All curves of a pin have one colour, so only the first curve also uses the dash pattern of
        # that colour.
        taken = {*colours, *(pin.colour for pin in state.pins)}
        free = sorted(PIN_COLOURS, key=taken.__contains__)
        for pin, found in zip(state.pins, numbers.pins, strict=True):
            dashes = ("", *(dash for dash in free if dash != pin.colour))
            for (column, course), dash in zip(found.courses, dashes, strict=False):
                if len(course.x):
                    curve = _curve(names_of_curve(state, column, pin), course, pin.colour)
                    yield curve._replace(dash=dash)
            if not found.courses:
                nothing = Course(np.empty(0), np.empty(0), "steps")
                yield _curve(names_of(state, pin), nothing, pin.colour, found.why)
        if self.options.heights:
            yield from self._heights(numbers, colours)

    def _colours(self, numbers: WavesNumbers) -> tuple[str, ...]:
        of_pins = [pin.colour for pin in self.state.pins]
        free = [colour for colour in PIN_COLOURS if colour not in of_pins]
        colours = ["accent", *free, *(colour for colour in PIN_COLOURS if colour in of_pins)]
        return tuple(colours[: len(numbers.columns)])

    def _heights(self, numbers: WavesNumbers, colours: tuple[str, ...]) -> Iterator[Curve]:
        count = self.state.count
        for vector in numbers.vectors:
            end = vector.position - self.state.start
            if not -0.5 < end < count - 0.5:
                continue
            x = np.linspace(-0.5, end, _DASH_POINTS)
            is_dash = np.mod(x / (count / _DASHES), 1.0) < _DASH_SHARE
            for height, colour in zip(vector.heights, colours, strict=True):
                yield Curve("", x, np.where(is_dash, height, np.nan), colour)

    def _value_limits(self, curves: tuple[Curve, ...]) -> tuple[float, float]:
        ends = [found for curve in curves if (found := finite_ends(curve.outline[1]))]
        known = self.encoding.value_range
        if self.options.shows_angles:
            known = (0.0, math.tau) if self.options.one_turn else None
        if not ends:
            return known or (0.0, 1.0)
        lows, highs = zip(*ends, strict=True)
        low, high = min(lows), max(highs)
        if known:
            widest = min(known[0], low), max(known[1], high)
            low, high = narrow_limits(widest, low, high)
        if high > low:
            return low, high
        reach = abs(low) or 1.0
        return low - reach / 2, high + reach / 2

    def _note(self, numbers: WavesNumbers, wording: Wording) -> Note | None:
        e = self.encoding
        is_lines = not isinstance(e, Steady) or any(kind != "range" for kind in numbers.kinds)
        if is_lines and any(np.isfinite(course.y).any() for course in numbers.courses):
            return None
        if not len(numbers.courses[0].x):
            return Note(wording.text("no_rows"), "Show its rows", rows=e.domain)
        if numbers.kinds[0] != "range" or not isinstance(e, Steady):
            return Note(wording.text("no_numbers"))
        period = max(e.periods()[list(numbers.columns)].tolist())
        if period > numbers.block:
            return None
        return Note(wording.text("all_turn"), "Zoom to where structure begins", period=period)

    def _table(self, numbers: WavesNumbers) -> TextTable:
        e, metric, lines = self.encoding, self.state.metric, numbers.vectors
        titles = [_title(e, line) for line in lines]
        names = [_column_title(e, column) for column in numbers.columns]
        rows = list(zip(names, *(line.texts for line in lines), strict=True))
        for row, line in enumerate(() if self.options.shows_angles else lines[:-1]):
            later = (apart(e, line, later_line, metric) for later_line in lines[row + 1 :])
            rows.append((distance.measure(metric, titles[row]), *[""] * (row + 1), *later))
        return TextTable(("", *titles), tuple(rows))

    def cursor_places(self) -> dict[str, PanelPlace]:
        return {"curves": (place_of_position(self.state, self.state.position), None)}

    def frame(self) -> Figure:
        options, title, (rows, _) = self.options, "value", axes_of(self.state.encoding)
        across = whole_numbers(rows.name, self.state.start, self.state.count)
        if options.shows_angles:
            title = "angle modulo 2π, radians" if options.one_turn else "angle, radians"
        return Figure((Panel("curves", across, PanelAxis(title, -1.0, 1.0)),))

    def exported(self) -> str:
        return "radians" if self.options.shows_angles else "table"

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        curves = figure.panels[0].curves
        if self.options.shows_angles or len({len(curve.x) for curve in curves}) != 1:
            return {}
        return {"curves": tuple(f"table[:, {column}]" for column in self.columns)}

    def inspect(self, progress: threading.Event) -> Inspection:
        found, read = super().inspect(progress), inspection_of(self.wording())
        return found._replace(values=(*found.values, *read.values))

    def pointed_at(self, on_screen: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return the position at a point, and the dimension of the nearest curve."""
        position = nearest_position(self.state, at.x)
        there = {"position": position}
        column = None if on_screen is None else self._nearest_column(position, at.y)
        return there if column is None else {**there, "dimension": column}

    def _nearest_column(self, position: int, value: float) -> int | None:
        e, columns = self.state.encoding, self.columns
        if not isinstance(e, Waves):
            return columns[0] if columns else None
        found = heights(e, columns, position, self.options)
        if not np.isfinite(found).all():
            return None
        return columns[int(np.abs(found - value).argmin())]

    def double_clicked(self, on_screen: OnScreen | None, at: Pointer) -> Fields:
        """Set the next unused line, or move the nearest line if all are set."""
        place, lines = float(nearest_position(self.state, at.x)), self.options.lines
        free = [option for option in LINES if option not in lines]
        nearest = min(lines, key=lambda option: abs(lines[option] - place), default="")
        return {"options": {free[0] if free else nearest: place}}


# -- the figure ----------------------------------------------------------------------------------


def _hides_others(course: Course) -> bool:
    if course.kind == "range":
        return True
    low, high = finite_ends(course.y) or (0.0, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):  # a file may contain huge values
        return bool(np.nansum(np.abs(np.diff(course.y))) > _MOST_PASSES * (high - low))


def _curve(names: tuple[str, str], course: Course, colour: str, missing_reason: str = "") -> Curve:
    name, brief = names
    band = None
    if course.low is not None and course.high is not None:
        band = Band(course.low, course.high)
    return Curve(name, course.x, course.y, colour, missing_reason, brief, band=band)


def _column_title(e: Encoding, column: int) -> str:
    return e.columns.with_noun(e.column_title(column))


def _title(e: Encoding, line: Vector) -> str:
    return f"{e.rows.symbol} = {line.place}"


def names_of_curve(state: Exploration, column: int, pin: Pin | None = None) -> tuple[str, str]:
    """Return the name and brief name of a column's curve, by default of the current encoding."""
    name = _column_title(require_known(state.encoding), column)
    if not state.pins:
        return name, name
    of, of_brief = names_of(state, pin)
    return f"{of}: {name}", f"{of_brief}: {name}"


# -- facts -----------------------------------------------------------------------------------------

FACTS |= {
    # Listed dimensions: the existing ones if there are too many, and the missing ones.
    "listed_columns": lambda of: len(_listed(of)) if len(_listed(of)) > MOST_CURVES else None,
    "absent_columns": lambda of: len({*of.options.dimensions} - _listed(of)) or None,
    # Curves that change too fast for a line, and positions per point of these curves or of means.
    "fast_curves": lambda of: of.numbers.kinds.count("range") or None,
    "ranged_rows": lambda of: (
        of.numbers.block if of.get("fast_curves") and of.numbers.block > 1 else None
    ),
    "averaged_rows": lambda of: of.numbers.block if "mean" in of.numbers.kinds else None,
    "in_steps": lambda of: "steps" in of.numbers.kinds,
    "pins_without": lambda of: [
        PinWithout(distinguishing_name(of.state, pin), curves.why)
        for pin, curves in zip(of.state.pins, of.numbers.pins, strict=True)
        if curves.why
    ],
    # values at the lines
    "read_lines": lambda of: read_off(of.e, WavesPicture(of.state).columns, of.options),
    "drawn_columns": lambda of: ", ".join(
        _column_title(of.e, column) for column in WavesPicture(of.state).columns
    ),
    "metric_name": lambda of: distance.measure(of.state.metric),
}


def _listed(of: Facts) -> set[int]:
    return {column for column in of.options.dimensions if column < of.e.width}


@fact
def line_pairs(of: Facts) -> list[Apart]:
    """Return the distances between all pairs of lines; none for angles."""
    pairs = () if of.options.shows_angles else itertools.combinations(of["read_lines"], 2)
    return [
        Apart(
            f"{first.place} to {second.place}",
            apart(of.e, first, second, of.state.metric),
            rows_apart(of.e, first, second, of.state.metric),
        )
        for first, second in pairs
    ]
