"""The view of shifts as a person uses it: typed shifts, parts, wheel, drags and clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.encodings import LIMIT
from tests.support.gestures import (
    click,
    drag,
    enter_text,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import offer
from tests.support.samples import sample
from tests.support.sinusoids import sinusoidal as sines


def type_shift(view, text, qtbot):
    enter_text(qtbot, view.k, text)
    settle(view.model)
    wait_for_worker(view.model)


@pytest.mark.parametrize(
    ("text", "k"), [("10", 10), ("-10", -10), ("44", 44), ("2^53", LIMIT), ("-2^53", -LIMIT)]
)
def test_any_shift_can_be_typed(text, k, show, qtbot):
    view = show("shift", encoding=sines(dim=18))
    type_shift(view, text, qtbot)
    assert view.options.k == k


def test_a_shift_beyond_the_limit_is_a_sentence(show, qtbot):
    view, said = show("shift"), []
    view.model.refused.connect(said.append)
    type_shift(view, "2^54", qtbot)
    assert view.options.k == 1
    assert len(said) == 1
    assert "2^53" in said[0]


def test_arrows_change_the_shift(show):
    view = show("shift")
    view.k.setFocus()
    QTest.keyClick(view.k, Qt.Key.Key_Up)
    settle(view.model)
    assert view.options.k == 2
    QTest.keyClick(view.k, Qt.Key.Key_PageDown)
    settle(view.model)
    assert view.options.k == -8


def test_the_matrix_is_a_square(show):
    view = show("shift", width=900, height=400)
    ends = [inside(view, "matrix", at, at) for at in (0, 1)]
    assert ends[1].x() - ends[0].x() == pytest.approx(ends[1].y() - ends[0].y(), abs=2)


def test_the_pointer_marks_the_block_of_its_column(show):
    view = show("shift", encoding=sines(dim=16))
    for _ in range(2):
        move(view, spot(view, "matrix", 5.2, 9.0))
    settle(view.model)
    assert view.model.preview.dimension == 5
    click(view, spot(view, "matrix", 7.4, 0.0))
    settle(view.model)
    assert view.model.state.dimension == 7


def test_a_click_in_a_table_sets_position_and_dimension(show):
    view = show("shift", encoding=sines(dim=16), start=100, options={"part": "tables", "k": 3})
    click(view, spot(view, "later", 4.0, 12.3))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (112, 4)


def test_channels_that_are_not_turned_are_no_columns(show):
    e = sample("rope", head_dim=8, partial_rotary_factor=0.5)
    view = show("shift", encoding=e, dimension=2)
    click(view, inside(view, "matrix", 0.99, 0.99))
    settle(view.model)
    assert view.model.state.dimension == 2


def test_the_wheel_zooms_the_columns_of_the_matrix(show):
    view = show("shift", encoding=sines(dim=128))
    wheel(view, inside(view, "matrix", 0.005, 0.005), 3)
    settle(view.model)
    assert view.options.first == 0
    assert 64 <= view.options.dimensions <= 66
    drag(view, inside(view, "matrix", 0.6, 0.6), inside(view, "matrix", 0.35, 0.35))
    settle(view.model)
    assert abs(view.options.first - 16) <= 1
    wheel(view, inside(view, "matrix", 0.5, 0.5), -9)
    settle(view.model)
    assert view.options.dimensions == 0


def test_the_wheel_zooms_positions_over_tables_and_curve(show):
    for part in ("tables", "residual"):
        view = show("shift", count=100, options={"part": part})
        panel, over = ("moved", (0.5, 0.002)) if part == "tables" else ("residual", (0.002, 0.5))
        wheel(view, inside(view, panel, *over), 3)
        settle(view.model)
        assert (view.model.state.start, view.model.state.count) == (0, 51)
        drag(view, inside(view, panel, 0.8, 0.8), inside(view, panel, 0.3, 0.3))
        settle(view.model)
        assert abs(view.model.state.start - 25) <= 1
    view = show("shift", encoding=sines(dim=64), options={"part": "tables"})
    wheel(view, inside(view, "later", 0.5, 0.5), 3, Qt.KeyboardModifier.ControlModifier)
    settle(view.model)
    assert view.options.dimensions == 33


def test_where_no_row_is_shown_a_button_leads_to_some(show):
    view = show("shift", encoding=sample("learned"), start=10**6)
    wait_for_worker(view.model)
    offer(view).click()
    settle(view.model)
    wait_for_worker(view.model)
    assert view.model.state.start == 0


@pytest.mark.parametrize("width", [300, 450, 900])
def test_the_longest_caption_is_seen_whole(width, show):
    view = show("shift", width=width, encoding=sines(dim=64, waves="sine"), count=200)
    wait_for_worker(view.model)
    caption = view.caption
    assert "200" in caption.text()
    assert caption.heightForWidth(caption.width()) <= caption.height() + 1
