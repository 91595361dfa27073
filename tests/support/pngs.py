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


def with_text(png, texts):
    """Return a PNG file with texts added by keyword, as compressed UTF-8."""
    end = len(SIGNATURE) + len(PIXEL[0])  # of the header, which is the same size in all files
    added = [
        chunk(b"iTXt", key.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text.encode()))
        for key, text in texts.items()
    ]
    return png[:end] + b"".join(added) + png[end:]
