"""Splits a command line into flags, their values, and other words; quotes words for a shell."""

import os
import re
import shlex
from collections.abc import Collection, Sequence
from typing import NamedTuple

from pe_explorer.params import Flag, ParameterError, quoted

_LONG_FLAG = re.compile(r"(--[^=\s]+)(?:=(.*))?", re.DOTALL)
_SHORT_FLAG = re.compile(r"(-[A-Za-z])(?:=?(.+))?", re.DOTALL)
_WITHOUT_VALUE = ("-h", "--help", "--version", "--self-test")
_NO = "--no-"
_END_OF_FLAGS = "--"
_ON_OFF = Flag(False, label="Switch", help="On or off.")


class Word(NamedTuple):
    """A flag with its value, None where it has none; or another word, whose `flag` is empty.

    `joined` is whether the value was in the same word, as after ``=``.
    """

    flag: str
    value: str | None = None
    joined: bool = False


def split(arguments: Sequence[str]) -> list[Word]:
    """Return the words of a command line.

    Every flag but ``--help``, ``--version`` and ``--self-test`` takes one value: the next
    argument, or the text after ``=``. A word that looks like a flag is never a value, and after
    ``--`` there are no flags. `resolve_switches` separates the value of a flag that takes none.
    """
    words: list[Word] = []
    for number, argument in enumerate(arguments):
        if argument == _END_OF_FLAGS:
            rest = arguments[number + 1 :]
            words.append(Word(_END_OF_FLAGS))
            words += [Word("", each) for each in rest]
            return words
        match = _LONG_FLAG.fullmatch(argument) or _SHORT_FLAG.fullmatch(argument)
        if match:
            flag, value = match.groups()
            words.append(Word(flag, value, value is not None))
        elif words and _takes_value(words[-1]):
            words[-1] = Word(words[-1].flag, argument)
        else:
            words.append(Word("", argument))
    return words


def _takes_value(word: Word) -> bool:
    return bool(word.flag) and word.value is None and word.flag not in _WITHOUT_VALUE


def resolve_switches(words: Sequence[Word], switches: Collection[str]) -> list[Word]:
    """Return the words with each of the flags `switches` as ``--NAME`` with ``on`` or ``off``.

    They may be typed as ``--NAME``, ``--no-NAME`` or ``--NAME=on``.

    Raises
    ------
    ParameterError
        If one is joined to a value that is neither, or ``--no-NAME`` to any value.
    """
    resolved: list[Word] = []
    for word in words:
        if word.flag.startswith(_NO) and _positive(word.flag) in switches:
            resolved += _switched_off(word)
        elif word.flag in switches:
            resolved += _switched(word)
        else:
            resolved.append(word)
    return resolved


def resolve_bare(words: Sequence[Word], *bare: str) -> list[Word]:
    """Return the words with each flag that takes no value, and the word after it, as two."""
    resolved: list[Word] = []
    for word in words:
        if word.flag in bare and not word.joined:
            resolved += [Word(word.flag), *_next_word(word)]
        else:
            resolved.append(word)
    return resolved


def _positive(flag: str) -> str:
    return f"--{flag.removeprefix(_NO)}"


def _switched_off(word: Word) -> list[Word]:
    if word.joined:
        problem = f"takes no value, but {quoted(word.value)} was given; leave it out"
        raise ParameterError(word.flag.removeprefix("--"), problem)
    switch = Word(_positive(word.flag), "off")
    return [switch, *_next_word(word)]


def _switched(word: Word) -> list[Word]:
    if word.value is None:
        return [Word(word.flag, "on")]
    try:
        value = _ON_OFF.parse(word.flag.removeprefix("--"), word.value)
    except ParameterError:
        if word.joined:
            raise
        return [Word(word.flag, "on"), *_next_word(word)]
    return [Word(word.flag, _ON_OFF.format(value))]


def _next_word(word: Word) -> list[Word]:
    """Return the argument after a flag that takes no value."""
    return [] if word.value is None else [Word("", word.value)]


def values(words: Sequence[Word], flag: str) -> list[str]:
    """Return the values that a flag is given, in order."""
    return [word.value for word in words if word.flag == flag and word.value is not None]


def plain_words(words: Sequence[Word]) -> list[str]:
    """Return the words that are neither flags nor their values."""
    return [word.value or "" for word in words if not word.flag]


def joined_words(words: Sequence[Word]) -> list[str]:
    """Return the words with each value joined to its flag, so that none looks like a flag."""
    return [_joined(word) for word in words]


def _joined(word: Word) -> str:
    if not word.flag:
        return word.value or ""
    if word.value is None:
        return word.flag
    return f"{word.flag}={word.value}"


def quoted_line(words: Sequence[str]) -> str:
    """Return a command line of words, quoted for the shell; it can always be shown and copied."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """Return a word in quotes, if it needs them; the bytes of a name that is no text are escaped.

    Such escapes are read by bash, ksh, zsh and busybox, and by POSIX since 2024.
    """
    try:
        word.encode()
    except UnicodeEncodeError:
        return f"$'{''.join(map(_escaped, os.fsencode(word)))}'"
    return shlex.quote(word)


def _escaped(byte: int) -> str:
    character = chr(byte)
    is_plain = character.isascii() and character.isprintable() and character not in "'\\"
    return character if is_plain else f"\\{byte:03o}"
