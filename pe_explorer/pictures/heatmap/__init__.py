"""The heatmap: position down, dimension across, a colour for each value or angle."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import axes_of, needs
from pe_explorer.exploration import Exploration, difference_name, panned, zoomed
from pe_explorer.pictures._columns import column_outside
from pe_explorer.pictures.comparing import ComparingPicture
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
from pe_explorer.pictures.shown_positions import above_and_below

_PIXELS_PER_WAVE = 32  # height of the longest wave once zoomed to

PANELS = ("cells", "second")
"""The positions shown, and as many from a second start on."""

_NEEDS = {"value": needs.nothing, "angle": needs.waves, "error": needs.float32_angles}
_EXPORTED = {"value": "table", "angle": "angles", "error": "float32-error"}
_KINDS = {"value": "value", "angle": "angle", "error": "float32 error"}
"""What each quantity needs, how its export is called, and how the picture calls it."""


class Heatmap(ComparingPicture[HeatmapOptions, HeatmapNumbers]):
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
    fields: ClassVar[frozenset[str]] = ComparingPicture.fields | {"show"}
    halved: ClassVar[tuple[str, ...]] = ("height",)
    coloured: ClassVar[frozenset[str]] = frozenset(PANELS)

    @classmethod
    def ingredients_one(cls, state: Exploration) -> tuple[Any, ...]:
        return state.start, state.count, cls.options(state), state.subject

    @classmethod
    def show(cls, state: Exploration) -> str:
        return state.show

    @classmethod
    def one(cls, state: Exploration, word: str) -> Exploration:
        return state if word == state.show else replace(state, show=word)

    @classmethod
    def made_of(cls, word: str) -> tuple[str, ...]:
        return (word,)  # a difference is computed exactly, not from the two pictures

    @classmethod
    def pointed(cls, state: Exploration, panel: str, found: Mapping[str, int]) -> dict[str, int]:
        return dict(found)

    @classmethod
    def need(cls, state: Exploration) -> needs.Need:
        return _NEEDS[cls.options(state).quantity]

    @classmethod
    def lack_one(cls, state: Exploration) -> str:
        return next(filter(None, map(cls.need(state), state.subject.encodings)), "")

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        if remedy := super().remedy(state):
            return remedy
        return "" if cls.options(state).quantity == "value" else "show the values instead"

    cost_one = staticmethod(cost)
    compute_one = staticmethod(compute)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: HeatmapNumbers) -> Figure:
        options, subject = cls.options(state), state.subject
        substitute = _substitute(subject, options, numbers)
        panels = []
        for panel, shown, each in zip(
            cls.frame_one(state).panels,
            options.windows(state.positions),
            (numbers, numbers.second),
            strict=False,
        ):
            assert each is not None
            panels.append(_filled(panel, state, shown, each, substitute))
        status = words.status(state, options, numbers, substitute)
        note = words.note(numbers)
        return Figure(tuple(panels), status=status, note=note, substitute=substitute)

    @classmethod
    def places_one(cls, state: Exploration) -> dict[str, PanelPlace]:
        options, subject = cls.options(state), state.subject
        across = columns_shown(subject, options).place(place_of(subject, options, state.place))
        places: dict[str, PanelPlace] = {}
        for name, shown in zip(PANELS, options.windows(state.positions), strict=False):
            down = state.position - shown.start if state.position in shown else None
            places[name] = (across, down)
        return places

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        options = cls.options(state)
        rows, columns = axes_of(state.encoding)
        first, dimensions = 0, 1
        if not cls.is_lacking(state):
            rows = state.subject.encoding.rows
            columns = axis_of(state.subject, options)
            first, dimensions, _ = columns_shown(state.subject, options)
        across = whole_numbers(columns.name, first, dimensions)
        windows = options.windows(state.positions)
        panels = []
        for name, shown in zip(PANELS, windows, strict=False):
            down = whole_numbers(rows.name, shown.start, state.count, down=not options.upward)
            is_last = shown is windows[-1]
            panels.append(Panel(name, across, down, has_bar=is_last))
        return Figure(tuple(panels))

    @classmethod
    def limited_colours(cls, state: Exploration) -> tuple[str, ...]:
        return () if cls.options(state).shows_angles else super().limited_colours(state)

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        return words.inspect(state, with_error=cls.options(state).shows_errors)

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        options = cls.options(state)
        rows = None
        if not any(state.position in shown for shown in options.windows(state.positions)):
            before, after = ("below", "above") if options.upward else ("above", "below")
            rows = rows_outside(state, before, after)
        subject = state.subject
        place = place_of(subject, options, state.place)
        if place is None:
            return rows
        title = f"{subject.encoding.columns.name} {state.dimension:,}"
        return column_outside(cls, state, columns_shown(subject, options), place, title, rows)

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return the row and the column at a point; of the cursor's own pair its own column."""
        if drawn is None:
            return {}
        there = drawn.state  # the picture under the mouse, while the next is computed
        options, subject = cls.options(there), there.subject
        windows = dict(zip(PANELS, options.windows(there.positions), strict=False))
        if at.panel not in windows:  # the panel was closed while the mouse held it
            return {}
        row = min(max(0, round(at.y)), there.count - 1)
        numbers = drawn.numbers
        if numbers and at.panel == PANELS[1]:
            numbers = numbers.second
        pixels = numbers.columns if numbers else None
        column = columns_shown(subject, options).under(pixels, at.x)
        dimension = there.column_at(column_at(subject, options, column, state.place))
        found = {"position": windows[at.panel].start + row}
        return found if dimension is None else {**found, "dimension": dimension}

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        options = cls.options(state)
        if wheel.of_columns and drawn is not None:
            shown = columns_shown(state.subject, options)
            return {"options": shown.zoomed(wheel.factor, wheel.x)}
        anchor = 1.0 - wheel.y if options.upward else wheel.y
        changed = zoomed(state, wheel.factor, anchor)
        if options.second is None:
            return changed
        _, second = options.windows(state.positions)
        beside = zoomed(state.with_(start=second.start), wheel.factor, anchor)
        return {**changed, "options": {"second": beside["start"]}}

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Return the columns moved, and the positions of the picture that is dragged."""
        options = cls.options(state)
        rows = drag.rows((drag.y if options.upward else -drag.y) * state.count)
        moved: dict[str, Any] = {}
        if drag.panel == PANELS[0]:
            moved.update(panned(state, rows))
        own: dict[str, Any] = {}
        if drag.panel == PANELS[1] and options.second is not None:
            _, second = options.windows(state.positions)
            own["second"] = panned(state.with_(start=second.start), rows)["start"]
        if drawn is not None:
            shown = columns_shown(state.subject, options)
            own.update(shown.moved(drag.columns(-drag.x * shown.dimensions)))
        return {**moved, "options": own}

    @classmethod
    def positions_of(cls, period: float, width: float, height: float) -> float:
        return height * period / _PIXELS_PER_WAVE

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return _EXPORTED[cls.options(state).quantity], state.show

    @classmethod
    def formula_one(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        panel, options = figure.panels[0], cls.options(state)
        each_has_a_row = panel.cells and len(panel.cells.values) == panel.y.count
        is_value = options.quantity == "value" and state.subject.less is None
        if panel.cells is None or not each_has_a_row or not is_value:
            return {}
        first, end = panel.x.origin or 0, (panel.x.origin or 0) + panel.x.count
        return {panel.name: (f"table[:, {first}:{end}]",)}


# -- the figure ----------------------------------------------------------------------------------


def _filled(
    panel: Panel,
    state: Exploration,
    shown: range,
    numbers: HeatmapNumbers,
    substitute: Substitute | None,
) -> Panel:
    """Return the panel of some positions with its numbers."""
    if numbers.values is not None:
        badge = words.badge(state, Heatmap.options(state), numbers)
        panel = panel._replace(cells=_cells(state, numbers, substitute), badge=badge)
    hatched = above_and_below(shown, numbers.block, state.subject.domain, numbers.dimensions)
    return panel._replace(hatched=hatched)


def _cells(state: Exploration, numbers: HeatmapNumbers, substitute: Substitute | None) -> Cells:
    """Return the cells of a heatmap."""
    assert numbers.values is not None
    assert numbers.indices is not None
    options, subject = Heatmap.options(state), state.subject
    height = len(numbers.values) * numbers.block
    place = Rectangle(-0.5, -0.5, numbers.dimensions, height)
    chosen = options.angles if options.shows_angles else options.values
    colour_map = substitute.shown if substitute else chosen
    kind = _KINDS[options.quantity]
    title = kind
    if subject.less is not None:
        title = f"{kind}, {difference_name(state, whole=True)}"
    return Cells(
        numbers.values,
        numbers.indices,
        place,
        colour_map,
        numbers.limits,
        title,
        "°" if options.shows_angles else "",
        columns=numbers.columns,
    )


def _substitute(
    subject: Subject, options: HeatmapOptions, numbers: HeatmapNumbers
) -> Substitute | None:
    """Return the colours in the place of those chosen, which may need a middle or have none."""
    if options.shows_angles or numbers.values is None:
        return None
    low, high = numbers.limits
    symmetric = low == -high or subject.encoding.value_range is not None
    differences = options.shows_errors or subject.less is not None
    return suited_colours(options.values, differences=differences, symmetric=symmetric)
