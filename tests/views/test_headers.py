import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.gestures import settle, turn_wheel, type_text
from tests.support.notes import offer

WIDEST = 330  # pixels that a pane of half of a usual window leaves


def reference_of(view):
    return view.header.lines["reference"]


def leave(view):
    view.setFocus()
    settle(view.model)


def press(field, key):
    QTest.keyClick(field, key)
    settle()


def test_a_change_from_outside_is_not_undone_by_leaving_the_field(show):
    view = show("distances")
    reference_of(view).setFocus()
    view.model.set(reference=7)
    settle(view.model)
    assert reference_of(view).text() == "7"
    leave(view)
    assert view.model.state.reference == 7


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


def test_a_typed_reference_counts_when_the_field_is_left(show, qtbot):
    view = show("distances")
    type_text(qtbot, reference_of(view), "1e15")
    leave(view)
    assert view.model.state.reference == 10**15
    assert reference_of(view).text() == str(10**15)


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


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_words_fit_their_boxes(show, name):
    view = show(name)
    assert view.header.minimumSizeHint().width() <= WIDEST
    for combo in view.header.combos.values():
        metrics = combo.fontMetrics()
        texts = [combo.itemText(row) for row in range(combo.count())]
        assert max(map(metrics.horizontalAdvance, texts)) <= combo.width() - 30


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_the_wheel_over_a_choice_changes_nothing_without_the_focus(show, name):
    view = show(name)
    state = view.model.state
    combos = list(view.header.combos.values())
    view.setFocus()
    for combo in combos:
        turn_wheel(combo, -120)
        turn_wheel(combo, 120)
    assert view.model.state is state
    for combo in combos:
        if combo.isVisible():
            combo.setFocus()
            turn_wheel(combo, -120)
    assert view.model.state != state


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_space_opens_a_choice_and_plays_elsewhere(show, qtbot, name):
    view = show(name)
    play = QAction("Play", view, shortcut=QKeySequence("Space"))
    view.addAction(play)
    view.setFocus()
    with qtbot.waitSignal(play.triggered):
        QTest.keyClick(view, Qt.Key.Key_Space)
    combo = next(each for each in view.header.combos.values() if each.isVisible())
    combo.setFocus()
    with qtbot.assertNotEmitted(play.triggered):
        QTest.keyClick(combo, Qt.Key.Key_Space)
    assert combo.view().isVisible()
    combo.hidePopup()
    QApplication.processEvents()


def test_space_takes_the_offer_beside_a_sentence(show, qtbot):
    view = show("heatmap", start=10**12, count=10**12)
    play = QAction("Play", view, shortcut=QKeySequence("Space"))
    view.addAction(play)
    button = offer(view)
    assert button.isVisible()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.assertNotEmitted(play.triggered):
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert view.model.state.count < 10**12
