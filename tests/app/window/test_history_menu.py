import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QUndoView

from pe_explorer.widgets.line_fields import NumberField
from tests.app.acts import encode, press_key
from tests.support.gestures import settle, type_text

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize("again", [Qt.Key.Key_Y, Qt.Key.Key_Z])
def test_in_a_number_field_what_was_entered_is_taken_back_by_the_window(window, again, qtbot):
    encode(window, dim=128)
    field = next(
        field
        for field in window.panel.findChildren(NumberField)
        if field.accessibleName() == "Width"
    )
    type_text(qtbot, field, "77")
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)  # still being typed: the field's own
    settle(window.model)
    assert window.model.state.encoding.dim == 128
    field.selectAll()
    QTest.keyClicks(field, "77")
    press_key(window, field, Qt.Key.Key_Return)
    assert window.model.state.encoding.dim == 77
    press_key(window, field, Qt.Key.Key_Z, CTRL)
    assert (window.model.state.encoding.dim, field.text()) == (128, "128")
    QTest.keyClick(
        field, again, CTRL if again == Qt.Key.Key_Y else CTRL | Qt.KeyboardModifier.ShiftModifier
    )
    settle(window.model)
    assert (window.model.state.encoding.dim, field.text()) == (77, "77")


def test_undo_and_redo_from_the_menu_say_what_they_do(window):
    encode(window, base=50.0)
    undo, redo = (window.actions_by_key[key] for key in ("undo", "redo"))
    assert undo.text() == "&Undo: base"
    undo.trigger()
    settle(window.model)
    assert window.model.state.encoding.parameters["base"] == 1e4
    assert (undo.text(), redo.text()) == ("&Undo", "&Redo: base")
    redo.trigger()
    settle(window.model)
    assert window.model.state.encoding.parameters["base"] == 50.0
    assert window.statusBar().currentMessage() == "Redone: base."
    undo.trigger()
    settle(window.model)
    assert window.statusBar().currentMessage() == "Undone: base."


def test_undo_and_redo_are_greyed_when_there_is_nothing(window):
    undo, redo = (window.actions_by_key[key] for key in ("undo", "redo"))
    assert (undo.isEnabled(), redo.isEnabled()) == (False, False)
    encode(window, base=50.0)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    undo.trigger()
    settle(window.model)
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    encode(window, base=60.0)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)


@pytest.mark.parametrize("step", ["undo", "redo"])
def test_with_nothing_to_undo_or_redo_that_is_said(window, step):
    window.statusBar().clearMessage()
    before = window.model.state
    getattr(window.undoing, step)()
    assert window.statusBar().currentMessage() == "Nothing to undo or redo."
    assert window.model.state is before


def test_the_history_leads_back_to_any_step(window):
    for metric, dim in (("dot", 3), ("sse", 4)):
        window.model.set(metric=metric)
        window.model.announce()
        window.model.set_encoding(dim=dim)
        window.model.announce()
    window.actions_by_key["show_history"].trigger()
    steps = window.findChild(QUndoView)
    assert steps.model().rowCount() == 5
    steps.setCurrentIndex(steps.model().index(1, 0))
    settle(window.model)
    assert (window.model.state.metric, window.model.state.encoding.dim) == ("dot", 128)
    steps.window().reject()
