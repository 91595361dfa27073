"""Finds the text of a session in what carries it: a JSON file, a figure, a file beside data."""

from __future__ import annotations

import codecs
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pe_explorer.figures import session_element
from pe_explorer.figures.session_element import ElementError
from pe_explorer.params import ParameterError, reason
from pe_explorer.reading import file_size, read_bytes

PNG_KEY = "PE Explorer session"
TABLE = ".npy"
"""Ending of data that can be opened without a session, as a learned table."""
DATA = (TABLE, ".csv")
"""Endings of exported data, which have their session in a file beside them."""
FIGURES = (".png", ".pdf", ".svg")
"""Endings of pictures and figures, which can carry a session."""
MOST_BYTES = 1 << 26
"""Size of the largest file that is read, a figure."""
MOST_JSON = 1 << 20
"""Size of the longest text of a session."""
_START_BYTES = 1 << 10  # bytes from which the kind of a file is read

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1 << 17  # chunks of a file; the largest exported picture has some 10,000
_MOST_TEXT = 1 << 24  # bytes of all texts of a file, unpacked
_PIECE = 1 << 20  # bytes that are unpacked together
_LONGEST_KEY = 79  # bytes of a keyword


class SessionError(ParameterError):
    """A file from which no exploration can be read."""

    def __init__(self, problem: str) -> None:
        super().__init__("session", problem)


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


def existing_side_file(data: Path) -> Path:
    """Return the session's file beside exported data; raises `SessionError` if either is gone."""
    with _naming_system_errors():
        file_size(data)
    side, found = side_file(data), found_side_file(data)
    if found is None:
        problem = f"no session file {side.name} was found beside these data"
        raise SessionError(f"{problem}; choose another file, or export them with their session")
    return found


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


def _chunks(png: bytes) -> Iterator[tuple[bytes, memoryview[int]]]:
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
