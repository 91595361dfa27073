"""Shift: the matrix that moves every row by k positions, and what it leaves."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import movable
from pe_explorer.analysis.shift import why_none
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Unknown, axes_of, require_known
from pe_explorer.exploration import PIN_COLOURS, Exploration, panned, zoomed
from pe_explorer.params import declared
from pe_explorer.pictures._columns import ShownColumns, column_outside, columns_shown
from pe_explorer.pictures.comparing import ComparingPicture
from pe_explorer.pictures.figure import (
    Curve,
    Figure,
    Note,
    Panel,
    PanelAxis,
    PanelPlace,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.inspection import Inspection, Outside
from pe_explorer.pictures.limits import finite_ends, limit_above
from pe_explorer.pictures.shift import words
from pe_explorer.pictures.shift.numbers import ShiftNumbers, ShiftOptions, compute, cost
from pe_explorer.pictures.shown_positions import (
    above_and_below,
    nearest_position,
    place_of_position,
    without_rows,
)

_LEAST_POWER = -16.0  # of ten, where there is no difference at all
_MARGIN = 0.03  # share of the value range left free above and below the curve
_RESIDUAL = "largest difference"
_TABLES = ("moved", "later")
_EXPORTED = {"matrix": "shift-matrix", "tables": "shifted", "residual": "shift-residual"}
"""The quantity that exports each part."""


class Shift(ComparingPicture[ShiftOptions, ShiftNumbers]):
    """The matrix that moves rows, the rows that it moves, or how far these are from the true."""

    name: ClassVar[str] = "shift"
    title: ClassVar[str] = "Shift"
    group: ClassVar[str] = "turn"
    rank: ClassVar[int] = 24
    help: ClassVar[str] = (
        "The one matrix that moves the rows of all positions by k, if there is one. Wheel zooms "
        "the columns, over tables and curve the positions; drag moves, a click sets the cursor."
    )
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom the columns of the matrix, or the positions"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the columns of the tables"),
        ("Drag", "Move through columns and positions"),
    )
    main_number: ClassVar[str] = words.MAIN
    halved: ClassVar[tuple[str, ...]] = ("height",)
    coloured: ClassVar[frozenset[str]] = frozenset({"matrix", "moved", "later"})

    cost_one = staticmethod(cost)
    compute_one = staticmethod(compute)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: ShiftNumbers) -> Figure:
        frame, options = cls.frame_one(state), cls.options(state)
        panels = _filled(frame.panels, state, options, numbers)
        sentence = words.sentence(state, options, numbers)
        status = f"Shift: {sentence}{words.pixels(state, options, numbers)}"
        return Figure(
            panels,
            status=status,
            caption=status.removeprefix(f"{cls.title}: "),
            note=_note(state, options.k, numbers, sentence),
        )

    @classmethod
    def places_one(cls, state: Exploration) -> dict[str, PanelPlace]:
        place = words.place_of(require_known(state.encoding), state.dimension)
        across = cls.columns(state).place(place)
        down = place_of_position(state, state.position)
        table = (across, down)
        return {
            "matrix": (across, across),
            "moved": table,
            "later": table,
            "residual": (down, None),
        }

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        options, e = cls.options(state), state.encoding
        rows, columns = axes_of(e)
        first, dimensions = 0, 1
        if not cls.is_lacking(state):
            columns = moved_rows.columns(require_known(e))
            first, dimensions, _ = cls.columns(state)
        across = whole_numbers(columns.name, first, dimensions)
        if options.part == "matrix":
            return Figure((Panel("matrix", across, replace(across, down=True)),))
        down = whole_numbers(rows.name, state.start, state.count, down=True)
        if options.part == "residual":
            along = replace(down, down=False)
            powers = not isinstance(e, Unknown) and options.shows_code(e)
            return Figure(
                (Panel("residual", along, PanelAxis(_RESIDUAL, 0.0, 1.0, powers=powers)),)
            )
        later = whole_numbers(rows.name, state.start + options.k, state.count, down=True)
        return Figure((Panel("moved", across, down), Panel("later", across, later)))

    @classmethod
    def columns(cls, state: Exploration) -> ShownColumns:
        """Return the columns shown of the matrix and of the tables."""
        width = moved_rows.width(require_known(state.encoding))
        return columns_shown(cls.options(state), width)

    @classmethod
    def inspect_one(
        cls, state: Exploration, options: ShiftOptions, cancelled: threading.Event
    ) -> Inspection:
        return words.inspect(state, options)

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return the position and the dimension at a point; in the matrix, those of its column."""
        if drawn is None:
            return {}
        there = drawn.state  # the picture under the mouse, while the next is computed
        if at.panel == "residual":
            return {"position": nearest_position(there, at.x)}
        pixels = dict(zip(_TABLES, drawn.numbers.columns, strict=True)).get(at.panel)
        place = cls.columns(there).under(pixels, at.x)
        column = words.column_at(require_known(there.encoding), place)
        found = {} if column is None else {"dimension": column}
        if at.panel == "matrix":
            return found
        return {"position": nearest_position(there, at.y), **found}

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        part = cls.options(state).part
        if part == "residual":
            return zoomed(state, wheel.factor, wheel.x)
        if part == "tables" and not wheel.of_columns:
            return zoomed(state, wheel.factor, wheel.y)
        if drawn is None:
            return {}
        return {"options": cls.columns(state).zoomed(wheel.factor, wheel.x)}

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        options = cls.options(state)
        if options.part == "residual":
            return panned(state, drag.rows(-drag.x * state.count))
        moved: dict[str, Any] = {}
        part = (drag.x + drag.y) / 2
        if options.part == "tables":
            moved.update(panned(state, drag.rows(-drag.y * state.count)))
            part = drag.x
        if drawn is not None:
            shown = cls.columns(state)
            moved["options"] = shown.moved(drag.columns(-part * shown.dimensions))
        return moved

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return _EXPORTED[cls.options(state).part], cls.show(state)

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        rows = super().cursor_outside(state)
        if cls.options(state).part == "residual":
            return rows
        e = require_known(state.encoding)
        place = words.place_of(e, state.dimension)
        title = f"{moved_rows.columns(e).name} {place:,}"
        return column_outside(cls, state, cls.columns(state), place, title, rows)


# -- the figure ----------------------------------------------------------------------------------


def _filled(
    panels: tuple[Panel, ...], state: Exploration, options: ShiftOptions, numbers: ShiftNumbers
) -> tuple[Panel, ...]:
    """Return the panels of a frame with their numbers."""
    k = declared(ShiftOptions)["k"].format(options.k)
    if options.part == "residual":
        return (_curve_panel(panels[0], state, options, numbers),)
    side = -(-numbers.dimensions // numbers.group) * numbers.group
    if options.part == "matrix":
        if numbers.matrix is None:
            return panels
        title = f"best fit, k = {k}" if numbers.fit else f"matrix, k = {k}"
        cells = numbers.matrix.cells(side, side, options.values, title, numbered=numbers.group == 1)
        badge = words.badge_of_matrix(state, numbers)
        return (panels[0]._replace(cells=cells, badge=badge),)
    both = movable(require_known(state.encoding), options.k)  # with the row that is k later
    hatched = above_and_below(state.positions, numbers.block, both, numbers.dimensions)
    if numbers.tables is None:
        return tuple(panel._replace(hatched=hatched) for panel in panels)
    found = []
    rows = -(-state.count // numbers.block) * numbers.block
    titles = (f"rows moved by {k}", "true rows")
    for panel, image, title, columns in zip(
        panels, numbers.tables, titles, numbers.columns, strict=True
    ):
        cells = image.cells(numbers.dimensions, rows, options.values, title)
        badge = words.badge_of_table(state, numbers, columns)
        found.append(panel._replace(cells=cells, hatched=hatched, badge=badge))
    return tuple(found)


def _curve_panel(
    panel: Panel, state: Exploration, options: ShiftOptions, numbers: ShiftNumbers
) -> Panel:
    """Return the panel of the differences."""
    if numbers.curve is None:
        return panel
    block, found = numbers.block, [numbers.curve]
    x = block * np.arange(len(numbers.curve), dtype=np.float64) + (block - 1) // 2
    (there,) = np.nonzero(np.isfinite(numbers.curve))
    if numbers.of_code is not None:
        found.append(numbers.of_code)
    if len(there) == 1:  # one position: a level line is what can be seen
        x = x[there] + block * np.array([-0.5, 0.5])
        found = [np.repeat(y[there], 2) for y in found]
    high = limit_above(found[0])
    axis = PanelAxis(_RESIDUAL, 0.0, 1.0).reaching(0.0, high, _MARGIN)
    curves: tuple[Curve, ...] = (Curve("residual", x, found[0]),)
    if len(found) > 1:
        axis, curves = _beside_code(x, found, options.code)
    rows = movable(require_known(state.encoding), options.k)
    hatched = without_rows(state, block, rows, axis)
    return panel._replace(y=axis, curves=curves, hatched=hatched)


def _beside_code(x: Floats, found: list[Floats], code: str) -> tuple[PanelAxis, tuple[Curve, ...]]:
    """Return the differences of exact rows and of those that code makes, in powers of ten."""
    with np.errstate(divide="ignore"):
        exact, of_code = (np.log10(y) for y in found)
    heights = np.concatenate([exact, of_code])
    low, high = finite_ends(heights) or (_LEAST_POWER, 0.0)
    margin = max(_MARGIN * (high - low), _MARGIN)
    axis = PanelAxis(_RESIDUAL, low - margin, high + margin, powers=True)
    ways = Curve("exact rows", x, exact), Curve(f"{code} code", x, of_code, next(iter(PIN_COLOURS)))
    return axis, tuple(way._replace(y=np.where(np.isfinite(way.y), way.y, np.nan)) for way in ways)


def _note(state: Exploration, k: int, numbers: ShiftNumbers, sentence: str) -> Note | None:
    """Return why no matrix moves the rows, or why none are shown and what leads to some."""
    e = require_known(state.encoding)
    rows = movable(e, k)
    if numbers.largest is None and rows and numbers.matrix is None:
        return Note(sentence, "Show its rows", rows=rows)
    return Note(sentence) if why_none(e, k) else None
