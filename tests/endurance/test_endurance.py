"""The endurance test finds planted faults, reports nothing otherwise, and replays events.

It sends random input, so these tests run only in a sandbox.
"""

import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from tests import sandbox
from tests.endurance import trial
from tests.endurance.__main__ import main
from tests.endurance.command_lines import opens_window, random_line
from tests.endurance.faults import NOTHING
from tests.endurance.mutations import mutated
from tests.endurance.tables import table_of
from tests.endurance.trial import NEEDS, PARTS, Task
from tests.endurance.typed import LOCALES, random_spelling

pytestmark = [
    pytest.mark.skipif(bool(sandbox.why_outside()), reason=sandbox.HELP),
    pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux"),
]
EVENTS = ("--part", "events", "--shrink", "0", "--events")
DEADLY = {"abort": "the process died by SIGABRT", "hang": "the process hung"}
OTHERS = {
    "exception": "ValueError that nobody caught: invalid literal",
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


@pytest.fixture
def endurance(monkeypatch, capsys, tmp_path):
    """Return a function that runs the endurance test; it returns the exit code and the output."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tests.endurance.__main__.WATCHED", (tmp_path,))  # no other tests

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["endurance", *words])
        return main(), capsys.readouterr().out

    return run


@pytest.fixture
def faults_of(monkeypatch, tmp_path):
    """Return a function that runs a part; it returns the number and texts of the faults."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(part, size, *plant, seed=1):
        found = trial.run(Task(part, seed, size * PARTS[part], plant=plant))
        print(found.report())  # visible if the test fails
        return [(fault["event"], fault["what"]) for fault in (*found.faults, *found.unsure)]

    return run


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("plant", "what"), DEADLY.items())
def test_what_ends_the_process_is_found(endurance, plant, what):
    planted = ("--plant", plant, "--patience", "20" if plant == "hang" else "60")
    code, printed = endurance(*EVENTS, "12", "--seed", "3", *planted)
    assert code == 1
    assert f"FAULT, seed 3, event 10: {what}" in printed
    assert "events.py" in printed  # the traceback
    task = f"--part events --events 12 --seed 3 --plant {plant}\n"
    assert f"python -m tests.sandbox python -m tests.endurance {task}" in printed
    assert printed.endswith(" 1 faults\n")


def test_what_does_not_end_the_process_is_found(endurance):
    planted = [word for plant in OTHERS for word in ("--plant", plant)]
    code, printed = endurance(*EVENTS, "100", "--seed", "3", *planted)
    assert code == 1
    for what in OTHERS.values():
        assert what in printed
    faults = len(OTHERS) - 1 + 1  # one file is outside, and high memory is reported twice
    assert f" {faults} faults\n" in printed


@pytest.mark.sampled(0)
def test_what_ends_another_part_is_found(faults_of):
    ((number, what),) = faults_of("files", 1, "unknown")
    assert (number, what.split(":")[0]) == (1, "KeyError that ended everything")


def test_a_seed_replays_and_leaves_nothing(endurance, monkeypatch, tmp_path):
    found, run = [], trial.run
    monkeypatch.setattr(trial, "run", lambda task: found.append(run(task)) or found[-1])
    for name in set(PARTS) - {"events", "numbers"}:
        monkeypatch.delitem(PARTS, name)
    monkeypatch.setitem(PARTS, "kills", 1)
    monkeypatch.setitem(NEEDS, "kills", ("sh", "no-such-program"))
    code, printed = endurance("--events", "24", "--seed", "1", "--shrink", "0")
    assert code == 0
    assert printed.startswith("endurance: no kills, which need sh, no-such-program\n")
    assert "endurance: 24 events in " in printed
    assert "endurance: 12 numbers in " in printed
    assert printed.endswith("endurance: seed 1: 0 faults\n")
    assert endurance(*EVENTS, "24", "--seed", "1")[0] == 0
    first, again = (each for each in found if each.task.part == "events")
    first, again = ([line.split(" ")[:2] for line in each.journal] for each in (first, again))
    assert first == again
    assert len({kind for _, kind in first}) > 15
    assert [int(number) for number, _ in first] == list(range(1, 25))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sampled(0)
def test_a_freeze_and_a_fault_of_two_events_are_made_shorter_and_replay(endurance, monkeypatch):
    monkeypatch.setattr(trial, "LENGTHS", (1, 2))  # each replay is a process with a window
    words = ("--part", "events", "--events", "10", "--seed", "3", "--only", "7,9,10")
    code, printed = endurance(*words, "--plant", "freeze", "--plant", "pair")
    assert code == 1
    assert "FAULT, seed 3, event 10: the window froze in " in printed
    assert re.search(r"\n\d\.\d\d\d s of CPU time, where ", printed)
    assert re.search(r"\nbrought by 1 events: python .* --plant freeze .* --only 10\n", printed)
    assert "ValueError that nobody caught: planted in two events" in printed
    assert re.search(r"\nbrought by 2 events: python .* --plant pair --only 9,10\n", printed)
    assert "endurance: 3 events in " in printed
    assert printed.endswith(": 2 faults\n")


# For each part: the number of items without a fault, the number of items for each fault, the
# seed, and the faults with their messages.
CASES = {
    "anew": (3, 3, 59, {"words": "something stays in "}),
    "breakdowns": (8, 5, 1, {"lost": "in a round of settings", "half": "a round of a full disk"}),
    "command_lines": (8, 1, 1, {"code": "exit code 3", "lines": "in two lines"}),
    "files": (4, 1, 1, {"traceback": "KeyError in", "lines": "AssertionError in"}),
    "frames": (0, 60, 4, {"still": "the cursor moved in ", "leak": "memory grows while it plays"}),
    "kills": (1, 7, 1, {"half": "after a kill in"}),
    "numbers": (200, 60, 9, {"divided": "projection of", "rows": "of alibi is wrong"}),
    "tables": (1, 1, 1, {"lengths": "in a table: euclidean of", "limit": "Cannot set range"}),
    "sentences": (1, 1, 1, {"facts": "a false sentence in "}),
    "typed": (150, 90, 11, {"commas": "' is read as ", "refused": " is refused, and is "}),
}
CASES["command_lines"][-1].update(part="partial files", left="exit code 2, and changed")
CASES["files"][-1].update(slow="more than 2 s of work", large="more than 200 MB")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("part", CASES)
def test_each_planted_fault_is_found_and_nothing_before(faults_of, part):
    clean, share, first_seed, words = CASES[part]
    left = dict(words)
    for seed in (first_seed, *range(1, 9)):  # some kinds of events are rare
        plants = [NOTHING] * clean + [name for name in left for _ in range(share)]
        faults = faults_of(part, len(plants), *plants, seed=seed)
        found = [(plants[number - 1], what) for number, what in faults]
        assert NOTHING not in dict(found)
        for name, what in found:
            if words[name] in what:
                left.pop(name, None)
        if not left:
            break
    assert not left
    if part == "kills":
        assert len(found) == share  # ignores the written text


SURROUNDINGS = {
    "traceback": "in a round of a window: ",
    "moves": "in a round of a window: not by the program itself: ",
    "no backup": "in a round of a server that ends: there is no backup",
    "lost time": "in a round of stopping and going on: at ",
    "thrown away": "in a round of signals: SIG",
    "replaced": "in a round of two processes: what the other has saved is replaced unasked",
    "careless": "in a round of hostile names: ",
}


@pytest.mark.xcb
def test_what_is_planted_around_a_real_window_is_found(faults_of, monkeypatch):
    assert shutil.which("openbox"), "this test needs openbox"
    monkeypatch.delenv("DISPLAY", raising=False)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(faults_of, "surroundings", 1, plant) for plant in SURROUNDINGS]
    for run, words in zip(runs, SURROUNDINGS.values(), strict=True):
        ((event, what),) = run.result()
        assert event == 1
        assert words in what


DATA = b'<?xml version="1.0"?>\n<svg>{"schema": 1, "a": [1, 2]}\nx=1 2 3\n'
ENDINGS = (".json", ".png", ".svg", ".pdf", ".npy", ".txt", ".vocab", ".ini", ".bin")


@pytest.mark.sampled(0)
def test_items_are_the_same_for_a_seed_and_of_many_kinds():
    def made():
        lines = [random_line(Random(seed), ["a.json"])[0] for seed in range(200)]
        files = [[mutated(DATA, kind, Random(seed)) for seed in range(28)] for kind in ENDINGS]
        tables = [table_of(Random(f"table {seed}")).tolist() for seed in range(200)]
        spelled = [random_spelling(Random(k), LOCALES[k % 6], whole=k % 2 == 0) for k in range(900)]
        return lines, files, tables, spelled

    lines, files, tables, spelled = made()
    assert (lines, files, tables, spelled) == made()
    assert {"export", "render", "code", "list", "check"} <= {line[0] for line in lines if line}
    assert any(map(opens_window, lines))
    assert all(len(set(datas)) > 20 for datas in files)
    numbers = [abs(x) for rows in tables for row in rows for x in row if isinstance(x, float)]
    assert max(numbers) > 1e308
    assert min(filter(None, numbers)) == 5e-324
    typed = " ".join(text for text, *_ in spelled)
    assert all(sign in typed for sign in "_e^*×kK,.\u066b\u066c\u202f\u2019\u2212\u0661")
