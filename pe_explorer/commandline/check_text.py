"""The output of `check` for people: sheets, findings, a count."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet_words import Rows, rows_of
from pe_explorer.configs import ERROR, NOTE, WARNING, Finding
from pe_explorer.params import one_line

_COLOURS = {ERROR: "31", WARNING: "33", NOTE: "36"}  # red, yellow, cyan of the terminal
_INDENT = "  "


def lines(path: str, checks: Sequence[ConfigurationCheck]) -> Iterator[str]:
    """Yield the lines for a file: plain ones, or on a terminal a table, wrapped and coloured."""
    path = one_line(path)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    before: list[tuple[str, Rows]] = []
    for check in checks:
        if before:
            yield ""
        model = one_line(check.model_type) or "a model"
        yield f"{path}: {model}, as transformers {check.semantics} reads it"
        rows = rows_of(check)
        same = next((version for version, others in before if others == rows), None)
        if same is None:
            yield from _sheet(check, rows, width)
        else:
            yield f"the same numbers as under {same}"
        before.append((check.semantics, rows))
        if width is not None:
            yield ""
        for finding in check.findings:
            yield from _wrapped(finding, width)
        yield _count(check)


def _sheet(check: ConfigurationCheck, rows: Rows, width: int | None) -> Iterator[str]:
    names = [one_line(sheet.layer) for sheet in check.sheets]
    if width is not None:
        yield from columns(names, rows, width)
        return
    for number, layer in enumerate(names):
        yield from (f"{layer}: {label}: {cells[number]}" for label, cells in rows if cells[number])


def _wrapped(finding: Finding, width: int | None) -> Iterator[str]:
    """Yield the lines of a finding, its level in colour where it can be."""
    if width is None:
        yield finding.line
        return
    first, *rest = textwrap.wrap(
        finding.line, max(width, 20), subsequent_indent=_INDENT, break_on_hyphens=False
    )
    if "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        coloured = f"\033[1;{_COLOURS[finding.level]}m{finding.level}\033[0m"
        first = f"{coloured}{first.removeprefix(finding.level)}"
    yield from (first, *rest)


def _count(check: ConfigurationCheck) -> str:
    """Return the number of findings of each level."""
    found = [
        f"{count} {level}{'' if count == 1 else 's'}"
        for level, count in check.counts.items()
        if count
    ]
    return ", ".join(found) or "nothing found"


# -- columns ---------------------------------------------------------------------------------------


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
