"""A parser of flags whose errors are one line: what, where, and the remedy."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from pe_explorer import encodings, flags
from pe_explorer.commandline.streams import say
from pe_explorer.params import ParameterError, did_you_mean

__all__ = ["EXIT_BAD_INPUT", "Parser", "reader"]

EXIT_BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what, where, and the remedy."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return what was given; what is left over is an error here, not in the parser above."""
        options, rest = super().parse_known_args(args, namespace)
        if rest and not rest[0].startswith("-"):
            self.error(f"{rest[0]}: too much; see {self.prog} --help")
        if rest:  # said here, by the command that knows its flags, not by the parser above it
            flag = rest[0].partition("=")[0]
            known = [name for action in self._actions for name in action.option_strings]
            owner = f" of {options.encoding}" if "encoding" in options else ""
            chosen = f" --encoding {options.encoding}" if owner else ""
            hint = (owner and _of_others(flag)) or did_you_mean(flag, known)
            self.error(f"{flag}: no such flag{owner}{hint}; see {self.prog}{chosen} --help")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end the program."""
        message = re.sub(r"^argument (?:-\w/)?(\S+?): ", r"\1: ", message)
        say(f"{self.prog}: {message}")
        self.exit(EXIT_BAD_INPUT)


def _of_others(flag: str) -> str:
    """Return which encodings have a flag, and what to do; an empty text if there are none."""
    named = {name: flags.parameters(encodings.find(name)) for name in encodings.names()}
    having = [
        name for name, options in named.items() if any(flag in each.flags for each in options)
    ]
    if not having:
        return ""
    if len(having) == 1:
        return f"; {flag} is a flag of {having[0]}: add --encoding {having[0]}"
    names = f"{', '.join(having[:-1])} and {having[-1]}"
    return f"; {flag} is a flag of {names}: choose one of them with --encoding, or leave it out"


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return `parse` with its errors as argparse wants them."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(error.problem) from None

    return read
