"""The view of shifts as a person uses it: typed shifts, parts, wheel, drags and clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.encodings import LIMIT
from tests.support.gestures import enter_text, settle, wait_for_worker
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
    assert "One matrix moves every row" in view.caption.text()


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
    area = view.plots["matrix"].box.size()
    assert area.width() == pytest.approx(area.height(), abs=2)


def test_the_reason_stands_above_the_best_fit(show):
    view = show("shift", encoding=sample("index"), options={"k": 5})
    wait_for_worker(view.model)
    assert view.caption.text().startswith("Index grows with the position")
    assert view.plots["matrix"].image.isVisible()


def test_the_pointer_marks_the_block_of_its_column(show):
    view = show("shift", encoding=sines(dim=16))
    box = view.plots["matrix"].box
    box.pointed.emit(5.2, 9.0)
    settle(view.model)
    assert view.model.preview.dimension == 5
    assert view.plots["matrix"].preview_upright.value() == 5
    box.left.emit()
    settle(view.model)
    assert view.model.preview is None
    box.picked.emit(7.4, 0.0)
    settle(view.model)
    assert view.model.state.dimension == 7


def test_a_click_in_a_table_sets_position_and_dimension(show):
    view = show("shift", encoding=sines(dim=16), start=100, options={"part": "tables", "k": 3})
    view.plots["later"].box.picked.emit(4.0, 12.3)
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (112, 4)


def test_channels_that_are_not_turned_are_no_columns(show):
    e = sample("rope", head_dim=8, partial_rotary_factor=0.5)
    view = show("shift", encoding=e, dimension=2)
    view.plots["matrix"].box.picked.emit(6.0, 6.0)
    settle(view.model)
    assert view.model.state.dimension == 2


def test_the_wheel_zooms_the_columns_of_the_matrix(show):
    view = show("shift", encoding=sines(dim=128))
    box = view.plots["matrix"].box
    box.zoom_asked.emit(0.5, 0.0, 0.0, Qt.KeyboardModifier.NoModifier)
    settle(view.model)
    assert (view.options.first, view.options.dimensions) == (0, 64)
    box.pan_asked.emit(-0.25, -0.25)
    settle(view.model)
    assert view.options.first == 16
    box.zoom_asked.emit(4.0, 0.0, 0.0, Qt.KeyboardModifier.NoModifier)
    settle(view.model)
    assert view.options.dimensions == 0


def test_the_wheel_zooms_positions_over_tables_and_curve(show):
    for part in ("tables", "residual"):
        view = show("shift", count=100, options={"part": part})
        box = view.plots["moved" if part == "tables" else "residual"].box
        box.zoom_asked.emit(0.5, 0.0, 0.0, Qt.KeyboardModifier.NoModifier)
        settle(view.model)
        assert view.model.state.count == 50
        box.pan_asked.emit(-0.5, -0.5)
        settle(view.model)
        assert view.model.state.start == 25
    view = show("shift", encoding=sines(dim=64), options={"part": "tables"})
    box = view.plots["later"].box
    box.zoom_asked.emit(0.5, 0.0, 0.0, Qt.KeyboardModifier.ControlModifier)
    settle(view.model)
    assert view.options.dimensions == 32


def test_where_no_row_is_shown_a_button_leads_to_some(show):
    view = show("shift", encoding=sample("learned"), start=10**6)
    wait_for_worker(view.model)
    assert "no position shown has a row" in view.stage.sentence.lower()
    view.stage.accepted.emit()
    settle(view.model)
    wait_for_worker(view.model)
    assert view.model.state.start == 0


@pytest.mark.parametrize("width", [300, 450, 900])
def test_the_longest_caption_is_seen_whole(width, show):
    view = show("shift", width=width, encoding=sines(dim=64, waves="sine"), count=200)
    wait_for_worker(view.model)
    caption = view.caption
    assert "The best fit to 200 rows" in caption.text()
    assert caption.heightForWidth(caption.width()) <= caption.height() + 1
