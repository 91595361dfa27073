"""Sessions: an exploration as JSON that people can read, and that survives being edited.

What can be used is used, key by key; what cannot is named and dropped; what is not known
is kept and written back. Numbers come back bit for bit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pe_explorer import __version__
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration, Pin, paths
from pe_explorer.exploration.paths import Spelling
from pe_explorer.files._noted import other_tables
from pe_explorer.files._reader import PLACES, Reader
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.files.json_text import JsonError, read_json, written_json
from pe_explorer.files.png import PngError, text_of
from pe_explorer.files.reading import UnreadableError, file_size, read_bytes
from pe_explorer.files.sources import refuse_sources
from pe_explorer.params import Declared, ParameterError, declared, reason

__all__ = [
    "COMMAND",
    "DATA",
    "PNG_KEY",
    "SCHEMA",
    "TABLES",
    "Session",
    "SessionError",
    "dumps",
    "loads",
    "newer",
    "read",
    "refuse_newer",
    "shared",
    "side_file",
    "stamp",
    "write",
]

SCHEMA = 1
PNG_KEY = "PE Explorer session"
DATA = (".npy", ".csv")
"""Endings of exported data, which have their session in a file beside them."""
COMMAND = "command"
"""Key of the line that made exported data: a remark, which is not kept."""
TABLES = "tables"
"""Key of what the files of tables held when they were exported: a remark, too."""
Other = Callable[[Any], Any]
_PROGRAM = "PE Explorer"
_MOST_BYTES = 1 << 26
_MOST_JSON = 1 << 20
_PROBLEMS = {"empty": "the file is empty", "nested too deeply": "nested too deeply to be a session"}


class SessionError(ParameterError):
    """A file from which no exploration can be read."""

    def __init__(self, problem: str) -> None:
        super().__init__("session", problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem,)


@dataclass(frozen=True)
class Session:
    """What a file holds.

    Attributes
    ----------
    state : Exploration
    notes : tuple of str
        Sentences on what could not be used.
    extra : mapping
        What this version does not know, by key; `dumps` writes it back.
    newer : bool
        Whether a later version wrote the file: it should not be overwritten.
    """

    state: Exploration
    notes: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    newer: bool = False


def dumps(
    state: Exploration,
    extra: Mapping[str, Any] = MappingProxyType({}),
    folder: Path | str | None = None,
) -> str:
    """Return what was set up as the text of a session file in a folder.

    Without a folder, names of files in it are absolute.
    """
    return written_json(_merged(_document(state.intention, paths.saved(folder)), extra))


def shared(
    state: Exploration,
    extra: Mapping[str, Any] = MappingProxyType({}),
    folder: Path | str | None = None,
) -> str:
    """Return the same for what is given to others and lies in a folder.

    It tells nothing of other folders, also where nobody here knows what names them. Of the tables
    that `state` holds it has shape and type, so that they can be told when they are looked for.
    """
    spell = paths.shared(folder)

    def other(value: Any) -> Any:
        return paths.without_folders(value, spell)

    document = _document(state.intention, spell, other)
    if tables := paths.contents(state, spell):
        document[TABLES] = tables
    return written_json(_merged(document, other(extra)))


def _same(value: Any) -> Any:
    return value


def _document(state: Exploration, spell: Spelling, other: Other = _same) -> dict[str, Any]:
    """Return what is saved: names of files as `spell` says, what is not known as `other` does."""
    fields = {key: {name: getattr(state, name) for name in names} for key, names in PLACES.items()}
    views = {name: _values(options) for name, options in state.options.items()}
    return {
        "program": f"{_PROGRAM} {__version__}",
        "schema": SCHEMA,
        "encoding": _spelled(state.encoding, spell, other),
        **fields,
        "pins": [_pin(pin, spell, other) for pin in state.pins],
        "views": views,
    }


def loads(text: str, options: Mapping[str, Declared], folder: Path | str | None = None) -> Session:
    """Return the exploration that a text holds.

    Parameters
    ----------
    text : str
        JSON as `dumps` writes it, perhaps edited.
    options : mapping of str to Declared
        The options that each view starts with, by its name.
    folder : path, optional
        Where the text lies: relative names of files in it begin there.

    Raises
    ------
    SessionError
        If the text is no JSON object, or not one of this program.
    """
    document = _parsed(text)
    schema = _schema(document)
    reader = Reader(document, remarks=("program", "schema", COMMAND, TABLES), folder=folder)
    fields: dict[str, Any] = {"encoding": reader.encoding()}
    for key, names in PLACES.items():
        fields |= reader.fields(key, Exploration, names)
    fields |= reader.pins(fields.get("compared", 0))
    fields["options"] = MappingProxyType(
        {name: reader.options(name, value) for name, value in options.items()}
    )
    state = reader.exploration(fields)
    reader.notes += other_tables(document.get(TABLES), state, folder)
    if schema > SCHEMA:
        reader.notes.insert(
            0,
            f"A later version wrote this session (schema {schema}, known here {SCHEMA}); what "
            "is not known here has no effect.",
        )
    return Session(state, tuple(reader.notes), reader.rest(), schema > SCHEMA)


def read(path: Path | str, options: Mapping[str, Declared]) -> Session:
    """Return the session in a JSON file, in a picture of this program, or beside data that it
    exported.

    Raises
    ------
    SessionError
        If the file cannot be read, is too large, or holds no session.
    """
    if not os.fspath(path):
        raise SessionError("the name is empty; give the name of a file")
    source = Path(path)
    try:
        if source.suffix.lower() in DATA:
            source = _beside(source)
        return loads(_text(_bytes_of(source)), options, os.path.dirname(os.path.abspath(source)))
    except SessionError as error:
        raise SessionError(f"{source}: {error.problem}") from None


def newer(path: Path | str) -> bool:
    """Return whether there is a session of a later schema, which should not be overwritten.

    What cannot be read is none.
    """
    try:
        return _schema(_parsed(_text(_bytes_of(Path(path))))) > SCHEMA
    except SessionError:
        return False


def refuse_newer(path: Path | str) -> None:
    """Raise `OutputError` if a session of a later schema would be overwritten."""
    if newer(path):
        raise OutputError(
            path,
            "a later version wrote it, and may have put in what is not known here; choose "
            "another name",
        )


def stamp(path: Path | str) -> tuple[int, int] | None:
    """Return time and size of a file, which tell whether it has changed since.

    None if there is none to see.
    """
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def side_file(path: Path | str) -> Path:
    """Return the file beside exported data that holds their session."""
    data = os.fspath(path)
    if os.path.islink(data):  # noqa: PTH114 - of names that are too long, Path raises
        data = os.path.realpath(data)  # an export follows it
    return Path(f"{data}.session.json")


def write(
    path: Path | str, state: Exploration, extra: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Write a session file, whole or not at all.

    Raises `OutputError`, also rather than replace one of a later version, or a table of `state`.
    """
    refuse_newer(path)
    refuse_sources(path, state)
    with replacing(path, durable=True) as file:
        file.write(dumps(state, extra, os.path.dirname(os.path.abspath(path))).encode())


def _beside(data: Path) -> Path:
    """Return the session's file beside exported data, if both are there."""
    _size(data)
    side = side_file(data)
    if not os.path.exists(side):
        raise SessionError(
            f"data without a session; there is no {side.name} beside them, where an export "
            "puts it unless that is left out"
        )
    return side


def _size(path: Path) -> int:
    """Return the size of a file that can be read to an end."""
    with _refusing():
        return file_size(path)


def _bytes_of(path: Path) -> bytes:
    size = _size(path)
    if size > _MOST_BYTES:
        raise SessionError(
            f"has {size:,} bytes; no session or picture of this program is larger than "
            f"{_MOST_BYTES:,}"
        )
    with _refusing():
        return read_bytes(path, _MOST_BYTES)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the system says of a file into a `SessionError`."""
    try:
        yield
    except UnreadableError as error:
        raise SessionError(str(error)) from None
    except (OSError, ValueError) as error:
        raise SessionError(f"{reason(error)}; choose another file") from None


def _text(data: bytes) -> str:
    if data.startswith(b"\x89PNG"):
        return _text_of_picture(data)
    _require_short(len(data))
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        raise SessionError(
            "not a text; give a session (JSON) or a picture (PNG) of this program"
        ) from None


def _text_of_picture(data: bytes) -> str:
    try:
        found = text_of(data, PNG_KEY)
    except PngError as error:
        raise SessionError(f"{error}") from None
    if PNG_KEY in found:
        _require_short(len(found[PNG_KEY]))
        return found[PNG_KEY]
    if PNG_KEY.encode() in data:
        raise SessionError("a picture whose session is damaged")
    raise SessionError(
        "a picture without a session; pictures exported here carry one unless that was left out"
    )


def _require_short(size: int) -> None:
    if size > _MOST_JSON:
        raise SessionError(f"has {size:,} bytes; no session is larger than {_MOST_JSON:,}")


def _parsed(text: str) -> dict[str, Any]:
    try:
        document = read_json(text)
    except JsonError as error:
        raise SessionError(_PROBLEMS.get(str(error), str(error))) from None
    if not isinstance(document, dict):
        raise SessionError("this is JSON, but not a session of PE Explorer (not an object)")
    return document


def _schema(document: Mapping[str, Any]) -> int:
    """Return the number of the schema that a session's document follows."""
    schema = document.get("schema")
    if (
        not isinstance(schema, int)
        or isinstance(schema, bool)
        or schema < 1
        or "encoding" not in document
    ):
        raise SessionError(
            "this is JSON, but not a session of PE Explorer (it has no schema number and encoding)"
        )
    return schema


def _spelled(e: Encoding | Unknown, spell: Spelling, other: Other) -> dict[str, Any]:
    return {"name": e.name, **paths.translated(e.name, e.parameters, spell, other)}


def _pin(pin: Pin, spell: Spelling, other: Other) -> dict[str, Any]:
    e = _spelled(pin.encoding, spell, other)
    own = {"name": pin.name, "colour": pin.colour, "encoding": e}
    return _merged(own, other(pin.extra))


def _values(options: Declared) -> dict[str, Any]:
    return {name: getattr(options, name) for name in declared(type(options))}


def _merged(document: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with what else the file had: its own keys win."""
    merged = dict(extra)
    for key, value in document.items():
        both = isinstance(value, dict) and isinstance(extra.get(key), dict)
        merged[key] = _merged(value, extra[key]) if both else value
    order = [*document, *(key for key in merged if key not in document)]
    return {key: merged[key] for key in order}
