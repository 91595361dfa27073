import threading
from concurrent.futures import CancelledError

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT
from pe_explorer.model import Exploration
from pe_explorer.pictures.distances import Distances
from pe_explorer.pictures.pixels import NO_VALUE, Size
from tests.support import truth
from tests.support.computing import compute_with
from tests.support.distances import usual_distances
from tests.support.gestures import (
    click,
    colours_across,
    double_click,
    drag,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note
from tests.support.samples import sample

every_metric = pytest.mark.parametrize("metric", distance.METRICS)
every_encoding = pytest.mark.parametrize("name", encodings.names())


def made(size, **fields):
    state = Exploration(**fields)
    return Distances.compute(state, Size(*size), threading.Event())


# -- what is drawn ---------------------------------------------------------------------------------


@every_encoding
@every_metric
def test_every_position_has_its_distances(name, metric):
    e = sample(name, dim=12)
    shown = made((300, 100), encoding=e, metric=metric, start=3, count=40, reference=17)
    table = e.table(range(3, 43))
    np.testing.assert_allclose(
        shown.curves[0], usual_distances(metric, e.table([17]), table)[0], rtol=1e-9, atol=1e-9
    )
    wanted = usual_distances(metric, table, table)
    low, high = shown.levels
    finite = np.isfinite(wanted)
    if np.abs(wanted[finite]).max() < 1e-9:
        return  # parallel rows: the last digits are not to be compared
    assert (shown.block, shown.curve_block) == (1, 1)
    assert (
        np.abs(
            shown.indices[finite] - np.clip((wanted[finite] - low) / (high - low), 0, 1) * 254
        ).max()
        <= 0.51
    )
    assert (shown.indices[~finite] == NO_VALUE).all()


@pytest.mark.parametrize("name", ["index", "fraction"])
def test_no_distance_looks_like_none(name):
    shown = made(
        (300, 100),
        encoding=encodings.create(name, dim=12),
        metric="cosine",
        start=3,
        count=40,
        reference=17,
    )
    assert shown.levels[1] > 1e-6
    assert (shown.indices == 0).all()


@pytest.mark.parametrize("metric", ["dot", "sse", "cosine", "euclidean"])
def test_pixels_of_many_positions_are_means_over_all_pairs(metric):
    e = encodings.create("sinusoidal", dim=32, base=1000.0)
    shown = made((25, 10), encoding=e, metric=metric, count=200, reference=9)
    table = e.table(range(200))
    pairs = usual_distances("sse" if metric == "euclidean" else metric, table, table)
    curve = (
        usual_distances("sse" if metric == "euclidean" else metric, e.table([9]), table)[0]
        .reshape(25, 8)
        .mean(axis=1)
    )
    matrix = pairs.reshape(10, 20, 10, 20).mean(axis=(1, 3))
    if metric == "euclidean":  # the root of the mean square
        curve, matrix = np.sqrt(curve), np.sqrt(matrix)
    np.testing.assert_allclose(shown.curves[0], curve, rtol=1e-9, atol=1e-9)
    low, high = shown.levels
    assert np.abs(shown.indices - (matrix - low) / (high - low) * 254).max() <= 0.51


def test_huge_blocks_are_exact_means():
    """The mean of cos(Δω) over two blocks, from 80-digit means of sines and cosines."""
    e = encodings.create("sinusoidal", dim=16, base=1e12)
    start, block = 10**12, 10**9
    shown = made(
        (20, 20), encoding=e, metric="dot", start=start, count=20 * block, reference=start + 7
    )

    def means(first, size):
        return [truth.block_mean(e, first, size, j) for j in range(16)]

    at = means(start + 7, 1)
    for k in (0, 3, 19):
        wanted = sum(a * b for a, b in zip(at, means(start + k * block, block), strict=True))
        assert shown.curves[0][k] == pytest.approx(float(wanted), abs=1e-9)


@every_encoding
@every_metric
@pytest.mark.parametrize(
    ("start", "count"), [(0, 1), (-20, 40), (10**15, 10**15), (LIMIT, 1), (-LIMIT, LIMIT)]
)
def test_something_to_see_or_a_sentence(name, metric, start, count):
    shown = made((60, 30), encoding=sample(name, dim=5), metric=metric, start=start, count=count)
    assert np.isfinite(shown.curves[0]).any() or shown.note or (shown.indices != NO_VALUE).any()
    assert shown.levels[0] < shown.levels[1]
    assert shown.indices.shape[0] == shown.indices.shape[1]


def test_rows_of_zeros_have_no_direction(show):
    view = show("distances", encoding=encodings.create("index", dim=3), count=1)
    assert "has only zeros" in view.stage.sentence
    view.model.set(metric="euclidean")
    settle(view.model)
    assert note(view).isHidden()


def test_cancelling_is_seen():
    cancelled = threading.Event()
    cancelled.set()
    state = Exploration(count=100, metric="manhattan")
    with pytest.raises(CancelledError):
        Distances.compute(state, Size(100, 100), cancelled)


def test_long_work_goes_to_the_worker_and_arrives(show):
    view, go_on = show("distances"), threading.Event()
    compute = view.picture.compute
    compute_with(view, lambda *given: go_on.wait(60) and compute(*given))
    wide = encodings.create("sinusoidal", dim=2048)
    view.model.set(metric="manhattan", encoding=wide, count=300)
    settle(view.model)
    assert view.model.worker.busy("distances")
    go_on.set()
    wait_for_worker(view.model)
    assert len(colours_across(view, view.matrix_plot)) > 5


# -- by hand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["curve_plot", "matrix_plot"])
def test_wheel_zooms_where_the_mouse_is(show, which):
    view = show("distances", start=1000, count=100)
    plot = getattr(view, which)
    wheel(view, inside(view, plot, 0.0, 0.5) + QPoint(2, 0), 1)
    settle(view.model)
    assert (view.model.state.start, view.model.state.count) == (1000, 80)


@pytest.mark.parametrize(
    ("which", "right", "down", "moved"),
    [("curve_plot", 0.2, 0.0, -20), ("matrix_plot", 0.2, 0.2, -20), ("matrix_plot", 0.2, -0.2, 0)],
)
def test_drag_moves(show, which, right, down, moved):
    view = show("distances", start=1000, count=100)
    plot = getattr(view, which)
    start = inside(view, plot, 0.5, 0.5)
    drag(
        view,
        start,
        start + QPoint(round(right * plot.box.width()), round(down * plot.box.height())),
    )
    settle(view.model)
    assert abs(view.model.state.start - (1000 + moved)) <= 1
    assert view.model.state.count == 100


def test_the_mouse_marks_the_position_in_both_and_a_click_sets_it(show):
    view = show("distances", start=10**15, count=50, position=10**15 + 3)
    move(view, spot(view, view.curve_plot, 10, 0.5))
    move(view, spot(view, view.curve_plot, 30, 0.5))
    settle(view.model)
    assert view.model.preview.position == 10**15 + 30
    assert (view.curve_plot.preview_upright.value(), view.matrix_plot.preview_across.value()) == (
        30,
        30,
    )
    assert (view.curve_plot.upright.value(), view.matrix_plot.across.value()) == (3, 3)
    move(view, spot(view, view.matrix_plot, 5, 20))  # from one plot straight into the other
    move(view, spot(view, view.matrix_plot, 5, 21))
    settle(view.model)
    assert view.model.preview.position == 10**15 + 21
    assert view.model.state.position == 10**15 + 3
    click(view, spot(view, view.matrix_plot, 5, 40))
    settle(view.model)
    assert view.model.state.position == 10**15 + 40  # positions go down the matrix


@pytest.mark.parametrize("which", ["curve_plot", "matrix_plot"])
def test_double_click_measures_from_there(show, which):
    view = show("distances", start=10**15, count=50)
    plot = getattr(view, which)
    double_click(view, spot(view, plot, 33, 20 if plot is view.matrix_plot else 0.5))
    settle(view.model)
    assert view.model.state.reference == 10**15 + 33
    assert view.header.reference.text() == str(10**15 + 33)
    assert view.curve_plot.mark.isVisible()
    assert view.curve_plot.mark.value() == 33
    assert view.curve_plot.left.labelText == "cosine from 1.000000000000033e15"


# -- what is typed ---------------------------------------------------------------------------------


def write(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)


@every_metric
@pytest.mark.parametrize(("p", "q"), [("0", "1"), ("17", "17"), ("-3", "1e15"), ("2^53", "0")])
def test_the_distance_of_any_two_positions(show, metric, p, q):
    e = encodings.create("sinusoidal", dim=16)
    view = show("distances", encoding=e, metric=metric)
    write(view.header.first, p)
    write(view.header.second, q)
    numbers = [{"1e15": 10**15, "2^53": 2**53}.get(text) or int(text) for text in (p, q)]
    first, second = ([float(truth.element(e, number, j)) for j in range(16)] for number in numbers)
    wanted = usual_distances(metric, np.array([first]), np.array([second]))[0, 0]
    assert float(view.header.reading.text().removeprefix(") = ")) == pytest.approx(
        wanted, rel=1e-6, abs=1e-9
    )


@pytest.mark.parametrize(
    "text", ["", "nan", "ten", "1.5", "9007199254740993", "-9007199254740993", "1e400", "9" * 5000]
)
def test_what_is_no_position_has_no_distance(show, text):
    view = show("distances")
    state = view.model.state
    view.header.first.setText(text)
    view.header.first.textEdited.emit(text)
    assert view.header.reading.text() == ") = ?"
    assert len(view.header.reading.toolTip()) > 10
    assert view.model.state is state


@pytest.mark.parametrize(
    ("text", "taken"), [("12", 12), ("1e15", 10**15), ("2^53", 2**53), ("-7", -7)]
)
def test_a_typed_reference(show, text, taken):
    view = show("distances")
    write(view.header.reference, text)
    QTest.keyClick(view.header.reference, Qt.Key.Key_Return)
    assert view.model.state.reference == taken


@pytest.mark.parametrize("text", ["", "nan", "ten", "9007199254740993"])
def test_a_refused_reference(show, text, qtbot):
    view = show("distances", reference=5)
    write(view.header.reference, text)
    with qtbot.waitSignal(view.model.refused) as told:
        QTest.keyClick(view.header.reference, Qt.Key.Key_Return)
    assert told.args[0].startswith("Reference: ")
    assert told.args[0].endswith(".")
    assert view.model.state.reference == 5


@every_metric
def test_the_metric_is_a_choice(show, metric):
    view = show("distances")
    box = view.header.metric_box
    box.setCurrentIndex(box.findData(metric))
    box.activated.emit(box.currentIndex())
    settle(view.model)
    assert view.model.state.metric == metric
    assert metric in view.curve_plot.left.labelText


def test_a_reference_without_a_direction_leaves_no_old_curve(show):
    view = show("distances", encoding=encodings.create("sinusoidal", dim=3), count=31_466)
    assert view.curve_plot.curve_set.lines[0].isVisible()
    view.model.set(encoding=encodings.create("sinusoidal", dim=3, waves="sine"))
    settle(view.model)
    assert not view.curve_plot.curve_set.lines[0].isVisible()
    view.model.set(reference=1)
    settle(view.model)
    assert view.curve_plot.curve_set.lines[0].isVisible()


def test_the_reference_leaves_the_colours_of_the_matrix_alone(show):
    view = show("distances")
    shown = []
    own = view.show_figure

    def noting(state, figure, *, refining):
        shown.append(figure.panels[1].cells)
        own(state, figure, refining=refining)

    view.show_figure = noting
    view.redraw()
    view.refresh()
    view.model.set(reference=10**15)
    settle(view.model)
    before, after = shown
    assert after.levels == before.levels
    np.testing.assert_array_equal(after.indices, before.indices)
