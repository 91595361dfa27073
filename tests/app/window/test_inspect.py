"""Inspect, the read-out, the lock and the way back to the cursor, as a person uses them."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import pictures
from pe_explorer.exploration import CURSOR
from tests.app.acts import change
from tests.support.gestures import LEFT, PLAIN, enter_text, settle
from tests.support.readout import describe
from tests.support.windows import go_to, open_inspector, start_anew, trigger


@pytest.fixture
def inspecting(window):
    """Return the window with its panel of numbers open."""
    open_inspector(window)
    return window


def press(button):
    QTest.mouseClick(button, LEFT)
    settle()


def test_panel_and_read_out_follow_the_active_view(inspecting):
    window, inspector = inspecting, inspecting.right_panel.parts().inspector
    window.model.set(position=5, dimension=9, second=7)  # each view shows it
    for name in pictures.names():
        picture = pictures.find(name)
        window.workspace.show_view(name)
        settle(window.model)
        shown = [field for field, line in inspector.fields.items() if line.isVisible()]
        assert tuple(shown) == picture.inspected, name
        assert inspector.values[picture.main_number].text(), name
        assert window.readout.label.text() == describe(window.model.state, name)


def test_a_panel_in_use_leaves_the_view_as_it_is(inspecting, qtbot):
    window = inspecting
    window.workspace.show_view("distances")
    field = window.right_panel.parts().inspector.fields["second"]
    enter_text(qtbot, field, "30")
    settle(window.model)
    assert window.model.state.second == 30
    assert window.right_panel.parts().inspector.picture.name == "distances"
    assert window.readout.label.text().startswith("p 0   q 30   cosine distance from q ")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("heatmap", 0.24861705283935673), ("distances", 0.340021063), ("clocks", 284.3956915840)],
)
def test_the_menu_copies_the_number_of_the_active_view(window, name, expected):
    window.model.set(position=20, dimension=9, second=7)
    window.workspace.show_view(name)
    settle(window.model)
    assert not window.right_panel.parts().inspector.isVisible()
    trigger(window, "copy_value")
    number = float(QApplication.clipboard().text())
    assert number == pytest.approx(expected, rel=1e-8)
    main = pictures.find(name).main_number
    assert window.status_bar.currentMessage().startswith(f"{main} copied: {number:.8g}"[:-1])


# -- the lock --------------------------------------------------------------------------------------


def click_across(view):
    """Click at many places of a view, and leave the mouse over it."""
    for across in (0.3, 0.5, 0.7):
        for down in (0.3, 0.5, 0.7):
            place = QPoint(round(across * view.width()), round(down * view.height()))
            part = view.childAt(place) or view
            QTest.mouseMove(part, part.mapFrom(view, place))
            QTest.mouseClick(part, LEFT, PLAIN, part.mapFrom(view, place))
            settle(view.model)


@pytest.mark.parametrize("name", pictures.names())
def test_no_view_moves_a_cursor_that_is_locked(window, name):
    window.workspace.show_view(name)
    change(window, position=7, dimension=3, second=9)
    before = cursor(window.model.state)
    window.model.lock.set(True)
    click_across(window.view(name))
    assert cursor(window.model.state) == before
    assert window.model.preview is None
    window.model.lock.set(False)
    click_across(window.view(name))
    assert cursor(window.model.state) != before


def cursor(state):
    return {name: getattr(state, name) for name in CURSOR}


def test_the_lock_has_a_key(window):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_P, keys)
    assert window.model.lock.on
    assert window.transport.lock.isChecked()
    assert window.actions_by_key["lock"].isChecked()
    QTest.keyClick(window, Qt.Key.Key_P, keys)
    assert not window.model.lock.on


# -- a cursor that is not shown --------------------------------------------------------------------


FIRST_SHOWN = {"tokens": 16}  # the middle of the eight words is at the cursor


@pytest.mark.parametrize("name", pictures.names())
def test_a_pane_leads_to_the_cursor_in_one_step(window, name):
    start_anew(window)
    go_to(window, name)
    model, pane = window.model, window.workspace.pane(name)
    assert not pane.chip.isVisible()
    model.set(start=1000, position=20)
    settle(model)
    window.history.stack.clear()  # or the way back would be one gesture with that
    assert pane.chip.isVisible()
    assert "20, " in pane.chip.button.text()
    press(pane.chip.button)
    settle(model)
    assert not pane.chip.isVisible()
    assert (model.state.start, model.state.position) == (FIRST_SHOWN.get(name, 0), 20)
    assert window.history.stack.count() == 1
    trigger(window, "undo")
    assert (model.state.start, model.state.position) == (1000, 20)
    assert pane.chip.isVisible()


def test_dimensions_and_positions_are_one_step(window):
    model, pane = window.model, window.workspace.pane("heatmap")
    model.set(start=1000, position=20, dimension=90)
    model.set_options("heatmap", first=0, dimensions=20)
    settle(model)
    assert pane.chip.sentence == "Cursor at 20, above; dimension 90, to the right"
    window.history.stack.clear()
    press(pane.chip.button)
    settle(model)
    assert pane.chip.isHidden()
    assert window.history.stack.count() == 1
    assert pictures.find("heatmap").options(model.state).first == 80


def test_the_chip_hides_no_numbers_of_the_picture(window):
    change(window, start=1000, position=20)
    panes = [window.workspace.pane(name) for name in window.workspace.shown]
    told = [pane for pane in panes if pane.chip.isVisible()]
    assert [pane.name for pane in told] == ["heatmap"]  # the active one; one mark is enough
    assert not window.transport.chip.isVisible()
    for pane in told:
        chip = pane.chip.rect().translated(pane.chip.mapTo(pane, pane.chip.rect().topLeft()))
        assert not chip.intersects(pane.view.geometry())
        for other in pane.header.children():
            if isinstance(other, QWidget) and other.isVisible() and other is not pane.chip:
                assert not other.geometry().intersects(pane.chip.geometry())
