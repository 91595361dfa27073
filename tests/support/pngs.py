"""A small PNG file that is built chunk by chunk."""

import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL = (
    chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
    chunk(b"IDAT", zlib.compress(b"\0\0")),
    chunk(b"IEND", b""),
)
PNG = SIGNATURE + b"".join(PIXEL)


def with_text(png, texts):
    end = len(SIGNATURE) + len(PIXEL[0])  # the end of the header, which has a fixed size
    added = [
        chunk(b"iTXt", key.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text.encode()))
        for key, text in texts.items()
    ]
    return png[:end] + b"".join(added) + png[end:]


def pixels_of(png):
    """Return the rows of a PNG file and its palette, decoded according to the specification."""
    assert png[:8] == SIGNATURE
    chunks, place = {}, 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, data = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        assert struct.pack(">I", zlib.crc32(kind + data)) == png[place + 8 + length :][:4]
        chunks[kind] = chunks.get(kind, b"") + data
        place += 12 + length
    width, height, depth, colours, *others = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, others) == (8, [0, 0, 0])
    size = width * {2: 3, 3: 1, 6: 4}[colours]
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == height * (size + 1)
    rows, above = [], bytes(size)
    for first in range(0, len(lines), size + 1):
        kind, line = lines[first], lines[first + 1 : first + 1 + size]
        assert kind in (0, 2)  # filter types: none, and the difference from the row above
        added = above if kind == 2 else bytes(size)
        above = bytes((one + other) % 256 for one, other in zip(line, added, strict=True))
        rows.append(above)
    return rows, chunks.get(b"PLTE", b"")
