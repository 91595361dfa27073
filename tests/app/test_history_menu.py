import numpy as np
from PySide6.QtWidgets import QApplication, QUndoView

from pe_explorer import encodings
from tests.gestures import settle


def test_code_is_copied(window):
    window.model.set_encoding("binary", dim=5)
    window.model.set(start=3, count=9)
    window.actions_by_key["copy_code"].trigger()
    names = {}
    exec(QApplication.clipboard().text(), names)
    np.testing.assert_array_equal(names["table"], encodings.create("binary", dim=5).table(range(3, 12)))


def test_undo_and_redo_from_the_menu_say_what_they_do(window):
    window.model.set_encoding(base=50.0)
    settle(window.model)
    undo, redo = (window.actions_by_key[key] for key in ("undo", "redo"))
    assert undo.text() == "&Undo base"
    undo.trigger()
    settle(window.model)
    assert window.model.state.encoding.parameters["base"] == 1e4
    assert (undo.text(), redo.text()) == ("&Undo", "&Redo base")
    redo.trigger()
    settle(window.model)
    assert window.model.state.encoding.parameters["base"] == 50.0
    undo.trigger()
    undo.trigger()
    assert "nothing" in window.statusBar().currentMessage()


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
