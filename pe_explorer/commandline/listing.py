"""The command `list`: the encodings, their parameters and flags."""

from __future__ import annotations

import argparse
import sys

from pe_explorer import encodings, flags
from pe_explorer.commandline.arguments import default_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import Parameter

__all__ = ["add", "run"]


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the description; the command has no flags of its own."""
    parser.description = "List the encodings: what they are, their parameters and flags."
    parser.set_defaults(run=run)
    return typed


def run(_: argparse.Namespace) -> int:
    """Print the list."""
    for name in encodings.names():
        scheme = encodings.find(name)
        rows, columns = scheme.rows.name, scheme.columns.name
        print(f"{name}: {scheme.summary()}")
        shape = f"a row for each {rows}, a column for each {columns}"
        print(f"  {scheme.family}; {shape}")
        for option in flags.parameters(scheme):
            flag = option.flags[0]
            meaning = _meaning(option.parameter)
            print(f"  {flag:<12} {meaning}")
    sys.stdout.flush()
    return 0


def _meaning(parameter: Parameter) -> str:
    unit = f" {parameter.unit}" if parameter.unit else ""
    return f"{parameter.limits}{unit} ({default_of(parameter)})"
