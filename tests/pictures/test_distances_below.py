"""The distances by a second metric, below the first ones: their numbers, words and costs."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.params import ParameterError
from pe_explorer.pictures import make_picture
from pe_explorer.pictures.distances import Distances, DistancesOptions
from pe_explorer.pictures.figure import MarkLine
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import Size
from tests.support.measures import MEASURES, usual_distances
from tests.support.progress import RecordedProgress
from tests.support.samples import sample
from tests.support.states import cost_of, figure_of, inspection_of_view, state_of

SINES = encodings.create("sinusoidal", dim=16, base=1000.0)
PINS = (
    Pin(encodings.create("sinusoidal", dim=16, base=50.0), "short"),
    Pin(encodings.create("alibi"), "bias"),
)


def distances_figure(below, part="curve", size=(1000, 300), **fields):
    return figure_of("distances", {"part": part, "below": below}, Size(*size), **fields)


def distances_inspection(below, **fields):
    return inspection_of_view("distances", {"part": "curve", "below": below}, **fields)


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "index", "learned"])
@pytest.mark.parametrize("below", distance.METRICS)
def test_the_second_curve_has_its_metric_and_an_axis_of_its_own(name, below):
    e = sample(name, dim=12)
    fields = {"encoding": e, "start": 3, "count": 30, "reference": 17, "metric": "euclidean"}
    figure = distances_figure(below, "both", **fields)
    assert [panel.name for panel in figure.panels] == ["curve", "second-curve", "matrix"]
    *curves, matrix = figure.panels
    rows = e.table(range(3, 33))
    exact = usual_distances("euclidean", rows, rows)  # by the first metric
    np.testing.assert_allclose(matrix.cells.values, exact, atol=1e-6)
    for panel, metric in zip(curves, ("euclidean", below), strict=True):
        (curve,) = panel.curves
        wanted = usual_distances(metric, e.table([17]), rows)[0]
        np.testing.assert_allclose(curve.y, wanted, rtol=1e-9, atol=1e-9)
        finite = wanted[np.isfinite(wanted)]
        assert panel.y.low <= min(0.0, finite.min(initial=0.0) + 1e-9)
        assert panel.y.high >= finite.max(initial=0.0) - 1e-9
        assert panel.y.title == f"{MEASURES[metric]} position 17"
        assert panel.x == figure.panels[0].x
        assert panel.marks == (MarkLine(14.0, "reference"),)
    assert [panel.is_above_next_panel for panel in curves] == [True, False]


def test_pins_have_the_same_names_and_colours_and_one_legend():
    figure = distances_figure("dot", encoding=SINES, count=30, pins=PINS)
    upper, lower = figure.panels
    looks = [
        [(each.name, each.colour, each.missing_reason) for each in p.curves] for p in figure.panels
    ]
    assert looks[0] == looks[1]
    table = PINS[0].encoding.table(range(30))
    np.testing.assert_allclose(lower.curves[1].y, table @ table[0], atol=1e-9)
    assert (len(upper.legend), lower.legend) == (3, ())
    assert len(figure.with_panel("second-curve").panels[0].legend) == 3
    assert figure.status.count("is not drawn") == 1


def test_where_only_one_metric_has_a_curve_of_a_pin_both_name_theirs():
    zeros = Pin(encodings.create("index", dim=16), "index")
    upper, lower = distances_figure("dot", encoding=SINES, count=30, pins=(zeros,)).panels
    assert [bool(curve.missing_reason) for curve in (*upper.curves, *lower.curves)] == [0, 1, 0, 0]
    assert "cosine distance from position 0" in upper.curves[1].missing_reason
    assert len(lower.legend) == 2


@pytest.mark.parametrize(
    ("metric", "below", "panel"),
    [("cosine", "sse", "curve"), ("sse", "cosine", "second-curve"), ("cosine", "correlation", "")],
)
def test_the_metric_without_a_curve_says_why_over_its_panel(metric, below, panel):
    figure = distances_figure(
        below, metric=metric, encoding=encodings.create("index", dim=4), count=9
    )
    assert figure.note.sentence.startswith("Position 0 has only zeros")
    assert figure.note.panel == panel
    assert not figure.panels[figure.note_index].curves[0].is_visible
    assert ("cosine distance cannot be drawn: Position 0" in figure.status) == (
        panel == "second-curve"
    )
    if panel:
        (other,) = {"curve", "second-curve"} - {panel}
        assert figure.with_panel(other).note is None
        assert figure.with_panel(panel).note == figure.note


@pytest.mark.parametrize("part", ["matrix", "histogram"])
def test_where_the_curve_is_not_shown_it_changes_nothing_and_says_so(part):
    state, without = (
        state_of("distances", {"part": part, "below": below}, encoding=SINES, count=30)
        for below in ("sse", "none")
    )
    assert set(Distances(state).options.ineffective_parameters) >= {"below"}
    assert "below" not in DistancesOptions(below="sse").ineffective_parameters
    assert [panel.name for panel in distances_figure("sse", part, encoding=SINES).panels] == [part]
    one, other = (make_picture("distances", each) for each in (state, without))
    assert one.inputs() == other.inputs()
    assert one.cost(Size(99, 99)) == other.cost(Size(99, 99))


@pytest.mark.parametrize("part", ["both", "curve"])
@pytest.mark.parametrize("below", ["dot", "chebyshev"])
def test_its_cost_is_counted(part, below):
    def cost(part, below, **fields):
        options = {"part": part, "below": below}
        return cost_of("distances", options, encoding=SINES, count=5000, pins=PINS, **fields)

    alone = cost("curve", "none", metric=below)
    assert cost(part, below) == pytest.approx(cost(part, "none") + alone)
    assert alone > 0


@pytest.mark.parametrize("part", ["both", "curve"])
def test_progress_after_the_first_metric_excludes_the_cost_of_the_second(part):
    fields = {"encoding": SINES, "count": 2000, "metric": "manhattan"}
    heard, size = RecordedProgress(), Size(1000, 300)
    state = state_of("distances", {"part": part, "below": "chebyshev"}, **fields)
    make_picture("distances", state).numbers(size, heard)
    second = cost_of("distances", {"part": "curve"}, size, **fields | {"metric": "chebyshev"})
    shares = [share for share, _ in heard.reports]
    assert shares[-1] == pytest.approx(1)
    assert shares[-2] == pytest.approx(1 - second / make_picture("distances", state).cost(size))


def score_bound(offsets, pairs=8, base=1000.0):
    """Return (1/n) Σ |S_j| by its formula."""
    speeds = base ** (-np.arange(pairs) / pairs)
    return np.abs(np.cumsum(np.exp(1j * np.outer(offsets, speeds)), axis=1)).mean(axis=1)


def test_the_cursor_says_both_distances_and_the_upper_bound():
    fields = {"encoding": SINES, "count": 30, "position": 9, "reference": 4}
    found, texts = distances_inspection("sse", metric="dot", **fields)
    p, r = SINES.table([9, 4])
    assert float(texts["d(p, r)"]) == pytest.approx(p @ r, rel=1e-12)
    second = float(texts["Sum of squared errors"])
    assert second == pytest.approx(((p - r) ** 2).sum(), rel=1e-12)
    assert found.brief[-1].startswith("sum of squared errors")
    assert found.brief[-1].endswith(f" {second:.6g}")
    _, texts = distances_inspection("score-bound", **fields)
    bound = float(texts["Upper bound of the score"])
    assert bound == pytest.approx(score_bound([5])[0], rel=1e-12)
    for below, e in (("none", SINES), ("score-bound", encodings.create("index"))):
        _, texts = distances_inspection(below, **{**fields, "encoding": e, "metric": "dot"})
        assert list(texts) == ["d(p, q)", "d(p, r)", "Metric", "q − p"]


def test_roformers_figure_is_the_score_and_its_upper_bound():
    rope = encodings.create("rope", head_dim=128)
    upper, lower = distances_figure(
        "score-bound", encoding=rope, count=250, metric="normalised-dot"
    ).panels
    speeds = 10_000.0 ** (-np.arange(64) / 64)
    cosines = np.cos(np.outer(range(250), speeds))
    np.testing.assert_allclose(upper.curves[0].y, cosines.mean(axis=1), atol=1e-12)
    expected = score_bound(range(250), 64, 10_000.0)
    np.testing.assert_allclose(lower.curves[0].y, expected, rtol=1e-11)
    titles = ["normalised dot product with position 0", "upper bound of the score from position 0"]
    assert [upper.y.title, lower.y.title] == titles


def test_the_upper_bound_is_by_the_offset_from_the_reference_in_the_middle_of_blocks():
    fields = {"encoding": SINES, "start": 100, "count": 400, "reference": 233}
    figure = distances_figure("score-bound", size=(50, 50), **fields)
    lower = figure.panel("second-curve")
    middles = np.arange(103, 500, 8)
    np.testing.assert_allclose(lower.curves[0].y, score_bound(middles - 233), rtol=1e-12)
    assert lower.badge == "middle of 8 positions"
    at_ends = {"start": 2**53 - 9, "count": 10, "reference": -(2**53)}
    far = distances_figure("score-bound", encoding=SINES, **at_ends).panel("second-curve")
    assert np.isfinite(far.curves[0].y).all()


def test_where_there_is_no_upper_bound_it_says_why():
    alibi = {"encoding": PINS[1].encoding, "start": -20, "count": 20}
    figure = distances_figure("score-bound", metric="euclidean", **alibi)
    assert figure.note.panel == "second-curve"
    assert "ALiBi has no" in figure.note.sentence
    assert f"upper bound of the score cannot be drawn: {figure.note.sentence}" in figure.status
    pins = (Pin(encodings.create("index", dim=16), "index"),)
    lower = distances_figure("score-bound", encoding=SINES, metric="sse", pins=pins).panel(
        "second-curve"
    )
    assert [bool(curve.missing_reason) for curve in lower.curves] == [False, True]
    with pytest.raises(ParameterError, match="got 'score-bound'"):
        Exploration(metric="score-bound")
    with pytest.raises(encodings.EncodingError, match="got 'score-bound'"):
        distance.between(SINES, 0, 1, "score-bound")


def test_the_mouse_does_on_the_second_curve_what_it_does_on_the_first():
    state = state_of("distances", {"below": "sse"}, start=100, count=30, position=105)
    at = Pointer("second-curve", 12.3, 0.0)
    assert make_picture("distances", state).find_pointer_fields(None, at) == {"position": 112}
    assert make_picture("distances", state).find_double_click_fields(None, at) == {"reference": 112}
    assert make_picture("distances", state).find_cursor_points()["second-curve"] == (5.0, None)
