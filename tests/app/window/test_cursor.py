"""The cursor in the window: pointing, clicks, its numbers, its lock, and the way back to it."""

import re
import time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import pictures
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.filter_dialog import KeysDialog
from pe_explorer.model import Model
from pe_explorer.panels.cursor import Readout
from pe_explorer.pictures.spots import ViewPlace, find_figure_point
from tests.app.windows import change, click_on, go_to, open_inspector, press_key, trigger
from tests.support.gestures import LEFT, PLAIN, enter_text, settle
from tests.support.measures import hyphened
from tests.support.notes import note

PLACES = [
    ViewPlace("heatmap", position=20, dimension=9),
    ViewPlace("distances", position=20),
    ViewPlace("distances", position=20, other=30),
    ViewPlace("clocks", position=20, pair=3),
]


@pytest.fixture
def window(window):
    """The main window with a clock of pair 3, where neighbouring positions are far apart."""
    window.model.set_options("clocks", pairs="first")
    settle(window.model)
    return window


@pytest.fixture
def inspector(window):
    """The numbers at the cursor, open beside the panes."""
    window.resize(1500, 900)
    open_inspector(window)
    return window.right_panel.pages().inspector


def point(window, where):
    """Move the mouse to a place of a picture; return the widget and the place in it."""
    view = window.view(where.view)
    found = find_figure_point(view.snapshot.figure, window.model.state, where)
    there = view.locate(found.panel, found.x, found.y).toPoint()
    widget = view.childAt(there)
    for near in (QPoint(2, 2), QPoint(0, 0)):
        time.sleep(0.012)  # the pause that pyqtgraph asks for between two moves
        QTest.mouseMove(widget, widget.mapFrom(view, there + near))
    settle(window.model)
    return widget, widget.mapFrom(view, there)


def describe(state, view="heatmap"):
    """Return the words of a new read-out for an exploration, while a view is active."""
    model, readout = Model(state, is_blocking=False), Readout()
    readout.show_view(view)
    readout.attach(model)
    words = readout.label.text()
    readout.detach()
    model.close()
    return words


def leave(window, widget):
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    settle(window.model)


# -- pointing ------------------------------------------------------------------------------------


def test_pointing_is_shown_everywhere_sets_nothing_and_a_click_does(window, inspector):
    def fields():
        parts = (*inspector.fields.values(), window.transport.position)
        return [*(field.text() for field in parts), window.transport.slider.value()]

    def said():
        values = {name: label.text() for name, label in inspector.values.items()}
        return (
            window.readout.label.text(),
            inspector.formula.plain_formula,
            values,
            inspector.place.text(),
        )

    model = window.model
    change(window, position=7, dimension=4, reference=2)
    before, typed = said(), fields()
    steps, modified = window.history.stack.count(), window.document.is_modified
    for where in PLACES:
        state = model.state
        widget, place = point(window, where)
        there = model.preview
        assert abs(there.position - 20) <= 1, where
        assert window.readout.label.text() == describe(there, where.view)
        label = window.view(where.view).mouse_label
        assert label.isVisible()
        assert f"position {there.position:,}" in label.text()
        value = there.encoding.value(there.position, there.dimension)
        assert hyphened(inspector.values["Value"].text()) == repr(value)
        formula = there.encoding.explain(there.position, there.dimension)
        assert hyphened(inspector.formula.plain_formula) == "\n".join(formula)
        assert f"p = {there.position}, j = {there.dimension}" in inspector.place.text()
        assert model.state is state
        assert fields() == typed
        leave(window, widget)
        assert model.preview is None
        assert not label.isVisible()
        assert said() == before
        point(window, where)
        QTest.mouseClick(widget, LEFT, PLAIN, place)
        settle(model)
        assert model.preview is None
        assert (model.state.position, model.state.dimension) == (there.position, there.dimension)
        leave(window, widget)
        model.replace(state)
        settle(model)
    assert (window.history.stack.count(), window.document.is_modified) == (steps, modified)


def test_pointing_computes_no_picture_and_draws_none(window, monkeypatch):
    with monkeypatch.context() as patch:  # it keeps what it patches only so long
        for view in window.workspace.built_views.values():
            patch.setattr(view.picture, "numbers", pytest.fail)
            patch.setattr(view, "show_numbers", pytest.fail)
        for where in PLACES:
            point(window, where)
            assert window.model.preview is not None
            for view in window.workspace.built_views.values():
                view.grab()


def test_a_drag_over_the_clocks_is_no_click(window):
    window.workspace.activate("clocks")
    settle(window.model)
    before = window.model.state
    widget, start = point(window, PLACES[-1])
    there = window.model.preview
    for release in (QPoint(60, 5), QPoint(1, 1)):
        QTest.mousePress(widget, LEFT, PLAIN, start)
        assert window.model.state == before  # a press does nothing by itself
        QTest.mouseRelease(widget, LEFT, PLAIN, start + release)
        settle(window.model)
        moved = (there.position, 6) if release == QPoint(1, 1) else (0, 0)
        assert (window.model.state.position, window.model.state.dimension) == moved


def test_keys_and_the_play_head_take_the_eye_with_them(window):
    model, heatmap = window.model, window.view("heatmap")
    point(window, PLACES[0])
    press_key(window, heatmap, Qt.Key.Key_Down)
    assert model.state.position == 1  # from the cursor, not from the mouse
    assert model.preview is None
    assert window.readout.label.text() == describe(model.state)
    point(window, PLACES[0])
    assert model.preview is not None  # the mouse moved
    model.playhead.set_speed(0.01)
    for act, is_seen in ((model.playhead.play, False), (model.playhead.pause, True)):
        act()
        settle(model)
        point(window, PLACES[0])
        assert (model.preview is not None) == is_seen


def test_what_is_hidden_or_lies_under_something_is_not_pointed_at(window):
    model = window.model
    point(window, PLACES[-1])
    window.workspace.arrange("one")
    settle(model)
    assert model.preview is None
    point(window, PLACES[0])
    assert model.preview is not None
    change(window, start=10**6, count=10**12)  # nothing is to be seen: a sentence lies over it
    over = note(window.view("heatmap"))
    assert over.isVisible()
    # As the window system does: Qt tells who is entered and left.
    QTest.mouseMove(window.windowHandle(), over.mapTo(window, over.rect().center()))
    settle(model)
    assert model.preview is None


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
    for view in window.workspace.built_views.values():
        assert sections[view.picture.title] == dict(view.picture.gestures)
    for action in ACTIONS:
        if action.keys.split():
            keys = ", ".join(QKeySequence(keys).toString() for keys in action.keys.split())
            assert keys in sections["Menus"], action.key
    for words, found in (("middle FEWER", "fewer positions around the middle"), ("qqq", "")):
        dialog.line.setText(words)
        shown = [row for row in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(row)]
        effects = [dialog.table.item(row, 1) for row in shown]
        assert any(found in effect.text() for effect in effects if effect) == bool(found)
        assert len(shown) <= 5 * bool(found)
        assert not shown or dialog.table.item(shown[0], 0).text() == "Menus"
    dialog.line.clear()
    assert not any(map(dialog.table.isRowHidden, range(dialog.table.rowCount())))
    dialog.deleteLater()


# -- numbers -------------------------------------------------------------------------------------


def test_panel_and_read_out_follow_the_active_view(window, inspector, qtbot):
    change(window, position=5, dimension=9, second=7)  # each view shows it
    for name in pictures.names():
        picture = pictures.find(name)
        go_to(window, name)
        shown = [field for field, line in inspector.fields.items() if line.isVisible()]
        assert tuple(shown) == picture.cursor_fields, name
        assert inspector.values[picture.main_value_name].text(), name
        assert window.readout.label.text() == describe(window.model.state, name)
    go_to(window, "distances")
    enter_text(qtbot, inspector.fields["second"], "30")
    settle(window.model)
    assert window.model.state.second == 30
    assert inspector.picture.name == "distances", "a panel in use leaves the view as it is"
    assert window.readout.label.text() == describe(window.model.state, "distances")


def test_the_menu_copies_the_number_of_the_active_view(window):
    change(window, position=20, dimension=9, second=7)
    go_to(window, "distances")
    trigger(window, "copy_value")
    rows = window.model.state.encoding.table([20, 7])
    cosine = 1 - rows[0] @ rows[1] / 64  # each has 64 pairs of sine and cosine
    assert float(QApplication.clipboard().text()) == pytest.approx(cosine, rel=1e-8)
    assert f"{cosine:.6f}" in window.status_bar.currentMessage()


# -- a cursor that is not shown ------------------------------------------------------------------


def test_one_chip_leads_to_dimension_and_position_and_hides_no_numbers_of_the_picture(window):
    window.model.set_options("heatmap", first=0, dimensions=20)
    change(window, start=1000, position=20, dimension=90)
    panes = [window.workspace.pane(name) for name in window.workspace.shown_views]
    (pane,) = [pane for pane in panes if pane.chip.isVisible()]
    assert pane.active
    assert not window.transport.chip.isVisible()
    chip = pane.chip.rect().translated(pane.chip.mapTo(pane, QPoint()))
    assert not chip.intersects(pane.view.geometry())
    for other in pane.header.findChildren(
        QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
    ):
        if other.isVisible() and other is not pane.chip:
            assert not other.geometry().intersects(pane.chip.geometry())
    assert {"20", "90", "above", "right"} <= {*re.findall(r"\w+", pane.chip.sentence)}
    window.history.stack.clear()
    click_on(window, pane.chip.button)
    assert pane.chip.isHidden()
    assert window.history.stack.count() == 1
    assert pictures.find("heatmap")(window.model.state).options.first == 80


def test_of_several_views_that_do_not_show_it_the_active_one_has_the_chip(window):
    trigger(window, "own_window")
    change(window, start=1000, position=20)
    names = window.workspace.shown_views
    assert len(names) == 3
    for name in (*names, *names[::-1]):
        window.workspace.activate(name)
        settle(window.model)
        assert [each for each in names if window.workspace.pane(each).chip.isVisible()] == [name]
