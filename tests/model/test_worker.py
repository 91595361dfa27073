import threading
import time
from concurrent.futures import CancelledError

import pytest
from PySide6.QtCore import QTimer

from pe_explorer.model import worker as module
from pe_explorer.progress import report
from tests.support.processes import comes_true

PATIENCE = 60.0


class WorkerRecorder:
    def __init__(self, worker):
        self.answers, self.errors, self.threads = [], [], set()
        worker.done.connect(self.done)
        worker.failed.connect(self.failed)

    def done(self, *answer):
        self.answers.append(answer)
        self.threads.add(threading.get_ident())

    def failed(self, *error):
        self.errors.append(error)
        self.threads.add(threading.get_ident())


@pytest.fixture
def heard(worker):
    return WorkerRecorder(worker)


def answering(answer):
    return lambda cancelled: answer


def patient(begun):
    """Return a task that runs until it is cancelled."""

    def task(cancelled):
        begun.set()
        assert cancelled.wait(PATIENCE)
        return "too late"

    return task


def test_the_answer_comes_in_the_gui_thread(worker, heard, qtbot):
    threads = []
    worker.request("a", lambda cancelled: threads.append(threading.get_ident()) or 42)
    assert worker.is_busy("a")
    qtbot.waitUntil(lambda: heard.answers == [("a", 42)])
    assert heard.threads == {threading.get_ident()}
    assert threads[0] != threading.get_ident()
    assert not worker.is_busy("a")


def test_polling_slows_down_and_stops_without_requests(worker, qtbot):
    intervals, go_on = [], threading.Event()
    worker.yield_to_gui()
    worker.request("a", lambda cancelled: go_on.wait(PATIENCE))
    timers = worker.findChildren(QTimer)
    (timer,) = (item for item in timers if item.interval())
    timer.timeout.connect(lambda: intervals.append(timer.interval()))
    assert timer.interval() == 1
    qtbot.waitUntil(lambda: len(intervals) > 4)
    assert intervals[:5] == [2, 4, 8, 8, 8]
    go_on.set()
    qtbot.waitUntil(lambda: worker.is_idle)
    qtbot.waitUntil(lambda: not any(entry.isActive() for entry in timers))


def test_the_newest_wins(worker, heard, qtbot):
    begun = threading.Event()
    worker.request("a", patient(begun))
    assert begun.wait(PATIENCE)
    for answer in range(100):
        worker.request("a", answering(answer))
    qtbot.waitUntil(lambda: heard.answers == [("a", 99)])
    qtbot.wait(20)
    assert heard.answers == [("a", 99)]


def test_cancelled_tasks_emit_nothing(worker, heard, qtbot):
    begun = threading.Event()
    worker.request("a", patient(begun))
    assert begun.wait(PATIENCE)
    worker.cancel("a")
    assert not worker.is_busy("a")
    worker.request("b", answering(1))
    qtbot.waitUntil(lambda: heard.answers == [("b", 1)])
    worker.cancel("nobody")


def test_cancelling_after_the_answer_drops_it(worker, heard, qtbot):
    worker.request("a", answering(1))
    worker._queue.wait()
    worker.cancel("a")
    qtbot.wait(20)
    assert heard.answers == []


def test_exceptions_are_delivered(worker, heard, qtbot):
    def task(cancelled):
        raise ValueError("no such thing")

    worker.request("a", task)
    qtbot.waitUntil(lambda: len(heard.errors) == 1)
    (owner, error), *_ = heard.errors
    assert (owner, type(error), str(error)) == ("a", ValueError, "no such thing")

    def giving_up(cancelled):
        raise CancelledError

    worker.request("a", giving_up)
    qtbot.waitUntil(lambda: not worker.is_busy("a"))
    assert heard.answers == []
    worker.request("a", answering(2))  # the thread still runs
    qtbot.waitUntil(lambda: heard.answers == [("a", 2)])


def test_close_waits_for_the_thread(worker, heard, qtbot):
    begun, ended = threading.Event(), threading.Event()

    def task(cancelled):
        begun.set()
        assert cancelled.wait(PATIENCE)
        time.sleep(0.05)
        ended.set()

    worker.request("a", task)
    assert begun.wait(PATIENCE)
    worker.close()
    assert ended.is_set()
    qtbot.wait(20)
    assert (heard.answers, heard.errors) == ([], [])


# -- making way for the GUI thread -----------------------------------------------------------------


class Steps:
    """A task that reports repeatedly and counts its steps."""

    def __init__(self, reports):
        self.begun, self.done, self._reports = threading.Event(), 0, reports
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def __call__(self, cancelled):
        self.begun.set()
        for step in range(self._reports):
            report(cancelled, step / self._reports)
            self.done = step + 1
            self.may_go_on.wait(PATIENCE)
        return self.done


@pytest.fixture
def way_free_for_long(monkeypatch):
    """Set the yield limit of tasks to the patience of a test."""
    monkeypatch.setattr(module, "_MAX_YIELD_TIME", PATIENCE)


@pytest.mark.usefixtures("way_free_for_long")
def test_tasks_yield_to_the_gui_at_reports(worker, heard, qtbot):
    steps = Steps(3)
    steps.may_go_on.clear()
    worker.yield_to_gui()
    worker.request("a", steps)
    assert steps.begun.wait(PATIENCE)
    time.sleep(0.05)
    assert steps.done == 0
    qtbot.waitUntil(lambda: steps.done == 1)
    worker.yield_to_gui()  # for another change
    steps.may_go_on.set()
    time.sleep(0.05)
    assert steps.done == 1
    qtbot.waitUntil(lambda: heard.answers == [("a", 3)])


def test_the_waiting_time_of_tasks_is_limited(worker, heard):
    steps = Steps(100_000)
    worker.yield_to_gui()
    worker.request("a", steps)
    assert comes_true(lambda: steps.done == 100_000)  # without the event loop


@pytest.mark.usefixtures("way_free_for_long")
def test_waiting_for_tasks_resumes_them(worker, heard):
    worker.request("a", Steps(3))
    worker.yield_to_gui()
    worker.finish()
    assert heard.answers == [("a", 3)]
    assert worker.make_waiting_task() is None
    for long in (False, True):
        steps = Steps(3)
        worker.request("b", steps, is_long=long)
        worker.make_waiting_task()(threading.Event())  # waits for all others
        assert steps.done == 3
