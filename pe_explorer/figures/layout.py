"""From figures to a page: who needs the numbers of its areas first asks for those alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import isclose
from typing import NamedTuple

from pe_explorer.figures import _clocks, _panel, _sentence
from pe_explorer.figures._bar import Bar, draw_bar
from pe_explorer.figures._clocks import clock_scale
from pe_explorer.figures._legend import Legend, draw_legend, legend_below
from pe_explorer.figures._look import ASCENT, GAP, LINE, OVER, Look, look_of
from pe_explorer.figures._panel import NO_MARGINS, Margins, PlacedPanel
from pe_explorer.figures._panels import APART, outer_margins, placed_panels
from pe_explorer.figures.page import Item, Measure, Page, Text
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Figure, Rectangle

__all__ = ["areas", "clock_scale", "page_of"]

_MARGIN = 0.4  # around the page, in font sizes
_SHAPE = 1.4  # width of a figure to its height, if there is a choice
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Placed(NamedTuple):
    """A figure with the places of its parts.

    Attributes
    ----------
    figure : Figure
    room : Rectangle
        All that it has, below its letter.
    around : Margins
        How much stands around its areas.
    above : list of str
        The lines of its sentence, if that stands above.
    panels : tuple of PlacedPanel
    legends : tuple of Legend
        Those below the panels.
    clocks : Rectangle or None
    bar : Bar or None
        The colour bar of the clocks.
    """

    figure: Figure
    room: Rectangle
    around: Margins
    above: list[str]
    panels: tuple[PlacedPanel, ...] = ()
    legends: tuple[Legend, ...] = ()
    clocks: Rectangle | None = None
    bar: Bar | None = None


def areas(
    figures: Sequence[Figure], style: Style, width: float, height: float, measure: Measure
) -> tuple[tuple[Rectangle, ...], ...]:
    """Return where the data of each figure go, in points: one area a panel, or one for clocks.

    Before anything is computed, a figure is a picture's `frame`. What is computed may need a
    little more or less room for its numbers: ask once more with the computed figures.
    """
    look = look_of(style, measure)
    found = []
    for placed in _placed(figures, look, width, height):
        panels = tuple(each.area for each in placed.panels)
        found.append(panels or (placed.clocks or placed.room,))
    return tuple(found)


def page_of(
    figures: Sequence[Figure], style: Style, width: float, height: float, measure: Measure
) -> Page:
    """Return figures laid out on a page of so many points."""
    look = look_of(style, measure)
    items: list[Item] = list(_title(look, width))
    letters = itertools.cycle(_LETTERS)
    for placed in _placed(figures, look, width, height):
        letter = next(letters) if len(figures) > 1 else ""
        items += _drawn(placed, letter, look)
    return Page(width, height, look.ground, tuple(items), style.font, style.title)


def _title_lines(look: Look, width: float) -> list[str]:
    return look.wrapped(look.style.title, width)


def _title(look: Look, width: float) -> Iterator[Text]:
    """Yield the lines above all."""
    margin = _MARGIN * look.size
    base = margin + ASCENT * look.size
    for line in _title_lines(look, width - 2 * margin):
        yield look.text(line, width / 2, base, "middle")
        base += LINE * look.size


# -- rooms ---------------------------------------------------------------------------------------


def _placed(figures: Sequence[Figure], look: Look, width: float, height: float) -> list[_Placed]:
    """Return each figure with the places of its parts, row by row, their edges aligned."""
    margin = _MARGIN * look.size
    width -= 2 * margin
    height -= 2 * margin
    page = Rectangle(margin, margin, width, height)
    if lines := _title_lines(look, width):
        taken = len(lines) * LINE + GAP
        page = _without_top(page, taken * look.size)
    if len(figures) == 1:
        return [_placed_figure(figures[0], page, look, NO_MARGINS)]
    alone = []
    rooms = _rooms(len(figures), page, look)
    for figure, whole in zip(figures, rooms, strict=True):
        room = _without_top(whole, LINE * look.size)  # for its letter
        alone.append(_placed_figure(figure, room, look, NO_MARGINS))
    least = _shared(alone)
    return [
        _placed_figure(each.figure, each.room, look, around)
        for each, around in zip(alone, least, strict=True)
    ]


def _columns(count: int, page: Rectangle) -> int:
    """Return in how many columns figures are largest."""

    def quality(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        width = page.width / columns
        side = min(width / _SHAPE, page.height / rows)
        return round(side, 6), -columns

    return max(range(1, count + 1), key=quality)


def _rooms(count: int, page: Rectangle, look: Look) -> Iterator[Rectangle]:
    """Yield the parts of a page row by row; those of the last row share all of its width."""
    gap = APART * look.size
    columns = _columns(count, page)
    rows = -(-count // columns)
    height = (page.height + gap) / rows  # with the gap below
    for row in range(rows):
        in_row = min(columns, count - row * columns)
        width = (page.width + gap) / in_row  # with the gap beside it
        for column in range(in_row):
            left = page.left + column * width
            top = page.top + row * height
            yield Rectangle(left, top, width - gap, height - gap)


def _shared(figures: Sequence[_Placed]) -> Iterator[Margins]:
    """Yield the most that each figure, or another with the same edge, needs at each edge."""
    for placed in figures:
        room = placed.room
        row = [each for each in figures if each.room.top == room.top]
        begin = [each for each in figures if each.room.left == room.left]
        end = [each for each in figures if isclose(each.room.right, room.right)]
        top = max(each.around.top for each in row)
        bottom = max(each.around.bottom for each in row)
        left = max(each.around.left for each in begin)
        right = max(each.around.right for each in end)
        yield Margins(left, top, right, bottom)


def _without_top(room: Rectangle, height: float) -> Rectangle:
    rest = _without_bottom(room, height)
    return rest._replace(top=room.top + height)


def _without_bottom(room: Rectangle, height: float) -> Rectangle:
    return room._replace(height=room.height - height)


# -- one figure ----------------------------------------------------------------------------------


def _placed_figure(figure: Figure, room: Rectangle, look: Look, least: Margins) -> _Placed:
    """Return a figure with its parts, none with less around it than `least`."""
    if not figure.panels:
        return _placed_clocks(figure, room, look, least)
    lines: list[str] = []
    panels, legends = _with_legends(figure, room, look, least)
    sentence = figure.note.sentence if figure.note else ""
    if sentence and not _sentence.has_room(sentence, panels[0], look):
        lines = look.wrapped(sentence, room.width)
        height = len(lines) * LINE * look.size
        rest = _without_top(room, height)
        panels, legends = _with_legends(figure, rest, look, least)
    around = outer_margins(panels)
    bottom = around.bottom + _height_of(legends, look)
    around = around._replace(bottom=bottom)
    return _Placed(figure, room, around, lines, panels, legends)


def _height_of(legends: Sequence[Legend], look: Look) -> float:
    """Return how much of a room legends below the panels take."""
    gap = GAP * look.size
    return sum(legend.place.height + gap for legend in legends)


def _placed_clocks(figure: Figure, room: Rectangle, look: Look, least: Margins) -> _Placed:
    """Return clocks and their bar, which ends where the areas of others in the row do."""
    over = OVER * look.size
    bar_room = _without_top(room, max(over, least.top))
    bar_room = _without_bottom(bar_room, max(over, least.bottom))
    taken = least.right
    if bar := _clocks.bar_of_order(figure.clocks, bar_room, look):
        taken = max(taken, bar.room)
    width = max(1.0, room.width - taken)
    area = room._replace(width=width)
    bar_room = bar_room._replace(width=width)
    bar = _clocks.bar_of_order(figure.clocks, bar_room, look)
    around = Margins(0.0, over, taken, 0.0)
    return _Placed(figure, room, around, [], clocks=area, bar=bar)


def _with_legends(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[tuple[PlacedPanel, ...], tuple[Legend, ...]]:
    """Return the panels of a figure, and the legends that have no room inside them."""
    if look.style.legend != "below":
        wanted = look.style.legend != "none"
        panels = placed_panels(figure, room, look, least, legend=wanted)
        named = [each for each in panels if each.panel.legend]
        if not wanted or all(each.legend for each in named):
            return panels, ()
    legends: list[Legend] = []
    for panel in figure.panels:
        if panel.legend:
            rest = _without_bottom(room, _height_of(legends, look))
            legends.append(legend_below(panel, rest, look))
    taken = _height_of(legends, look)
    bottom = max(0.0, least.bottom - taken)
    least = least._replace(bottom=bottom)
    panels = placed_panels(figure, _without_bottom(room, taken), look, least)
    return panels, tuple(legends)


def _drawn(placed: _Placed, letter: str, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a figure."""
    figure, size = placed.figure, look.size
    if letter:
        base = placed.room.top - (LINE - ASCENT) * size
        text = look.text(letter, placed.room.left, base)
        yield text._replace(bold=True)
    yield from _sentence.draw_above(placed.above, placed.room, look)
    for panel in placed.panels:
        yield from _panel.draw(panel, look)
    for legend in placed.legends:
        yield from draw_legend(legend, look)
    if figure.clocks is not None and placed.clocks:
        yield from _clocks.draw_clocks(figure.clocks, placed.clocks, look)
        if placed.bar:
            yield from draw_bar(placed.bar, look)
    elif figure.note and figure.note.sentence and not placed.above:
        area = placed.panels[0].area if placed.panels else placed.room
        yield from _sentence.draw_centred(figure.note.sentence, area, look)
