"""Tables of evidence: a click or Enter goes to the place of a cell, or takes what it offers."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import PageText
from pe_explorer.figures.size import UNIT_POINTS
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
from tests.support.oracles import suited_to

S = encodings.create
SCALED = {"factor": 4.0, "original_max_position_embeddings": 32_768}
LENGTHS = {"trained": 32_768, "target": 131_072}


def rope(**parameters):
    return S("rope", **{"head_dim": 128, "rope_theta": 1e6, **parameters})


YARN = rope(rope_type="yarn", **SCALED)
PLAIN = (Pin(rope(), "plain"),)
WIDE = S("sinusoidal", dim=1024)
EVENLY = {"start": 1, "count": 249, "reference": 1, "position": 1, "metric": "euclidean"}


@pytest.fixture
def compare(show):
    return lambda **fields: show("compare", **{"encoding": YARN, "pins": PLAIN, **fields})


@pytest.fixture
def context(show):
    def context(part="types", **fields):
        return show("context", options={**LENGTHS, "part": part}, **{"encoding": rope(), **fields})

    return context


@pytest.fixture
def properties(show):
    def properties(**fields):
        view = show("properties", **{"encoding": WIDE, **EVENLY, **fields})
        wait_for_worker(view.model)
        return view

    return properties


def test_a_narrow_view_shows_a_table_of_one_column_above_its_plot(compare, context):
    for view, is_shown in ((compare(width=210), True), (context(width=210), False)):
        assert (view.table.isVisible(), view.canvas.isVisible()) == (is_shown, True)


def test_rows_of_a_view_of_440_pixels_are_whole_although_some_have_two_lines(context, properties):
    pins = [Pin(S(name), name) for name in ("index", "fraction", "binary")]
    wishes = properties(width=420, height=440, pins=pins, options={"part": "wishes"})
    for view in (context(width=420, height=440), wishes):
        assert view.table.verticalScrollBar().maximum() == 0
        assert view.canvas.isVisible()


def test_a_locked_cursor_stays(compare, properties):
    for view, title in ((compare(), "Largest ratio"), (properties(), "Distance grows")):
        before = view.model.state
        view.model.lock.set(True)
        click_cell(view, title)
        assert view.model.state == before


def test_the_table_takes_the_colours_of_another_theme(compare, qapp):
    def inks(view):
        return [view.table.item(row, 0).foreground().color() for row in range(3)]

    qapp.set_theme("light")
    view = compare()
    before = inks(view)
    qapp.set_theme("dark")
    settle(view.model)
    assert before != inks(view) == inks(compare())


@pytest.mark.parametrize("name", ["compare", "context", "properties"])
def test_the_table_takes_keys_and_says_what_it_is_and_what_leads_nowhere_is_no_link(show, name):
    sides = {"encoding": YARN, "pins": PLAIN}
    view = show(name, **(sides if name == "compare" else {"encoding": suited_to(name)}))
    assert view.table.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert view.table.accessibleName()
    if name == "compare":
        for title in ("Attention factors", "Order of channels", "q · k, random"):
            assert not cell(view, title).font().underline()
        assert cell(view, "Largest ratio").font().underline()


def test_rows_of_several_pins_are_all_seen(properties):
    pins = [Pin(S(name), name) for name in ("index", "fraction", "binary")]
    view = properties(width=670, pins=pins, options={"part": "wishes"})
    rows = range(view.table.rowCount())
    assert any(view.table.rowHeight(row) > view.table.row_height for row in rows)
    assert view.table.verticalScrollBar().maximum() == 0
    assert len(cell(view, "Linear shift", 1).toolTip()) > len(cell(view, "Linear shift", 1).text())
    column = (view.table.width() - view.table.verticalHeader().width()) / 2
    for view.table.one_line_width, lines in ((column, 1), (column + 1, 2)):
        grown = view.table.compute_height(5, 2) - view.table.compute_height(4, 2)
        assert (grown > view.table.row_height) == (lines > 1)


@pytest.mark.parametrize("width", [300, 360, 500, 800])
def test_names_of_what_is_compared_are_whole_in_a_narrow_view(compare, width):
    interleaved, concatenated = (
        S("sinusoidal", dim=64, layout=layout) for layout in ("interleaved", "concatenated")
    )
    view = compare(encoding=interleaved, pins=(Pin(concatenated),), width=width, height=700)
    header = view.table.horizontalHeader()
    lines = view.table.horizontalHeaderItem(0).text().split("\n")
    assert " ".join(lines) == "interleaved layout against concatenated"
    assert max(map(header.fontMetrics().horizontalAdvance, lines)) < view.table.columnWidth(0)
    assert header.height() >= len(lines) * header.fontMetrics().lineSpacing()
    assert (len(lines) == 1) == (width >= 500)
    view.model.set(pins=(Pin(S("sinusoidal", dim=64, base=9.0)),))
    settle(view.model)
    assert "\n" not in view.table.horizontalHeaderItem(0).text() or width < 500


def test_titles_leave_half_of_the_width_and_a_row_of_three_lines_is_seen_whole(properties):
    pins = [Pin(S(name), name) for name in ("index", "fraction", "binary")]
    table = properties(width=240, pins=pins, options={"part": "wishes"}).table
    assert table.verticalHeader().width() <= table.width() / 2
    line = table.fontMetrics().lineSpacing()
    heights = [table.rowHeight(row) for row in range(table.rowCount())]
    assert 3 * line <= max(heights) < 4 * line


def test_the_order_of_channels_is_copied_as_code(compare):
    view = compare(encoding=rope(layout="interleaved"))
    before = view.model.state
    QApplication.clipboard().setText("")
    click_cell(view, "Order of channels")
    assert ".reshape(-1, 2).T.ravel()" in QApplication.clipboard().text()
    assert view.model.state == before


def test_another_compared_pin_is_another_comparison(compare):
    view = compare(pins=(*PLAIN, Pin(YARN, "same")))
    assert "40 of 64" in cell(view, "Pairs that differ").text()
    view.model.set(compared=1)
    settle(view.model)
    assert "40 of 64" not in cell(view, "Pairs that differ").text()
    assert "same" in view.table.horizontalHeaderItem(0).text()


# -- context ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "title", "column", "wanted"),
    [
        *(("types", "yarn", column, {"rope_type": "yarn", **SCALED}) for column in (0, 2, 4)),
        ("types", "linear", None, {"rope_type": "linear"}),  # with the Enter key
        ("types", "dynamic", 0, {"rope_type": "dynamic", "sequence_length": 131_072}),
        ("calculator", "base only", 2, {"rope_type": "default", "rope_theta": 9_189_587.0}),
        ("calculator", "factor of ntk", 2, {"rope_type": "ntk", "factor": 4.0 ** (126 / 80)}),
        ("calculator", "factor of llama3", 2, {"rope_type": "llama3", "factor": 4.0}),
    ],
)
def test_a_click_takes_a_row_in_one_step(context, part, title, column, wanted):
    view = context(part)
    history, before = History(view.model), view.model.state.encoding
    if column is None:
        enter_cell(view, title)
    else:
        click_cell(view, title, column)
    found = view.model.state.encoding.parameters
    for name, value in wanted.items():
        same = value if isinstance(value, str) else pytest.approx(value, rel=1e-14)
        assert found[name] == same
    history.undo()
    settle(view.model)
    assert view.model.state.encoding == before


def test_the_longest_target_is_taken(context):
    view = context("calculator")
    click_cell(view, "longest target", 2)
    assert view.options.target == view.header.lines["target"].value == 32_768


def test_lengths_that_nobody_typed_follow_the_encoding(show):
    view = show("context", encoding=rope(), count=4096)
    lines = [view.header.lines[name] for name in ("trained", "target")]
    assert [line.value for line in lines] == [4096, 16_384]
    view.model.set_encoding(None, rope_type="yarn", factor=8.0)
    settle(view.model)
    assert [line.value for line in lines] == [8192, 65_536]


# -- properties ------------------------------------------------------------------------------------


def test_a_click_in_the_plot_asks_for_other_look_alikes(properties):
    view = properties(encoding=S("sinusoidal", dim=8), metric="cosine")
    click(view, spot(view, "likeness", 100, 0.5))
    wait_for_worker(view.model)
    assert view.model.state.position == 101
    assert "0.884" in cell(view, "Next to 101").text()


def middle_of(view, words):
    """Return the pixel of a view in the middle of a text of its figure."""
    texts = (item for layer in view.layers for item in layer if isinstance(item, PageText))
    (text,) = [text for text in texts if text.text == words]
    half = QFontMetricsF(view.font()).horizontalAdvance(words) / 2
    across = text.x / UNIT_POINTS["px"] + {"start": half, "end": -half}[text.anchor]
    return view.canvas.pos() + QPointF(across, text.y / UNIT_POINTS["px"] - 3).toPoint()


@pytest.mark.parametrize("where", ["cell", "line", "label"])
def test_a_click_on_a_look_alike_shows_it_beside_the_cursor_and_undo_takes_it_back(
    properties, where
):
    view = properties()
    history = History(view.model)
    position = int(cell(view, "Similar row 3").text().split()[1].strip(","))
    names = [f"Similar row {rank}" for rank in range(1, 6)]
    listed = [cell(view, name).text() for name in names]
    line = spot(view, "likeness", position - 1 + 0.2, 5.0)
    if where == "cell":
        click_cell(view, "Similar row 3")
    elif where == "line":
        click(view, line)
    else:
        click(view, middle_of(view, "3"))
    wait_for_worker(view.model)
    assert (view.model.state.position, view.model.state.reference) == (1, position)
    assert [cell(view, name).text() for name in names] == listed
    assert [cell(view, name).font().bold() for name in names] == [rank == 3 for rank in range(1, 6)]
    assert view.header.lines["reference"].value == position
    history.undo()
    wait_for_worker(view.model)
    assert (view.model.state.position, view.model.state.reference) == (1, 1)
    assert not any(cell(view, name).font().bold() for name in names)


def test_cells_have_as_many_words_as_there_is_room_for(properties):
    view = properties()
    wide = cell(view, "Similar row 1").text()
    view.model.set(pins=tuple(Pin(WIDE, f"{number}") for number in range(4)))
    wait_for_worker(view.model)
    narrow = cell(view, "Similar row 1").text()
    assert len(narrow) < len(wide)
    assert all("70" in text and "23.1" in text for text in (wide, narrow))
    table, heights = view.table, []
    for spare in (-1, 0, 1):  # rows have more lines only where columns are too narrow for one
        table.resize(table.verticalHeader().width() + 2 * table.one_line_width + spare, 200)
        heights.append(table.compute_height(5, 2))
    assert heights[0] > heights[1] == heights[2]
    view.resize(400, 600)
    assert table.horizontalScrollBar().maximum() > 0  # columns stay wide enough to be read
