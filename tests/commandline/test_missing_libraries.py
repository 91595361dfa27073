"""Where Qt would abort the process, the program says what to do."""

import os
import sys

import pytest

from pe_explorer.commandline import qt as startup
from tests.support.processes import ROOT, run_program

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="of X servers and Debian's packages"
)
LIBRARIES = ["libGL.so.1", "libEGL.so.1", "libglib-2.0.so.0", "libdbus-1.so.3"]
LIBRARIES += ["libfontconfig.so.1", "libxkbcommon.so.0"]
PACKAGES = {"libgl1", "libegl1", "libglib2.0-0", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"}
X11_PACKAGES = {"libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0"}
X11_PACKAGES |= {"libxkbcommon-x11-0"}


@linux
def test_without_a_display_or_with_a_wrong_one(tmp_path):
    for environment, says in (
        ({}, "DISPLAY"),
        ({"DISPLAY": ":97531"}, "DISPLAY=:97531"),
        ({"DISPLAY": "127.0.0.1:4321"}, "DISPLAY=127.0.0.1:4321"),
        ({"DISPLAY": "not a display"}, "DISPLAY=not a display"),
    ):
        done = run_program(tmp_path, **environment)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert says in done.stderr


WITHOUT = """
import sys
from pe_explorer.commandline import qt as startup
startup._loads = lambda library: library not in {missing!r}
from pe_explorer.commandline.main import main
sys.exit(main(sys.argv[1:]))
"""


def run_without(folder, missing, *arguments):
    program = WITHOUT.format(missing=missing)
    return run_program(folder, *arguments, program=("-c", program), DISPLAY=":0")


@linux
@pytest.mark.parametrize("arguments", [(), ("render", "heatmap", "-o", "a.png")], ids=str)
def test_without_libraries_it_says_what_to_install(tmp_path, arguments):
    done = run_without(tmp_path, ["libEGL.so.1", "libGL.so.1"], *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "sudo apt-get install libgl1 libegl1" in done.stderr


@linux
def test_without_libraries_the_rest_works(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    for arguments in (("list",), ("--version",), ("export", "--dim", "4", "-o", "a.npy")):
        done = run_without(folder, LIBRARIES, *arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments
    assert {path.name for path in folder.iterdir()} == {"a.npy", "a.npy.session.json"}


@pytest.mark.parametrize(
    ("environment", "window", "wanted"),
    [
        ({"DISPLAY": ":0"}, True, PACKAGES | X11_PACKAGES),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, PACKAGES),
        ({"QT_QPA_PLATFORM": "offscreen"}, True, PACKAGES),
        ({}, False, PACKAGES),
    ],
)
@linux
def test_packages_are_those_that_are_needed(monkeypatch, environment, window, wanted):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(startup, "_loads", lambda library: False)
    said = startup.problem(window=window)
    assert set(said.partition("apt-get install ")[2].split()) == wanted


def test_an_offscreen_window_needs_no_display_and_elsewhere_nothing_is_checked(monkeypatch):
    with monkeypatch.context() as patch:
        patch.delenv("DISPLAY", raising=False)
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        patch.setattr(startup, "_loads", lambda library: True)
        assert startup.problem(window=True) == ""
    monkeypatch.setattr(sys, "platform", "darwin")
    assert startup.problem(window=True) == ""


def test_qt_does_not_read_the_source_of_what_is_imported_after_it(tmp_path):
    (tmp_path / "later.py").write_text("import re\n")
    script = """
import linecache
from pe_explorer.commandline.qt import require_qt
require_qt(window=False)
import later
assert later.__file__ not in linecache.cache
"""
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = run_program(
        tmp_path, program=("-c", script), PYTHONPATH=path, QT_QPA_PLATFORM="offscreen"
    )
    assert (done.returncode, done.stderr) == (0, "")
