"""What is around a real window: each planted fault is found, and nothing goes on running."""

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.processes import ENVIRONMENT, PATIENCE, ROOT, comes_true

FOUND = {
    "moves": "in a round of dialogs of files: not by the program itself: ",
    "many requests": "in a round of a clipboard that stops: the window stands still for",
    "traceback": "in a round of a window: ",
    "no backup": "in a round of a server that ends: there is no backup",
    "lost time": "in a round of stopping and going on: at ",
    "thrown away": "in a round of signals: SIG",
    "unasked": "in a round of two processes: what the other has saved is replaced unasked",
}


@pytest.mark.xcb
def test_each_planted_fault_is_found_by_runs_side_by_side(faults_of, monkeypatch):
    assert shutil.which("openbox"), "this test needs openbox"
    monkeypatch.delenv("DISPLAY", raising=False)
    with ThreadPoolExecutor(len(FOUND)) as pool:
        runs = [pool.submit(faults_of, "surroundings", 1, plant) for plant in FOUND]
    for run, words in zip(runs, FOUND.values(), strict=True):
        ((event, what),) = run.result()
        assert event == 1
        assert words in what


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb")
def test_careless_quoting_is_found(faults_of):
    ((event, what),) = faults_of("surroundings", 1, "careless")
    assert event == 1
    assert "in a round of hostile names: " in what


@pytest.mark.xcb
def test_nothing_goes_on_running_when_a_run_is_killed(tmp_path):
    words = ["--part", "surroundings", "--events", "2800", "--seed", "1"]
    command = [sys.executable, "-m", "tests.endurance", *words]
    variables = ENVIRONMENT | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL):
        try:
            assert comes_true(lambda: is_on_its_display(running(tmp_path).values()), PATIENCE)
        finally:
            for pid, name in running(tmp_path).items():
                if name.startswith("tests.endurance"):
                    with suppress(ProcessLookupError):  # the one ends with the other
                        os.kill(pid, signal.SIGKILL)
    assert comes_true(lambda: not running(tmp_path)), running(tmp_path)


def is_on_its_display(names):
    """Return whether the program and an X server run; a round may start it by a line of Python."""
    return "Xvfb" in names and not {"pe_explorer", sys.executable}.isdisjoint(names)


def running(folder):
    """Return the processes whose variables name a folder, by number: their program or module."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is not ours
            if str(folder).encode() in (place / "environ").read_bytes():
                words = (place / "cmdline").read_text(errors="replace").split("\0")
                is_module = "-m" in words
                name = words[words.index("-m") + 1] if is_module else words[0]
                found[int(place.name)] = name
    return found
