import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from pe_explorer.analysis import distance
from pe_explorer.encodings import create
from pe_explorer.views._distance_header import neighbours
from tests.support.gestures import settle
from tests.support.notes import offer
from tests.support.wheel import turn_wheel

WIDEST = 631  # pixels that are left for it beside the clocks in a window of 1280


def type_in(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)


def leave(view):
    view.setFocus()
    settle(view.model)


def press(field, key):
    QTest.keyClick(field, key)
    settle()


def test_a_change_from_outside_is_not_undone_by_leaving_the_field(show):
    view = show("distances")
    view.header.reference.setFocus()
    view.model.set(reference=7)
    settle(view.model)
    assert view.header.reference.text() == "7"
    leave(view)
    assert view.model.state.reference == 7


def test_what_is_being_typed_stays_while_something_changes_outside(show):
    view = show("distances")
    type_in(view.header.reference, "12")
    view.model.set(reference=7)
    settle(view.model)
    assert view.header.reference.text() == "12"
    press(view.header.reference, Qt.Key.Key_Escape)
    assert view.header.reference.text() == "7"
    leave(view)
    assert view.model.state.reference == 7


def test_a_typed_reference_counts_when_the_field_is_left(show):
    view = show("distances")
    type_in(view.header.reference, "1e15")
    leave(view)
    assert view.model.state.reference == 10**15
    assert view.header.reference.text() == str(10**15)


@pytest.mark.parametrize("text", ["", "nan", "ten", "9007199254740993"])
def test_a_refused_reference_is_told_and_gone_when_the_field_is_left(show, qtbot, text):
    view = show("distances", reference=5)
    type_in(view.header.reference, text)
    with qtbot.waitSignal(view.model.refused) as told:
        press(view.header.reference, Qt.Key.Key_Return)
    assert told.args[0].startswith("Reference: ")
    assert told.args[0].endswith(".")
    assert view.header.reference.bad
    leave(view)
    assert (
        view.model.state.reference,
        view.header.reference.text(),
        view.header.reference.bad,
    ) == (
        5,
        "5",
        False,
    )


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_bad_position_has_no_distance_until_the_field_is_left(show, name):
    view = show("distances")
    before, field = view.header.reading.text(), getattr(view.header, name)
    type_in(field, "ten")
    assert view.header.reading.text() == ") = ?"
    assert "'ten' is not a whole number" in view.header.reading.toolTip()
    leave(view)
    assert view.header.reading.text() == before
    assert not field.bad


def test_arrow_keys_step_every_field(show):
    view = show("distances", count=200)
    e = view.model.state.encoding
    press(view.header.reference, Qt.Key.Key_Up)
    press(view.header.reference, Qt.Key.Key_PageUp)
    assert view.model.state.reference == 21
    press(view.header.first, Qt.Key.Key_PageUp)
    press(view.header.first, Qt.Key.Key_Down)
    assert view.header.first.text() == "19"
    assert float(view.header.reading.text().removeprefix(") = ")) == pytest.approx(
        distance.between(e, 19, 1, "cosine"), rel=1e-6
    )
    type_in(view.header.second, "2^53")
    press(view.header.second, Qt.Key.Key_Up)
    assert view.header.second.value == 2**53


def test_fields_say_what_they_are(show):
    view = show("distances")
    names = {
        field.accessibleName()
        for field in (view.header.reference, view.header.first, view.header.second)
    }
    assert names == {"Reference", "First position", "Second position"}
    assert "double-click" in view.header.reference.toolTip()
    assert all(
        "2^53" in field.toolTip()
        for field in (view.header.reference, view.header.first, view.header.second)
    )


def test_detached_while_typing_nothing_happens(show):
    view = show("distances")
    type_in(view.header.reference, "12")
    model = view.model
    view.detach()
    QTest.keyClick(view.header.reference, Qt.Key.Key_Return)
    QTest.keyClick(view.header.reference, Qt.Key.Key_Up)
    view.setFocus()
    assert model.state.reference == 0
    view.attach(model)


def test_the_row_fits(show):
    view = show("distances", width=300)
    assert view.minimumSizeHint().width() <= WIDEST
    for combo in (view.header.metric_box, *view.stage.combos.values()):
        widest = max(
            combo.fontMetrics().horizontalAdvance(combo.itemText(row))
            for row in range(combo.count())
        )
        assert widest <= combo.width() - 30


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_the_wheel_over_a_choice_changes_nothing_without_the_focus(show, name):
    view = show(name)
    state = view.model.state
    combos = [
        *view.stage.combos.values(),
        *([view.header.metric_box] if name == "distances" else []),
    ]
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
def test_choices_explain_themselves(show, name):
    view = show(name)
    for combo in view.stage.combos.values():
        assert combo.toolTip()
        assert combo.accessibleName()
        assert all(combo.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(combo.count()))


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_space_opens_a_choice_and_plays_elsewhere(show, qtbot, name):
    view = show(name)
    play = QAction("Play", view, shortcut=QKeySequence("Space"))
    view.addAction(play)
    view.setFocus()
    with qtbot.waitSignal(play.triggered):
        QTest.keyClick(view, Qt.Key.Key_Space)
    combo = next(iter(view.stage.combos.values()))
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
    with qtbot.waitSignal(view.stage.accepted), qtbot.assertNotEmitted(play.triggered):
        QTest.keyClick(button, Qt.Key.Key_Space)


def test_a_field_takes_its_arrow_keys_before_the_window(show):
    view = show("distances")
    assert isinstance(view.header.reference, QLineEdit)
    before = view.model.state.position
    press(view.header.reference, Qt.Key.Key_Down)
    assert view.model.state.position == before
    assert view.model.state.reference == -1


# -- two rows that are shown -----------------------------------------------------------------------


def test_the_two_offsets_are_among_those_shown(show):
    view = show("distances", metric="euclidean")
    assert (view.header.first.text(), view.header.second.text()) == ("0", "1")
    view.model.set_encoding("alibi")
    settle(view.model)
    assert (view.header.first.text(), view.header.second.text()) == ("0", "-1")
    told = float(view.header.reading.text().removeprefix(") = "))
    assert told == pytest.approx(sum(2.0 ** (-2 * k) for k in range(1, 9)) ** 0.5)
    view.model.set_encoding("sinusoidal")
    settle(view.model)
    assert (view.header.first.text(), view.header.second.text()) == ("0", "1")


def test_offsets_are_among_those_shown_from_the_start(show):
    view = show("distances", encoding=create("alibi"), start=-200, count=50)
    assert (view.header.first.text(), view.header.second.text()) == ("-200", "-199")


def test_typed_rows_stay_where_both_are_shown(show):
    view = show("distances", start=-10, count=50, encoding=create("alibi"))
    for field, text in ((view.header.first, "3"), (view.header.second, "-7")):
        type_in(field, text)
        leave(view)
    view.model.set(start=20)  # the same rows, elsewhere
    view.model.set(start=-10, encoding=create("index"))
    settle(view.model)
    assert (view.header.first.text(), view.header.second.text()) == ("3", "-7")


@pytest.mark.parametrize(
    ("shown", "pair"),
    [
        (range(50), (0, 1)),
        (range(-49, 1), (0, -1)),
        (range(-9, 9), (0, 1)),
        (range(-9, -4), (-9, -8)),
        (range(7, 8), (7, 8)),
        (range(1), (0, 1)),
    ],
)
def test_neighbours_are_shown_as_far_as_two_are(shown, pair):
    assert neighbours(shown) == pair
