"""A small PNG file, built chunk by chunk."""

import struct
import zlib


def chunk(kind, data):
    """Return the bytes of one chunk, with its length and check sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL = (
    chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
    chunk(b"IDAT", zlib.compress(b"\0\0")),
    chunk(b"IEND", b""),
)
PNG = SIGNATURE + b"".join(PIXEL)
