"""What is seen while a picture takes long: a coarse one first, and a quiet word that it is being
refined.
"""

import threading
import time
from concurrent.futures import CancelledError
from functools import partial

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures import cost as _cost
from pe_explorer.pictures.pixels import Size, colour_indices
from pe_explorer.tables import Table
from tests.support.cases import for_each
from tests.support.computing import compute_as_usual, compute_with
from tests.support.gestures import settle, wait_for_worker
from tests.support.notes import note, refining
from tests.support.tables_in_files import sparse
from tests.support.uncaught import forget

coarse_views = pytest.mark.parametrize("name", ["heatmap", "distances"])
MUCH = {"encoding": encodings.create("sinusoidal", dim=64), "count": 10**6}


class Held:
    """Computes in place of a view; what the worker does waits until it is let go. Notes what is
    computed and shown.
    """

    def __init__(self, view):
        self.view, self.main = view, threading.get_ident()
        self.computed, self.shown, self.gate = [], [], threading.Semaphore(0)
        self.own_compute, self.own_show = view.picture.compute, view.show_numbers
        compute_with(view, self.compute)
        view.show_numbers = self.show_picture

    def compute(self, state, size, cancelled):
        inline = threading.get_ident() == self.main
        self.computed.append((inline, state, size))
        if not inline:
            assert self.gate.acquire(timeout=60)
        return self.own_compute(state, size, cancelled)

    def show_picture(self, state, picture):
        self.shown.append((state, picture))
        self.own_show(state, picture)

    def wait_until_begun(self, times):
        """Wait until some computations have begun: a thread may take its time to start."""
        end = time.monotonic() + 60
        while len(self.computed) < times and time.monotonic() < end:
            QApplication.processEvents()
        assert len(self.computed) == times

    def let_go(self, times=1):
        """Let the worker finish some computations, and its answers arrive."""
        before = len(self.shown)
        for _ in range(times):
            self.gate.release()
        while len(self.shown) < before + times:
            QApplication.processEvents()

    def let_all_go(self):
        for _ in range(1000):
            self.gate.release()
        wait_for_worker(self.view.model)
        self.view.__dict__.pop("show_numbers", None)
        compute_as_usual(self.view)


@pytest.fixture
def hold(show, monkeypatch):
    """Return a function that shows a view whose full picture takes long, and holds it."""
    made = []

    def hold(name, *, inline=None, long=None):
        view = show(name)
        wait_for_worker(view.model)
        most = 0.75 * view.picture.cost(view.model.state.with_(**MUCH), view.size_in_pixels())
        monkeypatch.setattr(_cost, "_INLINE_COST", most if inline is None else inline)
        monkeypatch.setattr(_cost, "_LONG_COST", most if long is None else long)
        made.append(Held(view))
        return view, made[-1]

    yield hold
    for held in made:
        held.let_all_go()
    made.clear()


def cells(picture):
    return (picture if hasattr(picture, "indices") else picture.matrix).indices.size


@coarse_views
def test_a_coarse_picture_is_seen_while_the_fine_one_is_made(name, hold):
    view, held = hold(name)
    full = view.size_in_pixels()
    assert view.picture.cost(view.model.state.with_(**MUCH), full) > _cost._LONG_COST
    view.model.set(**MUCH)
    settle(view.model)
    held.wait_until_begun(2)
    (first, _state, small), (second, _, size) = held.computed
    assert (first, second) == (True, False)
    assert small.height < full.height
    assert view.picture.cost(view.model.state, small) <= _cost._INLINE_COST / 3
    assert size == view.size_in_pixels()
    assert [state for state, _ in held.shown] == [view.model.state]
    assert view.status.endswith(". Refining…")
    assert refining(view).isVisible()
    assert note(view).isHidden()
    held.let_go()
    settle(view.model)
    assert len(held.shown) == 2
    assert cells(held.shown[1][1]) > cells(held.shown[0][1])
    assert view.status.endswith(".")
    assert not refining(view).isVisible()
    assert len(held.computed) == 2


@coarse_views
def test_where_even_a_coarse_picture_takes_long_the_worker_makes_both(name, hold):
    view, held = hold(name, inline=0.0, long=0.0)
    view.model.set(**MUCH)
    settle(view.model)
    assert held.shown == []
    held.let_go()
    assert view.status.endswith("Refining…")
    held.let_go()
    settle(view.model)
    assert [inline for inline, _, _ in held.computed] == [False, False]
    assert held.computed[0][2].height < held.computed[1][2].height == view.size_in_pixels().height
    assert cells(held.shown[0][1]) < cells(held.shown[1][1])
    assert view.status.endswith(".")


@coarse_views
def test_what_does_not_take_so_long_has_no_coarse_picture(name, hold):
    view, held = hold(name, inline=0.0, long=1e12)
    view.model.set(**MUCH)
    settle(view.model)
    assert held.shown == []
    held.let_all_go()
    assert not any(inline for inline, _, _ in held.computed)
    assert min(size.height for _, _, size in held.computed) > 0.8 * view.size_in_pixels().height
    assert view.status.endswith(".")


@coarse_views
def test_while_changes_come_faster_than_pictures_each_is_seen_coarsely(name, hold):
    view, held = hold(name, long=1e12)
    for base in range(2, 12):
        view.model.set(
            encoding=encodings.create("sinusoidal", dim=64, base=float(base)), count=10**6
        )
        settle(view.model)
    bases = [state.encoding.base for state, _ in held.shown]
    assert bases == [float(base) for base in range(3, 12)]  # the first could have come in time
    held.let_all_go()
    settle(view.model)
    assert held.shown[-1][0] is view.model.state
    assert view.status.endswith(".")


@coarse_views
def test_a_coarse_picture_on_its_way_is_shown_though_there_are_changes(name, hold):
    view, held = hold(name, inline=0.0, long=0.0)
    for base in (2.0, 3.0, 4.0):
        view.model.set(encoding=encodings.create("sinusoidal", dim=64, base=base), count=10**6)
        settle(view.model)
    held.let_go()
    assert [state.encoding.base for state, _ in held.shown] == [2.0]
    held.let_go(2)
    settle(view.model)
    assert [state.encoding.base for state, _ in held.shown] == [2.0, 4.0, 4.0]
    assert view.status.endswith(".")


@coarse_views
def test_another_size_needs_no_coarse_picture(name, hold):
    view, held = hold(name)
    view.model.set(**MUCH)
    settle(view.model)
    held.let_go()
    settle(view.model)
    view.resize(view.width() + 20, view.height() + 40)
    settle(view.model)
    held.let_all_go()
    settle(view.model)
    assert [inline for inline, _, _ in held.computed] == [True] + [False] * (len(held.computed) - 1)
    assert held.computed[-1][2] == view.size_in_pixels()
    assert view.status.endswith(".")


@coarse_views
def test_hidden_while_it_is_refined_it_is_fine_when_it_is_seen_again(name, hold):
    view, held = hold(name)
    view.model.set(**MUCH)
    settle(view.model)
    view.hide()
    view.show()
    settle(view.model)
    held.let_all_go()
    settle(view.model)
    assert sum(inline for inline, _, _ in held.computed) == 1
    assert view.status.endswith(".")
    assert cells(held.shown[-1][1]) > cells(held.shown[0][1])


@coarse_views
def test_what_fails_coarsely_is_told_and_the_next_change_is_drawn(name, hold, qtbot):
    view, held = hold(name, inline=0.0, long=0.0)
    fail = [True]

    def compute(state, size, cancelled):
        if fail:
            raise ValueError("no such wave")
        return held.compute(state, size, cancelled)

    compute_with(view, compute)
    with qtbot.capture_exceptions() as caught:
        view.model.set(**MUCH)
        wait_for_worker(view.model)
    assert [str(error) for _, error, _ in caught] == ["no such wave"]
    forget(caught)
    assert view.stage.sentence == "This cannot be drawn: no such wave."
    fail.clear()
    view.model.set(count=10**5)
    held.let_all_go()
    settle(view.model)
    assert view.status.endswith(".")
    assert held.shown[-1][0] is view.model.state


def test_a_coarse_heatmap_shows_exact_means(hold):
    view, held = hold("heatmap")
    view.model.set(**MUCH)
    settle(view.model)
    state, picture = held.shown[0]
    rows = -(-state.count // picture.block)
    truth = state.encoding.block_means(0, picture.block, rows)
    np.testing.assert_array_equal(picture.indices, colour_indices(truth, (-1.0, 1.0)))
    assert f"{picture.block:,} positions" in view.status


def test_a_coarse_heatmap_says_nothing_over_itself(hold):
    view, held = hold("heatmap", inline=4800.0, long=5000.0)
    view.model.set(encoding=encodings.create("sinusoidal", dim=16, base=2.0), count=10**6)
    settle(view.model)
    assert held.shown[0][1].note
    assert note(view).isHidden()
    held.let_go()
    settle(view.model)
    assert view.stage.sentence == held.shown[-1][1].note


# -- what is said to cost ------------------------------------------------------------------------


USUAL = Size(500, 400)


def cost(name, e, size=USUAL, *, options=None, **fields):
    """Return what the picture of an encoding is said to cost."""
    state = pictures.with_options(Exploration(e, **fields), name, **(options or {}))
    return pictures.find(name).cost(state, size)


sines = partial(encodings.create, "sinusoidal")
VERY_WIDE = sines(dim=65_536)


@for_each("quantity", ["value", "angle"])
@for_each("count", [1, 2, 15, 50])
def test_phases_of_very_wide_encodings_are_left_to_the_worker(quantity, count):
    options = {"quantity": quantity}
    assert _cost.takes_long(cost("heatmap", VERY_WIDE, options=options, count=count))


@for_each("metric", ["cosine", "euclidean", "manhattan"])
@for_each("count", [1, 4, 50])
def test_distances_of_very_wide_encodings_are_left_to_the_worker(metric, count):
    assert _cost.takes_long(cost("distances", VERY_WIDE, metric=metric, count=count))


def test_angles_cost_several_values():
    e, size = sines(dim=512), Size(1000, 900)
    assert not _cost.takes_long(cost("heatmap", e, size, count=10**6))
    angles = {"quantity": "angle"}
    assert _cost.takes_long(cost("heatmap", e, size, options=angles, count=10**6))


@for_each(
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
    assert _cost.takes_long(near)
    assert near > 10 * far


def test_correlations_of_a_single_wave_are_left_to_the_worker():
    """Half of them are 0, which takes exact phases to say."""
    fields = {"metric": "correlation", "count": 10**6}
    single, several = (encodings.create("rope", head_dim=width) for width in (2, 4))
    assert _cost.takes_long(cost("distances", single, options={"part": "histogram"}, **fields))
    assert cost("distances", single, **fields) > 4 * cost("distances", several, **fields)


def test_rows_of_few_numbers_cost_something_to_compare():
    narrow, wide = (
        cost("distances", e, Size(800, 700), metric="manhattan", count=10**6)
        for e in (encodings.create("binary", dim=width) for width in (1, 20))
    )
    assert _cost.takes_long(narrow)
    assert wide < 3 * narrow


@for_each("name", ["index", "fraction"])
def test_what_is_a_line_costs_what_its_pairs_do(name):
    e = encodings.create(name, dim=65_536)
    assert not _cost.takes_long(cost("distances", e, count=10**6, metric="manhattan"))


@for_each("name", ["index", "fraction", "binary"])
@for_each("dim", [65_536, 16])
def test_products_of_wide_rows_are_left_to_the_worker(name, dim):
    e = encodings.create(name, dim=dim)
    assert _cost.takes_long(cost("distances", e, count=10**6, metric="dot")) == (dim > 16)


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
    assert _cost.takes_very_long(cost("dot", rows))
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
