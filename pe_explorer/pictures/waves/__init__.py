"""Waves: chosen dimensions as curves over position, and lines across that read them off."""

import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.curves import Course
from pe_explorer.encodings import Steady, Waves, axes_of, needs, require_known
from pe_explorer.exploration import PIN_COLOURS, Exploration
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
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.pictures.limits import finite_ends, why_not_drawn
from pe_explorer.pictures.named import every_encoding, names_of
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Room, Size
from pe_explorer.pictures.shown_positions import nearest_position, place_of_position, without_rows
from pe_explorer.pictures.waves import words
from pe_explorer.pictures.waves.numbers import (
    WavesNumbers,
    compute,
    cost,
    heights,
    shown,
    why_no_curve,
)
from pe_explorer.pictures.waves.options import LINES, WavesOptions
from pe_explorer.pictures.waves.words import (
    badge,
    line_title,
    names_of_curve,
    status,
    table,
)

_MARGIN = 0.05  # share of the value range left free above and below the curves
_MOST_PASSES = 300  # of a curve, up or down, that leave the others to be seen
_DASHES = 100  # dashes across the panel
_DASH_SHARE = 0.6  # length of a dash, relative to a dash and its gap
_DASH_POINTS = 800  # points of a dashed line from the axis to a curve


class WavesPicture(Picture[WavesOptions, WavesNumbers]):
    """Columns of an encoding as curves, and lines that read them off."""

    name: ClassVar[str] = "waves"
    title: ClassVar[str] = "Waves"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 12
    help: ClassVar[str] = (
        "Single dimensions as curves over position. A double-click, or the key 1, 2 or 3, sets a "
        "line that reads the curves off; drag it. Wheel zooms, drag moves, a click sets the cursor."
    )
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Set a line that reads off the curves"),
        ("Drag a line", "Move the line; with Shift also between positions"),
        ("1, 2, 3", "Set that line at the cursor, or take it away from there"),
    )
    sides: ClassVar[tuple[str, str]] = ("to the left", "to the right")
    halved: ClassVar[tuple[str, ...]] = ("width",)
    explored: ClassVar[tuple[str, ...]] = ("metric",)
    fields: ClassVar[frozenset[str]] = Picture.fields | {"metric", "pins", "name"}

    @classmethod
    def need(cls, state: Exploration) -> needs.Need:
        return needs.steady if cls.options(state).shows_angles else super().need(state)

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        return "show the values instead" if cls.options(state).shows_angles else ""

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        shown = every_encoding(state), state.start, state.count
        return *shown, state.metric, cls.options(state)

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state, cls.options(state), size)

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the size without the height, on which no number depends."""
        return replace(super().size_in(room), height=1)

    @classmethod
    def compute(cls, state: Exploration, size: Size, cancelled: threading.Event) -> WavesNumbers:
        """Return the curves for so many pixels across, and what the lines read off."""
        return compute(state, cls.options(state), size, cancelled)

    @classmethod
    def figure(cls, state: Exploration, numbers: WavesNumbers) -> Figure:
        (panel,) = cls.frame(state).panels
        curves = tuple(_curves(state, cls.options(state), numbers))
        low, high = _value_limits(state, cls.options(state), curves)
        sentence = status(state, cls.options(state), numbers)
        if lack := why_not_drawn(low, high):
            return Figure((panel,), status=sentence, note=Note(lack), table=table(state, numbers))
        y = panel.y.reaching(low, high, _MARGIN)
        panel = panel._replace(
            y=y,
            curves=curves,
            marks=tuple(_marks(state, numbers)),
            dots=tuple(_dots(state, numbers)),
            hatched=without_rows(state, numbers.block, require_known(state.encoding).domain, y),
            badge=badge(state, numbers),
        )
        note = _note(state, numbers)
        return Figure((panel,), status=sentence, note=note, table=table(state, numbers))

    @classmethod
    def cursor_places(cls, state: Exploration) -> dict[str, PanelPlace]:
        return {"curves": (place_of_position(state, state.position), None)}

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        rows, _ = axes_of(state.encoding)
        across = whole_numbers(rows.name, state.start, state.count)
        options, title = cls.options(state), "value"
        if options.shows_angles:
            title = "angle within one turn, radians" if options.one_turn else "angle, radians"
        return Figure((Panel("curves", across, PanelAxis(title, -1.0, 1.0)),))

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return "radians" if cls.options(state).shows_angles else "table", "current"

    @classmethod
    def formula(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        columns, curves = shown(state, cls.options(state)), figure.panels[0].curves
        if cls.options(state).shows_angles or len({len(curve.x) for curve in curves}) != 1:
            return {}
        return {"curves": tuple(f"table[:, {column}]" for column in columns)}

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        return words.inspect(state, cls.options(state), super().inspect(state, cancelled))

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return the position at a point, and the dimension of the nearest curve."""
        position = nearest_position(state, at.x)
        there = {"position": position}
        column = None if drawn is None else _nearest_column(state, position, at.y)
        return there if column is None else {**there, "dimension": column}

    @classmethod
    def double_clicked(cls, state: Exploration, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Set the next free line; if all are set, move the nearest."""
        place = float(nearest_position(state, at.x))
        lines = cls.options(state).lines
        free = [option for option in LINES if option not in lines]
        nearest = min(lines, key=lambda option: abs(lines[option] - place), default="")
        return {"options": {free[0] if free else nearest: place}}


def _nearest_column(state: Exploration, position: int, value: float) -> int | None:
    """Return the column drawn that is nearest to a value at a position, None where there is none.

    Nothing is read from a file.
    """
    options, e = WavesPicture.options(state), state.encoding
    columns = shown(state, options)
    if not isinstance(e, Waves):
        return columns[0] if columns else None
    found = heights(e, columns, position, options)
    if not np.isfinite(found).all():
        return None
    return columns[int(np.abs(found - value).argmin())]


# -- the figure ----------------------------------------------------------------------------------


def _curves(state: Exploration, options: WavesOptions, numbers: WavesNumbers) -> Iterator[Curve]:
    """Yield the curves of the encoding, then those of pins, then those that lead to heights."""
    e = require_known(state.encoding)
    colours = _colours(state, len(numbers.columns))
    own = list(zip(numbers.columns, numbers.courses, colours, strict=True))
    own.sort(key=lambda each: _covers_others(each[1]))  # these are drawn behind
    for column, course, colour in own:
        lack = "" if len(course.x) else f"no {e.rows.plural} here"
        name, brief = names_of_curve(state, column)
        yield Curve(name, course.x, course.y, colour, lack, brief, band=_band(course))
    for pin, courses in zip(state.pins, numbers.of_pins, strict=True):
        for column, course in courses:
            if len(course.x):
                name, brief = names_of_curve(state, column, pin)
                band = _band(course)
                yield Curve(name, course.x, course.y, pin.colour, "", brief, band=band)
        if not courses and (why := why_no_curve(state, options, numbers.columns, pin)):
            name, brief = names_of(state, pin)
            nothing = np.empty(0)
            yield Curve(name, nothing, nothing, pin.colour, why, brief)
    if options.heights:
        yield from _heights(state, numbers, colours)


def _covers_others(course: Course) -> bool:
    """Return whether a course goes up and down too often to see anything between."""
    if course.kind == "range":
        return True
    low, high = finite_ends(course.y) or (0.0, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):  # a file may hold any numbers
        return bool(np.nansum(np.abs(np.diff(course.y))) > _MOST_PASSES * (high - low))


def _band(course: Course) -> Band | None:
    """Return from where to where a course runs, None of one that is a line."""
    if course.low is None or course.high is None:
        return None
    return Band(course.low, course.high)


def _colours(state: Exploration, count: int) -> tuple[str, ...]:
    """Return a colour for each of so many curves, those of pins last."""
    of_pins = [pin.colour for pin in state.pins]
    free = [colour for colour in PIN_COLOURS if colour not in of_pins]
    colours = ["accent", *free, *(colour for colour in PIN_COLOURS if colour in of_pins)]
    return tuple(colours[:count])


def _heights(
    state: Exploration, numbers: WavesNumbers, colours: tuple[str, ...]
) -> Iterator[Curve]:
    """Yield dashed curves from the axis to where each line meets each curve."""
    for vector in numbers.vectors:
        end = vector.position - state.start
        if not -0.5 < end < state.count - 0.5:
            continue
        x = np.linspace(-0.5, end, _DASH_POINTS)
        is_dash = np.mod(x / (state.count / _DASHES), 1.0) < _DASH_SHARE
        for height, colour in zip(vector.heights, colours, strict=True):
            yield Curve("", x, np.where(is_dash, height, np.nan), colour)


def _value_limits(
    state: Exploration, options: WavesOptions, curves: tuple[Curve, ...]
) -> tuple[float, float]:
    """Return the least and the greatest value that can occur, or else that do occur."""
    ends = [found for curve in curves if (found := finite_ends(curve.outline[1]))]
    known = require_known(state.encoding).value_range
    if options.shows_angles:
        known = (0.0, math.tau) if options.one_turn else None
    if known:
        ends.append(known)
    if not ends:
        return 0.0, 1.0
    lows, highs = zip(*ends, strict=True)
    low, high = min(lows), max(highs)
    if high > low:
        return low, high
    reach = abs(low) or 1.0
    return low - reach / 2, high + reach / 2


def _marks(state: Exploration, numbers: WavesNumbers) -> Iterator[Mark]:
    for vector in numbers.vectors:
        if -0.5 <= vector.position - state.start <= state.count - 0.5:
            place = vector.position - state.start
            yield Mark(place, vector.option, line_title(state, vector.position))


def _dots(state: Exploration, numbers: WavesNumbers) -> Iterator[Dot]:
    """Yield a dot where a line crosses a wave."""
    colours = _colours(state, len(numbers.columns))
    for vector in numbers.vectors:
        place = vector.position - state.start
        if -0.5 <= place <= state.count - 0.5:
            for height, colour in zip(vector.heights, colours, strict=True):
                if math.isfinite(height):
                    yield Dot(place, float(height), colour)


def _note(state: Exploration, numbers: WavesNumbers) -> Note | None:
    """Return why there is nothing to see, and what leads to something."""
    e = require_known(state.encoding)
    is_lines = not isinstance(e, Steady) or any(it.kind != "range" for it in numbers.courses)
    if is_lines and any(np.isfinite(course.y).any() for course in numbers.courses):
        return None
    if not len(numbers.courses[0].x):
        first, last = e.domain[0], e.domain[-1]
        rows = f"{e.called()} has rows for {e.rows.plural} {first:,} to {last:,} only"
        return Note(f"There is nothing here: {rows}.", "Show its rows", rows=e.domain)
    if numbers.courses[0].kind != "range" or not isinstance(e, Steady):
        return Note("There are no finite numbers here.")
    period = max(e.periods()[list(numbers.columns)].tolist())
    if period > numbers.block:
        return None
    many = e.rows.counted(numbers.block)
    sentence = f"Each pixel stands for {many}, in which every curve turns at least once."
    return Note(sentence, "Zoom to where structure begins", period=period)
