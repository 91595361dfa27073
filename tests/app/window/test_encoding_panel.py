"""The panel of the encoding in its window: where the keys go, and how narrow it may be."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea

from tests.app.acts import press_key
from tests.support.gestures import enter_text, picked_with_mouse, settle, type_text


@pytest.fixture
def panel(window):
    window.sides.open("encoding")
    settle(window.model)
    return window.panel


def test_what_was_typed_before_counts_and_does_not_keep_the_keys(window, panel, qtbot):
    type_text(qtbot, panel.form.editor("dim").field, "32")
    picked_with_mouse(qtbot, panel.encoding_combo, panel.encoding_combo.findData("binary"))
    settle(window.model)
    assert window.model.state.encoding.parameters == {"dim": 32}
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Space)
    assert window.model.playhead.playing


def test_a_combo_leaves_the_shortcuts_to_the_window(window, panel):
    for combo in (panel.preset_combo, panel.encoding_combo):
        combo.setFocus(Qt.FocusReason.TabFocusReason)
        for key, position in ((Qt.Key.Key_Period, 1), (Qt.Key.Key_Comma, 0)):
            press_key(window, combo, key)
            assert window.model.state.position == position
            assert combo.hasFocus()


def test_three_pins_do_not_push_the_presets_away(window, panel):
    for base in (500.0, 100.0, 50.0):
        window.model.set_encoding(base=base)
        window.navigation.pin()
    for size in ((1280, 800), (800, 560)):
        window.resize(*size)
        settle(window.model)
        window.sides.open("encoding")
        settle(window.model)
        area = panel.findChild(QScrollArea)
        assert panel.preset_combo.isVisible()
        assert 0 <= panel.preset_combo.mapTo(area, QPoint(0, 0)).y() < 30
        assert area.verticalScrollBar().isVisible() == (size == (800, 560))


def test_a_low_panel_scrolls_from_the_first_frame_on(window, panel):
    window.resize(1280, 560)
    panel.form.fold.click()
    settle(window.model)
    for name in ("index", "sinusoidal"):
        window.model.set_encoding(name)
        window.model.announce()
        window.grab()  # without a turn of the event loop
        for form in (panel.form, panel.positions_form):
            assert min(form.editor(field).main.height() for field in form.names) >= 20


def test_what_was_refused_is_told_no_longer_once_it_is_dropped(window, panel, qtbot):
    field = panel.form.editor("base").main
    enter_text(qtbot, field, "abc")
    assert "'abc'" in window.status_bar.currentMessage()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.status_bar.currentMessage() == ""
    assert field.text() == "10000"
