"""The heatmap: position down, dimension across, a colour for each value or angle."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pe_explorer.analysis.comparison import Subject, columns_of_cursor
from pe_explorer.encodings import Encoding, Unknown, axes_of, needs, require_known
from pe_explorer.encodings.abilities.needs import Need
from pe_explorer.exploration import Exploration, difference_name
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.pictures import _heatmap_cursor
from pe_explorer.pictures._heatmap_numbers import Numbers, compute, cost, has_known_levels
from pe_explorer.pictures._heatmap_options import HeatmapOptions, columns_shown
from pe_explorer.pictures.figure import (
    Cells,
    Figure,
    Note,
    Panel,
    Rectangle,
    Substitute,
    whole_numbers,
)
from pe_explorer.pictures.inspection import Inspection, Outside
from pe_explorer.pictures.levels import substitute_sentence, suited_colours
from pe_explorer.pictures.picture import Options, Picture
from pe_explorer.pictures.pixels import Size

__all__ = ["Heatmap", "HeatmapOptions", "Numbers", "columns_shown", "cursor_place"]


class Heatmap(Picture):
    """Position down, dimension across, a colour for each value."""

    name: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "Heatmap"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 10
    help: ClassVar[str] = (
        "Every position's encoding as a row of colours. Wheel zooms the positions, with Ctrl "
        "the dimensions; drag moves, a click sets the cursor."
    )
    Options: ClassVar[type[Options]] = HeatmapOptions
    fields: ClassVar[frozenset[str]] = Picture.fields | {"pins", "compared", "show"}

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        return state.start, state.count, cls.options(state), state.subject

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        if state.pin is None or state.show == "current":
            return super().needed(state)
        return {**super().needed(state), "pin": state.pin.encoding}

    @classmethod
    def subject(cls, state: Exploration) -> Subject:
        return state.subject

    @classmethod
    def need(cls, state: Exploration) -> Need:
        return needs.waves if _options(state).shows_angles else needs.nothing

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        if state.subject.lack:
            return "show one of the two"
        return "show the values instead" if _options(state).shows_angles else ""

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state.subject, _options(state), state.positions, size)

    @classmethod
    def coarser(cls, size: Size) -> Size:
        return replace(size, height=size.height // 2)  # columns cost nothing

    @classmethod
    def compute(cls, state: Exploration, size: Size, cancelled: threading.Event) -> Numbers:
        """Return the numbers of a heatmap for an area of device pixels."""
        return compute(state.subject, _options(state), state.positions, size, cancelled)

    @classmethod
    def figure(cls, state: Exploration, numbers: Numbers) -> Figure:
        panel = cls.frame(state).panels[0]
        substitute = _substitute(state.subject, _options(state), numbers)
        if numbers.values is not None:
            panel = panel._replace(
                cells=_cells(state, numbers, substitute), badge=_badge(state, numbers)
            )
        panel = panel._replace(hatched=_without_rows(state, numbers))
        status = _status(state, numbers, substitute)
        return Figure((panel,), status=status, note=_note(numbers), substitute=substitute)

    @classmethod
    def with_cursor(cls, state: Exploration, figure: Figure) -> Figure:
        cursor = cursor_place(state)
        panels = tuple(panel._replace(cursor=cursor) for panel in figure.panels)
        return figure._replace(panels=panels)

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        e, first, dimensions = state.encoding, 0, 1
        if not cls.is_lacking(state):
            e = state.subject.encoding
            first, dimensions = columns_shown(_options(state), state.subject.width)
        rows, columns = axes_of(e)
        down = whole_numbers(rows.name, state.start, state.count, down=True)
        across = whole_numbers(columns.name, first, dimensions)
        return Figure((Panel("cells", across, down),))

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:  # noqa: ARG003
        return _heatmap_cursor.inspect(state)

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        rows = super().cursor_outside(state)
        return _heatmap_cursor.outside(state, cls.name, _options(state), rows)

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return "angles" if _options(state).shows_angles else "table", state.show

    @classmethod
    def formula(cls, state: Exploration, figure: Figure) -> Mapping[str, str]:
        (panel,) = figure.panels
        each_has_a_cell = panel.cells and panel.cells.values.shape == (panel.y.count, panel.x.count)
        if not each_has_a_cell or _options(state).shows_angles or state.subject.less is not None:
            return {}
        first, end = panel.x.origin or 0, (panel.x.origin or 0) + panel.x.count
        return {panel.name: f"table[:, {first}:{end}]"}


def _options(state: Exploration) -> HeatmapOptions:
    options = Heatmap.options(state)
    assert isinstance(options, HeatmapOptions)
    return options


def cursor_place(state: Exploration) -> tuple[int | None, int | None]:
    """Return how far across and down the cursor is, None where it is not shown."""
    first, count = columns_shown(_options(state), state.subject.width)
    across = down = None
    if state.place is not None and first <= state.place < first + count:
        across = state.place - first
    if state.position in state.positions:
        down = state.position - state.start
    return across, down


# -- the figure ----------------------------------------------------------------------------------


def _cells(state: Exploration, numbers: Numbers, substitute: Substitute | None) -> Cells:
    """Return the cells of a heatmap."""
    assert numbers.values is not None
    assert numbers.indices is not None
    options, subject = _options(state), state.subject
    rows, columns = numbers.values.shape
    width, height = columns * numbers.group, rows * numbers.block
    place = Rectangle(-0.5, -0.5, width, height)
    chosen = options.angles if options.shows_angles else options.values
    colour_map = substitute.shown if substitute else chosen
    kind = "angle" if options.shows_angles else "value"
    title = brief = kind
    if subject.less is not None:
        title = f"{kind}, {difference_name(state, whole=True)}"
        brief = f"{kind}, {difference_name(state)}"
    unit = "°" if options.shows_angles else ""
    values, indices, levels = numbers.values, numbers.indices, numbers.levels
    rounded = not has_known_levels(subject, options)
    return Cells(values, indices, place, colour_map, levels, title, unit, brief, rounded)


def _substitute(subject: Subject, options: HeatmapOptions, numbers: Numbers) -> Substitute | None:
    """Return the colours in the place of those chosen, which may need a middle or have none."""
    if options.shows_angles or numbers.values is None:
        return None
    low, high = numbers.levels
    symmetric = low == -high or subject.encoding.value_range is not None
    return suited_colours(options.values, differences=subject.less is not None, symmetric=symmetric)


def _badge(state: Exploration, numbers: Numbers) -> str:
    """Return what a pixel shows that stands for many cells, or an empty text."""
    options, e = _options(state), state.subject.encoding
    by_rows = "mean" if options.averages else "first"
    by_columns = "mean" if options.averages_columns else "first"
    rows = e.rows.counted(numbers.block)
    columns = e.columns.counted(numbers.group)
    if numbers.group == 1:
        return f"{by_rows} of {rows}" if numbers.block > 1 else ""
    if numbers.block == 1:
        return f"{by_columns} of {columns}"
    if by_rows == by_columns:
        return f"{by_rows} of {rows} × {columns}"
    return f"{by_rows} of {rows}, {by_columns} of {columns}"


def _without_rows(state: Exploration, numbers: Numbers) -> tuple[Rectangle, ...]:
    """Return where positions have no row, as beyond the end of a stored table."""
    block, width = numbers.block, numbers.dimensions
    rows = -(-state.count // block)
    inside = blocks_inside(state.start, block, rows, state.subject.domain)
    if not inside:
        return (Rectangle(-0.5, -0.5, width, state.count),)
    first, end = inside.start * block, inside.stop * block
    above = Rectangle(-0.5, -0.5, width, first)
    below = Rectangle(-0.5, end - 0.5, width, state.count - end)
    return above, below


def _note(numbers: Numbers) -> Note | None:
    """Return the sentence over the picture, and what its button leads to."""
    if not numbers.note:
        return None
    if numbers.rows is not None:
        return Note(numbers.note, "Show its rows", rows=numbers.rows)
    offer = "Zoom to where structure begins" if numbers.period else ""
    return Note(numbers.note, offer, period=numbers.period)


def _status(state: Exploration, numbers: Numbers, substitute: Substitute | None) -> str:
    """Return in a sentence what the pixels are."""
    if numbers.indices is None:
        return f"Heatmap: nothing is shown. {numbers.note}"
    options, subject = _options(state), state.subject
    which = _which(state, options)
    rows = _row_of_pixels(subject, options, numbers.block)
    columns = _column_of_pixels(subject, options, numbers.group)
    blank = _blank(options, numbers, compared=subject.less is not None)
    colours = substitute_sentence(substitute)
    return f"Heatmap: {which}{rows}{columns}.{blank}{colours}"


def _row_of_pixels(subject: Subject, options: HeatmapOptions, block: int) -> str:
    """Return what a row of pixels is."""
    of = subject.encoding.rows
    if block == 1:
        return f"one {of.name} a row"
    compared = subject.less is not None
    linear = ""
    if not options.averages:
        how = "the first of"
    elif compared and options.shows_angles:
        how = "the exact mean difference over"
    else:
        how = "the exact mean of"
        linear = " (the difference of their means)" if compared else ""
    return f"a row of pixels is {how} {of.counted(block)}{linear}"


def _column_of_pixels(subject: Subject, options: HeatmapOptions, group: int) -> str:
    """Return what a column of pixels is, or an empty text where it is one dimension."""
    if group == 1:
        return ""
    which = "the mean of" if options.averages_columns else "the first of"
    columns = subject.encoding.columns.counted(group)
    return f", a column is {which} {columns}"


def _blank(options: HeatmapOptions, numbers: Numbers, *, compared: bool) -> str:
    """Return what pixels without a colour stand for, where there can be some."""
    if not options.shows_angles:
        return "" if numbers.finite else " White: no finite number."
    if numbers.block == 1 or not options.averages:
        return ""
    if compared:
        return " White: many turns of one against the other, which cancel."
    return " White: many turns, whose angles cancel."


def _which(state: Exploration, options: HeatmapOptions) -> str:
    """Return which encodings are looked at, where pins are, and in which dimensions."""
    subject = state.subject
    columns = subject.encoding.columns.plural
    if subject.less is not None:
        name = difference_name(state)
        kind = f"angles, {name}" if options.shows_angles else name
        if subject.encoding.width == subject.less.width == subject.width:
            return f"{kind}; "
        return f"{kind} in the {subject.width:,} {columns} that both have; "
    if subject.show == "current":
        return ""
    reachable = columns_of_cursor(subject, require_known(state.encoding)) >= 0
    reach = int(reachable.sum())
    if reach == subject.width:
        return "the pinned encoding; "
    kept = f"keeps to the {reach:,} that the current one has, too" if reach else "cannot be in them"
    return f"the pinned encoding (of its {subject.width:,} {columns}, the cursor {kept}); "
