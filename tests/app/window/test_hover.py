"""Pointing shows, a click sets: the mouse over a picture, in the whole window."""

import time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.keys_dialog import KeysDialog
from pe_explorer.pictures.spots import Where, spot
from tests.support.gestures import LEFT, PLAIN, settle
from tests.support.measures import hyphened
from tests.support.notes import note
from tests.support.readout import describe
from tests.support.windows import open_inspector

PLACES = [
    Where("heatmap", position=20, dimension=9),
    Where("distances", position=20),
    Where("distances", position=20, other=30),
    Where("clocks", position=20, pair=3),
]


@pytest.fixture
def window(window):
    """The main window with the numbers at the cursor beside its views."""
    window.resize(1500, 900)
    open_inspector(window)
    return window


def seen_at(window, where):
    """Return the widget that a place of a picture is in, and the place in it."""
    view = window.view(where.view)
    found = spot(view.drawn.figure, window.model.state, where)
    point = view.place_of(found.panel, found.x, found.y).toPoint()
    child = view.childAt(point)
    return child, child.mapFrom(view, point)


def point(window, where):
    """Move the mouse to a place, with the pause that pyqtgraph asks for between two moves."""
    widget, place = seen_at(window, where)
    for near in (place + QPoint(2, 2), place):
        time.sleep(0.012)
        QTest.mouseMove(widget, near)
    settle(window.model)
    return widget, place


def leave(window, where):
    QApplication.sendEvent(seen_at(window, where)[0], QEvent(QEvent.Type.Leave))
    settle(window.model)


def fields(window):
    """Return what stands in the fields and the play-head's bar."""
    inspector, transport = window.right_panel.parts().inspector, window.transport
    texts = [field.text() for field in (*inspector.fields.values(), transport.position)]
    return [*texts, transport.slider.value()]


def said(window):
    """Return what is said of the place that is looked at."""
    inspector = window.right_panel.parts().inspector
    values = {name: label.text() for name, label in inspector.values.items()}
    return window.readout.label.text(), inspector.formula.typed, values, inspector.place.text()


def test_pointing_is_shown_everywhere_sets_nothing_and_a_click_does(window):
    model, inspector = window.model, window.right_panel.parts().inspector
    model.set(position=7, dimension=4, reference=2)
    settle(model)
    before, typed = said(window), fields(window)
    steps, modified = window.history.stack.count(), window.document.modified
    for where in PLACES:
        state = model.state
        widget, place = point(window, where)
        there = model.preview
        assert abs(there.position - 20) <= 1, where
        assert window.readout.label.text() == describe(there)
        value = there.encoding.value(there.position, there.dimension)
        assert hyphened(inspector.values["Value"].text()) == repr(value)
        formula = there.encoding.explain(there.position, there.dimension)
        assert hyphened(inspector.formula.typed) == "\n".join(formula)
        assert f"p = {there.position}, j = {there.dimension}" in inspector.place.text()
        assert model.state is state
        assert fields(window) == typed
        leave(window, where)
        assert model.preview is None
        assert said(window) == before
    assert window.history.stack.count() == steps
    assert window.document.modified == modified
    for where in PLACES:
        widget, place = point(window, where)
        there = model.preview
        QTest.mouseClick(widget, LEFT, PLAIN, place)
        settle(model)
        assert model.preview is None
        assert (model.state.position, model.state.dimension) == (there.position, there.dimension)
        model.set(position=0, dimension=0)
        leave(window, where)


def test_pointing_computes_no_picture_and_no_layer(window, monkeypatch):
    with monkeypatch.context() as patch:  # it keeps what it patches only so long
        for view in window.workspace.built.values():
            patch.setattr(view.picture, "compute", pytest.fail)
            patch.setattr(view, "show_numbers", pytest.fail)
        for where in PLACES:
            point(window, where)
            assert window.model.preview is not None
            for view in window.workspace.built.values():
                view.grab()
            leave(window, where)


def test_a_drag_over_the_clocks_is_no_click(window):
    window.workspace.activate("clocks")
    settle(window.model)
    before = window.model.state
    widget, start = point(window, PLACES[-1])
    there = window.model.preview
    QTest.mousePress(widget, LEFT, PLAIN, start)
    QTest.mouseRelease(widget, LEFT, PLAIN, start + QPoint(60, 5))
    settle(window.model)
    assert window.model.state == before
    QTest.mousePress(widget, LEFT, PLAIN, start)
    assert window.model.state == before  # a press alone sets nothing
    QTest.mouseRelease(widget, LEFT, PLAIN, start + QPoint(1, 1))
    assert (window.model.state.position, window.model.state.dimension) == (there.position, 6)


def test_keys_and_the_play_head_take_the_eye_with_them(window):
    model, heatmap = window.model, window.view("heatmap")
    point(window, PLACES[0])
    assert model.preview is not None
    QTest.keyClick(heatmap, Qt.Key.Key_Down)
    settle(model)
    assert model.state.position == 1  # from the cursor, not from the mouse
    assert model.preview is None
    assert window.readout.label.text() == describe(model.state)
    point(window, PLACES[0])
    assert model.preview is not None  # the mouse moved
    model.playhead.set_speed(0.01)
    model.playhead.play()
    settle(model)
    point(window, PLACES[0])
    assert model.preview is None
    model.playhead.pause()
    point(window, PLACES[0])
    assert model.preview is not None


def test_what_is_hidden_or_lies_under_something_is_not_pointed_at(window):
    model, heatmap = window.model, window.view("heatmap")
    point(window, PLACES[-1])
    window.workspace.arrange("one")
    settle(model)
    assert model.preview is None
    point(window, PLACES[0])
    assert model.preview is not None
    model.set(start=10**6, count=10**12)  # nothing is to be seen: a sentence lies over the plot
    settle(model)
    over = note(heatmap)
    assert over.isVisible()
    # As the window system does: Qt tells who is entered and left.
    QTest.mouseMove(window.windowHandle(), over.mapTo(window, over.rect().center()))
    settle(model)
    assert model.preview is None


def test_many_moves_are_told_once_and_what_is_equal_not_at_all(model):
    heard = []
    model.previewed.connect(lambda: heard.append(model.preview))
    for position in range(1, 40):
        model.point_at(position=position)
    settle()
    model.point_at(position=39)
    settle()
    model.point_at()
    model.point_at(position=39)
    settle()
    assert [preview.position for preview in heard] == [39]
    model.set(count=60)  # what is under the mouse is something else by now
    settle()
    assert heard[1:] == [None]
    model.set(encoding=encodings.create("sinusoidal", dim=8))
    model.point_at(position=3, dimension=500)
    assert model.preview.dimension == 7


def test_keys_and_mouse_are_listed_by_view(window):
    sections, title = {}, ""
    dialog = KeysDialog(window)
    for row in range(dialog.table.rowCount()):
        keys, effect = (dialog.table.item(row, column) for column in range(2))
        if effect is None:
            title = keys.text()
        else:
            sections.setdefault(title, {})[keys.text()] = effect.text()
    assert {"Point", "Click"} <= sections["All views"].keys()
    for view in window.workspace.built.values():
        assert sections[view.picture.title] == dict(view.picture.gestures)
    for action in ACTIONS:
        if action.shortcuts:
            keys = ", ".join(QKeySequence(keys).toString() for keys in action.shortcuts)
            assert keys in sections["Menus"], action.key
    dialog.deleteLater()
