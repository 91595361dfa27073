"""After any sequence of changes a view is one that is drawn anew: item by item, pixel by pixel."""

from random import Random

from pe_explorer import encodings, pictures
from tests.endurance.anew import left_behind
from tests.support.cases import for_each
from tests.support.gestures import settle

FIRST_SEED, ROUNDS = 29003, 2


@for_each("name", pictures.names())
def test_nothing_stays_of_what_was_shown_before(qapp, name):
    pick = Random(FIRST_SEED)
    for _ in range(ROUNDS):
        assert left_behind(name, pick) == ""


def test_rows_fit_their_words_once_a_scroll_bar_has_gone(show):
    """Columns get wider then, and sentences shorter."""
    view = show("properties", 300, 700, encoding=encodings.create("sinusoidal"), count=1)
    table = view.table
    heights = [table.rowHeight(row) for row in range(table.rowCount())]
    wanted = [max(table.row_height, table.sizeHintForRow(row)) for row in range(table.rowCount())]
    assert heights == wanted


def test_the_labels_of_look_alikes_are_those_of_the_state(show):
    """A line that was hidden meanwhile kept the label of before."""
    view = show("properties", encoding=encodings.create("sinusoidal"))
    view.model.set(position=20)
    settle(view.model)
    view.model.set_encoding("alibi")
    settle(view.model)
    view.model.set_encoding("sinusoidal")
    settle(view.model)
    marks = view.drawn.figure.panels[0].marks
    shown = [label.toPlainText() for label in view.plot.labels[: len(marks)]]
    assert shown == [mark.label for mark in marks]


def test_what_was_a_square_fills_its_place_with_its_titles_once_it_is_none(show):
    """It stayed a square without a title, beside the rows of the words."""
    view = show("tokens", 900, 400, encoding=encodings.create("sinusoidal"))
    view.model.set_options("tokens", part="both")
    settle(view.model)
    first = view.grab().toImage()
    for part in ("attention", "both"):
        view.model.set_options("tokens", part=part)
        settle(view.model)
    assert view.grab().toImage() == first
