"""What the tests of the long test share: ways to run it."""

import sys

import pytest

from tests import sandbox
from tests.endurance import trial
from tests.endurance.__main__ import main
from tests.endurance.parts import PARTS


@pytest.fixture
def in_sandbox():
    """Skip a test that sends random input, unless this process is in a sandbox."""
    if problem := sandbox.why_outside():
        pytest.skip(f"{problem}: {sandbox.HELP}")


@pytest.fixture
def endurance(in_sandbox, monkeypatch, capsys, tmp_path):
    """Return a function that runs the long test, and returns exit code and what was printed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tests.endurance.__main__.WATCHED", (tmp_path,))  # others are other tests'

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["endurance", *words])
        return main(), capsys.readouterr().out

    return run


@pytest.fixture
def faults_of(in_sandbox, monkeypatch, tmp_path):
    """Return a function that runs a part, and returns number and words of the faults it finds."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(part, size, *plant, seed=1):
        found = trial.run(trial.Task(part, seed, size * PARTS[part].share, plant=plant))
        print(found.report())  # shown where the test fails
        return [(fault["event"], fault["what"]) for fault in (*found.faults, *found.unsure)]

    return run
