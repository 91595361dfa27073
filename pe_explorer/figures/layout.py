"""Lay out figures on a page; `areas` computes only the places of data, before the data exist.

If the page is small, titles are omitted, one kind after the other, and the figures of a plate are
arranged in other rows. If the areas would still be illegibly small, a `NoRoomError` is raised.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.figures._clocks import clock_scale as clock_scale, longest_turns as longest_turns
from pe_explorer.figures._legend import blocked
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE, THRIFT, Look, look_of
from pe_explorer.figures._outline import key_of, with_room
from pe_explorer.figures._panel import PlacedPanel as PlacedPanel, draw_titles
from pe_explorer.figures._placing import (
    PlacedFigure,
    draw_around,
    draw_inside,
    draw_sentence,
    parts_of,
    without_top,
)
from pe_explorer.figures._plate import ways_to_place
from pe_explorer.figures._table import missing_part
from pe_explorer.figures.page import Circle, Dots, Item, Measure, Page, PagePart, PageText, Polyline
from pe_explorer.figures.size import FigureSize, least_size
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, listed
from pe_explorer.pictures.figure import Figure, Rectangle

_MARGIN = 0.4  # margin around the page, in font sizes
_ROOMY = 2.0  # room factor from which no other rows are tried
_REMEDY = "choose a larger size or a smaller font"
_REMEMBERED = 64  # cache size; a plate with legends below its panels needs several layouts
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class NoRoomError(ParameterError):
    """Error raised if a size is too small for legible figures; `no_room` creates it."""

    def __init__(self, fault: str, remedy: str) -> None:
        super().__init__("size", fault, remedy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.fault, self.remedy)


class Layers(NamedTuple):
    """All items of a page, in layers."""

    around: tuple[Item, ...]  # items around the areas; the same tuple until a place changes
    below: tuple[Item, ...]
    data: tuple[tuple[Item, ...], ...]  # cells, curves or points of each area
    above: tuple[Item, ...]


class FigureLayout(NamedTuple):
    """The layout of all figures of a page."""

    figures: tuple[PlacedFigure, ...]
    look: Look
    room_factor: float  # size of areas relative to the smallest legible size; 0 if texts do not fit
    around: tuple[Item, ...] = ()  # items around the areas

    @property
    def panels(self) -> tuple[PlacedPanel, ...]:
        """The panels of all figures of the page."""
        return tuple(panel for placed in self.figures for panel in placed.panels)

    @property
    def areas(self) -> tuple[Rectangle, ...]:
        """Areas of data in points: one for each panel, or one for clocks."""
        return tuple(area for placed in self.figures for area in placed.areas)

    @property
    def is_usable(self) -> bool:
        """Whether the whole layout is legible."""
        return self.room_factor >= 1

    def layers(self) -> Layers:
        """Return all items of the page, in layers."""
        inside = [parts for placed in self.figures for parts in draw_inside(placed, self.look)]
        below = tuple(item for parts in inside for item in parts.below)
        above = [item for parts in inside for item in parts.above]
        for placed in self.figures:
            above += draw_sentence(placed, self.look)
        return Layers(self.around, below, tuple(parts.data for parts in inside), tuple(above))


def areas(
    figures: Sequence[Figure], style: Style, width: float, height: float, measure: Measure
) -> tuple[tuple[Rectangle, ...], ...]:
    """Return the areas of data in points for each figure: one for each panel, or one for clocks.

    Before the data are computed, pass the `frame` of each picture. The computed values may need
    slightly more or less space for their tick labels, so call this function again with the computed
    figures.
    """
    layout = _arranged(_apart(figures), look_of(style, measure), width, height)
    placed = iter(layout.figures)
    counts = [len(figure.apart) for figure in figures]
    return tuple(
        tuple(area for figure in itertools.islice(placed, count) for area in figure.areas)
        for count in counts
    )


def page_of(figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure) -> Page:
    """Return a page of figures.

    Raises
    ------
    NoRoomError
        If the page is too small for legible figures.
    """
    return draw_page(lay_out_figures(figures, style, size, measure), figures, size)


def draw_page(layout: FigureLayout, figures: Sequence[Figure], size: FigureSize) -> Page:
    """Return a page of figures whose parts are already placed."""
    look, layers = layout.look, layout.layers()
    items = [*layers.below, *itertools.chain(*layers.data), *layers.around, *layers.above]
    notes = []
    if missing := list(filter(None, _missing_parts(layout, _apart(figures)))):
        names = listed(missing).capitalize()
        notes.append(f"{names} are left out, because there is not enough room; {_REMEDY}.")
    grids = [figure.clocks.grid for figure in figures if figure.clocks is not None]
    for grid in (grid for grid in grids if grid.rejected_columns):
        columns = f"{grid.columns} instead of {grid.rejected_columns} columns"
        notes.append(f"Clocks are in {columns}, because there is not enough room; {_REMEDY}.")
    style, parts = look.style, tuple(_parts(layout, figures, items))
    texts = style.font, style.title, " ".join(notes)
    return Page(*size.in_points, look.ground, tuple(items), *texts, parts)


def _parts(
    layout: FigureLayout, figures: Sequence[Figure], items: Iterable[Item]
) -> Iterator[PagePart]:
    named = [item for item in items if isinstance(item, PageText | Polyline) and item.source]
    curves = {item.source for item in named if isinstance(item, Polyline)}
    for item in sorted(named, key=lambda item: isinstance(item, Polyline)):
        assert item.source
        kind = "curve" if item.source in curves else "name"
        if isinstance(item, Polyline) and item.clip:
            yield PagePart(kind, item.source, item.clip, line=item.points)
        else:
            yield PagePart(kind, item.source, bounds(item, layout.look.measure))
    numbers = [number for number, figure in enumerate(figures) for _ in figure.apart]
    for number, placed in zip(numbers, layout.figures, strict=True):
        yield from parts_of(placed, number, layout.look)


def lay_out_figures(
    figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure
) -> FigureLayout:
    """Return figures with the places of their parts on a page.

    Raises
    ------
    NoRoomError
        If the page is too small for legible figures.
    """
    look = look_of(style.for_size(size), measure)
    layout = _arranged(_apart(figures), look, *size.in_points)
    if not layout.is_usable:
        raise no_room(len(figures), style, size)
    return layout


def outline_of(figure: Figure, style: Style, measure: Measure) -> tuple[Any, ...]:
    """Return a key that is equal for figures with the same layout in a style."""
    return key_of(figure, look_of(style, measure))


def _missing_parts(layout: FigureLayout, figures: Sequence[Figure]) -> Iterator[str]:
    look, panels = layout.look, layout.panels
    pairs = zip(layout.figures, figures, strict=True)
    yield max((missing_part(placed.figure.table, panel.table) for placed, panel in pairs), key=len)
    if any(panel.legend and blocked(panel.legend.place, panel.axes, look) for panel in panels):
        yield "names of lines"
    if not look.style.labels:
        return
    if not look.labels:
        yield "titles of axes" if panels else ""
    elif not all(panel.is_named and panel.is_named_below for panel in panels):
        yield "some titles of axes"
    bars = [bar for placed in layout.figures for bar in placed.bars]
    if unnamed := [bar for bar in bars if bar.axis.title and not bar.title]:
        some = "" if len(unnamed) == len(bars) else "some "
        yield f"{some}titles of colour bars"


def _apart(figures: Sequence[Figure]) -> list[Figure]:
    parts = []
    for figure, default in zip(figures, itertools.cycle(_LETTERS), strict=False):
        letter = (default if len(figures) > 1 else "") if figure.letter is None else figure.letter
        for place, part in enumerate(figure.apart):
            mark = letter if place == 0 else ""
            parts.append(part._replace(label=f"{mark}  {part.label}".strip()))
    return parts


# -- the best layout -----------------------------------------------------------------------------


def _arranged(figures: Sequence[Figure], look: Look, width: float, height: float) -> FigureLayout:
    """Return the layout, from the cache if possible.

    If curves leave no space for legends inside their panels, a second pass moves the legends below.
    """
    below: set[int] = set(range(len(figures))) if look.style.legend == "below" else set()
    while True:
        roomy = with_room(figures, below, look, width, height)
        key = (look, width, height, *(key_of(figure, look) for figure in roomy))
        if key not in _layouts:
            if len(_layouts) >= _REMEMBERED:
                _layouts.clear()
            layout = _best(roomy, look, width, height)
            bare = tuple(placed.without_data for placed in layout.figures)
            _layouts[key] = layout._replace(figures=bare), list(map(_numbers, bare))
        layout, numbers = _layouts[key]
        placed = tuple(
            placed.with_data(figure, layout.look)
            for placed, figure in zip(layout.figures, figures, strict=True)
        )
        if (current := list(map(_numbers, placed))) != numbers:
            layout = layout._replace(around=_around(placed, layout.look, width))
            _layouts[key] = layout, current
        layout = layout._replace(figures=placed)
        crowded = {
            number for number, figure in enumerate(placed) if figure.is_without_legend
        } - below
        if not crowded or look.style.legend == "none":
            return layout
        below |= crowded


_layouts: dict[tuple[Any, ...], tuple[FigureLayout, list[Any]]] = {}
"""Cached layouts without data, each with the values with which it was last drawn."""


def _numbers(placed: PlacedFigure) -> list[Any]:
    shown = [(panel.left, panel.bottom, panel.bar) for panel in placed.panels]
    return [(*axes, bar and (bar.ticks, bar.clipped)) for *axes, bar in shown]


def _best(figures: Sequence[Figure], look: Look, width: float, height: float) -> FigureLayout:
    if look.thrift:
        return _layout(figures, look, width, height, enough=1.0)
    looks = [look._replace(thrift=thrift) for thrift in range(len(THRIFT))]
    full = _layout(figures, looks[0], width, height)
    if full.is_usable:
        return full
    sparing = _layout(figures, looks[-1], width, height, enough=1.0)
    if not sparing.is_usable:
        return max(full, sparing, key=lambda layout: layout.room_factor)
    first, end = 1, len(looks) - 1  # bisection, because each layout of a plate is slow
    while first < end:
        middle = (first + end) // 2
        if _layout(figures, looks[middle], width, height, enough=1.0).is_usable:
            end = middle
        else:
            first = middle + 1
    return _layout(figures, looks[end], width, height)


def _layout(
    figures: Sequence[Figure], look: Look, width: float, height: float, enough: float = _ROOMY
) -> FigureLayout:
    """Return the first arrangement with `enough` space, or else the one with the most space."""
    margin = _MARGIN * look.size
    page = Rectangle(margin, margin, width - 2 * margin, height - 2 * margin)
    if lines := _title_lines(look, page.width):
        page = without_top(page, (len(lines) * LINE + GAP) * look.size)
    best: FigureLayout | None = None
    for placed in ways_to_place(figures, page, look):
        room_factor = min(figure.room_factor(look) for figure in placed)
        layout = FigureLayout(tuple(placed), look, room_factor)
        if layout.is_usable:
            around = _around(placed, look, width)
            layout = layout._replace(around=around)
            titles = [title for panel in layout.panels for title in draw_titles(panel, look)]
            if not _are_clear([*around, *titles], look, width, height):
                layout = layout._replace(room_factor=0.0)
        if best is None or layout.room_factor > best.room_factor:
            best = layout
        if layout.room_factor >= enough:
            break
    assert best is not None
    return best


def _around(figures: Sequence[PlacedFigure], look: Look, width: float) -> tuple[Item, ...]:
    around: list[Item] = [*_title(look, width)]
    for figure in figures:
        around += draw_around(figure, look)
    return tuple(around)


def _title_lines(look: Look, width: float) -> list[tuple[str, str]]:
    texts = (look.style.title, look.colours.text), (look.style.subtitle, look.colours.muted)
    return [(line, colour) for text, colour in texts for line in look.wrapped(text, width)]


def _title(look: Look, width: float) -> Iterator[PageText]:
    margin = _MARGIN * look.size
    base = margin + ASCENT * look.size
    for line, colour in _title_lines(look, width - 2 * margin):
        yield look.text(line, width / 2, base, "middle")._replace(colour=colour)
        base += LINE * look.size


# -- refusing ------------------------------------------------------------------------------------


def no_room(
    figures: int, style: Style, size: FigureSize, least: FigureSize | None = None
) -> NoRoomError:
    """Return the error for an illegible size; `least` is a size that is large enough."""
    parts = "panels" if style.panels else "panes"
    what = f"{figures} {parts}" if figures > 1 else "this figure"
    points = style.for_size(size).text_size
    fault = f"{size} is too small for {what} with text of {points:g} points"
    remedies = ["use a smaller font"]
    if least is not None:
        remedies.insert(0, f"use at least {least}")
    if figures > 1:
        remedies.append(f"show fewer {parts}")
    return NoRoomError(fault, listed(remedies, "or"))


def least_legible_size(
    figures: Sequence[Figure], style: Style, size: FigureSize, measure: Measure
) -> FigureSize | None:
    """Return the smallest legible size that is at least a given size, or None."""

    def fits(candidate: FigureSize) -> bool:
        # Try only the look with the fewest titles, because the search for the best look of a plate
        # takes seconds.
        look = look_of(style.for_size(candidate), measure)._replace(thrift=len(THRIFT) - 1)
        return _arranged(_apart(figures), look, *candidate.in_points).is_usable

    return least_size(size, fits)


# -- whether all texts can be read ---------------------------------------------------------------


def _are_clear(items: Iterable[Item], look: Look, width: float, height: float) -> bool:
    boxes = np.array([_box(item, look.measure) for item in items if isinstance(item, PageText)])
    if not len(boxes):
        return True
    low, high = boxes[:, :2], boxes[:, 2:]
    if low.min() < 0 or (high > (width, height)).any():
        return False
    touching = (low[:, None] < high).all(axis=2)
    is_other = ~np.eye(len(boxes), dtype=bool)
    return not (touching & touching.T & is_other).any()


def bounds(item: Item, measure: Measure) -> Rectangle:
    """Return a rectangle in points that encloses an item."""
    match item:
        case PageText():
            left, top, right, bottom = _box(item, measure)
        case Polyline():
            points = item.points[np.isfinite(item.points).all(axis=1)]
            left, top = (points.min(axis=0) - item.width).tolist()
            right, bottom = (points.max(axis=0) + item.width).tolist()
        case Circle():
            reach = item.radius + item.width
            left, right = item.x - reach, item.x + reach
            top, bottom = item.y - reach, item.y + reach
        case Dots():
            left, top = (item.centres.min(axis=0) - item.radius).tolist()
            right, bottom = (item.centres.max(axis=0) + item.radius).tolist()
        case _:
            return item.place
    return Rectangle(left, top, right - left, bottom - top)


def _box(text: PageText, measure: Measure) -> _Box:
    width = measure(text.text, text.size)
    before = text.before * width
    up, down = ASCENT * text.size, DESCENT * text.size
    if text.upward:
        return text.x - up, text.y - width + before, text.x + down, text.y + before
    left = text.x - before
    return left, text.y - up, left + width, text.y + down
