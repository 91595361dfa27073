"""Panes in sessions: restored where named, else left as they are, whatever the file holds."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, Panes, panes_of
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.files.session import dumps, loads
from tests.support.cases import for_each
from tests.support.files import SOON

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


def test_without_panes_there_is_no_word_of_them():
    text = dumps(Exploration())
    assert "panes" not in json.loads(text)
    assert loads(text).state.panes is None


@pytest.mark.parametrize(
    ("given", "panes"),
    [
        ({"views": ["clocks"]}, Panes(("clocks",), "one")),
        ({"views": ["clocks", "heatmap"]}, panes_of(("clocks", "heatmap"))),
        ({"views": ["clocks"], "active": ""}, Panes(("clocks",), "one")),
        ({}, None),
        ({"other": 1}, None),  # as beside exported data, which have no panes
    ],
    ids=str,
)
def test_what_is_left_out_is_as_usual(given, panes):
    found = opened(given)
    assert (found.state.panes, found.notes) == (panes, ())


@pytest.mark.parametrize(
    ("given", "key", "says"),
    [
        (None, "panes", "not an object"),
        ([], "panes", "not an object"),
        (7, "panes", "not an object"),
        ({"active": "clocks"}, "panes.views", "None is not a list of views"),
        ({"views": "clocks"}, "panes.views", "not a list"),
        ({"views": {"clocks": 1}}, "panes.views", "not a list"),
        ({"views": []}, "panes", "name one to three"),
        ({"views": ["clocks"] * MANY}, "panes", "name one to three"),
        ({"views": ["clocks", "clocks"]}, "panes", "named twice"),
        ({"views": ["clocks", "clock"]}, "panes.views", "'clock' is not one of the views"),
        ({"views": ["x" * MANY]}, "panes.views", "is not one of the views"),
        ({"views": [f"x{number}" for number in range(MANY)]}, "panes.views", "'x0' is not one"),
        ({"views": [None]}, "panes.views", "None is not one of the views"),
        ({"views": [["heatmap"]]}, "panes.views", "['heatmap'] is not one of the views"),
        ({"views": ["clocks"], "arrangement": "three"}, "panes", "three is for 3 views, not 1"),
        ({"views": ["clocks"] * 12, "arrangement": "x", "active": "x"}, "panes", "do not fit"),
        ({"views": ["clocks"], "arrangement": "three", "active": "x"}, "panes", "is for 3 views"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_does_not_fit_leaves_the_panes_as_they_are(given, key, says):
    found = opened(given)
    assert found.state.panes is None
    (note,) = found.notes
    assert note.startswith(f"{key}: ")
    assert says in note
    assert len(note) < 250


@for_each(
    "wrong", ["sideways", 3, [], {}, None, "x" * MANY, ["one"]], ids=lambda value: str(value)[:9]
)
@for_each("key", ["arrangement", "active"])
def test_a_wrong_arrangement_or_active_view_is_as_usual(key, wrong):
    found = opened({"views": ["clocks", "heatmap"], key: wrong})
    assert found.state.panes == panes_of(("clocks", "heatmap"))
    (note,) = found.notes
    assert note.startswith(f"panes.{key}: ")
    assert len(note) < 250


def test_unknown_keys_are_kept():
    found = opened({**FOR_PEOPLE, "later": {"x": 1}})
    assert found.state.panes == PANES
    assert json.loads(dumps(found.state, found.extra))["panes"] == {**FOR_PEOPLE, "later": {"x": 1}}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(pictures.names()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
NAMES = st.lists(st.sampled_from(pictures.names()) | ANYTHING, max_size=4)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "views": NAMES | ANYTHING,
            "arrangement": st.sampled_from(sorted(ARRANGEMENTS)) | ANYTHING,
            "active": st.sampled_from(pictures.names()) | ANYTHING,
        },
    )
    | ANYTHING
)
def test_anything_opens(panes):
    found = loads(json.dumps({**json.loads(dumps(Exploration())), "panes": panes}))
    if found.state.panes is None:
        is_read = not isinstance(panes, dict) or panes.keys() & set(FOR_PEOPLE)
        assert bool(found.notes) == bool(is_read)
    else:
        assert loads(dumps(found.state)).state == found.state
        assert set(found.state.panes.views) <= set(pictures.names())
