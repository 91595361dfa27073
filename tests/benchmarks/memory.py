"""The growth of memory while a user drags a slider or uses a real window for a long time."""

import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests import sandbox
from tests.benchmarks.measure import Row, resident
from tests.support.real_windows import Display, Running

CHANGES = 20_000
EVENTS = 10_000
FIRST_EVENTS = 2_000  # events that fill the caches before the measurement
_BATCH = 25  # events per call of xdotool
_SCREEN = (1600, 1000)
_PRESS, _TYPE = ("key", "--delay", "5"), ("type", "--args", "1", "--delay", "5")
_REST_SECONDS = 15.0  # seconds until the system has all free memory, even during playback
_KEYS = (
    *("Tab", "shift+Tab", "Return", "Escape", "space", "Up", "Down", "Left", "Right", "Home"),
    *("End", "Prior", "Next", "Delete", "F6", "F7", "F8", "F9", "F11", "ctrl+z", "ctrl+y"),
    *("ctrl+k", "ctrl+g", "ctrl+p", "ctrl+e", "ctrl+c", "ctrl+v", "ctrl+a", "ctrl+h", "ctrl+r"),
    *("ctrl+minus", "ctrl+plus", "ctrl+0", "bracketleft", "bracketright", "comma", "1", "9"),
)
_KEEP_OPEN_CODE = """
from pe_explorer.app.window.main_window import MainWindow
MainWindow.closeEvent = lambda window, event: event.ignore()
"""
"""Code that runs before the program, because a random key may close the window."""


def drag():
    """Drag a slider that changes the base, with undo, and report the growth of memory."""
    from PySide6.QtCore import QCoreApplication

    from pe_explorer.model import Model
    from pe_explorer.model.history import History

    app = QCoreApplication.instance() or QCoreApplication([])
    model = Model()
    history = History(model)
    model.gesture.begin()
    _change(app, model, CHANGES // 10)
    before, start = resident(), time.perf_counter()
    _change(app, model, CHANGES)
    seconds, grown = time.perf_counter() - start, (resident() - before) / 1e6
    assert history.stack.count() == 1
    yield Row("drag", seconds / CHANGES * 1e3, "ms", grown)


def _change(app, model, count):
    for step in range(count):
        model.set_encoding(base=1e4 + step)
        app.processEvents()


def events():
    """Send random keys and mouse events to a real window, and report the growth of memory.

    A random key or drag can change any file, so this benchmark runs only in the sandbox.
    """
    if problem := sandbox.why_outside():
        print(f"events: left out, because {problem}: {sandbox.HELP}", file=sys.stderr)
        return
    pick = Random(1)
    with tempfile.TemporaryDirectory() as folder, Display(_SCREEN) as display:
        place = Path(folder)
        session.write(place / "a.json", Exploration())
        with Running(place, "a.json", display=display, plant=_KEEP_OPEN_CODE) as program:
            _send(program, pick, FIRST_EVENTS)
            before, start = _settled_memory(program), time.perf_counter()
            _send(program, pick, EVENTS)
            seconds = time.perf_counter() - start
            grown = (_settled_memory(program) - before) / 1e6
    yield Row("events", seconds / EVENTS * 1e3, "ms", grown)


def _settled_memory(program):
    """Return the memory of the idle program after restoring its initial view."""
    for _ in range(3):  # keys are lost while no window has the focus
        _activate(program)
        time.sleep(1.0)
    shown = program.xdotool("getwindowgeometry", program.window)
    if "Geometry: {}x{}".format(*_SCREEN) in shown:  # an image of the whole screen takes 6 MB
        program.keys("F11")
    program.keys("ctrl+shift+l", "ctrl+shift+r")  # resets the layout and all other settings
    program.keys("ctrl+shift+k")  # replaces a picture in the clipboard, which would take megabytes
    time.sleep(_REST_SECONDS)
    return resident(program.process.pid)


def _activate(program):
    program.xdotool(*_PRESS, "Escape", "Escape", check=False)  # closes dialogs
    program.xdotool("windowactivate", program.window, check=False)  # the window may be minimised


def _send(program, pick, count):
    for _ in range(count // _BATCH):
        _activate(program)
        program.xdotool(*(word for _ in range(_BATCH) for word in _event(pick)), check=False)
        _wait_for_rest(program.process.pid)


def _event(pick):
    x, y, to_x, to_y = (str(pick.randrange(most)) for most in (*_SCREEN, *_SCREEN))
    here = ["mousemove", x, y]
    if pick.random() < 0.1:  # without these, few views and encodings would be shown
        name = pick.choice((*pictures.names(), *encodings.names()))
        return [*_PRESS, "ctrl+k", "sleep", "0.2", *_TYPE, name, *_PRESS, "Return"]
    ways = (
        [*_PRESS, pick.choice(_KEYS)],
        [*_PRESS, pick.choice(_KEYS)],
        [*here, "click", pick.choice("1113")],
        [*here, "click", pick.choice("45")],
        [*here, "mousedown", "1", "mousemove", to_x, to_y, "mouseup", "1"],
        [*_TYPE, pick.choice(("2", "7", "64", "500", "1e4"))],
    )
    return pick.choice(ways)


def _wait_for_rest(pid):
    """Wait until the program is idle and uses almost no CPU time."""
    before = -1.0
    for _ in range(100):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        now = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if now - before < 0.05:
            return
        before = now
        time.sleep(0.1)


BENCHMARKS = (drag, events)
