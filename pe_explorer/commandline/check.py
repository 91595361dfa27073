"""The command `check`: the meaning of a model's configuration, and what in it misleads."""

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from functools import partial

from pe_explorer.analysis.configuration import check
from pe_explorer.commandline.check_json import EXPLAINED, SCHEMA, as_json
from pe_explorer.commandline.check_pair import compare_files, pair_json, pair_lines
from pe_explorer.commandline.check_text import lines
from pe_explorer.commandline.parser import LinedHelp, Parser, one_of, reader
from pe_explorer.commandline.streams import EXIT_BAD_INPUT, print_error
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
With a second file it prints what the two mean otherwise, layer type by layer type, instead.
Exit code: 0 with notes at most, 1 with a warning or an error, 2 if the file cannot be read; of
two files 0 if they mean the same, and 1 if they differ."""
_ALL = "all"
_EXIT_MISLEADING = 1
_LENGTH = Whole(1, 1, LIMIT, label="Length", unit="positions", help="A length of texts.")


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags; return the words as these flags read them."""
    parser.description = _DESCRIPTION
    parser.epilog = f"{EXPLAINED}\n\n{textwrap.fill(NUMBERS_HELP, 90)}"
    parser.formatter_class = LinedHelp
    parser.add_argument("file", metavar="FILE", help="a config.json of at most 16 MB")
    parser.add_argument("second", metavar="FILE2", nargs="?", help="one to compare it with")
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
    """Print the sheets and findings, or the comparison of two files; return the exit code."""
    versions = tuple(SEMANTICS) if options.semantics == _ALL else (options.semantics,)
    work = _check_one if options.second is None else _check_two
    try:
        misleads = work(options, versions)
    except EncodingError as error:
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
    checks = [check(path, version, length, trained) for version in versions]
    if options.json:
        print(json.dumps(as_json(path, length, trained, checks), allow_nan=False))
    else:
        for line in lines(path, checks):
            print(line)
    return any(each.misleads for each in checks)


def _check_two(options: argparse.Namespace, versions: Sequence[str]) -> bool:
    """Print the differences between two files; return whether there are any."""
    if options.trained is not None:
        raise EncodingError("--trained", "is about one file", "leave it out for two")
    first, second = options.file, options.second
    found = [compare_files(first, second, version, options.length) for version in versions]
    if options.json:
        files = {"schema": SCHEMA, "files": [first, second], "length": options.length}
        print(json.dumps({**files, "readings": pair_json(found)}, allow_nan=False))
    else:
        for line in pair_lines(first, second, found):
            print(line)
    return any(each.differs for each in found)
