"""What a screen reader is told of the real window, over AT-SPI."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.support.processes import ROOT

pytestmark = pytest.mark.xcb

CONTROLS = ("push button", "check box", "text", "slider", "combo box", "menu item", "spin button")


def test_every_control_that_is_shown_has_a_name(tmp_path):
    assert os.environ.get("DISPLAY"), "this test needs an X server"
    for program in ("dbus-run-session", "gdbus"):
        assert shutil.which(program), f"this test needs {program}"
    homes = {f"XDG_{kind}_HOME": str(tmp_path) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, "-m", "tests.support.screen_reader"],
        env={**os.environ, **homes, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    frame, *told = [tuple(json.loads(line)) for line in lines]
    assert frame == ("frame", "PE Explorer")
    controls = [each for each in told if each[0] in CONTROLS]
    assert len(controls) > 60
    assert [each for each in controls if not each[1]] == []
    assert {("slider", "Position slider"), ("push button", "Play")} <= set(controls)
