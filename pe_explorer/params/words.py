"""Parameter kinds for choices, flags, texts, labelled numbers and file names."""

import json
import os
import shlex
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PureWindowsPath
from typing import Any, ClassVar

from pe_explorer.params.errors import (
    ParameterError,
    describe_bad_choice,
    format_fault,
    join_words,
    quote_value,
    suggest_choice,
)
from pe_explorer.params.numeric import Whole
from pe_explorer.params.parameter import Parameter


@dataclass(frozen=True)
class Choice(Parameter):
    """One of several names.

    `choices` maps names to their meanings, and `texts` maps names to the words shown in windows.
    """

    choices: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    @property
    def limits(self) -> str:
        return ", ".join(self.choices)

    def check(self, name: str, value: object) -> str:
        if isinstance(value, str) and value in self.choices:
            return str(value)
        raise ParameterError(name, describe_bad_choice(value, self.choices))

    def parse(self, name: str, text: str) -> str:
        return self.check(name, text.strip())


@dataclass(frozen=True)
class MultiChoice(Choice):
    """One or more words, separated by spaces; `choices` also contains all their combinations."""

    @property
    def _words(self) -> tuple[str, ...]:
        return tuple(choice for choice in self.choices if " " not in choice)

    @property
    def limits(self) -> str:
        return f"{', '.join(self._words)}, or several of them"

    def check(self, name: str, value: object) -> str:
        """Return the words in their declared order, without repetitions."""
        typed_words = value.replace(",", " ").split() if isinstance(value, str) else []
        if not typed_words or not set(typed_words) <= set(self._words):
            words = f"{join_words(self._words, 'or')}, or several of them"
            hint = suggest_choice(value, self._words)
            raise ParameterError(name, f"{format_fault(words, value)}{hint}")
        return " ".join(word for word in self._words if word in typed_words)


@dataclass(frozen=True)
class Flag(Parameter):
    """A bool, written as ``on`` or ``off``."""

    limits = "on or off"

    def check(self, name: str, value: object) -> bool:
        """Convert a Python or NumPy bool to a bool; reject all other types, including numbers."""
        if type(value).__name__ in ("bool", "bool_"):  # bool_ in NumPy 1, bool in NumPy 2
            return bool(value)
        raise ParameterError(name, format_fault(self.limits, value))

    def parse(self, name: str, text: str) -> bool:
        word = text.strip().lower()
        if word not in FLAG_WORDS:
            raise ParameterError(name, format_fault(self.limits, text))
        return FLAG_WORDS[word]

    def format(self, value: bool) -> str:
        return "on" if value else "off"


FLAG_WORDS = dict.fromkeys(("on", "true", "yes", "1"), True)
FLAG_WORDS |= dict.fromkeys(("off", "false", "no", "0"), False)


@dataclass(frozen=True)
class Text(Parameter):
    """One line of `shortest` to `longest` characters, with single spaces between words."""

    longest: int
    shortest: int = 1

    kind = "text"

    @property
    def limits(self) -> str:
        return f"{self.shortest} to {self.longest} characters"

    def check(self, name: str, value: object) -> str:
        """Return `value` as one line; reject an illegal length or character."""
        if not isinstance(value, str):
            raise ParameterError(name, format_fault(f"a text of {self.limits}", value))
        line = " ".join(value.split())
        if not self.shortest <= len(line) <= self.longest:
            problem = f"expected {self.limits}, got {len(line)}: {quote_value(value)}"
            raise ParameterError(name, problem)
        if line.isprintable():  # faster than checking each character
            return line
        for character in dict.fromkeys(line):
            if fault := _find_character_fault(character):
                fault = f"{quote_value(line)} contains {fault} (U+{ord(character):04X})"
                raise ParameterError(name, fault, "remove it")
        if line and all(unicodedata.category(character) == "Cf" for character in line):
            problem = f"{quote_value(line)} has no visible character"
            raise ParameterError(name, problem, "enter at least one visible character")
        return line

    def parse(self, name: str, text: str) -> str:
        return self.check(name, text)


_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _find_character_fault(character: str) -> str:
    """Return what makes a character illegal, or an empty string if it is allowed.

    Characters that join emoji are allowed. Unicode noncharacters are not allowed, because
    some of them are invalid in SVG files.
    """
    if character in _DIRECTION_MARKS:
        return "a character that changes the direction of text"
    code = ord(character)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return "a code point that is not a character"
    faults = {"Cc": "a control character", "Cs": "an incomplete character"}
    return faults.get(unicodedata.category(character), "")


@dataclass(frozen=True)
class Texts(Parameter):
    """A list of at most `longest` strings that are legal for `item`.

    Semicolons separate the strings. A list in which a string contains a semicolon is written as
    JSON. Members of `words` can also be separated by spaces or commas.
    """

    item: Text
    longest: int
    words: Collection[str] = ()

    kind = "texts"

    @property
    def limits(self) -> str:
        return f"up to {self.longest} texts, separated by semicolons"

    def check(self, name: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise ParameterError(name, format_fault("a list of texts", value))
        _check_count(name, value, self.longest, "texts")
        texts = [self.item.check(name, text) for text in value]
        return tuple(dict.fromkeys(texts) if self.words else texts)

    def parse(self, name: str, text: str) -> tuple[str, ...]:
        if text.lstrip().startswith("["):
            return self.check(name, _parse_json(name, text, "separate texts with semicolons"))
        return self.check(name, self._split(text))

    def format(self, value: Iterable[str]) -> str:
        texts, plain = list(value), "; ".join(value)
        is_plain = not plain.startswith("[") and self._split(plain) == texts
        return plain if is_plain else json.dumps(texts, ensure_ascii=False)

    def _split(self, text: str) -> list[str]:
        texts: list[str] = []
        for part in filter(None, map(str.strip, text.split(";"))):
            words = part.replace(",", " ").split()
            texts += words if {*self.words} >= {*words} else [part]
        return texts


def _parse_json(name: str, text: str, remedy: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError(name, f"{quote_value(text)} is not valid JSON", remedy) from None


def _check_count(name: str, values: Collection[object], limit: int, noun: str) -> None:
    if len(values) > limit:
        fault = f"expected at most {limit} {noun}, got {len(values)}"
        raise ParameterError(name, fault, "remove some")


@dataclass(frozen=True)
class TextPairs(Parameter):
    """Pairs of an old text and its replacement, both legal for `item`.

    Pairs are written as ``old: new; old: new``, or as a JSON object if that would be ambiguous.
    """

    item: Text
    longest: int

    kind = "replaced"
    SYNTAX_HINT: ClassVar = "write OLD: NEW, with semicolons between pairs"
    PAIR_SPLITTER: ClassVar[Callable[[str, str], tuple[str, str, str]]] = str.partition

    @property
    def limits(self) -> str:
        return f"up to {self.longest} pairs of texts, each OLD: NEW"

    def check(self, name: str, value: object) -> tuple[tuple[str, str], ...]:
        """Return the pairs of a mapping or list; if an old text is repeated, use its last pair."""
        pairs = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(pairs, list | tuple) or not all(
            isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs
        ):
            raise ParameterError(name, format_fault("a list of pairs", value), self.SYNTAX_HINT)
        texts = {self.item.check(name, old): self.item.check(name, new) for old, new in pairs}
        _check_count(name, texts, self.longest, "texts")
        return tuple(texts.items())

    def parse(self, name: str, text: str) -> tuple[tuple[str, str], ...]:
        if text.lstrip().startswith("{"):
            return self.check(name, _parse_json(name, text, self.SYNTAX_HINT))
        parts = [type(self).PAIR_SPLITTER(part, ":") for part in text.split(";") if part.strip()]
        for old, colon, new in parts:
            if not (colon and old.strip() and new.strip()):
                raise ParameterError(
                    name, format_fault("a pair", old + colon + new), self.SYNTAX_HINT
                )
        return self.check(name, [(old, new) for old, _, new in parts])

    def format(self, value: Iterable[tuple[str, str]]) -> str:
        pairs = list(value)
        is_plain = not any(":" in old or ";" in old + new for old, new in pairs)
        if is_plain and not (pairs and pairs[0][0].startswith("{")):
            return "; ".join(f"{old}: {new}" for old, new in pairs)
        return json.dumps(dict(pairs), ensure_ascii=False)


@dataclass(frozen=True)
class LabelledNumbers(Parameter):
    """Distinct numbers with labels, which may be empty: ``4096=training 8192``.

    A label with a space must be in quotes. If a number is repeated, its last label is used.
    """

    item: Whole
    label_item: Text
    longest: int

    kind = "numbers"

    @property
    def limits(self) -> str:
        return f"up to {self.longest} numbers, each {self.item.limits}, optionally with =LABEL"

    def check(self, name: str, value: object) -> tuple[tuple[int, str], ...]:
        """Return pairs of numbers and labels; a number without a label gets an empty label."""
        labels = {}
        for item in value if isinstance(value, list | tuple) else [value]:
            pair = item if isinstance(item, list | tuple) else (item, "")
            if len(pair) != 2:
                raise ParameterError(name, format_fault("a number and its label", item))
            labels[self.item.check(name, pair[0])] = self.label_item.check(name, pair[1])
        _check_count(name, labels, self.longest, "numbers")
        return tuple(labels.items())

    def parse(self, name: str, text: str) -> tuple[tuple[int, str], ...]:
        try:
            words = [word.partition("=") for word in shlex.split(text)]
        except ValueError:
            problem = f"{quote_value(text)} has no closing quotation mark"
            raise ParameterError(name, problem, "add one") from None
        try:
            pairs = [(self.item.parse(name, number), label) for number, _, label in words]
            return self.check(name, pairs)
        except ParameterError as error:
            remedy = error.remedy or "put a label with spaces in quotes"
            raise ParameterError(name, error.fault, remedy) from None

    def format(self, value: Iterable[tuple[int, str]]) -> str:
        pairs = ((self.item.format(number), label) for number, label in value)
        words = (shlex.quote(f"{number}={label}") if label else number for number, label in pairs)
        return " ".join(words)


@dataclass(frozen=True)
class FileName(Parameter):
    """The absolute path of a file, or an empty string for no file.

    The file is not opened and need not exist. `endings` are the allowed file name
    extensions, in lower case. A relative path starts in the working folder, and ``..`` is
    resolved, so that different spellings of a path become equal. Paths of another operating
    system, such as ``C:/tables/t.npy`` on Linux, are unchanged.
    """

    endings: tuple[str, ...]

    kind = "file"

    @property
    def limits(self) -> str:
        return f"the name of a file that ends in {' or '.join(self.endings)}"

    def check(self, name: str, value: object) -> str:
        path = os.fspath(value) if isinstance(value, os.PathLike) else value
        if not isinstance(path, str):
            raise ParameterError(name, format_fault(self.limits, path))
        if not path:
            return ""
        if not path.lower().endswith(self.endings):
            file_name = quote_value(os.path.basename(path) or path)  # avoids truncating a long path
            raise ParameterError(name, f"expected {self.limits}, got {file_name}")
        if not is_valid_path(path):
            raise ParameterError(name, f"{quote_value(path)} {FILE_NAME_FAULT}", "remove it")
        if _is_foreign_path(path):
            return str(path)
        try:
            return os.path.abspath(path)
        except OSError:  # the working folder was deleted
            problem = f"{quote_value(path)} is in a folder that no longer exists"
            raise ParameterError(name, problem, "give the full path") from None

    @staticmethod
    def get_last_part(path: str) -> str:
        """Return the file name in a path, which may be a path of another operating system."""
        if _is_foreign_path(path):
            return PureWindowsPath(path).name
        return os.path.basename(path)

    def parse(self, name: str, text: str) -> str:
        path = os.path.expanduser(text.strip())  # copied paths often have spaces around them
        return self.check(name, path if os.path.isabs(path) else text)


FILE_NAME_FAULT = "contains a character that is not allowed in file names"


def is_valid_path(path: str) -> bool:
    """Return whether the operating system allows a path.

    A lone surrogate is allowed only if it represents a byte that cannot be decoded.
    """
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _is_foreign_path(path: str) -> bool:
    return PureWindowsPath(path).is_absolute() and not os.path.isabs(path)
