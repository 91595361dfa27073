"""Freezes: turns of the event loop that keep the window from answering."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path

__all__ = ["LONGEST", "OPENING", "Stopwatch"]

LONGEST = 0.1
"""Seconds of CPU time for which the window may not answer."""
OPENING = "opening"
"""What the turns are called in which a window is opened."""
_ALLOWED_KINDS = {
    OPENING: "a window is made with all that is in it; the benchmarks measure it",
    "undo_all": "a hundred steps in one turn, which no hand does",
    "table": "the event itself writes a file of megabytes",
}
_ALLOWED_PLACES = {
    "gallery_page.py fill": "the gallery makes its cards, once",
}
"""What may take longer, kinds of events and functions of the program, each with the reason."""
_LOOK = 0.02  # seconds between two looks at what the thread is doing
_OWN = "/pe_explorer/"

Stack = list[traceback.FrameSummary]


class Stopwatch:
    """Takes the CPU time of the thread that it is made in, and looks where that thread is.

    What other processes do at the same time does not count.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._seen: list[Stack] = []
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
        self._seen = []
        self._late = time.monotonic() + LONGEST / 2
        self._begin = time.thread_time()

    def freeze(self, kind: str) -> str:
        """Return how long it took since `begin`, and where, if it was too long for an event."""
        seconds = time.thread_time() - self._begin
        if seconds <= LONGEST or kind in _ALLOWED_KINDS or self._is_allowed():
            return ""
        stacks = Counter("".join(traceback.format_list(stack[-4:])) for stack in self._seen)
        places = [f"seen {times} times:\n{stack}" for stack, times in stacks.most_common(3)]
        return "\n".join((f"{1000 * seconds:.0f} ms of CPU time", *places))

    def _is_allowed(self) -> bool:
        """Whether most of the looks saw the thread where it may be for long."""
        allowed = [
            any(f"{Path(place.filename).name} {place.name}" in _ALLOWED_PLACES for place in stack)
            for stack in self._seen
        ]
        return sum(allowed) > len(allowed) / 2

    def _look(self) -> None:
        while not self._ended.wait(_LOOK):
            if time.monotonic() < self._late:
                continue
            seen, frame = self._seen, sys._current_frames().get(self._thread)
            seen.append([it for it in traceback.extract_stack(frame) if _OWN in it.filename])
