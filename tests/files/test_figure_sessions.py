"""Sessions in PDF, SVG and PNG files."""

import contextlib
import time
import tracemalloc
import zlib
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from pe_explorer.exploration import Exploration
from pe_explorer.figures.session_element import make_session_element
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import FIGURE_KEY as STYLE, VIEW_KEY, Style
from pe_explorer.files import session
from pe_explorer.files.figure_request import (
    FigureRequest,
    format_figure_session,
    read_figure_request,
)
from pe_explorer.files.session import PngError, SessionError, dumps_for_sharing, read_texts
from tests.support.files import refused_session
from tests.support.pngs import PIXEL, PNG, SIGNATURE, chunk, with_text

MOST_JSON, MOST_BYTES = 1 << 20, 1 << 26
STATE = Exploration(start=-3, count=8)
EXTRA = {"later": "<&>\"' é 日本 \U0001f600 ]]> -- \x7f\x85\ufffe\ud800"}
TEXT = dumps_for_sharing(STATE, EXTRA)
BEGIN, END = b"<pe-explorer:session>", b"</pe-explorer:session>"


def pdf(*parts):
    """Return a minimal PDF file around metadata."""
    return b"\n".join((b"%PDF-1.4", *parts, b"trailer", b"%%EOF"))


def svg(*parts):
    """Return a minimal SVG file around metadata."""
    return b'<svg xmlns="http://www.w3.org/2000/svg">%s</svg>' % b"".join(parts)


def marked(text):
    return BEGIN + text + END


every_kind = pytest.mark.parametrize("kind", [pdf, svg], ids=["pdf", "svg"])


def refused(tmp_path, data):
    """Return why a file is refused, after checking that this is fast."""
    (tmp_path / "f").write_bytes(data)
    return refused_session(tmp_path / "f").removeprefix(f"{tmp_path / 'f'}: ")


def session_in(tmp_path, data):
    (tmp_path / "f").write_bytes(data)
    opened = session.read(tmp_path / "f")
    return opened.state, dict(opened.extra), opened.notes


INSIDE = make_session_element(TEXT).partition(">")[2].rpartition("<")[0].encode()
ESCAPED = [INSIDE.replace(b'"', sign) for sign in (b"&quot;", b"&#34;", b"&#x22;")]


@every_kind
def test_escaped_and_copied_sessions_are_read(tmp_path, kind):
    one = make_session_element(TEXT).encode()
    for parts in (
        [one],
        [one, b"other", one],
        [one, marked(ESCAPED[0])],
        *([marked(text)] for text in ESCAPED),
    ):
        assert session_in(tmp_path, kind(*parts)) == (STATE, EXTRA, ())
    assert "several sessions" in refused(tmp_path, kind(one, *map(marked, ESCAPED)))


def test_the_session_element_is_valid_xml(tmp_path):
    document = ET.fromstring(svg(make_session_element(TEXT).encode()))
    (inner,) = document
    assert inner.tag == "{urn:pe-explorer:}session"
    assert session.loads(inner.text).extra == EXTRA
    # As rewritten by another program.
    again = ET.tostring(document, encoding="utf-8")
    again = again.replace(b"ns1:session", b"pe-explorer:session")
    assert session_in(tmp_path, again.replace(b'"program"', b"&quot;program&quot;"))[0] == STATE
    starts = [b"\xef\xbb\xbf", b'\n <?xml version="1.0"?>\n', b"<!DOCTYPE svg>", b"<!-- a -->\r\n"]
    for start in starts:
        assert session_in(tmp_path, start + svg(make_session_element(TEXT).encode()))[0] == STATE


@pytest.mark.sampled(1)
@every_kind
def test_copies_of_a_long_session_are_read_quickly(tmp_path, kind):
    def time_of(copies):
        (tmp_path / "f").write_bytes(kind(*[marked(b"&quot;" * MOST_JSON)] * copies))
        start = time.thread_time()
        with pytest.raises(SessionError, match="not valid JSON"):
            session.read(tmp_path / "f")
        return time.thread_time() - start

    assert time_of(10) < 4 * time_of(1)


@every_kind
@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ((), "without a session. Choose one that was exported"),
        ((b"<pe-explorer:sessions>{}</pe-explorer:sessions>",), "without a session"),
        ((b"<pe-explorer:session",), "without a session"),
        ((BEGIN,), "its session is truncated, or too long"),
        ((BEGIN, TEXT.encode()), "its session is truncated, or too long"),
        ((marked(b"{}"), marked(b"{ }")), "it has several sessions"),
        ((marked(b"{}"), BEGIN), "its session is truncated"),
        ((marked(b""),), "is empty"),
        ((marked(b"{}"),), "no schema number"),
        ((marked(TEXT[:99].encode()),), "not valid JSON"),
        ((marked(b"\xff\xfe{}"),), "its session is damaged"),
        ((marked("{}".encode("utf-16")),), "its session is damaged"),
        ((marked(b"&" * 9999),), "not valid JSON"),
        ((marked(b"&#0;&#xffffffff;&#99999999999999999999;"),), "not valid JSON"),
        ((marked(b" " * (MOST_JSON + 1)),), "no session is larger"),
        ((marked(b" " * (6 * MOST_JSON + 1)),), "truncated, or too long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damaged_sessions_are_refused(tmp_path, kind, inside, says):
    assert says in refused(tmp_path, kind(*inside))


def test_compressed_sessions_are_not_found(tmp_path):
    """Other programs can compress metadata; this one does not."""
    stream = b"<< /Type /ObjStm /Filter /FlateDecode >>\nstream\n\x78\x9c\x01\nendstream"
    assert "a PDF file without a session" in refused(tmp_path, pdf(stream))
    assert "PDF" in refused(tmp_path, b"%PDF")
    assert "drawing (SVG)" in refused(tmp_path, b"<")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        (pdf, b"<pe-explorer:session "),
        (svg, BEGIN),
        (pdf, marked(b"{}") + b" "),
        (svg, marked(b"&quot;")),
        (pdf, b"<"),
        (svg, b"<pe-explorer:session" + b" " * 1001),
    ],
    ids=range(6),
)
def test_large_files_are_refused_quickly(tmp_path, kind, piece):
    assert refused(tmp_path, kind(piece * ((MOST_BYTES - 200) // len(piece))))


@every_kind
def test_truncated_and_too_large_sessions_are_refused(tmp_path, kind):
    assert "truncated" in refused(tmp_path, kind(BEGIN * 9 + b" " * (MOST_BYTES // 2)))
    (tmp_path / "f").write_bytes(kind(make_session_element(TEXT).encode()))
    with open(tmp_path / "f", "r+b") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(SessionError, match="67,108,865 bytes"):
        session.read(tmp_path / "f")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "beginning", [b"\x89PNG\r\n\x1a\n", b"%PDF-1.4\n", b"<svg>", b"{"], ids=range(4)
)
def test_a_gigabyte_of_zeros_and_noise_are_refused_in_little_memory(tmp_path, beginning):
    with open(tmp_path / "f", "wb") as file:
        file.write(beginning)
        file.truncate(1 << 30)
    with most_memory(MOST_JSON), pytest.raises(SessionError, match="1,073,741,824 bytes"):
        session.read(tmp_path / "f")
    noise = np.random.default_rng(0).bytes(MOST_BYTES - 20)
    with most_memory(2 * MOST_BYTES):  # the input and the bytes read
        refused(tmp_path, beginning + noise)


@contextlib.contextmanager
def most_memory(most):
    """Check the peak memory of a block in bytes."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= most + MOST_JSON


def test_texts_in_pictures_round_trip():
    texts = {"Title": "a title", "PE Explorer session": '{"é": "日本"}\n' * 1000, "empty": ""}
    assert read_texts(with_text(PNG, texts)) == texts


def read(*chunks):
    return read_texts(SIGNATURE + PIXEL[0] + b"".join(chunks) + PIXEL[2])


def test_damaged_texts_are_skipped():
    packed = chunk(b"zTXt", b"Long\0\0" + zlib.compress(b"packed"))
    longest = "k" * 79
    actual = read(chunk(b"tEXt", f"{longest}\0someone \xe9".encode("latin-1")), packed)
    assert actual == {longest: "someone é", "Long": "packed"}
    bad = [chunk(b"iTXt", b"a\0"), chunk(b"iTXt", b"b\0\1\0\0\0not zlib"), chunk(b"zTXt", b"c")]
    assert read(*bad, chunk(b"tEXt", b"ok\0fine")) == {"ok": "fine"}
    assert read(chunk(b"iTXt", b"nul\0\0\0\0\0a\0b")) == {"nul": "a\0b"}
    assert read(chunk(b"zTXt", b"bomb\0\0" + zlib.compress(bytes(1 << 25)))) == {}
    small = [chunk(b"zTXt", b"%d\0\0" % number + zlib.compress(b"x")) for number in range(99)]
    assert read(*small) == {str(number): "x" for number in range(99)}


KEY = "PE Explorer session"


def bomb(*names):
    """Return a small picture with a text per name that decompresses to 16 MB."""
    packed = zlib.compress(b" " * (1 << 24), 9)
    texts = b"".join(chunk(b"zTXt", name.encode() + b"\0\0" + packed) for name in names)
    return SIGNATURE + PIXEL[0] + texts + PIXEL[2]


def test_only_requested_texts_are_decompressed_within_a_limit():
    others = bomb(*(f"n{number}" for number in range(20)))
    with most_memory(1 << 20):
        assert read_texts(with_text(others, {KEY: "ours"}), KEY) == {KEY: "ours"}
    with most_memory(1 << 26):
        read_texts(bomb(*[KEY] * 20), KEY)
        assert [*read_texts(others)] == ["n0"]


def test_damaged_texts_count_for_the_limit(monkeypatch):
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
    read_texts(
        SIGNATURE + PIXEL[0] + chunk(b"zTXt", KEY.encode() + b"\0\0" + damaged) * 200 + PIXEL[2],
        KEY,
    )
    assert 0 < sum(unpacked) <= 1 << 24


def test_invalid_pictures_are_refused():
    for rest in (bytes(1 << 16), PIXEL[0] + chunk(b"teXt", b"") * (1 << 18)):
        with pytest.raises(PngError, match=r"damaged|chunks"):
            read_texts(SIGNATURE + rest)
    for data in (b"", b"GIF89a", PNG[:-5], SIGNATURE + b"\xff\xff\xff\xffIHDR", SIGNATURE):
        with pytest.raises(PngError):
            read_texts(data)


def test_figure_requests_round_trip(tmp_path):
    size, style = FigureSize(84, 60, "mm"), Style(title="a title", ticks=3)
    for request in (
        FigureRequest("distances", size, style, 2.0, "curve"),
        FigureRequest("plate", size, Style.default()),
    ):
        carried = session.loads(
            format_figure_session(request, STATE, {"later": 1}, tmp_path / "f.png")
        )
        assert (carried.state, carried.extra["later"]) == (STATE, 1)
        assert read_figure_request(carried.extra) == request
        entry = carried.extra[STYLE]
        for changed, actual in (
            ({"scale": "x"}, request._replace(scale=1.0)),
            ({"size": "x"}, None),
            ({VIEW_KEY: "heatmpa"}, None),
        ):
            assert read_figure_request({**carried.extra, STYLE: {**entry, **changed}}) == actual
        assert read_figure_request({**carried.extra, STYLE: {VIEW_KEY: "heatmap"}}) is None
    assert read_figure_request({}) is None
