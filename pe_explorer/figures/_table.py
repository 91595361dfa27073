"""The table below the panels of a figure."""

import itertools
from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, LINE_HEIGHT, Look
from pe_explorer.figures.page import PageText
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.pictures.table import TextTable

_COLUMN_GAP = 1.5  # gap between columns, in font sizes


def fit(table: TextTable | None, space: Rectangle, look: Look) -> TextTable | None:
    """Return a table without the parts that `look` omits, or None if nothing remains.

    The omitted parts can be spare rows, columns that do not fit, or the whole table. Long
    texts are used if they fit.
    """
    if table is None or look.omits("tables"):
        return None
    words = table.with_long_texts
    if compute_width(words, look) <= space.width:
        table = words
    if not look.omits("spare rows of tables"):
        return table
    table = table._replace(
        rows=table.rows[: len(table.rows) - table.spare_row_count], spare_row_count=0
    )
    if not look.omits("columns of tables"):
        return table
    for columns in range(len(table.titles), 1, -1):
        part = TextTable(table.titles[:columns], tuple(row[:columns] for row in table.rows))
        if compute_width(part, look) <= space.width:
            return part
    return None


def find_missing_part(table: TextTable | None, whole_table: TextTable | None) -> str:
    """Return a name for what `table` omits from `whole_table`; empty if nothing is omitted."""
    if whole_table is None or table is None:
        return "" if whole_table is None else "tables"
    columns, rows = len(whole_table.titles), len(whole_table.rows)
    return "parts of tables" if (len(table.titles), len(table.rows)) != (columns, rows) else ""


def compute_height(table: TextTable | None, look: Look) -> float:
    """Return the height of a table, or 0 if there is no table."""
    return (2 + len(table.rows)) * LINE_HEIGHT * look.size if table else 0.0


def compute_width(table: TextTable | None, look: Look) -> float:
    """Return the width of a table, or 0 if there is no table."""
    return sum(_compute_widths(table, look)) if table else 0.0


def draw_table(table: TextTable, space: Rectangle, look: Look) -> Iterator[PageText]:
    """Yield a table at the bottom of the available space, with right-aligned values."""
    ends = list(itertools.accumulate(_compute_widths(table, look)))
    base = space.bottom - compute_height(table, look) + (LINE_HEIGHT + ASCENT) * look.size
    for row in (table.titles, *table.rows):
        name, *numbers = row
        texts = [look.text(name, space.left, base)]
        for number, end in zip(numbers, ends[1:], strict=True):
            texts.append(look.text(number, space.left + end, base, "end"))
        yield from (text for text in texts if text.text)
        base += LINE_HEIGHT * look.size


def _compute_widths(table: TextTable, look: Look) -> list[float]:
    rows = (table.titles, *table.rows)
    first, *others = (look.max_width(list(column)) for column in zip(*rows, strict=True))
    return [first, *(width + _COLUMN_GAP * look.size for width in others)]
