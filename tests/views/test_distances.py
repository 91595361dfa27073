"""The distances on the screen: what mouse, wheel, borders and choices do."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitterHandle

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance
from pe_explorer.exploration import Pin
from tests.support.gestures import (
    click,
    colours_across,
    double_click,
    drag,
    enter_text,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note, note_label, offer
from tests.support.pairwise import pairwise
from tests.support.samples import ROWS, sample

S = encodings.create
E = S("sinusoidal", dim=16, base=1000.0)
FAR = 10**15


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))
    combo.activated.emit(combo.currentIndex())


def rows(view):
    settle(view.model)
    return view.model.state.start, view.model.state.count


def cursor(view):
    settle(view.model)
    return view.model.state.position, view.model.state.second


def pointed(view, panel, x, y):
    move(view, spot(view, panel, x, y))
    move(view, spot(view, panel, x, y))
    settle(view.model)
    return view.model.preview.position, view.model.preview.second


def shown(view):
    """Return the names of the panels that can be seen."""
    panels = view.picture.frame(view.model.state).panels
    return [panel.name for panel in panels if view.place_of(panel.name, 0, 0)]


def side(view, panel, name="x"):
    """Return how many pixels of a side a panel has."""
    ends = [inside(view, panel, at, at) for at in (0, 1)]
    return abs(ends[1].x() - ends[0].x() if name == "x" else ends[1].y() - ends[0].y())


# -- mouse and wheel -------------------------------------------------------------------------------


@pytest.mark.parametrize("panel", ["curve", "matrix"])
def test_wheel_zooms_where_the_mouse_is(show, panel):
    view = show("distances", start=1000, count=100)
    wheel(view, inside(view, panel, 0.0, 0.5) + QPoint(2, 0), 1)
    assert rows(view) == (1000, 80)


@pytest.mark.parametrize(
    ("panel", "right", "down", "moved"),
    [("curve", 0.2, 0.0, -20), ("matrix", 0.2, 0.2, -20), ("matrix", 0.2, -0.2, 0)],
)
def test_drag_moves(show, panel, right, down, moved):
    view = show("distances", start=1000, count=100)
    drag(view, inside(view, panel, 0.5, 0.5), inside(view, panel, 0.5 + right, 0.5 + down))
    assert abs(rows(view)[0] - (1000 + moved)) <= 1
    assert rows(view)[1] == 100


def test_the_curve_has_one_position_and_the_matrix_two(show):
    view = show("distances", start=FAR, count=50, position=FAR + 3, second=FAR + 8)
    assert pointed(view, "curve", 30, 0.5)[0] == FAR + 30
    assert pointed(view, "matrix", 31, 21) == (FAR + 21, FAR + 31)  # from one into the other
    assert cursor(view) == (FAR + 3, FAR + 8)
    click(view, spot(view, "matrix", 31, 21))
    assert cursor(view) == (FAR + 21, FAR + 31)
    click(view, spot(view, "curve", 7, 0.3))
    assert cursor(view) == (FAR + 7, FAR + 31)


@pytest.mark.parametrize(("panel", "y"), [("curve", 0.5), ("matrix", 20), ("second-curve", 5.0)])
def test_double_click_measures_from_there(show, panel, y):
    view = show("distances", options={"below": "sse"}, start=FAR, count=50)
    double_click(view, spot(view, panel, 33, y))
    settle(view.model)
    assert view.model.state.reference == FAR + 33
    assert view.header.lines["reference"].text() == str(FAR + 33)


def test_the_second_curve_takes_the_mouse_as_the_first_does(show):
    view = show("distances", options={"part": "curve", "below": "sse"}, encoding=E, count=40)
    assert spot(view, "curve", 6, 0).x() == spot(view, "second-curve", 6, 0).x()
    assert pointed(view, "second-curve", 11, 5.0)[0] == 11
    click(view, spot(view, "second-curve", 12, 5.0))
    assert cursor(view)[0] == 12
    wheel(view, inside(view, "second-curve", 0.5, 0.5), 2)
    assert rows(view)[1] < 40


def test_the_mouse_over_a_step_of_the_histogram_means_a_pair_of_its_bin(show):
    e = S("sinusoidal", dim=1024)
    view = show("distances", options={"part": "histogram"}, encoding=e, count=250)
    assert shown(view) == ["histogram"]
    assert not view.header.lines["reference"].isEnabled()
    assert 0.56 <= distance.between(e, *pointed(view, "histogram", 0.57, 3.0)) < 0.58
    click(view, spot(view, "histogram", 0.65, 1.0))
    assert 0.64 <= distance.between(e, *cursor(view)) < 0.66
    wheel(view, inside(view, "histogram", 0.5, 0.5), 3)
    assert rows(view) == (0, 128)
    assert "8,128 pairs" in view.status
    view.set_option("part", "both")
    settle(view.model)
    assert shown(view) == ["curve", "matrix"]
    assert view.header.lines["reference"].isEnabled()
    view.set_option("part", "histogram")
    view.model.set(count=1)
    settle(view.model)
    assert note(view).isVisible()
    move(view, inside(view, "histogram", 0.5, 0.1))
    assert view.model.preview is None
    view.model.set(count=9)
    settle(view.model)
    assert note(view).isHidden()


# -- where the parts stand -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 260), (320, 700), (900, 300), (1600, 900), (420, 420)])
@pytest.mark.parametrize("part", ["both", "matrix"])
def test_cells_are_as_high_as_wide(show, size, part):
    view = show("distances", *size, options={"part": part}, count=37)
    choose(view.header.combos["alone"], "matrix")
    for least in (0.2 * min(size), 100):
        settle(view.model)
        assert side(view, "matrix") == pytest.approx(side(view, "matrix", "y"), abs=1)
        assert side(view, "matrix") > least
        view.resize(500, 330)


@pytest.mark.parametrize(("size", "beside"), [((800, 400), True), ((400, 800), False)])
def test_the_matrix_lies_where_there_is_more_room(show, size, beside):
    view = show("distances", *size)
    curve, matrix = (inside(view, name, 0.5, 0.5) for name in ("curve", "matrix"))
    assert (matrix.x() - curve.x() > 200) == beside
    assert (matrix.y() - curve.y() > 200) == (not beside)


@pytest.mark.parametrize(
    ("name", "key", "options", "grows"),
    [
        ("curve and matrix", Qt.Key.Key_Left, {}, -16),
        ("curve and matrix", Qt.Key.Key_Right, {}, 16),
        ("both curves", Qt.Key.Key_Down, {"part": "curve", "below": "sse"}, 16),
    ],
)
def test_a_border_is_moved_by_keys_and_the_shares_stay(show, name, key, options, grows):
    axis = "y" if "below" in options else "x"
    view = show("distances", 800, 400, options=options, count=40)
    (handle,) = (
        handle
        for handle in view.findChildren(QSplitterHandle)
        if name in handle.accessibleName() and handle.isVisible()
    )
    before = side(view, "curve", axis)
    handle.setFocus()
    QTest.keyClick(handle, key)
    settle(view.model)
    assert side(view, "curve", axis) - before == grows
    view.resize(1600, 800)
    settle(view.model)
    around = 400 if axis == "y" else 800
    assert side(view, "curve", axis) / around > 1.8 * (before + grows) / around
    if axis == "x":
        assert side(view, "matrix") == pytest.approx(side(view, "matrix", "y"), abs=1)


def test_a_part_by_itself_has_the_whole_place_and_says_why_it_is_empty(show):
    view = show("distances", encoding=S("index", dim=3), count=1)
    both = side(view, "curve")
    for part in ("curve", "matrix"):
        view.set_options(part=part)
        settle(view.model)
        assert shown(view) == [part]
        assert side(view, part) > 1.3 * both or part == "matrix"
        assert "zeros" in note_label(view).text()
    view.model.set(start=5)
    settle(view.model)
    assert note(view).isHidden()
    view.set_options(part="both", below="dot")
    settle(view.model)
    assert shown(view) == ["curve", "second-curve", "matrix"]


def test_a_small_view_shows_the_part_that_is_chosen_or_that_words_are_about(show):
    view = show("distances", 336, 265)
    box = view.header.combos["alone"]
    assert shown(view) == ["curve"]
    assert box.isVisibleTo(view.header)
    assert side(view, "curve") > 200
    choose(box, "matrix")
    settle(view.model)
    assert shown(view) == ["matrix"]
    assert side(view, "matrix") == side(view, "matrix", "y") >= 159
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


@pytest.mark.parametrize("size", [(300, 120), (340, 200), (336, 265)])
def test_where_there_is_little_room_both_curves_are_equally_high(show, size):
    view = show("distances", *size, options={"below": "dot"}, encoding=E, count=40)
    assert shown(view) == ["curve", "second-curve"]
    upper, lower = (side(view, name, "y") for name in ("curve", "second-curve"))
    assert upper == pytest.approx(lower, abs=2)
    assert upper > 20


def test_the_sentence_stands_over_the_curve_that_there_is_not(show):
    options = {"part": "curve", "below": "cosine"}
    index = S("index", dim=3)
    view = show("distances", 700, 600, options, encoding=index, metric="sse", count=9)
    place = note(view).geometry().center()
    top, bottom = (inside(view, "second-curve", 0.5, down).y() for down in (0, 1))
    assert top < place.y() < bottom


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("width", "height", "part"),
    [
        *pairwise([60, 130, 240, 400], [40, 130, 180, 600], ["both", "matrix"]),
        *((900, height, part) for height in (40, 600) for part in ("both", "matrix")),
    ],
)
def test_several_matrices_are_as_many_as_have_room(show, width, height, part):
    pins = [Pin(S("sinusoidal", dim=8, base=500.0), "slow")]
    options = {"show": "current pinned difference", "part": part, "below": "dot"}
    view = show("distances", width, height, options, encoding=S("sinusoidal", dim=8), pins=pins)
    settle(view.model)
    names = ["curve", "second-curve", "matrix", "matrix-pinned", "matrix-difference"]
    seen = shown(view)
    assert len(seen) >= 1
    assert seen == names[names.index(seen[0]) :][: len(seen)]
    if width == 900 and height == 600:
        assert seen == names[0 if part == "both" else 2 :]


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift"])
def test_pictures_stand_in_the_order_that_was_asked_for_whichever_was_made_first(show, name):
    pins = [Pin(S("sinusoidal", dim=8, base=500.0), "slow")]
    part = {"distances": {"part": "matrix"}}.get(name, {})
    view = show(name, 1500, 500, part, encoding=S("sinusoidal", dim=8), pins=pins)
    for wanted in ("current difference", "current pinned difference"):
        if name == "heatmap":
            view.model.set(show=wanted)
        else:
            view.set_option("show", wanted)
        settle(view.model)
        places = [view.place_of(each, 0, 0).x() for each in shown(view)]
        assert len(places) == len(wanted.split())
        assert places == sorted(set(places))


# -- what is typed and chosen ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "taken"), [("12", 12), ("1e15", FAR), ("2^53", 2**53), ("-7", -7)]
)
def test_a_typed_reference(show, qtbot, text, taken):
    view = show("distances")
    enter_text(qtbot, view.header.lines["reference"], text)
    assert view.model.state.reference == taken


def test_the_reference_is_called_and_limited_as_the_table_is(show, qtbot):
    view, said = show("distances", encoding=sample("learned")), []
    view.model.refused.connect(said.append)
    line = view.header.lines["reference"]
    assert "position" in line.toolTip()
    assert f"{ROWS - 1}" in line.toolTip()
    enter_text(qtbot, line, str(ROWS))
    assert len(said) == 1
    view.model.set_encoding("alibi")
    settle(view.model)
    assert "offset" in line.toolTip()
    enter_text(qtbot, line, str(10**6))
    assert view.model.state.reference == 10**6


@pytest.mark.parametrize("metric", distance.METRICS)
def test_the_metric_is_a_choice(show, metric):
    view = show("distances")
    choose(view.header.combos["metric"], metric)
    settle(view.model)
    assert view.model.state.metric == metric


def test_without_a_direction_another_metric_is_offered(show):
    view = show("distances", encoding=S("alibi"))
    assert note(view).isVisible()
    offer(view).click()
    settle(view.model)
    assert view.model.state.metric == "euclidean"
    assert note(view).isHidden()


# -- pins ------------------------------------------------------------------------------------------


def curves(view):
    return view.drawn.figure.panels[0].curves


def test_long_work_goes_to_the_worker_and_the_newest_name_is_shown(show):
    pins = [Pin(S("sinusoidal", base=base, dim=4096), f"base {base}") for base in (50.0, 500.0)]
    view = show("distances", 1200, pins=pins, metric="manhattan")
    first, second = view.model.state.pins
    view.model.set(count=301)
    view.model.announce()
    assert view.model.worker.busy("distances")
    view.model.set(pins=(replace(first, name="mine"), second))
    view.model.announce()
    wait_for_worker(view.model)
    assert [curve.name for curve in curves(view)][1:] == ["mine", "base 500.0"]
    assert len(curves(view)[1].y) == 301
    assert len(colours_across(view, "matrix")) > 5


def test_another_name_or_colour_is_drawn_and_nothing_computed(show, computed):
    pins = [Pin(S("sinusoidal", base=base), f"base {base}") for base in (50.0, 500.0)]
    view = show("distances", pins=pins)
    view.redraw()  # for the room that the numbers beside the first picture left
    view.refresh()
    calls, before = computed(view), view.grab().toImage()
    first, second = view.model.state.pins
    view.model.set(pins=(replace(first, name="mine", colour="teal"), second))
    settle(view.model)
    assert calls == []
    assert (curves(view)[1].name, curves(view)[1].colour) == ("mine", "teal")
    assert view.grab().toImage() != before
    view.model.set(pins=(second, first))
    settle(view.model)
    assert len(calls) == 1
