"""Numbers in columns below the panels of a figure."""

import itertools
from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, LINE, Look
from pe_explorer.figures.page import PageText
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.pictures.table import TextTable

_APART = 1.5  # from one column to the next, in font sizes


def fitted(table: TextTable | None, room: Rectangle, look: Look) -> TextTable | None:
    """Return a table in words where a room is wide enough for them.

    Its spare rows are left out first, then what of its columns the room has no place for.
    """
    if table is None or look.lacks("tables"):
        return None
    words = table.in_words
    if width_of(words, look) <= room.width:
        table = words
    if not look.lacks("spare rows of tables"):
        return table
    table = table._replace(rows=table.rows[: len(table.rows) - table.spare], spare=0)
    if not look.lacks("columns of tables"):
        return table
    for columns in range(len(table.titles), 1, -1):
        less = TextTable(table.titles[:columns], tuple(row[:columns] for row in table.rows))
        if width_of(less, look) <= room.width:
            return less
    return None


def unavailable_reason(table: TextTable | None, whole: TextTable | None) -> str:
    """Return what of the whole table is missing, an empty text for nothing."""
    if whole is None or table is None:
        return "" if whole is None else "tables"
    is_cut = (len(table.titles), len(table.rows)) != (len(whole.titles), len(whole.rows))
    return "parts of tables" if is_cut else ""


def height_of(table: TextTable | None, look: Look) -> float:
    """Return how much of a room a table takes, 0 for none."""
    return (2 + len(table.rows)) * LINE * look.size if table else 0.0


def width_of(table: TextTable | None, look: Look) -> float:
    """Return how wide a table is, 0 for none."""
    return sum(_widths(table, look)) if table else 0.0


def draw_table(table: TextTable, room: Rectangle, look: Look) -> Iterator[PageText]:
    """Yield a table at the bottom of a room: names, then numbers that end below each other."""
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
    """Return the width of each column; numbers have some room before them."""
    rows = (table.titles, *table.rows)
    first, *others = (look.widest(list(column)) for column in zip(*rows, strict=True))
    return [first, *(width + _APART * look.size for width in others)]
