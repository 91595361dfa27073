"""The heatmap on the screen: its second window, its choices, and pins."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, views
from pe_explorer.exploration import Pin
from pe_explorer.model import Model
from tests.support.gestures import (
    choose,
    click,
    colours_across,
    drag,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
)

S = encodings.create


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


def test_click_sets_the_cursor_also_while_it_plays(show):
    view = show("heatmap")
    place = spot(view, "cells", 30, 20)
    for _ in range(2):
        move(view, place)
    assert view.model.preview is not None
    QApplication.sendEvent(view.childAt(place), QEvent(QEvent.Type.Leave))
    assert view.model.preview is None
    view.model.playhead.play()
    for _ in range(2):
        move(view, place)
    assert view.model.preview is None  # pointing does not disturb
    click(view, spot(view, "cells", 7, 40))
    assert (view.model.state.position, view.model.state.dimension) == (40, 7)
    view.model.playhead.pause()


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
    assert view.locate("second", 0, 0) is None


def test_a_second_window_that_takes_long_arrives(show):
    e = S("sinusoidal", dim=8192)
    view = show("heatmap", options={"second": 10**15}, encoding=e, count=5000)
    wait_for_worker(view.model)
    assert len(colours_across(view, "second")) > 5


def test_what_is_compared_is_a_choice_once_there_is_a_pin_and_names_both_sides(show):
    view = show("heatmap")
    model, (quantity, shown) = view.model, (view.header.combos[n] for n in ("quantity", "show"))
    assert not shown.isVisible()
    choose(quantity, "angle")
    model.set(pins=(Pin(S("binary"), "b"),))
    settle(model)
    assert shown.isVisible()
    for choice in ("pinned", "difference"):
        choose(shown, choice)
        settle(model)
        assert model.state.show == choice
        assert view.is_blank  # binary rows have no angles
        assert (quantity.currentData(), quantity.isVisible()) == ("angle", True)
    choose(quantity, "value")
    settle(model)
    assert not view.is_blank
    model.set_encoding("sinusoidal")
    pin = Pin(S("sinusoidal", base=500), "sinusoidal d=128 b=500")
    for name, other in ((pin.name, "base 500"), ("as in 000", "as in 000")):
        model.set(pins=(replace(pin, name=name),))
        settle(model)
        assert shown.currentText() == f"base 10,000 − {other}"
        assert shown.width() >= shown.fontMetrics().horizontalAdvance(shown.currentText()) + 20
    model.set(pins=())
    settle(model)
    assert not shown.isVisible()


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("heatmap", "current"),
        ("heatmap", "pinned"),
        ("heatmap", "difference"),
        ("distances", "current"),
        ("frequencies", "current"),
    ],
)
def test_names_colours_and_pins_that_are_not_shown_cost_nothing(show, name, mode, computed):
    first, second = Pin(S("sinusoidal", base=500), "x"), Pin(S("binary"), "y")
    view = show(name, show=mode, pins=(first, second))
    view.redraw()  # for the room that the numbers beside the first picture left
    view.refresh()
    calls, before = computed(view), view.grab().toImage()
    renamed = replace(first, name="z", colour="teal")
    changes = [(renamed, second), (replace(renamed, colour="green"), second)]
    if name == "heatmap":
        changes += [(first, Pin(S("index"), "y")), (first,)]
    for pins in changes:
        view.model.set(pins=pins)
        settle(view.model)
        if name != "heatmap":
            curves = view.snapshot.figure.panels[0].curves
            assert (curves[1].name, curves[1].colour) == (pins[0].name, pins[0].colour)
            assert view.grab().toImage() != before
    assert calls == []
    view.model.set(pins=(Pin(S("sinusoidal", base=50), "x"),))
    settle(view.model)
    assert len(calls) == (name != "heatmap" or mode != "current")
