"""The command `code`, which prints code for a table, or a script that draws a figure."""

import argparse
from contextlib import suppress
from pathlib import Path

import numpy as np

from pe_explorer import flags, params, quantities
from pe_explorer.analysis import precision
from pe_explorer.analysis.comparison import ShowOption, Subject
from pe_explorer.commandline import render, shared
from pe_explorer.commandline.parser import Parser, join_values, typed_flags
from pe_explorer.exploration import DirectStore, check_pins, load_encoding
from pe_explorer.files import snippet
from pe_explorer.quantities import QuantityInput

_ROUNDING_FIELDS = {
    "rounded_to": params.Optional(None, precision.DTYPE, "exact values", word="none"),
    "cast": precision.CAST,
}


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags, and return the normalised arguments; see `join_values`."""
    if "--figure" in typed_flags(join_values(words)):
        # With --figure, parse the flags of `render`, whose view is a positional argument.
        words = [word.removeprefix("--figure=") for word in words if word != "--figure"]
        return render.add(parser, words, is_script=True)
    parser.description = (
        "Print a few lines of code that compute the table as an array named table. With --figure, "
        "print a matplotlib script that draws a view."
    )
    start = shared.parse_start(parser, words)
    words, _ = shared.add_subject(parser, words, "code", start)
    group = parser.add_argument_group("selection of encodings")
    fields = {name: flags.SHOWN_FIELDS[name] for name in ("show", "compared")}
    shared.add_options(group, flags.make_command_options(fields), vars(start.opened.state))
    shared.add_pins(group)
    names = snippet.LIBRARY_NAMES
    meaning = f"Library that the code uses: {params.join_words(names, 'or')} (default: {names[0]})."
    group = parser.add_argument_group("rounding, only with --for torch")
    shared.add_options(group, flags.make_command_options(_ROUNDING_FIELDS), {})
    parser.add_argument("--for", dest="library", metavar="NAME", default=names[0], help=meaning)
    figure = "Print a matplotlib script that draws a view or a plate. The flags of render apply."
    parser.add_argument("--figure", metavar="VIEW", help=figure)
    parser.set_defaults(run=run)
    return words


def run(options: argparse.Namespace) -> int:
    """Print the code, with a separate name for each table if there are several."""
    show, compared = (shared.read_flag(options, name) for name in ("show", "compared"))
    rounding = {name: shared.read_flag(options, name) for name in _ROUNDING_FIELDS}
    if rounding["rounded_to"] is None and "--cast" in options.typed_flags:
        problem = "has no effect on code for exact values"
        raise params.ParameterError("cast", problem, "add --rounded-to bfloat16, or leave it out")
    pins = options.opened.state.pins
    check_pins(pins, compared, show)
    encodings = {ShowOption.CURRENT: shared.read_encoding(options)}
    if pins:
        encodings[ShowOption.PINNED] = pins[compared].encoding
    for word, e in encodings.items():
        encodings[word] = shared.require_computable(load_encoding(e, DirectStore()))
    words = show.split()
    shared.print_file_notes("code", encodings.values())
    subject = Subject(ShowOption.DIFFERENCE, *encodings.values())
    if is_difference := ShowOption.DIFFERENCE in words:
        quantities.check("table", QuantityInput(subject, range(1)))
    tables = [word for word in encodings if word in words or is_difference]
    positions = shared.read_positions(options, Subject(ShowOption.CURRENT, encodings[tables[0]]))
    folder = None  # paths in the code are relative to this folder, if any
    with suppress(OSError):  # raised if the working folder was deleted
        folder = Path.cwd()
    snippets = [
        snippet.snippet(encodings[table], positions, options.library, folder, **rounding)
        for table in tables
    ]
    if len(snippets) > 1:
        snippets = [f"{code}{word} = table\n" for word, code in zip(tables, snippets, strict=True)]
    if is_difference:
        snippets.append(f"table = difference = {_make_difference_code(subject)}\n")
    print("\n".join(snippets), end="", flush=True)
    return 0


def _make_difference_code(subject: Subject) -> str:
    names, tables = (ShowOption.CURRENT, ShowOption.PINNED), []
    for name, e, columns in zip(names, subject.encodings, subject.columns, strict=True):
        count = len(columns)
        if not np.array_equal(columns, np.arange(count)):
            tables.append(f"{name}[:, {columns.tolist()}]")
        else:
            tables.append(name if count == e.width else f"{name}[:, :{count}]")
    return " - ".join(tables)
