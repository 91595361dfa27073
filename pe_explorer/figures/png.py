"""Write PNG files in chunks, which needs little memory and can be cancelled."""

import struct
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from pe_explorer.arrays import Bytes as Bytes
from pe_explorer.progress import report

_COLOUR_TYPES = {1: 3, 3: 2, 4: 6}  # colour types of the PNG specification, by bytes per pixel
_UP_FILTER = 2  # PNG filter that stores the difference from the row above
_MAX_WELL_COMPRESSED_PIXELS = 1 << 22  # for more pixels, low compression takes a third of the time

CHUNK_ROWS = 256  # number of pixel rows that are compressed between two checks for cancellation


def png(
    width: int,
    height: int,
    channels: int,
    parts: Iterable[Bytes],
    *,
    colours: Bytes | None = None,
    texts: Mapping[str, str] = MappingProxyType({}),
    dpi: float = 0.0,
) -> Iterator[bytes]:
    """Yield the bytes of a PNG file in chunks.

    Parameters
    ----------
    width, height : int
    channels : int
        Bytes per pixel: 1 for indices of a colour table, 3 for RGB, 4 for RGBA.
    parts : iterable of (rows, width, channels) uint8
        Pixels from top to bottom, in chunks of rows.
    colours : (n, 4) uint8, optional
        The colour table with at most 256 RGBA colours.
    texts : mapping
        Text chunks of the file, by keyword.
    dpi : float
        Resolution for printing, or 0 if unspecified.
    """
    yield b"\x89PNG\r\n\x1a\n"
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    yield _make_chunk(b"IHDR", header)
    if dpi:
        pixels_per_metre = round(dpi / 0.0254)
        density = struct.pack(">IIB", pixels_per_metre, pixels_per_metre, 1)
        yield _make_chunk(b"pHYs", density)
    for key, text in texts.items():
        packed_text = zlib.compress(text.encode())
        yield _make_chunk(b"iTXt", key.encode("latin-1") + b"\0\1\0\0\0" + packed_text)
    if colours is not None:
        yield _make_chunk(b"PLTE", colours[:, :3].tobytes())
        yield _make_chunk(b"tRNS", colours[:, 3].tobytes())
    compressor = zlib.compressobj(choose_compression_level(width * height))
    for part in parts:
        rows = part.reshape(-1, width * channels)
        filtered_rows = np.pad(rows, ((0, 0), (1, 0)))  # filter in column 0
        repeated_indices = 1 + np.flatnonzero((rows[1:] == rows[:-1]).all(axis=1))
        filtered_rows[repeated_indices] = 0
        filtered_rows[repeated_indices, 0] = _UP_FILTER
        yield _make_chunk(b"IDAT", compressor.compress(filtered_rows.tobytes()))
    yield _make_chunk(b"IDAT", compressor.flush())
    yield _make_chunk(b"IEND", b"")


def choose_compression_level(pixels: int) -> int:
    """Return the zlib compression level for a number of pixels."""
    return 1 if pixels > _MAX_WELL_COMPRESSED_PIXELS else 6


def iterate_rows(pixels: Bytes, progress: threading.Event) -> Iterator[Bytes]:
    """Yield pixels in chunks of rows.

    Report the completed fraction to `progress`, and raise `CancelledError` once it is set.
    """
    for first in range(0, len(pixels), CHUNK_ROWS):
        report(progress, first / len(pixels))
        yield pixels[first : first + CHUNK_ROWS]


def _make_chunk(kind: bytes, data: bytes) -> bytes:
    length = len(data).to_bytes(4, "big")
    check = zlib.crc32(data, zlib.crc32(kind))
    return length + kind + data + check.to_bytes(4, "big")
