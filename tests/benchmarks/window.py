"""Benchmarks of the window: changes of parameters, the start, and long animation."""

import itertools
import os
import subprocess
import sys
import time
from functools import partial
from statistics import median
from unittest.mock import patch

from tests.benchmarks.measure import Row, alternate, resident

SIZE = (1920, 1080)
CHANGES = 41
FRAMES = 20_000
FOUND = ("histogram of distances", "theta", "compare", "umap", "base 500")


class Window:
    """The main window off-screen, and the time from a change to the last paint."""

    def __init__(self):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from PySide6.QtWidgets import QApplication

        from pe_explorer.app.application import Application
        from pe_explorer.app.window.main_window import MainWindow

        self.app = QApplication.instance() or Application("light")
        self.window = MainWindow()
        self.window.resize(*SIZE)
        self.window.show()
        self.settle()

    def settle(self):
        """Process all events, so that announcements, pictures and labels are drawn."""
        for _ in range(4):
            self.app.processEvents()

    def set(self, **parameters):
        self.window.model.set_encoding(**parameters)
        self.settle()

    def median_change(self, count, dim):
        self.window.model.set(start=0, count=count)
        self.set(dim=dim)
        return median(_timed(self.set, base=1e4 + 37 * i) for i in range(1, CHANGES))

    def close(self):
        self.window.leave()
        self.window.deleteLater()
        self.settle()


def _timed(action, *arguments, **named):
    start = time.perf_counter()
    action(*arguments, **named)
    return time.perf_counter() - start


def _against_matplotlib(window, count, dim, rounds):
    from tests.benchmarks.usual import Figure

    figure, ours = Figure(count, dim), window.median_change(count, dim)
    usual = median(_timed(figure.change, 1e4 + 37 * i) for i in range(1, rounds + 1))
    return Row(f"change-{count}x{dim}", ours * 1e3, "ms", usual / ours)


def change_small():
    """Change the base at 512 x 128 and at 10^9 positions; compare both, and with matplotlib."""
    window = Window()
    yield _against_matplotlib(window, 512, 128, rounds=7)
    rounds = [[window.median_change(count, 128) for count in (10**9, 512)] for _ in range(5)]
    far, near = map(median, zip(*rounds, strict=True))
    yield Row("change-1e9", far * 1e3, "ms", far / near)
    window.close()


def change_factor():
    """Change the factor of each RoPE type; compare with the base of the type `default`."""
    from pe_explorer.encodings.rope_types import TYPES

    window = Window()
    window.window.model.set(count=512)
    window.window.model.set_encoding("rope", head_dim=128, sequence_length=20_000)
    window.settle()
    steps = itertools.count(1)

    def base():
        window.set(rope_type="default", rope_theta=1e4 + 37 * next(steps))

    def factor(rope_type):
        window.set(rope_type=rope_type, factor=4 + next(steps) / 8)

    with_factor = [name for name, each in TYPES.items() if each.has_parameter("factor")]
    actions = [base, *(partial(factor, name) for name in with_factor)]
    plain, *others = alternate(*actions, rounds=25)
    slowest = max(others)
    yield Row("change-factor", slowest * 1e3, "ms", slowest / plain)
    window.close()


def change_large():
    window = Window()
    yield _against_matplotlib(window, 100_000, 512, rounds=3)
    window.close()


_FIRST_PAINT = """
import os, sys
def painted(*_):
    from PySide6.QtWidgets import QApplication
    for _ in range(3):
        QApplication.processEvents()
    os._exit(0)
"""
_BARE = """
from PySide6.QtWidgets import QApplication
import numpy
import pyqtgraph as pg
app = QApplication(sys.argv)
window = pg.PlotWidget()
window.resize(1280, 800)
window.show()
painted()
"""
_OURS = """
sys.argv = ["pe-explorer"]
from pe_explorer.commandline import window
required = window.require_qt
def require_qt(**what):
    required(**what)
    from PySide6.QtWidgets import QApplication
    QApplication.exec = painted
window.require_qt = require_qt
from pe_explorer.__main__ import main
main()
"""


def start():
    """Measure the fastest start to the first painted window, with alternating processes."""
    # An installed program is also compiled.
    own = {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": ""}
    times = {_BARE: [], _OURS: []}
    for _ in range(14):
        for script, found in times.items():
            command = [sys.executable, "-c", _FIRST_PAINT + script]
            found.append(_timed(subprocess.run, command, env={**os.environ, **own}, check=True))
    ours, bare = min(times[_OURS]), min(times[_BARE])  # other work of the machine only adds time
    yield Row("start", ours * 1e3, "ms", ours / bare)


class _Display:
    """A clock that advances by a sixtieth of a second per frame."""

    frames = 0

    def start(self):
        self.frames = 0

    def nsecsElapsed(self):  # noqa: N802
        self.frames += 1
        return self.frames * 1_000_000_000 // 60


def frames():
    """Animate 20,000 frames; report the slowest of the fastest 99 %, and the growth of memory."""
    with patch("pe_explorer.model.playhead.QElapsedTimer", _Display):
        window = Window()
    window.window.model.playhead.play()
    for _ in range(FRAMES // 10):
        _frame(window)
    before = resident()
    times = [_timed(_frame, window) for _ in range(FRAMES)]
    grown = (resident() - before) / 1e6
    window.close()
    yield Row("frames", sum(times) / FRAMES * 1e3, "ms", grown)
    slowest = sorted(times)[FRAMES * 99 // 100] * 1e3
    yield Row("play", slowest, "ms", slowest / 10)


def find_anything():
    """Type words into the palette of Ctrl+K, and report the slowest key."""
    from pe_explorer.app.window.palette import PaletteDialog

    window = Window()
    window.window.actions_by_key["find"].trigger()
    window.settle()
    palette = window.window.findChild(PaletteDialog)
    typed = [word[:end] for word in FOUND for end in range(1, len(word) + 1)]
    slowest = max(_timed(_type, window, palette, text) for text in typed * 3)
    palette.reject()
    window.close()
    yield Row("find-key", slowest * 1e3, "ms", slowest / 20e-3)


def _type(window, palette, text):
    palette.line.setText(text)
    window.settle()


def _frame(window):
    window.window.model.playhead.advance()
    window.app.processEvents()


BENCHMARKS = (change_small, change_factor, change_large, start, frames, find_anything)
