"""Runs of the long test find what is planted, nothing where nothing is, and replay."""

import re
import time

import pytest

from tests.endurance import freezes, shrinking, trial
from tests.endurance.parts import PARTS, Part
from tests.endurance.trial import Task, Trial, parse_numbers

EVENTS = ("--part", "events", "--shrink", "0", "--events")
DEADLY = {"abort": "the process died by SIGABRT", "hang": "the process hung"}
OTHERS = {
    "exception": "ValueError that nobody caught: planted in a slot",
    "thread": "ValueError that nobody caught, in a thread",
    "worker": "KeyError in the worker, for planted",
    "message": "Qt's warning: planted message",
    "printed": "something was printed\nplanted words",
    "part": "a partial file was left: .planted.npy.0.part",
    "unasked": "not by the program itself: ",
    "outside": "FAULT, outside of the folders of the parts: ",
    "widget": "50 widgets remain",
    "timer": "1 timers or threads remain",
    "object": " objects of Qt remain",
    "growth": " MB of memory, more than ",
}


@pytest.mark.parametrize(("plant", "what"), DEADLY.items())
def test_what_ends_the_process_is_found(endurance, plant, what):
    planted = ("--plant", plant, "--patience", "20" if plant == "hang" else "60")
    code, printed = endurance(*EVENTS, "12", "--seed", "3", *planted)
    assert code == 1
    assert f"FAULT, seed 3, event 10: {what}" in printed
    assert "plants.py" in printed  # the traceback
    task = f"--part events --events 12 --seed 3 --plant {plant}\n"
    assert f"python -m tests.sandbox python -m tests.endurance {task}" in printed
    assert printed.endswith(" 1 faults\n")


def test_what_does_not_end_the_process_is_found(endurance):
    planted = [word for plant in OTHERS for word in ("--plant", plant)]
    code, printed = endurance(*EVENTS, "100", "--seed", "3", *planted)
    assert code == 1
    for what in OTHERS.values():
        assert what in printed
    faults = len(OTHERS) - 1 + 1  # one is outside, and too much memory is found twice
    assert f" {faults} faults\n" in printed


def test_what_ends_another_part_is_found(endurance):
    code, printed = endurance("--part", "files", "--events", "50", "--plant", "unknown")
    assert code == 1
    assert "FAULT, seed 1, number 1 of files: KeyError that ended everything" in printed


def test_seeds_replay_and_leave_nothing(endurance, monkeypatch, tmp_path):
    found, run = [], trial.run

    def keep(task):
        found.append(run(task))
        return found[-1]

    monkeypatch.setattr(trial, "run", keep)
    for name in set(PARTS) - {"events", "numbers"}:
        monkeypatch.delitem(PARTS, name)
    monkeypatch.setitem(PARTS, "kills", Part("kills", 1, "kills", ("sh", "no-such-program")))
    code, printed = endurance("--events", "24", "--seeds", "1-2", "--shrink", "0")
    assert code == 0
    assert printed.startswith("endurance: no kills, as this machine lacks no-such-program\n")
    assert "endurance: seed 2: 24 events of " in printed
    assert printed.endswith(", 12 numbers, 0 faults\n")
    assert endurance(*EVENTS, "24", "--seed", "1")[0] == 0
    with pytest.raises(SystemExit):
        endurance("--part", "kills")
    first, again = (one for one in found if (one.task.part, one.task.seed) == ("events", 1))
    assert len(first.kinds) > 15
    first, again = ([line.split(" ")[:2] for line in one.journal] for one in (first, again))
    assert first == again
    assert [int(number) for number, _ in first] == list(range(1, 25))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("needed", [(200,), (10, 200), (1, 77, 78, 199), (195, 196, 197, 198)])
def test_the_fewest_events_that_bring_a_fault_are_found(tmp_path, needed):
    tasks = []

    def do(task):
        tasks.append(task)
        fault = {"event": max(task.numbers), "what": "3 widgets remain", "details": ""}
        found = [fault] if set(needed) <= set(task.numbers) else []
        return Trial(task, tmp_path / "none", faults=found)

    task, fault = Task("events", 7, 300), {"event": 200, "what": "12 widgets remain"}
    assert shrinking.shortest(task, fault, do, time.monotonic() + 60) == needed
    assert len(tasks) < 100
    assert shrinking.shortest(task, {**fault, "what": "other"}, do, time.monotonic() + 60) == ()
    assert shrinking.shortest(task, fault, do, time.monotonic()) == ()


def test_a_freeze_and_a_fault_of_two_events_are_made_shorter_and_replay(endurance, monkeypatch):
    monkeypatch.setattr(shrinking, "LENGTHS", (1, 2))  # each replay is a process with a window
    words = ("--part", "events", "--events", "10", "--seed", "3", "--only", "7,9-10")
    code, printed = endurance(*words, "--plant", "freeze", "--plant", "pair")
    assert code == 1
    assert "FAULT, seed 3, event 10: the window froze in " in printed
    assert re.search(r"\n\d\.\d\d\d s of CPU time, where ", printed)
    assert re.search(r"\nbrought by 1 events: python .* --plant freeze .* --only 10\n", printed)
    assert "ValueError that nobody caught: planted in two events" in printed
    assert re.search(r"\nbrought by 2 events: python .* --plant pair --only 9,10\n", printed)
    assert ": 3 events of 3 kinds, " in printed
    assert printed.endswith(", 2 faults\n")


def test_only_cpu_time_that_no_place_may_take_is_a_freeze(monkeypatch):
    def spend(seconds):
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    monkeypatch.setattr(freezes, "OWN", __file__)
    stopwatch = freezes.Stopwatch(longest=0.1)
    time.sleep(0.4)
    assert stopwatch.freeze("key") == ""
    stopwatch.begin()
    spend(0.4)
    assert ":spend" in stopwatch.freeze("key")
    assert stopwatch.freeze("undo_all") == ""
    monkeypatch.setitem(freezes.ALLOWED_PLACES, "test_endurance.py:spend", "as a test")
    assert stopwatch.freeze("key") == ""
    stopwatch.close()


def test_numbers_are_read_and_written():
    assert parse_numbers("3,20-22") == (3, 20, 21, 22)
