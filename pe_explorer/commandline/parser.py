"""The parser of flags: its errors are one line with what is wrong and the remedy."""

import argparse
import re
from collections.abc import Callable, Collection
from typing import Any, NoReturn

from pe_explorer import encodings, flags
from pe_explorer.commandline.streams import EXIT_BAD_INPUT, print_error
from pe_explorer.params import ParameterError, did_you_mean, listed, not_one_of, with_remedy

_LONGEST_WORD = 60  # letters of a word in a message


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what, where, and the remedy."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the values of the flags; refuse what is unknown here, not in the parser above."""
        options, rest = super().parse_known_args(args, namespace)
        if not rest:
            return options, rest
        see = f"see {self.prog} --help"
        if not rest[0].startswith("-"):
            self.error(f"{_shown(rest[0])}: unexpected argument; {see}")
        flag, _, _ = rest[0].partition("=")
        shown = _shown(flag)
        known = [name for action in self._actions for name in action.option_strings]
        hint = did_you_mean(flag, known)
        if "encoding" not in options:
            return self.error(with_remedy(f"{shown}: no such flag{hint}", see))
        name = options.encoding
        see = f"see {self.prog} --encoding {name} --help"
        hint = _owners(flag) or hint
        return self.error(with_remedy(f"{shown}: no such flag of {name}{hint}", see))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return what was given; older Pythons drop a `--` even where it is a flag's value."""
        if action.option_strings and arg_strings == ["--"]:
            return self._get_value(action, "--")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or the version; unlike in argparse, a problem of the stream is an error."""
        print(message, end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong as one line, and end the program."""
        message = re.sub(r"^argument (?:-\w/)?(\S+?): ", r"\1: ", message)
        print_error(f"{self.prog}: {message}")
        self.exit(EXIT_BAD_INPUT)


def _shown(word: str) -> str:
    """Return a word as it is named in a message, cut where it is long."""
    return word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…"


def _owners(flag: str) -> str:
    """Return which encodings have a flag, and the remedy; an empty text if none has it."""
    owners = [name for name in encodings.names() if flag in _flags_of(name)]
    if not owners:
        return ""
    names = listed(owners)
    if len(owners) == 1:
        return f"; {flag} is a flag of {names}: add --encoding {names}"
    return f"; {flag} is a flag of {names}: choose one of them with --encoding, or leave it out"


def _flags_of(name: str) -> list[str]:
    options = flags.parameters(encodings.find(name))
    return [flag for option in options for flag in option.flags]


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


class LinedHelp(_Help, argparse.RawDescriptionHelpFormatter):
    """A help whose description and epilog keep their lines."""


def reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return `parse` with its errors in the form that argparse expects."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(error.problem) from None

    return read


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a reader of one of some names, in the form that argparse expects."""

    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(not_one_of(text, names))
        return text

    return read
