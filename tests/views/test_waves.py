import itertools

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
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
from tests.support.notes import note
from tests.support.samples import sample

TWO = encodings.create("sinusoidal", dim=2, base=16.0, waves="cosine")


@pytest.fixture
def waves(show):
    """Return a function that shows the two waves of the second document."""

    def waves(options=None, **fields):
        return show("waves", options=options, **{"encoding": TWO, "count": 26, **fields})

    return waves


def lines(view):
    """Return where lines are on the screen, counted from the first position."""
    return {
        option: line.value() for option, line in view.curve_plot.lines.items() if line.isVisible()
    }


def test_curves_lie_where_the_cosines_are(waves):
    view = waves()
    fast, slow = view.curve_plot.curve_set.lines[:2]
    for line, divisor in ((fast, 1), (slow, 4)):
        x, y = line.getData()
        np.testing.assert_allclose(y, np.cos(x / divisor), atol=1e-12)
        assert len(x) > 500
    assert view.curve_plot.curve_set.legend.names == ("dimension 0", "dimension 1")
    assert lines(view) == {}
    assert view.numbers.isHidden()


def test_double_clicks_set_lines_and_then_move_the_nearest(waves):
    view = waves(metric="euclidean")
    for place in (1, 2, 9):
        double_click(view, spot(view, view.curve_plot, place, 0.5))
        settle(view.model)
    assert lines(view) == {"line1": 1, "line2": 2, "line3": 9}
    assert "0.9608" in view.numbers.text()
    assert "2.158" in view.numbers.text()
    double_click(view, spot(view, view.curve_plot, 23, 0.5))
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 2, "line3": 23}
    assert "0.1178" in view.status


def test_a_line_is_dragged_from_position_to_position(waves):
    view = waves({"line1": 1, "line2": 2})
    start = view.model.state.start
    drag(view, spot(view, view.curve_plot, 2, -0.5), spot(view, view.curve_plot, 7.3, -0.5))
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 7}
    assert lines(view) == {"line1": 1, "line2": 7}
    assert view.model.state.start == start  # the picture has not moved
    drag(view, spot(view, view.curve_plot, 7, -0.5), spot(view, view.curve_plot, 7.2, -0.5))
    settle(view.model)
    assert lines(view) == {"line1": 1, "line2": 7}


@pytest.mark.parametrize("size", [(500, 300), (740, 634), (1200, 800)])
def test_names_of_lines_stand_below_each_other(waves, size):
    view = waves({"line1": 9, "line2": 9.25, "line3": 9.5})
    view.resize(*size)
    settle(view.model)
    boxes = [
        line.label.mapRectToScene(line.label.boundingRect())
        for line in view.curve_plot.lines.values()
    ]
    area = view.curve_plot.box.sceneBoundingRect()
    for upper, lower in itertools.pairwise(boxes):
        assert upper.center().y() + 15 < lower.center().y()
    assert boxes[0].center().y() > area.top() + 6
    assert boxes[-1].center().y() < area.bottom()


def test_the_third_line_is_dragged_to_the_mirror_image_of_the_second(waves):
    view = waves({"line1": 1, "line2": 2, "line3": 9}, metric="euclidean")
    drag(view, spot(view, view.curve_plot, 9, 0.3), spot(view, view.curve_plot, 23, 0.3))
    settle(view.model)
    assert view.options.line3 == 23
    apart = np.hypot(np.cos(23) - np.cos(2), np.cos(23 / 4) - np.cos(2 / 4))
    assert f"{apart:.4f}" == "0.1178"
    assert "0.1178" in view.numbers.text()


def test_where_there_are_no_rows_it_is_hatched(show):
    e = sample("learned")
    view = show("waves", encoding=e, count=len(e.domain) + 10)
    wait_for_worker(view.model)
    (rect,) = view.curve_plot.hatching.rects
    assert (rect.left(), rect.width()) == (len(e.domain) - 0.5, 10)


def test_with_shift_a_line_is_dragged_between_positions(waves, monkeypatch):
    view = waves({"line1": 1, "line2": 2})
    held = Qt.KeyboardModifier.ShiftModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: held))
    drag(view, spot(view, view.curve_plot, 2, -0.5), spot(view, view.curve_plot, 7.3, -0.5))
    settle(view.model)
    assert view.options.line2 == pytest.approx(7.3, abs=0.05)
    assert view.options.line2 == round(view.options.line2, 2)  # a pixel is less than a tenth
    assert view.options.line2 % 1
    far = spot(view, view.curve_plot, 25.4, -0.5)
    drag(view, spot(view, view.curve_plot, view.options.line2, -0.5), far)
    settle(view.model)
    assert view.options.line2 == 25  # the last position shown


def test_with_shift_too_lines_stay_at_positions_where_there_are_only_such(show, monkeypatch):
    view = show("waves", encoding=sample("binary"), options={"line1": 2})
    held = Qt.KeyboardModifier.ShiftModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: held))
    drag(view, spot(view, view.curve_plot, 2, 0.5), spot(view, view.curve_plot, 7.3, 0.5))
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
            spot(view, view.curve_plot, start, -0.5),
            spot(view, view.curve_plot, end, -0.5),
            steps=6,
            between=wait,
        )
        settle(view.model)
        assert view.model.gesture.number is None
    assert history.stack.count() == 2
    history.undo()
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 9}
    assert lines(view) == {"line1": 1, "line2": 9}
    history.undo()
    settle(view.model)
    assert view.options.lines == {"line1": 1, "line2": 2}


def test_keys_set_lines_at_the_cursor_and_take_them_away(waves):
    view = waves(position=9)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_3)
    settle(view.model)
    assert view.options.lines == {"line3": 9}
    assert view.curve_plot.lines["line3"].label.format == "p = 9"
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
    assert not view.curve_plot.curve_set.lines[1].isVisible()


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
    click(view, spot(view, view.curve_plot, 12, np.cos(3)))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (12, 1)
    click(view, spot(view, view.curve_plot, 13, np.cos(13)))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (13, 0)
    assert view.curve_plot.upright.value() == 13


def test_wheel_and_drag_move_the_positions(waves):
    view = waves()
    wheel(view, inside(view, view.curve_plot, 0.5, 0.5), 2)
    settle(view.model)
    assert view.model.state.count < 26
    before = view.model.state.start
    drag(
        view,
        inside(view, view.curve_plot, 0.8, 0.1),
        inside(view, view.curve_plot, 0.3, 0.1),
    )
    settle(view.model)
    assert view.model.state.start > before


def test_where_all_turn_in_each_pixel_a_button_leads_to_structure(waves):
    view = waves(start=10**15, count=10**9)
    assert "in which every curve turns at least once" in view.stage.sentence
    view.stage.accepted.emit()
    settle(view.model)
    assert note(view).isHidden()
    assert view.model.state.start == 10**15
    assert view.model.state.count < 200


def test_pins_are_drawn_with_gaps(waves):
    pin = Pin(encodings.create("sinusoidal", dim=2, base=100.0, waves="cosine"), "slower")
    view = waves(pins=(pin,))
    assert view.curve_plot.curve_set.lines[2].opts["pen"].dashPattern()
    assert view.curve_plot.curve_set.legend.names[2:] == (
        "slower: dimension 0",
        "slower: dimension 1",
    )


def test_a_table_without_rows_here_says_so_and_leads_to_them(show):
    e = sample("learned")
    view = show("waves", encoding=e, start=10**6)
    wait_for_worker(view.model)
    assert "There is nothing here" in view.stage.sentence
    view.stage.accepted.emit()
    wait_for_worker(view.model)
    assert view.model.state.start == e.domain[0]
    assert note(view).isHidden()


def test_many_numbers_leave_room_for_the_curves(show):
    options = {"dimensions": range(8), "line1": 1, "line2": 2, "line3": 3}
    view = show("waves", height=260, options=options)
    assert "more" in view.numbers.text()
    assert "cosine distance from p = 1" in view.numbers.text()
    assert "cosine distance from p = 2" in view.numbers.text()
    assert view.size_in_pixels().height > 60
    assert view.height() == 260


def test_in_a_low_view_numbers_stand_beside_the_curves_if_they_fit(waves):
    view = waves({"dimensions": (0, 1), "line1": 1, "line2": 2})
    tall = view.curve_plot.box.height()
    assert view.numbers.y() > view.stage.splitter.y() + tall
    view.resize(700, 150)
    settle(view.model)
    assert view.numbers.x() >= view.stage.splitter.geometry().right()
    assert view.numbers.width() >= view.numbers.sizeHint().width()
    assert view.size_in_pixels().height > 80
    view.resize(300, 200)  # beside them there were no room for the curves
    settle(view.model)
    assert view.numbers.y() >= view.stage.splitter.geometry().bottom()
    view.resize(300, 150)
    settle(view.model)
    assert view.numbers.isHidden()
    assert view.size_in_pixels().height > 50
