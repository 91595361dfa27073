"""The heatmap on the screen: what mouse, wheel and choices do."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from pe_explorer import encodings, views
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.model import Model
from tests.support.gestures import (
    click,
    colours_across,
    drag,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note, offer
from tests.support.samples import sample

S = encodings.create
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def cursor(view):
    settle(view.model)
    return view.model.state.position, view.model.state.dimension


def pointed(view, panel, x, y):
    """Return what is previewed once the mouse has come to a place."""
    move(view, spot(view, panel, x + 1, y))
    move(view, spot(view, panel, x, y))
    settle(view.model)
    preview = view.model.preview
    return preview and (preview.position, preview.dimension)


def rows(view):
    settle(view.model)
    return view.model.state.start, view.model.state.count


def columns(view):
    settle(view.model)
    return view.options.first, view.options.dimensions


# -- the wheel -------------------------------------------------------------------------------------


def test_wheel_zooms_the_positions_at_the_mouse(show):
    view = show("heatmap", start=1000, count=100)
    wheel(view, inside(view, "cells", 0.5, 0.0) + QPoint(0, 2), 1)
    assert rows(view) == (1000, 80)
    wheel(view, inside(view, "cells", 0.5, 1.0) - QPoint(0, 2), -1)
    start, count = rows(view)
    assert count == 100
    assert abs(start + 99 - 1079) <= 1


def test_wheel_goes_from_one_position_to_2_53_and_back(show):
    view = show("heatmap", count=20)
    point = inside(view, "cells", 0.5, 0.5)
    for _ in range(20):
        wheel(view, point, 1)
    assert rows(view)[1] == 1
    for _ in range(40):
        wheel(view, point, -8)
    assert rows(view)[1] == LIMIT
    assert note(view).isVisible()


@pytest.mark.parametrize("modifier", [CTRL, SHIFT])
def test_wheel_with_a_key_zooms_the_dimensions(show, modifier):
    view = show("heatmap")
    point = inside(view, "cells", 0.5, 0.5)
    wheel(view, point, 3, modifier)
    first, dimensions = columns(view)
    assert dimensions < 70
    assert abs(first + dimensions / 2 - 64) <= 2
    assert rows(view)[1] == 50
    for _ in range(60):
        wheel(view, point, 1, modifier)
    assert columns(view)[1] == 1
    for _ in range(60):
        wheel(view, point, -1, modifier)
    assert columns(view) == (0, 0)


def test_drag_moves_with_the_mouse(show):
    view = show("heatmap", options={"dimensions": 32, "first": 50}, start=1000, count=50)
    drag(view, inside(view, "cells", 0.5, 0.5), inside(view, "cells", 0.75, 0.3))
    assert abs(rows(view)[0] - 1010) <= 1
    assert abs(columns(view)[0] - 42) <= 1
    assert (rows(view)[1], columns(view)[1]) == (50, 32)


# -- pointing and clicking -------------------------------------------------------------------------


def test_the_mouse_points_at_a_cell_and_a_click_sets_it(show):
    view = show("heatmap", start=10**15, count=50, position=10**15 + 2, dimension=3)
    assert pointed(view, "cells", 31, 21) == (10**15 + 21, 31)
    assert cursor(view) == (10**15 + 2, 3)
    click(view, spot(view, "cells", 31, 21))
    assert cursor(view) == (10**15 + 21, 31)
    assert view.model.preview is None  # until the mouse moves again


def test_every_column_of_the_widest_rows_can_be_reached(show):
    e = S("rope", head_dim=65_536)
    view = show("heatmap", width=600, height=300, encoding=e, count=2)
    wait_for_worker(view.model)
    click(view, inside(view, "cells", 0.9995, 0.25))
    position, dimension = cursor(view)
    assert position == 0
    assert dimension > 0.99 * e.width
    view.set_options(first=e.width - 10, dimensions=10)
    wait_for_worker(view.model)
    click(view, spot(view, "cells", 9, 1))
    assert cursor(view) == (1, e.width - 1)


def test_before_there_is_a_picture_the_mouse_points_at_nothing(qtbot):
    view, model = views.find("heatmap")(), Model()
    qtbot.addWidget(view)
    view.attach(model)  # and not shown, so it is not drawn
    before = model.state
    for act in (move, click):
        act(view, view.rect().center())
    assert (model.state, model.preview) == (before, None)
    view.detach()
    model.close()


def test_the_mouse_points_at_nothing_once_the_next_encoding_has_no_table(show):
    view = show("heatmap", dimension=3)
    there = spot(view, "cells", 31, 21)
    move(view, there)
    assert view.model.preview.position == 21
    view.model.set_encoding("learned")  # without a file, and not announced yet
    move(view, there)
    click(view, there)
    assert view.blank
    assert view.model.preview is None
    assert view.model.state.place is None
    assert cursor(view) == (0, 3)


def test_click_sets_the_cursor_also_while_it_plays(show):
    view = show("heatmap")
    view.model.playhead.play()
    assert pointed(view, "cells", 30, 20) is None  # pointing does not disturb
    click(view, spot(view, "cells", 7, 40))
    assert (view.model.state.position, view.model.state.dimension) == (40, 7)
    view.model.playhead.pause()


def test_upward_the_first_position_is_below(show):
    options, e = {"upward": True}, S("index", dim=4)
    view = show("heatmap", options=options, encoding=e, count=20, position=9)
    assert spot(view, "cells", 0, 19).y() < spot(view, "cells", 0, 0).y()
    click(view, spot(view, "cells", 2, 15))
    assert cursor(view) == (15, 2)
    wheel(view, inside(view, "cells", 0.5, 0.999), 3)  # below is position 0, which stays
    assert rows(view) == (0, 10)
    drag(view, inside(view, "cells", 0.5, 0.3), inside(view, "cells", 0.5, 0.7))
    assert rows(view)[0] == 4
    view.set_options(upward=False)
    settle(view.model)
    assert spot(view, "cells", 0, 5).y() < spot(view, "cells", 0, 10).y()


def test_a_click_in_a_column_of_a_pair_chooses_one_of_its_dimensions(show):
    options, e = {"quantity": "angle", "pairs": True}, S("sinusoidal", dim=16)
    view = show("heatmap", options=options, encoding=e, count=20)
    click(view, spot(view, "cells", 5, 3))
    assert cursor(view) == (3, 10)
    view.model.set(dimension=15)
    settle(view.model)
    click(view, spot(view, "cells", 7, 4))
    assert cursor(view) == (4, 15)
    wheel(view, inside(view, "cells", 0.99, 0.5), 3, CTRL)
    assert columns(view) == (4, 4)
    wheel(view, inside(view, "cells", 0.5, 0.5), -9, CTRL)
    assert columns(view) == (0, 0)


# -- a second window -------------------------------------------------------------------------------


def test_each_window_is_moved_and_zoomed_by_itself(show):
    view = show("heatmap", options={"second": 50}, count=50)
    sides = [
        spot(view, name, 127, 0).x() - spot(view, name, 0, 0).x() for name in ("cells", "second")
    ]
    assert abs(sides[0] - sides[1]) <= 1
    assert pointed(view, "second", 7, 20) == (70, 7)
    click(view, spot(view, "second", 3, 10))
    assert cursor(view) == (60, 3)
    drag(view, inside(view, "second", 0.5, 0.7), inside(view, "second", 0.5, 0.5))
    assert (rows(view)[0], view.options.second) == (0, 60)
    drag(view, inside(view, "cells", 0.5, 0.7), inside(view, "cells", 0.5, 0.5))
    assert (rows(view)[0], view.options.second) == (10, 60)
    wheel(view, inside(view, "second", 0.5, 0.001), 1)
    assert (*rows(view), view.options.second) == (10, 40, 60)
    wheel(view, inside(view, "cells", 0.5, 0.999), 3)
    assert (*rows(view), view.options.second) == (30, 20, 80)
    view.set_options(second=None)
    settle(view.model)
    assert view.place_of("second", 0, 0) is None


def test_a_second_window_may_go_while_the_mouse_holds_it(show):
    """As when a file with one window is dropped: the mouse moves on over what was the other."""
    view = show("heatmap", options={"second": 50}, count=50)
    before, middle = view.model.state, inside(view, "second", 0.5, 0.5)

    def drop():
        view.set_options(second=None)
        settle(view.model)

    drag(view, middle, middle + QPoint(0, 60), between=drop)
    settle(view.model)
    state = view.model.state
    assert (state.start, state.position) == (before.start, before.position)
    assert view.options.second is None


def test_a_second_window_that_takes_long_arrives(show):
    e = S("sinusoidal", dim=8192)
    view = show("heatmap", options={"second": 10**15}, encoding=e, count=5000)
    wait_for_worker(view.model)
    assert "1,000,000,000,000,000" in view.status
    assert len(colours_across(view, "second")) > 5


# -- sentences and choices -------------------------------------------------------------------------


def test_flat_it_says_so_and_leads_to_structure(show):
    view = show("heatmap", start=10**6, count=10**12)
    assert note(view).isVisible()
    offer(view).click()
    settle(view.model)
    assert note(view).isHidden()
    start, count = rows(view)
    assert start == 10**6
    assert 1000 < count < 10**9
    assert len(colours_across(view, "cells")) > 20


def test_choices_by_hand(show):
    view = show("heatmap")
    quantity, shown = (view.header.combos[name] for name in ("quantity", "show"))
    assert not shown.isVisible()
    quantity.setCurrentIndex(quantity.findData("angle"))
    settle(view.model)
    assert view.options.quantity == "angle"
    view.model.set(pins=(Pin(S("binary"), "b"),))
    settle(view.model)
    assert shown.isVisible()
    for choice in ("pinned", "difference"):
        shown.setCurrentIndex(shown.findData(choice))
        settle(view.model)
        assert view.model.state.show == choice
        assert view.blank  # binary rows have no angles
        assert quantity.currentData() == "angle"
        assert quantity.isVisible()
    quantity.setCurrentIndex(quantity.findData("value"))
    settle(view.model)
    assert not view.blank
    view.model.set(pins=())
    settle(view.model)
    assert not shown.isVisible()


def test_the_choice_names_the_two_sides_of_a_difference(show):
    pin = Pin(S("sinusoidal", base=500), "sinusoidal d=128 b=500")
    view = show("heatmap", show="difference", encoding=S("sinusoidal"), pins=(pin,))
    box = view.header.combos["show"]
    assert box.currentText() == "b = 10,000 − b = 500"
    view.model.set(pins=(replace(pin, name="as in 000"),))
    settle(view.model)
    assert box.currentText() == "b = 10,000 − as in 000"
    assert box.width() >= box.fontMetrics().horizontalAdvance(box.currentText()) + 20


# -- pins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["current", "pinned", "difference"])
def test_names_colours_and_pins_that_are_not_shown_cost_nothing(show, mode, computed):
    first = Pin(S("sinusoidal", base=500), "x")
    view = show("heatmap", show=mode, pins=(first, Pin(S("binary"), "y")))
    view.redraw()  # for the room that the numbers beside the first picture left
    view.refresh()
    calls = computed(view)
    for pins in (
        (replace(first, name="z"), Pin(S("binary"), "y")),
        (replace(first, colour="teal"), Pin(S("index"), "y")),
        (first,),
    ):
        view.model.set(pins=pins)
        settle(view.model)
    assert calls == []
    view.model.set(pins=(Pin(S("index"), "x"),))
    settle(view.model)
    assert len(calls) == (mode != "current")


@pytest.mark.parametrize("mode", ["pinned", "difference"])
def test_mouse_and_wheel_keep_to_the_dimensions_shown(show, mode):
    pins = (Pin(S("sinusoidal", dim=10), "x"),)
    view = show("heatmap", show=mode, encoding=S("sinusoidal", dim=64), pins=pins)
    assert pointed(view, "cells", 8, 21) == (21, 8)
    click(view, spot(view, "cells", 9, 21))
    assert cursor(view) == (21, 9)
    wheel(view, inside(view, "cells", 0.5, 0.5), 3, CTRL)
    assert 0 < columns(view)[1] < 10


@pytest.mark.parametrize(("mode", "place"), [("pinned", 4), ("difference", 2)])
def test_columns_are_paired_by_meaning(show, mode, place):
    """The cosine of pair 2 is column 2 in half-split rows and column 4 in interleaved ones."""
    half = sample("rope", head_dim=16)
    other = sample("rope", head_dim=16, layout="interleaved", rope_theta=77.0)
    view = show("heatmap", encoding=half, pins=(Pin(other, "x"),), show=mode, dimension=1)
    assert half.column_title(2) == other.column_title(4)
    assert pointed(view, "cells", place, 21) == (21, 2)


@pytest.mark.parametrize(
    ("e", "pin", "column", "dimension"),
    [
        (S("sinusoidal", dim=10), S("sinusoidal", dim=40), 30, 9),  # the last that the current has
        (S("sinusoidal"), S("alibi", heads=4), 2, 5),  # heads are none of its dimensions
    ],
)
def test_a_column_that_the_current_one_has_not_keeps_the_cursor(show, e, pin, column, dimension):
    fields = {"encoding": e, "pins": (Pin(pin, "x"),), "show": "pinned", "dimension": 5}
    view = show("heatmap", **fields)
    assert pointed(view, "cells", column, 20) == (20, dimension)
    click(view, spot(view, "cells", column, 20))
    assert cursor(view) == (20, dimension)
