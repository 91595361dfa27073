"""Ctrl-C, a plain kill and a terminal that closes: a command ends in order, without half a file."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

__all__ = ["EXIT_INTERRUPTED", "ending_at_once", "ignore", "raise_interrupt"]

EXIT_INTERRUPTED = 130

_Handler = Callable[[int, FrameType | None], object] | signal.Handlers
_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_TOGETHER = 1.0  # seconds; a terminal that closes sends the same signal twice


@contextlib.contextmanager
def ending_at_once(line: str) -> Iterator[None]:
    """While the block runs, end the process on a signal, with a line on standard error.

    For as long as there is nothing to tidy up: no exception is raised, which Qt could not pass
    on. What was set before is set again after the block.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def end(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"{line}\n".encode("utf-8", "backslashreplace"))
        os._exit(EXIT_INTERRUPTED)

    _set(end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and _in_main_thread():
                signal.signal(number, handler)


def raise_interrupt() -> None:
    """From now on let a signal raise `KeyboardInterrupt`, for what has to be tidied up.

    Signals that follow at once belong to the first, and do not disturb the tidying up.
    """
    last = -math.inf

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        since, last = time.monotonic() - last, time.monotonic()
        if since >= _TOGETHER:
            raise KeyboardInterrupt

    _set(interrupt)


def ignore() -> None:
    """From now on ignore the signals: what is left to do is short and belongs together."""
    _set(signal.SIG_IGN)


def _set(handler: _Handler) -> None:
    """Set a handler of all signals that are not ignored from outside, as `nohup` does."""
    if not _in_main_thread():
        return  # signals are the business of whoever runs it
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
