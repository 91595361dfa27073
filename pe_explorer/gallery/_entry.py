"""Entries of the gallery's JSON files, taken out one by one: what does not fit is an error."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from pe_explorer import encodings, pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import (
    PIN_COLOURS,
    Exploration,
    Pin,
    check_pins,
    panes_of,
    paths,
    short_name,
)
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.params import ParameterError, declared, did_you_mean, one_line, quoted, reason
from pe_explorer.reading import read_bytes

_MOST_BYTES = 1 << 16
_MOST_LETTERS = 1000  # letters of a text that a page of the window can show
_LONGEST_KEY = 40  # letters of a key in a message
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FILES = {"file", "encoding.file"}  # parameters that name one


Made = TypeVar("Made")


class DamagedError(ValueError):
    """A problem of a file, as the rest of a sentence that begins with its name."""


class JsonEntry:
    """One object of a file; `path` is its place there, such as ``try[0]``."""

    def __init__(self, values: object, path: str = "") -> None:
        if not isinstance(values, dict):
            named = f"{path}: " if path else ""
            raise DamagedError(f"{named}{quoted(values)} is not an object")
        self.values = dict(values)
        self.path = path
        self._known: list[str] = []

    def refuse(self, key: str, problem: str) -> DamagedError:
        """Return the error for a key, which names its path."""
        return DamagedError(f"{self._path_of(key)}: {problem}")

    def has(self, key: str) -> bool:
        """Return whether a key has not been taken out yet."""
        self._known.append(key)
        return key in self.values

    def take(self, key: str) -> Any:
        """Return the value of a required key."""
        if not self.has(key):
            raise self.refuse(key, "is missing")
        return self.values.pop(key)

    def text(self, key: str) -> str:
        """Return the text of a required key, on one line."""
        found = self.take(key)
        if not isinstance(found, str):
            raise self.refuse(key, f"{quoted(found)} is not a text")
        if not found.strip() or not found.isprintable():
            raise self.refuse(key, f"{quoted(found)} is not a text of one line")
        if len(found) > _MOST_LETTERS:
            raise self.refuse(key, f"{len(found):,} letters are too many; {_MOST_LETTERS:,} fit")
        return found

    def text_or_none(self, key: str) -> str:
        """Return the text of an optional key, empty where it is missing."""
        return self.text(key) if self.has(key) else ""

    def whole(self, key: str, least: int, most: int) -> int:
        """Return a whole number within limits."""
        found = self.take(key)
        if type(found) is not int or not least <= found <= most:
            problem = f"{quoted(found)} is not a whole number from {least} to {most}"
            raise self.refuse(key, problem)
        return found

    def number(self, key: str) -> float:
        """Return a finite number, whole or not."""
        found: float = self.take(key)
        if type(found) not in (int, float) or not math.isfinite(found):
            raise self.refuse(key, f"{quoted(found)} is not a number")
        return found

    def choice(self, key: str, known: Any) -> str:
        """Return one of some words."""
        found = self.text(key)
        if found not in known:
            hint = did_you_mean(found, known) or f"; choose from {', '.join(known)}"
            raise self.refuse(key, f"{quoted(found)} is not known{hint}")
        return found

    def object(self, key: str) -> JsonEntry:
        """Return the object of a required key."""
        return JsonEntry(self.take(key), self._path_of(key))

    def items(self, key: str) -> list[Any]:
        """Return the list of a key, empty where it is missing."""
        found = self.take(key) if self.has(key) else []
        if not isinstance(found, list):
            raise self.refuse(key, f"{quoted(found)} is not a list")
        return found

    def objects(self, key: str) -> Iterator[JsonEntry]:
        """Yield the objects of a list; each has to be read to its end before the next one."""
        path = self._path_of(key)
        for index, values in enumerate(self.items(key)):
            entry = JsonEntry(values, f"{path}[{index}]")
            yield entry
            entry.end()

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.items(key)
        named = {str(index): text for index, text in enumerate(found)}
        entry = JsonEntry(named, self._path_of(key))
        return tuple(entry.text(index) for index in named)

    def end(self) -> None:
        """Raise `DamagedError` for a key that is left over: one that nobody has asked for."""
        self.require_known(self._known)

    def require_known(self, known: Iterable[str]) -> None:
        """Raise `DamagedError` for a key that is none of the known ones."""
        for key in self.values:
            if key not in known:
                raise self.refuse(key, f"is not known{did_you_mean(key, known)}")

    def _path_of(self, key: str) -> str:
        shown = key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…"
        return ".".join(filter(None, (self.path, one_line(shown))))


def is_name(text: str) -> bool:
    """Return whether a text is a name of a file in the gallery, without its ending."""
    return bool(_NAME.fullmatch(text))


def read_entry(path: Path) -> JsonEntry:
    """Return what a file holds, or raise `DamagedError`."""
    if not is_name(path.stem):
        raise DamagedError("the name may have small letters, digits and - between them only")
    try:
        found = read_bytes(path, _MOST_BYTES + 1)
        if len(found) > _MOST_BYTES:
            raise DamagedError(f"has more than {_MOST_BYTES:,} bytes")
        return JsonEntry(read_json(found.decode("utf-8")))
    except UnicodeDecodeError:
        problem = "is not text in UTF-8"
    except JsonError as error:
        problem = f"is {error}"
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    raise DamagedError(problem)


class Loaded(NamedTuple, Generic[Made]):
    """What the files of a folder hold, by their names, and a sentence for each that is left out."""

    entries: Mapping[str, Made]
    problems: tuple[str, ...]


def load_folder(
    folder: Path, read: Callable[[Path], Made | str], order: Callable[[Made], Any]
) -> Loaded[Made]:
    """Return what is read of the files of a folder, in an order."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        paths = []
    found = {path.stem: read(path) for path in paths}
    entries = {name: each for name, each in found.items() if not isinstance(each, str)}
    in_order = sorted(entries.items(), key=lambda item: order(item[1]))
    problems = tuple(each for each in found.values() if isinstance(each, str))
    return Loaded(MappingProxyType(dict(in_order)), problems)


def made_of(path: Path, kind: str, make: Callable[[str, JsonEntry], Made]) -> Made | str:
    """Return what is made of a file, or the sentence on why it is left out."""
    try:
        return make(path.stem, read_entry(path))
    except DamagedError as error:
        return f"The {kind} in {path.name} is left out: {error}."


def with_own_tables(values: Any) -> Any:
    """Return what a file of the gallery holds, with whole names of tables of the program."""
    if isinstance(values, Mapping):
        whole = {key: with_own_tables(value) for key, value in values.items()}
        for key in _FILES & whole.keys():
            whole[key] = paths.bundled_table(str(whole[key])) or whole[key]
        return whole
    return [*map(with_own_tables, values)] if isinstance(values, list) else values


def explored(values: Mapping[str, Any]) -> Exploration:
    """Return the exploration that an object describes, or raise `DamagedError`."""
    entry = JsonEntry(dict(values), "exploration")
    fields: dict[str, Any] = {}
    try:
        fields["encoding"] = _encoding(entry.object("encoding"))
        fields["pins"] = tuple(map(_pin, entry.objects("pins"), cycle(PIN_COLOURS)))
        panes = entry.object("panes")
        views = panes.texts("views")
        for view in views:
            if view not in pictures.names():
                hint = did_you_mean(view, pictures.names())
                raise panes.refuse("views", f"{quoted(view)} is not the name of a view{hint}")
        arrangement, active = panes.text_or_none("arrangement"), panes.text_or_none("active")
        fields["panes"] = panes_of(views, arrangement, active)
        panes.end()
        options = entry.object("options") if entry.has("options") else JsonEntry({})
        for name in declared(Exploration):
            if entry.has(name):
                fields[name] = entry.take(name)
        entry.end()
        state = Exploration(**fields)
        check_pins(state.pins, fields.get("compared", 0), fields.get("show", SHOW.default))
        for view in list(options.values):
            if view not in pictures.names():
                hint = did_you_mean(view, pictures.names())
                raise entry.refuse("options", f"{quoted(view)} is not a view{hint}")
            chosen = options.object(view)
            chosen.require_known(declared(pictures.find(view).Options))
            state = pictures.with_options(state, view, **chosen.values)
    except ParameterError as error:
        raise DamagedError(f"exploration: {error}") from None
    return state


def _encoding(entry: JsonEntry) -> Encoding:
    name = entry.text("name")
    return encodings.create(name, **entry.values)


def _pin(entry: JsonEntry, free_colour: str) -> Pin:
    encoding = _encoding(entry.object("encoding"))
    name = entry.text_or_none("name") or short_name(encoding)
    return Pin(encoding, name, entry.text_or_none("colour") or free_colour)
