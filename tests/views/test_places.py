"""Where the parts of a view stand: beside or below each other, alone where there is little room."""

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitterHandle

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from tests.support.gestures import inside, settle, wait_for_worker
from tests.support.images import pixels
from tests.support.notes import note, note_label, offer
from tests.support.samples import sample

S = encodings.create
E = S("sinusoidal", dim=8)
PINS = (Pin(S("sinusoidal", dim=8, base=500.0), "slow"),)
FAR = 10**15
NEEDS_ROOM = 100  # pixels of each side of a picture that can be read


def shown(view):
    """Return the names of the panels that can be seen."""
    panels = view.picture.frame(view.model.state).panels
    return [panel.name for panel in panels if view.place_of(panel.name, 0, 0)]


def size_of(view, panel):
    """Return how many pixels a panel is wide and high."""
    ends = [inside(view, panel, at, at) for at in (0, 1)]
    return ends[1].x() - ends[0].x(), abs(ends[1].y() - ends[0].y())


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))
    combo.activated.emit(combo.currentIndex())
    settle()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tokens", {"part": "both"}),
        ("tokens", {"part": "similarity"}),
        ("shift", {"part": "tables"}),
        ("heatmap", {"second": 60}),
        ("distances", {}),
    ],
)
def test_two_plots_are_beside_each_other_only_where_there_is_room(show, name, options):
    view = show(name, options=options)
    for width, height in ((900, 500), (350, 700)):
        view.resize(width, height)
        settle(view.model)
        first, second = (inside(view, panel, 0, 0) for panel in shown(view))
        assert (second.x() - first.x() > NEEDS_ROOM) == (width == 900)
        assert (second.y() - first.y() > NEEDS_ROOM) == (width == 350)
        widths = [size_of(view, panel)[0] for panel in shown(view)]
        assert (name, width) != ("heatmap", 900) or widths[0] == pytest.approx(widths[1], abs=2)
        assert min(side for panel in shown(view) for side in size_of(view, panel)) > NEEDS_ROOM


@pytest.mark.parametrize(
    ("name", "options", "panel"),
    [
        ("distances", {}, "matrix"),
        ("distances", {"part": "matrix"}, "matrix"),
        ("shift", {}, "matrix"),
        ("tokens", {"part": "attention"}, "after"),
        ("projection", {}, "points"),
    ],
)
def test_a_square_is_as_high_as_wide(show, name, options, panel):
    view = show(name, options=options)
    if "alone" in view.header.combos:
        choose(view.header.combos["alone"], "matrix")
    for size in ((360, 260), (320, 700), (900, 300), (1600, 900)):
        view.resize(*size)
        settle(view.model)
        width, height = size_of(view, panel)
        assert width == pytest.approx(height, abs=2)
        assert width > 0.2 * min(size)
    tops = {inside(view, each, 0, 0).y() for each in shown(view) if panel == "after"}
    assert len(tops) <= 1  # one height for squares that stand side by side


@pytest.mark.parametrize(
    ("name", "key", "options", "grows"),
    [
        ("curve and matrix", Qt.Key.Key_Left, {}, -16),
        ("curve and matrix", Qt.Key.Key_Right, {}, 16),
        ("both curves", Qt.Key.Key_Down, {"part": "curve", "below": "sse"}, 16),
    ],
)
def test_a_border_is_moved_by_keys_and_the_shares_stay(show, name, key, options, grows):
    axis = 1 if "below" in options else 0
    view = show("distances", 800, 400, options=options, count=40)
    handles = view.findChildren(QSplitterHandle)
    (handle,) = (one for one in handles if name in one.accessibleName() and one.isVisible())
    before = size_of(view, "curve")[axis]
    handle.setFocus()
    QTest.keyClick(handle, key)
    settle(view.model)
    assert size_of(view, "curve")[axis] - before == grows
    view.resize(1600, 800)
    settle(view.model)
    assert size_of(view, "curve")[axis] > 1.8 * (before + grows)


def test_the_matrix_has_more_room_than_the_curve_and_stands_in_the_middle_of_it(show):
    view, ends = show("distances", 500, 370, count=40), []
    curve, matrix = (view.stage.canvas_of(plot).width() for plot in view.plots.values())
    assert matrix > 1.1 * curve
    view.resize(350, 700)
    settle(view.model)
    (handle,) = (one for one in view.findChildren(QSplitterHandle) if one.isVisible())
    for _ in range(4):  # from the first on, its width limits it
        QTest.keyClick(handle, Qt.Key.Key_Up)
        settle(view.model)
        ends.append([inside(view, "matrix", 0, down).y() for down in (0, 1)])
    moved = [before - after for before, after in zip(ends[0], ends[-1], strict=True)]
    assert moved == pytest.approx([3 * 16 / 2] * 2, abs=1)


def test_a_part_by_itself_has_the_whole_place_and_says_why_it_is_empty(show):
    view = show("distances", encoding=S("index", dim=3), count=1)
    (both, _), released = size_of(view, "curve"), []
    view.matrix_plot.release = lambda: released.append(view.options.part)
    for part in ("curve", "matrix"):
        view.set_options(part=part)
        settle(view.model)
        assert shown(view) == [part]
        assert released == ["curve"]  # where the matrix is hidden, its memory is free
        assert size_of(view, part)[0] > 1.3 * both or part == "matrix"
        assert "zeros" in note_label(view).text()
    view.model.set(start=5)
    settle(view.model)
    assert note(view).isHidden()
    view.set_options(part="curve", below="cosine")
    view.model.set(start=0, count=9, metric="sse")
    settle(view.model)
    top, bottom = (inside(view, "second-curve", 0.5, down).y() for down in (0, 1))
    assert top < note(view).geometry().center().y() < bottom  # over the curve that there is not


def test_a_small_view_shows_the_part_that_is_chosen_or_that_words_are_about(show):
    view = show("distances", 336, 265)
    box = view.header.combos["alone"]
    assert shown(view) == ["curve"]
    assert box.isVisibleTo(view.header)
    assert size_of(view, "curve")[0] > 200
    choose(box, "matrix")
    assert shown(view) == ["matrix"]
    assert size_of(view, "matrix")[0] >= 159
    assert view.options.part == "both"  # nothing of the document was changed
    assert pictures.find("distances").options(view.seen(view.model.state)).part == "matrix"
    view.resize(700, 400)
    settle(view.model)
    assert shown(view) == ["curve", "matrix"]
    assert not box.isVisibleTo(view.header)
    other = show("distances", 336, 265)
    other.favour({"matrix"})
    settle(other.model)
    assert shown(other) == ["matrix"]


def test_where_there_is_little_room_both_curves_are_equally_high(show):
    view, below = show("distances", options={"below": "dot"}, encoding=E, count=40), []
    for size in ((300, 120), (340, 200), (336, 265)):
        view.resize(*size)
        settle(view.model)
        assert shown(view) == ["curve", "second-curve"]
        upper, lower = (size_of(view, name)[1] for name in ("curve", "second-curve"))
        assert upper == pytest.approx(lower, abs=2)
        assert upper > 20
        below.append(size[1] - inside(view, "second-curve", 0, 1).y())
    assert below[0] < below[1] - 10  # there is a title where there is room for one


@pytest.mark.parametrize("part", ["both", "matrix"])
def test_several_matrices_are_as_many_as_have_room(show, sampled, part):
    options = {"show": "current pinned difference", "part": part, "below": "dot"}
    view = show("distances", options=options, encoding=E, pins=PINS)
    names = ["curve", "second-curve", "matrix", "matrix-pinned", "matrix-difference"]
    sizes = itertools.product([60, 130, 240, 400, 900], [40, 130, 180, 600])
    for size in [*sampled(list(sizes), 8), (900, 600)]:
        view.resize(*size)
        settle(view.model)
        seen = shown(view)
        assert len(seen) >= 1
        assert seen == names[names.index(seen[0]) :][: len(seen)]
    assert seen == names[0 if part == "both" else 2 :]


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift"])
def test_pictures_stand_in_the_order_that_was_asked_for_whichever_was_made_first(show, name):
    part = {"part": "matrix"} if name == "distances" else {}
    view = show(name, 1500, 500, part, encoding=E, pins=PINS)
    before = view.grab().toImage()
    for wanted in ("current difference", "current pinned difference", "current"):
        if name == "heatmap":
            view.model.set(show=wanted)
        else:
            view.set_option("show", wanted)
        settle(view.model)
        places = [view.place_of(each, 0, 0).x() for each in shown(view)]
        assert len(places) == len(wanted.split())
        assert places == sorted(set(places))
        first, *others = (view.plots[each].left.width() for each in shown(view))
        assert first > max(others, default=0)  # which have no title
    assert view.grab().toImage() == before


def test_the_numbers_read_off_leave_room_for_the_curves(show):
    """Below the curves where these are high enough, else beside them, or nowhere."""
    view = show("waves", options={"dimensions": (0, 1), "line1": 1, "line2": 2})
    for size, place in (((900, 600), "below"), ((700, 150), "beside"), ((300, 150), "")):
        view.resize(*size)
        settle(view.model)
        end = inside(view, "curves", 1, 1)
        assert view.numbers.isVisible() == bool(place)
        assert size_of(view, "curves")[1] > 50
        assert place != "below" or view.numbers.y() > end.y()
        assert place != "beside" or view.numbers.x() >= end.x()
        edge = pixels(view.numbers.grab().toImage())[:, :5]
        assert (edge == edge[0, 0]).all()  # the text begins further in


@pytest.mark.parametrize("width", [300, 450, 900])
def test_the_longest_caption_is_seen_whole(show, width):
    view = show("shift", width, encoding=S("sinusoidal", dim=64, waves="sine"), count=200)
    wait_for_worker(view.model)
    assert "200" in view.caption.text()
    assert view.caption.heightForWidth(view.caption.width()) <= view.caption.height() + 1


@pytest.mark.parametrize(
    ("name", "part", "encoding"),
    [("context", "types", "rope"), ("context", "calculator", "rope"), ("compare", None, "rope")],
)
def test_a_table_has_room_for_its_rows_where_its_plot_has_enough(show, name, part, encoding):
    view = show(name, options={"part": part} if part else {}, encoding=S(encoding), pins=PINS)
    table = view.table
    rows = sum(table.rowHeight(row) for row in range(table.rowCount()))
    spare = table.height() - table.horizontalHeader().height() - rows
    assert 0 <= spare < table.row_height
    view.resize(260, 200)
    settle(view.model)
    assert (table.isHidden(), len(shown(view))) == (True, 1)
    view.resize(900, 600)
    view.model.set(encoding=S("alibi"))
    settle(view.model)
    assert (table.isHidden(), note(view).isVisible()) == (True, True)  # it has no angles
    view.model.set(encoding=S(encoding))
    settle(view.model)
    assert not table.isHidden()


def test_rows_fit_their_words_once_a_scroll_bar_has_gone(show):
    """Columns get wider then, and sentences shorter."""
    table = show("properties", 300, 700, encoding=S("sinusoidal"), count=1).table
    for row in range(table.rowCount()):
        assert table.rowHeight(row) == max(table.row_height, table.sizeHintForRow(row))


@pytest.mark.parametrize(
    ("name", "fields", "wanted"),
    [
        ("heatmap", {"start": 10**6, "count": 10**12}, {"start": 10**6, "count": (10**3, 10**9)}),
        (
            "waves",
            {"encoding": S("sinusoidal", dim=2, base=16.0), "start": FAR, "count": 10**9},
            {"start": FAR, "count": (1, 200)},
        ),
        ("waves", {"encoding": sample("learned"), "start": 10**6}, {"start": 0}),
        ("shift", {"encoding": sample("learned"), "start": 10**6}, {"start": 0}),
        ("distances", {"encoding": S("alibi")}, {"metric": "euclidean"}),
    ],
)
def test_where_there_is_nothing_to_see_a_button_leads_to_something(show, name, fields, wanted):
    view = show(name, **fields)
    wait_for_worker(view.model)
    assert note(view).isVisible()
    offer(view).click()
    wait_for_worker(view.model)
    assert note(view).isHidden()
    for field, value in wanted.items():
        low, high = value if isinstance(value, tuple) else (value, value)
        assert low <= getattr(view.model.state, field) <= high
