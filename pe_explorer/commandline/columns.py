"""A table on a terminal: columns that line up, and cells that are wrapped where they must be."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

_GAP = "  "
_NARROWEST = 16  # least characters of a column, however narrow the terminal is
_NOTHING = "-"


def columns(
    titles: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], width: int
) -> Iterator[str]:
    """Yield the lines of a table; columns that have no room beside each other come below.

    Parameters
    ----------
    titles : sequence of str
        One for each column.
    rows : sequence of (str, sequence of str)
        A label, and a text for each column.
    width : int
        Characters of a line.
    """
    margin = max((len(label) for label, _ in rows), default=0)
    widest = max(_NARROWEST, width - margin - len(_GAP))
    needed = [
        min(widest, max(len(title), *(len(cells[number]) for _, cells in rows)))
        for number, title in enumerate(titles)
    ]
    for number, group in enumerate(_groups(needed, width - margin)):
        if number:
            yield ""
        widths = [needed[each] for each in group]
        yield from _row("", [titles[each] for each in group], margin, widths)
        for label, cells in rows:
            texts = [cells[each] or _NOTHING for each in group]
            yield from _row(label, texts, margin, widths)


def _groups(needed: Sequence[int], room: int) -> Iterator[list[int]]:
    """Yield the numbers of columns that fit beside each other."""
    group: list[int] = []
    left = room
    for number, width in enumerate(needed):
        taken = len(_GAP) + width
        if group and taken > left:
            yield group
            group, left = [], room
        group.append(number)
        left -= taken
    if group:
        yield group


def _row(label: str, texts: Sequence[str], margin: int, widths: Sequence[int]) -> Iterator[str]:
    cells = [textwrap.wrap(text, width) for text, width in zip(texts, widths, strict=True)]
    for number, parts in enumerate(zip_longest(*cells, fillvalue="")):
        start = label if not number else ""
        padded = [f"{part:<{width}}" for part, width in zip(parts, widths, strict=True)]
        yield _GAP.join([f"{start:<{margin}}", *padded]).rstrip()
