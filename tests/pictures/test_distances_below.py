"""The distances by a second metric, below the first ones: their numbers, words and costs."""

import threading
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.params import ParameterError
from pe_explorer.pictures.distances import Distances, DistancesOptions
from pe_explorer.pictures.figure import Mark
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.measures import MEASURES, usual_distances
from tests.support.samples import sample

WIDE = Size(1000, 300)
SINES = encodings.create("sinusoidal", dim=16, base=1000.0)
PINS = (
    Pin(encodings.create("sinusoidal", dim=16, base=50.0), "short"),
    Pin(encodings.create("alibi"), "bias"),
)


def explored(below, part="curve", **fields):
    return pictures.with_options(Exploration(**fields), "distances", part=part, below=below)


def drawn(state, size=WIDE):
    numbers = Distances.compute(state, size, threading.Event())
    return Distances.figure(state, numbers)


@for_each("below", distance.METRICS)
@for_each("name", ["sinusoidal", "rope", "index", "learned"])
def test_the_second_curve_has_its_metric_and_an_axis_of_its_own(name, below):
    e = sample(name, dim=12)
    fields = {"encoding": e, "start": 3, "count": 30, "reference": 17, "metric": "euclidean"}
    figure = drawn(explored(below, **fields))
    assert [panel.name for panel in figure.panels] == ["curve", "second-curve"]
    for panel, metric in zip(figure.panels, ("euclidean", below), strict=True):
        (curve,) = panel.curves
        wanted = usual_distances(metric, e.table([17]), e.table(range(3, 33)))[0]
        np.testing.assert_allclose(curve.y, wanted, rtol=1e-9, atol=1e-9)
        finite = wanted[np.isfinite(wanted)]
        if len(finite):
            assert panel.y.low <= min(0.0, finite.min() + 1e-9)
            assert panel.y.high >= finite.max() - 1e-9
        assert panel.y.title == f"{MEASURES[metric]} position 17"
        assert panel.x == figure.panels[0].x
        assert panel.marks == (Mark(14.0, "reference"),)
    assert [panel.upper for panel in figure.panels] == [True, False]


def test_far_away_it_has_all_its_digits():
    start, reference = 10**15, 10**15 + 20
    e = encodings.create("sinusoidal", dim=8, base=1e4)
    fields = {"encoding": e, "start": start, "count": 40, "reference": reference}
    upper, lower = drawn(explored("sse", metric="dot", **fields)).panels
    with mpmath.workdps(60):
        rates = [mpmath.mpf(10000) ** (mpmath.mpf(-2 * pair) / 8) for pair in range(4)]
        products = [
            float(sum(mpmath.cos((start + n - reference) * rate) for rate in rates))
            for n in range(40)
        ]
    np.testing.assert_allclose(upper.curves[0].y, products, rtol=1e-12)
    np.testing.assert_allclose(lower.curves[0].y, 8 - 2 * np.array(products), atol=1e-12)


def test_pixels_of_many_positions_say_what_they_are_by_each_metric():
    state = explored("manhattan", metric="sse", encoding=SINES, count=400, reference=7)
    figure = drawn(state, Size(50, 50))
    table = SINES.table(range(400))
    means = usual_distances("sse", table[[7]], table)[0].reshape(50, 8).mean(axis=1)
    middles = table.reshape(50, 8, 16)[:, 3]
    samples = usual_distances("manhattan", table[[7]], middles)[0]
    upper, lower = figure.panels
    np.testing.assert_allclose(upper.curves[0].y, means, rtol=1e-9)
    np.testing.assert_allclose(lower.curves[0].y, samples, rtol=1e-9)
    badges = [panel.badge for panel in figure.panels]
    assert badges == ["mean of 8 positions", "middle of 8 positions"]
    assert figure.status.endswith(
        "for each pixel of the curve. Samples of the Manhattan distance below."
    )


def test_pins_have_the_same_names_and_colours_and_one_legend():
    figure = drawn(explored("dot", encoding=SINES, count=30, pins=PINS))
    upper, lower = figure.panels
    looks = [[(each.name, each.colour, each.lack) for each in p.curves] for p in figure.panels]
    assert looks[0] == looks[1]
    assert len(lower.curves) == 3
    table = PINS[0].encoding.table(range(30))
    np.testing.assert_allclose(lower.curves[1].y, table @ table[0], atol=1e-9)
    assert len(upper.legend) == 3
    assert lower.legend == ()
    assert len(figure.only("second-curve").panels[0].legend) == 3
    assert figure.status.count("Not drawn") == 1


def test_where_only_one_metric_has_a_curve_of_a_pin_both_name_theirs():
    zeros = Pin(encodings.create("index", dim=16), "index")
    figure = drawn(explored("dot", encoding=SINES, count=30, pins=(zeros,)))
    upper, lower = figure.panels
    assert [curve.lack for curve in upper.curves] == ["", "no cosine distance from position 0"]
    assert [curve.lack for curve in lower.curves] == ["", ""]
    assert len(lower.legend) == 2


@pytest.mark.parametrize(
    ("metric", "below", "panel"),
    [("cosine", "sse", "curve"), ("sse", "cosine", "second-curve"), ("cosine", "correlation", "")],
)
def test_the_metric_without_a_curve_says_why_over_its_panel(metric, below, panel):
    index = encodings.create("index", dim=4)
    figure = drawn(explored(below, metric=metric, encoding=index, count=9))
    assert figure.note.sentence.startswith("Position 0 has only zeros")
    assert figure.note.panel == panel
    assert figure.panels[figure.noted].curves[0].visible is False
    assert ("No cosine distance below: Position 0" in figure.status) == (panel == "second-curve")
    other = {"curve": "second-curve", "second-curve": "curve"}.get(panel)
    if other:
        assert figure.only(other).note is None
        assert figure.only(panel).note == figure.note


@pytest.mark.parametrize("part", ["matrix", "histogram"])
def test_where_the_curve_is_not_shown_it_changes_nothing_and_says_so(part):
    state = explored("sse", part, encoding=SINES, count=30)
    without = explored("none", part, encoding=SINES, count=30)
    options = Distances.options(state)
    assert options.without_effect["below"] == "the curve is not shown"
    assert "below" not in DistancesOptions(below="sse").without_effect
    assert [panel.name for panel in drawn(state).panels] == [part]
    assert Distances.ingredients(state) == Distances.ingredients(without)
    assert Distances.cost(state, WIDE) == Distances.cost(without, WIDE)


@pytest.mark.parametrize("part", ["both", "curve"])
@pytest.mark.parametrize("below", ["dot", "chebyshev"])
def test_its_cost_is_counted(part, below):
    fields = {"encoding": SINES, "count": 5000, "pins": PINS}
    state, without = explored(below, part, **fields), explored("none", part, **fields)
    alone = explored("none", "curve", metric=below, **fields)
    costs = [Distances.cost(each, WIDE) for each in (state, without, alone)]
    assert costs[0] == pytest.approx(costs[1] + costs[2])
    assert min(costs) > 0
    assert Distances.ingredients(state) != Distances.ingredients(without)


def test_the_matrix_is_that_of_the_first_metric():
    fields = {"encoding": SINES, "count": 30, "metric": "dot", "reference": 4}
    figure = drawn(explored("sse", "both", **fields))
    assert [panel.name for panel in figure.panels] == ["curve", "second-curve", "matrix"]
    table = SINES.table(range(30))
    np.testing.assert_allclose(figure.panels[-1].cells.values, table @ table.T, atol=1e-9)


def test_the_cursor_says_both_distances_from_the_reference():
    state = explored("sse", metric="dot", encoding=SINES, count=30, position=9, reference=4)
    found = Distances.inspect(state, threading.Event())
    p, r = SINES.table([9, 4])
    by_name = {value.name: value for value in found.values}
    assert float(by_name["d(p, r)"].text) == pytest.approx(p @ r, rel=1e-12)
    second = by_name["d(p, r) by the sum of squared errors"]
    assert float(second.text) == pytest.approx(((p - r) ** 2).sum(), rel=1e-12)
    assert "sum of squared errors" in second.help
    assert found.brief[-1] == f"sum of squared errors from r {((p - r) ** 2).sum():.6g}"
    alone = Distances.inspect(explored("none"), threading.Event())
    assert [value.name for value in alone.values] == ["d(p, q)", "d(p, r)", "Metric", "q − p"]


def score_bound(offsets, pairs=8, base=1000.0):
    """Return (1/n) Σ |S_j| by its formula."""
    speeds = base ** (-np.arange(pairs) / pairs)
    return np.abs(np.cumsum(np.exp(1j * np.outer(offsets, speeds)), axis=1)).mean(axis=1)


def test_roformers_figure_is_the_score_and_its_upper_bound():
    rope = encodings.create("rope", head_dim=128)
    state = explored("score-bound", encoding=rope, count=250, metric="normalised-dot")
    upper, lower = drawn(state).panels
    speeds = 10_000.0 ** (-np.arange(64) / 64)
    cosines = np.cos(np.outer(range(250), speeds))
    np.testing.assert_allclose(upper.curves[0].y, cosines.mean(axis=1), atol=1e-12)
    expected = score_bound(range(250), 64, 10_000.0)
    np.testing.assert_allclose(lower.curves[0].y, expected, rtol=1e-11)
    assert upper.y.title == "normalised dot product with position 0"
    assert lower.y.title == "upper bound of the score from position 0"


def test_the_upper_bound_is_by_the_offset_from_the_reference_in_the_middle_of_blocks():
    fields = {"encoding": SINES, "start": 100, "count": 400, "reference": 233}
    figure = drawn(explored("score-bound", **fields), Size(50, 50))
    lower = figure.panel("second-curve")
    middles = np.arange(103, 500, 8)
    np.testing.assert_allclose(lower.curves[0].y, score_bound(middles - 233), rtol=1e-12)
    assert lower.badge == "middle of 8 positions"
    assert figure.status.endswith("Samples of the upper bound of the score below.")
    at_ends = {"start": 2**53 - 9, "count": 10, "reference": -(2**53)}
    far = drawn(explored("score-bound", encoding=SINES, **at_ends)).panel("second-curve")
    assert np.isfinite(far.curves[0].y).all()


def test_where_there_is_no_upper_bound_it_says_why():
    alibi = {"encoding": PINS[1].encoding, "start": -20, "count": 20}
    figure = drawn(explored("score-bound", metric="euclidean", **alibi))
    sentence = "ALiBi has no pairs of sine and cosine, which the upper bound of the score needs."
    assert (figure.note.sentence, figure.note.panel) == (sentence, "second-curve")
    assert f"No upper bound of the score below: {sentence}" in figure.status
    pins = (Pin(encodings.create("index", dim=16), "index"),)
    fields = {"encoding": SINES, "count": 30, "metric": "sse", "pins": pins}
    lower = drawn(explored("score-bound", **fields)).panel("second-curve")
    lacks = [curve.lack for curve in lower.curves]
    assert lacks == ["", "no upper bound of the score from position 0"]


def test_the_cursor_says_the_upper_bound_at_its_offset():
    state = explored("score-bound", encoding=SINES, count=30, position=9, reference=4)
    found = Distances.inspect(state, threading.Event())
    value = next(each for each in found.values if each.name == "Upper bound of the score")
    assert float(value.text) == pytest.approx(score_bound([5])[0], rel=1e-12)
    none = replace(state, encoding=encodings.create("index"))
    names = [each.name for each in Distances.inspect(none, threading.Event()).values]
    assert "Upper bound of the score" not in names


def test_the_upper_bound_is_no_metric_elsewhere():
    with pytest.raises(ParameterError, match="'score-bound' is not one of"):
        Exploration(metric="score-bound")
    with pytest.raises(encodings.EncodingError, match="'score-bound' is not one of"):
        distance.between(SINES, 0, 1, "score-bound")


def test_the_mouse_does_on_the_second_curve_what_it_does_on_the_first():
    state = explored("sse", encoding=SINES, start=100, count=30)
    at = Pointer("second-curve", 12.3, 0.0)
    assert Distances.pointed_at(state, None, at) == {"position": 112}
    assert Distances.double_clicked(state, None, at) == {"reference": 112}
    here = replace(state, position=105)
    assert Distances.cursor_places(here)["second-curve"] == (5.0, None)
