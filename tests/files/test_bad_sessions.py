"""Invalid and damaged session files open, or are refused quickly with a message."""

import json
import os
import sys
import zlib

import pytest

from pe_explorer import encodings, json_text, pictures
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files import session
from pe_explorer.files.session import PNG_KEY, SessionError, dumps, loads
from tests.support.files import refused_session as refused
from tests.support.pngs import PNG, with_text

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of pipes and devices")
STATE = Exploration(encoding=encodings.create("binary", dim=5), start=-3, count=8)
DOCUMENT = json.loads(dumps(STATE, {"later": [1, {"x": 2.5}]}))


def nested(levels):
    return '{"schema": 1, "encoding": ' + "[" * levels + "]" * levels + "}"


def in_picture(text):
    return with_text(PNG, {PNG_KEY: text})


@pytest.mark.sampled(40)
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        *((text.encode(), "not") for text in ("[]", "3", "null", "{", '{"a": NaN}', "\0")),
        (b"{}", "schema"),
        (b'{"schema": 1}', "encoding"),
        (b'{"schema": "1", "encoding": {}}', "schema"),
        (b" " * (session.MAX_SESSION_BYTES + 1), "the limit for a session"),
        (b"\xef\xbb\xbf", "is empty"),
        (nested(10**5).encode(), "nested too deeply"),
        (nested(900).encode(), "nested too deeply"),
        (nested(json_text.MAX_NESTING).encode(), "nested too deeply"),
        (in_picture(nested(10**5)), "nested too deeply"),
        (in_picture(" " * (session.MAX_SESSION_BYTES + 1)), "the limit for a session"),
        (PNG, "without a session"),
        (PNG[:40], "truncated"),
        (in_picture("{}" * 99).replace(zlib.compress(b"{}" * 99)[:9], b"\0" * 9), "damaged"),
        (b"\x89PNG", "not a PNG image"),
        (b'{"schema": 1, "encoding": {}, "x": 1e999}', "'1e999' is not allowed"),
        (b'{"schema": 1, "encoding": {}, "x": -Infinity}', "-Infinity is not allowed"),
        (b'{"schema": 1, "encoding": {}, "x": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b"\xff\xfe\0", "is not text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_invalid_contents_are_refused(tmp_path, content, says):
    (tmp_path / "s.json").write_bytes(content)
    message = refused(tmp_path / "s.json").replace(str(tmp_path), "")  # named after the case
    assert says in message


def test_unreadable_paths_are_refused(tmp_path):
    assert "folder" in refused(tmp_path)
    assert "no such file" in refused(tmp_path / "missing.json")
    assert "null" in refused(tmp_path / "a\0b.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "gone.json")
    assert "no such file" in refused(tmp_path / "link.json")
    assert "too long" in refused(tmp_path / ("x" * 300)).lower()
    with pytest.raises(SessionError, match="the name is empty"):
        session.read("")
    with open(tmp_path / "huge é.json", "wb") as file:
        file.truncate(1 << 30)
    assert "1,073,741,824 bytes" in refused(tmp_path / "huge é.json")


@posix
def test_endless_files_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.npy").symlink_to("/dev/zero")
    (tmp_path / "t.npy").touch()
    os.mkfifo(tmp_path / "t.npy.session.json")
    for name in (tmp_path / "pipe.json", "/dev/zero", tmp_path / "zero.npy", tmp_path / "t.npy"):
        assert "a device or a pipe" in refused(name)
    refused("/proc/kmsg")
    assert "empty" in refused("/proc/self/environ") or sys.platform != "linux"


@posix
def test_a_file_replaced_by_a_pipe_is_refused(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "s.json").write_text(dumps(STATE))
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *how: real(tmp_path / "pipe", *how))
    assert "a device or a pipe" in refused(tmp_path / "s.json")


def test_a_png_of_zeros_is_refused(tmp_path):
    with open(tmp_path / "p.png", "wb") as file:
        file.write(PNG[:8])
        file.truncate(session.MAX_FILE_BYTES)
    assert "a damaged PNG image" in refused(tmp_path / "p.png")


def test_data_whose_side_file_has_too_long_a_name(tmp_path):
    data = tmp_path / ("x" * 239 + ".npy")
    data.touch()
    with pytest.raises(SessionError, match=r"no session file x+\.npy\.session\.json was found"):
        session.read(data)
    (tmp_path / "loop.npy").symlink_to("loop.npy")
    with pytest.raises(SessionError, match=r"loop\.npy: .*symbolic links"):
        session.read(tmp_path / "loop.npy")


def test_a_file_without_permission_is_refused(tmp_path, monkeypatch):
    def denied(*args):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "s.json").write_text(dumps(STATE))
    monkeypatch.setattr(os, "open", denied)  # root can read anything
    assert refused(tmp_path / "s.json").endswith("permission denied. Choose another file.")


def test_file_names_and_encodings_of_sessions(tmp_path):
    for name in ("a b.json", "é日本.json", "quote'\".json", "no ending", "x.npy.json"):
        session.write(tmp_path / name, STATE)
        assert session.read(tmp_path / name).state == STATE
    for coding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (tmp_path / "s.json").write_bytes(dumps(STATE, {"é": "日本"}).encode(coding))
        actual = session.read(tmp_path / "s.json")
        assert (actual.state, actual.extra, actual.notes) == (STATE, {"é": "日本"}, ())


def test_a_picture_damaged_elsewhere_opens(tmp_path):
    picture = in_picture(dumps(STATE))
    at = picture.index(b"IDAT") + 6
    (tmp_path / "p.png").write_bytes(picture[:at] + b"\xff\xff" + picture[at + 2 :])
    assert session.read(tmp_path / "p.png").state == STATE


def test_surrogates_are_dropped_from_used_values():
    document = json.loads(dumps(Exploration(pins=(Pin(encodings.create("index"), "p"),))))
    halves = {"sentence": "a \ud800", "before": "\udfff b", "file": "\ud800.npy"}
    document["views"]["tokens"] |= halves
    document["pins"][0]["name"] = "\ud83d"
    document["encoding"] = {"name": "learned", "file": "\ud800.npy"}
    actual = loads(json.dumps(document), "/a")
    assert pictures.find("tokens")(actual.state).options == pictures.find("tokens").Options()
    assert actual.state.pins[0].name == "index d=16"
    assert actual.state.encoding == encodings.create("learned")
    assert len(actual.notes) == 5
    assert all(note.isprintable() for note in actual.notes)
    assert "\\ud" not in dumps(actual.state)
    reopened = loads(json.dumps(DOCUMENT | {"\ud800": "\udfff é"}))
    text = dumps(reopened.state, reopened.extra)
    assert text.encode()
    assert loads(text).extra["\ud800"] == "\udfff é"
