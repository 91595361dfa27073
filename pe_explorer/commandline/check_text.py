"""The output of `check` for people: sheets, findings, a count."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet_words import Rows, rows_of
from pe_explorer.commandline.columns import columns
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
