"""What a pixel of the distances stands for, and the curves of pins, against distances of rows."""

import threading

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import PIN_COLOURS, Exploration, Pin
from pe_explorer.pictures.cost import coarse
from pe_explorer.pictures.distances import Distances, DistancesOptions
from pe_explorer.pictures.pixels import NO_VALUE, Size
from tests.support import truth
from tests.support.measures import usual_distances
from tests.support.samples import ROWS, sample

S = encodings.create
every_metric = pytest.mark.parametrize("metric", distance.METRICS)
every_encoding = pytest.mark.parametrize("name", encodings.names())


def explored(*pins, part="both", **fields):
    named = tuple(
        Pin(e, f"pin {k}", colour)
        for k, (e, colour) in enumerate(zip(pins, PIN_COLOURS, strict=False))
    )
    return Exploration(pins=named, options={"distances": DistancesOptions(part=part)}, **fields)


def made(size, *pins, **fields):
    return Distances.compute(explored(*pins, **fields), Size(*size), threading.Event())


def figure(*pins, **fields):
    state = explored(*pins, **fields)
    return Distances.figure(state, Distances.compute(state, Size(300, 100), threading.Event()))


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
def test_something_to_see_or_a_sentence(name, metric):
    e = sample(name, dim=5)
    for start, count in ((0, 1), (-20, 40), (10**15, 10**15), (LIMIT, 1), (-LIMIT, LIMIT)):
        shown = made((60, 30), encoding=e, metric=metric, start=start, count=count)
        seen = np.isfinite(shown.curves[0]).any() or (shown.matrix.indices != NO_VALUE).any()
        assert shown.note or seen
        assert shown.matrix.limits[0] < shown.matrix.limits[1]
        assert shown.matrix.indices.shape[0] == shown.matrix.indices.shape[1]


@pytest.mark.parametrize(
    ("part", "curves", "matrices"), [("both", 3, 1), ("curve", 3, 0), ("matrix", 0, 1)]
)
def test_only_what_is_shown_is_computed(monkeypatch, part, curves, matrices):
    made_of, own = [], distance.matrix_block_means

    def counted(e, rows, columns, *others):
        made_of.append(rows[2] > 1)
        return own(e, rows, columns, *others)

    monkeypatch.setattr(distance, "matrix_block_means", counted)
    pins = [S("sinusoidal", base=base) for base in (50.0, 500.0)]
    made((200, 100), *pins, encoding=S("sinusoidal"), count=70, part=part)
    assert (made_of.count(False), made_of.count(True)) == (curves, matrices)


@pytest.mark.parametrize("part", ["curve", "matrix"])
def test_a_part_is_as_it_is_beside_the_other_and_costs_less(part):
    both, alone = (explored(count=1000, part=each) for each in ("both", part))
    size = Size(150, 100)
    assert Distances.cost(alone, size) < Distances.cost(both, size)
    (panel,) = figure(count=1000, part=part).panels
    beside = figure(count=1000).panel(part)
    assert (panel.name, panel.badge) == (part, beside.badge)
    if part == "curve":
        np.testing.assert_array_equal(panel.curves[0].y, beside.curves[0].y)
    else:
        np.testing.assert_array_equal(panel.cells.values, beside.cells.values)
    e = S("sinusoidal", dim=512, waves="sine")  # takes long: it is coarse at first, if it can be
    state, size = explored(encoding=e, count=5000, part=part), Size(700, 500)
    found = coarse(lambda each: Distances.cost(state, each), Distances.coarser, size)
    assert found == size or Distances.cost(state, found) < Distances.cost(state, size)
    assert min(found.width, found.height) >= 24


# -- pins ------------------------------------------------------------------------------------------


@every_metric
def test_every_pin_has_its_curve_from_the_same_reference(metric):
    pins = S("sinusoidal", dim=8, base=50.0), S("binary", dim=12), S("fraction", dim=3, length=9)
    fields = {"metric": metric, "start": 3, "count": 40, "reference": 17}
    shown = made((300, 100), *pins, encoding=S("sinusoidal", dim=12), **fields)
    for e, curve in zip(pins, shown.curves[1:], strict=True):
        wanted = usual_distances(metric, e.table([17]), e.table(range(3, 43)))[0]
        np.testing.assert_allclose(curve, wanted, rtol=1e-9, atol=1e-9)
    low, high = shown.curve_limits
    drawn = [curve for curve in shown.curves if np.isfinite(curve).any()]
    assert len(drawn) == (3 if metric == "correlation" else 4)  # equal numbers do not correlate
    assert all(low <= curve.min() and curve.max() <= high for curve in drawn)


def test_pins_leave_the_matrix_as_it_is_without_them():
    fields = {"encoding": S("sinusoidal", dim=12), "metric": "euclidean"}
    alone, beside = (made((300, 100), *pins, **fields) for pins in ((), (S("index", dim=12),)))
    np.testing.assert_array_equal(alone.matrix.indices, beside.matrix.indices)
    assert alone.matrix.limits == beside.matrix.limits == alone.curve_limits
    assert beside.curve_limits[1] > 100 > alone.matrix.limits[1]


def test_the_reference_leaves_the_colours_of_the_matrix_alone():
    near, far = (figure(reference=reference).panel("matrix").cells for reference in (0, 10**15))
    assert near.limits == far.limits
    np.testing.assert_array_equal(near.indices, far.indices)


def test_costs_count_the_pins():
    def cost(*pins):
        return Distances.cost(explored(*pins, encoding=S("sinusoidal"), count=300), Size(300, 100))

    waves, tables = (cost(S(*each)) - cost() for each in (("sinusoidal",), ("binary",)))
    assert 300 * 128 / 2 < waves < 300 * 128  # in closed form a distance is half a value
    assert tables > 300 * 6
    assert cost(S("sinusoidal"), S("binary")) - cost() == pytest.approx(waves + tables)


def test_curves_are_drawn_where_rows_mean_the_same():
    pins = sample("alibi"), sample("learned"), sample("rope")

    def curves(**fields):
        return figure(*pins, encoding=S("sinusoidal"), **fields).panels[0].curves

    assert [curve.visible for curve in curves()] == [True, False, True, True]
    assert "offsets" in curves()[1].lack
    assert [curve.name for curve in curves()][1:] == ["pin 0", "pin 1", "pin 2"]
    missing = curves(start=2 * ROWS, reference=2 * ROWS)
    assert [curve.visible for curve in missing] == [True, False, False, True]
    assert f"{2 * ROWS:,}" in missing[2].lack
    status = figure(*pins, encoding=S("sinusoidal"), start=2 * ROWS).status
    assert "pin 0" in status
    assert f"{ROWS - 1:,}" in status


def test_a_row_of_zeros_has_no_curve_and_one_position_a_level_line():
    index = figure(S("index")).panels[0].curves[1]
    assert not index.visible
    assert "position 0" in index.lack
    assert figure(S("index"), reference=3).panels[0].curves[1].visible
    sines = {"encoding": S("sinusoidal", dim=3, waves="sine"), "count": 31_466}
    assert not figure(**sines).panels[0].curves[0].visible
    assert figure(reference=1, **sines).panels[0].curves[0].visible
    level = figure(S("sinusoidal", base=50), count=1, reference=9).panels[0].curves[1]
    assert (level.x[0], level.x[1], level.y[0]) == (-0.5, 0.5, level.y[1])


def test_without_a_direction_each_part_says_so_and_another_metric_is_offered():
    for part in ("curve", "matrix"):
        shown = figure(encoding=S("index", dim=3), count=1, part=part)
        assert "has only zeros" in shown.note.sentence
    offered = figure(encoding=S("alibi")).note
    assert (offered.metric, bool(offered.offer)) == ("euclidean", True)
    assert figure(encoding=S("index", dim=3), count=1, metric="euclidean").note is None


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("cosine", "1 of exact means, 2 of samples"),
        ("euclidean", "1 of roots of mean squares, 2 of samples"),
        ("dot", ""),
        ("manhattan", ""),
    ],
)
def test_the_status_tells_what_the_curves_of_pins_are(metric, words):
    pins = [S(name, dim=16) for name in ("sinusoidal", "binary", "index")]
    fields = {"metric": metric, "count": 10**6, "reference": 5}
    found = figure(*pins, encoding=S("sinusoidal", dim=16), **fields).status
    assert words in found
    assert ("Curves of pins" in found) == bool(words)
    alone = figure(pins[0], encoding=S("binary", dim=16), **fields).status
    assert ("Curves of pins" in alone) == bool(words)
