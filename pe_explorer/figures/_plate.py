"""The figures of a page in rows, with aligned edges of their areas."""

import itertools
from collections.abc import Iterator, Sequence
from math import isclose

from pe_explorer.figures._look import LINE, Look
from pe_explorer.figures._panel import Margins
from pe_explorer.figures._panels import APART
from pe_explorer.figures._placing import PlacedFigure, placed_figure, without_top
from pe_explorer.pictures.figure import Figure, Rectangle

Rows = tuple[int, ...]
"""The number of figures in each row."""

Lengths = Sequence[float]

_ROUNDS = 2  # iterations, because the final space of a figure can reduce its margins
_SHAPE = 1.4  # preferred aspect ratio (width / height) of a figure
_LEAST_SIDE = 0.5  # minimum side relative to the largest figures; smaller rows are not tried
_MOST_WAYS = 4  # maximum number of arrangements, because placing many figures is slow


def ways_to_place(
    figures: Sequence[Figure], page: Rectangle, look: Look
) -> Iterator[list[PlacedFigure]]:
    """Yield arrangements of the figures in rows, the one with the largest figures first."""
    if len(figures) == 1:
        if figures[0].label or any(panel.heading for panel in figures[0].panels):
            page = without_top(page, LINE * look.size)
        yield [_in_the_middle(placed_figure(figures[0], page, look), look)]
        return
    for rows in _ways(figures, page):
        yield _in_rows(figures, rows, page, look)


def _ways(figures: Sequence[Figure], page: Rectangle) -> list[Rows]:
    compared = sum(any(panel.heading for panel in figure.panels) for figure in figures)
    ways = _all_rows(len(figures), page, even=bool(compared))
    uncompared = len(figures) - compared
    return [(uncompared, compared), *ways] if compared > 1 and uncompared == 1 else ways


def _in_the_middle(placed: PlacedFigure, look: Look) -> PlacedFigure:
    """Centre a single figure, because a square beside a curve can be lower than the page."""
    if len(placed.panels) < 2 or placed.above:
        return placed
    top = min(panel.area.top - panel.needed_above(look) for panel in placed.panels)
    free = top - placed.room.top
    if free < look.size:
        return placed
    room = placed.room._replace(height=placed.room.height - free / 2)
    return placed_figure(placed.figure, room, look)


def _all_rows(count: int, page: Rectangle, *, even: bool) -> list[Rows]:
    ways: dict[Rows, None] = {}
    for columns in range(1, count + 1):
        full, rest = divmod(count, columns)
        if rest and even:
            continue
        last = (rest,) if rest else ()
        ways[*full * (columns,), *last] = None
        ways[*last, *full * (columns,)] = None

    def side(rows: Rows) -> float:
        width = page.width / max(rows)
        return round(min(width / _SHAPE, page.height / len(rows)), 6)

    largest = max(map(side, ways))
    worth_trying = [rows for rows in ways if side(rows) >= _LEAST_SIDE * largest]
    return sorted(worth_trying, key=side, reverse=True)[:_MOST_WAYS]


def _in_rows(
    figures: Sequence[Figure], rows: Rows, page: Rectangle, look: Look
) -> list[PlacedFigure]:
    gap = APART * look.size
    heights = _equal_parts(page.height, len(rows), gap)
    even = [_equal_parts(page.width, in_row, gap) for in_row in rows]
    alone = _alone(figures, even, heights, page, look)
    heights = _heights(alone, rows, page, look)
    for _ in range(_ROUNDS):
        alone = _alone(figures, _widths(alone, rows, page, look), heights, page, look)
    return [
        placed_figure(placed.figure, placed.room, look, around)
        for placed, around in zip(alone, _shared_margins(alone), strict=True)
    ]


def _equal_parts(length: float, parts: int, gap: float) -> Lengths:
    return [(length + gap) / parts - gap] * parts


def _shares(length: float, lengths: Lengths, gap: float) -> Lengths:
    rest = length - sum(lengths) - (len(lengths) - 1) * gap
    return [share + rest / len(lengths) for share in lengths]


def _alone(
    figures: Sequence[Figure],
    widths: Sequence[Lengths],
    heights: Lengths,
    page: Rectangle,
    look: Look,
) -> list[PlacedFigure]:
    rooms = _rooms(widths, heights, page, look)
    return [placed_figure(figure, room, look) for figure, room in zip(figures, rooms, strict=True)]


def _rooms(
    widths: Sequence[Lengths], heights: Lengths, page: Rectangle, look: Look
) -> Iterator[Rectangle]:
    gap = APART * look.size
    top = page.top
    for row, height in zip(widths, heights, strict=True):
        left = page.left
        for width in row:
            whole = Rectangle(left, top, width, height)
            yield without_top(whole, LINE * look.size)
            left += width + gap
        top += height + gap


def _widths(
    figures: Sequence[PlacedFigure], rows: Rows, page: Rectangle, look: Look
) -> Sequence[Lengths]:
    rest = iter(figures)
    gap = APART * look.size
    widths = []
    for in_row in rows:
        taken = [placed.least_width(look) for placed in itertools.islice(rest, in_row)]
        widths.append(_shares(page.width, taken, gap))
    return widths


def _heights(figures: Sequence[PlacedFigure], rows: Rows, page: Rectangle, look: Look) -> Lengths:
    taken = []
    rest = iter(figures)
    for in_row in rows:
        row = list(itertools.islice(rest, in_row))
        above = max(placed.around.top for placed in row)
        below = max(placed.around.bottom for placed in row)
        least = max(placed.least_height(look) for placed in row)
        taken.append(above + least + below + LINE * look.size)
    return _shares(page.height, taken, APART * look.size)


def _shared_margins(figures: Sequence[PlacedFigure]) -> Iterator[Margins]:
    for placed in figures:
        room = placed.room
        row = [placed for placed in figures if placed.room.top == room.top]
        begin = [placed for placed in figures if placed.room.left == room.left]
        end = [placed for placed in figures if isclose(placed.room.right, room.right)]
        top = max(placed.around.top for placed in row)
        bottom = max(placed.around.bottom for placed in row)
        left = max(placed.around.left for placed in begin)
        right = max(placed.around.right for placed in end)
        yield Margins(left, top, right, bottom)
