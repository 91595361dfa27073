"""Every function of panes, for all values with four views."""

from itertools import permutations, product

import pytest

from pe_explorer.exploration import Panes, make_panes
from pe_explorer.exploration.panes import (
    ARRANGEMENTS,
    add_view_beside,
    arrange,
    close_view,
    put_default_views_first,
    show_view,
    swap_views,
)
from pe_explorer.params import ParameterError

VIEWS = ("a", "b", "c", "d")
PANE_COUNTS = {"one": 1, "beside": 2, "stacked": 2, "over-two": 3, "three": 3}
USUAL = {1: "one", 2: "beside", 3: "over-two"}

EVERY = [
    Panes(views, arrangement, active)
    for arrangement, pane_count in PANE_COUNTS.items()
    for views in permutations(VIEWS, pane_count)
    for active in views
]


def test_the_first_view_is_active_by_default():
    assert set(PANE_COUNTS) == set(ARRANGEMENTS)
    for panes in EVERY:
        first = Panes(panes.views, panes.arrangement)
        assert first.active == panes.views[0]
        assert (first == panes) == (panes.active == panes.views[0])


@pytest.mark.parametrize("length", range(5))
def test_illegal_panes_are_refused(length):
    for views in product(VIEWS, repeat=length):
        twice = len(set(views)) < length
        for arrangement, pane_count in PANE_COUNTS.items():
            for active in ("", *VIEWS):
                fits = not twice and pane_count == length and active in ("", *views)
                if fits:
                    assert Panes(views, arrangement, active).views == views
                    continue
                with pytest.raises(ParameterError) as refused:
                    Panes(views, arrangement, active)
                assert refused.value.remedy
                if twice:
                    assert "appears twice" in refused.value.problem


def test_each_number_of_views_has_a_default_arrangement():
    for length in (1, 2, 3):
        for views in permutations(VIEWS, length):
            assert make_panes(views) == Panes(views, USUAL[length], views[0])
            for active in views:
                assert make_panes(list(views), active=active).active == active
    for panes in EVERY:
        assert make_panes(panes.views, panes.arrangement, panes.active) == panes


def test_wrong_numbers_of_views_are_refused():
    for views in ((), VIEWS, VIEWS * 100_000):
        with pytest.raises(ParameterError, match="one to three views"):
            make_panes(views)
    with pytest.raises(ParameterError, match="sideways"):
        Panes(("a",), "sideways")
    with pytest.raises(ParameterError, match="beside is for 2 views, not 1"):
        arrange(Panes(("a",), "one"), "beside", ("a",))


def test_put_in_activates_a_shown_view_or_replaces_the_active_one():
    for panes, view in product(EVERY, VIEWS):
        found = show_view(panes, view)
        assert (found.active, found.arrangement) == (view, panes.arrangement)
        if view in panes.views:
            assert found.views == panes.views
        else:
            index = panes.views.index(panes.active)
            others = [name for number, name in enumerate(panes.views) if number != index]
            assert found.views[index] == view
            assert [name for name in found.views if name != view] == others


def test_views_are_exchanged_or_replaced():
    for panes, new in product(EVERY, VIEWS):
        for old in panes.views:
            found = swap_views(panes, old, new)
            assert (found.active, found.arrangement) == (new, panes.arrangement)
            for before, after in zip(panes.views, found.views, strict=True):
                if before == old:
                    assert after == new
                elif before == new:
                    assert after == old
                else:
                    assert after == before


def test_a_view_is_added_after_the_active_one():
    for panes, view in product(EVERY, VIEWS):
        found = add_view_beside(panes, view)
        assert found.active == view
        if view in panes.views or len(panes.views) == 3:
            assert found == show_view(panes, view)
            continue
        index = found.views.index(view)
        assert found.views[index - 1] == panes.active
        assert tuple(name for name in found.views if name != view) == panes.views
        assert found.arrangement == USUAL[len(panes.views) + 1]


def test_closing_keeps_the_order_and_the_last_view():
    for panes, view in product(EVERY, VIEWS):
        found = close_view(panes, view)
        if panes.views == (view,) or view not in panes.views:
            assert found == panes
            continue
        remaining = tuple(name for name in panes.views if name != view)
        assert (found.views, found.arrangement) == (remaining, USUAL[len(remaining)])
        assert found.active == (panes.active if panes.active != view else remaining[0])


def test_changing_the_arrangement_keeps_the_active_view_and_the_order():
    for panes, (arrangement, pane_count) in product(EVERY, PANE_COUNTS.items()):
        found = arrange(panes, arrangement, VIEWS)
        assert (found.arrangement, found.active) == (arrangement, panes.active)
        if arrangement == panes.arrangement:
            assert found == panes
        assert len(found.views) == pane_count
        unseen = [name for name in VIEWS if name not in panes.views]
        if pane_count >= len(panes.views):
            assert found.views == (*panes.views, *unseen)[:pane_count]
            continue
        remaining = [name for name in panes.views if name in found.views]
        assert list(found.views) == remaining
        removed = [name for name in panes.views if name not in found.views]
        inactive = [name for name in panes.views if name != panes.active]
        assert inactive[-len(removed) :] == removed, "the last ones go first"


def test_views_of_the_first_start_come_first():
    views = ["waves", "distances", "shift", "heatmap"]
    assert put_default_views_first(views) == ["distances", "heatmap", "waves", "shift"]
