"""The command `code`: prints a short piece of code that makes the table."""

import argparse
from pathlib import Path

import numpy as np

from pe_explorer import flags, quantities
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.commandline import render, shared
from pe_explorer.commandline.parser import Parser, joined, typed_flags
from pe_explorer.exploration import DirectStore, check_pins, load_encoding
from pe_explorer.files import snippet
from pe_explorer.quantities import QuantityInput


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags; return the words as these flags read them."""
    if "--figure" in typed_flags(joined(words)):
        # A figure takes the flags of `render`, with the view as a word of its own.
        words = [word.removeprefix("--figure=") for word in words if word != "--figure"]
        return render.add(parser, words, as_script=True)
    parser.description = (
        "Print a short piece of code that makes the table, as an array named table; or with "
        "--figure a script for matplotlib that draws a view."
    )
    start = shared.start_from(parser, words)
    words, _ = shared.add_subject(parser, words, "code", start)
    what = parser.add_argument_group("of which encoding")
    fields = {name: flags.SHOWN_FIELDS[name] for name in ("show", "compared")}
    shared.add_options(what, flags.options_of_fields(fields), vars(start.opened.state))
    shared.add_pins(what)
    known = snippet.LIBRARY_NAMES
    meaning = f"one of {', '.join(known)} (default {known[0]})"
    parser.add_argument("--for", dest="library", metavar="NAME", default=known[0], help=meaning)
    figure = "write a matplotlib script of a view or a plate; takes the flags of render"
    parser.add_argument("--figure", metavar="VIEW", help=figure)
    parser.set_defaults(run=run)
    return words


def run(options: argparse.Namespace) -> int:
    """Print the code, under a name for each table where there are several."""
    show, compared = (shared.flag_value(options, name) for name in ("show", "compared"))
    pins = options.opened.state.pins
    check_pins(pins, compared, show)
    given = {Show.CURRENT: shared.chosen_encoding(options)}
    if pins:
        given[Show.PINNED] = pins[compared].encoding
    found = {
        word: shared.require_computable(load_encoding(e, DirectStore()))
        for word, e in given.items()
    }
    words = show.split()
    shared.print_file_notes("code", found.values())
    subject = Subject(Show.DIFFERENCE, *found.values())
    if is_difference := Show.DIFFERENCE in words:
        quantities.check("table", QuantityInput(subject, range(1)))
    made = [word for word in found if word in words or is_difference]
    positions = shared.chosen_positions(options, Subject(Show.CURRENT, found[made[0]]))
    try:
        folder = Path.cwd()  # that names of files are relative to
    except OSError:  # it is gone
        folder = None
    codes = [snippet.snippet(found[word], positions, options.library, folder) for word in made]
    if len(codes) > 1:
        codes = [f"{code}{word} = table\n" for word, code in zip(made, codes, strict=True)]
    if is_difference:
        codes.append(f"table = difference = {_difference(subject)}\n")
    print("\n".join(codes), end="", flush=True)
    return 0


def _difference(subject: Subject) -> str:
    tables = []
    for name, e, columns in zip(
        (Show.CURRENT, Show.PINNED), subject.encodings, subject.columns, strict=True
    ):
        count = len(columns)
        if not np.array_equal(columns, np.arange(count)):
            tables.append(f"{name}[:, {columns.tolist()}]")
        else:
            tables.append(name if count == e.width else f"{name}[:, :{count}]")
    return " - ".join(tables)
