"""How a long computation reports its progress, and learns that it was cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

Reporter = Callable[[float], object]
"""Called between blocks with the share that is done, from 0 to 1; it may raise to stop."""


class Progress(threading.Event):
    """The progress of a computation; the event is set once its answer is no longer wanted."""

    share: float | None = None
    """How much of it is done, from 0 to 1, None while nothing is known."""

    phase = ""
    """What is being done, in plain words; empty where it needs no name."""

    def report(self, share: float, phase: str = "") -> None:
        """Take note of how much is done, from 0 to 1, and of what is being done.

        It never falls back, also where what comes next counts from its own beginning.
        """
        self.share, self.phase = max(self.share or 0.0, share), phase


class Part(Progress):
    """A part of a computation, which is cancelled with the whole.

    Parameters
    ----------
    whole : threading.Event
        The whole computation.
    done : float
        How much of the whole is done when the part begins, from 0 to 1.
    share : float
        How much of the whole the part is.
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
    """Report how much of a computation is done, from 0 to 1, and what is being done.

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
