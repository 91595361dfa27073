"""Sessions: an exploration as JSON that people can read and edit.

Each key that fits is used; one that does not is named and dropped; an unknown one is kept and
written back. Numbers come back bit for bit.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pe_explorer import __version__, pictures, tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import Exploration, paths
from pe_explorer.exploration.paths import Spelling
from pe_explorer.files._carrier import (
    DATA as DATA,
    FIGURES as FIGURES,
    MOST_JSON,
    PNG_KEY as PNG_KEY,
    TABLE as TABLE,
    SessionError as SessionError,
    existing_side_file,
    found_side_file as found_side_file,
    session_text,
    set_aside as set_aside,
    side_file as side_file,
)
from pe_explorer.files._reader import SECTIONS, Folder, Section, read_exploration
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.files.sources import refuse_sources
from pe_explorer.json_text import JsonError, read_json, written_json
from pe_explorer.params import FileName, declared
from pe_explorer.reading import read_bytes
from pe_explorer.tables import Source, TableError

SCHEMA = 1
COMMAND = "command"
"""Key of the command that made exported data; it is not read back."""
TABLES = "tables"
"""Key of shape and type of the tables at the time of an export; it is not read back."""
CURVES = "curves"
"""Key of the names of the curves in exported data, in the order of the rows of an array."""
_REMARKS = ("program", "schema", COMMAND, TABLES, CURVES)
_PROGRAM = "PE Explorer"
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Session:
    """What a file holds."""

    state: Exploration
    notes: tuple[str, ...] = ()
    """Sentences on values that could not be used, or on an assumption."""
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Values that this version does not know, by key; `dumps` writes them back."""
    newer: bool = False
    """Whether a later version wrote the file: it should not be overwritten."""


def dumps(
    state: Exploration, extra: Mapping[str, Any] = _NOTHING, folder: Path | str | None = None
) -> str:
    """Return the text of a session file that lies in a folder.

    Without a folder, names of files in it are absolute.
    """
    document = _document(state.intention, paths.saved(folder), lambda it: it)
    return written_json(_merged(document, extra))


def shared(
    state: Exploration, extra: Mapping[str, Any] = _NOTHING, folder: Path | str | None = None
) -> str:
    """Return the text of a session that is given to others and lies in a folder.

    It names no other folders, not even in values unknown here. Shape and type of the tables
    that `state` holds are added, so that the right files can be recognised later.
    """
    spell = paths.shared(folder)
    without_folders = partial(paths.without_folders, spell=spell)
    document = _document(state.intention, spell, without_folders)
    if tables := paths.contents(state, spell):
        document[TABLES] = tables
    return written_json(_merged(document, without_folders(extra)))


def title_of(state: Exploration) -> str:
    """Return the title of a picture or figure in the properties of its file."""
    return f"{state.encoding.called()} positional encoding"


def _document(state: Exploration, spell: Spelling, change: Change) -> dict[str, Any]:
    """Return the document to save: files spelled by `spell`, unknown values changed by `change`."""

    def of_encoding(e: Encoding | Unknown) -> dict[str, Any]:
        return {"name": e.name, **paths.translated(e.name, e.parameters, spell, change)}

    document = {
        "program": f"{_PROGRAM} {__version__}",
        "schema": SCHEMA,
        "encoding": of_encoding(state.encoding),
    }
    for key, names in SECTIONS.items():
        document[key] = {name: getattr(state, name) for name in names}
    pins, views = [], {}
    for pin in state.pins:
        encoding = of_encoding(pin.encoding)
        of_pin = {"name": pin.name, "colour": pin.colour, "encoding": encoding}
        pins.append(_merged(of_pin, change(pin.extra)))
    for view in pictures.names():
        options = pictures.find(view)(state).options
        values = {name: getattr(options, name) for name in declared(type(options))}
        files = {name: spell(path) for name, path in paths.names_in(options).items()}
        views[view] = values | files
    document |= {"pins": pins, "views": views}
    if state.panes is not None:
        document["panes"] = vars(state.panes)
    return document


def _merged(document: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with extra keys after its own, which win; objects are merged inside."""
    merged = dict(document)
    for key, value in extra.items():
        if key not in document:
            merged[key] = value
        elif isinstance(value, dict) and isinstance(document[key], dict):
            merged[key] = _merged(document[key], value)
    return merged


def loads(text: str, folder: Path | str | None = None) -> Session:
    """Return the exploration that a text holds.

    Parameters
    ----------
    text : str
        JSON as `dumps` writes it, perhaps edited.
    folder : path, optional
        Where the text lies: relative names of files in it begin there.

    Raises
    ------
    SessionError
        If the text is not a JSON object, or not one of this program.
    """
    document, schema = _parsed(text)
    notes: list[str] = []
    if schema > SCHEMA:
        versions = f"schema {schema}; this version knows schema {SCHEMA}"
        effect = "settings that it does not know have no effect"
        notes.append(f"A later version wrote this session ({versions}); {effect}.")
    values = {key: value for key, value in document.items() if key not in _REMARKS}
    whole = Section("", values, notes)
    state = read_exploration(whole, folder)
    notes += changed_tables(document.get(TABLES), state, folder)
    extra = MappingProxyType(whole.rest())
    return Session(state, tuple(notes), extra, schema > SCHEMA)


def _parsed(text: str) -> tuple[dict[str, Any], int]:
    """Return a session's document and the number of the schema that it follows."""
    try:
        document = read_json(text)
    except JsonError as error:
        raise SessionError(f"the file is {error}; choose another file") from None
    if lack := session_lack(document):
        problem = f"this is JSON, but not a session of PE Explorer ({lack})"
        raise SessionError(f"{problem}; choose another file")
    return document, document["schema"]


def session_lack(document: Any) -> str:
    """Return why JSON is no session, an empty text where it is one."""
    if not isinstance(document, dict):
        return "not an object"
    schema = document.get("schema")
    lacks = [] if type(schema) is int and schema >= 1 else ["schema number"]
    if "encoding" not in document:
        lacks.append("encoding")
    return f"no {' or '.join(lacks)}" if lacks else ""


def read(path: Path | str) -> Session:
    """Return the session in a JSON file, in a figure, or beside exported data.

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
            source = existing_side_file(source)
    except SessionError as error:
        raise SessionError(f"{source}: {error.problem}") from None
    return read_itself(source)


def read_itself(path: Path | str) -> Session:
    """Return the session in a file, whatever its name is; raises `SessionError` as `read` does."""
    source = Path(path)
    try:
        return loads(session_text(source), os.path.dirname(os.path.abspath(source)))
    except SessionError as error:
        raise SessionError(f"{source}: {error.problem}") from None


def newer(path: Path | str) -> bool:
    """Return whether a file is a session of a later schema, which should not be overwritten."""
    try:
        _, schema = _parsed(session_text(Path(path)))
    except SessionError:
        return False
    return schema > SCHEMA


def refuse_newer(path: Path | str) -> None:
    """Raise `OutputError` if a session of a later schema would be overwritten."""
    if newer(path):
        problem = (
            "a later version wrote it, and it may hold settings that this version does not know"
        )
        raise OutputError(path, f"{problem}; choose another name")


def digest(path: Path | str) -> str | None:
    """Return a digest of what a file holds, which shows whether it has changed.

    None without a file; empty where no session could have been read: from a file that is too
    large or unreadable, a folder or a device.
    """
    try:
        data = read_bytes(path, MOST_JSON + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return ""
    return _digest(data) if len(data) <= MOST_JSON else ""


def _digest(data: bytes) -> str:
    import hashlib  # with OpenSSL, which takes long to load: the program starts without it

    return hashlib.sha256(data).hexdigest()


def write(path: Path | str, state: Exploration, extra: Mapping[str, Any] = _NOTHING) -> str:
    """Write a session file, whole or not at all, and return the digest of what was written.

    Raises `OutputError`, also rather than replace a later version's session or a table of
    `state`.
    """
    refuse_newer(path)
    refuse_sources(path, state)
    data = dumps(state, extra, os.path.dirname(os.path.abspath(path))).encode()
    with replacing(path, durable=True) as file:
        file.write(data)
    return _digest(data)


# -- tables that have changed ----------------------------------------------------------------------


_LONGEST_TYPE = 20  # characters


def changed_tables(exported: object, state: Exploration, folder: Folder) -> Iterator[str]:
    """Yield a sentence for each table of `state` that has changed since the export.

    `exported` are shape and type of each, as `paths.contents` gave them: perhaps edited, or none.
    `folder` is where the file with them lies.
    """
    if not isinstance(exported, dict):
        return
    spell = paths.shared(folder)
    encodings = {"encoding": state.encoding}
    for index, pin in enumerate(state.pins):
        encodings[f"pins[{index}].encoding"] = pin.encoding
    places: dict[Source, str] = {}
    for place, e in encodings.items():
        if isinstance(e, Stored):
            places.setdefault(e.source, place)  # one sentence for each table
    for source, place in places.items():
        then = _described(exported.get(paths.key_of(source, spell)))
        try:
            table = tables.load(*source)
        except TableError:
            continue  # the encoding reports it
        now = _described({"shape": [table.rows, table.columns], "type": str(table.dtype)})
        if then and now and then != now:
            name = FileName.last_part(source[0])
            change = f"{name} held {then} when this was exported, and holds {now} now"
            yield f"{place}.file: {change}; choose another file if this is not the right one."


def _described(contents: object) -> str:
    """Return shape and type of a table in words; an empty text where they are malformed."""
    match contents:
        case {"shape": [int(rows), int(columns)], "type": str(kind)}:
            sizes_fit = min(rows, columns) > 0 and max(rows, columns) < 1 << 63
            type_fits = len(kind) <= _LONGEST_TYPE and kind.isprintable()
            if sizes_fit and type_fits:
                return f"{rows} × {columns} numbers of type {kind}"
    return ""
