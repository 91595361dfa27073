"""The command `code`: prints a short piece of code that makes the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from pe_explorer import flags
from pe_explorer.commandline.arguments import add_encoding
from pe_explorer.commandline.flag_values import (
    chosen_encoding,
    chosen_positions,
    require_computable,
)
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.start import start_from
from pe_explorer.exploration import DirectStore, loaded
from pe_explorer.files import snippet
from pe_explorer.flags.shell_words import Word

_DESCRIPTION = "Print a short piece of code that makes the table, as an array named table."


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags; return the words as these flags read them."""
    parser.description = _DESCRIPTION
    start = start_from(typed)
    options = flags.options("code", type(start.encoding))
    typed = add_encoding(parser, typed, "code", start, options)
    names = snippet.LIBRARY_NAMES
    known = ", ".join(names)
    parser.add_argument(
        "--for",
        dest="library",
        metavar="NAME",
        default=names[0],
        help=f"one of {known} (default {names[0]})",
    )
    parser.set_defaults(run=run)
    return typed


def run(options: argparse.Namespace) -> int:
    """Print the code."""
    stored = loaded(chosen_encoding(options), DirectStore())
    e = require_computable(stored)
    positions = chosen_positions(options, e)
    code = snippet.snippet(e, positions, options.library, _working_folder())
    print(code, end="", flush=True)
    return 0


def _working_folder() -> Path | None:
    """Return the folder that names of files are relative to, None if it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None
