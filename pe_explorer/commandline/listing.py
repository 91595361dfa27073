"""The command `list`: the encodings, their parameters and flags."""

from __future__ import annotations

import argparse
import sys

from pe_explorer import encodings, flags
from pe_explorer.commandline.arguments import default_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.flags.words import Word

__all__ = ["add", "run"]


def add(parser: Parser, given: list[Word]) -> list[Word]:
    """Say what the command does; it has no flags of its own."""
    parser.description = "List the encodings: what they are, their parameters and flags."
    parser.set_defaults(run=run)
    return given


def run(_: argparse.Namespace) -> int:
    """Print the list."""
    for name in encodings.names():
        scheme = encodings.find(name)
        rows, columns = scheme.rows.name, scheme.columns.name
        print(f"{name}: {scheme.summary()}")
        print(f"  {scheme.family}; a row for each {rows}, a column for each {columns}")
        for option in flags.parameters(scheme):
            parameter = option.parameter
            unit = f" {parameter.unit}" if parameter.unit else ""
            default = default_of(parameter)
            print(f"  {option.flags[0]:<12} {parameter.limits}{unit} ({default})")
    sys.stdout.flush()
    return 0
