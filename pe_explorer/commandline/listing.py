"""The command `list`: the encodings, their parameters and flags; the exhibits; or models."""

import argparse
import sys

from pe_explorer import encodings, flags
from pe_explorer.commandline.arguments import default_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.streams import print_error
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import Parameter, ParameterError

_NO_SOURCE = "-"
_SWITCHES = ("--exhibits", "--models", "--csv")


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the description and the flag."""
    parser.description = "List the encodings: what they are, their parameters and flags."
    parser.add_argument(
        "--exhibits",
        action="store_true",
        help="list the exhibits instead: name, file of the document or -, and title, with tabs",
    )
    parser.add_argument(
        "--models",
        action="store_true",
        help="list published models instead, with the numbers of their encodings",
    )
    parser.add_argument(
        "--csv", action="store_true", help="with --models: as a table that other programs read"
    )
    parser.set_defaults(run=run)
    return shell_words.resolve_bare(typed, *_SWITCHES)


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    if options.exhibits and options.models:
        raise ParameterError("models", "exhibits are asked for, too", "leave one of the two out")
    if options.csv and not options.models:
        raise ParameterError("csv", "it is for models", "give --models, too")
    if options.exhibits:
        _print_exhibits()
    elif options.models:
        from pe_explorer.commandline.model_table import print_models  # reads all of them

        print_models(as_csv=options.csv)
    else:
        _print_encodings()
    sys.stdout.flush()
    return 0


def _print_exhibits() -> None:
    """Print a line for each exhibit; those that cannot be used are named as errors are."""
    from pe_explorer.gallery.exhibits import exhibits, problems

    for exhibit in exhibits().values():
        print(exhibit.id, exhibit.document.file or _NO_SOURCE, exhibit.title, sep="\t")
    for problem in problems():
        print_error(f"pe-explorer list: {problem}")


def _print_encodings() -> None:
    for name in encodings.names():
        scheme = encodings.find(name)
        rows, columns = scheme.rows.name, scheme.columns.name
        print(f"{name}: {scheme.summary()}")
        shape = f"a row for each {rows}, a column for each {columns}"
        print(f"  {scheme.family}; {shape}")
        for when, options in flags.by_choice(flags.parameters(scheme)).items():
            if when:
                print(f"  only with {when}:")
            for option in options:
                print(f"  {option.flags[0]:<12} {_meaning(option.parameter)}")


def _meaning(parameter: Parameter) -> str:
    unit = f" {parameter.unit}" if parameter.unit else ""
    return f"{parameter.limits}{unit} ({default_of(parameter)})"
