"""The table below the panels of a figure."""

import itertools
from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, LINE, Look
from pe_explorer.figures.page import PageText
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.pictures.table import TextTable

_APART = 1.5  # gap between columns, in font sizes


def fitted(table: TextTable | None, room: Rectangle, look: Look) -> TextTable | None:
    """Return the part of a table that fits into the available space, with long texts if possible.

    Spare rows are omitted first, then parts of the columns.
    """
    if table is None or look.omits("tables"):
        return None
    words = table.in_words
    if width_of(words, look) <= room.width:
        table = words
    if not look.omits("spare rows of tables"):
        return table
    table = table._replace(rows=table.rows[: len(table.rows) - table.spare], spare=0)
    if not look.omits("columns of tables"):
        return table
    for columns in range(len(table.titles), 1, -1):
        less = TextTable(table.titles[:columns], tuple(row[:columns] for row in table.rows))
        if width_of(less, look) <= room.width:
            return less
    return None


def missing_part(table: TextTable | None, whole: TextTable | None) -> str:
    """Return the name of the part of the whole table that `table` omits, or an empty string."""
    if whole is None or table is None:
        return "" if whole is None else "tables"
    is_cut = (len(table.titles), len(table.rows)) != (len(whole.titles), len(whole.rows))
    return "parts of tables" if is_cut else ""


def height_of(table: TextTable | None, look: Look) -> float:
    """Return the height of a table, or 0 for no table."""
    return (2 + len(table.rows)) * LINE * look.size if table else 0.0


def width_of(table: TextTable | None, look: Look) -> float:
    """Return the width of a table, or 0 for no table."""
    return sum(_widths(table, look)) if table else 0.0


def draw_table(table: TextTable, room: Rectangle, look: Look) -> Iterator[PageText]:
    """Yield a table at the bottom of the available space, with right-aligned values."""
    ends = list(itertools.accumulate(_widths(table, look)))
    base = room.bottom - height_of(table, look) + (LINE + ASCENT) * look.size
    for row in (table.titles, *table.rows):
        name, *numbers = row
        texts = [look.text(name, room.left, base)]
        for number, end in zip(numbers, ends[1:], strict=True):
            texts.append(look.text(number, room.left + end, base, "end"))
        yield from (text for text in texts if text.text)
        base += LINE * look.size


def _widths(table: TextTable, look: Look) -> list[float]:
    rows = (table.titles, *table.rows)
    first, *rest = (look.widest(list(column)) for column in zip(*rows, strict=True))
    return [first, *(width + _APART * look.size for width in rest)]
