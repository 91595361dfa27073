"""No gesture in a dialog for files changes a file: real mouse and keys on every entry."""

import json
import subprocess
import sys

import pytest

from tests.support.processes import ENVIRONMENT, home_in
from tests.support.real_windows import Display
from tests.xcb.choosers import OPENERS

pytestmark = pytest.mark.xcb
UNSAFE = """
from PySide6.QtWidgets import QFileDialog
from pe_explorer.widgets.dialogs import FileChooser
def show(chooser, event):
    chooser.setOption(QFileDialog.Option.ReadOnly, False)
    QFileDialog.showEvent(chooser, event)
FileChooser.showEvent = show
"""
"""It lets a drag or a key move files in dialogs, as Qt makes them."""
PROGRAM = "import runpy; runpy.run_module('tests.xcb.choosers', run_name='__main__')"


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


def found_by_gestures(display, tmp_path, kind, begin=""):
    home = tmp_path / "home"
    for folder in ("apples", "pears"):
        (home / "files" / folder).mkdir(parents=True)
        (home / "files" / folder / "inside.npy").write_bytes(folder.encode())
    (home / "files" / "table.npy").write_bytes(b"table")
    environment = ENVIRONMENT | display.variables | home_in(tmp_path / "settings")
    command = [sys.executable, "-c", f"{begin}\n{PROGRAM}", kind, str(home)]
    environment |= {"HOME": str(home)}
    printed = subprocess.check_output(command, env=environment, text=True, timeout=120)
    return json.loads(printed.splitlines()[-1])


def test_gestures_change_files_where_a_dialog_lets_them(display, tmp_path):
    assert found_by_gestures(display, tmp_path, "open", UNSAFE)["changed"]


@pytest.mark.parametrize("kind", OPENERS)
def test_no_gesture_changes_a_file(display, tmp_path, kind):
    found = found_by_gestures(display, tmp_path, kind)
    assert found["error"] == "", found["error"] + str(found["done"][-8:])
    assert found["changed"] == ""
    assert found["drags"] == 0
    assert len(found["done"]) > 80
