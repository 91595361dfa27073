"""The whole command line: the program's own flags, and the commands it has."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence

from pe_explorer import __version__, flags
from pe_explorer.colours.themes import THEMES
from pe_explorer.commandline import code, export, listing, render, window
from pe_explorer.commandline.parser import Parser
from pe_explorer.exploration import Exploration
from pe_explorer.files.session import Session
from pe_explorer.flags.words import Word
from pe_explorer.params import did_you_mean, quoted

__all__ = ["command_in", "parser_of"]

_OWN = ("-h", "--help", "--version", "--theme")

_ADD: Mapping[str, Callable[[Parser, list[Word]], list[Word]]] = {
    "list": listing.add,
    "export": export.add,
    "code": code.add,
    "render": render.add,
}
"""What gives a command its flags, and returns the words as these are to be read."""


def command_in(given: Sequence[Word]) -> str:
    """Return the command that the words begin with, an empty text where it is the window."""
    first = _first(given)
    return first if first in flags.SUMMARIES else ""


def _first(given: Sequence[Word]) -> str:
    """Return the first word that is no flag of the program, nor its value, nor out of place."""
    for word in given:
        if word.flag not in _OWN:
            return "" if word.flag else str(word.value)
    return ""


def parser_of(command: str, given: list[Word]) -> tuple[Parser, list[Word]]:
    """Return the parser of a command, and the words as it reads them."""
    parser = Parser(
        prog="pe-explorer",
        usage="pe-explorer [--theme NAME] [FILE]\n       pe-explorer COMMAND ...",
        description="Positional encodings of transformers, exact at any position. Without a "
        "command, open the window: with FILE, if one is given, a session, a picture or exported "
        "data that carries one.",
    )
    parser.add_argument("--version", action="version", version=f"pe-explorer {__version__}")
    parser.add_argument(
        "--theme",
        choices=tuple(THEMES),
        help="colours of the window (default: as last time)",
    )
    parser.set_defaults(run=window.run, found=Session(Exploration()))
    if not command and not any(word.flag in ("-h", "--help") for word in given):
        reader = _file if _first(given) else str
        parser.add_argument("file", metavar="FILE", nargs="?", type=reader)
        return parser, given
    commands = parser.add_subparsers(metavar="COMMAND", prog=parser.prog)
    summaries = flags.SUMMARIES.items()
    subparsers = {name: commands.add_parser(name, help=summary) for name, summary in summaries}
    if command:  # its own flags alone: those of the others would only delay it
        given = _ADD[command](subparsers[command], given)
    return parser, given


def _file(text: str) -> str:
    """Return the name of a file that is there; what is none may be meant as a command."""
    if os.path.lexists(text):
        return text
    hint = did_you_mean(text, flags.SUMMARIES)
    problem = f"{quoted(text)} is neither a command nor a file here{hint}; see pe-explorer --help"
    raise argparse.ArgumentTypeError(problem)
