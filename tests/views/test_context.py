"""The context on the screen: lengths that are typed, rows that are taken, and one step of undo."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT
from pe_explorer.model.history import History
from tests.support.gestures import cell, click, click_cell, enter_cell, enter_text, settle, spot
from tests.support.notes import note

LENGTHS = {"trained": 32_768, "target": 131_072}


def rope(**parameters):
    return encodings.create("rope", **{"head_dim": 128, "rope_theta": 1e6, **parameters})


def shown(show, part="types", **fields):
    return show("context", options={**LENGTHS, "part": part}, **{"encoding": rope(), **fields})


@pytest.mark.parametrize("column", [0, 2, 4])
def test_a_click_makes_a_row_the_encoding_in_one_step(show, column):
    view = shown(show)
    history = History(view.model)
    before = view.model.state.encoding
    click_cell(view, "yarn", column)
    e = view.model.state.encoding
    assert (e.rope_type, e.factor, e.original_max_position_embeddings) == ("yarn", 4.0, 32_768)
    assert cell(view, "current").text() == "40 of 64"
    assert cell(view, "current", 1).text() == "0"
    history.undo()
    settle(view.model)
    assert view.model.state.encoding == before
    assert cell(view, "current").text() == "0 of 64"


def test_dynamic_takes_the_target_as_the_length_in_use(show):
    view = shown(show)
    click_cell(view, "dynamic")
    e = view.model.state.encoding
    assert (e.sequence_length, e.original_max_position_embeddings) == (131_072, 32_768)


def test_the_answers_of_the_calculator_are_taken_in_one_step(show):
    view = shown(show, "calculator")
    history = History(view.model)
    for title, wanted in (
        ("base alone", {"rope_type": "default", "rope_theta": 9_189_587.0}),
        ("factor of ntk", {"rope_type": "ntk", "factor": 4.0 ** (126 / 80)}),
        ("factor of llama3", {"rope_type": "llama3", "factor": 4.0}),
    ):
        before = view.model.state.encoding
        assert cell(view, title, 2).text() == "Take it"
        click_cell(view, title, 2)
        e = view.model.state.encoding
        (kind, rope_type), (number, value) = wanted.items()
        assert e.parameters[kind] == rope_type
        assert e.parameters[number] == pytest.approx(value, rel=1e-14)
        history.undo()
        settle(view.model)
        assert view.model.state.encoding == before


def test_the_longest_target_is_taken(show):
    view = shown(show, "calculator")
    click_cell(view, "longest target", 2)
    assert view.options.target == 32_768
    assert view.header.lines["target"].value == 32_768
    assert "0 new" in view.status


def test_the_enter_key_takes_a_row(show):
    view = shown(show)
    enter_cell(view, "linear")
    assert view.model.state.encoding.rope_type == "linear"
    assert view.table.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert view.table.accessibleName() == "Types and answers"


def test_lengths_are_typed_without_a_cap(show, qtbot):
    view = shown(show)
    enter_text(qtbot, view.header.lines["target"], "2^53")
    settle(view.model)
    assert view.options.target == LIMIT
    enter_text(qtbot, view.header.lines["trained"], "8Ki")
    settle(view.model)
    assert view.options.trained == 8192
    assert "8,192" in view.status
    refused = []
    view.model.refused.connect(refused.append)
    enter_text(qtbot, view.header.lines["trained"], "0")
    assert len(refused) == 1
    assert view.options.trained == 8192


def test_arrow_keys_step_through_lengths(show):
    view = shown(show)
    QTest.keyClick(view.header.lines["target"], Qt.Key.Key_Up)
    settle(view.model)
    assert view.options.target == 131_072 + 1024
    QTest.keyClick(view.header.lines["trained"], Qt.Key.Key_PageDown)
    settle(view.model)
    assert view.options.trained == 32_768 - 16 * 1024
    QTest.keyClick(view.header.lines["trained"], Qt.Key.Key_PageDown)
    settle(view.model)
    assert view.options.trained == 1


def test_lengths_that_nobody_typed_follow_the_encoding(show):
    view = show("context", encoding=rope(), count=4096)
    assert (view.header.lines["trained"].value, view.header.lines["target"].value) == (4096, 16_384)
    view.model.set_encoding(None, rope_type="yarn", factor=8.0)
    settle(view.model)
    assert (view.header.lines["trained"].value, view.header.lines["target"].value) == (8192, 65_536)


def test_no_angles_are_a_sentence(show):
    view = show("context", encoding=encodings.create("alibi"))
    assert note(view).isVisible()
    assert view.table.isHidden()


def test_a_click_on_a_bar_chooses_its_pair(show):
    view = shown(show)
    click(view, spot(view, "turns", 40, 0.5))
    settle(view.model)
    assert view.model.state.dimension == 40


def test_the_table_is_as_high_as_its_rows(show):
    for e, part in (
        (rope(), "types"),
        (rope(), "calculator"),
        (encodings.create("sinusoidal"), "types"),
    ):
        view = shown(show, part, encoding=e)
        table = view.table
        rows = sum(table.rowHeight(row) for row in range(table.rowCount()))
        spare = table.height() - table.horizontalHeader().height() - rows
        assert 0 <= spare < table.row_height
