"""A command line as words: which are flags, which are their values, and which are neither."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pe_explorer.params import Flag, ParameterError, quoted

__all__ = ["Word", "others", "rejoined", "settled", "split", "values"]

_LONG_FLAG = re.compile(r"(--[^=\s]+)(?:=(.*))?", re.DOTALL)
_SHORT_FLAG = re.compile(r"(-[A-Za-z])(?:=?(.+))?", re.DOTALL)
_ALONE = ("-h", "--help", "--version")
_NO = "--no-"
_END = "--"
_ON_OFF = Flag(False, label="Switch", help="On or off.")


@dataclass(frozen=True)
class Word:
    """A flag with its value, None where it has none; or another word, whose `flag` is empty.

    `joined` tells whether the value was in the same word, as after ``=``.
    """

    flag: str
    value: str | None = None
    joined: bool = False


def split(words: Sequence[str]) -> list[Word]:
    """Return the words of a command line.

    Every flag takes one value, in a word of its own or after ``=``, but for those of help and
    version. What looks like a flag is none's value, and after ``--`` there are no flags. A
    flag that turns out to take no value gives back what it took, see `settled`.
    """
    found: list[Word] = []
    for number, word in enumerate(words):
        if word == _END:
            return [*found, Word(_END), *(Word("", rest) for rest in words[number + 1 :])]
        if match := _LONG_FLAG.fullmatch(word) or _SHORT_FLAG.fullmatch(word):
            name, value = match.groups()
            found.append(Word(name, value, value is not None))
        elif found and _waits(found[-1]):
            found[-1] = Word(found[-1].flag, word)
        else:
            found.append(Word("", word))
    return found


def _waits(word: Word) -> bool:
    return bool(word.flag) and word.value is None and word.flag not in _ALONE


def settled(words: Sequence[Word], switches: Collection[str]) -> list[Word]:
    """Return the words where the flags `switches` are on or off: ``--NAME`` or ``--no-NAME``.

    Each becomes ``--NAME`` with the value ``on`` or ``off``.

    Raises
    ------
    ParameterError
        Where one is joined to a value that is neither, or ``--no-NAME`` to any.
    """
    found: list[Word] = []
    for word in words:
        off = word.flag.startswith(_NO) and f"--{word.flag.removeprefix(_NO)}" in switches
        if off or word.flag in switches:
            found += _settled(word, off=off)
        else:
            found.append(word)
    return found


def _settled(word: Word, *, off: bool) -> list[Word]:
    if off:
        if word.joined:
            problem = f"takes no value, and {quoted(word.value)} is one; leave it out"
            raise ParameterError(word.flag.removeprefix("--"), problem)
        switch = Word(f"--{word.flag.removeprefix(_NO)}", "off")
        return [switch] if word.value is None else [switch, Word("", word.value)]
    if word.value is None:
        return [Word(word.flag, "on")]
    try:
        value = _ON_OFF.parse(word.flag.removeprefix("--"), word.value)
    except ParameterError:
        if word.joined:
            raise
        return [Word(word.flag, "on"), Word("", word.value)]
    return [Word(word.flag, _ON_OFF.format(value))]


def values(words: Sequence[Word], flag: str) -> list[str]:
    """Return the values that a flag is given, in their order."""
    return [word.value for word in words if word.flag == flag and word.value is not None]


def others(words: Sequence[Word]) -> list[str]:
    """Return the words that are no flags, nor values of any."""
    return [word.value or "" for word in words if not word.flag]


def rejoined(words: Sequence[Word]) -> list[str]:
    """Return the words with each value joined to its flag, so that none looks like a flag."""
    return [_rejoined(word) for word in words]


def _rejoined(word: Word) -> str:
    if not word.flag:
        return word.value or ""
    return word.flag if word.value is None else f"{word.flag}={word.value}"
