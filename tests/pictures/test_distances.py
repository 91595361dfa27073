"""Distances from a reference, of all pairs and their histogram, of single positions and of pixels,
against formulas written anew.
"""

from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.exploration import PIN_COLOURS, Pin
from pe_explorer.pictures import make_picture
from pe_explorer.pictures.cost import find_coarse_size
from pe_explorer.pictures.distances import Distances, find_pair, format_bin
from pe_explorer.pictures.pixels import NO_VALUE_INDEX, Size
from tests.support.measures import MEASURES, usual_distances
from tests.support.oracles import definition
from tests.support.requirements import NOTHING, PictureRequirements
from tests.support.samples import ROWS, sample
from tests.support.sinusoids import sinusoid
from tests.support.states import cost_of, figure_of, inspection_of_view, numbers_of_view, state_of
from tests.support.tables_in_files import put


class Definition(PictureRequirements):
    with_options: ClassVar = {"--part histogram": NOTHING}


S = encodings.create
D128, D1024 = (S("sinusoidal", dim=dim) for dim in (128, 1024))
every_metric = pytest.mark.parametrize("metric", distance.METRICS)


def with_pins(*pins):
    named = zip(pins, PIN_COLOURS, strict=False)
    return tuple(Pin(e, f"pin {k}", colour) for k, (e, colour) in enumerate(named))


def distances_numbers(part, *pins, size=(300, 100), **fields):
    return numbers_of_view(
        "distances", {"part": part}, Size(*size), pins=with_pins(*pins), **fields
    )


def figure(part, *pins, size=(300, 100), **fields):
    return figure_of("distances", {"part": part}, Size(*size), pins=with_pins(*pins), **fields)


def learned(folder, rows):
    return S("learned", file=put(folder / "rows.npy", np.array(rows)))


@pytest.mark.parametrize("name", encodings.names())
@every_metric
def test_every_position_has_its_distances(name, metric):
    e = sample(name, dim=12)
    pins = S("sinusoidal", dim=8, base=50.0), S("binary", dim=12), S("fraction", dim=3, length=9)
    fields = {"encoding": e, "metric": metric, "start": 3, "count": 40, "reference": 17}
    shown = distances_numbers("both", *pins, **fields)
    table = e.table(range(3, 43))
    for each, curve in zip((e, *pins), shown.curves, strict=True):
        exact = usual_distances(metric, each.table([17]), each.table(range(3, 43)))[0]
        if each is e or definition(e).row == "position":
            np.testing.assert_allclose(curve, exact, rtol=1e-9, atol=1e-9)
    exact = usual_distances(metric, table, table)
    finite = np.isfinite(exact)
    assert finite.any() or "correlation" in shown.note.sentence
    low, high = shown.matrix.limits
    if np.abs(exact[finite]).max(initial=0.0) < 1e-9:  # parallel rows do not look apart
        assert (low, high > 1e-6, (shown.matrix.indices[finite] == 0).all()) == (0, True, True)
        return
    assert (shown.block, shown.curve_block) == (1, 1)
    shares = np.clip((exact[finite] - low) / (high - low), 0, 1)
    assert np.abs(shown.matrix.indices[finite] - shares * 254).max() <= 0.51
    assert (shown.matrix.indices[~finite] == NO_VALUE_INDEX).all()


def test_the_cursor_has_both_distances():
    e = S("sinusoidal", dim=32)
    fields = {"encoding": e, "position": 7, "second": 30, "reference": 2}
    rows = e.table([7, 30, 2])
    for metric in distance.METRICS:
        found, texts = inspection_of_view("distances", metric=metric, **fields)
        second, reference = usual_distances(metric, rows[:1], rows[1:])[0]
        assert float(texts["d(p, q)"]) == pytest.approx(second)
        assert float(texts["d(p, r)"]) == pytest.approx(reference)
        assert found.number == texts["d(p, q)"]
        assert (texts["q − p"], texts["Metric"]) == ("23", MEASURES[metric].rpartition(" ")[0])
        assert not found.missing_reason


@pytest.mark.parametrize(
    ("e", "fields", "text", "why"),
    [
        (sample("index"), {"position": 0}, "undefined", "zeros"),
        (sample("learned"), {"second": 10**6}, "undefined", "has no row"),
        (sample("learned"), {"reference": 10**6}, "undefined", "has no row"),
        (sample("index"), {"metric": "correlation", "position": 3}, "undefined", "the same number"),
    ],
    ids=["zeros", "second", "reference", "equal"],
)
def test_a_distance_that_is_undefined_says_why(e, fields, text, why):
    found, texts = inspection_of_view(
        "distances", encoding=e, **{"second": 4, "reference": 2, **fields}
    )
    assert text in texts.values()
    assert why in found.missing_reason
    assert found.missing_reason.endswith(".")


@pytest.mark.parametrize("part", ["curve", "matrix", "histogram"])
def test_rows_of_equal_numbers_do_not_correlate(part, tmp_path):
    for e in (S("index", dim=4), learned(tmp_path, [[2.0, 2.0]] * 9)):
        note = distances_numbers(part, encoding=e, count=9, metric="correlation").note.sentence
        assert ("correlat" in note, "nearly" in note) == (True, False)


def test_one_number_is_no_curve(tmp_path):
    fields = {"encoding": learned(tmp_path, [[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]]), "count": 3}
    note = distances_numbers("curve", **fields).note.sentence
    assert note.startswith("Only one of the positions shown has a cosine")
    assert not distances_numbers("curve", **fields, metric="euclidean").note


def test_a_row_of_zeros_has_no_curve_and_another_metric_is_offered():
    index = figure("curve", S("index")).panels[0].curves[1]
    assert not index.is_visible
    assert "position 0" in index.missing_reason
    assert figure("curve", S("index"), reference=3).panels[0].curves[1].is_visible
    sines = {"encoding": S("sinusoidal", dim=3, waves="sine"), "count": 31_466}
    assert not figure("curve", **sines).panels[0].curves[0].is_visible
    assert figure("curve", reference=1, **sines).panels[0].curves[0].is_visible
    for part in ("curve", "matrix"):
        note = figure(part, encoding=S("index", dim=3), count=1).note
        assert "has only zeros" in note.sentence
    offered = figure("both", encoding=S("alibi")).note
    assert (offered.metric, bool(offered.button_text)) == ("euclidean", True)
    assert figure("both", encoding=S("index", dim=3), count=1, metric="euclidean").note is None


@pytest.mark.parametrize("metric", ["dot", "sse", "cosine", "euclidean", "chebyshev", "manhattan"])
def test_pixels_of_many_positions_are_means_or_middles(metric):
    e = S("sinusoidal", dim=32, base=1000.0)
    fields = {"encoding": e, "metric": metric, "count": 200, "reference": 9}
    shown = distances_numbers("both", size=(25, 10), **fields)
    table, is_sample = e.table(range(200)), metric in ("chebyshev", "manhattan")
    squared = "sse" if metric == "euclidean" else metric
    pairs = usual_distances(squared, table, table).reshape(10, 20, 10, 20)
    curve = usual_distances(squared, e.table([9]), table)[0].reshape(25, 8)
    if is_sample:
        curve, matrix = curve[:, 3], pairs[:, 9, :, 9]
    else:
        curve, matrix = curve.mean(axis=1), pairs.mean(axis=(1, 3))
    if metric == "euclidean":  # the root of the mean square
        curve, matrix = np.sqrt(curve), np.sqrt(matrix)
    np.testing.assert_allclose(shown.curves[0], curve, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(shown.matrix.values, matrix, rtol=1e-9, atol=1e-9)
    badge = {"euclidean": "root mean square"}.get(metric, "middle" if is_sample else "mean")
    shown = figure("both", size=(25, 10), **fields)
    badges = [f"{badge} of 8 positions", f"{badge} of 20 × 20 positions"]
    assert [panel.badge for panel in shown.panels] == badges
    assert all(badge in shown.status for badge in badges)
    shown = figure("both", **{**fields, "count": 10})
    assert [panel.badge for panel in shown.panels] == ["", ""]
    assert "every position is shown" in shown.status


@pytest.mark.parametrize("part", ["curve", "matrix"])
def test_a_part_is_as_it_is_beside_the_other_and_costs_less(part):
    size, fields = Size(150, 100), {"count": 1000}
    alone, both = (cost_of("distances", {"part": each}, size, **fields) for each in (part, "both"))
    assert alone < both
    (panel,) = figure(part, count=1000).panels
    beside = figure("both", count=1000).panel(part)
    assert (panel.name, panel.badge) == (part, beside.badge)
    for curve, other in zip(panel.curves, beside.curves, strict=True):
        np.testing.assert_array_equal(curve.y, other.y)
    if panel.cells:
        np.testing.assert_array_equal(panel.cells.values, beside.cells.values)
    e = S("sinusoidal", dim=512, waves="sine")  # takes long: it is coarse at first, if it can be
    state, size = state_of("distances", {"part": part}, encoding=e, count=5000), Size(700, 500)
    cost = make_picture("distances", state).cost
    found = find_coarse_size(cost, Distances.coarsen, size)
    assert found == size or cost(found) < cost(size)
    assert min(found.width, found.height) >= 24


def test_curves_share_an_axis_and_leave_the_matrix_as_it_is():
    fields = {"encoding": S("sinusoidal", dim=12), "metric": "euclidean"}
    alone, beside = (
        distances_numbers("both", *pins, **fields) for pins in ((), (S("index", dim=12),))
    )
    np.testing.assert_array_equal(alone.matrix.indices, beside.matrix.indices)
    assert alone.matrix.limits == beside.matrix.limits == alone.curve_limits
    assert beside.curve_limits[1] > 100 > alone.matrix.limits[1]
    near, far = (figure("both", reference=reference) for reference in (5, 10**15))
    curve, matrix = near.panels
    assert curve.y.title == "cosine distance from position 5"
    assert [mark.x for mark in curve.marks] == [5.0]
    assert (curve.legend, far.panels[0].marks) == ((), ())
    assert curve.y.low < 0 < curve.y.high
    assert curve.find_value(11.3, 0.0) == pytest.approx(curve.curves[0].y[11])
    assert matrix.find_value(11.3, 7.6) == matrix.cells.values[8, 11]
    np.testing.assert_array_equal(matrix.cells.indices, far.panel("matrix").cells.indices)


def test_costs_count_the_pins():
    def cost(*pins):
        return cost_of("distances", size=Size(300, 100), pins=with_pins(*pins), count=300)

    waves, tables = (cost(S(name)) - cost() for name in ("sinusoidal", "binary"))
    assert 300 * 128 / 2 < waves < 300 * 128  # in closed form a distance is half a value
    assert tables > 300 * 6
    assert cost(S("sinusoidal"), S("binary")) - cost() == pytest.approx(waves + tables)


def test_curves_are_drawn_where_rows_mean_the_same():
    pins = sample("alibi"), sample("learned"), sample("rope")
    alibi = figure("curve", *pins).panels[0].curves[1]
    assert "offsets" in alibi.missing_reason
    far = figure("curve", *pins, start=2 * ROWS, reference=2 * ROWS)
    curves = far.panels[0].curves
    assert [curve.is_visible for curve in curves] == [True, False, False, True]
    assert f"{2 * ROWS:,}" in curves[2].missing_reason
    assert "pin 0" in far.status
    for place in ({"reference": ROWS}, {"start": ROWS, "reference": 7}):
        status = figure("curve", sample("learned"), **place).status
        assert (f"{ROWS - 1:,}" in status, "position 7" in status) == (True, False)
    level = figure("curve", S("sinusoidal", base=50), count=1, reference=9).panels[0].curves[1]
    assert (level.x[0], level.x[1], level.y[0]) == (-0.5, 0.5, level.y[1])


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "dot", "manhattan"])
def test_the_status_tells_what_the_curves_of_pins_are(metric):
    pins = [S(name, dim=16) for name in ("sinusoidal", "binary", "index")]
    kind = {"cosine": "mean", "euclidean": "root mean square"}.get(metric)
    for e, all_pins, facts in ((pins[0], pins, f"{kind} (1), middle (2)"), (pins[1], pins[:1], "")):
        fields = {"encoding": e, "metric": metric, "count": 10**6, "reference": 5}
        status = figure("both", *all_pins, **fields).status
        assert ("Pinned curves" in status, facts in status or not kind) == (bool(kind), True)


def test_how_distances_of_250_positions_spread():
    fields = {"encoding": D1024, "count": 250}
    numbers, shown = (
        distances_numbers("histogram", **fields).histogram,
        figure("histogram", **fields),
    )
    (panel,) = shown.panels
    assert (panel.name, panel.x.title) == ("histogram", "cosine distance of two positions")
    apart = pdist(sinusoid(np.arange(250), 1024), "cosine")
    for fact in ("31,125 pairs", "0 and 1", "0 and 248", *map("{:.3g}".format, (
        apart.mean(), np.median(apart), apart.min(), apart.max()))):  # fmt: skip
        assert fact in shown.status
    counts, _ = np.histogram(apart, np.arange(1, 35) * 0.02)
    np.testing.assert_allclose(panel.curves[0].y, 100 * counts / 31_125, atol=1e-9)
    share = 100 * counts[27] / 31_125
    assert panel.find_value(0.577, 0.0) == pytest.approx(share)
    assert sum(bar.width * bar.height for bar in panel.bars) == pytest.approx(0.02 * 100)
    assert (panel.x.low, panel.x.high) == (pytest.approx(0.02), pytest.approx(0.68))
    pair = find_pair(numbers, 0.577)
    assert 0.56 <= distance.between(D1024, *pair) < 0.58
    assert format_bin(numbers, 0.577) == f"0.56 to 0.58: {share:.3g} % of pairs"
    assert find_pair(numbers, 0.05) is None
    assert format_bin(numbers, 0.05) == "0.04 to 0.06: 0 % of pairs"
    assert format_bin(numbers, 5.0) == ""
    state = state_of("distances", {"part": "histogram"}, **fields, position=1, second=30)
    place = make_picture("distances", state).with_cursor(shown).panels[0].cursor
    assert place == (pytest.approx(0.4323030365719961), None)


def test_pins_spread_in_the_same_bins():
    pins = S("sinusoidal", dim=128, base=100.0), S("alibi")
    shown = figure("histogram", *pins, encoding=D128, count=60)
    current, short, bias = shown.panels[0].curves
    edges = np.append(current.x - (current.x[1] - current.x[0]) / 2, 9)
    for found, base in ((current, 1e4), (short, 100.0)):
        apart = pdist(sinusoid(np.arange(60), 128, base), "cosine")
        counts, _ = np.histogram(apart, edges)
        np.testing.assert_allclose(found.y, 100 * counts / len(apart), atol=1e-9)
        assert found.x is current.x
        assert found.is_stepped
    assert not bias.is_visible
    assert "pin 1 is not drawn" in shown.status


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({"count": 1}, ["pair"]),
        ({"encoding": S("index"), "count": 5, "metric": "correlation"}, ["another metric"]),
        ({"start": -(10**15), "count": 10**15}, ["20,000 pairs", "5·10²⁹"]),
        ({"encoding": S("sinusoidal", dim=8, waves="sine"), "count": 10}, ["45 pairs, 9 of them"]),
    ],
    ids=str,
)
def test_the_status_tells_of_few_and_of_many_pairs(fields, facts):
    """A row of zeros, as that of position 0 of sines, has no distance from the other nine."""
    shown = figure("histogram", **fields)
    assert all(fact in shown.status for fact in facts)
    assert (shown.note is not None) == (fields["count"] in (1, 5))
