import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration
from pe_explorer.pictures.cost import coarse
from pe_explorer.pictures.distances import Distances, DistancesOptions
from pe_explorer.pictures.pixels import NO_VALUE, Size
from tests.support import truth
from tests.support.computing import compute_with
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
from tests.support.measures import MEASURES, usual_distances
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
    low, high = shown.matrix.limits
    finite = np.isfinite(wanted)
    if not finite.any():
        assert "correlate" in shown.note
    if np.abs(wanted[finite]).max(initial=0.0) < 1e-9:
        return  # parallel rows: the last digits are not to be compared
    assert (shown.block, shown.curve_block) == (1, 1)
    assert (
        np.abs(
            shown.matrix.indices[finite]
            - np.clip((wanted[finite] - low) / (high - low), 0, 1) * 254
        ).max()
        <= 0.51
    )
    assert (shown.matrix.indices[~finite] == NO_VALUE).all()


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
    assert shown.matrix.limits[1] > 1e-6
    assert (shown.matrix.indices == 0).all()


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
    low, high = shown.matrix.limits
    assert np.abs(shown.matrix.indices - (matrix - low) / (high - low) * 254).max() <= 0.51


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
    assert (
        np.isfinite(shown.curves[0]).any() or shown.note or (shown.matrix.indices != NO_VALUE).any()
    )
    assert shown.matrix.limits[0] < shown.matrix.limits[1]
    assert shown.matrix.indices.shape[0] == shown.matrix.indices.shape[1]


def test_rows_of_zeros_have_no_direction(show):
    view = show("distances", encoding=encodings.create("index", dim=3), count=1)
    assert "has only zeros" in view.stage.sentence
    view.model.set(metric="euclidean")
    settle(view.model)
    assert note(view).isHidden()


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


def test_the_matrix_marks_two_positions_and_the_mouse_sets_both(show):
    view = show("distances", start=10**15, count=50, position=10**15 + 3, second=10**15 + 8)
    matrix, curve = view.matrix_plot, view.curve_plot
    assert (matrix.upright.value(), matrix.across.value()) == (8, 3)
    assert curve.upright.value() == 3
    move(view, spot(view, matrix, 30, 20))
    move(view, spot(view, matrix, 31, 21))
    settle(view.model)
    assert (view.model.preview.position, view.model.preview.second) == (10**15 + 21, 10**15 + 31)
    assert (matrix.preview_upright.value(), matrix.preview_across.value()) == (31, 21)
    assert view.model.state.second == 10**15 + 8
    click(view, spot(view, matrix, 31, 21))
    settle(view.model)
    assert (view.model.state.position, view.model.state.second) == (10**15 + 21, 10**15 + 31)
    click(view, spot(view, curve, 7, 0.3))
    settle(view.model)
    assert (view.model.state.position, view.model.state.second) == (10**15 + 7, 10**15 + 31)
    view.model.set(second=0)
    settle(view.model)
    assert not matrix.upright.isVisible()
    assert matrix.across.value() == 7


# -- curve and matrix ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 260), (320, 700), (900, 300), (1600, 900), (420, 420)])
@pytest.mark.parametrize("part", ["both", "matrix"])
def test_cells_are_as_high_as_wide(show, size, part):
    view = show("distances", *size, options={"part": part}, count=37)
    area = view.matrix_plot.box.size()
    assert abs(area.width() - area.height()) <= 0.01
    assert area.width() >= 0.25 * min(size)
    (across, down) = view.matrix_plot.box.viewRange()
    assert across == pytest.approx([-0.5, 36.5])
    assert down == pytest.approx([-0.5, 36.5])
    view.resize(500, 330)
    settle(view.model)
    area = view.matrix_plot.box.size()
    assert abs(area.width() - area.height()) <= 0.01


@pytest.mark.parametrize("size", [(340, 180), (460, 280), (900, 600)])
def test_the_colour_bar_always_says_what_its_numbers_are(show, size):
    view = show("distances", *size, metric="euclidean")
    title = view.matrix_plot.bar.axis.labelText
    assert title
    assert "Euclidean distance".startswith(title.rstrip("…"))


@pytest.mark.parametrize(("size", "beside"), [((800, 400), True), ((400, 800), False)])
def test_the_matrix_lies_where_there_is_more_room(show, size, beside):
    view = show("distances", *size)
    plots = (view.curve_plot, view.matrix_plot)
    curve, matrix = (view.stage.canvas_of(plot).geometry() for plot in plots)
    assert (matrix.left() > curve.right()) == beside
    assert (matrix.top() > curve.bottom()) == (not beside)


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Right])
def test_the_border_between_curve_and_matrix_can_be_moved(show, key):
    view = show("distances", 800, 400)
    handle = view.stage.splitter.handle(1)
    assert handle.accessibleName() == "Border between curve and matrix"
    before = view.stage.canvas_of(view.curve_plot).width()
    handle.setFocus()
    QTest.keyClick(handle, key)
    settle(view.model)
    moved = view.stage.canvas_of(view.curve_plot).width() - before
    assert moved == (16 if key == Qt.Key.Key_Right else -16)
    area = view.matrix_plot.box.size()
    assert abs(area.width() - area.height()) <= 0.01
    view.resize(1600, 800)  # the shares stay
    settle(view.model)
    share = view.stage.canvas_of(view.curve_plot).width() / 1600
    assert share == pytest.approx((before + moved) / 800, abs=0.01)


@pytest.mark.parametrize(
    ("part", "curves", "matrices"), [("both", 3, 1), ("curve", 3, 0), ("matrix", 0, 1)]
)
def test_only_what_is_shown_is_computed(monkeypatch, part, curves, matrices):
    made_of, own = [], distance.matrix_block_means

    def counted(e, rows, columns, *others):
        made_of.append(rows[2] > 1)
        return own(e, rows, columns, *others)

    monkeypatch.setattr(distance, "matrix_block_means", counted)
    pins = tuple(Pin(encodings.create("sinusoidal", base=base), "p") for base in (50.0, 500.0))
    made((200, 100), count=70, pins=pins, options={"distances": DistancesOptions(part=part)})
    assert (made_of.count(False), made_of.count(True)) == (curves, matrices)


@pytest.mark.parametrize("part", ["curve", "matrix"])
def test_a_part_is_as_it_is_beside_the_other_and_costs_less(part):
    both, alone = (
        Exploration(count=1000, options={"distances": DistancesOptions(part=each)})
        for each in ("both", part)
    )
    size = Size(150, 100)
    assert Distances.cost(alone, size) < Distances.cost(both, size)
    numbers = [Distances.compute(state, size, threading.Event()) for state in (both, alone)]
    figures = [
        Distances.figure(state, each) for state, each in zip((both, alone), numbers, strict=True)
    ]
    (panel,) = figures[1].panels
    beside = figures[0].panel(part)
    assert (panel.name, panel.badge) == (part, beside.badge)
    if part == "curve":
        np.testing.assert_array_equal(panel.curves[0].y, beside.curves[0].y)
    else:
        np.testing.assert_array_equal(panel.cells.values, beside.cells.values)
    other = "matrix" if part == "curve" else "curve"
    assert f"pixel of the {other}" in figures[0].status
    assert f"pixel of the {other}" not in figures[1].status


def test_a_part_by_itself_has_the_whole_place_and_says_why_it_is_empty(show):
    view = show("distances", encoding=encodings.create("index", dim=3), count=1)
    for part, word in (
        ("curve", "Position 0 has only zeros"),
        ("matrix", "Every row shown has only zeros"),
    ):
        view.set_options(part=part)
        settle(view.model)
        for name, plot in view.plots.items():
            assert view.stage.canvas_of(plot).isVisible() == (name == part)
        assert view.stage.canvas_of(view.plots[part]).size() == view.size()
        assert word in view.stage.sentence
    view.model.set(start=5)
    settle(view.model)
    assert note(view).isHidden()
    assert view.matrix_plot.image.isVisible()
    view.set_options(part="both")
    settle(view.model)
    shown = [view.stage.canvas_of(plot).isVisible() for plot in view.plots.values()]
    assert shown == [True, True]


@pytest.mark.parametrize("part", ["curve", "matrix"])
def test_a_part_that_takes_long_is_coarse_at_first(show, part):
    e = encodings.create("sinusoidal", dim=512, waves="sine")
    state = Exploration(encoding=e, count=5000, options={"distances": DistancesOptions(part=part)})
    view = show("distances", options={"part": part})
    size = view.size_in_pixels()
    found = coarse(lambda each: Distances.cost(state, each), Distances.coarser, size)
    assert found == size or Distances.cost(state, found) < Distances.cost(state, size)
    assert min(size.width, size.height) > 100


@pytest.mark.parametrize("which", ["curve_plot", "matrix_plot"])
def test_double_click_measures_from_there(show, which):
    view = show("distances", start=10**15, count=50)
    plot = getattr(view, which)
    double_click(view, spot(view, plot, 33, 20 if plot is view.matrix_plot else 0.5))
    settle(view.model)
    assert view.model.state.reference == 10**15 + 33
    assert view.choices.reference.text() == str(10**15 + 33)
    assert view.curve_plot.mark.isVisible()
    assert view.curve_plot.mark.value() == 33
    assert view.curve_plot.left.labelText == "cosine distance from position 1,000,000,000,000,033"


# -- what is typed ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "taken"), [("12", 12), ("1e15", 10**15), ("2^53", 2**53), ("-7", -7)]
)
def test_a_typed_reference(show, qtbot, text, taken):
    view = show("distances")
    enter_text(qtbot, view.choices.reference, text)
    assert view.model.state.reference == taken


@every_metric
def test_the_metric_is_a_choice(show, metric):
    view = show("distances")
    box = view.choices.metric_box
    box.setCurrentIndex(box.findData(metric))
    box.activated.emit(box.currentIndex())
    settle(view.model)
    assert view.model.state.metric == metric
    assert view.curve_plot.left.labelText == f"{MEASURES[metric]} position 0"


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
    assert after.limits == before.limits
    np.testing.assert_array_equal(after.indices, before.indices)


# -- the histogram ---------------------------------------------------------------------------------


def test_the_mouse_over_a_step_names_the_bin_its_share_and_a_pair(show):
    e = encodings.create("sinusoidal", dim=1024)
    view = show("distances", options={"part": "histogram"}, encoding=e, count=250)
    plot = view.plots["histogram"]
    shown = [view.stage.canvas_of(each).isVisible() for each in view.plots.values()]
    assert shown == [False, False, True]
    assert (plot.bottom.labelText, plot.left.labelText) == (
        "cosine distance of two positions",
        "share of pairs (%)",
    )
    assert not view.choices.reference.isEnabled()
    move(view, spot(view, plot, 0.57, 3.0))
    settle(view.model)
    pair = view.model.preview
    apart = distance.between(e, pair.position, pair.second)
    assert 0.56 <= apart < 0.58
    share = "% of pairs, such as"
    assert plot.badge.toolTip().startswith("<p>0.56 to 0.58: ")
    assert share in plot.badge.toolTip()
    assert plot.preview_upright.value() == apart
    click(view, spot(view, plot, 0.65, 1.0))
    settle(view.model)
    state = view.model.state
    apart = distance.between(e, state.position, state.second)
    assert 0.64 <= apart < 0.66
    assert plot.upright.value() == apart
    wheel(view, inside(view, plot, 0.5, 0.5), 3)
    settle(view.model)
    assert (view.model.state.start, view.model.state.count) == (0, 128)
    assert "8,128 pairs" in view.status
    view.set_option("part", "both")
    settle(view.model)
    shown = [view.stage.canvas_of(each).isVisible() for each in view.plots.values()]
    assert shown == [True, True, False]
    assert view.choices.reference.isEnabled()


def test_a_histogram_that_takes_long_arrives_and_says_of_what_it_is(show):
    e = encodings.create("sinusoidal", dim=64)
    view = show("distances", options={"part": "histogram"}, encoding=e, count=10**12)
    wait_for_worker(view.model)
    assert "20,000 pairs, spread evenly over all" in view.status
    assert view.plots["histogram"].curve_set.lines[0].isVisible()
    view.model.set(metric="manhattan", count=2000)
    wait_for_worker(view.model)
    assert "spread evenly over all 1,999,000" in view.status


def test_without_a_pair_the_histogram_is_a_sentence(show):
    view = show("distances", options={"part": "histogram"}, count=1)
    assert view.stage.sentence == "One position makes no pair; show more positions."
    move(view, inside(view, view.plots["histogram"], 0.5, 0.5))
    settle(view.model)
    assert view.model.preview is None
    view.model.set(count=9)
    settle(view.model)
    assert note(view).isHidden()
