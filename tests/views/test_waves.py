import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.model.history import History
from tests.support.gestures import (
    click,
    double_click,
    drag,
    enter_text,
    inside,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note, offer
from tests.support.samples import sample

TWO = encodings.create("sinusoidal", dim=2, base=16.0, waves="cosine")


@pytest.fixture
def waves(show):
    """Return a function that shows the two waves of the second document."""

    def waves(options=None, **fields):
        return show("waves", options=options, **{"encoding": TWO, "count": 26, **fields})

    return waves


def test_double_clicks_set_lines_and_then_move_the_nearest(waves):
    view = waves(metric="euclidean")
    for place in (1, 2, 9):
        double_click(view, spot(view, "curves", place, 0.5))
        settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 2, "line3": 9}
    assert "0.9608" in view.numbers.text()
    assert "2.158" in view.numbers.text()
    double_click(view, spot(view, "curves", 23, 0.5))
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 2, "line3": 23}
    assert "0.1178" in view.status


def test_a_line_is_dragged_from_position_to_position(waves):
    view = waves({"line1": 1, "line2": 2})
    start = view.model.state.start
    drag(view, spot(view, "curves", 2, -0.5), spot(view, "curves", 7.3, -0.5))
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 7}
    assert view.model.state.start == start  # the picture has not moved
    drag(view, spot(view, "curves", 7, -0.5), spot(view, "curves", 7.2, -0.5))
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 7}


def test_with_shift_a_line_is_dragged_between_positions(waves, monkeypatch):
    view = waves({"line1": 1, "line2": 2})
    held = Qt.KeyboardModifier.ShiftModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: held))
    drag(view, spot(view, "curves", 2, -0.5), spot(view, "curves", 7.3, -0.5))
    settle(view.model)
    assert view.options.line2 == pytest.approx(7.3, abs=0.05)
    assert view.options.line2 == round(view.options.line2, 2)  # a pixel is less than a tenth
    assert view.options.line2 % 1
    far = spot(view, "curves", 25.4, -0.5)
    drag(view, spot(view, "curves", view.options.line2, -0.5), far)
    settle(view.model)
    assert view.options.line2 == 25  # the last position shown


def test_with_shift_too_lines_stay_at_positions_where_there_are_only_such(show, monkeypatch):
    view = show("waves", encoding=sample("binary"), options={"line1": 2})
    held = Qt.KeyboardModifier.ShiftModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: held))
    drag(view, spot(view, "curves", 2, 0.5), spot(view, "curves", 7.3, 0.5))
    settle(view.model)
    assert view.options.line1 == 7


def test_a_drag_of_a_line_is_one_step_of_undo_however_long_it_takes(waves, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pe_explorer.model.history.time.monotonic", lambda: now[0])
    view = waves({"line1": 1, "line2": 2})
    history = History(view.model)

    def wait():
        settle(view.model)
        now[0] += 60

    for start, end in ((2, 9), (9, 14)):
        drag(
            view,
            spot(view, "curves", start, -0.5),
            spot(view, "curves", end, -0.5),
            steps=6,
            between=wait,
        )
        settle(view.model)
        assert view.model.gesture.number is None
    assert history.stack.count() == 2
    history.undo()
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 9}
    history.undo()
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 2}


def test_keys_set_lines_at_the_cursor_and_take_them_away(waves):
    view = waves(position=9)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_3)
    settle(view.model)
    assert view.options.lines == {"line3": 9}
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_3)
    settle(view.model)
    assert view.options.lines == {"line3": 10}
    QTest.keyClick(view, Qt.Key.Key_3)
    settle(view.model)
    assert view.options.lines == {}


def test_lines_and_dimensions_are_typed(waves, qtbot):
    view = waves({"line1": 1})
    first, second = (view.header.lines[option] for option in ("line1", "line2"))
    enter_text(qtbot, second, "6.283")
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 6.283}
    assert "p = 6.283" in view.numbers.text()
    QTest.keyClick(first, Qt.Key.Key_Up)
    settle(view.model)
    assert view.options.line1 == 2
    enter_text(qtbot, first, "none")
    settle(view.model)
    assert view.options.lines == {"line2": 6.283}
    enter_text(qtbot, view.header.lines["dimensions"], "1")
    settle(view.model)
    assert view.options.dimensions == (1,)
    assert len(view.drawn.figure.panels[0].curves) == 1


def test_what_is_typed_wrongly_is_refused_with_a_sentence(waves, qtbot):
    view, said = waves(), []
    view.model.refused.connect(said.append)
    enter_text(qtbot, view.header.lines["line1"], "near 3")
    enter_text(qtbot, view.header.lines["dimensions"], "0, 1")
    assert len(set(said)) == 2
    assert "separate numbers by spaces" in said[-1]
    assert view.options == view.picture.Options.default()


def test_a_step_in_an_empty_field_is_the_cursor(waves):
    view = waves(position=5)
    QTest.keyClick(view.header.lines["line1"], Qt.Key.Key_Up)
    settle(view.model)
    assert view.options.lines == {"line1": 5}


def test_a_click_takes_position_and_dimension_of_the_curve_there(waves):
    view = waves()
    click(view, spot(view, "curves", 12, np.cos(3)))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (12, 1)
    click(view, spot(view, "curves", 13, np.cos(13)))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (13, 0)


def test_wheel_and_drag_move_the_positions(waves):
    view = waves()
    wheel(view, inside(view, "curves", 0.5, 0.5), 2)
    settle(view.model)
    assert view.model.state.count < 26
    before = view.model.state.start
    drag(
        view,
        inside(view, "curves", 0.8, 0.1),
        inside(view, "curves", 0.3, 0.1),
    )
    settle(view.model)
    assert view.model.state.start > before


def test_where_all_turn_in_each_pixel_a_button_leads_to_structure(waves):
    view = waves(start=10**15, count=10**9)
    offer(view).click()
    settle(view.model)
    assert note(view).isHidden()
    assert view.model.state.start == 10**15
    assert view.model.state.count < 200


def test_a_table_without_rows_here_says_so_and_leads_to_them(show):
    e = sample("learned")
    view = show("waves", encoding=e, start=10**6)
    wait_for_worker(view.model)
    offer(view).click()
    wait_for_worker(view.model)
    assert view.model.state.start == e.domain[0]
    assert note(view).isHidden()


def test_the_numbers_read_off_leave_room_for_the_curves(show):
    """Below the curves where these are high enough, else beside them, or nowhere."""
    view = show("waves", options={"dimensions": (0, 1), "line1": 1, "line2": 2})
    for size, place in (((900, 600), "below"), ((700, 150), "beside"), ((300, 150), "")):
        view.resize(*size)
        settle(view.model)
        left, bottom = inside(view, "curves", 0, 1).x(), inside(view, "curves", 0, 1).y()
        right, top = inside(view, "curves", 1, 0).x(), inside(view, "curves", 1, 0).y()
        numbers = view.numbers
        assert numbers.isVisible() == bool(place)
        assert bottom - top > 50
        assert place != "below" or numbers.y() > bottom
        assert place != "beside" or numbers.x() >= right > left
