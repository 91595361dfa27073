"""The figures of a page in rows, with aligned edges of their areas."""

import itertools
from collections.abc import Iterator, Sequence
from math import isclose

from pe_explorer.figures._look import LINE_HEIGHT, Look
from pe_explorer.figures._panel import Margins
from pe_explorer.figures._panels import PANEL_GAP
from pe_explorer.figures._placing import PlacedFigure, cut_top, place_figure
from pe_explorer.pictures.figure import Figure, Rectangle

RowCounts = tuple[int, ...]  # the number of figures in each row

Lengths = Sequence[float]

_PASS_COUNT = 2  # number of iterations; the second uses margins that fit the size of each figure
_ASPECT_RATIO = 1.4  # preferred width / height of a figure
_MIN_SCALE = 0.5  # minimum size of figures, relative to the largest figures in any arrangement
_MAX_ARRANGEMENTS = 4  # maximum number of arrangements, because placing many figures is slow


def list_arrangements(
    figures: Sequence[Figure], page: Rectangle, look: Look
) -> Iterator[list[PlacedFigure]]:
    """Yield arrangements of the figures in rows, in order of preference."""
    if len(figures) == 1:
        if figures[0].label or any(panel.heading for panel in figures[0].panels):
            page = cut_top(page, LINE_HEIGHT * look.size)
        placed = place_figure(figures[0], page, look)
        if len(placed.panels) > 1 and not placed.sentence_lines:
            # A square beside a curve can be shorter than the page, so centre the figure vertically.
            top = min(panel.area.top - panel.compute_top_margin(look) for panel in placed.panels)
            excess = top - placed.space.top
            if excess >= look.size:
                space = placed.space._replace(height=placed.space.height - excess / 2)
                placed = place_figure(placed.figure, space, look)
        yield [placed]
        return
    for rows in _list_possible_rows(figures, page):
        yield _place_in_rows(figures, rows, page, look)


def _list_possible_rows(figures: Sequence[Figure], page: Rectangle) -> list[RowCounts]:
    """Return the possible numbers of figures in each row, in order of preference.

    Arrangements with larger figures come first. Figures with headings are compared with
    each other, so they are in rows of equal length, or in one row below a single figure
    without a heading.
    """
    count, candidates = len(figures), dict[RowCounts, None]()
    compared_count = sum(any(panel.heading for panel in figure.panels) for figure in figures)
    for columns in range(1, count + 1):
        full_row_count, remainder = divmod(count, columns)
        if remainder and compared_count:
            continue
        last_row = (remainder,) if remainder else ()
        candidates[*full_row_count * (columns,), *last_row] = None
        candidates[*last_row, *full_row_count * (columns,)] = None

    def size(rows: RowCounts) -> float:
        width = page.width / max(rows)
        return round(min(width / _ASPECT_RATIO, page.height / len(rows)), 6)

    min_size = _MIN_SCALE * max(map(size, candidates))
    large_candidates = [rows for rows in candidates if size(rows) >= min_size]
    result = sorted(large_candidates, key=size, reverse=True)[:_MAX_ARRANGEMENTS]
    return [(1, compared_count), *result] if compared_count == count - 1 > 1 else result


def _place_in_rows(
    figures: Sequence[Figure], rows: RowCounts, page: Rectangle, look: Look
) -> list[PlacedFigure]:
    gap = PANEL_GAP * look.size
    heights = _divide_equally(page.height, len(rows), gap)
    widths = [_divide_equally(page.width, columns, gap) for columns in rows]
    placed = _place_figures(figures, widths, heights, page, look)
    heights = _compute_heights(placed, rows, page, look)
    for _ in range(_PASS_COUNT):
        widths = _compute_widths(placed, rows, page, look)
        placed = _place_figures(figures, widths, heights, page, look)
    return [
        place_figure(figure.figure, figure.space, look, margins)
        for figure, margins in zip(placed, _find_shared_margins(placed), strict=True)
    ]


def _divide_equally(length: float, parts: int, gap: float) -> Lengths:
    return [(length + gap) / parts - gap] * parts


def _fill(length: float, lengths: Lengths, gap: float) -> Lengths:
    """Increase all lengths by the same amount, so that they and the gaps fill `length`."""
    excess = length - sum(lengths) - (len(lengths) - 1) * gap
    return [part + excess / len(lengths) for part in lengths]


def _place_figures(
    figures: Sequence[Figure], widths: list[Lengths], heights: Lengths, page: Rectangle, look: Look
) -> list[PlacedFigure]:
    """Place figures in rows with the given widths and heights, without aligning their areas."""
    gap, remaining_figures, placed = PANEL_GAP * look.size, iter(figures), []
    top = page.top
    for row, height in zip(widths, heights, strict=True):
        left = page.left
        for width in row:
            space = cut_top(Rectangle(left, top, width, height), LINE_HEIGHT * look.size)
            placed.append(place_figure(next(remaining_figures), space, look))
            left += width + gap
        top += height + gap
    return placed


def _compute_widths(
    figures: Sequence[PlacedFigure], rows: RowCounts, page: Rectangle, look: Look
) -> list[Lengths]:
    remaining_figures, widths = iter(figures), []
    for columns in rows:
        row = itertools.islice(remaining_figures, columns)
        min_widths = [placed.min_width(look) for placed in row]
        widths.append(_fill(page.width, min_widths, PANEL_GAP * look.size))
    return widths


def _compute_heights(
    figures: Sequence[PlacedFigure], rows: RowCounts, page: Rectangle, look: Look
) -> Lengths:
    remaining_figures, min_heights = iter(figures), []
    for columns in rows:
        row = list(itertools.islice(remaining_figures, columns))
        top = max(placed.margins.top for placed in row)
        bottom = max(placed.margins.bottom for placed in row)
        height = max(placed.compute_min_height(look) for placed in row)
        min_heights.append(top + height + bottom + LINE_HEIGHT * look.size)
    return _fill(page.height, min_heights, PANEL_GAP * look.size)


def _find_shared_margins(figures: Sequence[PlacedFigure]) -> Iterator[Margins]:
    for placed in figures:
        space = placed.space
        row = [placed for placed in figures if placed.space.top == space.top]
        left = (p.margins.left for p in figures if p.space.left == space.left)
        right = (p.margins.right for p in figures if isclose(p.space.right, space.right))
        top = max(placed.margins.top for placed in row)
        bottom = max(placed.margins.bottom for placed in row)
        yield Margins(max(left), top, max(right), bottom)
