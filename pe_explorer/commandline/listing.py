"""The command `list`: the encodings, their parameters and flags; the exhibits; or models."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pe_explorer import encodings, flags
from pe_explorer.analysis import context
from pe_explorer.commandline.arguments import default_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.streams import print_error
from pe_explorer.encodings.rope import Rope
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import Parameter, ParameterError, used

if TYPE_CHECKING:
    from pe_explorer.gallery.models import PublishedModel


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


# -- published models ------------------------------------------------------------------------------


Value = str | int | float | None

_TITLES = (
    "name",
    "layers",
    "type",
    "base",
    "factor",
    "trained_length",
    "stated_length",
    "slowest_wavelength",
    "pairs",
    "never_turned",
    "attention_factor",
)
_TEXTS = 3  # columns of words, before those of numbers
_NOTHING = "-"
_PRINTED_DIGITS = 6  # digits of numbers that people read


def print_models(*, as_csv: bool) -> None:
    """Print the table for people to read, or for other programs with all digits."""
    from pe_explorer.gallery.models import models  # it reads all of them

    rows = [row for model in models().values() for row in _rows(model)]
    if as_csv:
        writer = csv.DictWriter(sys.stdout, _TITLES, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    titles = [title.replace("_", " ") for title in _TITLES]
    _print_aligned([titles, *([_format(value) for value in row.values()] for row in rows)])


def _rows(model: PublishedModel) -> Iterator[dict[str, Value]]:
    """Yield a line of the table for each layer type of a model."""
    found = model.found
    for layer, e in found.encodings.items():
        trained = found.layers[layer].trained if layer in found.layers else found.trained
        row: dict[str, Value] = dict.fromkeys(_TITLES)
        row |= {"name": model.name, "layers": layer, "type": e.name}
        row |= {"trained_length": trained, "stated_length": found.stated}
        yield row | _numbers(e, trained) if isinstance(e, Rope) else row


def _numbers(e: Rope, trained: int | None) -> dict[str, Value]:
    """Return the numbers of a layer type: its rope type, and pairs that never turn.

    These made no turn in training, which is counted before any scaling.
    """
    never_turned = len(context.report(e, trained, trained).never_turned) if trained else None
    return {
        "type": e.rope_type,
        "base": e.rope_theta,
        "factor": e.factor if "factor" in used(e) else None,
        "slowest_wavelength": float(e.wavelengths().max()),
        "pairs": e.pairs,
        "never_turned": never_turned,
        "attention_factor": e.attention_factor,
    }


def _format(value: Value) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, float):
        digits = 0 if value >= 10 ** (_PRINTED_DIGITS - 1) else _PRINTED_DIGITS
        return f"{value:,.0f}" if not digits else f"{value:,.{digits}g}"
    return value if isinstance(value, str) else f"{value:,}"


def _print_aligned(lines: Sequence[Sequence[str]]) -> None:
    """Print columns of equal width, those of numbers aligned at the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = zip(line, widths, strict=True)
        aligned = [
            text.rjust(width) if place >= _TEXTS else text.ljust(width)
            for place, (text, width) in enumerate(cells)
        ]
        print("  ".join(aligned).rstrip())
