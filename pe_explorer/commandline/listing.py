"""The command `list`, which lists exhibits, models, or encodings and their parameters."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pe_explorer import encodings, flags
from pe_explorer.analysis import context
from pe_explorer.commandline.parser import Parser, format_default, join_values
from pe_explorer.commandline.process import print_error
from pe_explorer.encodings.rope import Rope
from pe_explorer.params import ParameterError, find_used_parameters

if TYPE_CHECKING:
    from pe_explorer.gallery.models import PublishedModel


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags, and return the normalised arguments; see `join_values`."""
    parser.description = "List the encodings with their parameters and flags."
    exhibits_help = "List the exhibits instead: name, source (or -) and title, separated by tabs."
    parser.add_argument("--exhibits", action="store_true", help=exhibits_help)
    models_help = "List published models instead, with the parameters of their encodings."
    parser.add_argument("--models", action="store_true", help=models_help)
    table_help = "With --models, print CSV for other programs."
    parser.add_argument("--csv", action="store_true", help=table_help)
    parser.set_defaults(run=run)
    return join_values(words)


def run(options: argparse.Namespace) -> int:
    """Print the list that the flags request."""
    if options.exhibits and options.models:
        problem = "cannot be combined with --exhibits"
        raise ParameterError("models", problem, "use only one of these flags")
    if options.csv and not options.models:
        raise ParameterError("csv", "applies only to models", "add --models")
    if options.exhibits:
        from pe_explorer.gallery.exhibits import exhibits, problems

        for exhibit in exhibits().values():
            print(exhibit.id, exhibit.document.name or "-", exhibit.title, sep="\t")
        for problem in problems():
            print_error(f"pe-explorer list: {problem}")
    elif options.models:
        _print_models(is_csv=options.csv)
    else:
        _print_encodings()
    sys.stdout.flush()
    return 0


def _print_encodings() -> None:
    for name in encodings.names():
        scheme = encodings.find(name)
        print(f"{name}: {scheme.summary()}")
        shape = f"one row per {scheme.rows.name}, one column per {scheme.columns.name}"
        print(f"  {scheme.family}; {shape}")
        for choice, options in flags.group_by_choice(flags.parameters(scheme)).items():
            if choice:
                print(f"  only with {choice}:")
            for option in options:
                flag, parameter = option.flags[0], option.parameter
                unit = f" {parameter.unit}" if parameter.unit else ""
                print(f"  {flag:<12} {parameter.limits}{unit} ({format_default(parameter)})")


_COLUMN_NAMES = (
    *("name", "layers", "type", "base", "factor", "trained_length", "stated_length"),
    *("slowest_wavelength", "pairs", "never_turned", "attention_factor"),
)
_TEXT_COLUMN_COUNT = 3  # number of text columns, which precede the numeric columns


def _print_models(*, is_csv: bool) -> None:
    from pe_explorer.gallery.models import models  # slow import

    rows = [row for model in models().values() for row in _list_rows(model)]
    if is_csv:
        writer = csv.DictWriter(sys.stdout, _COLUMN_NAMES, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    lines = [[title.replace("_", " ") for title in _COLUMN_NAMES]]
    lines += [[_format(row[title]) for title in _COLUMN_NAMES] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        texts = map(str.ljust, line[:_TEXT_COLUMN_COUNT], widths)
        numbers = map(str.rjust, line[_TEXT_COLUMN_COUNT:], widths[_TEXT_COLUMN_COUNT:])
        print("  ".join([*texts, *numbers]).rstrip())


def _list_rows(model: PublishedModel) -> Iterator[dict[str, Any]]:
    configuration = model.configuration
    for layer, e in configuration.encodings.items():
        length = configuration.trained
        if layer in configuration.layers:
            length = configuration.layers[layer].trained
        row: dict[str, Any] = dict.fromkeys(_COLUMN_NAMES)
        row |= {"name": model.name, "layers": layer, "type": e.name}
        row |= {"trained_length": length, "stated_length": configuration.stated}
        if isinstance(e, Rope):
            row |= {"type": e.rope_type, "base": e.rope_theta, "pairs": e.pairs}
            row["factor"] = e.factor if "factor" in find_used_parameters(e) else None
            row["slowest_wavelength"] = float(e.wavelengths().max())
            row["attention_factor"] = e.attention_factor
            # Count the pairs that, before scaling, complete no turn in the training length.
            if length:
                row["never_turned"] = len(context.report(e, length, length).never_turned)
        yield row


def _format(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100_000 else f"{value:,.6g}"
    return value if isinstance(value, str) else f"{value:,}"
