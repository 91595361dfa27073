import json

import numpy as np
import pytest
from hypothesis import given

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import PNG_KEY, SCHEMA, dumps, loads
from tests.support.commands import exported
from tests.support.explorations import explorations
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
    named = {"encoding.dim": "128", "encoding.layout": "interleaved", "positions.start": "0"}
    for note, (name, default) in zip(found.notes, named.items(), strict=True):
        assert note.startswith(f"{name}: ")
        assert default in note


def test_a_default_that_is_empty_is_called_none():
    document = json.loads(dumps(Exploration(encodings.create("learned"))))
    document["encoding"]["file"] = 5
    (note,) = loads(json.dumps(document)).notes
    assert note.startswith("encoding.file: 5 ")
    assert "none" in note


def test_positions_that_do_not_go_together_are_dropped_together():
    document = json.loads(dumps(Exploration(start=5)))
    document["positions"] = {"start": LIMIT, "count": 50}
    found = loads(json.dumps(document))
    assert found.state.positions == range(50)
    assert found.notes[0].startswith("positions: ")


def test_a_newer_schema_opens_with_a_sentence():
    document = json.loads(dumps(Exploration(count=9))) | {"schema": SCHEMA + 1}
    found = loads(json.dumps(document))
    assert found.newer
    assert found.state.count == 9
    assert "A later version" in found.notes[0]


def test_commands_start_from_a_session(tmp_path):
    e = encodings.create("fraction", dim=2, length=8)
    state = Exploration(e, start=4, count=3, reference=4, metric="manhattan")
    session.write(tmp_path / "s.json", state)
    given = ["--session", str(tmp_path / "s.json")]
    expected = [[0.5, 0.5], [0.625, 0.625], [0.75, 0.75]]
    np.testing.assert_array_equal(exported(tmp_path, *given), expected)
    distances = exported(tmp_path, *given, "--what", "distances", "--positions", "4:6")
    np.testing.assert_array_equal(distances, [0, 0.25])
    assert exported(tmp_path, *given, "--length", "2")[0, 0] == 2


def test_unknown_keys_are_kept_whatever_they_hold():
    document = json.loads(dumps(Exploration(pins=(Pin(encodings.create("index"), "a"),))))
    document["views"]["spectrum"] = {"scale": "log"}
    document["encoding"]["twist"] = document["pins"][0]["twist"] = 3
    document["pins"][0]["encoding"]["twist"] = 1
    for value in (None, {}, [], "", 0, {"a": {}}, [1, 2]):
        found = loads(json.dumps(document | {"later": value}))
        assert json.loads(dumps(found.state, found.extra)) == document | {"later": value}
    edited = found.state.with_(encoding=encodings.create("sinusoidal", dim=10))
    spelled = json.loads(dumps(edited, found.extra))["encoding"]
    assert (spelled["dim"], spelled["twist"]) == (10, 3)


# -- sessions of a later version -------------------------------------------------------------------


def later(**keys):
    """Return the text of a session that a later version wrote."""
    return json.dumps(json.loads(dumps(Exploration(count=9))) | {"schema": SCHEMA + 1, **keys})


@pytest.mark.parametrize(
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
    names = [tmp_path / "missing.json", tmp_path, tmp_path / "s.json" / "s.json", "a\0b"]
    assert not any(map(session.newer, [*names, tmp_path / ("x" * 300)]))


@pytest.mark.parametrize("way", ["itself", "relative", "link", "hard link"])
def test_a_later_session_is_not_overwritten_by_whatever_name(tmp_path, monkeypatch, way):
    path, name = tmp_path / "s.json", tmp_path / "other.json"
    path.write_text(later())
    monkeypatch.chdir(tmp_path)
    if way == "link":
        name.symlink_to(path)
    if way == "hard link":
        name.hardlink_to(path)
    target = {"itself": path, "relative": "s.json"}.get(way, name)
    with pytest.raises(OutputError, match="a later version wrote it"):
        session.write(target, Exploration())
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
