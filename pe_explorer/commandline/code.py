"""The command `code`: a short piece of code that makes the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from pe_explorer import flags
from pe_explorer.commandline.arguments import add_encoding
from pe_explorer.commandline.given import encoding_of, known_by_flag, positions_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.start import start_from
from pe_explorer.exploration import DirectStore, loaded
from pe_explorer.files import snippet
from pe_explorer.flags.words import Word

__all__ = ["add", "run"]

_DESCRIPTION = "Print a short piece of code that makes the table, as an array named table."


def add(parser: Parser, given: list[Word]) -> list[Word]:
    """Add the flags; return the words as they are to be read."""
    parser.description = _DESCRIPTION
    start = start_from(given, {})
    options = flags.options("code", type(start.encoding))
    given = add_encoding(parser, given, "code", start, options)
    names = snippet.LIBRARY_NAMES
    parser.add_argument(
        "--for",
        dest="library",
        metavar="NAME",
        default=names[0],
        help=f"one of {', '.join(names)} (default {names[0]})",
    )
    parser.set_defaults(run=run)
    return given


def run(options: argparse.Namespace) -> int:
    """Print the code."""
    e = known_by_flag(loaded(encoding_of(options), DirectStore()))
    positions = positions_of(options, e)
    code = snippet.snippet(e, positions, options.library, _working_folder())
    print(code, end="", flush=True)
    return 0


def _working_folder() -> Path | None:
    """Return where flags name files from, None where that folder is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None
