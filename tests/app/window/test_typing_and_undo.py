"""What is being typed counts before anything else is done, and undo takes it back."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QUndoView

from tests.app.windows import change, click_on, encode, press_key, trigger
from tests.support.gestures import settle, type_text

ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
TYPED = 77.0


@pytest.fixture
def type_base(window, qtbot):
    """Return a function that types a base, and leaves the keyboard in its field."""

    def type_base():
        field = window.panel.form.editor("base").main
        type_text(qtbot, field, f"{TYPED:g}")
        assert field.isModified()
        return field

    return type_base


def base(window):
    return window.model.state.encoding.base


def test_another_exhibit_comes_after_what_was_typed(window, type_base):
    walk, strip = window.exhibit_walk, window.centre.strip
    for go in (
        lambda field: QTest.keyClick(field, Qt.Key.Key_PageDown, ALT),
        lambda field: QTest.keyClick(field, Qt.Key.Key_PageUp, ALT),
        lambda field: click_on(window, strip.next_button),
        lambda field: click_on(window, strip.back_button),
    ):
        walk.open("000-wider")
        settle(window.model)
        go(type_base())
        settle(window.model)
        assert walk.exhibit.id != "000-wider"
        assert base(window) != TYPED
        trigger(window, "undo")
        assert (walk.exhibit.id, base(window)) == ("000-wider", TYPED)
    editor = window.panel.form.editor("base")
    for widget in (editor.main, editor.slider):  # Alt+PageDown is no PageDown of theirs
        walk.open("000-wider")
        settle(window.model)
        widget.setFocus()
        press_key(window, widget, Qt.Key.Key_PageDown, ALT)
        assert walk.exhibit.id != "000-wider"
        trigger(window, "undo")
        assert base(window) == 10_000


def test_a_pin_has_what_was_typed_and_undo_takes_it_back(window, type_base):
    change(window, count=60)
    type_base()
    click_on(window, window.bars.top.widgetForAction(window.actions_by_key["undo"]))
    assert (base(window), window.model.state.count) == (10_000, 60)
    trigger(window, "redo")
    assert base(window) == TYPED
    trigger(window, "undo")
    press_key(window, type_base(), Qt.Key.Key_P, CONTROL)
    assert [pin.encoding.base for pin in window.model.state.pins] == [TYPED]


def test_a_click_on_what_takes_no_keys_takes_what_was_typed(window, type_base):
    for name, widget in {
        "a button of the rail": window.rail.buttons["waves"],
        "the transport": window.transport.forward_button,
        "a title of a panel": window.panel.parentWidget().titleBarWidget(),
        "the header of a pane": window.workspace.pane("heatmap").header,
        "the status": window.status_bar.sentence,
    }.items():
        window.workspace.show_view("heatmap")
        change(window, encoding=type(window.model.state.encoding)())
        field = type_base()
        click_on(window, widget)
        assert base(window) == TYPED, name
        assert not field.isModified()
        assert QApplication.focusWidget() is window.find_active_view(), (
            "keys are for the picture again"
        )


def test_a_click_on_words_of_a_drawer_or_beside_cards_leaves_esc_to_what_is_open(window, type_base):
    window.resize(800, 560)
    settle(window.model)
    window.sides.open("encoding")
    settle(window.model)
    field = type_base()
    click_on(window, window.panel.form)
    assert base(window) == TYPED
    assert field.isVisible()
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not window.sides.is_open("encoding")
    assert window.find_active_view().hasFocus()
    press_key(window, window.find_active_view(), Qt.Key.Key_F8)
    assert window.sides.is_open("explain")
    window.right_panel.pages().tabs.tabBar().setFocus()
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not window.sides.is_open("explain")
    assert window.find_active_view().hasFocus()
    trigger(window, "gallery")
    click_on(window, window.centre.page)
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not window.centre.has_gallery


CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("again", [(Qt.Key.Key_Y, CTRL), (Qt.Key.Key_Z, CTRL | SHIFT)])
def test_in_a_number_field_what_was_entered_is_taken_back_by_the_window(window, again, qtbot):
    field = window.panel.form.editor("dim").field
    type_text(qtbot, field, "77")
    press_key(window, field, Qt.Key.Key_Z, CTRL)  # still being typed: the field's own
    assert window.model.state.encoding.dim == 128
    field.selectAll()
    QTest.keyClicks(field, "77")
    for keys, dim in (((Qt.Key.Key_Return,), 77), ((Qt.Key.Key_Z, CTRL), 128), (again, 77)):
        press_key(window, field, *keys)
        assert (window.model.state.encoding.dim, field.text()) == (dim, str(dim))


def test_undo_and_redo_say_what_they_do_and_are_grey_when_there_is_nothing(window):
    undo, redo = (window.actions_by_key[key] for key in ("undo", "redo"))
    bar, before = window.statusBar(), window.model.state
    for step in (window.editing.undo, window.editing.redo):
        bar.clearMessage()
        step()
        assert bar.currentMessage()
        assert window.model.state is before
    assert (undo.isEnabled(), redo.isEnabled()) == (False, False)
    encode(window, base=50.0)
    assert (undo.text(), undo.isEnabled(), redo.isEnabled()) == ("&Undo: base", True, False)
    undo.trigger()
    settle(window.model)
    assert window.model.state.encoding.base == 1e4
    assert "base" in bar.currentMessage()
    assert (undo.isEnabled(), redo.text(), redo.isEnabled()) == (False, "&Redo: base", True)
    bar.clearMessage()
    redo.trigger()
    settle(window.model)
    assert window.model.state.encoding.base == 50.0
    assert "base" in bar.currentMessage()
    undo.trigger()
    encode(window, base=60.0)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)


def test_the_history_leads_back_to_any_step(window):
    for metric, dim in (("dot", 3), ("sse", 4)):
        change(window, metric=metric)
        encode(window, dim=dim)
    window.actions_by_key["show_history"].trigger()
    steps = window.findChild(QUndoView)
    assert steps.model().rowCount() == 5
    first = steps.itemDelegate().displayText("start " + steps.emptyLabel(), QLocale())
    assert first == "Start Initial state"
    assert steps.sizeHintForRow(0) >= 22
    steps.window().line.setText("metric")
    assert [steps.isRowHidden(row) for row in range(5)] == [True, False, True, False, True]
    steps.setCurrentIndex(steps.model().index(1, 0))
    settle(window.model)
    assert (window.model.state.metric, window.model.state.encoding.dim) == ("dot", 128)
    steps.window().reject()
