"""What is being typed counts before anything else is done, whatever that is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.app.acts import change, press_key
from tests.support.gestures import settle, type_text
from tests.support.windows import trigger, wait_until_idle

LEFT = Qt.MouseButton.LeftButton
ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
TYPED = 77.0


def type_base(window, qtbot, text="77"):
    """Type a base, and leave the keyboard where it is."""
    field = window.panel.form.editor("base").main
    type_text(qtbot, field, text)
    assert field.isModified()
    return field


def open_exhibit(window, name):
    window.exhibit_walk.open(name)
    settle(window.model)
    assert window.exhibit_walk.exhibit.id == name


def base(window):
    return window.model.state.encoding.base


def click(button):
    QTest.mouseClick(button, LEFT)


STRIP = {
    "next": lambda window: window.centre.strip.on_button,
    "previous": lambda window: window.centre.strip.back_button,
}
KEYS = {"next": Qt.Key.Key_PageDown, "previous": Qt.Key.Key_PageUp}


@pytest.mark.parametrize("way", STRIP)
@pytest.mark.parametrize("by", ["key", "click"])
def test_another_exhibit_comes_after_what_was_typed(window, qtbot, way, by):
    open_exhibit(window, "000-wider")
    field = type_base(window, qtbot)
    if by == "key":
        QTest.keyClick(field, KEYS[way], ALT)
    else:
        click(STRIP[way](window))
    settle(window.model)
    assert window.exhibit_walk.exhibit.id != "000-wider"
    assert base(window) != TYPED
    trigger(window, "undo")
    assert window.exhibit_walk.exhibit.id == "000-wider"
    assert base(window) == TYPED


def test_a_pin_has_what_was_typed(window, qtbot):
    field = type_base(window, qtbot)
    press_key(window, field, Qt.Key.Key_P, CONTROL)
    assert [pin.encoding.parameters["base"] for pin in window.model.state.pins] == [TYPED]


def test_what_was_typed_is_the_step_that_a_click_on_undo_takes_back(window, qtbot):
    change(window, count=60)
    type_base(window, qtbot)
    click(window.bars.top.widgetForAction(window.actions_by_key["undo"]))
    settle(window.model)
    assert (base(window), window.model.state.count) == (10_000, 60)
    trigger(window, "redo")
    assert base(window) == TYPED


ELSEWHERE = {
    "the rail": lambda window: window.rail.buttons["waves"],
    "the transport": lambda window: window.transport.forward,
    "a title of a panel": lambda window: window.panel.parentWidget().titleBarWidget(),
    "the header of a pane": lambda window: window.workspace.pane("heatmap").header,
    "the status": lambda window: window.status_bar.sentence,
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_click_on_what_takes_no_keys_takes_what_was_typed(window, qtbot, where):
    window.model.set_encoding(base=10_000)
    window.workspace.show_view("heatmap")
    settle(window.model)
    field = type_base(window, qtbot)
    click(ELSEWHERE[where](window))
    settle(window.model)
    assert base(window) == TYPED
    assert not field.isModified()
    assert QApplication.focusWidget() is window.active_view(), "keys are for the picture again"


@pytest.mark.parametrize("where", ["form", "slider"])
def test_alt_page_down_is_no_page_down_of_a_field_or_a_slider(window, where):
    open_exhibit(window, "000-wider")
    editor = window.panel.form.editor("base")
    widget = editor.main if where == "form" else editor.slider
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_PageDown, ALT)
    wait_until_idle(window)
    assert window.exhibit_walk.exhibit.id != "000-wider"
    trigger(window, "undo")
    assert base(window) == 10_000


def test_a_click_on_the_words_of_a_drawer_leaves_esc_to_the_drawer(window, qtbot):
    window.resize(800, 560)
    settle(window.model)
    window.sides.open("encoding")
    settle(window.model)
    field = type_base(window, qtbot)
    click(window.panel.form)
    settle(window.model)
    assert base(window) == TYPED
    assert field.isVisible()
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not window.sides.is_open("encoding")


def test_a_click_beside_the_cards_of_the_gallery_leaves_esc_to_it(window):
    trigger(window, "gallery")
    click(window.centre.page)
    settle(window.model)
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not window.centre.has_gallery
