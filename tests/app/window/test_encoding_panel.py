"""The panel of the encoding in its window: where the keys go, and how narrow it may be."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea

from tests.app.acts import press_key
from tests.support.gestures import enter_text, picked_with_mouse, settle, type_text


@pytest.fixture
def window(window):
    window.resize(1280, 800)
    settle(window.model)
    window.sides.open("encoding")
    settle(window.model)
    assert window.panel.isVisible()
    return window


def press(window, key):
    press_key(window, QApplication.focusWidget() or window, key)


def test_what_was_typed_before_counts_and_does_not_keep_the_keys(window, qtbot):
    line = window.panel.form.editor("dim").field
    type_text(qtbot, line, "32")
    picked_with_mouse(qtbot, window.panel.encoding_combo, 3)  # binary
    settle(window.model)
    assert window.model.state.encoding.parameters == {"dim": 32}
    press(window, Qt.Key.Key_Space)
    assert window.model.playhead.playing
    window.model.playhead.pause()


@pytest.mark.parametrize("which", ["preset_combo", "encoding_combo"])
@pytest.mark.parametrize(
    ("key", "moved"), [(Qt.Key.Key_Period, 1), (Qt.Key.Key_Comma, 0)], ids=["step", "back"]
)
def test_a_combo_leaves_the_shortcuts_to_the_window(window, which, key, moved):
    window.model.set(position=0)
    combo = getattr(window.panel, which)
    combo.setFocus(Qt.FocusReason.TabFocusReason)
    press(window, key)
    assert window.model.state.position == moved
    assert combo.hasFocus()


@pytest.mark.parametrize("width", [1280, 800])
def test_three_pins_do_not_push_the_presets_away(window, width):
    window.model.set(pins=())
    for base in (500.0, 100.0, 50.0):
        window.model.set_encoding(base=base)
        window.navigation.pin()
    window.resize(width, 800 if width > 1000 else 560)
    settle(window.model)
    window.sides.open("encoding")
    settle(window.model)
    area = window.panel.findChild(QScrollArea)
    top = window.panel.preset_combo.mapTo(area, QPoint(0, 0)).y()
    assert window.panel.preset_combo.isVisible()
    assert 0 <= top < 30
    assert area.verticalScrollBar().isVisible() == (width < 1000)


def test_what_was_refused_is_told_no_longer_once_it_is_dropped(window, qtbot):
    field = window.panel.form.editor("base").main
    enter_text(qtbot, field, "abc")
    assert "'abc' is not a number" in window.status_bar.currentMessage()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.status_bar.currentMessage() == ""
    assert field.text() == "10000"
