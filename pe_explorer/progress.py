"""How a long computation reports its progress, and learns that it was cancelled."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError

Reporter = Callable[[float], object]
"""Called between blocks with the share that is done, from 0 to 1; it may raise to stop."""


_DELAY = 1  # seconds of work before it is shown on a terminal
_INTERVAL = 0.1  # seconds between two times that it is shown


class Progress(threading.Event):
    """The progress of a computation; the event is set once its answer is no longer wanted."""

    share: float | None = None
    """The share that is done, from 0 to 1, None while it is unknown."""

    phase = ""
    """The present step in plain words; empty where it needs no name."""

    def report(self, share: float, phase: str = "") -> None:
        """Record the share that is done, from 0 to 1, and the phase.

        The share never decreases, even where a later part counts from its own beginning.
        """
        self.share, self.phase = max(self.share or 0.0, share), phase


class TerminalProgress(Progress):
    """Shows its share in the last line of a terminal on standard error, and removes it at the end.

    Nothing is shown of what is soon done, and where standard error is no terminal.

    Parameters
    ----------
    finish : function
        Called when all is done, but for putting the file in its place.
    """

    def __init__(self, finish: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self._finish = finish
        self._start = self._shown = time.monotonic()
        self._line = ""

    def __enter__(self) -> TerminalProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line:
            print("\r" + " " * len(self._line), end="\r", file=sys.stderr, flush=True)

    def report(self, share: float, phase: str = "") -> None:
        """Record the share that is done, and show it now and then; a new phase at once."""
        is_new = phase != self.phase
        super().report(share, phase)
        if share == 1.0:
            self._finish()
        now = time.monotonic()
        seconds = int(now - self._start)
        is_due = is_new or now - self._shown >= _INTERVAL
        if seconds < _DELAY or not is_due or not sys.stderr.isatty():
            return
        self._shown = now
        left = f"{phase}: {share:4.0%} |" if phase else f"{share:4.0%} |"
        right = f"| {seconds // 60:02}:{seconds % 60:02}"
        columns = shutil.get_terminal_size().columns - 1
        room = max(1, columns - len(left) - len(right))
        mark = "█" if (sys.stderr.encoding or "").lower().startswith("utf") else "#"
        before = len(self._line)
        self._line = f"{left}{mark * int(share * room):{room}}{right}"[:columns]
        print("\r" + self._line.ljust(before), end="", file=sys.stderr, flush=True)


class Part(Progress):
    """A part of a computation, which is cancelled with the whole.

    Parameters
    ----------
    whole : threading.Event
        The whole computation.
    done : float
        The share of the whole that is done when the part begins, from 0 to 1.
    share : float
        The share of the part in the whole.
    """

    def __init__(self, whole: threading.Event, done: float, share: float) -> None:
        super().__init__()
        self._whole, self._done, self._of_whole = whole, done, share

    def is_set(self) -> bool:
        """Return whether the whole is cancelled."""
        return self._whole.is_set()

    def report(self, share: float, phase: str = "") -> None:
        """Report the progress of the part as that of the whole."""
        report(self._whole, self._done + self._of_whole * share, phase)


def report(progress: threading.Event, share: float, phase: str = "") -> None:
    """Report the share of a computation that is done, from 0 to 1, and the phase.

    Raises
    ------
    CancelledError
        If its answer is no longer wanted.
    """
    if progress.is_set():
        raise CancelledError
    if isinstance(progress, Progress):
        progress.report(share, phase)


def no_report(share: float) -> None:
    """Report nothing, where nobody asks for the progress."""


def part_reporter(report: Reporter, done: float, share: float) -> Reporter:
    """Return a function that reports the progress of a part, which begins at `done`."""

    def report_part(part: float) -> None:
        report(done + share * part)

    return report_part
