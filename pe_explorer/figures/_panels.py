"""The panels of a figure: beside each other or one above the other, their edges aligned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pe_explorer.figures._look import Look
from pe_explorer.figures._panel import Margins, PlacedPanel, is_square, placed
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

__all__ = ["APART", "outer_margins", "placed_panels"]

_Pair = tuple[PlacedPanel, PlacedPanel]

APART = 1.0  # from one panel or figure to the next, in font sizes
_WIDER = 1.25  # panels stand beside each other in what is so many times wider than high
_LEAST = 5.0  # of a panel's area, in font sizes, if there is another way to place it
_WIDEST, _HIGHEST = 0.64, 0.6  # of a figure: the most that its second panel takes
_ROUNDS = 2  # what one panel needs decides where the other begins


def placed_panels(
    figure: Figure, room: Rectangle, look: Look, least: Margins, *, legend: bool = False
) -> tuple[PlacedPanel, ...]:
    """Return the panels of a figure, none with less around it than `least` at the room's edges."""
    if len(figure.panels) == 1:
        (panel,) = figure.panels
        return (placed(panel, room, look, least=least, legend=legend),)
    enough = _LEAST * look.size

    def quality(panels: _Pair) -> tuple[float, float]:
        return min(enough, _smallest(panels)), panels[1].area.width

    ways = [_beside, _above]
    if room.width < _WIDER * room.height:
        ways.reverse()
    usual = ways[0](figure, room, look, least, legend)
    best = max(usual, key=quality)
    if _smallest(best) < enough:
        others = ways[1](figure, room, look, least, legend)
        best = max(best, *others, key=quality)
    return _with_one_title(*best)


def _with_one_title(first: PlacedPanel, second: PlacedPanel) -> _Pair:
    """Return two panels, equal axes called what there is room for in the narrower one."""
    narrow, wide = sorted((first, second), key=lambda each: each.area.width)
    fits = narrow.around.bottom <= wide.around.bottom
    if first.panel.x != second.panel.x or not fits:
        return first, second
    title = narrow.bottom_title
    return first._replace(bottom_title=title), second._replace(bottom_title=title)


def _smallest(panels: _Pair) -> float:
    """Return the shortest side of all areas."""
    first, second = panels[0].area, panels[1].area
    return min(first.width, first.height, second.width, second.height)


def outer_margins(panels: Sequence[PlacedPanel]) -> Margins:
    """Return how much is kept around all areas of a figure."""
    first, last = panels[0].around, panels[-1].around
    return Margins(first.left, first.top, last.right, last.bottom)


# -- beside each other ---------------------------------------------------------------------------


def _beside(
    figure: Figure, room: Rectangle, look: Look, least: Margins, legend: bool
) -> Iterator[_Pair]:
    """Yield two panels beside each other: with a colour bar beside a square, and above it."""
    yield _in_a_row(figure, room, look, least, legend, bar_above=False)
    if is_square(figure.panels[1]):
        yield _in_a_row(figure, room, look, least._replace(right=0.0), legend, bar_above=True)


def _in_a_row(
    figure: Figure, room: Rectangle, look: Look, least: Margins, legend: bool, *, bar_above: bool
) -> _Pair:
    """Return two panels whose areas end at the same height."""
    one, two = figure.panels
    bottom = least.bottom
    for _ in range(_ROUNDS):
        of_second = least._replace(left=0.0, bottom=bottom)
        second = _on_the_right(two, room, look, of_second, legend, bar_above)
        end = second.area.left - second.around.left - APART * look.size
        top = least.top if bar_above else second.area.top - room.top
        of_first = Margins(least.left, top, 0.0, bottom)
        rest = room._replace(width=end - room.left)
        first = placed(one, rest, look, least=of_first, legend=legend)
        bottom = max(first.around.bottom, second.around.bottom)
    return first, second


def _on_the_right(
    panel: Panel, room: Rectangle, look: Look, least: Margins, legend: bool, bar_above: bool
) -> PlacedPanel:
    """Return a panel at the right of a room: what it needs, if it is square, or its share."""
    part = _right_part(room, _WIDEST * (room.width - APART * look.size))
    if is_square(panel):
        found = placed(panel, part, look, least=least, corner=True, bar_above=bar_above)
        least = found.around
        part = _right_part(room, least.left + found.area.width + least.right)
    return placed(panel, part, look, least=least, legend=legend, corner=True, bar_above=bar_above)


def _right_part(room: Rectangle, width: float) -> Rectangle:
    return room._replace(left=room.right - width, width=width)


# -- one above the other -------------------------------------------------------------------------


def _above(
    figure: Figure, room: Rectangle, look: Look, least: Margins, legend: bool
) -> Iterator[_Pair]:
    """Yield two panels one above the other: their areas begin at the same place across.

    They end at the same place, too, where the lower one is a square as wide as the room allows.
    """
    one, two = figure.panels
    most = _lower_part(room, _HIGHEST * (room.height - APART * look.size))
    left, right = least.left, least.right
    for _ in range(_ROUNDS):
        of_second = least._replace(left=left, top=0.0)
        second = placed(two, most, look, least=of_second, legend=legend, corner=True)
        around = second.around
        if is_square(two):
            needed = around.top + second.area.height + around.bottom
            if needed < most.height - look.size:
                right = max(least.right, around.right)
            part = _lower_part(room, needed)
            second = placed(two, part, look, least=of_second, legend=legend, corner=True)
        end = second.area.top - around.top - APART * look.size
        rest = room._replace(height=end - room.top)
        of_first = Margins(left, least.top, right, 0.0)
        first = placed(one, rest, look, least=of_first, legend=legend)
        left = max(first.around.left, around.left)
    yield first, second


def _lower_part(room: Rectangle, height: float) -> Rectangle:
    return room._replace(top=room.bottom - height, height=height)
