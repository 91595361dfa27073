"""Shift: the matrix that moves every row by k positions, and its residual."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import movable_positions
from pe_explorer.encodings import Rotary, Unknown, find_axes
from pe_explorer.exploration import PIN_COLOURS, pan_range, zoom_range
from pe_explorer.params import declared
from pe_explorer.pictures._columns import ShownColumns, add_hidden_column, select_columns
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.gestures import Drag, Effects, Fields, Pointer, Snapshot, Wheel
from pe_explorer.pictures.inspection import HiddenCursor, Inspection, make_inspection
from pe_explorer.pictures.limits import find_finite_limits, find_limit_above
from pe_explorer.pictures.lines import Curve
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, make_whole_axis
from pe_explorer.pictures.shift import words
from pe_explorer.pictures.shift.numbers import ShiftNumbers, ShiftOptions, compute, cost
from pe_explorer.pictures.shown_positions import (
    find_coordinate,
    find_hatched_areas,
    find_nearest_position,
    find_table_hatched_areas,
)

_MIN_EXPONENT = -16.0  # lowest exponent on the axis if all differences are 0
_MARGIN = 0.03  # margin above and below the curve, as a fraction of the value range
_DIFFERENCE_TITLE = "largest difference"
_TABLE_PANELS = ("moved", "later")
_EXPORTED_QUANTITIES = {"matrix": "shift-matrix", "tables": "shifted", "residual": "shift-residual"}


class Shift(Picture[ShiftOptions, ShiftNumbers]):
    """The shift matrix, the moved rows, or their differences from the true rows."""

    name: ClassVar[str] = "shift"
    title: ClassVar[str] = "Shift"
    group: ClassVar[str] = "turn"
    rank: ClassVar[int] = 24
    help: ClassVar[str] = (
        "The matrix that moves the rows of all positions by k, or a least-squares fit."
    )
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom the columns of the matrix, or the positions"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the columns of the tables"),
        ("Drag", "Move through columns and positions"),
    )
    main_value_name: ClassVar[str] = "cos kω"
    cost_sides: ClassVar[tuple[str, ...]] = ("height",)
    coloured_panels: ClassVar[frozenset[str]] = frozenset({"matrix", "moved", "later"})
    can_compare: ClassVar[bool] = True

    @cached_property
    def columns(self) -> ShownColumns:
        width, options = moved_rows.width(self.encoding), self.options
        return select_columns(options.first, options.dimensions, width)

    @property
    def _matrix_row(self) -> int:
        e, column = self.encoding, self.state.dimension
        return column % e.rotary if isinstance(e, Rotary) else column

    def cost(self, size: Size) -> float:
        return cost(self.encoding, self.state.positions, self.options, size)

    def numbers(self, size: Size, progress: threading.Event) -> ShiftNumbers:
        return compute(self.encoding, self.state.positions, self.options, size, progress)

    def figure(self, numbers: ShiftNumbers) -> Figure:
        panels, e, options = self.frame().panels, self.encoding, self.options
        if options.part == "residual":
            panels = (self._make_curve_panel(panels[0], numbers),)
        elif options.part == "matrix":
            panels = (self._make_matrix_panel(panels[0], numbers),)
        else:
            panels = tuple(self._make_tables(panels, numbers))
        wording = self.wording(numbers)
        sentence = wording.text("sentence")
        caption = f"{sentence}{wording.text('pixels')}"
        note = Note(sentence) if numbers.why else None
        rows = movable_positions(e, options.k)
        if numbers.largest is None and rows and numbers.matrix is None:
            note = Note(sentence, "Show its rows", rows=rows)
        return Figure(panels, status=f"Shift: {caption}", caption=caption, note=note)

    @property
    def _k_text(self) -> str:
        return declared(ShiftOptions)["k"].format(self.options.k)

    def _make_matrix_panel(self, panel: Panel, numbers: ShiftNumbers) -> Panel:
        if numbers.matrix is None:
            return panel
        side = -(-numbers.dimensions // numbers.group) * numbers.group
        title = f"{'best fit' if numbers.fit else 'matrix'}, k = {self._k_text}"
        is_numbered, colours = numbers.group == 1, self.options.values
        cells = numbers.matrix.cells(side, side, colours, title, has_numbers=is_numbered)
        return panel._replace(cells=cells, badge=numbers.matrix_badge)

    def _make_tables(self, panels: tuple[Panel, ...], numbers: ShiftNumbers) -> Iterator[Panel]:
        domain = movable_positions(self.encoding, self.options.k)  # p with rows at p and p + k
        block, width = numbers.block, numbers.dimensions
        table_areas = find_table_hatched_areas(self.state.positions, block, domain, width)
        images = numbers.tables or (None, None)
        rows = -(-self.state.count // block) * block
        titles = (f"rows moved by {self._k_text}", "true rows")
        parts = zip(panels, images, titles, numbers.columns, strict=True)
        for panel, image, title, columns in parts:
            if image is not None:
                cells = image.cells(width, rows, self.options.values, title)
                panel = panel._replace(cells=cells, badge=numbers.format_table_badge(columns))
            yield panel._replace(hatched_areas=table_areas)

    def _make_curve_panel(self, panel: Panel, numbers: ShiftNumbers) -> Panel:
        if numbers.curve is None:
            return panel
        block, heights = numbers.block, [numbers.curve]
        x = block * np.arange(len(numbers.curve), dtype=np.float64) + (block - 1) // 2
        (points,) = np.nonzero(np.isfinite(numbers.curve))
        if numbers.code_curve is not None:
            heights.append(numbers.code_curve)
        if len(points) == 1:  # draw a horizontal line, because a single point is invisible
            x = x[points] + block * np.array([-0.5, 0.5])
            heights = [np.repeat(y[points], 2) for y in heights]
        curves: tuple[Curve, ...] = (Curve("residual", x, heights[0]),)
        axis = panel.y.with_ends(0.0, find_limit_above(heights[0]), _MARGIN)
        if axis.powers:
            with np.errstate(divide="ignore"):
                heights = [np.log10(y) for y in heights]
            low, high = find_finite_limits(np.concatenate(heights)) or (_MIN_EXPONENT, 0.0)
            margin = max(_MARGIN * (high - low), _MARGIN)
            axis = replace(axis, low=low - margin, high=high + margin)
            exact, code = (np.where(np.isfinite(y), y, np.nan) for y in heights)
            code_curve = Curve(f"{self.options.code} code", x, code, next(iter(PIN_COLOURS)))
            curves = Curve("exact rows", x, exact), code_curve
        rows = movable_positions(self.encoding, self.options.k)
        return panel._replace(
            y=axis, curves=curves, hatched_areas=find_hatched_areas(self.state, block, rows, axis)
        )

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        column = self.columns.coordinate(self._matrix_row)
        position = find_coordinate(self.state, self.state.position)
        tables = dict.fromkeys(_TABLE_PANELS, (column, position))
        return {"matrix": (column, column), "residual": (position, None), **tables}

    def frame(self) -> Figure:
        state, options, e = self.state, self.options, self.state.encoding
        rows, columns = find_axes(e)
        first, dimensions = 0, 1
        if not self.is_unavailable():
            columns = moved_rows.columns(self.encoding)
            first, dimensions, _ = self.columns
        x = make_whole_axis(columns.name, first, dimensions)
        if options.part == "matrix":
            return Figure((Panel("matrix", x, replace(x, is_downward=True)),))
        positions = make_whole_axis(rows.name, state.start, state.count, is_downward=True)
        if options.part == "residual":
            powers = not isinstance(e, Unknown) and options.can_show_code(e)
            y = PanelAxis(_DIFFERENCE_TITLE, 0.0, 1.0, powers=powers)
            return Figure((Panel("residual", replace(positions, is_downward=False), y),))
        later = make_whole_axis(rows.name, state.start + options.k, state.count, is_downward=True)
        return Figure((Panel("moved", x, positions), Panel("later", x, later)))

    def inspect(self, progress: threading.Event) -> Inspection:
        e, state = self.encoding, self.state
        e.check_column(state.dimension)
        facts = words.make_block_facts(e, self.options.k, state.position, self._matrix_row)
        wording = self.wording().with_item(facts)
        formula, missing_reason = tuple(wording.parts("formula")), wording.text("missing_reason")
        return make_inspection(wording)._replace(formula=formula, missing_reason=missing_reason)

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return the position and dimension at a point; in the matrix, only the dimension."""
        if snapshot is None:
            return {}
        displayed_picture: Shift = snapshot.picture  # may differ from `self` during a computation
        if pointer.panel == "residual":
            return {"position": find_nearest_position(displayed_picture.state, pointer.x)}
        pixels = dict(zip(_TABLE_PANELS, snapshot.numbers.columns, strict=True)).get(pointer.panel)
        column = displayed_picture.columns.find_column(pixels, pointer.x)
        e = displayed_picture.encoding
        # A channel that does not rotate has no dimension.
        has_dimension = not isinstance(e, Rotary) or column < e.rotary
        cursor = {"dimension": column} if has_dimension else {}
        if pointer.panel != "matrix":
            cursor["position"] = find_nearest_position(displayed_picture.state, pointer.y)
        return cursor

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        part = self.options.part
        if part == "residual":
            return zoom_range(self.state, wheel.factor, wheel.x)
        if part == "tables" and not wheel.should_zoom_columns:
            return zoom_range(self.state, wheel.factor, wheel.y)
        if snapshot is None:
            return {}
        return {"options": self.columns.find_zoom_options(wheel.factor, wheel.x)}

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        state, part = self.state, self.options.part
        if part == "residual":
            return pan_range(state, drag.rows(-drag.x * state.count))
        fields: dict[str, Any] = {}
        fraction = (drag.x + drag.y) / 2
        if part == "tables":
            fields.update(pan_range(state, drag.rows(-drag.y * state.count)))
            fraction = drag.x
        if snapshot is not None:
            steps = drag.columns(-fraction * self.columns.dimensions)
            fields["options"] = self.columns.find_scroll_options(steps)
        return fields

    def quantity_name(self) -> str:
        return _EXPORTED_QUANTITIES[self.options.part]

    def find_hidden_cursor(self) -> HiddenCursor | None:
        rows = super().find_hidden_cursor()
        if self.options.part == "residual":
            return rows
        title = f"{moved_rows.columns(self.encoding).name} {self._matrix_row:,}"
        return add_hidden_column(self, self.columns, self._matrix_row, title, rows)
