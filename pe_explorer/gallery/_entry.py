"""A reader of the gallery's JSON files, which rejects invalid values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from pe_explorer import encodings, exploration, pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import PIN_COLOURS, Exploration, Pin, check_pins, make_panes
from pe_explorer.exploration.paths import find_bundled_table
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.params import (
    ParameterError,
    declared,
    describe_bad_choice,
    format_fault,
    quote_value,
    reason,
    suggest_choice,
    to_one_line,
    with_full_stop,
)
from pe_explorer.reading import read_bytes

_MAX_FILE_BYTES = 1 << 16
_MAX_TEXT_LENGTH = 1000  # maximum number of characters in a text, which must fit on a page
_MAX_KEY_LENGTH = 40  # maximum number of characters to quote from a key in a message
_NAME_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FILE_PARAMETERS = {"file", "encoding.file"}  # paths of settings whose values are file paths

T = TypeVar("T")


class GalleryFileError(ValueError):
    """An error in a gallery file; the message does not name the file."""


class JsonEntry:
    """A JSON object; `path` is its location in the file, such as ``try[0]``."""

    def __init__(self, values: object, path: str = "") -> None:
        if not isinstance(values, dict):
            prefix = f"{path}: " if path else ""
            raise GalleryFileError(f"{prefix}expected an object, got {quote_value(values)}")
        self.values, self.path = dict(values), path
        self._known_keys: list[str] = []

    def error(self, key: str, problem: str) -> GalleryFileError:
        """Return an error whose message begins with the path of a key."""
        return GalleryFileError(f"{self._format_path(key)}: {problem}")

    def has(self, key: str) -> bool:
        """Return whether a key is present and unread, and record the key as known."""
        self._known_keys.append(key)
        return key in self.values

    def pop(self, key: str) -> Any:
        """Remove and return the value of a required key."""
        if not self.has(key):
            raise self.error(key, "is missing")
        return self.values.pop(key)

    def text(self, key: str) -> str:
        """Return the value of a required key, which must be one line of text."""
        value = self.pop(key)
        if not isinstance(value, str):
            raise self.error(key, format_fault("a string", value))
        if not value.strip() or not value.isprintable():
            raise self.error(key, format_fault("one line of text", value))
        if len(value) > _MAX_TEXT_LENGTH:
            problem = f"expected at most {_MAX_TEXT_LENGTH:,} characters, got {len(value):,}"
            raise self.error(key, problem)
        return value

    def find_text(self, key: str) -> str:
        """Return the text of an optional key, or an empty string if the key is missing."""
        return self.text(key) if self.has(key) else ""

    def integer(self, key: str, low: int, high: int) -> int:
        """Return the value of a required key, which must be an integer from `low` to `high`."""
        number = self.pop(key)
        if type(number) is not int or not low <= number <= high:
            raise self.error(key, format_fault(f"an integer from {low} to {high}", number))
        return number

    def number(self, key: str) -> float:
        """Return the value of a required key, which must be a finite number."""
        value: float = self.pop(key)
        if type(value) not in (int, float) or not math.isfinite(value):
            raise self.error(key, format_fault("a finite number", value))
        return value

    def choice(self, key: str, known_names: Any) -> str:
        """Return the value of a required key, which must be one of `known_names`."""
        value = self.text(key)
        if value not in known_names:
            raise self.error(key, describe_bad_choice(value, known_names))
        return value

    def object(self, key: str) -> JsonEntry:
        """Return the value of a required key, which must be an object."""
        return JsonEntry(self.pop(key), self._format_path(key))

    def items(self, key: str) -> list[Any]:
        """Return the list of an optional key, or an empty list if the key is missing."""
        values = self.pop(key) if self.has(key) else []
        if not isinstance(values, list):
            raise self.error(key, f"expected a list, got {quote_value(values)}")
        return values

    def objects(self, key: str) -> Iterator[JsonEntry]:
        """Yield the objects in the list of an optional key.

        Raise `GalleryFileError` if an object contains a key that the caller did not request.
        """
        for index, values in enumerate(self.items(key)):
            entry = JsonEntry(values, f"{self._format_path(key)}[{index}]")
            yield entry
            entry.end()

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts in the list of an optional key."""
        values = {str(index): text for index, text in enumerate(self.items(key))}
        entry = JsonEntry(values, self._format_path(key))
        return tuple(map(entry.text, values))

    def end(self) -> None:
        """Raise `GalleryFileError` if the object contains a key that was never requested."""
        self.require_known(self._known_keys)

    def require_known(self, names: Iterable[str]) -> None:
        """Raise `GalleryFileError` if a key is not in `names`."""
        for key in self.values:
            if key not in names:
                raise self.error(key, f"is not known{suggest_choice(key, names)}")

    def _format_path(self, key: str) -> str:
        name = key if len(key) <= _MAX_KEY_LENGTH else f"{key[:_MAX_KEY_LENGTH]}…"
        return ".".join(filter(None, (self.path, to_one_line(name))))


def is_name(text: str) -> bool:
    """Return whether a string is valid as the name of a gallery file, without the suffix."""
    return bool(_NAME_PATTERN.fullmatch(text))


def read_entry(path: Path) -> JsonEntry:
    """Return the JSON object in a file; raise `GalleryFileError` if the file is unusable."""
    if not is_name(path.stem):
        problem = "the name must consist of lower-case letters and digits"
        raise GalleryFileError(f"{problem}, in groups separated by hyphens")
    try:
        data = read_bytes(path, _MAX_FILE_BYTES + 1)
        if len(data) > _MAX_FILE_BYTES:
            raise GalleryFileError(f"has more than {_MAX_FILE_BYTES:,} bytes")
        return JsonEntry(read_json(data.decode("utf-8")))
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    except JsonError as error:
        problem = f"is {error}"
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    raise GalleryFileError(problem)


class GalleryFolder(NamedTuple, Generic[T]):
    """The entries of a folder by name, and an error message for each unusable file."""

    entries: Mapping[str, T]
    problems: tuple[str, ...]


def load_folder(
    folder: Path, read_entry: Callable[[Path], T | str], order: Callable[[T], Any]
) -> GalleryFolder[T]:
    """Return the entries in a folder, sorted by `order`.

    `read_entry` returns the entry in a file, or a sentence if the file is unusable.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        paths = []
    results = {path.stem: read_entry(path) for path in paths}
    entries = [(name, entry) for name, entry in results.items() if not isinstance(entry, str)]
    entries.sort(key=lambda item: order(item[1]))
    problems = tuple(problem for problem in results.values() if isinstance(problem, str))
    return GalleryFolder(MappingProxyType(dict(entries)), problems)


def read_or_report(path: Path, kind: str, parse_entry: Callable[[str, JsonEntry], T]) -> T | str:
    """Return the entry in a file, or a sentence that says why the file is unusable."""
    try:
        return parse_entry(path.stem, read_entry(path))
    except GalleryFileError as error:
        return with_full_stop(f"The {kind} in {path.name} cannot be used: {error}")


def resolve_table_paths(values: Any) -> Any:
    """Return `values` with names of bundled tables, also nested ones, as absolute paths."""
    if isinstance(values, Mapping):
        fields = {key: resolve_table_paths(value) for key, value in values.items()}
        for key in _FILE_PARAMETERS & fields.keys():
            fields[key] = find_bundled_table(str(fields[key])) or fields[key]
        return fields
    return [*map(resolve_table_paths, values)] if isinstance(values, list) else values


def parse_exploration(values: Mapping[str, Any]) -> Exploration:
    """Return the described exploration; raise `GalleryFileError` if it is invalid."""
    entry = JsonEntry(dict(values), "exploration")
    fields: dict[str, Any] = {}
    try:
        fields["encoding"] = _parse_encoding(entry.object("encoding"))
        fields["pins"] = tuple(map(_parse_pin, entry.objects("pins"), cycle(PIN_COLOURS)))
        panes = entry.object("panes")
        views = panes.texts("views")
        for view in views:
            if view not in pictures.names():
                raise panes.error("views", describe_bad_choice(view, pictures.names()))
        arrangement, active = panes.find_text("arrangement"), panes.find_text("active")
        fields["panes"] = make_panes(views, arrangement, active)
        panes.end()
        options = entry.object("options") if entry.has("options") else JsonEntry({})
        for name in declared(Exploration):
            if entry.has(name):
                fields[name] = entry.pop(name)
        entry.end()
        state = Exploration(**fields)
        check_pins(state.pins, fields.get("compared", 0), fields.get("show", SHOW.default))
        options.require_known(pictures.names())
        for view in list(options.values):
            view_options = options.object(view)
            view_options.require_known(declared(pictures.find(view).Options))
            state = pictures.with_options(state, view, **view_options.values)
    except ParameterError as error:
        raise GalleryFileError(f"exploration: {error}") from None
    return state


def _parse_encoding(entry: JsonEntry) -> Encoding:
    return encodings.create(entry.text("name"), **entry.values)


def _parse_pin(entry: JsonEntry, default_colour: str) -> Pin:
    encoding = _parse_encoding(entry.object("encoding"))
    name = entry.find_text("name") or exploration.make_short_name(encoding)
    return Pin(encoding, name, entry.find_text("colour") or default_colour)
