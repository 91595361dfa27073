"""What is seen while a picture takes long: a coarse one first, and a word that it is refined."""

import threading
import time

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.pictures.pixels import compute_colour_indices
from pe_explorer.widgets.theme import colours
from tests.support.gestures import settle, wait_for_worker
from tests.support.images import pixels
from tests.support.notes import note, note_label, refining
from tests.support.uncaught import forget

coarse_views = pytest.mark.parametrize("name", ["heatmap", "distances"])
COUNT = 10**6  # positions whose picture takes long
QUICK, LONG, VERY_LONG = 1, 2e6, 4e7  # costs, as `pictures.cost` tells them apart


class HeldWorker:
    """Holds what the worker computes until it is let go, and notes what is computed and shown."""

    def __init__(self, view, computed):
        self.view, self.main, self.full = view, threading.get_ident(), view.compute_size_in_pixels()
        self.computed, self.shown, self.gate = [], [], threading.Semaphore(0)
        self.own, self.failure = view.picture.numbers, None
        computed(view, self.compute)
        view.figure_changed.connect(self.note)

    def compute(self, picture, size, cancelled):
        is_inline = threading.get_ident() == self.main
        self.computed.append((is_inline, size))
        if self.failure:
            raise self.failure
        if not is_inline:
            assert self.gate.acquire(timeout=10)
        return self.own(picture, size, cancelled)

    def note(self, state, figure):
        self.shown.append((state, figure))

    def wait_until_begun(self, times):
        """Wait until some computations have begun: a thread may take its time to start."""
        end = time.monotonic() + 10
        while len(self.computed) < times and time.monotonic() < end:
            QApplication.processEvents()
        assert len(self.computed) == times

    def let_go(self, times=1):
        """Let the worker finish some computations, and its answers arrive."""
        before, end = len(self.shown), time.monotonic() + 10
        for _ in range(times):
            self.gate.release()
        while len(self.shown) < before + times:
            assert time.monotonic() < end
            QApplication.processEvents()

    def let_all_go(self):
        for _ in range(1000):
            self.gate.release()
        wait_for_worker(self.view.model)
        settle(self.view.model)

    @property
    def cells(self):
        """How many cells each of the pictures has that were shown."""
        return [figure.panels[-1].cells.values.size for _, figure in self.shown]

    @property
    def bases(self):
        return [state.encoding.base for state, _ in self.shown]


@pytest.fixture
def hold(show, computed, monkeypatch):
    """Return a function that shows a view whose picture of many positions takes long.

    `full` is its cost, and `half` that of one that is half as high at most.
    """
    made = []

    def hold(name, full=VERY_LONG, half=QUICK):
        view = show(name)
        wait_for_worker(view.model)
        held = HeldWorker(view, computed)

        def cost(picture, size):
            if picture.state.count < COUNT:
                return QUICK
            return full if size.height > 0.6 * held.full.height else half

        monkeypatch.setattr(view.picture, "cost", cost)
        made.append(held)
        return view, held

    yield hold
    for held in made:
        held.let_all_go()
    made.clear()


def ask(view, base=1e4):
    """Ask for a picture that takes long."""
    e = encodings.create("sinusoidal", dim=64, base=base)
    view.model.set(encoding=e, count=COUNT)
    settle(view.model)


@coarse_views
def test_a_view_that_grows_has_its_ground_before_the_next_picture(name, hold):
    view, held = hold(name, half=LONG)
    ask(view)
    held.wait_until_begun(1)
    old = view.size()
    view.resize(old.width() + 200, old.height())
    QApplication.processEvents()
    ground = QColor(colours(view.palette()).base)
    strip = pixels(view.grab().toImage())[: old.height() // 3, old.width() + 10 :]
    assert (strip == [ground.blue(), ground.green(), ground.red()]).all()


@coarse_views
def test_a_coarse_picture_is_seen_while_the_fine_one_is_made(name, hold):
    view, held = hold(name)
    ask(view)
    held.wait_until_begun(2)
    (first, small), (second, size) = held.computed
    assert (first, second) == (True, False)
    assert small.height < held.full.height
    assert size == view.compute_size_in_pixels()
    assert [state for state, _ in held.shown] == [view.model.state]
    assert refining(view).isVisible()
    assert note(view).isHidden()
    coarse = view.status
    held.let_go()
    settle(view.model)
    assert held.cells[1] > held.cells[0]
    assert view.status != coarse
    assert not refining(view).isVisible()
    assert len(held.computed) == 2


@coarse_views
def test_where_even_a_coarse_picture_takes_long_the_worker_makes_both(name, hold):
    view, held = hold(name, VERY_LONG, 0.9 * VERY_LONG)
    for base in (2.0, 3.0, 4.0):
        ask(view, base)
    assert held.shown == []
    held.let_go()
    assert held.bases == [2.0]  # on its way, it is shown though there are changes
    assert refining(view).isVisible()
    held.let_go(2)
    settle(view.model)
    assert held.bases == [2.0, 4.0, 4.0]
    assert not any(is_inline for is_inline, _ in held.computed)
    assert held.cells[1] < held.cells[2]
    assert not refining(view).isVisible()


@coarse_views
def test_what_does_not_take_so_long_is_seen_coarsely_while_changes_come_faster(name, hold):
    view, held = hold(name, LONG)
    ask(view)
    assert held.shown == []
    held.let_all_go()
    assert not any(is_inline for is_inline, _ in held.computed)
    assert (
        min(size.height for _, size in held.computed) > 0.8 * view.compute_size_in_pixels().height
    )
    held.shown.clear()
    for _ in range(1000):  # what was let go above
        held.gate.acquire(blocking=False)
    bases = [float(base) for base in range(2, 12)]
    for base in bases:
        ask(view, base)
    assert held.bases == bases[1:]  # the first could have come in time
    held.let_all_go()
    assert held.shown[-1][0] is view.model.state
    assert not refining(view).isVisible()


@coarse_views
def test_another_size_or_being_hidden_meanwhile_needs_no_other_coarse_picture(name, hold):
    view, held = hold(name)
    ask(view)
    view.resize(view.width(), view.height() + 40)
    below = view.height() - refining(view).geometry().bottom()
    assert 0 < below < refining(view).height()  # it stays in its corner
    assert view.childAt(refining(view).geometry().center()) is not refining(view)
    view.hide()
    view.show()
    settle(view.model)
    held.let_all_go()
    assert held.cells[-1] > held.cells[0]
    view.resize(view.width() + 20, view.height() + 40)
    settle(view.model)
    held.let_all_go()
    first, *others = [is_inline for is_inline, _ in held.computed]
    assert first
    assert not any(others)
    assert held.computed[-1][1] == view.compute_size_in_pixels()
    assert not refining(view).isVisible()


@coarse_views
def test_a_coarse_picture_that_fails_is_reported_and_the_next_change_is_drawn(name, hold, qtbot):
    view, held = hold(name, VERY_LONG, 0.9 * VERY_LONG)
    held.failure = ValueError("no such wave")
    with qtbot.capture_exceptions() as caught:
        ask(view)
        wait_for_worker(view.model)
        qtbot.wait(400)  # by then it would say that it takes long
    assert [str(error) for _, error, _ in caught] == ["no such wave"]
    forget(caught)
    assert "no such wave" in note_label(view).text()
    held.failure = None
    view.model.set(count=10**5)
    held.let_all_go()
    assert held.shown[-1][0] is view.model.state
    assert note(view).isHidden()


def test_a_coarse_heatmap_shows_exact_means_and_says_nothing_over_itself(hold):
    view, held = hold("heatmap")
    ask(view)
    state, figure = held.shown[0]
    cells = figure.panels[0].cells
    block = -(-state.count // len(cells.values))
    truth = state.encoding.block_means(0, block, len(cells.values))
    np.testing.assert_array_equal(cells.indices, compute_colour_indices(truth, (-1.0, 1.0)))
    view.model.set(count=10**12)  # flat, coarsely as well
    settle(view.model)
    assert held.shown[-1][1].note
    assert note(view).isHidden()
    held.let_all_go()
    assert note(view).isVisible()
    ask(view)
    view.model.set_encoding("learned")
    settle(view.model)
    assert not refining(view).isVisible()
