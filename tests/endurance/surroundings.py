"""The environment of a real window: servers, other programs, signals and hostile names.

The program runs in a separate process on a separate X server, with keys and mouse by xdotool. It
must continue or end cleanly, lose nothing and execute no name.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from random import Random
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cbook

from pe_explorer import encodings, pictures
from pe_explorer.app.application import Application
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.making import PictureRequest
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.figure_code import figure_code
from pe_explorer.files.figure_request import FigureRequest, format_figure_session
from pe_explorer.files.snippet import snippet
from pe_explorer.flags import RenderSettings, format_render_line
from pe_explorer.params import ParameterError
from tests.endurance.calls import check_sentence
from tests.endurance.tree import OWN, WRITTEN, recorded, tree, unasked
from tests.support.files import partial_files
from tests.support.processes import ENVIRONMENT, comes_true
from tests.support.real_windows import Display, Running, backed_up, start

_EVENTS = 40  # in a round
_SCREEN = (1600, 1000)
_ENDS = (1, 2000), (-500, 1000)  # range of the sides and places of a window
_QUICK = 5.0  # seconds
_TRIES = 6
_EXPORT_POSITIONS = 200_000  # positions whose export takes long enough to be interrupted
_SPEED = 2  # positions per second, the default of the playhead
_MAX_KEY_DELAY = 1.5  # seconds until a key arrives on a busy machine
_RECORDING = f"from tests.endurance.tree import record; record({WRITTEN!r})\n"


def run(faults, seed, size, folder, plant=()):
    """Run rounds of random kinds, in an order that depends on the seed.

    The first rounds are of the kinds with planted faults.
    """
    Application("light")  # needed to draw figures
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
def _program(place, count=50, plant="", managed=True, **variables):
    """Open a session with `count` positions; yield its file, the display and the program."""
    path = place / "a.json"
    session.write(path, Exploration(count=count))
    with (
        Display(_SCREEN, managed) as display,
        Running(place, path.name, display=display, plant=plant, **variables) as program,
    ):
        yield path, display, program


def _check_end(program, number=signal.SIGTERM, codes=(0,)):
    if program.process.poll() is None:
        program.process.send_signal(number)
    code = program.process.wait(_QUICK * _TRIES)
    text = f"{program.said()}\n{program.log()}"
    assert code in codes, f"exit code {code}: {text}"
    for word in ("Traceback", "Fatal Python error", " CRITICAL ", " ERROR "):
        assert word not in text, text[-3000:]
    assert not partial_files(program.folder), partial_files(program.folder)


def _check_answer(program):
    for _ in range(_TRIES):
        program.xdotool("key", "--delay", "40", *["Escape"] * 3)
        if program.process.poll() is not None:
            return
        verb = "windowactivate" if program.managed else "windowfocus"
        program.xdotool(verb, program.window, "sleep", "0.2", check=False)
        before = len(program.windows())
        program.keys("alt+f")
        is_open = comes_true(lambda before=before: len(program.windows()) > before, _QUICK)
        program.keys("Escape")
        if is_open:
            return
    raise AssertionError(f"it does not answer; {program.said()}")


def _change(program):
    program.keys("ctrl+minus")
    assert program.shows("a.json* - PE Explorer: positional encodings"), program.title()


_KEYS = (
    *("Tab", "shift+Tab", "Return", "Escape", "space", "Up", "Down", "Left", "Right", "Home"),
    *("End", "Prior", "Next", "Delete", "F1", "F2", "F6", "F7", "F8", "F9", "F10", "F11", "Menu"),
    *("ctrl+z", "ctrl+y", "ctrl+k", "ctrl+g", "ctrl+p", "ctrl+s", "ctrl+o", "ctrl+n", "ctrl+e"),
    *("ctrl+c", "ctrl+v", "ctrl+a", "ctrl+d", "ctrl+h", "ctrl+r", "ctrl+m", "ctrl+j", "ctrl+l"),
    *("alt+f", "alt+e", "alt+v", "alt+h", "alt+Next", "alt+Prior", "shift+F10", "ctrl+shift+w"),
    *("ctrl+minus", "ctrl+plus", "ctrl+0", "bracketleft", "bracketright", "comma", "1", "9"),
)
_TEXTS = ("1e308", "-0", "nan", "2^53", "1_000", "0:50", "-9007199254740992", "clocks", "zzz", "=")


def _window(place, pick, plant):
    """Send random keys and mouse events, at some scale, perhaps with a window manager.

    The program must continue and end cleanly, and may change only files that it writes.
    """
    managed, scale = pick.random() < 0.7, pick.choice(("0.75", "1", "1.25", "1.5", "2", "3"))
    mine = [place / name for name in (*OWN, WRITTEN, "stderr", ".cache")]
    plant = _RECORDING + plant
    with _program(place, plant=plant, managed=managed, QT_SCALE_FACTOR=scale) as (*_, program):
        before = tree(place, apart_from=mine)
        for _ in range(_EVENTS):
            points = [str(pick.randrange(most)) for most in (*_SCREEN, *_SCREEN)]
            here, there = ["mousemove", *points[:2]], ["mousemove", *points[2:]]
            press = ["key", "--delay", "20", *pick.choices(_KEYS, k=pick.randint(1, 4))]
            times, wheel = pick.choice("1112"), ["--repeat", pick.choice("148"), "--delay", "5"]
            ways = (
                *(press, press, ["type", "--delay", "10", pick.choice(_TEXTS)]),
                [*here, "click", "--repeat", times, "--delay", "20", pick.choice("1113")],
                [*here, "mousedown", "1", *there, "mouseup", "1"],
                [*here, "click", *wheel, pick.choice("4567")],
            )
            if program.process.poll() is None:
                program.xdotool(*pick.choice(ways), check=False)
            if program.managed and pick.random() < 0.1:
                for window in program.windows()[:1]:
                    size, at = ([str(pick.randint(*ends)) for _ in "xy"] for ends in _ENDS)
                    ways = (
                        ["windowminimize", window, "sleep", "0.2", "windowactivate", window],
                        *(["windowsize", window, *size], ["windowmove", window, *at]) * 2,
                    )
                    program.xdotool(*pick.choice(ways), check=False)
        _check_answer(program)
        _check_end(program)
    found = unasked(before, tree(place, apart_from=mine), recorded(place / WRITTEN))
    assert not found, f"not by the program itself: {', '.join(found)}"


def _server(place, pick, plant):
    """End the X server of the window; the next start must offer the unsaved work."""
    unsaved = [2 * _EXPORT_POSITIONS]
    with _program(place, _EXPORT_POSITIONS, plant) as (_, display, program):
        _change(program)
        assert comes_true(lambda: backed_up(place) == unsaved, _QUICK), "there is no backup"
        key = pick.choice(("space", "ctrl+e", "ctrl+o", "ctrl+k", "ctrl+0", "ctrl+d"))
        program.keys(key)
        if key == "ctrl+d":
            _begin_export(program)
        display.server.send_signal(pick.choice((signal.SIGTERM, signal.SIGKILL)))
        _check_end(program, 0, (0, 1))  # the process ended by itself, without a signal
    with Display() as display, Running(place, display=display) as again:
        again.focused("^Recover unsaved explorations")
        again.closes("^Recover unsaved explorations", "Return")
        assert again.shows("a.json* - PE Explorer: positional encodings"), again.title()
        _check_end(again)
    assert backed_up(place) == unsaved, backed_up(place)


def _begin_export(program):
    program.focused("^Export data")
    program.keys("Return")
    assert comes_true(lambda: list(program.folder.glob("*table.npy*")), _QUICK), "nothing is there"


def _stopped(place, pick, plant):
    """Stop and continue the program during playback, and a command during export."""
    with _program(place, 1_000_000, plant) as (path, _, program):
        before = time.monotonic()
        program.keys("space")
        begun = time.monotonic()
        time.sleep(pick.uniform(0.2, 0.6))
        _pause(program.process.pid, pick.uniform(2.5, 3.5))
        path.unlink()
        asked = time.monotonic()
        program.keys("ctrl+s")
        assert comes_true(path.exists), "nothing is saved"
        least = (asked - begun - _MAX_KEY_DELAY) * _SPEED
        most = (time.monotonic() - before) * _SPEED
        position = session.read(path).state.position
        assert least <= position <= most, f"at {position}, and not from {least} to {most}"
        _check_end(program)
    rows = 50_000
    words = f"export --encoding index --dim 2 --positions 0:{rows} -o rows.csv".split()
    process = start([sys.executable, "-m", "pe_explorer", *words], env=ENVIRONMENT)
    for _ in range(4):
        time.sleep(pick.uniform(0.0, 0.4))
        _pause(process.pid, 0.2)
    assert process.wait(_QUICK * _TRIES) == 0
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
"""The keys that open dialogs, by the titles of the dialogs."""


def _signals(place, pick, plant):
    """Send signals while dialogs are open; processes must end, and unsaved work is backed up."""
    title = pick.choice(list(_DIALOGS))
    number = pick.choice((signal.SIGTERM, signal.SIGHUP))
    with _program(place, _EXPORT_POSITIONS, plant) as (path, _, program):
        _change(program)
        program.keys(*_DIALOGS[title])
        program.found(f"^{title}")
        if title == "Export data":
            _begin_export(program)
        time.sleep(pick.choice((0.0, 0.0, 0.3)))
        _check_end(program, number)
    backups = backed_up(place)
    assert backups == [2 * _EXPORT_POSITIONS], f"{number.name} under {title}: backups {backups}"
    assert session.read(path).state.count == _EXPORT_POSITIONS


def _two(place, pick, plant):
    """Change a session in two processes; the second to save must ask, and lose nothing."""
    other = place / "other"
    other.mkdir()
    with (
        _program(place) as (path, display, first),
        Running(other, str(path), display=display, plant=plant) as second,
    ):
        first.focus(first.window)
        _change(first)
        first.keys("ctrl+s")
        assert first.shows("a.json - PE Explorer: positional encodings"), first.title()
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
        assert second.shows("a.json* - PE Explorer: positional encodings"), second.title()
        _check_end(second)
        _check_end(first)
    assert backed_up(other) == [200], backed_up(other)


_FIGURE_SIZE = FigureSize(84, 60, "mm")
_SHOWN = range(6)
_MARK = "executed"  # the file that exists if a part of a name was executed
_SHELL = (
    *(f"$(touch {_MARK})", f"`touch {_MARK}`", f"; touch {_MARK};", f"| touch {_MARK}"),
    *(f"&& touch {_MARK}", "~root", "*", "{a,b}", "!!", "#c", "${x}", "-rf", "--help", "-o x"),
)
_PYTHON = f"import os; os.system('touch {_MARK}')"
_CODE = (
    *(f"'); {_PYTHON}; ('", f'"); {_PYTHON} #', f"a\n{_PYTHON}", f"\x0c{_PYTHON}"),
    *(f"\u2028{_PYTHON}", f'""" + {_PYTHON} + """', "'''", '"""', "\\", "a\\", "\\'"),
    *("{0}", "%(a)s", "a'b", 'a"b'),
)
_MARKUP = (
    *("$x^2$", "$\\frac{", "<script>alert(1)</script>", "]]>", "&amp;&#0;", "</title></svg>"),
    *("</pe-explorer:session>", "(a) Tj ET", "endstream endobj", "é😀\u202e", "\x1b[31m", "a\r\nb"),
    *(" lead", "trail ", "a\tb", "_under", "=cmd|'/C calc'!A0", "\ufeff", "\ud800", "."),
)


def _hostile_names(place, pick, plant):
    """Copy commands and scripts with names that shells, Python, markup or formulas interpret.

    Running them as a user would must draw the same and do nothing else. A `plant` quotes words
    incorrectly.
    """
    command = place / "bin" / "pe-explorer"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pe_explorer "$@"\n')
    command.chmod(0o755)
    with patch("shlex.quote", '"{}"'.format) if plant else nullcontext():
        for number in range(2):
            folder = place / str(number)
            folder.mkdir()
            os.chdir(folder)
            _check_copied(folder, pick)


def _check_copied(folder, pick):
    view = pick.choice(("heatmap", "distances", "tokens"))
    pinned = encodings.create("sinusoidal", dim=8, base=500.0)
    pin = _accepted(pick, lambda name: Pin(pinned, name))
    state = Exploration(encoding=_encoding(folder, pick), count=len(_SHOWN), pins=(pin,))
    if view == "tokens":
        options = pictures.with_options
        state = _accepted(pick, lambda name: options(state, view, sentence=f"{name} x"))
    state = resolve(state, DirectStore())
    style = _accepted(pick, lambda name: Style(title=name))
    if pick.random() < 0.5:
        style = _accepted(pick, lambda name: replace(style, font=name))
    before = sorted(os.listdir(folder))
    target = folder / f"{_file_name(pick)}{pick.choice(('.svg', '.pdf', '.png'))}"
    line = format_render_line(view, state, _FIGURE_SIZE, RenderSettings(), target, style)
    command = ["bash", "-c", line.encode("utf-8", "surrogateescape")]
    env = ENVIRONMENT | {"PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(command, env=env, capture_output=True, timeout=60)
    assert done.returncode == 0, f"{line}\n{done.stderr.decode(errors='replace')[-2000:]}"
    shared = format_figure_session(FigureRequest(view, _FIGURE_SIZE, style), state, {}, target)
    expected, found = session.loads(shared, folder), session.read(target)
    assert (found.state, found.extra) == (expected.state, expected.extra), found
    names = {}
    exec(snippet(state.encoding, _SHOWN), names)
    np.testing.assert_allclose(names["table"], state.encoding.table(_SHOWN), rtol=0, atol=1e-15)
    script = figure_code([PictureRequest(view, state)], style, _FIGURE_SIZE, threading.Event())
    plt.switch_backend("Agg")
    plt.show = plt.Figure.savefig = lambda *_: None  # matplotlib cannot write U+FEFF to PDF
    with warnings.catch_warnings(action="ignore"):  # some letters are not in the font
        exec(script, {"__name__": "__main__"})
        plt.gcf().canvas.draw()
    top = max(axes.get_position().y1 for axes in plt.gcf().axes)
    above = [line for line in plt.gcf().texts if line.get_position()[1] > top]
    texts = [line.get_text() for line in above if line.get_ha() == "center"]
    title = "".join(it if cbook.is_math_text(it) else it.replace(r"\$", "$") for it in texts)
    plt.close("all")
    drawn, expected = ("".join(text.split()) for text in (title, style.title))
    assert drawn == expected, f"{title!r} instead of {style.title!r}"
    assert sorted(os.listdir(folder)) == sorted([*before, target.name]), os.listdir(folder)


def _encoding(folder, pick):
    if pick.random() < 0.3:
        return encodings.create("sinusoidal", dim=8)
    path = folder / f"{_file_name(pick)}.npy"
    np.save(path, np.random.default_rng(pick.randrange(99)).standard_normal((60, 6)))
    try:
        return encodings.create("learned", file=str(path))
    except ParameterError as error:
        check_sentence(error.sentence, path)
        path.unlink()
        return _encoding(folder, pick)


def _name(pick):
    parts = [pick.choice(pick.choice((_SHELL, _CODE, _MARKUP))) for _ in range(pick.randint(1, 3))]
    return pick.choice(("", " ", "x")).join(parts)


def _file_name(pick):
    name = _name(pick).replace("/", "_").encode("utf-8", "replace").decode()
    return name if name.strip(" .") else "_"


def _accepted(pick, make):
    """Return the result of `make` for the first variant of a name that is not rejected."""
    while True:
        try:
            return make(_name(pick))
        except ParameterError as error:
            check_sentence(error.sentence)


_ROUNDS = {
    "a window": _window,
    "a server that ends": _server,
    "stopping and going on": _stopped,
    "signals": _signals,
    "two processes": _two,
    "hostile names": _hostile_names,
}


_AUTOSAVE = "from pe_explorer.app.document.backups import Autosave\n"
PLANTS = {
    "traceback": ("a window", "import threading; threading.Timer(2, int, ('x',)).start()"),
    "moves": ("a window", "import atexit, os; atexit.register(os.system, 'touch x')"),
    "no backup": ("a server that ends", f"{_AUTOSAVE}Autosave.schedule = lambda *_: None"),
    "lost time": (
        "stopping and going on",
        "from pe_explorer.model.playhead import PlayHead\nPlayHead.advance = lambda _: None",
    ),
    "thrown away": (
        "signals",
        f"{_AUTOSAVE}close = Autosave.close\n"
        "Autosave.close = lambda it, should_keep: close(it, False)",
    ),
    "replaced": (
        "two processes",
        "from pe_explorer.app.document import file_actions\nwrite = file_actions._write\n"
        "file_actions._write = lambda *it: write(*it[:3], True, None)",
    ),
    "careless": ("hostile names", "quoted by nobody"),
}
"""The kinds of rounds, with Python code that the program runs there first."""
