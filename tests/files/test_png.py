import tracemalloc
import zlib

import pytest

from pe_explorer.files.png import PngError, text_of
from tests.support.pngs import PIXEL, PNG, SIGNATURE, chunk, with_text


def test_texts_come_back():
    texts = {"Title": "a title", "PE Explorer session": '{"é": "日本"}\n' * 1000, "empty": ""}
    assert text_of(with_text(PNG, texts)) == texts


def read(*chunks):
    return text_of(SIGNATURE + PIXEL[0] + b"".join(chunks) + PIXEL[2])


def test_texts_of_other_programs_are_read_and_damaged_ones_left_out():
    packed = chunk(b"zTXt", b"Long\0\0" + zlib.compress(b"packed"))
    found = read(chunk(b"tEXt", b"Author\0someone \xe9"), packed)
    assert found == {"Author": "someone é", "Long": "packed"}
    bad = [chunk(b"iTXt", b"a\0"), chunk(b"iTXt", b"b\0\1\0\0\0not zlib"), chunk(b"zTXt", b"c")]
    assert read(*bad, chunk(b"tEXt", b"ok\0fine")) == {"ok": "fine"}
    assert read(chunk(b"zTXt", b"bomb\0\0" + zlib.compress(bytes(1 << 25)))) == {}


KEY = "PE Explorer session"


def peak(png, *keys):
    """Return the texts of a picture, and the most memory that reading them took."""
    tracemalloc.start()
    try:
        found = text_of(png, *keys)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def bomb(*names):
    """Return a small picture with a text that unpacks to 16 MB for each name."""
    packed = zlib.compress(b" " * (1 << 24), 9)
    texts = b"".join(chunk(b"zTXt", name.encode() + b"\0\0" + packed) for name in names)
    return SIGNATURE + PIXEL[0] + texts + PIXEL[2]


def test_only_the_texts_that_are_wanted_are_unpacked():
    png = bomb(*(f"n{number}" for number in range(20)))
    found, most = peak(with_text(png, {KEY: "ours"}), KEY)
    assert found == {KEY: "ours"}
    assert most < 1 << 21


def test_all_texts_of_a_file_have_one_limit():
    assert peak(bomb(*[KEY] * 20), KEY)[1] < 1 << 26
    assert peak(bomb(*(f"n{number}" for number in range(20))))[1] < 1 << 26


def test_texts_that_are_damaged_at_their_end_count_too(monkeypatch):
    unpacked = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self):
            self.inner = real()

        def decompress(self, data, most):
            unpacked.append(most)
            return self.inner.decompress(data, most)

        def __getattr__(self, name):
            return getattr(self.inner, name)

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    damaged = zlib.compress(bytes(1 << 20), 9)[:-4] + b"oops"
    text_of(
        SIGNATURE + PIXEL[0] + chunk(b"zTXt", KEY.encode() + b"\0\0" + damaged) * 200 + PIXEL[2],
        KEY,
    )
    assert 0 < sum(unpacked) <= 1 << 24


def test_what_is_no_picture_is_refused():
    for rest in (bytes(1 << 16), PIXEL[0] + chunk(b"teXt", b"") * (1 << 18)):
        with pytest.raises(PngError, match=r"damaged|pieces"):
            text_of(SIGNATURE + rest)
    for data in (b"", b"GIF89a", PNG[:-5], SIGNATURE + b"\xff\xff\xff\xffIHDR", SIGNATURE):
        with pytest.raises(PngError):
            text_of(data)
