"""Pins in session files."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_explorer import encodings
from pe_explorer.exploration import PIN_COLOURS, Exploration, Pin
from pe_explorer.files.session import dumps, loads
from pe_explorer.params import ParameterError
from tests.support.cases import for_each
from tests.support.explorations import explorations


@st.composite
def pins(draw):
    try:
        return Pin(
            draw(explorations()).encoding,
            draw(st.text(min_size=1, max_size=60)),
            draw(st.sampled_from(list(PIN_COLOURS))),
        )
    except ParameterError:  # a name of spaces, or of what cannot be shown
        return Pin(draw(explorations()).encoding, "x")


@settings(max_examples=40)
@given(explorations(), st.lists(pins(), max_size=8), st.integers(0, 7))
def test_pins_come_back_bit_for_bit(state, some, compared):
    state = state.with_(pins=tuple(some), compared=compared)
    text = dumps(state)
    found = loads(text)
    assert found.state == state
    assert found.notes == ()
    assert found.extra == {}
    text.encode()  # what cannot be written to a file has never become a name


def document():
    made = [
        Pin(encodings.create("sinusoidal", base=base), f"b {base}", "teal")
        for base in (2.0, 3.0, 4.0)
    ]
    return json.loads(dumps(Exploration(pins=tuple(made), compared=2, count=7)))


def test_they_can_be_read():
    assert document()["pins"][1]["name"] == "b 3.0"
    assert (
        document()["pins"][1]["encoding"] | {"name": "sinusoidal", "base": 3.0}
        == document()["pins"][1]["encoding"]
    )


def edited(*places):
    """Return what opens when (value, key, key, ...) are put into a session with three pins."""
    made = document()
    for value, *path, last in places:
        at = made
        for key in path:
            at = at[key]
        at[last] = value
    return loads(json.dumps(made))


@for_each(
    "entry",
    [
        3,
        None,
        "pin",
        [],
        {},
        {"name": "x"},
        {"encoding": 4},
        {"encoding": {"name": 4}},
        {"encoding": {}},
    ],
)
def test_what_is_no_pin_is_named_and_dropped_and_the_others_open(entry):
    found = edited((entry, "pins", 1))
    assert [pin.name for pin in found.state.pins] == ["b 2.0", "b 4.0"]
    assert found.state.pin.name == "b 4.0"  # the third that was written
    assert found.state.count == 7
    assert found.notes[0].startswith("pins[1]")
    assert found.notes[0].endswith("ignored.")


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


def test_unknown_keys_of_a_pin_are_kept():
    found = edited((1, "pins", 0, "weight"), (1, "pins", 0, "encoding", "twist"))
    assert len(found.state.pins) == 3
    assert (found.notes, found.extra) == ((), {})
    entry = json.loads(dumps(found.state, found.extra))["pins"][0]
    assert (entry["weight"], entry["encoding"]["twist"]) == (1, 1)


@pytest.mark.parametrize("value", [3, "pins", {"name": "x"}, None])
def test_what_is_no_list_is_named(value):
    found = edited((value, "pins"))
    assert found.state.pins == ()
    assert found.notes[0].startswith("pins: ")


def test_too_many_are_cut():
    found = edited((document()["pins"] * 4, "pins"))
    assert len(found.state.pins) == 8
    assert found.notes == ("pins: 12 are too many; the first 8 are kept.",)


@pytest.mark.parametrize(("compared", "taken"), [(0, 0), (7, 2), (8, 0), (-1, 0), ("x", 0)])
def test_which_is_compared(compared, taken):
    found = edited((compared, "comparison", "compared"))
    assert found.state.compared == taken


def test_a_session_from_before_there_were_pins_opens():
    made = document()
    del made["pins"], made["comparison"]
    found = loads(json.dumps(made))
    assert (found.state.pins, found.notes) == ((), ())
