"""From figures to a page: who needs the numbers of its areas first asks for those alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pe_explorer.figures import _clocks, _panel, _sentence
from pe_explorer.figures._bar import draw_bar
from pe_explorer.figures._clocks import clock_scale
from pe_explorer.figures._legend import Legend, draw_legend, legend_below
from pe_explorer.figures._look import ASCENT, GAP, LINE, Look, look_of
from pe_explorer.figures.page import Item, Measure, Page, Text
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Figure, Rectangle

__all__ = ["areas", "clock_scale", "page_of"]

_MARGIN = 0.4  # around the page, in font sizes
_APART = 1.0  # from one panel or figure to the next, in font sizes
_WIDER = 1.25  # panels stand beside each other in what is so many times wider than high
_SHAPE = 1.4  # width of a figure to its height, if there is a choice
_LEAST = 5.0  # of a panel's area, in font sizes, if there is another way to place it
_SHARE = 0.6  # of a figure: the most that its second panel takes
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Placed(NamedTuple):
    """A figure with the places of its parts; `data` are the clocks' place, or a sentence's."""

    figure: Figure
    room: Rectangle
    letter: str
    above: list[str]
    data: Rectangle
    panels: tuple[_panel.PlacedPanel, ...] = ()
    legends: tuple[Legend, ...] = ()
    """Those below the panels."""


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
        found.append(panels or (placed.data,))
    return tuple(found)


def page_of(
    figures: Sequence[Figure], style: Style, width: float, height: float, measure: Measure
) -> Page:
    """Return figures laid out on a page of so many points."""
    look = look_of(style, measure)
    items: list[Item] = list(_title(look, width))
    for placed in _placed(figures, look, width, height):
        items += _drawn(placed, look)
    return Page(width, height, look.ground, tuple(items), style.font, style.title)


def _title_lines(look: Look, width: float) -> list[str]:
    return look.wrapped(look.style.title, width - 2 * _MARGIN * look.size)


def _title(look: Look, width: float) -> Iterator[Text]:
    """Yield the lines above all."""
    size = look.size
    for number, line in enumerate(_title_lines(look, width)):
        base = (_MARGIN + ASCENT + number * LINE) * size
        yield Text(line, width / 2, base, size, look.colours.text, "middle")


# -- places --------------------------------------------------------------------------------------


def _placed(
    figures: Sequence[Figure], look: Look, width: float, height: float
) -> Iterator[_Placed]:
    """Yield each figure with the places of its parts, row by row."""
    margin = _MARGIN * look.size
    top = margin
    if lines := _title_lines(look, width):
        top += (len(lines) * LINE + GAP) * look.size
    page = Rectangle(margin, top, width - 2 * margin, height - top - margin)
    rooms = _rooms(len(figures), page, _APART * look.size)
    for number, (figure, room) in enumerate(zip(figures, rooms, strict=True)):
        letter = _LETTERS[number % len(_LETTERS)] if len(figures) > 1 else ""
        yield _placed_figure(figure, room, letter, look)


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


def _placed_figure(figure: Figure, room: Rectangle, letter: str, look: Look) -> _Placed:
    line = LINE * look.size
    own = _without_top(room, line) if letter else room
    if figure.panels:
        panels, legends = _with_legends(figure, own, look)
        sentence = figure.note.sentence if figure.note else ""
        if not sentence or _sentence.has_room(sentence, panels[0], look):
            return _Placed(figure, own, letter, [], own, panels, legends)
        lines = look.wrapped(sentence, own.width)
        rest = _without_top(own, len(lines) * line)
        panels, legends = _with_legends(figure, rest, look)
        return _Placed(figure, own, letter, lines, rest, panels, legends)
    over = _panel.OVER * look.size
    data = own._replace(top=own.top + over, height=max(1.0, own.height - 2 * over))
    if bar := _clocks.bar_of_order(figure.clocks, data, look):
        data = data._replace(width=max(1.0, data.width - bar.room))
    return _Placed(figure, own, letter, [], data)


def _without_top(room: Rectangle, height: float) -> Rectangle:
    return room._replace(top=room.top + height, height=room.height - height)


def _with_legends(
    figure: Figure, room: Rectangle, look: Look
) -> tuple[tuple[_panel.PlacedPanel, ...], tuple[Legend, ...]]:
    """Return the panels of a figure, and the legends that have no room inside them."""
    if look.style.legend != "below":
        panels = _panels(figure, room, look, legend=look.style.legend != "none")
        if look.style.legend == "none":
            return panels, ()
        if all(placed.legend or not placed.panel.legend for placed in panels):
            return panels, ()
    legends = []
    for panel in figure.panels:
        if panel.legend:
            legends.append(legend_below(panel, room, look))
            height = legends[-1].place.height + GAP * look.size
            room = room._replace(height=room.height - height)
    return _panels(figure, room, look), tuple(legends)


def _panels(
    figure: Figure, room: Rectangle, look: Look, *, legend: bool = False
) -> tuple[_panel.PlacedPanel, ...]:
    """Return the panels of a figure beside each other, or above where there is more height."""
    if len(figure.panels) == 1:
        return (_panel.placed(figure.panels[0], room, look, legend=legend),)
    beside = room.width >= _WIDER * room.height
    placed = _two_panels(figure, room, look, legend=legend, beside=beside)
    if _smallest(placed) >= _LEAST * look.size:
        return placed
    other = _two_panels(figure, room, look, legend=legend, beside=not beside)
    return max(placed, other, key=_smallest)


def _smallest(panels: Sequence[_panel.PlacedPanel]) -> float:
    """Return the shortest side of all areas."""
    return min(min(each.area.width, each.area.height) for each in panels)


def _two_panels(
    figure: Figure, room: Rectangle, look: Look, *, legend: bool, beside: bool
) -> tuple[_panel.PlacedPanel, ...]:
    """Return two panels beside each other, or one above the other."""
    gap = _APART * look.size
    second = _second_room(figure, room, look, gap, beside=beside)
    if beside:
        rest = room._replace(width=second.left - gap - room.left)
    else:
        rest = room._replace(height=second.top - gap - room.top)
    first = _panel.placed(figure.panels[0], rest, look, legend=legend)
    return first, _panel.placed(figure.panels[1], second, look, low=True, legend=legend)


def _second_room(
    figure: Figure, room: Rectangle, look: Look, gap: float, *, beside: bool
) -> Rectangle:
    """Return the room of the second panel: what it needs, if it is square, or its share."""
    panel = figure.panels[1]
    width, height = room.width, room.height
    if beside:
        width = _SHARE * (width - gap)
    else:
        height = _SHARE * (height - gap)
    most = Rectangle(room.left, room.top, width, height)
    if _panel.is_square(panel):
        placed = _panel.placed(panel, most, look)
        left, top, right, bottom = _panel.margins(placed, look)
        width, height = placed.area.width + left + right, placed.area.height + top + bottom
    if beside:
        return Rectangle(room.left + room.width - width, room.top, width, room.height)
    return Rectangle(room.left, room.top + room.height - height, room.width, height)


# -- drawing -------------------------------------------------------------------------------------


def _drawn(placed: _Placed, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a figure."""
    figure, size = placed.figure, look.size
    if placed.letter:
        base = placed.room.top - (LINE - ASCENT) * size
        colour = look.colours.text
        yield Text(placed.letter, placed.room.left, base, size, colour, bold=True)
    yield from _sentence.draw_above(placed.above, placed.room, look)
    for panel in placed.panels:
        yield from _panel.draw(panel, look)
    for legend in placed.legends:
        yield from draw_legend(legend, look)
    if figure.clocks is not None:
        yield from _clocks.draw_clocks(figure.clocks, placed.data, look)
        if bar := _clocks.bar_of_order(figure.clocks, placed.data, look):
            yield from draw_bar(bar, look)
    elif not placed.above and (sentence := figure.note.sentence if figure.note else ""):
        area = placed.panels[0].area if placed.panels else placed.room
        yield from _sentence.draw_centred(sentence, area, look)
