"""Freezes: turns of the event loop that keep the window from answering.

How long one may take is measured, so that a slow machine does not find other freezes than a fast
one.
"""

import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import FrameType
from typing import NamedTuple

import pe_explorer
from tests.benchmarks.window import Window

LONGEST = 5.5
"""How many times as long as the usual change the window may not answer: for 0.1 s of CPU time on
the machine that README's goals in milliseconds are for, where `change-512x128` takes 18 ms."""
_CHANGES = 15  # of which the middle one is the usual one
OPENING = "opening"
"""What the turns are called in which a window is opened."""
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
    "exhibits.py:_all": "the files of all exhibits are read, once",
    "picture.py:_window": "another window is made, to draw a picture of it behind a dialog",
    "picture.py:_lay_out": "that window is laid out",
}
"""Kinds of events, and functions of the program, whose time does not count: each with the reason.

All but the last two do something once, so that what is slow again and again is not allowed.
"""
_LOOK = 0.01  # seconds between two looks at what the thread is doing
OWN = os.fspath(Path(pe_explorer.__file__).parent) + os.sep
"""How the names of the files begin that are looked for."""
_LOOPS = 9  # of which the middle one counts
_PLACES = 4  # of a stack that are shown


class _Place(NamedTuple):
    file: str
    line: int
    function: str

    @property
    def allowed(self) -> bool:
        """Whether it may be slow."""
        name = f"{Path(self.file).name}:{self.function}"
        return self.function in ALLOWED_PLACES or name in ALLOWED_PLACES

    def __str__(self) -> str:
        return f"  {self.file.removeprefix(OWN)}:{self.line} {self.function}"


_Stack = tuple[_Place, ...]


class Stopwatch:
    """Takes the CPU time of the thread that it is made in, and looks where that thread is.

    What other processes do at the same time does not count: they take no CPU time of this one, and
    that they slow it down, as they share its core or its memory, is told by a short loop that
    takes longer than at best.

    Parameters
    ----------
    longest : float
        Seconds that a turn may take.
    """

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._thread = threading.get_ident()
        self._at_best = min(_loop() for _ in range(_LOOPS))
        self.begin()
        self._ended = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def close(self) -> None:
        """End the looks."""
        self._ended.set()
        self._looking.join()

    def begin(self) -> None:
        """Begin anew; what was before does not count."""
        self._seen: list[_Stack] = []
        self._begin = time.thread_time()

    def freeze(self, kind: str) -> str:
        """Return how long it took since `begin`, and where, if it was too long for an event."""
        seconds = time.thread_time() - self._begin
        if seconds <= self._longest or kind in _ALLOWED_KINDS:
            return ""
        seconds /= self._slowness()
        known = [stack for stack in self._seen if stack]  # what Qt does alone is shared alike
        allowed = sum(any(place.allowed for place in stack) for stack in known)
        if seconds * (1 - allowed / max(1, len(known))) <= self._longest:
            return ""
        often = Counter(stack[-_PLACES:] for stack in self._seen).most_common(3)
        places = [f"seen {times} times in\n{_written(stack)}" for stack, times in often]
        took = f"{seconds:.3f} s of CPU time, where {self._longest:.3f} are allowed"
        return "\n".join((took, *places))

    def _slowness(self) -> float:
        """Return how many times as long as at best something takes now."""
        now = sorted(_loop() for _ in range(_LOOPS))
        self._at_best = min(self._at_best, now[0])
        return now[_LOOPS // 2] / self._at_best

    def _look(self) -> None:
        while not self._ended.wait(_LOOK):
            seen = self._seen
            seen.append(_own_places(sys._current_frames().get(self._thread)))


def longest_turn(wait_anew: Callable[[], None]) -> float:
    """Return how many seconds of CPU time a turn may take here: a window shows some changes.

    `wait_anew` lets the patience for events begin after each.
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


def _loop() -> float:
    """Return the CPU time of a short loop, about half a millisecond."""
    begin = time.thread_time()
    sum(range(30_000))
    return time.thread_time() - begin


def _own_places(frame: FrameType | None) -> _Stack:
    """Return where a thread is in the program, the innermost place last."""
    found = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(OWN):
            found.append(_Place(code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return tuple(reversed(found))


def _written(stack: _Stack) -> str:
    return "\n".join(map(str, stack)) or "  Qt, or the events"
