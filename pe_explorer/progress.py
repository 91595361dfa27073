"""Progress and cancellation of long computations."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable

Reporter = Callable[[float], object]
"""A function that is called after each block with the share of work done, from 0 to 1.

An exception raised by the function stops the work."""

_DELAY = 1  # delay in seconds before the progress bar appears
_UPDATE_INTERVAL = 0.1  # minimum interval between updates of the progress bar, in seconds


class CancelledError(Exception):
    """The error that ends a cancelled computation."""


class Progress(threading.Event):
    """The progress of a computation; setting the event cancels the computation."""

    share: float | None = None  # the share of work done, from 0 to 1, or None if it is unknown

    phase = ""  # the name of the current step; empty if the step has no name

    def report(self, share: float, phase: str = "") -> None:
        """Record the share of work done, from 0 to 1, and the phase.

        The recorded share never decreases, even if a later phase counts from 0 again.
        """
        self.share, self.phase = max(self.share or 0.0, share), phase


class TerminalProgress(Progress):
    """A progress bar in the last line of a terminal, on standard error.

    The bar appears only if the work takes more than a second, and disappears at the end.

    Parameters
    ----------
    finish : callable
        Called when the work is complete, before the written file is moved into place.
    """

    def __init__(self, finish: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self._finish = finish
        self._start_time = self._last_update_time = time.monotonic()
        self._line = ""

    def __enter__(self) -> TerminalProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line:
            print("\r" + " " * len(self._line), end="\r", file=sys.stderr, flush=True)

    def report(self, share: float, phase: str = "") -> None:
        """Record progress, and update the terminal if the phase changes or the interval is over."""
        is_new_phase = phase != self.phase
        super().report(share, phase)
        if share == 1.0:
            self._finish()
        now = time.monotonic()
        seconds = int(now - self._start_time)
        is_update_due = is_new_phase or now - self._last_update_time >= _UPDATE_INTERVAL
        if seconds < _DELAY or not is_update_due or not sys.stderr.isatty():
            return
        self._last_update_time = now
        bar_prefix = f"{phase}: {share:4.0%} |" if phase else f"{share:4.0%} |"
        bar_suffix = f"| {seconds // 60:02}:{seconds % 60:02}"
        columns = shutil.get_terminal_size().columns - 1
        space = max(1, columns - len(bar_prefix) - len(bar_suffix))
        mark = "█" if (sys.stderr.encoding or "").lower().startswith("utf") else "#"
        previous_length = len(self._line)
        self._line = f"{bar_prefix}{mark * int(share * space):{space}}{bar_suffix}"[:columns]
        print("\r" + self._line.ljust(previous_length), end="", file=sys.stderr, flush=True)


class PartialProgress(Progress):
    """The progress of a part of a computation; cancelling the whole cancels the part.

    Parameters
    ----------
    total_progress : threading.Event
        The progress of the whole computation.
    done_share : float
        The share of the whole that is done when the part begins, from 0 to 1.
    share : float
        The part's share of the whole, from 0 to 1.
    """

    def __init__(self, total_progress: threading.Event, done_share: float, share: float) -> None:
        super().__init__()
        self._total_progress, self._done_share, self._part_share = total_progress, done_share, share

    def is_set(self) -> bool:
        """Return whether the whole computation is cancelled."""
        return self._total_progress.is_set()

    def report(self, share: float, phase: str = "") -> None:
        """Report this part's progress as progress of the whole computation."""
        report(self._total_progress, self._done_share + self._part_share * share, phase)


def report(progress: threading.Event, share: float, phase: str = "") -> None:
    """Report the share of work done, from 0 to 1; raise `CancelledError` if it was cancelled."""
    if progress.is_set():
        raise CancelledError
    if isinstance(progress, Progress):
        progress.report(share, phase)


def ignore_progress(share: float) -> None:
    """Do nothing; this is a reporter for callers that do not need the progress."""


def make_part_reporter(report: Reporter, done_share: float, share: float) -> Reporter:
    """Return a reporter for a part that begins at `done_share` and is `share` of the whole."""
    return lambda part: report(done_share + share * part)
