import contextlib
import json
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings
from pe_explorer.commandline.main import main
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import PNG_KEY, SCHEMA, SessionError, dumps, loads
from tests.support.cases import for_each
from tests.support.explorations import explorations
from tests.support.files import SOON
from tests.support.pngs import PNG, with_text


@given(explorations())
def test_what_is_saved_comes_back_bit_for_bit(state):
    found = loads(dumps(state))
    assert found.state == state
    assert found.notes == ()
    assert not found.newer


def test_it_is_readable_and_differs_by_lines():
    old, new = (
        dumps(Exploration(encoding=encodings.create("sinusoidal", base=base))).splitlines()
        for base in (1e4, 1.5)
    )
    changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert changed == [('  "base": 10000.0,', '  "base": 1.5,')]
    assert json.loads("\n".join(old))["schema"] == SCHEMA


def test_what_cannot_be_used_is_named_and_dropped_and_the_rest_opens():
    document = json.loads(dumps(Exploration(count=7, reference=3)))
    document["encoding"] |= {"dim": 0, "layout": "diagonal"}
    document["positions"]["start"] = "soon"
    found = loads(json.dumps(document))
    assert (found.state.count, found.state.reference, found.state.start) == (7, 3, 0)
    assert found.state.encoding == encodings.create("sinusoidal")
    assert [note.split(":")[0] for note in found.notes] == [
        "encoding.dim",
        "encoding.layout",
        "positions.start",
    ]
    assert [note.rpartition("; ")[2] for note in found.notes] == [
        f"the default, {value}, is used." for value in ("128", "interleaved", "0")
    ]


def test_a_default_that_is_empty_is_called_none():
    document = json.loads(dumps(Exploration(encodings.create("learned"))))
    document["encoding"]["file"] = 5
    (note,) = loads(json.dumps(document)).notes
    assert note.startswith("encoding.file: 5 is not the name of a file")
    assert note.endswith("; the default, none, is used.")


def test_positions_that_do_not_go_together_are_dropped_together():
    document = json.loads(dumps(Exploration(start=5)))
    document["positions"] = {"start": LIMIT, "count": 50}
    found = loads(json.dumps(document))
    assert found.state.positions == range(50)
    assert found.notes[0].startswith("positions: ")


def test_unknown_keys_are_kept():
    document = json.loads(dumps(Exploration())) | {"later": [1, 2]}
    document["views"]["spectrum"] = {"scale": "log"}
    document["encoding"]["twist"] = 3
    found = loads(json.dumps(document))
    again = json.loads(dumps(found.state, found.extra))
    assert again["later"] == [1, 2]
    assert again["views"]["spectrum"] == {"scale": "log"}
    assert again["encoding"]["twist"] == 3
    assert again == document


def test_a_newer_schema_opens_with_a_sentence():
    document = json.loads(dumps(Exploration(count=9))) | {"schema": SCHEMA + 1}
    found = loads(json.dumps(document))
    assert found.newer
    assert found.state.count == 9
    assert "A later version" in found.notes[0]


def test_an_unknown_encoding_is_named():
    document = json.loads(dumps(Exploration(count=9)))
    document["encoding"] = {"name": "sinusoid", "dim": 4}
    found = loads(json.dumps(document))
    assert "did you mean 'sinusoidal'" in found.notes[0]
    assert found.state.count == 9


@for_each(
    "text",
    [
        "",
        "  ",
        "[]",
        "3",
        "null",
        "{}",
        '{"schema": 1}',
        '{"schema": "1", "encoding": {}}',
        "{",
        "[" * 10**5,
        '{"a": NaN}',
        "\0",
    ],
)
def test_what_is_no_session_is_refused_with_a_sentence(text):
    with pytest.raises(SessionError) as caught:
        loads(text)
    assert len(caught.value.problem) < 200


@given(st.data())
def test_a_damaged_session_opens_or_is_refused_quickly(data):
    text = dumps(Exploration())
    for _ in range(data.draw(st.integers(1, 8))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.text(max_size=6)) + text[at + length :]
    start = time.thread_time()
    with contextlib.suppress(SessionError):
        assert isinstance(loads(text).state, Exploration)
    assert time.thread_time() - start < SOON


def test_files_and_pictures(tmp_path):
    state = Exploration(start=12, count=3, encoding=encodings.create("binary", dim=4))
    session.write(tmp_path / "a é b.json", state)
    assert session.read(tmp_path / "a é b.json").state == state
    (tmp_path / "p.png").write_bytes(with_text(PNG, {PNG_KEY: dumps(state)}))
    assert session.read(tmp_path / "p.png").state == state
    (tmp_path / "other.png").write_bytes(PNG)
    (tmp_path / "cut.png").write_bytes(PNG[:-3])
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\0")
    with open(tmp_path / "huge.json", "wb") as file:
        file.truncate(1 << 30)
    for name, says in (
        ("other.png", "without a session"),
        ("cut.png", "ends too early"),
        ("bytes", "not a text"),
        ("huge.json", "no session or picture"),
        (".", "folder"),
        ("missing.json", "no such file"),
    ):
        with pytest.raises(SessionError, match=says):
            session.read(tmp_path / name)


def test_commands_start_from_a_session(tmp_path, capsys):
    state = Exploration(
        encoding=encodings.create("fraction", dim=2, length=8),
        start=4,
        count=3,
        reference=4,
        metric="manhattan",
    )
    session.write(tmp_path / "s.json", state)
    given = ["--session", str(tmp_path / "s.json")]
    assert main(["export", *given, "-o", str(tmp_path / "t.npy")]) == 0
    np.testing.assert_array_equal(
        np.load(tmp_path / "t.npy"), [[0.5, 0.5], [0.625, 0.625], [0.75, 0.75]]
    )
    assert (
        main(
            [
                "export",
                *given,
                "--what",
                "distances",
                "--positions",
                "4:6",
                "-o",
                str(tmp_path / "d.npy"),
            ]
        )
        == 0
    )
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), [0, 0.25])
    assert main(["export", *given, "--length", "2", "-o", str(tmp_path / "t.npy")]) == 0
    assert np.load(tmp_path / "t.npy")[0, 0] == 2
    assert main(["code", "--session", str(tmp_path / "no.json")]) == 2
    assert "--session: " in capsys.readouterr().err


@pytest.mark.parametrize("value", [None, {}, [], "", 0, {"a": {}}])
def test_unknown_keys_are_kept_whatever_they_hold(value):
    document = json.loads(dumps(Exploration())) | {"later": value}
    found = loads(json.dumps(document))
    assert json.loads(dumps(found.state, found.extra)) == document


# -- sessions of a later version -------------------------------------------------------------------


def later(**keys):
    """Return the text of a session that a later version wrote."""
    return json.dumps(json.loads(dumps(Exploration(count=9))) | {"schema": SCHEMA + 1, **keys})


@for_each(
    ("content", "expected"),
    [
        (later(), True),
        (later(positions=[], encoding="one", views=3), True),
        (with_text(PNG, {PNG_KEY: later()}), True),
        (dumps(Exploration()), False),
        (later(schema=True), False),
        (later(schema="2"), False),
        ('{"schema": 99}', False),
        ("", False),
        ("[" * 10**5, False),
        (PNG, False),
        (b"\xff\xfe\0", False),
    ],
    ids=range(11),
)
def test_newer_is_only_a_session_of_a_later_schema(tmp_path, content, expected):
    path = tmp_path / "s.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert session.newer(path) is expected
    assert session.newer(str(path)) is expected


def test_what_is_no_file_is_not_newer(tmp_path):
    assert not session.newer(tmp_path / "missing.json")
    assert not session.newer(tmp_path)
    assert not session.newer(tmp_path / "s.json" / "s.json")
    assert not session.newer(tmp_path / ("x" * 300))
    assert not session.newer("a\0b")


@pytest.mark.parametrize("way", ["itself", "relative", "link", "hard link"])
def test_a_later_session_is_not_overwritten_by_whatever_name(tmp_path, monkeypatch, way):
    path, name = tmp_path / "s.json", tmp_path / "other.json"
    path.write_text(later())
    monkeypatch.chdir(tmp_path)
    if way == "link":
        name.symlink_to(path)
    if way == "hard link":
        name.hardlink_to(path)
    with pytest.raises(
        OutputError,
        match=(
            "a later version wrote it, and it may hold settings that this "
            "version does not know; choose another name"
        ),
    ):
        session.write({"itself": path, "relative": "s.json"}.get(way, name), Exploration())
    assert path.read_text() == later()
    session.write(tmp_path / "free.json", Exploration())
    session.write(tmp_path / "free.json", Exploration(count=3))
    assert session.read(tmp_path / "free.json").state.count == 3


@pytest.mark.parametrize(
    ("path", "near"),
    [
        (("encoding", "bse"), "base"),
        (("positions", "cuont"), "count"),
        (("pins", 0, "colr"), "colour"),
        (("pins", 0, "encoding", "dims"), "dim"),
        (("views", "waves", "hights"), "heights"),
        (("encodng",), "encoding"),
    ],
)
def test_a_misspelt_key_is_named_with_the_nearest(path, near):
    document = json.loads(dumps(Exploration(pins=(Pin(encodings.create("sinusoidal"), "a"),))))
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = 500
    (note,) = loads(json.dumps(document)).notes
    assert path[-1] in note
    assert near in note
