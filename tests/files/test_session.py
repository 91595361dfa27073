import json
import os
import re
import time

import numpy as np
import pytest
from hypothesis import given

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import (
    PIN_COLOURS,
    DirectStore,
    Exploration,
    Panes,
    Pin,
    make_panes,
    resolve,
)
from pe_explorer.files import opening, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import PNG_KEY, SCHEMA_VERSION, dumps, loads
from tests.support.explorations import explorations
from tests.support.files import SOON
from tests.support.pngs import PNG, with_text
from tests.support.tables_in_files import numbers, put


@given(explorations())
def test_sessions_round_trip_exactly(state):
    actual = loads(dumps(state))
    assert actual.state == state
    assert actual.notes == ()
    assert not actual.is_newer


def test_sessions_differ_in_single_lines():
    old, new = (
        dumps(Exploration(encoding=encodings.create("sinusoidal", base=base))).splitlines()
        for base in (1e4, 1.5)
    )
    changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert changed == [('  "base": 10000.0,', '  "base": 1.5,')]
    assert json.loads("\n".join(old))["schema"] == SCHEMA_VERSION


def test_invalid_values_are_reported_and_replaced():
    document = json.loads(dumps(Exploration(count=7, reference=3)))
    document["encoding"] |= {"dim": 0, "layout": "diagonal"}
    document["positions"]["start"] = "soon"
    actual = loads(json.dumps(document))
    assert (actual.state.count, actual.state.reference, actual.state.start) == (7, 3, 0)
    assert actual.state.encoding == encodings.create("sinusoidal")
    named = {"encoding.dim": "128", "encoding.layout": "interleaved", "positions.start": "0"}
    for note, (name, default) in zip(actual.notes, named.items(), strict=True):
        assert note.startswith(f"{name}: ")
        assert default in note


@pytest.mark.parametrize(("length", "lengths"), [(None, None), (4096, ((4096, ""),))])
def test_the_marked_length_of_an_earlier_version_opens(length, lengths):
    document = json.loads(dumps(Exploration()))
    del document["views"]["frequencies"]["lengths"]
    document["views"]["frequencies"]["length"] = length
    found = loads(json.dumps(document))
    assert (found.notes, found.extra) == ((), {})
    assert pictures.find("frequencies")(found.state).options.lengths == lengths


def test_a_default_that_is_empty_is_called_none():
    document = json.loads(dumps(Exploration(encodings.create("learned"))))
    document["encoding"]["file"] = 5
    (note,) = loads(json.dumps(document)).notes
    assert re.match(r"encoding\.file: .*, got 5\.", note)
    assert "none" in note


def test_conflicting_positions_are_replaced_together():
    document = json.loads(dumps(Exploration(start=5)))
    document["positions"] = {"start": LIMIT, "count": 50}
    actual = loads(json.dumps(document))
    assert actual.state.positions == range(50)
    assert actual.notes[0].startswith("positions: 50 positions ")


def test_unknown_keys_are_preserved():
    document = json.loads(dumps(Exploration(pins=(Pin(encodings.create("index"), "a"),))))
    document["views"]["spectrum"] = {"scale": "log"}
    document["encoding"]["twist"] = document["pins"][0]["twist"] = 3
    document["pins"][0]["encoding"]["twist"] = 1
    for value in (None, {}, [], "", 0, {"a": {}}, [1, 2]):
        actual = loads(json.dumps(document | {"later": value}))
        assert json.loads(dumps(actual.state, actual.extra)) == document | {"later": value}
    edited = actual.state.with_(encoding=encodings.create("sinusoidal", dim=10))
    spelled = json.loads(dumps(edited, actual.extra))["encoding"]
    assert (spelled["dim"], spelled["twist"]) == (10, 3)


def test_the_side_file_is_found_after_a_killed_export(tmp_path):
    data, text = tmp_path / "t.npy", dumps(Exploration(count=7))
    side, aside = session.to_side_path(data), session.to_moved_path(data)
    assert (side.name, aside.name) == ("t.npy.session.json", "t.npy.session.part")
    aside.write_text(text)
    assert session.find_side_file(data) is None
    np.save(data, np.ones((2, 3)))
    for time_of_data, actual in ((5, aside), (6, aside), (7, None)):
        os.utime(data, ns=(0, time_of_data))
        os.utime(aside, ns=(0, 6))
        assert session.find_side_file(data) == actual
        kind = opening.SESSION if actual else opening.LEARNED_TABLE
        assert opening.find_kind(opening.read(data)) == kind
    side.write_text(text)
    assert session.find_side_file(data) == side
    assert session.read(data).state.count == 7


def test_digests_detect_changes_and_impossible_sessions(tmp_path, monkeypatch):
    path, large = tmp_path / "s.json", tmp_path / "large.json"
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    first = session.write(path, Exploration())
    assert (session.digest(path), len(synced)) == (first, 1)  # sessions are flushed to the disk
    assert session.write(path, Exploration(count=7)) == session.digest(path) != first
    for size, is_small in ((1 << 20, True), ((1 << 20) + 1, False)):
        large.write_bytes(dumps(Exploration()).encode().ljust(size))
        assert bool(session.digest(large)) == is_small
        if is_small:
            assert session.read(large).state == Exploration()
    missing = (tmp_path / "gone.json", path / "s.json", "a\0b")
    assert [session.digest(name) for name in missing] == [None] * 3
    assert session.digest(tmp_path) == ""


def test_shared_sessions_have_relative_paths_and_table_shapes(tmp_path):
    put(tmp_path / "pe.npy", numbers())
    (tmp_path / "v.txt").write_text("she 1 2\n", encoding="utf-8")
    e = encodings.create("learned", file=str(tmp_path / "pe.npy"))
    state = Exploration(e, count=7, pins=(Pin(e, "kept"),))
    state = pictures.with_options(state, "tokens", file=str(tmp_path / "v.txt"))
    extra = {"later": 1, "positions": {"count": 9, "x": 2}}
    text = session.dumps_for_sharing(resolve(state, DirectStore()), extra, tmp_path)
    document = json.loads(text)
    assert document["positions"] == {"start": 0, "count": 7, "x": 2}
    assert (document["later"], document["views"]["tokens"]["file"]) == (1, "v.txt")
    actual = loads(text, tmp_path)
    assert (actual.state, actual.notes) == (state, ())
    put(tmp_path / "pe.npy", numbers(5))
    (note,) = loads(text, tmp_path).notes  # one per table
    assert note.startswith("encoding.file: pe.npy had ")


def later(**keys):
    """Return the text of a session of a later version."""
    return json.dumps(
        json.loads(dumps(Exploration(count=9))) | {"schema": SCHEMA_VERSION + 1, **keys}
    )


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
def test_only_a_later_schema_is_newer(tmp_path, content, expected):
    path = tmp_path / "s.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert session.is_newer(path) is expected
    assert session.is_newer(str(path)) is expected


@pytest.mark.parametrize("way", ["itself", "relative", "link", "hard link"])
def test_a_later_session_is_not_overwritten_under_any_name(working_folder, way):
    path, name = working_folder / "s.json", working_folder / "other.json"
    path.write_text(later())
    if way == "link":
        name.symlink_to(path)
    if way == "hard link":
        name.hardlink_to(path)
    target = {"itself": path, "relative": "s.json"}.get(way, name)
    with pytest.raises(OutputError, match="a later version wrote it"):
        session.write(target, Exploration())
    assert path.read_text() == later()
    session.write(working_folder / "free.json", Exploration())
    session.write(working_folder / "free.json", Exploration(count=3))
    assert session.read(working_folder / "free.json").state.count == 3


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
def test_misspelt_keys_are_reported_with_a_suggestion(path, near):
    document = json.loads(dumps(Exploration(pins=(Pin(encodings.create("sinusoidal"), "a"),))))
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = 500
    (note,) = loads(json.dumps(document)).notes
    assert note.partition(":")[0].endswith(path[-1])
    assert f"'{near}'" in note


def document():
    result = [
        Pin(encodings.create("sinusoidal", base=base), f"b {base}", "teal")
        for base in (2.0, 3.0, 4.0)
    ]
    return json.loads(dumps(Exploration(pins=tuple(result), compared=2, count=7)))


def edited(*places):
    """Return a session with three pins after replacing values: (value, key, key, ...)."""
    result = document()
    for value, *path, last in places:
        at = result
        for key in path:
            at = at[key]
        at[last] = value
    return loads(json.dumps(result))


ENTRIES = [3, None, "pin", [], {}, {"name": "x"}, {"encoding": 4}, {"encoding": {"name": 4}}]


@pytest.mark.parametrize("entry", [*ENTRIES, {"encoding": {}}], ids=str)
def test_invalid_pins_are_reported_and_dropped(entry):
    actual = edited((entry, "pins", 1))
    assert [pin.name for pin in actual.state.pins] == ["b 2.0", "b 4.0"]
    assert actual.state.pin.name == "b 4.0"  # the third pin in the file
    assert actual.state.count == 7
    assert actual.notes[0].startswith("pins[1]")


def test_keys_are_validated_separately():
    actual = edited(
        (0, "pins", 0, "encoding", "dim"),
        ("infrared", "pins", 1, "colour"),
        (" ", "pins", 2, "name"),
    )
    assert [pin.encoding.base for pin in actual.state.pins] == [2.0, 3.0, 4.0]
    assert [note.split(":")[0] for note in actual.notes] == [
        "pins[0].encoding.dim",
        "pins[1].colour",
        "pins[2].name",
    ]
    assert actual.state.pins[0].encoding.dim == 128
    assert actual.state.pins[1].colour in PIN_COLOURS
    assert actual.state.pins[2].name == "sinusoidal d=128 b=4"
    nameless = edited(({"name": 4, "dim": 8}, "encoding"))
    assert (nameless.state.encoding, nameless.state.count) == (encodings.create("sinusoidal"), 7)
    assert re.match(r"encoding\.name: .*, got 4\.", nameless.notes[0])


def test_pins_must_be_a_list_of_at_most_8():
    for value in (3, "pins", {"name": "x"}, None):
        actual = edited((value, "pins"))
        assert actual.state.pins == ()
        assert actual.notes[0].startswith("pins: ")
    actual = edited((document()["pins"] * 4, "pins"))
    assert len(actual.state.pins) == 8
    assert re.match(r"pins: .* 8 pins, got 12\.", actual.notes[0])
    actual = edited((document()["pins"] * 2 + document()["pins"][:2], "pins"))
    assert (len(actual.state.pins), actual.notes) == (8, ())


def test_the_compared_pin_is_validated():
    for compared, taken in ((0, 0), (7, 2), (8, 0), (-1, 0), ("x", 0)):
        assert edited((compared, "comparison", "compared")).state.compared == taken
    result = document()
    del result["pins"], result["comparison"]  # as in versions without pins
    actual = loads(json.dumps(result))
    assert (actual.state.pins, actual.notes) == ((), ())


PANES = make_panes(("clocks", "heatmap"), "stacked", "heatmap")
FOR_PEOPLE = {"views": ["clocks", "heatmap"], "arrangement": "stacked", "active": "heatmap"}
MANY = 200_000


def opened(panes):
    """Return a session with these panes, after checking that reading is fast."""
    document = json.loads(dumps(Exploration(count=7)))
    text = json.dumps({**document, "panes": panes})
    start = time.thread_time()
    actual = loads(text)
    assert time.thread_time() - start < SOON
    assert actual.state.with_(panes=None) == Exploration(count=7), "the rest opens"
    return actual


def test_panes_round_trip():
    text = dumps(Exploration(panes=PANES))
    assert json.loads(text)["panes"] == FOR_PEOPLE
    assert loads(text).state.panes == PANES
    assert loads(text).notes == ()


def test_missing_panes_have_defaults():
    text = dumps(Exploration())
    assert "panes" not in json.loads(text)
    assert loads(text).state.panes is None
    one, two = Panes(("clocks",), "one"), make_panes(("clocks", "heatmap"))
    for entry, panes in (
        ({"views": ["clocks"]}, one),
        ({"views": ["clocks", "heatmap"]}, two),
        ({"views": ["clocks"], "active": ""}, one),
        ({}, None),
        ({"other": 1}, None),  # as in sessions of exported data
    ):
        actual = opened(entry)
        assert (actual.state.panes, actual.notes) == (panes, ())


MISFITS = [  # invalid panes, and the start of the note
    (None, "panes: "),
    ([], "panes: "),
    (7, "panes: "),
    ({"active": "clocks"}, "panes.views: .*, got None"),
    ({"views": "clocks"}, "panes.views: "),
    ({"views": {"clocks": 1}}, "panes.views: "),
    ({"views": []}, "panes: "),
    ({"views": ["clocks"] * MANY}, "panes: "),
    ({"views": ["clocks", "clocks"]}, "panes: "),
    ({"views": ["clocks", "clock"]}, "panes.views: .*, got 'clock'"),
    ({"views": ["x" * MANY]}, "panes.views: "),
    ({"views": [f"x{number}" for number in range(MANY)]}, "panes.views: .*, got 'x0'"),
    ({"views": [None]}, "panes.views: .*, got None"),
    ({"views": [["heatmap"]]}, r"panes.views: .*, got \['heatmap'\]"),
    ({"views": ["clocks"], "arrangement": "three"}, "panes: three"),
    ({"views": ["clocks"] * 12, "arrangement": "x", "active": "x"}, "panes: "),
]


@pytest.mark.parametrize(("given", "start"), MISFITS, ids=range(len(MISFITS)))
def test_invalid_panes_are_ignored(given, start):
    actual = opened(given)
    assert actual.state.panes is None
    (note,) = actual.notes
    assert re.match(start, note)
    assert len(note) < 300


def test_invalid_arrangements_have_defaults():
    for key in ("arrangement", "active"):
        for wrong in ("sideways", 3, [], {}, None, "x" * MANY, ["one"]):
            actual = opened({"views": ["clocks", "heatmap"], key: wrong})
            assert actual.state.panes == make_panes(("clocks", "heatmap"))
            (note,) = actual.notes
            assert note.startswith(f"panes.{key}: ")
            assert len(note) < 250
    assert "'beside'" in opened({"views": ["clocks"], "arrangement": "besides"}).notes[0]
    actual = opened({**FOR_PEOPLE, "later": {"x": 1}})
    assert actual.state.panes == PANES
    assert json.loads(dumps(actual.state, actual.extra))["panes"] == {
        **FOR_PEOPLE,
        "later": {"x": 1},
    }
