"""What `check` prints for people: sheets, findings, a count."""

from __future__ import annotations

import math
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from pe_explorer.analysis.configuration import Check
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.arrays import Floats, Ints
from pe_explorer.commandline.columns import columns
from pe_explorer.configs import ERROR, NOTE, WARNING, Finding
from pe_explorer.params import one_line

_COLOURS = {ERROR: "31", WARNING: "33", NOTE: "36"}  # red, yellow, cyan of the terminal
_FEW = 4  # runs of layers that are written out
_LARGE = 1e15  # from here on numbers are written with an exponent
_INDENT = "  "

Rows = list[tuple[str, list[str]]]


def lines(path: str, checks: Sequence[Check]) -> Iterator[str]:
    """Yield the lines for a file: plain ones, or on a terminal a table, wrapped and coloured."""
    path = one_line(path)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    before: list[tuple[str, Rows]] = []
    for check in checks:
        if before:
            yield ""
        model = one_line(check.model_type) or "a model"
        yield f"{path}: {model}, as transformers {check.semantics} reads it"
        rows = _rows(check)
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


def _sheet(check: Check, rows: Rows, width: int | None) -> Iterator[str]:
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


def _count(check: Check) -> str:
    """Return how many findings there are of each level."""
    found = [
        f"{count} {level}{'' if count == 1 else 's'}"
        for level, count in check.counts.items()
        if count
    ]
    return ", ".join(found) or "nothing found"


def _rows(check: Check) -> Rows:
    """Return the rows of the sheets: what each is called, and a text for each layer type."""
    names = dict.fromkeys(name for sheet in check.sheets for name in sheet.parameters)
    said: list[tuple[str, Callable[[Sheet], str]]] = [
        ("layers", _layers),
        ("encoding", lambda sheet: "none" if sheet.encoding is None else sheet.encoding.name),
        *((name, lambda sheet, name=name: _value(sheet.parameters.get(name))) for name in names),
        ("window", lambda sheet: _value(sheet.window)),
        ("trained length", lambda sheet: _value(sheet.trained)),
        ("length looked at", lambda sheet: _value(sheet.target)),
        ("positions per turn", lambda sheet: _ends(sheet.wavelengths)),
        ("at the length looked at", _ends_at_target),
        ("the same, unscaled", lambda sheet: _ends(sheet.unscaled_wavelengths)),
        ("pairs changed", lambda sheet: _pairs(sheet, sheet.changed)),
        ("pairs that never turned", _never_turned),
        ("pairs with new angles", _new),
        ("longest without new angles", _longest),
        ("attention factor", lambda sheet: _factor(sheet, sheet.attention_factor)),
        ("softmax factor", lambda sheet: _factor(sheet, check.softmax_factor)),
    ]
    rows = [(one_line(label), [text(sheet) for sheet in check.sheets]) for label, text in said]
    return [(label, cells) for label, cells in rows if any(cells)]


def _value(value: object) -> str:
    """Return a number, a word or a list in few characters; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"{len(value)} numbers, {min(value):.6g} to {max(value):.6g}" if value else "none"
    if isinstance(value, int | float):
        return _number(value)
    return one_line(str(value))


def _number(value: float) -> str:
    if math.isinf(value):
        return "infinite"
    if abs(value) >= _LARGE:
        return f"{value:.6g}"
    return f"{int(value):,}" if value == int(value) else f"{value:.6g}"


def _layers(sheet: Sheet) -> str:
    """Return how many layers there are, and which."""
    if not sheet.indices:
        return "number not said"
    breaks = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(sheet.indices)) if b != a + 1)]
    ends = [*(start - 1 for start in breaks[1:]), len(sheet.indices) - 1]
    runs = [
        f"{sheet.indices[a]}" if a == b else f"{sheet.indices[a]} to {sheet.indices[b]}"
        for a, b in zip(breaks, ends, strict=True)
    ]
    more = ", …" if len(runs) > _FEW else ""
    return f"{len(sheet.indices):,}: {', '.join(runs[:_FEW])}{more}"


def _ends(wavelengths: Floats | None) -> str:
    """Return the shortest and the longest wavelength, and how many pairs never turn at all."""
    if wavelengths is None:
        return ""
    turning = wavelengths[np.isfinite(wavelengths)]
    if not len(turning):
        return "no pair turns"
    still = len(wavelengths) - len(turning)
    rest = f"; {still} pairs do not turn" if still else ""
    return f"{turning.min():,.2f} to {turning.max():,.2f}{rest}"


def _ends_at_target(sheet: Sheet) -> str:
    """Return the ends of the wavelengths at the length that is looked at, where they are others."""
    here, there = sheet.wavelengths, sheet.wavelengths_at_target
    if here is None or there is None or np.array_equal(here, there):
        return ""
    return _ends(there)


def _pairs(sheet: Sheet, pairs: Ints | None) -> str:
    """Return how many pairs of all, and the first of them."""
    if pairs is None or sheet.waves is None:
        return ""
    total = len(sheet.waves.turns)
    return f"{len(pairs)} of {total}" + (f", from pair {pairs[0]} on" if len(pairs) else "")


def _never_turned(sheet: Sheet) -> str:
    return "" if sheet.report is None else _pairs(sheet, sheet.report.never_turned)


def _new(sheet: Sheet) -> str:
    report = sheet.report
    if report is None:
        return ""
    largest = f", {report.worst[1]:.4g} times as large" if report.worst else ""
    return f"{_pairs(sheet, report.new)}{largest}"


def _longest(sheet: Sheet) -> str:
    report = sheet.report
    if report is None:
        return ""
    return "any" if math.isinf(report.longest) else _number(report.longest)


def _factor(sheet: Sheet, factor: float) -> str:
    return "" if sheet.waves is None else f"{factor:.5g}"
