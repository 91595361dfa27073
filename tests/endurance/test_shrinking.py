"""Faults are brought by as few events as possible, and freezes count if they come again."""

import re
import time

import pytest

from tests.endurance import freezes, shrinking
from tests.endurance.shrinking import examine, shortest
from tests.endurance.trial import Task, Trial

TASK = Task("events", 7, 300)
FAULT = {"event": 200, "what": "12 widgets remain", "details": ""}
FREEZE = {"event": 150, "what": "the window froze in key", "details": "", "unsure": True}


class Playing:
    """Stands in for the processes: has faults where all of some events are sent."""

    def __init__(self, tmp_path, *, needed=(), slow=()):
        self.folder, self.needed, self.slow = tmp_path / "none", set(needed), set(slow)
        self.tasks = []

    def do(self, task):
        self.tasks.append(task)
        found = Trial(task, self.folder)
        if self.needed and self.needed <= set(task.numbers):
            found.faults = [{"event": max(task.numbers), "what": "3 widgets remain", "details": ""}]
        found.unsure = [{**FREEZE, "event": it} for it in self.slow & set(task.numbers)]
        return found


def soon(seconds=60.0):
    return time.monotonic() + seconds


@pytest.mark.parametrize("needed", [(200,), (10, 200), (1, 77, 78, 199), (195, 196, 197, 198)])
def test_the_fewest_events_are_found(tmp_path, needed):
    playing = Playing(tmp_path, needed=needed)
    assert shortest(TASK, FAULT, playing.do, soon()) == needed
    assert len(playing.tasks) < 100
    assert all(max(task.numbers) <= FAULT["event"] for task in playing.tasks)


def test_what_no_replay_brings_is_not_made_shorter(tmp_path):
    playing = Playing(tmp_path)
    assert shortest(TASK, FAULT, playing.do, soon()) == ()
    assert len(playing.tasks) == 4
    assert shortest(TASK, FAULT, playing.do, soon(0)) == ()
    assert len(playing.tasks) == 4  # there was no time


def test_it_ends_in_time(tmp_path):
    def slowly(task):
        time.sleep(0.02)
        return Playing(tmp_path, needed=(1, 200)).do(task)

    begin = time.monotonic()
    found = shortest(TASK, FAULT, slowly, soon(0.2))
    assert time.monotonic() - begin < 2
    assert {1, 200} <= set(found)


def test_a_freeze_counts_if_it_comes_again(tmp_path):
    trial = Trial(TASK, tmp_path, unsure=[FREEZE, {**FREEZE, "event": 90}])
    playing = Playing(tmp_path, slow=[150, 33])
    found = examine(trial, playing.do, 60.0)
    assert [fault["event"] for fault in found.faults] == [150]
    assert found.faults[0]["shortest"].endswith("--events 300 --seed 7 --only 150")
    assert playing.tasks[0].only == (*range(70, 92), *range(130, 152))
    assert examine(Trial(TASK, tmp_path), playing.do, 60.0).faults == []


def test_a_freeze_and_a_fault_of_two_events_are_made_shorter_and_replay(endurance, monkeypatch):
    monkeypatch.setattr(shrinking, "GROWTH", 2)  # each replay is a process with a window
    words = ("--part", "events", "--events", "10", "--seed", "3", "--only", "7,9-10")
    code, said = endurance(*words, "--plant", "freeze", "--plant", "pair")
    assert code == 1
    assert "FAULT, seed 3, event 10: the window froze in " in said
    assert re.search(r"\n\d\.\d\d\d s of CPU time, where ", said)
    assert re.search(r"\nbrought by 1 events: python .* --plant freeze .* --only 10\n", said)
    assert "ValueError that nobody caught: planted in two events" in said
    assert re.search(r"\nbrought by 2 events: python .* --plant pair --only 9-10\n", said)
    assert ": 3 events of 3 kinds, " in said
    assert said.endswith(", 2 faults\n")


def spent(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_only_cpu_time_of_its_own_thread_is_a_freeze():
    stopwatch = freezes.Stopwatch(longest=0.1)
    time.sleep(0.4)
    assert stopwatch.freeze("key") == ""
    spent(0.4)
    assert re.match(r"\d\.\d\d\d s of CPU time", stopwatch.freeze("key"))
    assert stopwatch.freeze("undo_all") == ""
    stopwatch.begin()
    assert stopwatch.freeze("key") == ""
    stopwatch.close()


def test_what_is_done_once_may_take_longer(monkeypatch):
    monkeypatch.setattr(freezes, "OWN", __file__)
    stopwatch = freezes.Stopwatch(longest=0.1)
    spent(0.4)
    assert " spent" in stopwatch.freeze("key")
    monkeypatch.setitem(freezes.ALLOWED_PLACES, "test_shrinking.py:spent", "as a test")
    assert stopwatch.freeze("key") == ""
    spent(0.01)
    stopwatch.close()
