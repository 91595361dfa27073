"""Pins and panes in sessions: restored where they can be, else left out or left as they are."""

import json
import time

import pytest

from pe_explorer import encodings
from pe_explorer.exploration import PIN_COLOURS, Exploration, Panes, Pin, panes_of
from pe_explorer.files.session import dumps, loads
from tests.support.files import SOON


def document():
    made = [
        Pin(encodings.create("sinusoidal", base=base), f"b {base}", "teal")
        for base in (2.0, 3.0, 4.0)
    ]
    return json.loads(dumps(Exploration(pins=tuple(made), compared=2, count=7)))


def edited(*places):
    """Return what opens when (value, key, key, ...) are put into a session with three pins."""
    made = document()
    for value, *path, last in places:
        at = made
        for key in path:
            at = at[key]
        at[last] = value
    return loads(json.dumps(made))


ENTRIES = [3, None, "pin", [], {}, {"name": "x"}, {"encoding": 4}, {"encoding": {"name": 4}}]


@pytest.mark.parametrize("entry", [*ENTRIES, {"encoding": {}}], ids=str)
def test_what_is_no_pin_is_named_and_dropped_and_the_others_open(entry):
    found = edited((entry, "pins", 1))
    assert [pin.name for pin in found.state.pins] == ["b 2.0", "b 4.0"]
    assert found.state.pin.name == "b 4.0"  # the third that was written
    assert found.state.count == 7
    assert found.notes[0].startswith("pins[1]")


def test_each_key_is_used_or_dropped_by_itself():
    found = edited(
        (0, "pins", 0, "encoding", "dim"),
        ("infrared", "pins", 1, "colour"),
        (" ", "pins", 2, "name"),
    )
    assert [pin.encoding.base for pin in found.state.pins] == [2.0, 3.0, 4.0]
    assert [note.split(":")[0] for note in found.notes] == [
        "pins[0].encoding.dim",
        "pins[1].colour",
        "pins[2].name",
    ]
    assert found.state.pins[0].encoding.dim == 128
    assert found.state.pins[1].colour in PIN_COLOURS
    assert found.state.pins[2].name == "sinusoidal d=128 b=4"


def test_what_is_no_list_is_named_and_too_many_are_cut():
    for value in (3, "pins", {"name": "x"}, None):
        found = edited((value, "pins"))
        assert found.state.pins == ()
        assert found.notes[0].startswith("pins: ")
    found = edited((document()["pins"] * 4, "pins"))
    assert len(found.state.pins) == 8
    assert found.notes[0].startswith("pins: 12 ")


def test_which_is_compared():
    for compared, taken in ((0, 0), (7, 2), (8, 0), (-1, 0), ("x", 0)):
        assert edited((compared, "comparison", "compared")).state.compared == taken
    made = document()
    del made["pins"], made["comparison"]  # as before there were pins
    found = loads(json.dumps(made))
    assert (found.state.pins, found.notes) == ((), ())


# -- panes -----------------------------------------------------------------------------------------


PANES = panes_of(("clocks", "heatmap"), "stacked", "heatmap")
FOR_PEOPLE = {"views": ["clocks", "heatmap"], "arrangement": "stacked", "active": "heatmap"}
MANY = 200_000


def opened(panes):
    """Return what a session with such panes holds, which takes no time."""
    document = json.loads(dumps(Exploration(count=7)))
    text = json.dumps({**document, "panes": panes})
    start = time.thread_time()
    found = loads(text)
    assert time.thread_time() - start < SOON
    assert found.state.with_(panes=None) == Exploration(count=7), "the rest opens"
    return found


def test_they_are_written_for_people_and_come_back():
    text = dumps(Exploration(panes=PANES))
    assert json.loads(text)["panes"] == FOR_PEOPLE
    assert loads(text).state.panes == PANES
    assert loads(text).notes == ()


def test_what_is_left_out_is_as_usual():
    text = dumps(Exploration())
    assert "panes" not in json.loads(text)
    assert loads(text).state.panes is None
    one, two = Panes(("clocks",), "one"), panes_of(("clocks", "heatmap"))
    for entry, panes in (
        ({"views": ["clocks"]}, one),
        ({"views": ["clocks", "heatmap"]}, two),
        ({"views": ["clocks"], "active": ""}, one),
        ({}, None),
        ({"other": 1}, None),  # as beside exported data, which have no panes
    ):
        found = opened(entry)
        assert (found.state.panes, found.notes) == (panes, ())


MISFITS = [  # what there is, and what its note names
    (None, "panes: "),
    ([], "panes: "),
    (7, "panes: "),
    ({"active": "clocks"}, "panes.views: None"),
    ({"views": "clocks"}, "panes.views: "),
    ({"views": {"clocks": 1}}, "panes.views: "),
    ({"views": []}, "panes: "),
    ({"views": ["clocks"] * MANY}, "panes: "),
    ({"views": ["clocks", "clocks"]}, "panes: "),
    ({"views": ["clocks", "clock"]}, "panes.views: 'clock'"),
    ({"views": ["x" * MANY]}, "panes.views: "),
    ({"views": [f"x{number}" for number in range(MANY)]}, "panes.views: 'x0'"),
    ({"views": [None]}, "panes.views: None"),
    ({"views": [["heatmap"]]}, "panes.views: ['heatmap']"),
    ({"views": ["clocks"], "arrangement": "three"}, "panes: three"),
    ({"views": ["clocks"] * 12, "arrangement": "x", "active": "x"}, "panes: "),
]


@pytest.mark.parametrize(("given", "start"), MISFITS, ids=range(len(MISFITS)))
def test_what_does_not_fit_leaves_the_panes_as_they_are(given, start):
    found = opened(given)
    assert found.state.panes is None
    (note,) = found.notes
    assert note.startswith(start)
    assert len(note) < 250


def test_a_wrong_arrangement_or_active_view_is_as_usual():
    for key in ("arrangement", "active"):
        for wrong in ("sideways", 3, [], {}, None, "x" * MANY, ["one"]):
            found = opened({"views": ["clocks", "heatmap"], key: wrong})
            assert found.state.panes == panes_of(("clocks", "heatmap"))
            (note,) = found.notes
            assert note.startswith(f"panes.{key}: ")
            assert len(note) < 250
    found = opened({**FOR_PEOPLE, "later": {"x": 1}})
    assert found.state.panes == PANES
    assert json.loads(dumps(found.state, found.extra))["panes"] == {**FOR_PEOPLE, "later": {"x": 1}}
