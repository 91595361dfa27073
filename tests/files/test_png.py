import struct
import zlib

import pytest

from pe_explorer.files.png import PngError, text_of, with_text


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), chunk(b"IDAT", zlib.compress(b"\0\0")), chunk(b"IEND", b"")
PNG = SIGNATURE + b"".join(PIXEL)


def test_texts_come_back():
    texts = {"Title": "a title", "PE Explorer session": '{"é": "日本"}\n' * 1000, "empty": ""}
    assert text_of(with_text(PNG, texts)) == texts


def test_what_was_there_stays_and_every_chunk_is_whole():
    made = with_text(PNG, {"Title": "x"})
    assert made.startswith(SIGNATURE + PIXEL[0])
    assert made.endswith(PIXEL[1] + PIXEL[2])
    place = len(SIGNATURE)
    while place < len(made):
        length = struct.unpack(">I", made[place : place + 4])[0]
        body = made[place + 4 : place + 8 + length]
        assert struct.unpack(">I", made[place + 8 + length : place + 12 + length])[0] == zlib.crc32(body)
        place += length + 12


def test_texts_of_other_programs_are_read():
    texts = chunk(b"tEXt", b"Author\0someone \xe9"), chunk(b"zTXt", b"Long\0\0" + zlib.compress(b"packed"))
    assert text_of(SIGNATURE + PIXEL[0] + b"".join(texts) + PIXEL[2]) == {"Author": "someone é", "Long": "packed"}


def test_damaged_texts_are_left_out():
    bad = [chunk(b"iTXt", b"a\0"), chunk(b"iTXt", b"b\0\1\0\0\0not zlib"), chunk(b"zTXt", b"c"), chunk(b"tEXt", b"ok\0fine")]
    assert text_of(SIGNATURE + PIXEL[0] + b"".join(bad) + PIXEL[2]) == {"ok": "fine"}


def test_a_text_that_unpacks_to_too_much_is_left_out():
    bomb = chunk(b"zTXt", b"bomb\0\0" + zlib.compress(bytes(1 << 25)))
    assert text_of(SIGNATURE + PIXEL[0] + bomb + PIXEL[2]) == {}


@pytest.mark.parametrize("data", [b"", b"GIF89a", PNG[:-5], SIGNATURE + b"\xff\xff\xff\xffIHDR", SIGNATURE])
def test_no_png(data):
    with pytest.raises(PngError):
        with_text(data, {"Title": "x"})
