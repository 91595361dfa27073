"""The heatmap: position down, dimension across, a colour for each value or angle."""

import threading
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import axes_of, needs
from pe_explorer.exploration import difference_name, panned, zoomed
from pe_explorer.pictures._columns import ShownColumns, column_outside
from pe_explorer.pictures.figure import (
    Cells,
    Figure,
    Panel,
    PanelPlace,
    Rectangle,
    Substitute,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.heatmap import words
from pe_explorer.pictures.heatmap.numbers import HeatmapNumbers, compute, cost
from pe_explorer.pictures.heatmap.options import (
    HeatmapOptions,
    axis_of,
    column_at,
    columns_shown,
    place_of,
)
from pe_explorer.pictures.inspection import Inspection, Outside, rows_outside
from pe_explorer.pictures.limits import suited_colours
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import above_and_below

_PIXELS_PER_WAVE = 32  # height of the longest wave once zoomed to

PANELS = ("cells", "second")
"""The positions shown, and as many from a second start on."""

_NEEDS = {"value": needs.nothing, "angle": needs.waves, "error": needs.float32_angles}
_EXPORTED = {"value": "table", "angle": "angles", "error": "float32-error"}
_KINDS = {"value": "value", "angle": "angle", "error": "float32 error"}
"""What each quantity needs, how its export is called, and how the picture calls it."""


class Heatmap(Picture[HeatmapOptions, HeatmapNumbers]):
    """Position down, dimension across, a colour for each value."""

    name: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "Heatmap"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 10
    help: ClassVar[str] = (
        "Every position's encoding as a row of colours. Wheel zooms the positions, with Ctrl "
        "the dimensions; drag moves, a click sets the cursor."
    )
    is_plain: ClassVar[bool] = True
    header: ClassVar[Mapping[str, bool]] = {"quantity": True}
    gestures: ClassVar[Effects] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the dimensions"),
        ("Drag", "Move through positions and dimensions"),
    )
    explored: ClassVar[tuple[str, ...]] = ("show",)
    compares: ClassVar[bool] = True
    fields: ClassVar[frozenset[str]] = Picture.fields | {"show"}
    halved: ClassVar[tuple[str, ...]] = ("height",)
    coloured: ClassVar[frozenset[str]] = frozenset(PANELS)

    @property
    def show(self) -> str:
        return self.state.show

    @property
    def subject(self) -> Subject:
        return self.state.subject

    @cached_property
    def columns(self) -> ShownColumns:
        """The columns shown, fitted to those there are."""
        return columns_shown(self.subject, self.options)

    @cached_property
    def windows(self) -> dict[str, range]:
        """The positions of each panel."""
        return dict(zip(PANELS, self.options.windows(self.state.positions), strict=False))

    @property
    def place(self) -> int | None:
        """The column of the heatmap that shows that of the cursor, None where none does."""
        return place_of(self.subject, self.options, self.state.place)

    def ingredients(self) -> tuple[Any, ...]:
        return self.state.start, self.state.count, self.options, self.subject

    def need(self) -> needs.Need:
        return _NEEDS[self.options.quantity]

    def remedy(self) -> str:
        return "" if self.options.quantity == "value" else "show the values instead"

    def cost(self, size: Size) -> float:
        return cost(self.subject, self.options, self.state.positions, size)

    def numbers(self, size: Size, progress: threading.Event) -> HeatmapNumbers:
        return compute(self.subject, self.options, self.state.positions, size, progress)

    def figure(self, numbers: HeatmapNumbers) -> Figure:
        substitute = self._substitute(numbers)
        panels, parts = [], (numbers, numbers.second)
        for panel, each in zip(self.frame().panels, parts, strict=False):
            assert each is not None
            panels.append(self._filled(panel, each, substitute))
        status = words.status(self.state, self.options, numbers, substitute)
        note = words.note(numbers)
        return Figure(tuple(panels), status=status, note=note, substitute=substitute)

    def _filled(
        self, panel: Panel, numbers: HeatmapNumbers, substitute: Substitute | None
    ) -> Panel:
        """Return the panel of some positions with its numbers."""
        if numbers.values is not None:
            badge = words.badge(self.subject, self.options, numbers)
            panel = panel._replace(cells=self._cells(numbers, substitute), badge=badge)
        shown, domain = self.windows[panel.name], self.subject.domain
        hatched = above_and_below(shown, numbers.block, domain, numbers.dimensions)
        return panel._replace(hatched=hatched)

    def _cells(self, numbers: HeatmapNumbers, substitute: Substitute | None) -> Cells:
        assert numbers.values is not None
        assert numbers.indices is not None
        options = self.options
        height = len(numbers.values) * numbers.block
        place = Rectangle(-0.5, -0.5, numbers.dimensions, height)
        chosen = options.angles if options.shows_angles else options.values
        title = _KINDS[options.quantity]
        if self.subject.less is not None:
            title = f"{title}, {difference_name(self.state, whole=True)}"
        return Cells(
            numbers.values,
            numbers.indices,
            place,
            substitute.shown if substitute else chosen,
            numbers.limits,
            title,
            "°" if options.shows_angles else "",
            columns=numbers.columns,
        )

    def _substitute(self, numbers: HeatmapNumbers) -> Substitute | None:
        """Return the colours in the place of those chosen, which may need a middle or have none."""
        options, subject = self.options, self.subject
        if options.shows_angles or numbers.values is None:
            return None
        low, high = numbers.limits
        symmetric = low == -high or subject.encoding.value_range is not None
        differences = options.shows_errors or subject.less is not None
        return suited_colours(options.values, differences=differences, symmetric=symmetric)

    def cursor_places(self) -> dict[str, PanelPlace]:
        across, position = self.columns.place(self.place), self.state.position
        return {
            name: (across, position - shown.start if position in shown else None)
            for name, shown in self.windows.items()
        }

    def frame(self) -> Figure:
        rows, columns = axes_of(self.state.encoding)
        first, dimensions = 0, 1
        if not self.is_lacking():
            rows = self.subject.encoding.rows
            columns = axis_of(self.subject, self.options)
            first, dimensions, _ = self.columns
        across = whole_numbers(columns.name, first, dimensions)
        panels, count, (*_, last) = [], self.state.count, self.windows
        for name, shown in self.windows.items():
            down = whole_numbers(rows.name, shown.start, count, down=not self.options.upward)
            panels.append(Panel(name, across, down, has_bar=name == last))
        return Figure(tuple(panels))

    def limited_colours(self) -> tuple[str, ...]:
        return () if self.options.shows_angles else super().limited_colours()

    def inspect(self, progress: threading.Event) -> Inspection:
        return words.inspect(self.state, with_error=self.options.shows_errors)

    def cursor_outside(self) -> Outside | None:
        rows = None
        if not any(self.state.position in shown for shown in self.windows.values()):
            before, after = ("below", "above") if self.options.upward else ("above", "below")
            rows = rows_outside(self.state, before, after)
        if (place := self.place) is None:
            return rows
        title = f"{self.subject.encoding.columns.name} {self.state.dimension:,}"
        return column_outside(self, self.columns, place, title, rows)

    def pointed_at(self, drawn: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return the row and the column at a point; of the cursor's own pair its own column."""
        if drawn is None:
            return {}
        there: Heatmap = drawn.picture  # under the mouse, while the next is computed
        if at.panel not in there.windows:  # the panel was closed while the mouse held it
            return {}
        row = min(max(0, round(at.y)), there.state.count - 1)
        numbers = drawn.numbers
        if numbers and at.panel == PANELS[1]:
            numbers = numbers.second
        pixels = numbers.columns if numbers else None
        column = there.columns.under(pixels, at.x)
        place = column_at(there.subject, there.options, column, self.state.place)
        dimension = there.state.column_at(place)
        found = {"position": there.windows[at.panel].start + row}
        return found if dimension is None else {**found, "dimension": dimension}

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        if wheel.of_columns and drawn is not None:
            return {"options": self.columns.zoomed(wheel.factor, wheel.x)}
        anchor = 1.0 - wheel.y if self.options.upward else wheel.y
        changed = zoomed(self.state, wheel.factor, anchor)
        if self.options.second is None:
            return changed
        second = self.state.with_(start=self.windows[PANELS[1]].start)
        beside = zoomed(second, wheel.factor, anchor)
        return {**changed, "options": {"second": beside["start"]}}

    def dragged(self, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Return the columns moved, and the positions of the picture that is dragged."""
        state, options = self.state, self.options
        rows = drag.rows((drag.y if options.upward else -drag.y) * state.count)
        moved: dict[str, Any] = {}
        if drag.panel == PANELS[0]:
            moved.update(panned(state, rows))
        own: dict[str, Any] = {}
        if drag.panel == PANELS[1] and options.second is not None:
            second = state.with_(start=self.windows[PANELS[1]].start)
            own["second"] = panned(second, rows)["start"]
        if drawn is not None:
            own.update(self.columns.moved(drag.columns(-drag.x * self.columns.dimensions)))
        return {**moved, "options": own}

    @classmethod
    def positions_of(cls, period: float, width: float, height: float) -> float:
        return height * period / _PIXELS_PER_WAVE

    def exported(self) -> str:
        return _EXPORTED[self.options.quantity]

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        panel = figure.panels[0]
        each_has_a_row = panel.cells and len(panel.cells.values) == panel.y.count
        is_value = self.options.quantity == "value" and self.subject.less is None
        if panel.cells is None or not each_has_a_row or not is_value:
            return {}
        first, end = panel.x.origin or 0, (panel.x.origin or 0) + panel.x.count
        return {panel.name: (f"table[:, {first}:{end}]",)}
