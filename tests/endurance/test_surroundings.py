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

from tests.endurance.surroundings import PLANTS
from tests.support.processes import ENVIRONMENT, PATIENCE, ROOT, comes_true

FOUND = {
    "traceback": "in a round of a window: ",
    "moves": "in a round of dialogs of files: not by the program itself: ",
    "requests": "in a round of a clipboard that stops: the window stands still for",
    "no backup": "in a round of a server that ends: there is no backup",
    "lost time": "in a round of stopping and going on: at ",
    "thrown away": "in a round of signals: SIG",
    "replaced": "in a round of two processes: what the other has saved is replaced unasked",
    "careless": "in a round of hostile names: ",
}


@pytest.mark.xcb
def test_each_planted_fault_is_found_by_runs_side_by_side(faults_of, monkeypatch):
    assert shutil.which("openbox"), "this test needs openbox"
    assert set(FOUND) == set(PLANTS)
    monkeypatch.delenv("DISPLAY", raising=False)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(faults_of, "surroundings", 1, plant) for plant in FOUND]
    for run, words in zip(runs, FOUND.values(), strict=True):
        ((event, what),) = run.result()
        assert event == 1
        assert words in what


@pytest.mark.xcb
def test_nothing_goes_on_running_when_a_run_is_killed(tmp_path):
    words = ["--part", "surroundings", "--events", "2800", "--seed", "1"]
    command = [sys.executable, "-m", "tests.endurance", *words]
    variables = ENVIRONMENT | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL):
        try:
            assert comes_true(lambda: is_shown(running(tmp_path).values()), PATIENCE)
        finally:
            for pid, name in running(tmp_path).items():
                if name.startswith("tests.endurance"):
                    with suppress(ProcessLookupError):  # the one ends with the other
                        os.kill(pid, signal.SIGKILL)
    assert comes_true(lambda: not running(tmp_path)), running(tmp_path)


def is_shown(names):
    """Whether an X server and the program run; a round may start it by a line of Python."""
    return "Xvfb" in names and not {"pe_explorer", sys.executable}.isdisjoint(names)


def running(folder):
    """Return module or program of the processes whose variables name a folder, by number."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is not ours
            if str(folder).encode() in (place / "environ").read_bytes():
                words = (place / "cmdline").read_text(errors="replace").split("\0")
                found[int(place.name)] = words[words.index("-m") + 1 if "-m" in words else 0]
    return found
