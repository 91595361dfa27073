"""Detection of freezes: turns of the event loop that block the window.

The limit is relative to a measured change, so that a slow machine finds the same freezes as a fast
one.
"""

import os
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from statistics import median

import pe_explorer
from tests.benchmarks.window import Window

LONGEST = 5.5
"""The longest turn of the event loop, relative to the usual change.

This is 0.1 s of CPU time on the machine of the goals in README, where `change-512x128` takes 18 ms.
"""
_CHANGES = 15  # number of changes whose median is the usual change
OPENING = "opening"  # the kind of the turns in which a window is opened
_ALLOWED_KINDS = {
    OPENING: "a window is made with all that is in it; the benchmarks measure it",
    "undo_all": "a hundred steps in one turn, which no hand does",
    "table": "the event itself writes a file of megabytes",
}
ALLOWED_PLACES = {
    "<module>": "modules are imported, once",
    "workspace.py:pane": "a view is made, once in a window",
    "right_panel.py:parts": "the panel on the right is made, once in a window",
    "gallery_page.py:fill": "the gallery makes its cards, once in a window",
    "exhibits.py:_load_exhibits": "the files of all exhibits are read, once",
    "picture.py:_window": "another window is made, to draw a picture of it behind a dialog",
    "picture.py:_lay_out": "that window is laid out",
}
"""Functions of the program whose time is ignored, each with the reason.

All but the last two run once per window or process, so that repeated slowness is still found.
"""
_INTERVAL = 0.01  # seconds between two samples of the stack
OWN = os.fspath(Path(pe_explorer.__file__).parent) + os.sep  # the folder of the program
_STACK_FRAMES = 4  # in the report


class Stopwatch:
    """Measures the CPU time of the thread that created it, and samples its stack.

    Other threads do not count, but may slow this thread down. `longest` is the maximum duration of
    a turn in seconds.
    """

    def __init__(self, longest):
        self._longest = longest
        self._thread = threading.get_ident()
        self.begin()
        self._ended = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def close(self):
        self._ended.set()
        self._looking.join()

    def begin(self):
        self._stacks = []
        self._begin = time.thread_time()

    def freeze(self, kind):
        """Return the duration since `begin` and the stack if the event took too long."""
        seconds = time.thread_time() - self._begin
        if seconds <= self._longest or kind in _ALLOWED_KINDS:
            return ""
        known = [stack for stack in self._stacks if stack]  # ignores time in Qt
        allowed = sum(not ALLOWED_PLACES.keys().isdisjoint(stack) for stack in known)
        if seconds * (1 - allowed / max(1, len(known))) <= self._longest:
            return ""
        lines = [f"{seconds:.3f} s of CPU time, where {self._longest:.3f} are allowed"]
        for stack, times in Counter(stack[:_STACK_FRAMES] for stack in self._stacks).most_common(3):
            lines.append(f"seen {times} times in {', '.join(stack) or 'Qt, or the events'}")
        return "\n".join(lines)

    def _look(self):
        while not self._ended.wait(_INTERVAL):
            stacks, places = self._stacks, []
            for frame, _ in traceback.walk_stack(sys._current_frames()[self._thread]):
                file, name = frame.f_code.co_filename, frame.f_code.co_name
                if file.startswith(OWN):
                    places.append(name if name == "<module>" else f"{Path(file).name}:{name}")
            stacks.append(tuple(places))


def longest_turn(wait_anew):
    """Return the maximum CPU time of a turn in seconds, measured with changes of a window.

    `wait_anew` restarts the timeout for events after each change.
    """
    window = Window()
    window.window.model.set(count=512)
    window.set(dim=128)
    times = []
    for step in range(_CHANGES):
        begin = time.thread_time()
        window.set(base=1e4 + step)
        times.append(time.thread_time() - begin)
        wait_anew()
    window.close()
    return LONGEST * median(times)
