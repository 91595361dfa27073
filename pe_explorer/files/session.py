"""Sessions: an exploration as JSON that people can read and edit.

Each key that fits is used; one that does not is named and dropped; an unknown one is kept and
written back. Numbers come back bit for bit.
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
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.json_text import JsonError, format_json, read_json
from pe_explorer.params import FileName, ParameterError, declared, reason
from pe_explorer.reading import file_size, read_bytes
from pe_explorer.tables import Source, TableError

PNG_KEY = "PE Explorer session"
TABLE = ".npy"  # data that can be opened without a session, as a learned table
DATA = (TABLE, ".csv")  # exported data, which have their session in a file beside them
FIGURES = (".png", ".pdf", ".svg")  # pictures and figures, which can carry a session
MOST_BYTES = 1 << 26  # bytes of the largest file that is read, a figure
MOST_JSON = 1 << 20  # bytes of the longest text of a session
_START_BYTES = 1 << 10  # bytes from which the kind of a file is read

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1 << 17  # chunks of a file; the largest exported picture has some 10,000
_MOST_TEXT = 1 << 24  # bytes of all texts of a file, unpacked
_PIECE = 1 << 20  # bytes that are unpacked together
_LONGEST_KEY = 79  # bytes of a keyword

SCHEMA = 1
COMMAND = "command"  # key of the command that made exported data; it is not read back
TABLES = "tables"  # key of shape and type of the tables at an export; it is not read back
CURVES = "curves"  # key of the names of the curves, in the order of the rows of an array
_REMARKS = ("program", "schema", COMMAND, TABLES, CURVES)
_PROGRAM = "PE Explorer"
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Change = Callable[[Any], Any]


class SessionError(ParameterError):
    """A file from which no exploration can be read."""

    def __init__(self, problem: str) -> None:
        super().__init__("session", problem)


@dataclass(frozen=True)
class Session:
    """What a file holds."""

    state: Exploration
    notes: tuple[str, ...] = ()
    """Sentences on values that could not be used, or on an assumption."""
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Values that this version does not know, by key; `dumps` writes them back."""
    newer: bool = False  # a later version wrote the file: it should not be overwritten


def dumps(
    state: Exploration, extra: Mapping[str, Any] = _NOTHING, folder: Path | str | None = None
) -> str:
    """Return the text of a session file in a folder; without one, names of files are absolute."""
    document = _document(state.intention, paths.session_spelling(folder), lambda it: it)
    return format_json(_merged(document, extra))


def shared(
    state: Exploration, extra: Mapping[str, Any] = _NOTHING, folder: Path | str | None = None
) -> str:
    """Return the text of a session that is given to others and lies in a folder.

    It names no other folders, not even in values unknown here. Shape and type of the tables
    that `state` holds are added, so that the right files can be recognised later.
    """
    spell = paths.shared_spelling(folder)
    without_folders = partial(paths.respell_json, spell=spell)
    document = _document(state.intention, spell, without_folders)
    if tables := paths.table_shapes(state, spell):
        document[TABLES] = tables
    return format_json(_merged(document, without_folders(extra)))


def title_of(state: Exploration) -> str:
    """Return the title of a picture or figure in the properties of its file."""
    return f"{state.encoding.display_name()} positional encoding"


def _document(state: Exploration, spell: Spelling, change: Change) -> dict[str, Any]:
    """Return the document to save: files spelled by `spell`, unknown values changed by `change`."""

    def of_encoding(e: Encoding | Unknown) -> dict[str, Any]:
        return {"name": e.name, **paths.respell_parameters(e.name, e.parameters, spell, change)}

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
        files = {name: spell(path) for name, path in paths.paths_in(options).items()}
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
    """Return the exploration that a text holds: JSON as `dumps` writes it, perhaps edited.

    Relative names of files in it begin in `folder`. Raises `SessionError` if the text is not a JSON
    object, or not one of this program.
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
    """Return the session in a JSON file, a figure, or beside data; raises `SessionError`."""
    if not os.fspath(path):
        raise SessionError("the name is empty; give the name of a file")
    source = Path(path)
    if source.suffix.lower() not in DATA:
        return read_itself(source)
    try:
        with _naming_system_errors():
            file_size(source)
    except SessionError as error:
        raise SessionError(f"{source}: {error.problem}") from None
    if beside := found_side_file(source):
        return read_itself(beside)
    problem = f"{source}: no session file {side_file(source).name} was found beside these data"
    raise SessionError(f"{problem}; choose another file, or export them with their session")


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


# -- the text of a session in what carries it: a JSON file, a figure, a file beside data -----------


def session_text(path: Path) -> str:
    """Return the text of the session in a JSON file or a figure; raises `SessionError`."""
    with _naming_system_errors():
        size = file_size(path)
    _require_size(size, MOST_BYTES, "session or picture of this program")
    with _naming_system_errors():
        data = read_bytes(path, MOST_BYTES)
    if data.startswith(b"\x89PNG"):
        try:
            texts = text_of(data, PNG_KEY)
        except PngError as error:
            raise SessionError(f"{error}; choose another file") from None
        if PNG_KEY in texts:
            _require_size(len(texts[PNG_KEY]), MOST_JSON, "session")
            return texts[PNG_KEY]
        if PNG_KEY.encode() in data:
            raise SessionError("a picture whose session is damaged; choose another file")
        raise _without_session("picture")
    if data.startswith(b"%PDF"):
        return _text_of_element(data, "PDF file")
    start = data[:_START_BYTES].removeprefix(codecs.BOM_UTF8)
    if start.lstrip().startswith(b"<"):  # like XML, which JSON does not
        return _text_of_element(data, "drawing (SVG)")
    _require_size(len(data), MOST_JSON, "session")
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        remedy = "choose a session (JSON) or a figure (PNG, PDF, SVG) of this program"
        raise SessionError(f"not a text; {remedy}") from None


def _text_of_element(data: bytes, kind: str) -> str:
    try:
        text = session_element.text_in(data, MOST_JSON)
    except ElementError as error:
        raise SessionError(f"a {kind} that cannot be used: {error}; choose another file") from None
    if text is None:
        raise _without_session(kind)
    _require_size(len(text), MOST_JSON, "session")
    return text


def _without_session(kind: str) -> SessionError:
    remedy = "choose one that was exported together with its session"
    return SessionError(f"a {kind} without a session; {remedy}")


def side_file(path: Path | str) -> Path:
    """Return the file beside exported data that holds their session."""
    data = os.fspath(path)
    if os.path.islink(data):  # noqa: PTH114 - of names that are too long, Path raises
        data = os.path.realpath(data)  # an export follows it
    return Path(f"{data}.session.json")


def set_aside(path: Path | str) -> Path:
    """Return where the session beside data is while other data take their place."""
    return side_file(path).with_suffix(".part")


def found_side_file(data: Path | str) -> Path | None:
    """Return the session's file beside exported data, if there is one.

    It is still set aside if an export was killed before other data, which are newer, took the
    place of its own.
    """
    side, aside = side_file(data), set_aside(data)
    if os.path.exists(side):
        return side
    try:
        is_theirs = os.stat(data).st_mtime_ns <= aside.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    return aside if is_theirs else None


@contextmanager
def _naming_system_errors() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise SessionError(f"{reason(error)}; choose another file") from None


def _require_size(size: int, most: int, what: str) -> None:
    if size > most:
        problem = f"has {size:,} bytes; no {what} is larger than {most:,}"
        raise SessionError(f"{problem}; choose another file")


# -- texts in PNG files: chunks iTXt, tEXt and zTXt of the PNG specification -----------------------


class PngError(ValueError):
    """Bytes that are no PNG file, or a damaged one."""


def text_of(png: bytes, *keys: str) -> dict[str, str]:
    """Return the texts of a PNG file by keyword (iTXt, tEXt and zTXt); damaged ones are left out.

    Only those with `keys` are unpacked; without keys, all. Raises `PngError` if `png` is no PNG
    file, or ends too early.
    """
    found = {}
    unpacker = _Unpacker()
    for number, (kind, data) in enumerate(_chunks(png)):
        if number == _MOST_CHUNKS:
            raise PngError("a PNG picture in far too many pieces")
        if kind not in _READERS:
            continue
        name, _, _ = bytes(data[: _LONGEST_KEY + 1]).partition(b"\0")
        key = name.decode("latin-1")
        if not keys or key in keys:
            with suppress(ValueError, IndexError, zlib.error):
                found[key] = _READERS[kind](bytes(data[len(name) + 1 :]), unpacker)
    return found


def _chunks(png: bytes) -> Iterator[tuple[bytes, memoryview]]:
    if not png.startswith(_SIGNATURE):
        raise PngError("not a PNG picture")
    place, whole = len(_SIGNATURE), memoryview(png)
    if place == len(png):
        raise PngError("a PNG picture that ends too early")
    while place < len(png):
        if place + 12 > len(png):
            raise PngError("a PNG picture that ends too early")
        length, kind = struct.unpack_from(">I4s", png, place)
        data = whole[place + 8 : place + 8 + length]
        if len(data) < length:
            raise PngError("a PNG picture that ends too early")
        if not kind.isalpha():
            raise PngError("a damaged PNG picture")
        yield kind, data
        place += length + 12


class _Unpacker:
    """Unpacks texts up to a total of `_MOST_TEXT` bytes."""

    def __init__(self) -> None:
        self._left = _MOST_TEXT

    def unpack(self, data: bytes) -> bytes:
        """Return what was compressed; raises `ValueError` or `zlib.error`."""
        stream = zlib.decompressobj()
        parts = []
        while self._left > 0 and not stream.eof:
            most = min(self._left, _PIECE)
            self._left -= most  # also where it turns out to be damaged
            part = stream.decompress(data, most)
            self._left += most - len(part)
            if not part:
                break
            parts.append(part)
            data = stream.unconsumed_tail
        if not stream.eof:
            raise ValueError("a text that is cut off, or too long")
        return b"".join(parts)


def _international(rest: bytes, unpacker: _Unpacker) -> str:
    compressed = rest[0]
    _language, _translated_key, text = rest[2:].split(b"\0", 2)
    return (unpacker.unpack(text) if compressed else text).decode()


_READERS: Mapping[bytes, Callable[[bytes, _Unpacker], str]] = {
    b"iTXt": _international,
    b"tEXt": lambda rest, _: rest.decode("latin-1"),
    b"zTXt": lambda rest, unpacker: unpacker.unpack(rest[1:]).decode("latin-1"),
}


# -- the tables of an exploration: they are not overwritten, and it is noted if they have changed --


def refuse_sources(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if a file to be written is a table that `state` names.

    Also if the table is missing: its name would lead to something else from then on.
    """
    for table in paths.all_paths(state):
        problem = ""
        with suppress(OSError, ValueError):
            if os.path.realpath(path).casefold() == os.path.realpath(table).casefold():
                problem = "is the name of a table that this is made from, and that is missing"
        with suppress(OSError, ValueError):
            if Path(path).samefile(table):
                problem = "holds the table that this is made from; it would be overwritten"
        if problem:
            raise OutputError(path, f"{problem}; choose another file")


_LONGEST_TYPE = 20  # characters


def changed_tables(exported: object, state: Exploration, folder: Folder) -> Iterator[str]:
    """Yield a sentence for each table of `state` that has changed since the export.

    `exported` are shape and type of each, as `paths.table_shapes` gave them: perhaps edited, or none.
    `folder` is where the file with them lies.
    """
    if not isinstance(exported, dict):
        return
    spell = paths.shared_spelling(folder)
    encodings = {"encoding": state.encoding}
    for index, pin in enumerate(state.pins):
        encodings[f"pins[{index}].encoding"] = pin.encoding
    places: dict[Source, str] = {}
    for place, e in encodings.items():
        if isinstance(e, Stored):
            places.setdefault(e.source, place)  # one sentence for each table
    for source, place in places.items():
        then = _described(exported.get(paths.table_key(source, spell)))
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
