"""Sessions: explorations as JSON that people can read and edit.

Valid values are used, invalid values are reported and replaced by defaults, and unknown keys are
preserved. Numbers round-trip exactly.
"""

import codecs
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pe_explorer import __version__, pictures, tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import Exploration, paths
from pe_explorer.exploration.paths import Spelling
from pe_explorer.figures import session_element
from pe_explorer.figures.session_element import ElementError
from pe_explorer.files._reader import SECTIONS, Folder, Section, read_exploration
from pe_explorer.files.atomic import OutputError, replace_file
from pe_explorer.json_text import JsonError, format_json, read_json
from pe_explorer.params import FileName, ParameterError, declared, reason
from pe_explorer.reading import read_bytes, read_file_size
from pe_explorer.tables import Source, TableError

PNG_KEY = "PE Explorer session"
TABLE_SUFFIX = ".npy"  # suffix of exported tables, which can be opened without a session
DATA_SUFFIXES = (TABLE_SUFFIX, ".csv")  # suffixes of data, whose session is a separate file
FIGURE_SUFFIXES = (".png", ".pdf", ".svg")  # suffixes of figure files, which can contain a session
MAX_FILE_BYTES = 1 << 26  # maximum size in bytes of a file to read; figures are the largest files
MAX_SESSION_BYTES = 1 << 20  # maximum size of a session in bytes
_START_BYTE_COUNT = 1 << 10  # number of bytes at the start of a file that determine its kind

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_CHUNKS = 1 << 17  # maximum number of chunks in a PNG file; exported images have about 10,000
_MAX_TEXT_BYTES = 1 << 24  # maximum total size in bytes of the decompressed texts in a file
_CHUNK_BYTES = 1 << 20  # number of bytes to decompress per step
_MAX_KEY_BYTES = 79  # maximum length of a PNG keyword in bytes

SCHEMA_VERSION = 1
COMMAND_KEY = "command"  # key of the export command, which is written but never read
TABLES_KEY = "tables"  # key of the shapes and dtypes of tables, which reveal later changes
CURVES_KEY = "curves"  # key of the curve names, in the order of the rows of the exported array
_COMMENT_KEYS = ("program", "schema", COMMAND_KEY, TABLES_KEY, CURVES_KEY)
_NO_VALUES: Mapping[str, Any] = MappingProxyType({})
_FILE_REMEDY = "choose another file"


class SessionError(ParameterError):
    """An error raised if a file contains no readable session."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__("session", problem, remedy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.fault, self.remedy)


@dataclass(frozen=True)
class Session:
    """The content of a session file."""

    state: Exploration
    notes: tuple[str, ...] = ()  # sentences about invalid values, changed tables and a later schema
    extra: Mapping[str, Any] = field(default_factory=lambda: _NO_VALUES)
    """Values of unknown keys, which `dumps` preserves."""
    is_newer: bool = False
    """Whether a later version of the program wrote the file; if so, it must not be replaced."""


def dumps(state: Exploration, extra: Mapping[str, Any] = _NO_VALUES, folder: Folder = None) -> str:
    """Return the text of a session file; paths below `folder`, if given, become relative to it."""
    document = _make_document(
        state.intention, paths.make_session_spelling(folder), lambda value: value
    )
    return format_json(_merge(document, extra))


def dumps_for_sharing(
    state: Exploration, extra: Mapping[str, Any] = _NO_VALUES, folder: Path | str | None = None
) -> str:
    """Return the text of a session file that is meant to be shared.

    `folder` is the folder that will contain the file. The text names no other folder, not
    even in values of unknown keys. It includes the shapes and dtypes of tables, so that
    later changes to the tables can be detected.
    """
    spell = paths.make_shared_spelling(folder)
    remove_folders = partial(paths.respell_json, spell=spell)
    document = _make_document(state.intention, spell, remove_folders)
    if tables := paths.list_table_shapes(state, spell):
        document[TABLES_KEY] = tables
    return format_json(_merge(document, remove_folders(extra)))


def make_title(state: Exploration) -> str:
    """Return the title for the metadata of an image or figure."""
    return f"{state.encoding.format_name()} positional encoding"


def _make_document(
    state: Exploration, spell: Spelling, change: Callable[[Any], Any]
) -> dict[str, Any]:
    def make_encoding_fields(e: Encoding | Unknown) -> dict[str, Any]:
        return {"name": e.name, **paths.respell_parameters(e.name, e.parameters, spell, change)}

    document: dict[str, Any] = {
        "program": f"PE Explorer {__version__}",
        "schema": SCHEMA_VERSION,
        "encoding": make_encoding_fields(state.encoding),
    }
    for key, names in SECTIONS.items():
        document[key] = {name: getattr(state, name) for name in names}
    document |= {"pins": [], "views": {}}
    for pin in state.pins:
        entry = {
            "name": pin.name,
            "colour": pin.colour,
            "encoding": make_encoding_fields(pin.encoding),
        }
        document["pins"].append(_merge(entry, change(pin.extra)))
    for view in pictures.names():
        options = pictures.find(view)(state).options
        values = {name: getattr(options, name) for name in declared(type(options))}
        files = {name: spell(path) for name, path in paths.find_paths(options).items()}
        document["views"][view] = values | files
    if state.panes is not None:
        document["panes"] = vars(state.panes)
    return document


def _merge(document: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    merged_document = dict(document)
    for key, value in extra.items():
        if key not in document:
            merged_document[key] = value
        elif isinstance(value, dict) and isinstance(document[key], dict):
            merged_document[key] = _merge(document[key], value)
    return merged_document


def loads(text: str, folder: Path | str | None = None) -> Session:
    """Parse the JSON text of a session, as written by `dumps` and possibly edited.

    Relative paths refer to `folder`. Raise `SessionError` if the text is not a JSON object or not a
    session.
    """
    document, schema = _parse_session(text)
    notes: list[str] = []
    if schema > SCHEMA_VERSION:
        version_note = f"schema {schema}; this version supports schema {SCHEMA_VERSION}"
        effect = "Settings that this version does not support are ignored."
        notes.append(f"A later version wrote this session ({version_note}). {effect}")
    values = {key: value for key, value in document.items() if key not in _COMMENT_KEYS}
    section = Section("", values, notes)
    state = read_exploration(section, folder)
    notes += describe_table_changes(document.get(TABLES_KEY), state, folder)
    extra = MappingProxyType(section.remaining_values())
    return Session(state, tuple(notes), extra, schema > SCHEMA_VERSION)


def _parse_session(text: str) -> tuple[dict[str, Any], int]:
    try:
        document = read_json(text)
    except JsonError as error:
        raise SessionError(f"is {error}", _FILE_REMEDY) from None
    if session_problem := find_session_problem(document):
        problem = f"this is JSON, but not a session of PE Explorer ({session_problem})"
        raise SessionError(problem, _FILE_REMEDY)
    return document, document["schema"]


def find_session_problem(document: Any) -> str:
    """Return why a JSON document is not a session, or an empty string if it is a session."""
    if not isinstance(document, dict):
        return "not an object"
    schema = document.get("schema")
    missing_keys = [] if type(schema) is int and schema >= 1 else ["schema number"]
    if "encoding" not in document:
        missing_keys.append("encoding")
    return f"no {' or '.join(missing_keys)}" if missing_keys else ""


def read(path: Path | str) -> Session:
    """Return the session in a JSON file, in a figure, or in the file beside exported data.

    Raise `SessionError` if the session is missing or cannot be read.
    """
    if not os.fspath(path):
        raise SessionError("the name is empty", "give the name of a file")
    source = Path(path)
    if source.suffix.lower() not in DATA_SUFFIXES:
        return read_file(source)
    with _translate_system_errors(f"{source}: "):
        read_file_size(source)
    if side_path := find_side_file(source):
        return read_file(side_path)
    problem = f"{source}: no session file {to_side_path(source).name} was found next to these data"
    raise SessionError(problem, f"{_FILE_REMEDY}, or export them with their session")


def read_file(path: Path | str) -> Session:
    """Return the session in a file with any suffix; raise `SessionError` if it is unreadable."""
    source = Path(path)
    try:
        return loads(read_session_text(source), os.path.dirname(os.path.abspath(source)))
    except SessionError as error:
        raise SessionError(f"{source}: {error.fault}", error.remedy) from None


def is_newer(path: Path | str) -> bool:
    """Return whether a file contains a session of a schema later than `SCHEMA_VERSION`."""
    try:
        _, schema = _parse_session(read_session_text(Path(path)))
    except SessionError:
        return False
    return schema > SCHEMA_VERSION


def reject_newer_session(path: Path | str) -> None:
    """Raise `OutputError` if writing to `path` would replace a session of a later schema."""
    if is_newer(path):
        problem = "a later version wrote it, and it can contain settings unknown to this version"
        raise OutputError(path, problem, "choose another name")


def digest(path: Path | str) -> str | None:
    """Return a digest of a file, for detecting changes to the file.

    Return None if the file does not exist. Return an empty string if it cannot be a session
    because it is unreadable, too large, a folder or a device.
    """
    try:
        data = read_bytes(path, MAX_SESSION_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return ""
    return _compute_digest(data) if len(data) <= MAX_SESSION_BYTES else ""


def _compute_digest(data: bytes) -> str:
    import hashlib  # imported here because it loads OpenSSL, which slows startup

    return hashlib.sha256(data).hexdigest()


def write(path: Path | str, state: Exploration, extra: Mapping[str, Any] = _NO_VALUES) -> str:
    """Write a session file atomically, and return its digest.

    Raise `OutputError` if the file cannot be written, or if writing would replace a session
    of a later schema or a table that `state` uses.
    """
    reject_newer_session(path)
    reject_table_paths(path, state)
    data = dumps(state, extra, os.path.dirname(os.path.abspath(path))).encode()
    with replace_file(path, is_durable=True) as file:
        file.write(data)
    return _compute_digest(data)


# -- the text of a session in a JSON file, a figure, or a file beside data -------------------------


def read_session_text(path: Path) -> str:
    """Return the text of the session in a JSON file or a figure.

    Raise `SessionError` if the file is unreadable, too large or a figure without a session.
    """
    with _translate_system_errors():
        size = read_file_size(path)
    _check_size(size, MAX_FILE_BYTES, "session or picture of this program")
    with _translate_system_errors():
        data = read_bytes(path, MAX_FILE_BYTES)
    if data.startswith(b"\x89PNG"):
        try:
            texts = read_texts(data, PNG_KEY)
        except PngError as error:
            raise SessionError(str(error), _FILE_REMEDY) from None
        if PNG_KEY in texts:
            _check_size(len(texts[PNG_KEY]), MAX_SESSION_BYTES, "session")
            return texts[PNG_KEY]
        if PNG_KEY.encode() in data:
            raise SessionError("is a PNG image whose session is damaged", _FILE_REMEDY)
        raise _make_session_error("picture")
    if data.startswith(b"%PDF"):
        return _read_element_text(data, "PDF file")
    start = data[:_START_BYTE_COUNT].removeprefix(codecs.BOM_UTF8)
    if start.lstrip().startswith(b"<"):  # XML, because JSON cannot start with <
        return _read_element_text(data, "drawing (SVG)")
    _check_size(len(data), MAX_SESSION_BYTES, "session")
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        remedy = "choose a session (JSON) or a figure (PNG, PDF, SVG) of this program"
        raise SessionError("is not text", remedy) from None


def _read_element_text(data: bytes, kind: str) -> str:
    try:
        text = session_element.find_session_text(data, MAX_SESSION_BYTES)
    except ElementError as error:
        raise SessionError(f"is a {kind} that cannot be used: {error}", _FILE_REMEDY) from None
    if text is None:
        raise _make_session_error(kind)
    _check_size(len(text), MAX_SESSION_BYTES, "session")
    return text


def _make_session_error(kind: str) -> SessionError:
    remedy = "choose a file that was exported with its session"
    return SessionError(f"is a {kind} without a session", remedy)


def to_side_path(path: Path | str) -> Path:
    """Return the path of the session file beside exported data."""
    data = os.fspath(path)
    if os.path.islink(data):  # noqa: PTH114 - Path raises for names that are too long
        data = os.path.realpath(data)  # an export to a link writes beside the link's target
    return Path(f"{data}.session.json")


def to_moved_path(path: Path | str) -> Path:
    """Return the path of the session of old data while an export replaces the data."""
    return to_side_path(path).with_suffix(".part")


def find_side_file(data: Path | str) -> Path | None:
    """Return the path of the session file beside exported data, or None if it is missing.

    If an export was interrupted before it replaced the data, the session of the old data is
    at `to_moved_path`. A session at that path that is older than the data is ignored,
    because it describes other data.
    """
    side_path, moved_path = to_side_path(data), to_moved_path(data)
    if os.path.exists(side_path):
        return side_path
    with suppress(OSError, ValueError):
        if os.stat(data).st_mtime_ns <= moved_path.stat().st_mtime_ns:
            return moved_path
    return None


@contextmanager
def _translate_system_errors(place: str = "") -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise SessionError(f"{place}{reason(error)}", _FILE_REMEDY) from None


def _check_size(size: int, limit: int, kind: str) -> None:
    if size > limit:
        problem = f"has {size:,} bytes, but the limit for a {kind} is {limit:,} bytes"
        raise SessionError(problem, _FILE_REMEDY)


# -- texts in PNG files: chunks iTXt, tEXt and zTXt of the PNG specification -----------------------


class PngError(ValueError):
    """An error for an invalid PNG file; the message follows the name of the file."""


def read_texts(png: bytes, *keys: str) -> dict[str, str]:
    """Return the intact texts in the iTXt, tEXt and zTXt chunks of a PNG file, by keyword.

    If `keys` are given, return only the texts with these keywords. Raise `PngError` if `png` is
    not a PNG file or is truncated.
    """
    texts = {}
    decompressor = _Decompressor()
    for number, (kind, data) in enumerate(_read_chunks(png)):
        if number == _MAX_CHUNKS:
            raise PngError("is a PNG image with too many chunks")
        if kind not in _TEXT_READERS:
            continue
        name, _, _ = bytes(data[: _MAX_KEY_BYTES + 1]).partition(b"\0")
        key = name.decode("latin-1")
        if not keys or key in keys:
            with suppress(ValueError, IndexError, zlib.error):
                texts[key] = _TEXT_READERS[kind](bytes(data[len(name) + 1 :]), decompressor)
    return texts


def _read_chunks(png: bytes) -> Iterator[tuple[bytes, memoryview]]:
    if not png.startswith(_PNG_SIGNATURE):
        raise PngError("is not a PNG image")
    offset, view = len(_PNG_SIGNATURE), memoryview(png)
    if offset == len(png):
        raise PngError("is a truncated PNG image")
    while offset < len(png):
        if offset + 12 > len(png):
            raise PngError("is a truncated PNG image")
        length, kind = struct.unpack_from(">I4s", png, offset)
        data = view[offset + 8 : offset + 8 + length]
        if len(data) < length:
            raise PngError("is a truncated PNG image")
        if not kind.isalpha():
            raise PngError("is a damaged PNG image")
        yield kind, data
        offset += length + 12


class _Decompressor:
    """A decompressor that returns at most `_MAX_TEXT_BYTES` bytes in total."""

    def __init__(self) -> None:
        self._remaining_bytes = _MAX_TEXT_BYTES

    def decompress(self, data: bytes) -> bytes:
        """Return the decompressed `data`.

        Raise `zlib.error` if the data are invalid, or `ValueError` if they are truncated or too
        long.
        """
        stream = zlib.decompressobj()
        parts = []
        while self._remaining_bytes > 0 and not stream.eof:
            limit = min(self._remaining_bytes, _CHUNK_BYTES)
            self._remaining_bytes -= limit  # subtracted first, because a failed step also counts
            part = stream.decompress(data, limit)
            self._remaining_bytes += limit - len(part)
            if not part:
                break
            parts.append(part)
            data = stream.unconsumed_tail
        if not stream.eof:
            raise ValueError("truncated text, or text that is too long")
        return b"".join(parts)


def _read_international_text(data: bytes, decompressor: _Decompressor) -> str:
    _language, _translated_key, text = data[2:].split(b"\0", 2)
    is_compressed = data[0] != 0
    return (decompressor.decompress(text) if is_compressed else text).decode()


_TEXT_READERS: Mapping[bytes, Callable[[bytes, _Decompressor], str]] = {
    b"iTXt": _read_international_text,
    b"tEXt": lambda data, _: data.decode("latin-1"),
    b"zTXt": lambda data, decompressor: decompressor.decompress(data[1:]).decode("latin-1"),
}


# -- tables of an exploration: refuse to overwrite them, and report changes ------------------------


def reject_table_paths(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if writing to `path` would replace a table that `state` uses.

    This also applies to a missing table, because `state` would then use the new file as the
    table.
    """
    for table in paths.list_paths(state):
        problem = ""
        with suppress(OSError, ValueError):
            if os.path.realpath(path).casefold() == os.path.realpath(table).casefold():
                problem = "is the name of a missing table that the exploration uses"
        with suppress(OSError, ValueError):
            if Path(path).samefile(table):
                problem = "is a table that the exploration uses, so it is not overwritten"
        if problem:
            raise OutputError(path, problem, _FILE_REMEDY)


_MAX_TYPE_LENGTH = 20  # maximum number of characters in the name of a dtype


def describe_table_changes(shapes: object, state: Exploration, folder: Folder) -> Iterator[str]:
    """Yield a sentence for each table of `state` whose shape or dtype has changed.

    `shapes` is the value that `paths.list_table_shapes` returned for a session in `folder` at
    the time of the export. A missing or invalid value is ignored.
    """
    if not isinstance(shapes, dict):
        return
    spell = paths.make_shared_spelling(folder)
    encodings = {"encoding": state.encoding}
    for index, pin in enumerate(state.pins):
        encodings[f"pins[{index}].encoding"] = pin.encoding
    keys: dict[Source, str] = {}
    for key, e in encodings.items():
        if isinstance(e, Stored):
            keys.setdefault(e.source, key)  # encodings with the same table share a sentence
    for source, key in keys.items():
        old_text = _describe_table(shapes.get(paths.make_key(source, spell)))
        try:
            table = tables.load(*source)
        except TableError:
            continue  # the encoding itself reports the error
        new_text = _describe_table({"shape": [table.rows, table.columns], "type": str(table.dtype)})
        if old_text and new_text and old_text != new_text:
            name = FileName.get_last_part(source[0])
            change = f"{name} had {old_text} when this file was exported, and now has {new_text}"
            yield f"{key}.file: {change}. Choose another file if this is not the right one."


def _describe_table(contents: object) -> str:
    """Return a table's shape and dtype as text, or an empty string if `contents` is invalid."""
    match contents:
        case {"shape": [int(rows), int(columns)], "type": str(kind)}:
            is_size_valid = min(rows, columns) > 0 and max(rows, columns) < 1 << 63
            is_type_valid = len(kind) <= _MAX_TYPE_LENGTH and kind.isprintable()
            if is_size_valid and is_type_valid:
                return f"{rows} × {columns} numbers of type {kind}"
    return ""
