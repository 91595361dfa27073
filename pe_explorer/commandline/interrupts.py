"""Ctrl-C, kill and a closing terminal: a command ends cleanly and leaves no partial file."""

import contextlib
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_INTERRUPTED = 130

_Handler = Callable[[int, FrameType | None], object] | signal.Handlers
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # some systems have not all of them
_SIGNALS = tuple(getattr(signal, name) for name in _SIGNAL_NAMES if hasattr(signal, name))
_REPEAT_WITHIN = 1.0  # seconds; a terminal that closes sends the same signal twice


@contextlib.contextmanager
def ending_at_once(line: str) -> Iterator[None]:
    """While the block runs, end the process on a signal, with a line on standard error.

    This is for work that needs no cleaning up. No exception is raised, as Qt could not pass it
    on. The handlers of before are set again after the block.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    message = f"{line}\n".encode("utf-8", "backslashreplace")

    def end(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(2, message)
        os._exit(EXIT_INTERRUPTED)

    _set(end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and _in_main_thread():
                signal.signal(number, handler)


def raise_interrupt() -> None:
    """From now on let a signal raise `KeyboardInterrupt`, for work that needs cleaning up.

    Signals that follow at once are ignored, as they would interrupt the cleaning up.
    """
    last = -math.inf

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _REPEAT_WITHIN:
            raise KeyboardInterrupt

    _set(interrupt)


def ignore() -> None:
    """From now on ignore the signals: the last steps are short, and all or none must happen."""
    _set(signal.SIG_IGN)


def _set(handler: _Handler) -> None:
    """Set a handler for all signals, except those that `nohup` or the like has switched off."""
    if not _in_main_thread():
        return  # only the main thread may set handlers
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
