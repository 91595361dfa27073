"""Everything that a user can do, step by step, and a watchdog over the thread that must never
wait.
"""

import sys
import threading
import time
import traceback

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Panes
from tests.support.gestures import inside, wheel
from tests.support.samples import sample

LEAVING = ("quit",)
KEYS = tuple(Qt.Key[f"Key_{name}"] for name in ("Down", "Right", "PageDown", "Home", "End"))
"""The keys that move the cursor in a view."""
PATIENCE = 60.0
WIDTHS = ("dim", "head_dim", "heads")
"""The parameters that say how wide a row is."""


class Watchdog(QObject):
    """Measures from another thread for how long the GUI thread does not come back to its events."""

    def __init__(self):
        super().__init__()
        self.worst, self.where = 0.0, ""
        self._beat, self._done = time.perf_counter(), threading.Event()
        self._timer = QTimer(self, interval=1)
        self._timer.timeout.connect(self.beat)
        self._main = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, name="watchdog")

    def beat(self):
        self._note(time.perf_counter() - self._beat)
        self._beat = time.perf_counter()

    def start(self):
        self.worst, self.where, self._beat = 0.0, "", time.perf_counter()
        if not self._timer.isActive():
            self._timer.start()
            self._thread.start()

    def stop(self):
        self._timer.stop()
        self._done.set()
        self._thread.join()

    def _note(self, gap):
        self.worst = max(self.worst, gap)

    def _watch(self):
        while not self._done.wait(0.005):
            gap = time.perf_counter() - self._beat
            if gap > max(self.worst, 0.02):
                self._note(gap)
                self.where = _innermost(sys._current_frames().get(self._main))


def _innermost(frame):
    """Return the deepest line of the program on a stack."""
    ours = [entry for entry in traceback.extract_stack(frame) if "pe_explorer" in entry.filename]
    if not ours:
        return "Qt"
    return f"{ours[-1].filename.rpartition('pe_explorer')[2]}:{ours[-1].lineno} {ours[-1].name}"


def until_idle(window):
    """Let the window draw, and the worker finish."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for _ in range(4):
            QApplication.processEvents()
        if window.model.worker.idle:
            return
        time.sleep(0.001)
    raise AssertionError("the worker is still busy")


def steps(window, rows=1000):
    """Yield (name, action) for everything: settings at their extremes, gestures, keys, actions.

    So many rows are compared by each metric, and stay while the next encoding becomes wide.
    """
    yield from _settings(window.model, rows)
    yield from _by_hand(window)
    for action in ACTIONS:
        if action.key not in LEAVING:
            yield f"action {action.key}", _call(_trigger, window, action.key)


def _settings(model, rows):
    for name in encodings.names():
        # The other metrics take long for the widest.
        yield f"{name} cosine", _call(model.set, metric="cosine")
        for width in (128, 2, 4, 4096, 65_536, 128):
            wide = _call(model.set, encoding=sample(name, **dict.fromkeys(WIDTHS, width)))
            yield f"{name} of width {width}", wide
        for start, count in (
            (0, 1),
            (10**15, 50),
            (10**15, 10**15),
            (-LIMIT, LIMIT),
            (0, 100_000),
            (0, 50),
        ):
            yield f"{name} {count} from {start}", _call(model.set, start=start, count=count)
        for metric in distance.METRICS:
            yield f"{name} {metric}", _call(model.set, metric=metric, count=rows)
    model.set_encoding("sinusoidal")
    for dim in (128, 4096):
        for base in (1.1, 1e12, 1e4):
            yield f"dim {dim} base {base:g}", _call(model.set_encoding, dim=dim, base=base)
        for metric in distance.METRICS:
            yield f"dim {dim} {metric}", _call(model.set, metric=metric)
    for pixel in ("sample", "mean"):
        for quantity in ("angle", "value"):
            options = {"pixel": pixel, "quantity": quantity}
            yield f"{quantity} {pixel}", _call(model.set_options, "heatmap", **options)


def _by_hand(window):
    yield "three panes", _call(window.model.set, panes=Panes())
    for view in window.workspace.built.values():
        for key in KEYS:
            yield f"{view.picture.name} {key.name}", _call(QTest.keyClick, view, key)
    for notches in (1, -1, 5, -40, 60):
        heatmap = window.view("heatmap")
        middle = inside(heatmap, heatmap.plot, 0.5, 0.5)
        yield f"wheel {notches}", _call(wheel, heatmap, middle, notches)
    for size in ((1920, 1080), (1280, 800)):
        yield f"size {size}", _call(window.resize, *size)


def _call(function, *arguments, **fields):
    """Return what a step does; a function made here is never connected to anything."""

    def call():
        function(*arguments, **fields)

    return call


def _trigger(window, key):
    window.actions_by_key[key].trigger()
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()


def wide_steps(window):
    """Yield (name, action) for very wide encodings: few and many rows, values and angles, pins, and
    a base that is dragged.
    """
    model = window.model
    for dim in (4096, 65_536):
        for quantity in ("angle", "value"):
            yield f"{quantity} of {dim}", _call(model.set_options, "heatmap", quantity=quantity)
            yield f"{quantity}, dim {dim}", _call(model.set_encoding, "sinusoidal", dim=dim)
            for count in (1, 15, 240, 10**6, 50):
                yield f"{quantity}, {count} of {dim}", _call(model.set, start=0, count=count)
            for base in (500.0, 1e4):
                yield f"{quantity} of {dim}, base {base:g}", _call(model.set_encoding, base=base)
    model.set_encoding("sinusoidal", dim=4096)
    model.set(count=10**6)
    for name in ("first pin", "second pin"):
        yield name, _call(_trigger, window, "pin")
        yield f"{name}, another base", _call(model.set_encoding, base=300.0)
    yield "a base that is dragged", _call(_drag_base, model)
    model.set(pins=(), count=50)
    model.set_encoding("sinusoidal", dim=128)


def _drag_base(model):
    for step in range(30):
        model.set_encoding(base=1000.0 + step)
        QApplication.processEvents()


def run(window, steps=steps):
    """Do all steps under the watchdog; return [(seconds blocked, step, where)], the worst first."""
    watchdog, found = Watchdog(), []
    try:
        for name, action in steps(window):
            watchdog.start()
            action()
            until_idle(window)
            watchdog.beat()
            found.append((watchdog.worst, name, watchdog.where))
    finally:
        watchdog.stop()
        watchdog.deleteLater()
    return sorted(found, reverse=True)
