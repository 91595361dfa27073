"""What a view says while its picture takes long: that it is computing, or what is being done."""

import threading

import pytest

from pe_explorer.progress import Part, report
from tests.support.computing import compute_with
from tests.support.gestures import settle, wait_for_worker
from tests.support.notes import note


class Phases:
    """Computes in the place of a view, in phases, each of which begins when the test says so."""

    def __init__(self, view, names):
        self._names, self._own = names, view.picture.compute
        self._gates = [threading.Event() for _ in names]
        self._end = threading.Event()
        compute_with(view, self._compute)
        view.picture.cost = lambda state, size: 1e9

    def _compute(self, state, size, cancelled):
        for place, name in enumerate(self._names):
            assert self._gates[place].wait(60)
            report(Part(cancelled, place / 10, 0.1), 0.5, name)
        assert self._end.wait(60)
        return self._own(state, size, cancelled)

    def begin(self, place):
        self._gates[place].set()

    def end(self):
        for gate in (*self._gates, self._end):
            gate.set()


@pytest.fixture
def view(show):
    view = show("frequencies")
    wait_for_worker(view.model)
    return view


def says(view):
    return "" if note(view).isHidden() else view.stage.sentence


def test_a_phase_is_named_once_it_takes_long(view, qtbot):
    phases = Phases(view, ["Sorting", "", "Moving points"])
    phases.begin(0)
    view.model.set(count=77)
    view.model.announce()
    assert says(view) == ""  # a short word would only flicker
    qtbot.waitUntil(lambda: says(view) == "Sorting… 5%")
    phases.begin(1)  # which has no name
    phases.begin(2)
    qtbot.waitUntil(lambda: says(view) == "Moving points… 25%")
    phases.end()
    wait_for_worker(view.model)
    assert says(view) == ""


def test_the_next_picture_begins_with_no_phase(view, qtbot):
    first = Phases(view, ["Sorting"])
    first.begin(0)
    view.model.set(count=77)
    qtbot.waitUntil(lambda: says(view) != "")
    first.end()
    wait_for_worker(view.model)
    second = Phases(view, ["Moving points"])
    second.begin(0)
    view.model.set(count=78)
    view.model.announce()
    assert says(view) == ""
    second.end()
    wait_for_worker(view.model)
    assert view.model.state.count == 78


def test_nothing_waits_for_a_picture_that_is_made_elsewhere(view, qtbot):
    phases, answers = Phases(view, []), []
    view.picture.is_made_elsewhere = lambda state: True
    view.model.worker.done.connect(lambda owner, answer: answers.append(owner))
    view.model.set(count=77)
    settle(view.model)
    assert view.model.worker.busy("frequencies")
    view.model.worker.request("another", lambda _: None)
    qtbot.waitUntil(lambda: answers == ["another"])
    phases.end()
    wait_for_worker(view.model)
    assert answers == ["another", "frequencies"]


def test_what_has_no_name_is_computing(view, qtbot):
    phases = Phases(view, [""])
    phases.begin(0)
    view.model.set(count=77)
    qtbot.waitUntil(lambda: says(view) == "Computing…")
    phases.end()
    wait_for_worker(view.model)
    assert says(view) == ""
