import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QUndoView

from pe_explorer import encodings
from pe_explorer.widgets.line_fields import NumberField
from tests.support.cases import for_each
from tests.support.gestures import settle, type_text

CTRL = Qt.KeyboardModifier.ControlModifier


def test_code_is_copied(window):
    window.model.set_encoding("binary", dim=5)
    window.model.set(start=3, count=9)
    window.actions_by_key["copy_code"].trigger()
    names = {}
    exec(QApplication.clipboard().text(), names)
    np.testing.assert_array_equal(
        names["table"], encodings.create("binary", dim=5).table(range(3, 12))
    )


def test_whose_code_is_copied_is_said(window):
    window.actions_by_key["pin"].trigger()
    window.model.set_encoding("binary", dim=5)
    for show, name in (("pinned", "sinusoidal"), ("difference", "binary")):
        window.model.set(show=show)
        settle(window.model)
        window.actions_by_key["copy_code"].trigger()
        names = {}
        exec(QApplication.clipboard().text(), names)
        np.testing.assert_allclose(
            names["table"],
            encodings.create(name, dim=names["table"].shape[1]).table(range(50)),
            atol=1e-12,
        )
        assert {
            "pinned": "of the pinned encoding",
            "difference": "of the current encoding, without",
        }[show] in window.statusBar().currentMessage()


@for_each("again", [Qt.Key.Key_Y, Qt.Key.Key_Z])
def test_in_a_number_field_what_was_entered_is_taken_back_by_the_window(window, again, qtbot):
    window.model.set_encoding(dim=128)
    settle(window.model)
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
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window.model)
    assert window.model.state.encoding.dim == 77
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    settle(window.model)
    assert (window.model.state.encoding.dim, field.text()) == (128, "128")
    QTest.keyClick(
        field, again, CTRL if again == Qt.Key.Key_Y else CTRL | Qt.KeyboardModifier.ShiftModifier
    )
    settle(window.model)
    assert (window.model.state.encoding.dim, field.text()) == (77, "77")


def test_undo_and_redo_from_the_menu_say_what_they_do(window):
    window.model.set_encoding(base=50.0)
    settle(window.model)
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
    window.model.set_encoding(base=50.0)
    settle(window.model)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    undo.trigger()
    settle(window.model)
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    window.model.set_encoding(base=60.0)
    settle(window.model)
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)


@for_each("step", ["undo", "redo"])
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


def test_rows_of_the_history_are_easily_hit_and_begin_as_sentences_do(window):
    window.model.set_encoding(base=500.0)
    settle(window.model)
    window.actions_by_key["show_history"].trigger()
    (steps,) = window.findChildren(QUndoView)
    assert steps.sizeHintForRow(0) >= 22  # pixels, as an entry of a menu
    texts = [steps.model().index(row, 0).data() for row in range(2)]
    shown = [steps.itemDelegate().displayText(text, steps.locale()) for text in texts]
    assert shown == ["At the start", "Base 500"]
    steps.window().close()


def test_a_pin_is_reported(window):
    window.model.set_encoding("rope", head_dim=64, rope_theta=5000.0)
    window.actions_by_key["pin"].trigger()
    assert window.status_bar.currentMessage() == "Pinned as rope d=64 θ=5000."
