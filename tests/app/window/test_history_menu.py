import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QUndoView

from tests.app.acts import change, encode, press_key
from tests.support.gestures import settle, type_text

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
    for step in (window.undoing.undo, window.undoing.redo):
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
    steps.setCurrentIndex(steps.model().index(1, 0))
    settle(window.model)
    assert (window.model.state.metric, window.model.state.encoding.dim) == ("dot", 128)
    steps.window().reject()
