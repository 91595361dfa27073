"""What pictures are said to cost, so that what takes long is left to the worker."""

import threading
from concurrent.futures import CancelledError
from functools import partial

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from pe_explorer.pictures.cost import find_coarse_size, is_expensive, is_very_expensive
from pe_explorer.pictures.pixels import Size
from pe_explorer.tables import Table
from tests.support.states import cost_of, state_of
from tests.support.tables_in_files import sparse

cost_of = partial(cost_of, size=Size(500, 400))
sines = partial(encodings.create, "sinusoidal")
VERY_WIDE = sines(dim=65_536)
PINS = (Pin(encodings.create("binary"), "binary"),)


@pytest.mark.parametrize("count", [1, 2, 4, 15, 50])
def test_very_wide_encodings_are_left_to_the_worker(count):
    fields = {"encoding": VERY_WIDE, "count": count}
    for quantity in ("value", "angle"):
        assert is_expensive(cost_of("heatmap", {"quantity": quantity}, **fields))
    for metric in ("cosine", "euclidean", "manhattan"):
        assert is_expensive(cost_of("distances", metric=metric, **fields))
    for view in ("distances", "projection"):
        state = state_of(view, metric="manhattan", **fields)
        assert pictures.make_picture(view, state).is_inspection_slow()
        assert not pictures.make_picture(view, state_of(view)).is_inspection_slow()


def test_angles_cost_several_values():
    fields = {"size": Size(1000, 900), "encoding": sines(dim=512), "count": 10**6}
    assert not is_expensive(cost_of("heatmap", **fields))
    assert is_expensive(cost_of("heatmap", {"quantity": "angle"}, **fields))
    fields["encoding"] = sines(dim=8)  # whose exact phases cost little
    value, angle, error = (
        cost_of("heatmap", {"quantity": each}, **fields) for each in ("value", "angle", "error")
    )
    assert 8 * 900 < value < angle / 2 < error / 4
    sentence = " ".join(map(str, range(250)))  # as does the attention that another order changes
    orders = ({"sentence": sentence, "before": before} for before in (sentence, ""))
    twice, once = (cost_of("tokens", each, encoding=sines(dim=512)) for each in orders)
    assert twice - once > 250**2 * 512


@pytest.mark.parametrize("metric", ["cosine", "sse"])
@pytest.mark.parametrize("waves", ["sine", "both"])
def test_distances_of_rows_that_hardly_differ_are_left_to_the_worker(waves, metric):
    """Each is made from exact phases: counting them as others stood the window still."""
    encodings = (sines(dim=128, waves=waves, scale=scale) for scale in (1e-6, 1.0))
    near, far = (cost_of("distances", encoding=e, count=1000, metric=metric) for e in encodings)
    assert is_expensive(near)
    assert near > 10 * far


def test_correlations_of_a_single_wave_are_left_to_the_worker():
    """Half of them are 0, which takes exact phases to say."""
    fields = {"metric": "correlation", "count": 10**6}
    single, several = (encodings.create("rope", head_dim=width) for width in (2, 4))
    assert is_expensive(cost_of("distances", {"part": "histogram"}, encoding=single, **fields))
    costs = [cost_of("distances", encoding=e, **fields) for e in (single, several)]
    assert costs[0] > 4 * costs[1]


def test_putting_the_distances_of_all_pairs_in_order_is_left_to_the_worker():
    """Sorting half a million products takes longer than multiplying all rows."""
    for count, long in ((100, False), (1000, True)):
        fields = {"metric": "dot", "encoding": encodings.create("index"), "count": count}
        assert is_expensive(cost_of("distances", {"part": "histogram"}, **fields)) == long


def test_distances_of_a_million_rows_cost_what_their_numbers_do():
    def cost(name, dim, metric):
        e = encodings.create(name, dim=dim)
        return cost_of("distances", size=Size(800, 700), encoding=e, count=10**6, metric=metric)

    assert is_expensive(cost("binary", 1, "manhattan"))
    assert cost("binary", 20, "manhattan") < 3 * cost("binary", 1, "manhattan")
    for name in ("index", "fraction"):
        assert not is_expensive(cost(name, 65_536, "manhattan"))  # they are on a line
    for name in ("index", "fraction", "binary"):
        assert is_expensive(cost(name, 65_536, "dot"))
        assert not is_expensive(cost(name, 16, "dot"))


def test_measuring_a_thousand_wide_rows_after_a_shift_is_left_to_the_worker():
    for count, long in ((10, False), (1024, True)):
        cost = cost_of("shift", {"part": "residual"}, encoding=sines(dim=1024), count=count)
        assert cost > 2 * count * 1024  # each row is moved, and compared with another
        assert is_expensive(cost) == long


@pytest.mark.parametrize("pinned", [False, True])
def test_products_of_a_table_cost_the_rows_that_are_read(tmp_path, pinned):
    """Each product is one of means, which are made of all rows; other metrics take samples."""
    rows, columns = 30_000, 512
    e = encodings.create("learned", file=sparse(tmp_path / "pe.npy", rows, columns))
    cost = partial(cost_of, "distances", encoding=e, pins=[Pin(e, "a")] if pinned else [])
    product = cost(metric="dot", count=rows)
    assert product > (2 + 1 + pinned) * 0.99 * rows * columns  # two sides, and curves
    assert is_very_expensive(product)
    assert cost(metric="dot", count=10**12) < 1.1 * product  # there are no more rows than these
    assert cost(metric="euclidean", count=rows) < product / 2


def test_means_of_a_table_are_read_once_without_a_coarse_picture_that_costs_as_much(tmp_path):
    e = encodings.create("learned", file=sparse(tmp_path / "pe.npy", 30_000, 512))
    size, options = Size(500, 400), {"pixel": "mean"}
    heatmap = pictures.make_picture(
        "heatmap", state_of("heatmap", options, encoding=e, count=30_000)
    )
    assert is_very_expensive(heatmap.cost(size))
    assert find_coarse_size(heatmap.cost, heatmap.coarsen, size) == size


@pytest.mark.parametrize(
    ("name", "pinned"), [("heatmap", False), ("heatmap", True), ("distances", False)]
)
def test_reading_a_large_table_can_be_stopped_at_any_time(tmp_path, monkeypatch, name, pinned):
    rows, columns = 30_000, 512
    e = encodings.create("learned", file=sparse(tmp_path / "pe.npy", rows, columns))
    pins = [Pin(e, "a")] if pinned else []
    show = "difference" if pinned else "current"
    state = state_of(name, encoding=e, count=rows, metric="dot", pins=pins, show=show)
    cancelled, read, real = threading.Event(), [], Table.block_sums

    def block_sums(table, start, block, count):
        cancelled.set()
        read.append(block * count * columns)
        return real(table, start, block, count)

    monkeypatch.setattr(Table, "block_sums", block_sums)
    with pytest.raises(CancelledError):
        pictures.make_picture(name, state).numbers(Size(500, 400), cancelled)
    assert 0 < sum(read) < 1 << 22


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("heatmap", {"encoding": VERY_WIDE, "count": 1000}),
        ("heatmap", {"encoding": VERY_WIDE, "count": 1000, "pins": PINS, "show": "difference"}),
        ("distances", {"count": 100, "metric": "manhattan"}),  # all pairs
        ("distances", {"pins": PINS}),  # between curves
        ("projection", {"count": 777}),
    ],
)
def test_cancelling_is_seen(name, fields):
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(CancelledError):
        pictures.make_picture(name, state_of(name, **fields)).numbers(Size(100, 900), cancelled)
