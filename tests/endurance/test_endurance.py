"""The runs of random events find what is planted, nothing where nothing is, and replay."""

import re
from random import Random
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.endurance import by_menu, trial
from tests.endurance.events import is_ours

EVENTS = ("--part", "events", "--shrink", "0", "--events")
DEADLY = {
    "abort": "the process died by SIGABRT",
    "segfault": "the process died by SIGSEGV",
    "hang": "the process hung",
}
OTHERS = {
    "exception": "ValueError that nobody caught: planted in a slot",
    "thread": "ValueError that nobody caught, in a thread",
    "worker": "KeyError in the worker, for planted",
    "message": "Qt's warning: planted message",
    "part": "a partial file was left: .planted.npy.0.part",
    "widget": "widgets remain",
    "growth": " MB of memory, more than ",
}


@pytest.mark.parametrize(("plant", "what"), DEADLY.items())
def test_what_ends_the_process_is_found(endurance, plant, what):
    planted = ("--plant", plant, "--patience", "5" if plant == "hang" else "60")
    code, said = endurance(*EVENTS, "12", "--seed", "3", *planted)
    assert code == 1
    assert f"FAULT, seed 3, event 10: {what}" in said
    assert "plants.py" in said  # the traceback
    task = f"--part events --events 12 --seed 3 --plant {plant}\n"
    assert f"python -m tests.sandbox python -m tests.endurance {task}" in said
    assert said.endswith(" 1 faults\n")


def test_what_does_not_end_the_process_is_found(endurance):
    planted = [word for plant in OTHERS for word in ("--plant", plant)]
    code, said = endurance(*EVENTS, "100", "--seed", "3", *planted)
    assert code == 1
    for what in OTHERS.values():
        assert what in said
    assert said.endswith(f" {len(OTHERS) + 1} faults\n")  # of memory in between and at the end


def test_a_seed_replays_and_leaves_nothing(endurance, monkeypatch, tmp_path):
    found, run = [], trial.run

    def kept(task):
        found.append(run(task))
        return found[-1]

    monkeypatch.setattr(trial, "run", kept)
    assert endurance(*EVENTS, "24", "--seeds", "1-1")[0] == 0
    code, said = endurance(*EVENTS, "24", "--seed", "1")
    assert code == 0
    kinds = len(found[0].kinds)
    last = said.splitlines()[-1]
    assert last.startswith(f"endurance: seed 1: 24 events of {kinds} kinds, ")
    assert last.endswith(", 0 faults")
    assert re.search(r", views reached [2-9] of \d+, encodings reached ([2-9]|\d\d) of \d+, ", last)
    assert kinds > 15
    first, second = ([line.split(" ")[:2] for line in trial.journal] for trial in found)
    assert first == second
    assert [int(number) for number, _ in first] == list(range(1, 25))
    assert list(tmp_path.iterdir()) == []


def test_a_widget_that_qt_makes_for_the_screen_is_no_fault(qtbot):
    widgets = QWidget(None, Qt.WindowType.Desktop), QWidget()
    for widget in widgets:
        qtbot.addWidget(widget)
    assert [is_ours(widget) for widget in widgets] == [False, True]


def test_nobody_reaches_the_panes_of_a_window_that_was_closed_under_a_menu():
    desk = SimpleNamespace(dialog=None, is_open=False, window=SimpleNamespace())
    for number in range(50):
        assert len(list(by_menu.pane(desk, Random(number)))) == 1  # its words, and nothing done
