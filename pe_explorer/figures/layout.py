"""From figures to a page: who needs the numbers of its areas first asks for those alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
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
    letters = itertools.cycle(_LETTERS) if len(figures) > 1 else ("",)
    for placed, letter in zip(_placed(figures, look, width, height), letters, strict=False):
        items += _drawn(placed, letter, look)
    return Page(width, height, look.ground, tuple(items), style.font, style.title)


def _title_lines(look: Look, width: float) -> list[str]:
    return look.wrapped(look.style.title, width - 2 * _MARGIN * look.size)


def _title(look: Look, width: float) -> Iterator[Text]:
    """Yield the lines above all."""
    size = look.size
    for number, line in enumerate(_title_lines(look, width)):
        base = (_MARGIN + ASCENT + number * LINE) * size
        yield Text(line, width / 2, base, size, look.colours.text, "middle")


# -- rooms ---------------------------------------------------------------------------------------


def _placed(figures: Sequence[Figure], look: Look, width: float, height: float) -> list[_Placed]:
    """Return each figure with the places of its parts, row by row, their edges aligned."""
    margin = _MARGIN * look.size
    top = margin
    if lines := _title_lines(look, width):
        top += (len(lines) * LINE + GAP) * look.size
    page = Rectangle(margin, top, width - 2 * margin, height - top - margin)
    if len(figures) == 1:
        return [_placed_figure(figures[0], page, look, NO_MARGINS)]
    rooms = [
        _without_top(room, LINE * look.size)  # for its letter
        for room in _rooms(len(figures), page, APART * look.size)
    ]
    alone = [
        _placed_figure(figure, room, look, NO_MARGINS)
        for figure, room in zip(figures, rooms, strict=True)
    ]
    return [_placed_figure(each.figure, each.room, look, _shared(each, alone)) for each in alone]


def _columns(count: int, page: Rectangle) -> int:
    """Return in how many columns figures are largest."""

    def quality(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        side = min(page.width / columns / _SHAPE, page.height / rows)
        return round(side, 6), -columns

    return max(range(1, count + 1), key=quality)


def _rooms(count: int, page: Rectangle, gap: float) -> Iterator[Rectangle]:
    """Yield the parts of a page row by row; those of the last row share all of its width."""
    columns = _columns(count, page)
    rows = -(-count // columns)
    height = (page.height - (rows - 1) * gap) / rows
    for row in range(rows):
        in_row = min(columns, count - row * columns)
        width = (page.width - (in_row - 1) * gap) / in_row
        top = page.top + row * (height + gap)
        for column in range(in_row):
            yield Rectangle(page.left + column * (width + gap), top, width, height)


def _shared(placed: _Placed, all_placed: Sequence[_Placed]) -> Margins:
    """Return the most that a figure, or another with the same edge, needs at each edge."""
    room = placed.room
    row = [each.around for each in all_placed if each.room.top == room.top]
    begin = [each.around for each in all_placed if each.room.left == room.left]
    end = [each.around for each in all_placed if _right(each.room) == _right(room)]
    return Margins(
        left=max(around.left for around in begin),
        top=max(around.top for around in row),
        right=max(around.right for around in end),
        bottom=max(around.bottom for around in row),
    )


def _right(room: Rectangle) -> float:
    """Return where a room ends, to a thousandth of a point."""
    return round(room.left + room.width, 3)


def _without_top(room: Rectangle, height: float) -> Rectangle:
    return room._replace(top=room.top + height, height=room.height - height)


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
        rest = _without_top(room, len(lines) * LINE * look.size)
        panels, legends = _with_legends(figure, rest, look, least)
    around = outer_margins(panels)
    around = around._replace(bottom=around.bottom + _height_of(legends, look))
    return _Placed(figure, room, around, lines, panels, legends)


def _height_of(legends: Sequence[Legend], look: Look) -> float:
    """Return how much of a room legends below the panels take."""
    return sum(legend.place.height + GAP * look.size for legend in legends)


def _placed_clocks(figure: Figure, room: Rectangle, look: Look, least: Margins) -> _Placed:
    """Return clocks and their bar, which ends where the areas of others in the row do."""
    over = OVER * look.size
    top, bottom = max(over, least.top), max(over, least.bottom)
    beside = room._replace(top=room.top + top, height=max(1.0, room.height - top - bottom))
    taken = least.right
    if bar := _clocks.bar_of_order(figure.clocks, beside, look):
        taken = max(taken, bar.room)
    area = room._replace(width=max(1.0, room.width - taken))
    bar = _clocks.bar_of_order(figure.clocks, beside._replace(width=area.width), look)
    around = Margins(0.0, over, taken, 0.0)
    return _Placed(figure, room, around, [], clocks=area, bar=bar)


def _with_legends(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[tuple[PlacedPanel, ...], tuple[Legend, ...]]:
    """Return the panels of a figure, and the legends that have no room inside them."""
    if look.style.legend != "below":
        wanted = look.style.legend != "none"
        panels = placed_panels(figure, room, look, least, legend=wanted)
        if not wanted or all(each.legend or not each.panel.legend for each in panels):
            return panels, ()
    legends: list[Legend] = []
    for panel in figure.panels:
        if panel.legend:
            taken = _height_of(legends, look)
            rest = room._replace(height=room.height - taken)
            legends.append(legend_below(panel, rest, look))
    taken = _height_of(legends, look)
    rest = room._replace(height=room.height - taken)
    least = least._replace(bottom=max(0.0, least.bottom - taken))
    return placed_panels(figure, rest, look, least), tuple(legends)


def _drawn(placed: _Placed, letter: str, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a figure."""
    figure, size = placed.figure, look.size
    if letter:
        base = placed.room.top - (LINE - ASCENT) * size
        yield Text(letter, placed.room.left, base, size, look.colours.text, bold=True)
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
