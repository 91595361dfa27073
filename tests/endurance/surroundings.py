"""What is around a real window: servers, other programs, signals and names that shells read.

The program runs as a process of its own under an X server of its own, with keys and mouse by
xdotool. Whatever happens around it, it answers or ends cleanly, and nothing is lost or executed.
"""

import json
import os
import shutil
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random

from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.endurance import hostile_names
from tests.endurance.tree import OWN, recorded, tree, unasked
from tests.support.files import partial_files
from tests.support.processes import ENVIRONMENT, comes_true
from tests.support.real_windows import Display, Running, kill, start, waited

_SCALES = ("0.75", "1", "1.25", "1.5", "2", "3")
_ACTS = 40  # of keys and mouse, in a round
_SCREEN = (1600, 1000)
_ENDS = (1, 2000), (-500, 1000)  # of a window's sides and places
_QUICK = 5.0  # seconds
_TRIES = 6
_PASTING = 8.0  # seconds: Qt waits 5 for an answer, once, and a busy machine needs some as well
_MANY = 200_000  # positions: to export them takes long enough to be interrupted
_SPEED = 8  # positions per second: the play-head's own
_LATE = 1.5  # seconds until a key arrives, on a busy machine
_WRITTEN = "written.txt"
_RECORDING = f"from tests.endurance.tree import record; record({_WRITTEN!r})\n"


def run(faults, seed, size, folder, plant=()):
    """Do so many rounds, one kind after the other in an order of the seed's own.

    The first rounds are of the kinds that faults are planted in.
    """
    kinds = Random(f"{seed} kinds").sample(list(_ROUNDS), len(_ROUNDS))
    for number, pick in faults.items(f"{seed} round", size):
        kind, code = kinds[number % len(kinds)], ""
        if number <= len(plant):
            kind, code = PLANTS[plant[number - 1]]
        faults.say(kind)
        place = folder / f"round-{number}"
        place.mkdir()
        os.chdir(place)
        try:
            _ROUNDS[kind](place, pick, code)
        except Exception as error:
            faults.add_exception(f"in a round of {kind}", error)
        else:
            shutil.rmtree(place)
        os.chdir(folder)


@contextmanager
def _program(place, count=50, plant=""):
    """Show a session of so many positions; yield its file, the display and the program."""
    path = place / "a.json"
    session.write(path, Exploration(count=count))
    with Display() as display, Running(place, path.name, display=display, plant=plant) as program:
        yield path, display, program


def _check_clean(program):
    """Raise `AssertionError` for what nobody may find in the log, on standard error or the disk."""
    text = f"{program.said()}\n{program.log()}"
    for word in ("Traceback", "Fatal Python error", " CRITICAL ", " ERROR "):
        assert word not in text, text[-3000:]
    assert not partial_files(program.folder), partial_files(program.folder)


def _check_end(program, number=signal.SIGTERM):
    """End a program that may have ended, and raise `AssertionError` unless it does so cleanly."""
    if program.process.poll() is None:
        program.process.send_signal(number)
    code = program.process.wait(_QUICK * _TRIES)
    assert code == 0, f"exit code {code}: {program.said()}"
    _check_clean(program)


def _check_answer(program):
    for _ in range(_TRIES):
        program.xdotool("key", "--delay", "40", *["Escape"] * 3)
        if program.process.poll() is not None:
            return
        verb = "windowactivate" if program.managed else "windowfocus"
        program.xdotool(verb, program.window, check=False)
        time.sleep(0.2)
        before = len(program.windows())
        program.keys("alt+f")
        is_open = comes_true(lambda before=before: len(program.windows()) > before, _QUICK)
        program.keys("Escape")
        if is_open:
            return
    raise AssertionError(f"it does not answer; {program.said()}")


def _backups(place):
    """Return how many positions are in each backup."""
    paths = (place / "pe-explorer" / "unsaved").glob("*.json")
    return [json.loads(path.read_text())["positions"]["count"] for path in paths]


def _change(program):
    program.keys("ctrl+minus")
    assert program.shows("a.json* — PE Explorer"), program.title()


_KEYS = (
    *("Tab", "shift+Tab", "Return", "Escape", "space", "Up", "Down", "Left", "Right", "Home"),
    *("End", "Prior", "Next", "Delete", "F1", "F2", "F6", "F7", "F8", "F9", "F10", "F11", "Menu"),
    *("ctrl+z", "ctrl+y", "ctrl+k", "ctrl+g", "ctrl+p", "ctrl+s", "ctrl+o", "ctrl+n", "ctrl+e"),
    *("ctrl+c", "ctrl+v", "ctrl+a", "ctrl+d", "ctrl+h", "ctrl+r", "ctrl+m", "ctrl+j", "ctrl+l"),
    *("alt+f", "alt+e", "alt+v", "alt+h", "alt+Next", "alt+Prior", "shift+F10", "ctrl+shift+w"),
    *("ctrl+minus", "ctrl+plus", "ctrl+0", "bracketleft", "bracketright", "comma", "1", "9"),
)
_TEXTS = ("1e308", "-0", "nan", "2^53", "1_000", "0:50", "-9007199254740992", "clocks", "zzz", "=")


@contextmanager
def _unharmed(place, plant, managed, **variables):
    """Yield a program that answers and ends well, and changes no file but those that it writes."""
    session.write(place / "a.json", Exploration())
    mine = [place / name for name in (*OWN, _WRITTEN, "stderr", ".cache")]
    before = tree(place, apart_from=mine)
    with (
        Display(_SCREEN, managed) as display,
        Running(place, "a.json", display=display, plant=_RECORDING + plant, **variables) as program,
    ):
        yield program
        _check_answer(program)
        _check_end(program)
    found = unasked(before, tree(place, apart_from=mine), recorded(place / _WRITTEN))
    assert not found, f"not by the program itself: {', '.join(found)}"


def _window(place, pick, plant):
    """Let keys and mouse do anything, at some scale, perhaps with a window manager."""
    managed, scale = pick.random() < 0.7, pick.choice(_SCALES)
    with _unharmed(place, plant, managed, QT_SCALE_FACTOR=scale) as program:
        for _ in range(_ACTS):
            if program.process.poll() is None:
                program.xdotool(*_act(pick), check=False)
            if program.managed and pick.random() < 0.1:
                for window in program.windows()[:1]:
                    size, at = ([str(pick.randint(*ends)) for _ in "xy"] for ends in _ENDS)
                    ways = (
                        ["windowminimize", window, "sleep", "0.2", "windowactivate", window],
                        *(["windowsize", window, *size], ["windowmove", window, *at]) * 2,
                    )
                    program.xdotool(*pick.choice(ways), check=False)


def _act(pick):
    points = [str(pick.randrange(most)) for most in (*_SCREEN, *_SCREEN)]
    here, there = ["mousemove", *points[:2]], ["mousemove", *points[2:]]
    keys = [pick.choice(_KEYS) for _ in range(pick.randint(1, 4))]
    ways = (
        ["key", "--delay", "20", *keys],
        ["key", "--delay", "20", *keys],
        ["type", "--delay", "10", pick.choice(_TEXTS)],
        [*here, "click", "--repeat", pick.choice("1112"), "--delay", "20", pick.choice("1113")],
        [*here, "mousedown", "1", *there, "mouseup", "1"],
        [*here, "click", "--repeat", pick.choice("148"), "--delay", "5", pick.choice("4567")],
    )
    return pick.choice(ways)


_RUMMAGES = 10  # in a dialog


def _rummage(place, pick, plant):
    """Drag, rename and delete what dialogs show of a folder: nothing of it changes."""
    for number in range(8):
        (place / f"folder {number}").mkdir()
        (place / f"file {number}.json").write_text("{}")
    with _unharmed(place, plant, managed=True) as program:
        for title in ("Open", "Save as"):
            program.focus(program.window)
            program.keys(*_DIALOGS[title])
            dialog = program.focused(f"^{title}")
            geometry = program.xdotool("getwindowgeometry", "--shell", dialog)
            size = dict(line.split("=") for line in geometry.split())
            for _ in range(_RUMMAGES):
                program.xdotool(*_rummaging(dialog, int(size["WIDTH"]), pick), check=False)
                time.sleep(0.2)
            for _ in range(_TRIES):
                if program.windows(f"^{title}"):
                    program.keys("Escape")


def _rummaging(dialog, width, pick):
    """Return words of xdotool for a gesture on entries, which begin at the top of the list."""
    points = [(pick.randrange(width // 4, width // 2), pick.randrange(60, 260)) for _ in range(2)]
    here, there = (["mousemove", "--window", dialog, str(x), str(y)] for x, y in points)
    nudge = ["mousemove_relative", "--", "12", "8", "sleep", "0.1"]
    chosen = [*here, "click", "1", "sleep", "0.1"]
    ways = (
        [*here, "mousedown", "1", *nudge, *nudge, *there, "sleep", "0.2", "mouseup", "1"],
        [*chosen, "key", "Delete", "sleep", "0.2", "key", "alt+y"],
        [*chosen, "key", "F2", "sleep", "0.2", "type", f"new {pick.randrange(9)}\n"],
        [*here, "click", "3", "sleep", "0.2", "key", *["Down"] * pick.randrange(6), "Return"],
    )
    return pick.choice(ways)


_OWNER = """
import os, signal
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
app.clipboard().setText("nobody gets this")
for _ in range(5):
    app.processEvents()
os.kill(os.getpid(), signal.SIGSTOP)
"""
_FIELDS = {"Find anything": "ctrl+k", "Open": "ctrl+o", "Save as": "ctrl+shift+s"}


def _clipboard(place, pick, plant):
    """Paste from a program that owns the clipboard and does not answer."""
    title = pick.choice(list(_FIELDS))
    with _program(place, plant=plant) as (_, display, program):
        owner = start([sys.executable, "-c", _OWNER], env=ENVIRONMENT | display.variables)
        status = Path(f"/proc/{owner.pid}/stat")
        try:
            is_stopped = comes_true(lambda: status.read_text().rpartition(")")[2].split()[0] == "T")
            assert is_stopped, "the owner does not stop"
            program.keys(_FIELDS[title])
            program.focused(f"^{title}")
            begin = time.monotonic()
            program.keys("ctrl+v", "Escape")
            assert waited(lambda: not program.windows(f"^{title}")), "pasting does not end"
            seconds = time.monotonic() - begin
            assert seconds < _PASTING, f"the window stands still for {seconds:.1f} s"
            _check_answer(program)
            _check_end(program)
        finally:
            kill(owner)


def _server(place, pick, plant):
    """End the X server under the window; what was unsaved is offered at the next start."""
    unsaved = [2 * _MANY]
    with _program(place, _MANY, plant) as (_, display, program):
        _change(program)
        assert comes_true(lambda: _backups(place) == unsaved, _QUICK), "there is no backup"
        key = pick.choice(("space", "ctrl+e", "ctrl+o", "ctrl+k", "ctrl+0", "ctrl+d"))
        program.keys(key)
        if key == "ctrl+d":
            _begin_export(program)
        display.server.send_signal(pick.choice((signal.SIGTERM, signal.SIGKILL)))
        code = program.process.wait(_QUICK * _TRIES)
        assert code in (0, 1), f"exit code {code}: {program.said()}"
        _check_clean(program)
    with Display() as display, Running(place, display=display) as again:
        again.focused("^Recover unsaved explorations")
        again.closes("^Recover unsaved explorations", "Return")
        assert again.shows("a.json* — PE Explorer"), again.title()
        _check_end(again)
    assert _backups(place) == unsaved, _backups(place)


def _begin_export(program):
    program.focused("^Export data")
    program.keys("Return")
    assert comes_true(lambda: list(program.folder.glob("*table.npy*")), _QUICK), "nothing is there"


def _stopped(place, pick, plant):
    """Stop it for a while as it plays, and a command as it writes: both go on."""
    with _program(place, 1_000_000, plant) as (path, _, program):
        before = time.monotonic()
        program.keys("space")
        begun = time.monotonic()
        time.sleep(pick.uniform(0.2, 0.6))
        _pause(program.process.pid, pick.uniform(2.5, 3.5))
        path.unlink()
        asked = time.monotonic()
        program.keys("ctrl+s")
        assert waited(path.exists), "nothing is saved"
        least = (asked - begun - _LATE) * _SPEED
        most = (time.monotonic() - before) * _SPEED
        position = session.read(path).state.position
        assert least <= position <= most, f"at {position}, and not from {least} to {most}"
        _check_end(program)
    rows = 50_000
    words = f"export --encoding index --dim 2 --positions 0:{rows} -o rows.csv".split()
    process = start([sys.executable, "-m", "pe_explorer", *words], env=ENVIRONMENT)
    try:
        for _ in range(4):
            time.sleep(pick.uniform(0.0, 0.4))
            if process.poll() is None:
                _pause(process.pid, 0.2)
        assert process.wait(_QUICK * _TRIES) == 0
    finally:
        kill(process)
    lines = (place / "rows.csv").read_text().splitlines()
    assert lines[1:] == [f"{row},{row}.0,{row}.0" for row in range(rows)], "the rows are wrong"
    assert not partial_files(place), partial_files(place)


def _pause(pid, seconds):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


_DIALOGS = {
    "Open": ["ctrl+o"],
    "Save as": ["ctrl+shift+s"],
    "Print": ["alt+f", "i"],
    "Export figure": ["ctrl+e"],
    "Export picture": ["ctrl+shift+e"],
    "Export data": ["ctrl+d"],
    "History": ["ctrl+h"],
    "Keys and mouse": ["F1"],
    "About": ["alt+h", "a"],
    "Find anything": ["ctrl+k"],
    "Unsaved changes": ["ctrl+q"],
}
"""The keys that open dialogs, by their titles."""


def _signals(place, pick, plant):
    """Send signals while dialogs are open: all ends, and what is unsaved is backed up."""
    title = pick.choice(list(_DIALOGS))
    number = pick.choice((signal.SIGTERM, signal.SIGHUP))
    with _program(place, _MANY, plant) as (path, _, program):
        _change(program)
        program.keys(*_DIALOGS[title])
        program.found(f"^{title}")
        if title == "Export data":
            _begin_export(program)
        time.sleep(pick.choice((0.0, 0.0, 0.3)))
        _check_end(program, number)
    backups = _backups(place)
    assert backups == [2 * _MANY], f"{number.name} under {title}: backups {backups}"
    assert session.read(path).state.count == _MANY


def _two(place, pick, plant):
    """Change a session in two processes: the one that saves second is asked, and loses nothing."""
    other = place / "other"
    other.mkdir()
    with (
        _program(place) as (path, display, first),
        Running(other, str(path), display=display, plant=plant) as second,
    ):
        before, seen = path.read_bytes(), os.stat(path)
        first.focus(first.window)
        _change(first)
        first.keys("ctrl+s")
        assert first.shows("a.json — PE Explorer"), first.title()
        if pick.random() < 0.3:  # then something writes one as long, and leaves the time
            path.write_bytes(before.replace(b'"count": 50', b'"count": 70'))
            os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        saved = path.read_bytes()
        second.focus(second.window)
        _change(second)
        second.keys("ctrl+minus", "ctrl+s")
        question = "^Replace the file"
        comes_true(lambda: second.windows(question) or path.read_bytes() != saved, 2 * _QUICK)
        assert path.read_bytes() == saved, "what the other has saved is replaced unasked"
        second.focused(question)
        second.closes(question, "Escape")
        assert path.read_bytes() == saved, "replaced in spite of the answer"
        assert second.shows("a.json* — PE Explorer"), second.title()
        _check_end(second)
        _check_end(first)
    assert _backups(other) == [200], _backups(other)


_ROUNDS = {
    "a window": _window,
    "dialogs of files": _rummage,
    "a clipboard that stops": _clipboard,
    "a server that ends": _server,
    "stopping and going on": _stopped,
    "signals": _signals,
    "two processes": _two,
    "hostile names": hostile_names.check,
}


_AUTOSAVE = "from pe_explorer.app.document.backups import Autosave\n"
PLANTS = {
    "traceback": ("a window", "import threading; threading.Timer(2, int, ('x',)).start()"),
    "moves": (
        "dialogs of files",
        "from tests.endurance.unsafe import allow_moves; allow_moves()",
    ),
    "requests": (
        "a clipboard that stops",
        """
from PySide6.QtGui import QGuiApplication
from pe_explorer.widgets import pasting
paste = pasting._paste
pasting._paste = lambda *given: (QGuiApplication.clipboard().text(), paste(*given))
""",
    ),
    "no backup": ("a server that ends", f"{_AUTOSAVE}Autosave.note = lambda *_: None"),
    "lost time": (
        "stopping and going on",
        """
import time
from pe_explorer.model.playhead import PlayHead
advance, last = PlayHead.advance, [time.monotonic()]
def losing(playhead):
    before, last[0] = last[0], time.monotonic()
    if last[0] - before > 1:
        playhead.set_speed(playhead.speed)
    advance(playhead)
PlayHead.advance = losing
""",
    ),
    "thrown away": (
        "signals",
        f"{_AUTOSAVE}close = Autosave.close\nAutosave.close = lambda it, keep: close(it, False)",
    ),
    "replaced": (
        "two processes",
        """
from pe_explorer.app.document import saving
write = saving.write_version
saving.write_version = lambda version, *_, **__: write(version, True)
""",
    ),
    "careless": ("hostile names", "quoted by nobody"),
}
"""Kinds of rounds, and Python that the program runs there before it begins."""
