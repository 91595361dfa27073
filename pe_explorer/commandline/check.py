"""The command `check`: the meaning of a model's configuration, and what in it misleads."""

import argparse
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from pe_explorer import configs
from pe_explorer.analysis.configuration import ConfigurationCheck, check
from pe_explorer.analysis.sheet_words import Rows, heading_of, rows_of
from pe_explorer.commandline.check_json import EXPLAINED, SCHEMA, as_json
from pe_explorer.commandline.check_pair import compare_files, pair_json, pair_lines
from pe_explorer.commandline.parser import LinedHelp, Parser, one_of, reader
from pe_explorer.commandline.streams import EXIT_BAD_INPUT, print_error
from pe_explorer.configs import (
    ERROR,
    LLAMA,
    NEWEST,
    NOTE,
    SEMANTICS,
    WARNING,
    Finding,
    Overridden,
    semantics_of,
)
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import NUMBERS_HELP, ParameterError, Whole, one_line

_DESCRIPTION = """\
Say what a model's config.json means, layer type by layer type, and what in it misleads.

Each finding is a line, LEVEL: FIELD: HAPPENS; WHY. An error leaves layers without an encoding;
a warning is about a field that does nothing or contradicts another, an unknown class, or a length
beyond that of training; a note is about a default, or about what other programs make of the file.
With a second file it prints how the two differ instead, layer type by layer type.
Exit code: 0 without warnings and errors, 1 with one of them, 2 if the file cannot be read, and 3
for an internal error of this program; of two files 0 if they mean the same, 1 if they differ or the
class of one is unknown."""
_ALL = "all"
_ASSUME_HELP = f"read an unknown class like {LLAMA} even if no field is about RoPE or ALiBi"
_EXIT_MISLEADING = 1
_LENGTH = Whole(1, 1, LIMIT, label="Length", unit="positions", help="A length of texts.")


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags; return the words as these flags read them."""
    parser.description = _DESCRIPTION
    parser.epilog = f"{EXPLAINED}\n\n{textwrap.fill(NUMBERS_HELP, 90)}"
    parser.formatter_class = LinedHelp
    parser.add_argument("file", metavar="FILE", help="a config.json of at most 16 MB")
    parser.add_argument("second", metavar="FILE2", nargs="?", help="one to compare it with")
    parser.add_argument(
        "--semantics",
        metavar="VERSION",
        type=reader(_semantics),
        default=NEWEST.name,
        help=f"the version of transformers whose rules count: {', '.join(SEMANTICS)}, one such as "
        f"5.12 or 5.12.1, or {_ALL} (default {NEWEST.name}, the newest known)",
    )
    for name, meaning in (
        ("length", "the longest text in use, in positions (default: what the file promises)"),
        ("trained", "the length of training, if that in the file was raised by hand"),
    ):
        read = reader(partial(_LENGTH.parse, name))
        parser.add_argument(f"--{name}", metavar="N", type=read, help=meaning)
    parser.add_argument("--assume", metavar="CLASS", type=one_of((LLAMA,)), help=_ASSUME_HELP)
    parser.add_argument(
        "--override",
        metavar="JSON",
        type=reader(configs.override_from),
        help="fields to replace before reading, as vLLM's --hf-overrides does",
    )
    parser.add_argument("--json", action="store_true", help="print all values and findings as JSON")
    parser.set_defaults(run=run)
    return shell_words.resolve_bare(typed, "--json")


def _semantics(text: str) -> str:
    if text != _ALL:
        semantics_of(text)
    return text


def run(options: argparse.Namespace) -> int:
    """Print the sheets and findings, or the comparison of two files; return the exit code."""
    work = _check_one if options.second is None else _check_two
    try:
        versions: tuple[str, ...] = (options.semantics,)
        if options.semantics == _ALL:
            source = _source(options.file, options)
            changed = [] if options.second else reversed(configs.changed_versions(source))
            versions = (*SEMANTICS, *changed)
        misleads = work(options, versions)
    except ParameterError as error:
        files = (options.file, options.second)
        path = error.name if error.name in files else " and ".join(filter(None, files))
        field = "" if error.name in files else f"{error.name}: "
        print_error(f"pe-explorer check: {path}: {field}{error.problem}")
        return EXIT_BAD_INPUT
    sys.stdout.flush()
    return _EXIT_MISLEADING if misleads else 0


def _check_one(options: argparse.Namespace, versions: Sequence[str]) -> bool:
    """Print the meaning of a file; return whether there is more than notes."""
    path, length, trained = options.file, options.length, options.trained
    source = _source(path, options)
    checks = [check(source, version, length, trained, options.assume) for version in versions]
    if options.json:
        print(json.dumps(as_json(path, length, trained, checks), allow_nan=False))
    else:
        for line in lines(path, checks):
            print(line)
    return any(each.misleads for each in checks)


def _source(path: str, options: argparse.Namespace) -> Any:
    """Return a file, with the fields that the options replace in it."""
    return path if options.override is None else Overridden(path, options.override)


def _check_two(options: argparse.Namespace, versions: Sequence[str]) -> bool:
    """Print the differences between two files; return whether there are or may be any."""
    if options.trained is not None:
        raise EncodingError("--trained", "is about one file", "leave it out for two")
    first, second = options.file, options.second
    one, other = (_source(each, options) for each in (first, second))
    found = [
        compare_files(one, other, version, options.length, options.assume) for version in versions
    ]
    if options.json:
        files = {"schema": SCHEMA, "files": [first, second], "length": options.length}
        print(json.dumps({**files, "readings": pair_json(found)}, allow_nan=False))
    else:
        for line in pair_lines(first, second, found):
            print(line)
    return any(each.differs or any(each.assumed) for each in found)


# -- the output for people -------------------------------------------------------------------------


_COLOURS = {ERROR: "31", WARNING: "33", NOTE: "36"}  # red, yellow, cyan of the terminal
_INDENT = "  "


def lines(path: str, checks: Sequence[ConfigurationCheck]) -> Iterator[str]:
    """Yield the lines for a file: plain ones, or on a terminal a table, wrapped and coloured."""
    path = one_line(path)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    before: list[tuple[str, Rows]] = []
    for found in checks:
        if before:
            yield ""
        yield f"{path}: {heading_of(found)}"
        rows = rows_of(found)
        same = next((version for version, others in before if others == rows), None)
        if same is None:
            yield from _sheet(found, rows, width)
        else:
            yield f"the same numbers as under {same}"
        before.append((found.semantics, rows))
        if width is not None:
            yield ""
        for finding in found.findings:
            yield from _wrapped(finding, width)
        yield _count(found)


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
