import dataclasses
from itertools import product

import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings, pictures, views
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import (
    DirectStore,
    back_to_0,
    changes,
    differing,
    moved_cursor,
    panned,
    resolve,
    zoomed,
)
from pe_explorer.model import Exploration
from pe_explorer.params import ParameterError, declared
from tests.support.samples import sample

NO_POSITIONS = [LIMIT + 1, -LIMIT - 1, "ten", None, float("nan"), float("inf"), 0.5, True, 10**400]


@st.composite
def explorations(draw, least=-LIMIT):
    start = draw(st.one_of(st.integers(least, LIMIT), st.integers(max(least, -10), 1000)))
    most = LIMIT + 1 - start
    count = min(draw(st.one_of(st.integers(1, LIMIT), st.integers(1, 100))), most, LIMIT)
    position = draw(st.one_of(st.integers(-LIMIT, LIMIT), st.integers(start, start + count - 1)))
    e = encodings.create("sinusoidal", dim=draw(st.sampled_from([1, 2, 3, 128])))
    return Exploration(encoding=e, start=start, count=count, position=position)


factors = st.floats(1e-18, 1e18)
anchors = st.floats(0, 1)
ways = st.integers(-(2**60), 2**60)


def test_begins_with_the_papers_encoding_and_fifty_positions():
    state = Exploration()
    assert state.encoding == encodings.create("sinusoidal", dim=128, base=1e4)
    assert state.positions == range(50)
    assert (state.position, state.dimension, state.reference) == (0, 0, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.start = 3


def test_refuses_what_is_no_position_count_or_metric():
    wrong = [*product(["start", "position", "reference"], NO_POSITIONS), ("metric", "cosin")]
    wrong += product(["count"], [0, -1, LIMIT + 1, 1.5, "many"])
    for name, value in wrong:
        with pytest.raises(ParameterError) as caught:
            Exploration(**{name: value})
        assert caught.value.name == name


def test_the_last_position_is_two_to_the_53():
    assert Exploration(start=LIMIT, count=1).positions[-1] == LIMIT
    with pytest.raises(ParameterError, match="at most 1 fit"):
        Exploration(start=LIMIT, count=2)


@pytest.mark.parametrize("name", encodings.names())
def test_dimension_follows_a_smaller_width(name):
    narrow = sample(name, dim=3, head_dim=4, heads=3)
    wide = Exploration(encodings.create("sinusoidal", dim=60), dimension=59)
    state = resolve(wide.with_(encoding=narrow), DirectStore())
    assert state.dimension == narrow.width - 1 < 20
    assert state.with_(encoding=wide.encoding) == wide  # it is kept for where there are as many


@pytest.mark.parametrize("view", [n for n in views.names() if declared(pictures.find(n).Options)])
def test_options_of_one_view_leave_the_others(view):
    state = Exploration()
    name, parameter = next(iter(declared(pictures.find(view).Options).items()))
    choices = [*getattr(parameter, "choices", ()), parameter.default]
    value = next((each for each in choices if each != parameter.default), parameter.default)
    changed = pictures.with_options(state, view, **{name: value})
    is_other = value != parameter.default
    assert differing(state, changed) == ({f"options.{view}"} if is_other else set())
    for picture in (pictures.find(other) for other in views.names() if other != view):
        assert picture.options(changed) is picture.options(state)
    with pytest.raises(ParameterError):
        pictures.with_options(state, view, **{name: object()})


def test_the_cursor_is_no_change():
    state = Exploration()
    moved = state.with_(position=5, dimension=3)
    assert differing(state, moved) == {"position", "dimension"}
    assert changes(state, moved) == set()
    assert changes(state, moved.with_(metric="dot")) == {"metric"}


@given(explorations())
def test_nothing_differs_from_itself(state):
    assert differing(state, dataclasses.replace(state)) == set()
    assert differing(state, state.with_(metric="dot")) == {"metric"}


# -- zoom, pan, cursor -------------------------------------------------------------------------


@given(explorations(), factors, anchors)
def test_zoom_is_always_legal_and_moves_unless_at_an_end(state, factor, anchor):
    moved = state.with_(**zoomed(state, factor, anchor))
    assert 1 <= moved.count <= LIMIT
    if state.start >= 0:
        assert moved.start >= 0
    assert zoomed(state, 0.99, anchor)["count"] < state.count or state.count == 1
    assert zoomed(state, 1.01, anchor)["count"] > state.count or state.count == LIMIT


@given(st.integers(10**6, 10**15), st.integers(2, 10**5), st.floats(0.01, 10), anchors)
def test_what_is_under_the_mouse_stays_there(start, count, factor, anchor):
    state = Exploration(start=start, count=count)
    new = zoomed(state, factor, anchor)
    before = anchor * count
    after = new["start"] - start + anchor * new["count"]
    assert abs(after - before) <= 1  # of a position: its first and last are whole


def test_from_one_cell_to_all_and_back():
    state = Exploration(count=1)
    steps = 0
    while state.count < LIMIT:
        state, steps = state.with_(**zoomed(state, 1.25)), steps + 1
    assert steps < 200
    while state.count > 1:
        state, steps = state.with_(**zoomed(state, 0.8)), steps + 1
    assert steps < 400


@given(explorations(), ways)
def test_pan_is_always_legal_and_keeps_the_count(state, positions):
    offsets = OFFSETS.with_(start=state.start, count=state.count)
    for least, each in ((0 if state.start >= 0 else -LIMIT, state), (-LIMIT, offsets)):
        moved = each.with_(**panned(each, positions))
        assert moved.count == state.count
        assert moved.start == min(max(state.start + positions, least), LIMIT + 1 - state.count)


@given(
    explorations(),
    st.sampled_from(["position", "dimension", "page", "end"]),
    st.sampled_from([-1, 1]),
)
def test_the_cursor_is_always_legal(state, what, steps):
    moved = state.with_(**moved_cursor(state, what, steps))
    assert 0 <= moved.dimension < state.encoding.dim
    assert moved.count == state.count
    if state.position in state.positions:
        assert moved.position in moved.positions
    if what == "end" and state.start >= 0:
        assert moved.position == state.positions[0 if steps < 0 else -1]


@pytest.mark.parametrize(
    ("start", "position", "what", "steps", "expected"),
    [
        (0, 0, "position", 1, (0, 1)),
        (0, 0, "position", -1, (0, 0)),
        (0, 49, "position", 1, (1, 50)),
        (0, 49, "page", 1, (5, 54)),
        (10, 12, "page", -1, (7, 7)),
        (LIMIT - 49, LIMIT, "position", 1, (LIMIT - 49, LIMIT)),
        (-5, -5, "position", -1, (-5, -5)),
    ],
)
def test_keys_move_the_cursor_and_the_range_with_it(start, position, what, steps, expected):
    state = Exploration(start=start, position=position)
    moved = state.with_(**moved_cursor(state, what, steps))
    assert (moved.start, moved.position) == expected


def test_dimensions_end_at_both_ends():
    state = Exploration(dimension=1)
    assert moved_cursor(state, "dimension", -5) == {"dimension": 0}
    assert moved_cursor(state, "dimension", 500) == {"dimension": 127}


# -- offsets, which lie on both sides of 0

OFFSETS = Exploration(encodings.create("alibi"), start=-49, position=0)


@pytest.mark.parametrize("encoding", encodings.names())
def test_what_is_looked_at_first_is_found_again(encoding):
    e = sample(encoding)
    first = e.first_range
    home = Exploration(e, start=first.start, count=len(first), position=first[-1])
    there = home.with_(**panned(home, 60))
    assert there.with_(**panned(there, -60)).positions == first
    assert there.with_(**back_to_0(there)).positions == first
    nearer = home.with_(**zoomed(home, 0.5))
    assert nearer.with_(**zoomed(nearer, 2.0)).positions == first


def test_at_the_last_offset():
    nearer = OFFSETS.with_(**zoomed(OFFSETS, 0.02, 1.0))
    assert nearer.positions == range(1)
    assert nearer.with_(**zoomed(nearer, 80.0, 1.0)).positions == range(-79, 1)
    state = OFFSETS.with_(start=0, count=10)
    for what in ("position", "page"):  # it passes 0
        moved = state.with_(**moved_cursor(state, what, -1))
        assert (moved.position, moved.start) == (-1, -1)


def test_back_to_0_shows_as_many():
    for count, start in product([1, 50, 80, LIMIT], [-300, 0, 70]):
        shown = {"start": min(start, LIMIT + 1 - count), "count": count}
        offsets, positions = OFFSETS.with_(**shown), Exploration(**shown)
        assert offsets.with_(**back_to_0(offsets)).positions == range(1 - count, 1)
        assert positions.with_(**back_to_0(positions)).positions == range(count)
