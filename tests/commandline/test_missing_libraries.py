"""Where Qt would abort the process, the program says what to do."""

import builtins
import sys
from functools import partial

import pytest

from pe_explorer.commandline import process as startup, window
from pe_explorer.commandline.main import main
from tests.support.commands import error_line
from tests.support.processes import run_program

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="of X servers and Debian's packages"
)
PACKAGES = {"libgl1", "libegl1", "libglib2.0-0", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"}
X11_PACKAGES = {"libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0"}
X11_PACKAGES |= {"libxkbcommon-x11-0"}


@pytest.fixture
def environment(monkeypatch):
    """A function that sets the variables about displays, and unsets the others."""

    def fill(**variables):
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return fill


@linux
def test_without_a_display_or_with_a_wrong_one(tmp_path, environment, capsys, monkeypatch):
    monkeypatch.setattr(startup, "can_load", lambda library: True)
    for display in ("", ":97531", "127.0.0.1:4321", "not a display"):
        environment(**({"DISPLAY": display} if display else {}))
        assert window.main() == main(["--theme", "dark"]) == 2
        out, err = capsys.readouterr()
        first, second = err.splitlines()
        assert (out, first) == ("", second)
        assert (f"DISPLAY={display}" if display else "et DISPLAY") in first
        assert startup.find_qt_problem(window=False) == ""
    done = run_program(tmp_path, DISPLAY=":97531")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_without_pyside_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(startup, "can_load", lambda library: True)
    monkeypatch.setitem(sys.modules, "PySide6.QtWidgets", None)
    with pytest.raises(startup.NoQtError, match="pip install PySide6-Essentials"):
        startup.require_qt(window=False)


@linux
def test_without_libraries_it_says_what_to_install_and_the_rest_works(
    working_folder, monkeypatch, capsys
):
    missing = ["libEGL.so.1", "libGL.so.1"]
    monkeypatch.setattr(startup, "can_load", lambda library: library not in missing)
    for words in (["--theme", "dark"], ["render", "heatmap", "-o", "a.png"], ["--self-test"]):
        line = error_line(capsys, *words)
        assert "sudo apt-get install libgl1 libegl1" in line
    assert main(["list"]) == main(["export", "--dim", "4", "-o", "a.npy"]) == 0
    assert capsys.readouterr().err == ""
    assert {path.name for path in working_folder.iterdir()} == {"a.npy", "a.npy.session.json"}


@linux
def test_packages_are_those_that_are_needed(monkeypatch, environment):
    assert not startup.can_load("libmissing.so.1")
    monkeypatch.setattr(startup, "can_load", lambda library: False)
    for variables, opens, wanted in (
        ({"DISPLAY": ":0"}, True, PACKAGES | X11_PACKAGES),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, PACKAGES),
        ({"QT_QPA_PLATFORM": "offscreen"}, True, PACKAGES),
        ({"QT_QPA_PLATFORM": "minimal:x"}, True, PACKAGES),
        ({}, False, PACKAGES),
    ):
        environment(**variables)
        said = startup.find_qt_problem(window=opens)
        assert set(said.removesuffix(".").partition("apt-get install ")[2].split()) == wanted
    monkeypatch.setattr(startup, "can_load", lambda library: True)
    environment(QT_QPA_PLATFORM="offscreen")
    assert startup.find_qt_problem(window=True) == ""
    environment()
    monkeypatch.setattr(sys, "platform", "darwin")  # elsewhere nothing is checked
    assert startup.find_qt_problem(window=True) == ""


def test_qt_does_not_read_the_source_of_what_is_imported_after_it(monkeypatch):
    monkeypatch.setattr(startup, "can_load", lambda library: True)
    monkeypatch.setattr(builtins, "__import__", partial(builtins.__import__))
    startup.require_qt(window=False)
    assert builtins.__import__ is builtins.__orig_import__  # Python's own
