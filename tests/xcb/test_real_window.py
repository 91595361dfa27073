"""The program as a separate process with a real window, and what a screen reader receives.

Run by `xvfb-run -a -s -noreset pytest -m xcb -n 0`. Without `-noreset` the server begins anew
whenever its last client leaves, and may drop the next one.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from PySide6.QtGui import QImage

from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.app.settings.inis import recent
from tests.support.images import distinct, pixels
from tests.support.processes import ENVIRONMENT, comes_true, home_in
from tests.support.real_windows import PATIENCE, Display, Running, backed_up

pytestmark = pytest.mark.xcb

CONTROLS = ("push button", "check box", "text", "slider", "combo box", "menu item", "spin button")
WITH_DISPLAY = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}


@pytest.fixture(autouse=True, scope="module")
def server():
    assert os.environ.get("DISPLAY"), "these tests need an X server: see the head of this file"
    for program in ("xdotool", "dbus-run-session", "gdbus"):
        assert shutil.which(program), f"these tests need {program}"


@pytest.fixture
def start(tmp_path):
    """Return a function that starts the program; what still runs in the end is killed."""
    begun = []

    def started(*arguments):
        begun.append(Running(tmp_path, *arguments))
        return begun[-1]

    yield started
    for running in begun:
        running.killed()


@pytest.fixture
def program(start):
    return start()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_it_plays(program, number):
    program.keys("space")
    time.sleep(0.5)
    assert program.signalled(number) == 0


SHOT = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
assert app.primaryScreen().grabWindow(0).save(sys.argv[1])
"""


def test_it_is_seen_and_closed_while_it_plays(program, tmp_path):
    path = str(tmp_path / "screen.png")
    shot = [sys.executable, "-c", SHOT, path]
    subprocess.run(shot, env=WITH_DISPLAY, check=True, timeout=PATIENCE)
    assert len(distinct(pixels(QImage(path)))) > 200
    program.keys("Down", "Down", "Right", "Page_Down", "End", "Home")
    program.keys("bracketright", "bracketright", "space")
    time.sleep(1.0)
    assert program.process.poll() is None
    program.keys("ctrl+q")
    assert program.ended() == 0


def test_unsaved_changes_are_asked_about(program):
    program.keys("ctrl+minus")
    assert program.shows("Untitled* - PE Explorer: positional encodings")
    program.keys("ctrl+q")
    program.focused("^Unsaved changes")
    program.closes("^Unsaved changes", "Escape")
    assert program.process.poll() is None
    program.focused("^Untitled")
    program.keys("ctrl+z")
    assert program.shows("PE Explorer: positional encodings")
    program.keys("ctrl+shift+z", "ctrl+q")
    program.focused("^Unsaved changes")
    program.keys("alt+d")
    assert program.ended() == 0


def test_something_is_found_by_its_name(program):
    program.keys("ctrl+k")
    program.focused("^Find anything")
    program.closes("^Find anything", "Escape")
    program.focused("^PE Explorer")
    assert program.title() == "PE Explorer: positional encodings"
    program.keys("ctrl+k")
    program.focused("^Find anything")
    program.closes("^Find anything", *"out", "space", *"zoom", "Return")
    assert program.shows("Untitled* - PE Explorer: positional encodings")
    program.focused("^Untitled")
    program.keys("ctrl+z", "ctrl+q")
    assert program.ended() == 0


def test_the_cards_of_the_first_start_are_put_away_for_good(start, tmp_path):
    program = start()
    time.sleep(1.0)
    program.keys("Escape", "ctrl+q")
    assert program.ended() == 0
    assert "start_here=hide" in (tmp_path / "pe-explorer" / "settings.ini").read_text()


def test_a_file_is_opened_changed_and_saved(start, tmp_path):
    path = tmp_path / "a é.json"
    session.write(path, Exploration(count=40))
    program = start(path.name)
    assert program.shows("a é.json - PE Explorer: positional encodings")
    program.keys("ctrl+minus")
    assert program.shows("a é.json* - PE Explorer: positional encodings")
    program.keys("ctrl+s")
    assert program.shows("a é.json - PE Explorer: positional encodings")
    program.keys("ctrl+q")
    assert program.ended() == 0
    assert json.loads(path.read_text())["positions"] == {"start": 0, "count": 80}
    assert recent(tmp_path / "pe-explorer" / "settings.ini") == [str(path)]


def test_what_was_unsaved_when_it_was_killed_is_offered(program, start, tmp_path):
    program.keys("ctrl+minus", "ctrl+minus")
    assert comes_true(lambda: backed_up(tmp_path) == [200])
    program.killed()
    again = start()
    again.focused("^Recover unsaved explorations")
    again.closes("^Recover unsaved explorations", "Return")
    assert again.shows("Untitled* - PE Explorer: positional encodings")
    again.focused("^Untitled")
    assert again.signalled(signal.SIGTERM) == 0
    assert backed_up(tmp_path) == [200]


def test_the_last_change_is_offered_after_the_end_of_the_x_server(tmp_path):
    with Display() as display, Running(tmp_path, display=display) as program:
        program.keys("ctrl+minus")
        assert program.shows("Untitled* - PE Explorer: positional encodings")
        display.server.kill()  # before the backup is written
        assert program.ended() == 1
    assert backed_up(tmp_path) == [100]


OWNER = """
from PySide6.QtWidgets import QApplication
app = QApplication([])
app.clipboard().setText("gallery")
print("copied", flush=True)
app.exec()
"""


@pytest.mark.parametrize(("keys", "title"), [("ctrl+k", "Find anything"), ("ctrl+o", "Open")])
def test_a_stopped_owner_of_the_clipboard_is_waited_for_once(program, keys, title):
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER], env=WITH_DISPLAY, stdout=subprocess.PIPE, text=True
    )
    try:
        assert owner.stdout.readline() == "copied\n"
        program.keys(keys)
        program.focused(f"^{title}")
        owner.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        program.closes(f"^{title}", "ctrl+v", "Escape")
        assert 4 < time.monotonic() - begun < 9  # Qt waits five seconds, and did so three times
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()
    program.focused("^PE Explorer")
    program.keys("ctrl+q")
    assert program.ended() == 0


def test_every_control_that_is_shown_has_a_name(tmp_path):
    words = ["dbus-run-session", "--", sys.executable, "-m", "tests.xcb.screen_reader"]
    environment = ENVIRONMENT | home_in(tmp_path)
    printed = subprocess.check_output(words, env=environment, text=True, timeout=120)
    lines = [line for line in printed.splitlines() if line.startswith("[")]
    frame, *nodes = [tuple(json.loads(line)) for line in lines]
    assert frame == ("frame", "PE Explorer: positional encodings")
    controls = [each for each in nodes if each[0] in CONTROLS]
    assert len(controls) > 60
    assert [each for each in controls if not each[1]] == []
    assert {("slider", "Position slider"), ("push button", "Play")} <= set(controls)
