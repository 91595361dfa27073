"""A parser for command lines that reports each error on one line."""

import argparse
import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NoReturn

from pe_explorer.commandline.process import EXIT_BAD_INPUT, print_error
from pe_explorer.params import Parameter, ParameterError, describe_bad_choice, quote_value
from pe_explorer.params.words import FLAG_WORDS

_FLAG_PATTERN = re.compile(r"--[^=\s]+(=.*)?|-[A-Za-z].*", re.DOTALL)
_BARE_FLAG_PATTERN = re.compile(r"--[^=\s]+|-[A-Za-z]")
_VALUELESS_FLAGS = {"-h", "--help", "--version", "--self-test", "--json", "--each"}
_VALUELESS_FLAGS |= {"--exhibits", "--models", "--csv"}


class Parser(argparse.ArgumentParser):
    """A parser that reports an error on one line, with the argument, the problem and a remedy."""

    def __init__(self, **options: Any) -> None:
        help_formatter = partial(argparse.HelpFormatter, max_help_position=30)
        super().__init__(allow_abbrev=False, formatter_class=help_formatter, **options)
        for action in self._actions:
            if action.dest == "help":
                action.help = "Show this help and exit."

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or the version. Unlike argparse, raise an error if printing fails."""
        print(message, end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Print an error as one line, and end the program."""
        message = re.sub(r"^argument (?:-\w/)?(\S+?): ", r"\1: ", message)
        required_pattern = r"^the following arguments are required: (?:-\w/)?(.+)$"
        message = re.sub(required_pattern, rf"\1: is required. See {self.prog} --help.", message)
        print_error(f"{self.prog}: {message}")
        self.exit(EXIT_BAD_INPUT)


def is_flag(word: str) -> bool:
    """Return whether an argument is a flag, with or without a value."""
    return _FLAG_PATTERN.fullmatch(word) is not None


def join_values(words: Sequence[str], switches: Collection[str] = ()) -> list[str]:
    """Join each flag to its value with ``=``, so that argparse accepts any value.

    A flag takes the next argument as its value unless that argument is also a flag, or the
    flag is in `_VALUELESS_FLAGS`. Users can write the flags in `switches` as ``--NAME``,
    ``--no-NAME``, ``--NAME on`` or ``--NAME=off``; the result contains ``--NAME=on`` or
    ``--NAME=off``. Arguments after ``--`` are not flags.
    """
    negations = {f"--no-{switch.removeprefix('--')}": switch for switch in switches}
    valueless_flags = _VALUELESS_FLAGS | negations.keys()
    end = [*words, "--"].index("--")
    result = [""]
    for word in words[:end]:
        flag = result[-1]
        can_take_value = _BARE_FLAG_PATTERN.fullmatch(flag) and flag not in valueless_flags
        if flag in switches:
            can_take_value = word.strip().lower() in FLAG_WORDS
        if can_take_value and not is_flag(word):
            result[-1] = f"{flag}={word}"
        else:
            result.append(word)
    for index, word in enumerate(result):
        flag, _, value = word.partition("=")
        if word in switches:
            result[index] = f"{word}=on"
        elif word in negations:
            result[index] = f"{negations[word]}=off"
        elif flag in negations:
            problem = f"expected no value, got {quote_value(value)}"
            raise ParameterError(flag.removeprefix("--"), problem, "leave it out")
        elif value == "--":  # Python 3.11 would treat ``--`` as the end of the flags
            result[index] = f"{word} "
    return [*result[1:], *words[end:]]


def typed_flags(words: Sequence[str]) -> list[str]:
    """Return the flags of a command line without their values."""
    return [word.partition("=")[0] for word in words if is_flag(word)]


def make_argument_type(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return an argparse type that raises `ArgumentTypeError` if `parse` rejects a string."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(error.problem) from None

    return read


def format_default(parameter: Parameter) -> str:
    """Format the default of a parameter for the help."""
    return f"default: {parameter.format(parameter.default) or 'none'}"


def make_choice_type(names: Collection[str]) -> Callable[[str], str]:
    """Return an argparse type that accepts only the given names."""

    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(describe_bad_choice(text, names))
        return text

    return read
