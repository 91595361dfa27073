"""The command `check`: what a model's configuration means, and what in it misleads."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from functools import partial

from pe_explorer.analysis.configuration import check
from pe_explorer.commandline.check_json import EXPLAINED, as_json
from pe_explorer.commandline.check_text import lines
from pe_explorer.commandline.parser import EXIT_BAD_INPUT, LinedHelp, Parser, one_of, reader
from pe_explorer.commandline.streams import print_error
from pe_explorer.configs import NEWEST, SEMANTICS
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import NUMBERS_HELP, Whole

_DESCRIPTION = """\
Say what a model's config.json means, layer type by layer type, and what in it misleads.

Each finding is a line, LEVEL: FIELD: HAPPENS; WHY. An error leaves layers without an encoding;
a warning is about a field that does nothing or contradicts another, or a length beyond that of
training; a note is about a default, or about what other programs make of the file.
Exit code: 0 with notes at most, 1 with a warning or an error, 2 if the file cannot be read."""
_ALL = "all"
_EXIT_MISLEADING = 1
_LENGTH = Whole(1, 1, LIMIT, label="Length", unit="positions", help="A length of texts.")


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags; return the words as these flags read them."""
    parser.description = _DESCRIPTION
    parser.epilog = f"{EXPLAINED}\n\n{textwrap.fill(NUMBERS_HELP, 90)}"
    parser.formatter_class = LinedHelp
    parser.add_argument("file", metavar="FILE", help="a config.json of at most 16 MB")
    versions = (*SEMANTICS, _ALL)
    parser.add_argument(
        "--semantics",
        metavar="VERSION",
        type=one_of(versions),
        default=NEWEST.name,
        help=f"the version of transformers whose rules count: one of {', '.join(versions)} "
        f"(default {NEWEST.name})",
    )
    for name, meaning in (
        ("length", "the longest text in use, in positions (default: what the file promises)"),
        ("trained", "the length of training, if that in the file was raised by hand"),
    ):
        read = reader(partial(_LENGTH.parse, name))
        parser.add_argument(f"--{name}", metavar="N", type=read, help=meaning)
    parser.add_argument("--json", action="store_true", help="print all numbers and findings so")
    parser.set_defaults(run=run)
    return shell_words.resolve_bare(typed, "--json")


def run(options: argparse.Namespace) -> int:
    """Print the sheets and findings; return 1 if there is more than notes."""
    path, length, trained = options.file, options.length, options.trained
    versions = SEMANTICS if options.semantics == _ALL else (options.semantics,)
    try:
        checks = [check(path, version, length, trained) for version in versions]
    except EncodingError as error:
        field = "" if error.name == path else f"{error.name}: "
        print_error(f"pe-explorer check: {path}: {field}{error.problem}")
        return EXIT_BAD_INPUT
    if options.json:
        print(json.dumps(as_json(path, length, trained, checks), allow_nan=False))
    else:
        for line in lines(path, checks):
            print(line)
    sys.stdout.flush()
    return _EXIT_MISLEADING if any(each.misleads for each in checks) else 0
