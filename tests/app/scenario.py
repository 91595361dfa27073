"""Everything that a user can do, step by step, and for how long each step blocks the GUI thread."""

import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Panes
from tests.support.gestures import inside, wait_for_worker, wheel
from tests.support.samples import sample

KEYS = tuple(Qt.Key[f"Key_{name}"] for name in ("Down", "Right", "PageDown", "Home", "End"))
"""The keys that move the cursor in a view."""
WIDTHS = ("dim", "head_dim", "heads")
"""The parameters that say how wide a row is."""
RANGES = ((0, 1), (10**15, 50), (10**15, 10**15), (-LIMIT, LIMIT), (0, 100_000), (0, 50))
"""Starts and counts of positions."""


class Watchdog(QObject):
    """Measures for how long the GUI thread does not come back to its events."""

    def __init__(self):
        super().__init__()
        self.worst, self._last = 0.0, time.perf_counter()
        self._timer = QTimer(self, interval=1)
        self._timer.timeout.connect(self.beat)

    def beat(self):
        now = time.perf_counter()
        self.worst, self._last = max(self.worst, now - self._last), now

    def start(self):
        self.worst, self._last = 0.0, time.perf_counter()
        self._timer.start()


def steps(window, rows=1000):
    """Yield (name, action) for everything: settings at their extremes, gestures, keys, actions.

    Each metric compares this many rows, which stay while the next encoding becomes wide.
    """
    yield from _settings(window.model, rows)
    yield "three panes", call(window.model.set, panes=Panes())
    for view in window.workspace.built_views.values():
        for key in KEYS:
            yield f"{view.picture.name} {key.name}", call(QTest.keyClick, view, key)
    for notches in (1, -1, 5, -40, 60):
        heatmap = window.view("heatmap")
        middle = inside(heatmap, "cells", 0.5, 0.5)
        yield f"wheel {notches}", call(wheel, heatmap, middle, notches)
    for size in ((1920, 1080), (1280, 800)):
        yield f"size {size}", call(window.resize, *size)
    for action in ACTIONS:
        if action.key != "quit":
            yield f"action {action.key}", call(trigger, window, action.key)


def _settings(model, rows):
    for name in encodings.names():
        # The other metrics take long for the widest.
        yield f"{name} cosine", call(model.set, metric="cosine")
        for width in (128, 2, 4, 4096, 65_536, 128):
            wide = sample(name, **dict.fromkeys(WIDTHS, width))
            yield f"{name} of width {width}", call(model.set, encoding=wide)
        for start, count in RANGES:
            yield f"{name} {count} from {start}", call(model.set, start=start, count=count)
        for metric in distance.METRICS:
            yield f"{name} {metric}", call(model.set, metric=metric, count=rows)
    model.set_encoding("sinusoidal")
    for dim in (128, 4096):
        for base in (1.1, 1e12, 1e4):
            yield f"dim {dim} base {base:g}", call(model.set_encoding, dim=dim, base=base)
        for metric in distance.METRICS:
            yield f"dim {dim} {metric}", call(model.set, metric=metric)
    for pixel in ("sample", "mean"):
        for quantity in ("angle", "value"):
            options = {"pixel": pixel, "quantity": quantity}
            yield f"{quantity} {pixel}", call(model.set_options, "heatmap", **options)


def call(function, *arguments, **fields):
    """Return what a step does; a function made here is never connected to anything."""

    def act():
        function(*arguments, **fields)

    return act


def trigger(window, key):
    """Do an action, and put away the dialogs that it opens."""
    window.actions_by_key[key].trigger()
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()


def run(window, steps=steps):
    """Do all steps under the watchdog; return [(seconds blocked, step)], the worst first."""
    watchdog, found = Watchdog(), []
    for name, action in steps(window):
        watchdog.start()
        action()
        wait_for_worker(window.model)
        watchdog.beat()
        found.append((watchdog.worst, name))
    watchdog.deleteLater()
    return sorted(found, reverse=True)
