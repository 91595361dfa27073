"""The command `code`: prints a short piece of code that makes the table."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from pe_explorer import flags, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.commandline import render
from pe_explorer.commandline.arguments import add_encoding, add_fields, add_pins
from pe_explorer.commandline.flag_values import (
    chosen_encoding,
    chosen_positions,
    flag_value,
    print_file_notes,
    require_computable,
)
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.start import start_from
from pe_explorer.exploration import DirectStore, Exploration, check_pins, loaded
from pe_explorer.files import snippet
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import declared
from pe_explorer.quantities import Asked

_DESCRIPTION = (
    "Print a short piece of code that makes the table, as an array named table; or with --figure a "
    "script for matplotlib that draws a view."
)
_SHOWN = ("show", "compared")


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags; return the words as these flags read them."""
    if shell_words.values(typed, "--figure"):
        # A figure takes the flags of `render`, with the view as a word of its own.
        words = [Word("", word.value) if word.flag == "--figure" else word for word in typed]
        return render.add(parser, words, as_script=True)
    parser.description = _DESCRIPTION
    start = start_from(typed)
    options = flags.options("code", type(start.encoding))
    typed = add_encoding(parser, typed, "code", start, options)
    state = start.opened.state
    what = parser.add_argument_group("of which encoding")
    add_fields(what, {name: declared(Exploration)[name] for name in _SHOWN}, vars(state))
    add_pins(what)
    names = snippet.LIBRARY_NAMES
    known = ", ".join(names)
    parser.add_argument(
        "--for",
        dest="library",
        metavar="NAME",
        default=names[0],
        help=f"one of {known} (default {names[0]})",
    )
    figure = "write a matplotlib script of a view or a plate; takes the flags of render"
    parser.add_argument("--figure", metavar="VIEW", help=figure)
    parser.set_defaults(run=run)
    return typed


def run(options: argparse.Namespace) -> int:
    """Print the code."""
    show, compared = (flag_value(options, name) for name in _SHOWN)
    pins = options.opened.state.pins
    check_pins(pins, compared, show)
    given = {"current": chosen_encoding(options)}
    if pins:
        given["pinned"] = pins[compared].encoding
    found = {word: require_computable(loaded(e, DirectStore())) for word, e in given.items()}
    words, difference = show.split(), ""
    print_file_notes("code", found.values())
    if "difference" in words:
        subject = Subject("difference", *found.values())
        quantities.check("table", Asked(subject, range(1)))
        difference = _difference(subject)
    made = [word for word in found if word in words or "difference" in words]
    positions = chosen_positions(options, found[made[0]])
    folder = _working_folder()
    codes = {
        word: snippet.snippet(found[word], positions, options.library, folder) for word in made
    }
    print("\n".join(_named(codes, difference)), end="", flush=True)
    return 0


def _difference(subject: Subject) -> str:
    """Return an expression of the tables `current` and `pinned`, in the columns of both."""
    tables = []
    for name, e, columns in zip(
        ("current", "pinned"), subject.encodings, subject.columns, strict=True
    ):
        count = len(columns)
        if not np.array_equal(columns, np.arange(count)):
            tables.append(f"{name}[:, {columns.tolist()}]")
        else:
            tables.append(name if count == e.width else f"{name}[:, :{count}]")
    return " - ".join(tables)


def _named(codes: Mapping[str, str], difference: str) -> Iterator[str]:
    """Yield code that makes each table, under a name of its own where there are several."""
    if len(codes) == 1:
        yield from codes.values()
        return
    for word, code in codes.items():
        yield f"{code}{word} = table\n"
    if difference:
        yield f"table = difference = {difference}\n"


def _working_folder() -> Path | None:
    """Return the folder that names of files are relative to, None if it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None
