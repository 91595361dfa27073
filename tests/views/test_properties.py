"""The properties on the screen: clicks and keys in the table, and the plot below it."""

import pytest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.model.history import History
from tests.support.gestures import (
    cell,
    click,
    click_cell,
    enter_cell,
    settle,
    spot,
    wait_for_worker,
)
from tests.support.notes import note

WIDE = encodings.create("sinusoidal", dim=1024)
PINS = (Pin(encodings.create("index", dim=16), "index"),)
WISHED = {"start": 1, "count": 249, "reference": 1, "position": 1, "metric": "euclidean"}


def shown(show, **fields):
    view = show("properties", **{"encoding": WIDE, "pins": PINS, **WISHED, **fields})
    wait_for_worker(view.model)
    return view


def test_a_click_on_the_first_exception_shows_it(show):
    view = shown(show)
    assert "falls first at 70" in cell(view, "Distance grows").text()
    click_cell(view, "Distance grows")
    assert (view.model.state.position, view.model.state.reference) == (70, 1)
    assert "falls first at 70" in cell(view, "Distance grows").text()
    assert "71" in cell(view, "Next to 70").text()


def test_cells_have_as_many_words_as_there_is_room_for(show):
    view = shown(show, pins=())
    view.resize(900, 600)
    settle(view.model)
    assert cell(view, "Unique positions").text() == "yes: closest pair 1 and 2, distance 5.208"
    assert cell(view, "Look-alike 1").text() == "position 70, Euclidean distance 23.13"
    view.model.set(pins=tuple(Pin(WIDE, f"{number}") for number in range(4)))
    settle(view.model)
    wait_for_worker(view.model)
    assert cell(view, "Look-alike 1").text() == "70 (23.13)"


def test_a_click_on_the_closest_pair_shows_both(show):
    view = shown(show, position=9)
    click_cell(view, "Unique positions")
    assert (view.model.state.position, view.model.state.second) == (1, 2)


def test_the_reason_stands_in_the_cell(show):
    view = shown(show)
    assert "no matrix can add" in cell(view, "Linear shift", 1).text()
    before = view.model.state
    click_cell(view, "Linear shift", 1)
    assert view.model.state == before


def test_a_reason_for_which_there_is_no_room_is_not_cut(show):
    pins = [Pin(encodings.create(name), name) for name in ("index", "fraction", "binary")]
    view = shown(show, width=560, pins=pins, options={"part": "wishes"})
    assert cell(view, "Linear shift", 1).text() == "no: no one matrix"
    assert "no matrix can add" in cell(view, "Linear shift", 1).toolTip()


def test_the_enter_key_shows_a_place(show):
    view = shown(show)
    enter_cell(view, "Look-alike 1")
    assert (view.model.state.position, view.model.state.reference) == (1, 70)


def test_a_locked_cursor_stays(show):
    view = shown(show)
    view.model.lock.set(True)
    click_cell(view, "Distance grows")
    assert view.model.state.position == 1


def test_a_click_in_the_plot_asks_for_other_look_alikes(show):
    view = shown(show, encoding=encodings.create("sinusoidal", dim=8), pins=(), metric="cosine")
    click(view, spot(view, "likeness", 100, 0.5))
    settle(view.model)
    wait_for_worker(view.model)
    assert view.model.state.position == 101
    assert "102" in cell(view, "Next to 101").text()
    assert "0.8838" in cell(view, "Next to 101").text()


@pytest.mark.parametrize("where", ["cell", "line"])
def test_a_click_on_a_look_alike_shows_it_beside_the_cursor_and_undo_takes_it_back(show, where):
    view = shown(show, pins=())
    history = History(view.model)
    position = int(cell(view, "Look-alike 3").text().split()[1].strip(","))
    assert position != view.model.state.reference
    names = [f"Look-alike {rank}" for rank in range(1, 6)]
    listed = [cell(view, name).text() for name in names]
    if where == "cell":
        click_cell(view, "Look-alike 3")
    else:
        click(view, spot(view, "likeness", position - 1 + 0.2, 5.0))
    wait_for_worker(view.model)
    assert (view.model.state.position, view.model.state.reference) == (1, position)
    assert [cell(view, name).text() for name in names] == listed
    assert [cell(view, name).font().bold() for name in names] == [rank == 3 for rank in range(1, 6)]
    assert view.header.lines["reference"].value == position
    history.undo()
    wait_for_worker(view.model)
    assert (view.model.state.position, view.model.state.reference) == (1, 1)
    assert not any(cell(view, name).font().bold() for name in names)


def test_parts_are_chosen_in_the_header(show):
    view = shown(show)
    assert view.table.rowCount() == 13
    view.set_option("part", "wishes")
    settle(view.model)
    assert view.table.rowCount() == 6
    view.set_option("part", "look-alikes")
    settle(view.model)
    assert view.table.rowCount() == 7


def test_the_table_of_several_pins_shows_every_row(show):
    pins = [Pin(encodings.create(name), name) for name in ("index", "fraction", "binary")]
    view = shown(show, width=670, pins=pins, options={"part": "wishes"})
    rows = range(view.table.rowCount())
    assert any(view.table.rowHeight(row) > view.table.row_height for row in rows)
    assert view.table.verticalScrollBar().maximum() == 0


def test_an_empty_likeness_has_no_numbers(show):
    fraction = encodings.create("fraction", dim=16)
    view = shown(
        show, encoding=fraction, pins=(), position=0, reference=0, start=0, metric="cosine"
    )
    assert note(view).isVisible()
    view.model.set(metric="euclidean")
    settle(view.model)
    wait_for_worker(view.model)
    assert note(view).isHidden()
