"""Zooming, panning, moving the cursor, and changing the encoding."""

from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings
from pe_explorer.analysis.distance import METRICS
from pe_explorer.encodings import LIMIT, Unknown
from pe_explorer.exploration import Exploration, make_fields_for_rows
from pe_explorer.exploration.moves import (
    centre_range,
    find_first_rows,
    find_initial_fields,
    move_cursor,
    pan_range,
    reset_range,
    return_to_0,
    with_encoding,
    with_scheme,
    zoom_range,
)
from pe_explorer.params import declared
from tests.support.samples import sample


def test_another_scheme_starts_with_the_cursor_at_row_0():
    for old, new in permutations(encodings.names(), 2):
        fields = find_initial_fields(sample(old), sample(new))
        if encodings.find(old).rows == encodings.find(new).rows:
            assert not fields
            continue
        first = encodings.find(new).first_range
        cursor = {"position": 0, "second": 1 if 1 in first else -1, "reference": 0}
        assert fields == {"start": first.start, "count": len(first), **cursor}, (old, new)


def test_without_row_0_the_cursor_starts_at_the_first_row():
    class Beyond(encodings.find("alibi")):
        first_range = range(-20, -5)

    assert find_initial_fields(sample("sinusoidal"), Beyond())["position"] == -20


@pytest.mark.parametrize(
    ("rows", "position", "second", "reference"),
    [(range(10, 60), 10, 11, 10), (range(5, 6), 5, 5, 5), (range(50), 0, 1, 0)],
)
def test_cursor_second_position_and_reference_move_to_shown_rows(rows, position, second, reference):
    state = Exploration()
    moved = state.with_(**make_fields_for_rows(state, rows))
    assert moved.positions == rows
    assert (moved.position, moved.second, moved.reference) == (position, second, reference)


ALIBI, UNKNOWN = encodings.create("alibi"), Unknown("spiral", {"turns": 3}, "it is not known")
RANGES = [
    # function, fields of the exploration, arguments, and the resulting start and count
    (zoom_range, {"start": 100}, (0.5, 0), (100, 25)),
    (zoom_range, {"start": 100}, (0.5, 1), (125, 25)),
    (zoom_range, {"start": 100}, (0.5,), (112, 25)),
    (zoom_range, {"start": 100}, (1,), (100, 50)),
    (zoom_range, {"start": 100}, (1.001, 1), (99, 51)),  # by at least one position
    (zoom_range, {"start": 100}, (0.999, 1), (101, 49)),
    (zoom_range, {"start": 3, "count": 2}, (0.5, 0), (3, 1)),
    (zoom_range, {"start": 3, "count": 1}, (0.5, 0), (3, 1)),
    (zoom_range, {"start": 100}, (100,), (0, 5000)),
    (zoom_range, {"start": 0}, (100,), (0, 5000)),
    (zoom_range, {"start": -1}, (100,), (-2476, 5000)),
    (zoom_range, {"start": 100}, (1e18,), (0, LIMIT)),
    (zoom_range, {"start": -49, "encoding": ALIBI}, (0.02, 1.0), (0, 1)),
    (zoom_range, {"start": 0, "count": 1, "encoding": ALIBI}, (80.0, 1.0), (-79, 80)),
    (pan_range, {"start": 100}, (-7,), (93, 50)),
    (pan_range, {"start": 100}, (-101,), (0, 50)),
    (pan_range, {"start": -1}, (-1,), (-2, 50)),
    (pan_range, {"start": 5, "encoding": ALIBI}, (-10,), (-5, 50)),
    (pan_range, {"start": 5, "encoding": UNKNOWN}, (-10,), (0, 50)),
    (pan_range, {"start": LIMIT - 51}, (5,), (LIMIT - 49, 50)),
    (pan_range, {"start": -LIMIT}, (-5,), (-LIMIT, 50)),
    (centre_range, {"position": 100}, (), (75, 50)),
    (centre_range, {"position": 100}, (11,), (95, 11)),
    (centre_range, {"position": 0}, (), (0, 50)),
    (centre_range, {"position": -1}, (), (-26, 50)),
    (centre_range, {"position": 0, "encoding": ALIBI}, (), (-25, 50)),
    (centre_range, {"position": LIMIT}, (), (LIMIT - 49, 50)),
    (reset_range, {"start": 9, "count": 7}, (), (0, 50)),
    (reset_range, {"start": 9, "count": 7, "encoding": ALIBI}, (), (-49, 50)),
    (return_to_0, {"start": 9, "count": 7}, (), (0, 7)),
    (return_to_0, {"start": 9, "count": 7, "encoding": ALIBI}, (), (-6, 7)),
]


def test_ranges_after_zooming_panning_and_centring():
    for move, fields, arguments, expected in RANGES:
        state = Exploration(**fields)
        moved = state.with_(**move(state, *arguments))
        assert moved == state.with_(start=expected[0], count=expected[1]), (move, fields, arguments)


CURSORS = [
    ({"position": 7}, "end", -1, {"position": 3}),
    ({"position": 7}, "end", 1, {"position": 52}),
    ({"position": 7}, "page", 1, {"position": 12}),
    ({"position": 7, "count": 5}, "page", -1, {"position": 6}),
    ({"position": 52}, "page", 1, {"position": 57, "start": 8, "count": 50}),
    ({"position": 7}, "position", 50, {"position": 57, "start": 8, "count": 50}),
    ({"position": 7}, "position", -6, {"position": 1, "start": 1, "count": 50}),
    ({"position": 60}, "position", 1, {"position": 61}),  # the range does not change
    ({"position": 60}, "position", -20, {"position": 40}),
    ({"start": -5, "position": 3}, "position", -20, {"position": -5}),
    ({"start": -5, "position": -9}, "position", -1, {"position": -9}),
    ({"position": 5}, "position", -9, {"position": 0, "start": 0, "count": 50}),
    (
        {"position": 3, "encoding": ALIBI},
        "position",
        -9,
        {"position": -6, "start": -6, "count": 50},
    ),
    ({"position": -LIMIT, "encoding": ALIBI}, "position", -1, {"position": -LIMIT}),
    ({"position": LIMIT}, "position", 1, {"position": LIMIT}),
    ({"dimension": 5}, "dimension", -2, {"dimension": 3}),
    ({"dimension": 1}, "dimension", -5, {"dimension": 0}),
    ({"dimension": 1}, "dimension", 500, {"dimension": 127}),
    ({"dimension": 5, "encoding": UNKNOWN}, "dimension", 1, {}),
]


def test_moves_of_the_cursor():
    for fields, unit, steps, expected in CURSORS:
        state = Exploration(**{"start": 3, **fields})
        assert move_cursor(state, unit, steps) == expected, (fields, unit, steps)


@given(st.integers(10**6, 10**15), st.integers(2, 10**5), st.floats(0.01, 10), st.floats(0, 1))
def test_zooming_keeps_the_position_under_the_mouse(start, count, factor, anchor):
    state = Exploration(start=start, count=count)
    new = zoom_range(state, factor, anchor)
    before = anchor * count
    after = new["start"] - start + anchor * new["count"]
    assert abs(after - before) <= 1  # start and count are whole numbers


@given(st.integers(-LIMIT, LIMIT), st.integers(1, LIMIT), st.integers(-(2**60), 2**60))
def test_panning_stays_within_limits_and_keeps_the_count(start, count, positions):
    shown = {"start": start, "count": min(count, LIMIT + 1 - start)}
    state, offsets = Exploration(**shown), Exploration(ALIBI, **shown)
    for low, exploration in ((0 if start >= 0 else -LIMIT, state), (-LIMIT, offsets)):
        moved = exploration.with_(**pan_range(exploration, positions))
        assert moved.count == state.count
        assert moved.start == min(max(state.start + positions, low), LIMIT + 1 - state.count)


@pytest.mark.parametrize(
    ("first", "domain", "expected"),
    [
        (range(50), range(-9, 9), range(9)),
        (range(50), range(60, 99), range(60, 99)),
        (range(5), range(60, 99), range(60, 65)),
    ],
)
def test_first_rows_of_a_domain(first, domain, expected):
    assert find_first_rows(first, domain) == expected


def test_another_scheme_gets_suitable_settings_unless_changed():
    plain = Exploration()
    for old, new in permutations(encodings.names(), 2):
        first, scheme = encodings.find(old), encodings.find(new)
        e = encodings.create(old, **first.suggest_parameters(plain.positions))
        state = plain.with_(encoding=e, metric=first.preferred_metric)
        new_state = with_scheme(state, new)
        defaults = scheme.default().parameters | scheme.suggest_parameters(state.positions)
        suited = {
            *first.suggest_parameters(state.positions),
            *scheme.suggest_parameters(state.positions),
        }
        shared = {
            name: value
            for name, value in state.encoding.parameters.items()
            if name in defaults and declared(scheme)[name].is_shared and name not in suited
        }
        assert new_state.encoding.parameters == defaults | shared, (old, new)
        assert new_state.metric == scheme.preferred_metric
        odd = next(name for name in METRICS if name != first.preferred_metric)
        assert with_scheme(state.with_(metric=odd), new).metric == odd
    wide = with_encoding(plain, dim=9, base=500.0, layout="concatenated")
    assert with_encoding(wide, base=2.0).encoding.layout == "concatenated"
    assert with_encoding(wide, "rope").encoding.layout == "half"  # has another meaning there
    far = plain.with_(start=1000, count=7, position=1003, reference=1004)
    assert with_encoding(far, "index").start == 1000
    offsets = with_encoding(far, "alibi")
    assert (offsets.positions, offsets.position, offsets.reference) == (range(-49, 1), 0, 0)
    assert with_encoding(offsets.with_(start=-9), heads=12).start == -9
    assert with_encoding(offsets, "rope").positions == range(50)
    assert with_scheme(wide, "binary").encoding == encodings.create("binary", dim=9)
    unknown = plain.with_(encoding=UNKNOWN)
    assert with_scheme(unknown, "alibi") == unknown.with_(encoding=ALIBI)
    assert with_encoding(unknown, "rope", head_dim=8).encoding == encodings.create(
        "rope", head_dim=8
    )
