"""The comparison on the screen: clicks and keys in its table, and the plot below it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from tests.support.gestures import cell, click, click_cell, enter_cell, settle, spot
from tests.support.notes import note

LONG = {"factor": 4.0, "original_max_position_embeddings": 32_768}


def rope(rope_theta=1e6, **parameters):
    return encodings.create("rope", head_dim=128, rope_theta=rope_theta, **parameters)


YARN = rope(rope_type="yarn", **LONG)
PLAIN = (Pin(rope(), "plain"),)


def test_a_click_on_evidence_chooses_its_pair(show):
    view = show("compare", encoding=YARN, pins=PLAIN)
    click_cell(view, "Pairs that differ")
    assert view.model.state.dimension == 24
    click_cell(view, "Largest ratio")
    assert view.model.state.dimension == 40


def test_a_click_on_the_first_offset_shows_it(show):
    view = show("compare", encoding=YARN, pins=PLAIN, start=100, count=50)
    click_cell(view, "Off by 0.1 rad")
    state = view.model.state
    assert (state.position, state.dimension, state.start) == (292, 28, 100)
    assert state.count >= 192
    assert view.options.curve == "error"
    assert view.header.combos["curve"].currentData() == "error"
    assert cell(view, "Largest phase error").text().endswith("pair 28")


def test_the_order_of_channels_is_copied_as_code(show):
    view = show("compare", encoding=rope(layout="interleaved"), pins=PLAIN)
    before = view.model.state
    QApplication.clipboard().setText("")
    click_cell(view, "Order of channels")
    code = QApplication.clipboard().text()
    assert code == "permutation = np.arange(128).reshape(-1, 2).T.ravel()"
    assert view.model.state == before
    assert cell(view, "Order of channels").toolTip()


def test_the_enter_key_does_what_a_click_does(show):
    view = show("compare", encoding=YARN, pins=PLAIN)
    enter_cell(view, "Largest ratio")
    assert view.model.state.dimension == 40
    assert view.table.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert view.table.accessibleName() == "Evidence"


def test_what_leads_nowhere_is_no_link(show):
    view = show("compare", encoding=YARN, pins=PLAIN)
    before = view.model.state
    for title in ("Attention factors", "Order of channels", "q · k, random"):
        assert not cell(view, title).font().underline()
        click_cell(view, title)
    assert view.model.state == before
    assert cell(view, "Pairs that differ").font().underline()


def test_a_locked_cursor_stays(show):
    view = show("compare", encoding=YARN, pins=PLAIN)
    view.model.lock.set(True)
    click_cell(view, "Largest ratio")
    assert view.model.state.dimension == 0


def test_another_compared_pin_is_another_comparison(show):
    pins = (*PLAIN, Pin(YARN, "same"))
    view = show("compare", encoding=YARN, pins=pins)
    assert cell(view, "Pairs that differ").text() == "40 of 64, from pair 24 on"
    view.model.set(compared=1)
    settle(view.model)
    assert cell(view, "Pairs that differ").text() == "none of 64"
    assert view.table.horizontalHeaderItem(0).text() == "type = yarn, L = 32,768 against same"


def test_a_pin_without_angles_is_a_sentence_and_the_table_comes_back(show):
    view = show("compare", encoding=YARN, pins=(Pin(encodings.create("alibi"), "alibi"),))
    assert note(view).isVisible()
    assert view.table.isHidden()
    view.model.set(pins=PLAIN)
    settle(view.model)
    assert not view.table.isHidden()
    assert view.table.rowCount() == 8


def test_a_click_in_the_plot_chooses_a_pair(show):
    view = show("compare", encoding=YARN, pins=PLAIN)
    click(view, spot(view, "curve", 33, 0.0))
    settle(view.model)
    assert view.model.state.dimension == 33


def test_where_there_is_no_room_for_both_the_curve_is_shown(show):
    view = show("compare", 260, 200, encoding=YARN, pins=PLAIN)
    assert view.table.isHidden()
    assert view.place_of("curve", 0, 0)
    view.resize(900, 600)
    settle(view.model)
    assert not view.table.isHidden()
