"""Text in PNG files: what a picture carries with it (PNG specification, chunk iTXt)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping

__all__ = ["PngError", "text_of", "with_text"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_TEXT = 1 << 24  # bytes that a text may unpack to


class PngError(ValueError):
    """Bytes that are no PNG file, or a damaged one."""


def with_text(png: bytes, texts: Mapping[str, str]) -> bytes:
    """Return a PNG file with texts added, as compressed UTF-8.

    Parameters
    ----------
    png : bytes
        A whole PNG file.
    texts : mapping of str to str
        By keyword: 1 to 79 Latin-1 characters, such as ``Title`` or ``Software``.

    Raises
    ------
    PngError
        If `png` is no PNG file.
    """
    chunks = list(_chunks(png))
    if not chunks:
        raise PngError("a PNG picture that ends too early")
    added = [(b"iTXt", key.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text.encode())) for key, text in texts.items()]
    return _SIGNATURE + b"".join(_packed(*chunk) for chunk in (chunks[0], *added, *chunks[1:]))


def text_of(png: bytes) -> dict[str, str]:
    """Return the texts of a PNG file by keyword (iTXt, tEXt and zTXt); damaged ones are left out.

    Raises
    ------
    PngError
        If `png` is no PNG file, or ends too early.
    """
    found = {}
    for kind, data in _chunks(png):
        if kind in _READERS:
            key, _, rest = data.partition(b"\0")
            try:
                found[key.decode("latin-1")] = _READERS[kind](rest)
            except (ValueError, IndexError, zlib.error):
                continue
    return found


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_SIGNATURE):
        raise PngError("not a PNG picture")
    place = len(_SIGNATURE)
    while place < len(png):
        if place + 12 > len(png):
            raise PngError("a PNG picture that ends too early")
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        data = png[place + 8 : place + 8 + length]
        if len(data) < length:
            raise PngError("a PNG picture that ends too early")
        yield kind, data
        place += length + 12


def _packed(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _international(rest: bytes) -> str:
    compressed, text = rest[0], rest[2:].split(b"\0", 2)[2]  # past method, language and translated keyword
    return (_unpacked(text) if compressed else text).decode()


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, _MOST_TEXT)
    if not unpacker.eof:
        raise ValueError("a text that is cut off, or has more than 16 MB")
    return text


_READERS: Mapping[bytes, Callable[[bytes], str]] = {
    b"iTXt": _international,
    b"tEXt": lambda rest: rest.decode("latin-1"),
    b"zTXt": lambda rest: _unpacked(rest[1:]).decode("latin-1"),
}
