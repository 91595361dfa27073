"""What pictures are said to cost, so that what takes long is left to the worker."""

import threading
from concurrent.futures import CancelledError
from functools import partial

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.cost import takes_long, takes_very_long
from pe_explorer.pictures.pixels import Size
from pe_explorer.tables import Table
from tests.support.oracles import suited_to
from tests.support.tables_in_files import sparse

USUAL = Size(500, 400)


def cost(name, e, size=USUAL, *, options=None, **fields):
    """Return what the picture of an encoding is said to cost."""
    state = pictures.with_options(Exploration(e, **fields), name, **(options or {}))
    return pictures.find(name).cost(state, size)


sines = partial(encodings.create, "sinusoidal")
VERY_WIDE = sines(dim=65_536)


@pytest.mark.parametrize("quantity", ["value", "angle"])
@pytest.mark.parametrize("count", [1, 2, 15, 50])
def test_phases_of_very_wide_encodings_are_left_to_the_worker(quantity, count):
    options = {"quantity": quantity}
    assert takes_long(cost("heatmap", VERY_WIDE, options=options, count=count))


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "manhattan"])
@pytest.mark.parametrize("count", [1, 4, 50])
def test_distances_of_very_wide_encodings_are_left_to_the_worker(metric, count):
    assert takes_long(cost("distances", VERY_WIDE, metric=metric, count=count))


def test_angles_cost_several_values():
    e, size = sines(dim=512), Size(1000, 900)
    assert not takes_long(cost("heatmap", e, size, count=10**6))
    angles = {"quantity": "angle"}
    assert takes_long(cost("heatmap", e, size, options=angles, count=10**6))


@pytest.mark.parametrize(
    ("parameters", "metric"),
    [
        ({"dim": 64, "waves": "sine"}, "cosine"),
        ({"dim": 64, "waves": "sine"}, "sse"),
        ({"dim": 128}, "sse"),
        ({"dim": 128}, "cosine"),
    ],
)
def test_distances_of_rows_that_hardly_differ_are_left_to_the_worker(parameters, metric):
    """Each is made from exact phases: counting them as others stood the window still."""
    near, far = (
        cost("distances", sines(**parameters, scale=scale), count=1000, metric=metric)
        for scale in (1e-6, 1.0)
    )
    assert takes_long(near)
    assert near > 10 * far


def test_correlations_of_a_single_wave_are_left_to_the_worker():
    """Half of them are 0, which takes exact phases to say."""
    fields = {"metric": "correlation", "count": 10**6}
    single, several = (encodings.create("rope", head_dim=width) for width in (2, 4))
    assert takes_long(cost("distances", single, options={"part": "histogram"}, **fields))
    assert cost("distances", single, **fields) > 4 * cost("distances", several, **fields)


def test_rows_of_few_numbers_cost_something_to_compare():
    narrow, wide = (
        cost("distances", e, Size(800, 700), metric="manhattan", count=10**6)
        for e in (encodings.create("binary", dim=width) for width in (1, 20))
    )
    assert takes_long(narrow)
    assert wide < 3 * narrow


@pytest.mark.parametrize("name", ["index", "fraction"])
def test_what_is_a_line_costs_what_its_pairs_do(name):
    e = encodings.create(name, dim=65_536)
    assert not takes_long(cost("distances", e, count=10**6, metric="manhattan"))


@pytest.mark.parametrize("name", ["index", "fraction", "binary"])
@pytest.mark.parametrize("dim", [65_536, 16])
def test_products_of_wide_rows_are_left_to_the_worker(name, dim):
    e = encodings.create(name, dim=dim)
    assert takes_long(cost("distances", e, count=10**6, metric="dot")) == (dim > 16)


@pytest.mark.parametrize("pinned", [False, True])
def test_products_of_a_table_cost_the_rows_that_are_read(tmp_path, pinned):
    """Each product is one of means, which are made of all rows; other metrics take samples."""
    rows, columns = 30_000, 512
    e = encodings.create("learned", file=sparse(tmp_path / "pe.npy", rows, columns))
    pins = [Pin(e, "a")] if pinned else []
    wanted = Exploration(e, count=rows, pins=pins)
    state = resolve(wanted, DirectStore())

    def cost(metric, count):
        asked = resolve(state.with_(metric=metric, count=count), DirectStore())
        return pictures.find("distances").cost(asked, Size(500, 400))

    assert cost("dot", rows) > (2 + 1 + pinned) * 0.99 * rows * columns  # two sides, and curves
    assert takes_very_long(cost("dot", rows))
    assert cost("dot", 10**12) < 1.1 * cost("dot", rows)  # there are no more rows than these
    assert cost("euclidean", rows) < cost("dot", rows) / 2


@pytest.mark.parametrize(
    ("name", "pinned"), [("heatmap", False), ("heatmap", True), ("distances", False)]
)
def test_reading_a_large_table_can_be_stopped_at_any_time(tmp_path, monkeypatch, name, pinned):
    rows, columns = 30_000, 512
    e = encodings.create("learned", file=sparse(tmp_path / "pe.npy", rows, columns))
    pins = [Pin(e, "a")] if pinned else []
    show = "difference" if pinned else "current"
    wanted = Exploration(e, count=rows, metric="dot", pins=pins, show=show)
    state, cancelled, read, real = resolve(wanted, DirectStore()), threading.Event(), [], Table.part

    def part(table, start, stop):
        cancelled.set()
        read.append((stop - start) * columns)
        return real(table, start, stop)

    monkeypatch.setattr(Table, "part", part)
    with pytest.raises(CancelledError):
        pictures.find(name).compute(state, Size(500, 400), cancelled)
    assert 0 < sum(read) < 1 << 22


@pytest.mark.parametrize("name", pictures.names())
def test_costs_are_told_and_pictures_come_from_plain_values(name):
    """In any thread: what is computed needs nothing of Qt."""
    cls, answers = pictures.find(name), []

    def compute():
        for metric in distance.METRICS:
            state = Exploration(suited_to(name), metric=metric)
            assert cls.cost(state, Size(900, 600)) > 0
            answers.append(cls.compute(state, Size(900, 600), threading.Event()))

    thread = threading.Thread(target=compute)
    thread.start()
    thread.join()
    assert len(answers) == len(distance.METRICS)


PIN = Pin(encodings.create("binary"), "binary")
WIDE = {"encoding": encodings.create("sinusoidal", dim=65_536), "count": 1000}
CANCELLED = {
    "wide rows": ("heatmap", (100, 900), WIDE),
    "wide differences": ("heatmap", (100, 900), {**WIDE, "pins": (PIN,), "show": "difference"}),
    "all pairs": ("distances", (100, 100), {"count": 100, "metric": "manhattan"}),
    "between curves": ("distances", (100, 100), {"pins": (PIN,)}),
    "rows": ("projection", (1, 1), {"count": 777}),
}


@pytest.mark.parametrize(("name", "size", "fields"), CANCELLED.values(), ids=CANCELLED)
def test_cancelling_is_seen(name, size, fields):
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(CancelledError):
        pictures.find(name).compute(Exploration(**fields), Size(*size), cancelled)
