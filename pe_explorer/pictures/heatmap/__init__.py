"""The heatmap: a row for each position, a column for each dimension, a colour for each value."""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from pe_explorer.analysis import precision
from pe_explorer.analysis.comparison import ShowOption, Subject, find_cursor_columns
from pe_explorer.analysis.windows import windows
from pe_explorer.encodings import EncodingError, find_axes, needs, require_known
from pe_explorer.exploration import (
    Exploration,
    make_difference_name,
    make_subject_names,
    pan_range,
    zoom_range,
)
from pe_explorer.numeric.rounding import find_largest_exact_integer
from pe_explorer.params import printed
from pe_explorer.pictures._columns import add_hidden_column
from pe_explorer.pictures.figure import Cells, Figure, Note, Panel, Substitute
from pe_explorer.pictures.gestures import DisplayedPicture, Drag, Effects, Fields, Pointer, Wheel
from pe_explorer.pictures.heatmap.numbers import HeatmapContent, HeatmapNumbers
from pe_explorer.pictures.heatmap.options import HeatmapOptions
from pe_explorer.pictures.inspection import (
    HiddenCursor,
    Inspection,
    format_brief_numbers,
    format_brief_value,
    format_signed_number,
    make_hidden_cursor,
    make_inspection,
)
from pe_explorer.pictures.limits import describe_substitute, find_colour_substitute
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelPoint, Rectangle, make_whole_axis
from pe_explorer.pictures.shown_positions import find_table_hatched_areas
from pe_explorer.words import FACTS, Facts, register_fact, require, require_fact
from pe_explorer.words.texts import Wording

_PIXELS_PER_WAVE = 32  # height of one wavelength in pixels after the view zooms to a wave
PANEL_NAMES = ("cells", "second")  # names of the panels of the first and the second range

_REQUIREMENTS = {
    "value": needs.require_nothing,
    "angle": needs.waves,
    "error": needs.code_angles,
}
_EXPORTED_QUANTITIES = {"value": "table", "angle": "angles", "error": "rounding-error"}


class Heatmap(Picture[HeatmapOptions, HeatmapNumbers]):
    """A row for each position, a column for each dimension, a colour for each value."""

    name: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "Heatmap"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 10
    help: ClassVar[str] = (
        "Each row of colours is the encoding of one position. Click to set the cursor."
    )
    is_plain: ClassVar[bool] = True
    header: ClassVar[Mapping[str, bool]] = {"quantity": True, "rounded_to": True, "cast": True}
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom in or out around the mouse pointer"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the dimensions"),
        ("Drag", "Move through positions and dimensions"),
    )
    shown_fields: ClassVar[tuple[str, ...]] = ("show",)
    can_compare: ClassVar[bool] = True
    fields: ClassVar[frozenset[str]] = Picture.fields | {"show"}
    cost_sides: ClassVar[tuple[str, ...]] = ("height",)
    coloured_panels: ClassVar[frozenset[str]] = frozenset(PANEL_NAMES)

    @property
    def show(self) -> str:
        return self.state.show

    @cached_property
    def subject(self) -> Subject:
        return self.state.subject

    @cached_property
    def content(self) -> HeatmapContent:
        return HeatmapContent(self.subject, self.options)

    @cached_property
    def windows(self) -> dict[str, range]:
        """The positions in each panel, by panel name."""
        return dict(
            zip(PANEL_NAMES, windows(self.state.positions, self.options.second), strict=False)
        )

    def inputs(self) -> tuple[Any, ...]:
        return self.state.start, self.state.count, self.options, self.subject

    def need(self) -> needs.Requirement:
        return _REQUIREMENTS[self.options.quantity]

    def remedy(self) -> str:
        if self._explain_no_cast():
            return precision.CAST_REMEDY
        return "" if self.options.quantity == "value" else "show the values instead"

    def explain_unavailability(self) -> str:
        return super().explain_unavailability() or self._explain_no_cast()

    def _explain_no_cast(self) -> str:
        options = self.options
        if not options.shows_errors:
            return ""
        return precision.explain_no_cast(options.rounded_to, options.cast)

    def cost(self, size: Size) -> float:
        return self.content.cost(self.state.positions, size)

    def numbers(self, size: Size, progress: threading.Event) -> HeatmapNumbers:
        return self.content.numbers(self.state.positions, size, progress)

    def figure(self, numbers: HeatmapNumbers) -> Figure:
        substitute, panels, wording = self._choose_substitute(numbers), [], self.wording(numbers)
        status, domain = wording.text("status"), self.subject.domain
        for panel, part in zip(self.frame().panels, (numbers, numbers.second), strict=False):
            assert part is not None
            part_wording = self.wording(part)
            if part is not numbers:
                status += part_wording.text("beside")
            if part.values is not None:
                cells = self._make_cells(part, substitute)
                panel = panel._replace(cells=cells, badge=part_wording.text("badge"))
            window = self.windows[panel.name]
            table_areas = find_table_hatched_areas(window, part.block, domain, part.dimensions)
            panels.append(panel._replace(hatched_areas=table_areas))
        note = None
        if sentence := wording.text("note"):
            rows = domain if numbers.values is None else None
            offer = "Zoom in until waves are visible" if numbers.period else ""
            offer = "Show its rows" if rows else offer
            note = Note(sentence, offer, rows=rows, period=numbers.period or 0.0)
        status += describe_substitute(substitute)
        return Figure(tuple(panels), status=status, note=note, substitute=substitute)

    def _make_cells(self, numbers: HeatmapNumbers, substitute: Substitute | None) -> Cells:
        values, indices, options = numbers.values, numbers.indices, self.options
        assert values is not None
        assert indices is not None
        place = Rectangle(-0.5, -0.5, numbers.dimensions, len(values) * numbers.block)
        colours, unit = (options.angles, "°") if options.shows_angles else (options.values, "")
        if substitute:
            colours = substitute.replacement
        title = options.quantity_title
        if self.subject.subtrahend is not None:
            title = f"{title}, {make_difference_name(self.state, is_full=True)}"
        cells = Cells(values, indices, place, colours, numbers.limits, title, unit)
        return cells._replace(columns=numbers.columns)

    def _choose_substitute(self, numbers: HeatmapNumbers) -> Substitute | None:
        options, subject = self.options, self.subject
        if options.shows_angles or numbers.values is None:
            return None
        low, high = numbers.limits
        symmetric = low == -high or subject.encoding.value_range is not None
        differences = options.shows_errors or subject.subtrahend is not None
        return find_colour_substitute(options.values, differences=differences, symmetric=symmetric)

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        column, position = self.content.find_heatmap_column(self.state.place), self.state.position
        x = self.content.shown_columns.coordinate(column)
        return {
            name: (x, position - window.start if position in window else None)
            for name, window in self.windows.items()
        }

    def find_panel_columns(self, dimensions: Sequence[int]) -> dict[str, list[float]]:
        columns = self.content.find_heatmap_columns(self.state.find_places(dimensions))
        shown = self.content.shown_columns
        xs = [x for column in columns.tolist() if (x := shown.coordinate(column)) is not None]
        return dict.fromkeys(self.windows, xs)

    def frame(self) -> Figure:
        rows, columns = find_axes(self.state.encoding)
        first, dimensions = 0, 1
        if not self.is_unavailable():
            rows = self.subject.encoding.rows
            columns = self.content.axis
            first, dimensions, _ = self.content.shown_columns
        x = make_whole_axis(columns.name, first, dimensions)
        panels, count, (*_, last) = [], self.state.count, self.windows
        for name, window in self.windows.items():
            y = make_whole_axis(rows.name, window.start, count, is_downward=not self.options.upward)
            panels.append(Panel(name, x, y, has_bar=name == last))
        return Figure(tuple(panels))

    def list_limited_colours(self) -> tuple[str, ...]:
        return () if self.options.shows_angles else super().list_limited_colours()

    def inspect(self, progress: threading.Event) -> Inspection:
        """Return the value of the current encoding, then the values of other encodings shown."""
        try:
            inspection = super().inspect(progress)
        except EncodingError as error:  # unknown encoding, no such row, or missing file
            inspection = Inspection(missing_reason=error.sentence)
        if inspection.values and self.show == ShowOption.CURRENT and not self.options.shows_errors:
            return inspection
        try:
            wording = self.wording()
            brief = self._format_brief_values(inspection, wording)
            other_values = make_inspection(wording).values
        except EncodingError:  # the view shows the reason
            other_values, brief = (), ("no value",)
        values = (*inspection.values, *other_values) if inspection.values else ()
        return inspection._replace(values=values, brief=brief)

    def _format_brief_values(self, inspection: Inspection, wording: Wording) -> tuple[str, ...]:
        subject, p, column, name = self.subject, self.state.position, self.state.place, "value"
        error, words = wording.get("cursor_error"), self.show.split()
        if self.options.shows_errors and error is not None:
            return (f"{self.options.quantity_title}: {printed.error(float(error), sign=True)}",)
        if len(words) > 1 and self.state.pins and not self.options.shows_angles:
            numbers = {word: wording.get(f"{word}_value") for word in words}
            numbers[ShowOption.CURRENT] = inspection.number
            return format_brief_numbers({word: float(numbers[word] or math.nan) for word in words})
        if subject.show != ShowOption.CURRENT:
            name = make_subject_names(self.state)[subject.show]
        if subject.missing_reason or column is None or p not in subject.domain:
            return ("no value here",)
        if subject.subtrahend is None:
            return format_brief_value(subject.encoding.reading(p, column), name)
        number = f"{name}: {format_signed_number(subject.value(p, column))}"
        if any(map(needs.steady, subject.encodings)) or subject.angles.wave_indices[column] < 0:
            return (number,)
        _, fraction = subject.angles.turn(int(subject.angles.wave_indices[column]), p)
        angle = 180 - (180 - round(fraction * 360, 2)) % 360  # 359° is −1°, and −180° is 180°
        return number, f"Δ {printed.degrees(angle)}"

    def find_hidden_cursor(self) -> HiddenCursor | None:
        hidden_cursor = None
        if not any(self.state.position in window for window in self.windows.values()):
            sides = ("below", "above") if self.options.upward else ("above", "below")
            hidden_cursor = make_hidden_cursor(self.state, *sides)
        if (column := self.content.find_heatmap_column(self.state.place)) is None:
            return hidden_cursor
        title = f"{self.subject.encoding.columns.name} {self.state.dimension:,}"
        return add_hidden_column(self, self.content.shown_columns, column, title, hidden_cursor)

    def find_pointer_fields(
        self, snapshot: DisplayedPicture | None, pointer: Pointer
    ) -> Mapping[str, int]:
        """Return the position and dimension at a point.

        If the column at the point shows the cursor's pair, keep the cursor's dimension.
        """
        if snapshot is None:
            return {}
        picture: Heatmap = snapshot.picture  # may differ from `self` during a computation
        if pointer.panel not in picture.windows:  # the panel was closed during the drag
            return {}
        row = min(max(0, round(pointer.y)), picture.state.count - 1)
        numbers, content = snapshot.numbers, picture.content
        if numbers and pointer.panel == PANEL_NAMES[1]:
            numbers = numbers.second
        number = content.shown_columns.find_column(numbers.columns if numbers else None, pointer.x)
        column = content.find_subject_column(number, self.state.place)
        dimension = picture.state.find_column(column)
        cursor = {"position": picture.windows[pointer.panel].start + row}
        return cursor if dimension is None else {**cursor, "dimension": dimension}

    def find_wheel_fields(self, snapshot: DisplayedPicture | None, wheel: Wheel) -> Fields:
        if wheel.should_zoom_columns and snapshot is not None:
            return {"options": self.content.shown_columns.find_zoom_options(wheel.factor, wheel.x)}
        anchor = 1.0 - wheel.y if self.options.upward else wheel.y
        fields = zoom_range(self.state, wheel.factor, anchor)
        if self.options.second is None:
            return fields
        second_state = self.state.with_(start=self.windows[PANEL_NAMES[1]].start)
        second_start = zoom_range(second_state, wheel.factor, anchor)["start"]
        return {**fields, "options": {"second": second_start}}

    def find_drag_fields(self, snapshot: DisplayedPicture | None, drag: Drag) -> Fields:
        """Return the fields that scroll the columns and the positions of the dragged panel."""
        state, options = self.state, self.options
        rows = drag.rows((drag.y if options.upward else -drag.y) * state.count)
        fields: dict[str, Any] = {"options": {}}
        if drag.panel == PANEL_NAMES[0]:
            fields |= pan_range(state, rows)
        if drag.panel == PANEL_NAMES[1] and options.second is not None:
            second_state = state.with_(start=self.windows[PANEL_NAMES[1]].start)
            fields["options"]["second"] = pan_range(second_state, rows)["start"]
        if snapshot is not None:
            columns = self.content.shown_columns
            steps = drag.columns(-drag.x * columns.dimensions)
            fields["options"] |= columns.find_scroll_options(steps)
        return fields

    @classmethod
    def count_legible_positions(cls, period: float, width: float, height: float) -> float:
        return height * period / _PIXELS_PER_WAVE

    def quantity_name(self) -> str:
        return _EXPORTED_QUANTITIES[self.options.quantity]

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        panel = figure.panels[0]
        has_plain_values = self.options.quantity == "value" and self.subject.subtrahend is None
        if not has_plain_values or panel.cells is None or len(panel.cells.values) != panel.y.count:
            return {}
        first, end = panel.x.origin or 0, (panel.x.origin or 0) + panel.x.count
        return {panel.name: (f"table[:, {first}:{end}]",)}


# -- facts -----------------------------------------------------------------------------------------


FACTS |= {
    "shortage": lambda facts: next(
        filter(None, (e.no_rows_reason for e in facts.subject.encodings)), None
    ),
    # Values at the cursor: that of the pin, and the difference.
    "pinned_value": lambda facts: _format_subject_value(facts.state, ShowOption.PINNED),
    "difference_value": lambda facts: _format_subject_value(facts.state, ShowOption.DIFFERENCE),
    # The type and the cast of errors; the guide has no facts about options.
    "error_dtype": lambda facts: Heatmap(facts.state).options.rounded_to,
    "error_cast": lambda facts: Heatmap(facts.state).options.cast,
    "largest_exact_integer": lambda facts: find_largest_exact_integer(facts["error_dtype"]),
}


@register_fact
def columns_in_pixel(facts: Facts) -> str:
    """Return how the columns that share a pixel are combined."""
    picture, pixels = Heatmap(facts.state), require_fact(facts.numbers.columns)
    prefix = "mean of " if picture.options.should_average_columns else "first of "
    plural, has_kinds = picture.content.axis.plural, not picture.options.shows_angles
    return require_fact(pixels.describe_group(plural, prefix, has_kinds=has_kinds) or None)


@register_fact
def compared_name(facts: Facts) -> str:
    """Return the name of the pin or the difference shown."""
    require(facts.subject.show != ShowOption.CURRENT)
    return make_subject_names(facts.state)[facts.subject.show]


@register_fact
def common_columns(facts: Facts) -> int:
    """Return the number of columns that two encodings of different widths have in common."""
    require({e.width for e in facts.subject.encodings} != {facts.subject.width})
    return facts.subject.width


@register_fact
def reached_columns(facts: Facts) -> int:
    """Return the number of a pin's columns that the cursor can reach, if it is not all of them."""
    is_reached = find_cursor_columns(facts.subject, require_known(facts.state.encoding)) >= 0
    require(not is_reached.all())
    return int(is_reached.sum())


@register_fact
def cursor_error(facts: Facts) -> str:
    """Return the rounding error at the cursor with all digits; it can be infinite or nan."""
    subject, p = facts.subject, facts.state.position
    require(subject.subtrahend is None and p in subject.domain)
    require(not needs.code_angles(subject.encoding))
    errors = precision.error(subject.encoding, [p], **facts.options.rounding)
    return repr(float(errors[0, require_fact(facts.state.place)]))


def _format_subject_value(state: Exploration, show: ShowOption) -> str:
    require(show in state.show.split())
    state = replace(state, show=show.value)
    subject = state.subject
    require(subject.show == show and not subject.missing_reason)
    require(state.position in subject.domain)
    return repr(subject.value(state.position, require_fact(state.place)))
