import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.gestures import settle, type_text

WIDEST = 330  # pixels that a pane of half of a usual window leaves


def reference_of(view):
    return view.header.lines["reference"]


def leave(view):
    view.setFocus()
    settle(view.model)


def press(field, key):
    QTest.keyClick(field, key)
    settle()


def test_what_is_being_typed_stays_while_something_changes_outside(show, qtbot):
    view = show("distances")
    type_text(qtbot, reference_of(view), "12")
    view.model.set(reference=7)
    settle(view.model)
    assert reference_of(view).text() == "12"
    press(reference_of(view), Qt.Key.Key_Escape)
    assert reference_of(view).text() == "7"
    leave(view)
    assert view.model.state.reference == 7


@pytest.mark.parametrize("text", ["", "nan", "ten", "9007199254740993"])
def test_a_refused_reference_is_told_and_gone_when_the_field_is_left(show, qtbot, text):
    view = show("distances", reference=5)
    type_text(qtbot, reference_of(view), text)
    with qtbot.waitSignal(view.model.refused) as told:
        press(reference_of(view), Qt.Key.Key_Return)
    assert told.args[0]
    assert reference_of(view).bad
    leave(view)
    assert (
        view.model.state.reference,
        reference_of(view).text(),
        reference_of(view).bad,
    ) == (
        5,
        "5",
        False,
    )


def test_arrow_keys_step_the_reference(show):
    view = show("distances", count=200)
    press(reference_of(view), Qt.Key.Key_Up)
    press(reference_of(view), Qt.Key.Key_PageUp)
    assert view.model.state.reference == 21
    press(reference_of(view), Qt.Key.Key_PageDown)
    press(reference_of(view), Qt.Key.Key_Down)
    press(reference_of(view), Qt.Key.Key_Down)
    assert view.model.state.reference == -1
    assert view.model.state.position == 0  # they are not the window's


def test_detached_while_typing_nothing_happens(show, qtbot):
    view = show("distances")
    type_text(qtbot, reference_of(view), "12")
    model = view.model
    view.detach()
    QTest.keyClick(reference_of(view), Qt.Key.Key_Return)
    QTest.keyClick(reference_of(view), Qt.Key.Key_Up)
    view.setFocus()
    assert model.state.reference == 0
    view.attach(model)
