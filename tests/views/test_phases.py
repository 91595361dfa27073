"""What a view says while its picture takes long: that it is computing, or what is being done."""

import threading

import pytest

from pe_explorer.progress import PartialProgress, report
from tests.support.gestures import settle, wait_for_worker
from tests.support.notes import says


class Phases:
    """Computes in phases, each of which begins when the test says so."""

    def __init__(self, own, names):
        self._names, self._own = names, own
        self._gates = [threading.Event() for _ in names]
        self._end = threading.Event()

    def compute(self, picture, size, cancelled):
        for place, name in enumerate(self._names):
            assert self._gates[place].wait(10)
            report(PartialProgress(cancelled, place / 10, 0.1), 0.5, name)
        assert self._end.wait(10)
        return self._own(picture, size, cancelled)

    def begin(self, place):
        self._gates[place].set()

    def end(self):
        for gate in (*self._gates, self._end):
            gate.set()


@pytest.fixture
def view(show, costs):
    view = show("frequencies")
    wait_for_worker(view.model)
    costs(view, 1e9)
    return view


@pytest.fixture
def phases(view, computed):
    """Return a function that lets the view be computed in phases."""
    own = view.picture.numbers

    def phases(*names):
        found = Phases(own, names)
        computed(view, found.compute)
        return found

    return phases


def test_a_phase_is_named_once_it_takes_long_and_forgotten_with_its_picture(view, qtbot, phases):
    work = phases("Sorting", "", "Moving points")
    work.begin(0)
    view.model.set(count=77)
    view.model.emit_changes()
    assert says(view) == ""  # a short word would only flicker
    qtbot.waitUntil(lambda: says(view) == "Sorting… 5%")
    work.begin(1)  # which has no name
    work.begin(2)
    qtbot.waitUntil(lambda: says(view) == "Moving points… 25%")
    work.end()
    wait_for_worker(view.model)
    assert says(view) == ""
    second = phases("Moving points")
    second.begin(0)
    view.model.set(count=78)
    view.model.emit_changes()
    assert says(view) == ""
    second.end()
    wait_for_worker(view.model)


def test_nothing_waits_for_a_picture_that_is_made_elsewhere(view, qtbot, phases, monkeypatch):
    work, answers = phases(), []
    monkeypatch.setattr(view.picture, "should_use_own_thread", lambda picture: True)
    view.model.worker.done.connect(lambda owner, answer: answers.append(owner))
    view.model.set(count=77)
    settle(view.model)
    assert view.model.worker.is_busy("frequencies")
    view.model.worker.request("another", lambda _: None)
    qtbot.waitUntil(lambda: answers == ["another"])
    work.end()
    wait_for_worker(view.model)
    assert answers == ["another", "frequencies"]
