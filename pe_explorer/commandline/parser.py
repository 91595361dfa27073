"""The parser of flags: its errors are one line with what is wrong and the remedy."""

import argparse
import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NoReturn

from pe_explorer.commandline.process import EXIT_BAD_INPUT, print_error
from pe_explorer.params import ParameterError, not_one_of, quoted
from pe_explorer.params.words import FLAG_WORDS

_FLAG = re.compile(r"--[^=\s]+(=.*)?|-[A-Za-z].*", re.DOTALL)
_FLAG_ALONE = re.compile(r"--[^=\s]+|-[A-Za-z]")
_BARE = {"-h", "--help", "--version", "--self-test", "--json", "--each"}
_BARE |= {"--exhibits", "--models", "--csv"}
"""Flags that take no value in any command."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what, where, and the remedy."""

    def __init__(self, **options: Any) -> None:
        help_format = partial(argparse.HelpFormatter, max_help_position=30)
        super().__init__(allow_abbrev=False, formatter_class=help_format, **options)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or the version; unlike in argparse, a problem of the stream is an error."""
        print(message, end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong as one line, and end the program."""
        message = re.sub(r"^argument (?:-\w/)?(\S+?): ", r"\1: ", message)
        print_error(f"{self.prog}: {message}")
        self.exit(EXIT_BAD_INPUT)


def is_flag(word: str) -> bool:
    """Return whether a word is a flag, alone or with its value."""
    return _FLAG.fullmatch(word) is not None


def joined(words: Sequence[str], switches: Collection[str] = ()) -> list[str]:
    """Return a command line with each value joined to its flag, as argparse reads any value.

    Every flag takes the next word if that is no flag, but `_BARE` ones take none. The flags
    `switches` may be typed as ``--NAME``, ``--no-NAME``, ``--NAME on`` or ``--NAME=off``, and are
    returned with ``=on`` or ``=off``. After ``--`` there are no flags.
    """
    negated = {f"--no-{switch.removeprefix('--')}": switch for switch in switches}
    bare = _BARE | negated.keys()
    end = [*words, "--"].index("--")
    found = [""]
    for word in words[:end]:
        flag = found[-1]
        takes_value = _FLAG_ALONE.fullmatch(flag) and flag not in bare
        if flag in switches:
            takes_value = word.strip().lower() in FLAG_WORDS
        if takes_value and not is_flag(word):
            found[-1] = f"{flag}={word}"
        else:
            found.append(word)
    for place, word in enumerate(found):
        flag, _, value = word.partition("=")
        if word in switches:
            found[place] = f"{word}=on"
        elif word in negated:
            found[place] = f"{negated[word]}=off"
        elif flag in negated:
            problem = f"takes no value, but {quoted(value)} was given; leave it out"
            raise ParameterError(flag.removeprefix("--"), problem)
        elif value == "--":  # Python 3.11 takes it for the end of flags
            found[place] = f"{word} "
    return [*found[1:], *words[end:]]


def typed_flags(words: Sequence[str]) -> list[str]:
    """Return the flags of a command line without their values."""
    return [word.partition("=")[0] for word in words if is_flag(word)]


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
