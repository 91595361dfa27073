"""No gesture in a dialog for files changes a file: real mouse and keys on every entry."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.processes import ROOT, home_in
from tests.support.real_windows import Display

pytestmark = pytest.mark.xcb
LEAST_GESTURES = 80


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.mark.parametrize(
    "kind", ["open", "save", "export figure", "export data", "locate", "print to file"]
)
def test_no_gesture_changes_a_file(display, tmp_path, kind):
    home = tmp_path / "home"
    for folder in ("apples", "pears"):
        (home / "files" / folder).mkdir(parents=True)
        (home / "files" / folder / "inside.npy").write_bytes(folder.encode())
    (home / "files" / "table.npy").write_bytes(b"table")
    places = {**home_in(tmp_path / "settings"), "HOME": str(home), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.xcb.choosers", kind, str(home)],
        env={**os.environ, **display.variables, **places},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["error"] == "", found["error"] + str(found["done"][-8:])
    assert found["changed"] == ""
    assert found["drags"] == 0
    assert len(found["done"]) > LEAST_GESTURES
