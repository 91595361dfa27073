"""Lay out figures on a page.

The function `areas` returns only the areas of data, which are needed before the data
are computed. If the page is small, parts such as titles are omitted one after another,
and the figures of a plate are arranged in different rows. If the areas are still too
small to be legible, `make_page` and `lay_out_figures` raise `NoRoomError`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.figures._clocks import (
    compute_clock_scale as compute_clock_scale,
    find_max_turn_length as find_max_turn_length,
)
from pe_explorer.figures._legend import count_blocked_names
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE_HEIGHT, OMISSIONS, Look, make_look
from pe_explorer.figures._outline import make_key, reserve_space
from pe_explorer.figures._panel import PlacedPanel as PlacedPanel, draw_titles
from pe_explorer.figures._placing import (
    PlacedFigure,
    cut_top,
    draw_around,
    draw_inside,
    draw_sentence,
    list_parts,
)
from pe_explorer.figures._plate import list_arrangements
from pe_explorer.figures._table import find_missing_part
from pe_explorer.figures.page import Circle, Dots, Item, Measure, Page, PagePart, PageText, Polyline
from pe_explorer.figures.size import FigureSize, find_smallest_size
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, join_words
from pe_explorer.pictures.figure import Figure, Rectangle

_MARGIN = 0.4  # margin around the page, in font sizes
_GOOD_ROOM_FACTOR = 2.0  # value of `room_factor` from which no other arrangements are tried
_SIZE_REMEDY = "choose a larger size or a smaller font"
_CACHE_SIZE = 64  # maximum number of layouts; a plate with legends below panels needs several
_Box = tuple[float, float, float, float]  # a rectangle: left, top, right and bottom in points
_cache: dict[tuple[Any, ...], tuple[FigureLayout, list[Any]]] = {}
"""Cached layouts without data, each with the values for which its outer items were drawn."""


class NoRoomError(ParameterError):
    """An error for a size that is too small for legible figures; see `make_no_room_error`."""

    def __init__(self, fault: str, remedy: str) -> None:
        super().__init__("size", fault, remedy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.fault, self.remedy)


class Layers(NamedTuple):
    """All items of a page, in layers."""

    # Items around the areas. The tuple is replaced only if an item changes.
    outer_items: tuple[Item, ...]
    background: tuple[Item, ...]
    data: tuple[tuple[Item, ...], ...]  # cells, curves or points of each area
    foreground: tuple[Item, ...]


class FigureLayout(NamedTuple):
    """The layout of all figures of a page."""

    figures: tuple[PlacedFigure, ...]
    look: Look
    room_factor: float  # smallest area relative to the legible minimum; 0 if texts do not fit
    outer_items: tuple[Item, ...] = ()  # items around the areas

    @property
    def panels(self) -> tuple[PlacedPanel, ...]:
        """All panels of the page."""
        return tuple(panel for placed in self.figures for panel in placed.panels)

    @property
    def areas(self) -> tuple[Rectangle, ...]:
        """The areas of data in points: one for each panel, or one for all clocks of a figure."""
        return tuple(area for placed in self.figures for area in placed.areas)

    @property
    def is_usable(self) -> bool:
        """Whether the whole layout is legible."""
        return self.room_factor >= 1

    def layers(self) -> Layers:
        """Return all items of the page, in layers."""
        areas = [items for placed in self.figures for items in draw_inside(placed, self.look)]
        background = tuple(item for items in areas for item in items.background)
        foreground = [item for items in areas for item in items.foreground]
        for placed in self.figures:
            foreground += draw_sentence(placed, self.look)
        data = tuple(items.data for items in areas)
        return Layers(self.outer_items, background, data, tuple(foreground))


def areas(
    figures: Sequence[Figure], style: Style, width: float, height: float, measure: Measure
) -> tuple[tuple[Rectangle, ...], ...]:
    """Return the areas of data for each figure, in points.

    A figure has one area for each panel, or one area for all clocks. Before the data are
    computed, pass the `frame` of each picture. The tick labels of computed values may need
    slightly more or less space, so call this function again with the computed figures.
    """
    layout = _get_layout(_split_figures(figures), make_look(style, measure), width, height)
    placed_figures = iter(layout.figures)
    parts = (itertools.islice(placed_figures, len(figure.separate_figures)) for figure in figures)
    return tuple(tuple(area for placed in part for area in placed.areas) for part in parts)


def make_page(figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure) -> Page:
    """Lay out and draw figures on a page.

    Raises
    ------
    NoRoomError
        If the page is too small for legible figures.
    """
    return draw_page(lay_out_figures(figures, style, size, measure), figures, size)


def draw_page(layout: FigureLayout, figures: Sequence[Figure], size: FigureSize) -> Page:
    """Draw figures that are already laid out on a page."""
    look, layers = layout.look, layout.layers()
    data = itertools.chain(*layers.data)
    items = [*layers.background, *data, *layers.outer_items, *layers.foreground]
    notes = []
    if missing_parts := list(filter(None, _find_missing_parts(layout, _split_figures(figures)))):
        names = join_words(missing_parts).capitalize()
        notes.append(f"{names} are left out, because there is not enough room; {_SIZE_REMEDY}.")
    grids = [figure.clocks.grid for figure in figures if figure.clocks is not None]
    for grid in (grid for grid in grids if grid.rejected_columns):
        columns = f"{grid.columns} instead of {grid.rejected_columns} columns"
        notes.append(f"Clocks are in {columns}, because there is not enough room; {_SIZE_REMEDY}.")
    style, parts = look.style, tuple(_list_all_parts(layout, figures, items))
    texts = style.font, style.title, " ".join(notes)
    return Page(*size.in_points, look.ground, tuple(items), *texts, parts)


def _list_all_parts(
    layout: FigureLayout, figures: Sequence[Figure], items: Iterable[Item]
) -> Iterator[PagePart]:
    named_items = [item for item in items if isinstance(item, PageText | Polyline) and item.source]
    curves = {item.source for item in named_items if isinstance(item, Polyline)}
    for item in sorted(named_items, key=lambda item: isinstance(item, Polyline)):
        assert item.source
        kind = "curve" if item.source in curves else "name"
        if isinstance(item, Polyline) and item.clip:
            yield PagePart(kind, item.source, item.clip, line=item.points)
        else:
            yield PagePart(kind, item.source, compute_bounds(item, layout.look.measure))
    numbers = [number for number, figure in enumerate(figures) for _ in figure.separate_figures]
    for number, placed in zip(numbers, layout.figures, strict=True):
        yield from list_parts(placed, number, layout.look)


def lay_out_figures(
    figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure
) -> FigureLayout:
    """Return the layout of figures on a page.

    Raises
    ------
    NoRoomError
        If the page is too small for legible figures.
    """
    look = make_look(style.with_size(size), measure)
    layout = _get_layout(_split_figures(figures), look, *size.in_points)
    if not layout.is_usable:
        raise make_no_room_error(len(figures), style, size)
    return layout


def make_layout_key(figure: Figure, style: Style, measure: Measure) -> tuple[Any, ...]:
    """Return a key that is equal for figures with the same layout in a style."""
    return make_key(figure, make_look(style, measure))


def _find_missing_parts(layout: FigureLayout, figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the names of omitted parts; a name is empty if nothing is omitted."""
    look, panels = layout.look, layout.panels
    pairs = zip(layout.figures, figures, strict=True)
    parts = (find_missing_part(placed.figure.table, figure.table) for placed, figure in pairs)
    yield max(parts, key=len)
    legends = [(panel.legend, panel.axes) for panel in panels if panel.legend]
    if any(count_blocked_names(legend.place, axes, look) for legend, axes in legends):
        yield "names of lines"
    if not look.style.labels:
        return
    if not look.has_titles:
        yield "titles of axes" if panels else ""
    elif not all(panel.has_y_title and panel.has_x_title for panel in panels):
        yield "some titles of axes"
    bars = [bar for placed in layout.figures for bar in placed.bars]
    if unnamed_bars := [bar for bar in bars if bar.axis.title and not bar.title]:
        yield f"{'' if len(unnamed_bars) == len(bars) else 'some '}titles of colour bars"


def _split_figures(figures: Sequence[Figure]) -> list[Figure]:
    """Return the parts of figures that are placed separately, with letters in their labels."""
    parts = []
    for figure, default in zip(figures, itertools.cycle(ascii_lowercase), strict=False):
        letter = (default if len(figures) > 1 else "") if figure.letter is None else figure.letter
        for part in figure.separate_figures:
            parts.append(part._replace(label=f"{letter}  {part.label}".strip()))
            letter = ""  # only the first part has the letter
    return parts


def _get_layout(figures: Sequence[Figure], look: Look, width: float, height: float) -> FigureLayout:
    """Return the layout of figures, from the cache if possible.

    If legends do not fit inside their panels, another pass moves them below the panels.
    """
    legend_indices: set[int] = set(range(len(figures))) if look.style.legend == "below" else set()
    while True:
        outlines = reserve_space(figures, legend_indices, look, width, height)
        key = (look, width, height, *(make_key(figure, look) for figure in outlines))
        if key not in _cache:
            if len(_cache) >= _CACHE_SIZE:
                _cache.clear()
            layout = _find_best_layout(outlines, look, width, height)
            bare_figures = tuple(placed.without_data for placed in layout.figures)
            _cache[key] = layout._replace(figures=bare_figures), _list_drawn_values(bare_figures)
        layout, drawn_values = _cache[key]
        placed = tuple(
            placed.with_data(figure, layout.look)
            for placed, figure in zip(layout.figures, figures, strict=True)
        )
        if (values := _list_drawn_values(placed)) != drawn_values:
            layout = layout._replace(outer_items=_draw_around(placed, layout.look, width))
            _cache[key] = layout, values
        layout = layout._replace(figures=placed)
        crowded_indices = {index for index, item in enumerate(placed) if item.needs_legends_below}
        if crowded_indices <= legend_indices or look.style.legend == "none":
            return layout
        legend_indices |= crowded_indices


def _list_drawn_values(figures: Sequence[PlacedFigure]) -> list[Any]:
    """Return the values on which the items around the areas depend."""
    panels = [panel for placed in figures for panel in placed.panels]
    bars = [panel.bar and (panel.bar.ticks, panel.bar.has_tips) for panel in panels]
    return [(panel.left, panel.bottom, bar) for panel, bar in zip(panels, bars, strict=True)]


def _find_best_layout(
    figures: Sequence[Figure], look: Look, width: float, height: float
) -> FigureLayout:
    """Return the layout that omits as few parts as possible."""
    if look.omission_level:
        return _make_layout(figures, look, width, height, min_room_factor=1.0)
    looks = [look._replace(omission_level=level) for level in range(len(OMISSIONS))]
    full_layout = _make_layout(figures, looks[0], width, height)
    if full_layout.is_usable:
        return full_layout
    bare_layout = _make_layout(figures, looks[-1], width, height, min_room_factor=1.0)
    if not bare_layout.is_usable:
        return max(full_layout, bare_layout, key=lambda layout: layout.room_factor)
    first, end = 1, len(looks) - 1  # bisection, because each layout of a plate is slow
    while first < end:
        middle = (first + end) // 2
        if _make_layout(figures, looks[middle], width, height, min_room_factor=1.0).is_usable:
            end = middle
        else:
            first = middle + 1
    return _make_layout(figures, looks[end], width, height)


def _make_layout(
    figures: Sequence[Figure],
    look: Look,
    width: float,
    height: float,
    min_room_factor: float = _GOOD_ROOM_FACTOR,
) -> FigureLayout:
    """Return the first arrangement with a `room_factor` of at least `min_room_factor`.

    If no arrangement reaches this value, return the one with the largest `room_factor`.
    """
    margin = _MARGIN * look.size
    page = Rectangle(margin, margin, width - 2 * margin, height - 2 * margin)
    if lines := _fit_title_lines(look, page.width):
        page = cut_top(page, (len(lines) * LINE_HEIGHT + GAP) * look.size)
    best_layout: FigureLayout | None = None
    for placed in list_arrangements(figures, page, look):
        room_factor = min(figure.room_factor(look) for figure in placed)
        layout = FigureLayout(tuple(placed), look, room_factor)
        if layout.is_usable:
            outer_items = _draw_around(placed, look, width)
            layout = layout._replace(outer_items=outer_items)
            titles = [title for panel in layout.panels for title in draw_titles(panel, look)]
            if not _are_separate([*outer_items, *titles], look, width, height):
                layout = layout._replace(room_factor=0.0)
        if best_layout is None or layout.room_factor > best_layout.room_factor:
            best_layout = layout
        if layout.room_factor >= min_room_factor:
            break
    assert best_layout is not None
    return best_layout


def _draw_around(figures: Sequence[PlacedFigure], look: Look, width: float) -> tuple[Item, ...]:
    """Return the title, and the items around the areas of all figures."""
    items: list[Item] = []
    margin = _MARGIN * look.size
    base = margin + ASCENT * look.size
    for line, colour in _fit_title_lines(look, width - 2 * margin):
        items.append(look.text(line, width / 2, base, "middle")._replace(colour=colour))
        base += LINE_HEIGHT * look.size
    for figure in figures:
        items += draw_around(figure, look)
    return tuple(items)


def _fit_title_lines(look: Look, width: float) -> list[tuple[str, str]]:
    """Return the lines of the title and the subtitle with their colours."""
    texts = (look.style.title, look.colours.text), (look.style.subtitle, look.colours.muted)
    return [(line, colour) for text, colour in texts for line in look.wrap(text, width)]


def make_no_room_error(
    figures: int, style: Style, size: FigureSize, sufficient_size: FigureSize | None = None
) -> NoRoomError:
    """Return the error for a size that is too small for a legible figure.

    `sufficient_size` is None if no sufficient size is known.
    """
    parts = "panels" if style.panels else "panes"
    content = f"{figures} {parts}" if figures > 1 else "this figure"
    points = style.with_size(size).text_size
    fault = f"{size} is too small for {content} with {points:g}-point text"
    remedies = ["use a smaller font"]
    if sufficient_size is not None:
        remedies.insert(0, f"use at least {sufficient_size}")
    if figures > 1:
        remedies.append(f"show fewer {parts}")
    return NoRoomError(fault, join_words(remedies, "or"))


def find_min_legible_size(
    figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure
) -> FigureSize | None:
    """Return the smallest legible size that is at least `size`, or None if no size is legible."""

    def fits(candidate: FigureSize) -> bool:
        # Omit as much as possible, because a search for the best look of a plate takes seconds.
        look = make_look(style.with_size(candidate), measure).with_omission(OMISSIONS[-1])
        return _get_layout(_split_figures(figures), look, *candidate.in_points).is_usable

    return find_smallest_size(size, fits)


def _are_separate(items: Iterable[Item], look: Look, width: float, height: float) -> bool:
    """Return whether all texts are on the page and do not overlap."""
    texts = (item for item in items if isinstance(item, PageText))
    boxes = np.array([_compute_box(text, look.measure) for text in texts])
    if not len(boxes):
        return True
    low, high = boxes[:, :2], boxes[:, 2:]
    if low.min() < 0 or (high > (width, height)).any():
        return False
    is_before = (low[:, None] < high).all(axis=2)
    overlaps = is_before & is_before.T & ~np.eye(len(boxes), dtype=bool)
    return not overlaps.any()


def compute_bounds(item: Item, measure: Measure) -> Rectangle:
    """Return a rectangle in points that encloses an item."""
    match item:
        case PageText():
            left, top, right, bottom = _compute_box(item, measure)
        case Polyline():
            points = item.points[np.isfinite(item.points).all(axis=1)]
            left, top = (points.min(axis=0) - item.width).tolist()
            right, bottom = (points.max(axis=0) + item.width).tolist()
        case Circle():
            outer_radius = item.radius + item.width
            left, right = item.x - outer_radius, item.x + outer_radius
            top, bottom = item.y - outer_radius, item.y + outer_radius
        case Dots():
            left, top = (item.centres.min(axis=0) - item.radius).tolist()
            right, bottom = (item.centres.max(axis=0) + item.radius).tolist()
        case _:
            return item.place
    return Rectangle(left, top, right - left, bottom - top)


def _compute_box(text: PageText, measure: Measure) -> _Box:
    width = measure(text.text, text.size)
    before = text.left_share * width
    ascent, descent = ASCENT * text.size, DESCENT * text.size
    if text.is_upward:
        return text.x - ascent, text.y - width + before, text.x + descent, text.y + before
    left = text.x - before
    return left, text.y - ascent, left + width, text.y + descent
