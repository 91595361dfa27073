"""Texts in PNG files: chunks iTXt, tEXt and zTXt of the PNG specification, as they are read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1 << 17  # chunks of a file; the largest exported picture has some 10,000
_MOST_TEXT = 1 << 24  # bytes of all texts of a file, unpacked
_PIECE = 1 << 20  # bytes that are unpacked together
_LONGEST_KEY = 79  # bytes of a keyword


class PngError(ValueError):
    """Bytes that are no PNG file, or a damaged one."""


def text_of(png: bytes, *keys: str) -> dict[str, str]:
    """Return the texts of a PNG file by keyword (iTXt, tEXt and zTXt); damaged ones are left out.

    Parameters
    ----------
    png : bytes
        A whole PNG file.
    *keys : str
        Keywords of the texts that are wanted: others are not even unpacked. Without, all are.

    Raises
    ------
    PngError
        If `png` is no PNG file, or ends too early.
    """
    found = {}
    unpacker = _Unpacker()
    for number, (kind, data) in enumerate(_chunks(png)):
        if number == _MOST_CHUNKS:
            raise PngError("a PNG picture in far too many pieces")
        if kind not in _READERS:
            continue
        start = bytes(data[: _LONGEST_KEY + 1])
        name, _, _ = start.partition(b"\0")
        key = name.decode("latin-1")
        if not keys or key in keys:
            read = _READERS[kind]
            rest = bytes(data[len(name) + 1 :])
            with suppress(ValueError, IndexError, zlib.error):
                found[key] = read(rest, unpacker)
    return found


def _chunks(png: bytes) -> Iterator[tuple[bytes, memoryview[int]]]:
    if not png.startswith(_SIGNATURE):
        raise PngError("not a PNG picture")
    place = len(_SIGNATURE)
    whole = memoryview(png)
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
