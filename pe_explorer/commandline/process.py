"""Standard streams, which may be closed, full or broken; and signals, such as Ctrl-C and kill."""

import contextlib
import errno
import io
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from pe_explorer.params import one_line

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

_Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None
_SIGNALS = [number for number in signal.Signals if number.name in {"SIGINT", "SIGTERM", "SIGHUP"}]
_REPEAT_WITHIN = 1.0  # seconds; a terminal that closes sends the same signal twice


class _ClosedOutput(io.TextIOWrapper):
    """Stands in for a closed standard output: writing to it fails, as on a full disk."""

    def write(self, _text: str) -> int:
        raise OSError(errno.EBADF, "closed")


def make_streams_safe() -> None:
    """Escape characters that the terminal cannot show; make printing to closed streams fail."""
    # The files take the numbers of the closed streams, or the next file would be written to.
    if sys.stdout is None:
        sys.stdout = _ClosedOutput(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_closed_output() -> None:
    """Let the window run without a standard output, as it does on many desktops."""
    if isinstance(sys.stdout, _ClosedOutput):
        sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8")


def load_config(argument: str) -> Any:
    """Return the `ConfigFile` in a file, a folder, or standard input for "-"."""
    from pe_explorer import configs  # most commands start without this folder

    if argument != "-":
        return configs.open_config(argument)
    if sys.stdin is None:
        raise configs.ConfigError("standard input", "is closed", "pass a config.json to it")
    return configs.open_config("standard input", sys.stdin.buffer)


def print_error(line: str) -> None:
    """Write one line to standard error; characters that cannot be shown are escaped."""
    with contextlib.suppress(OSError):  # nobody is reading
        print(one_line(line), file=sys.stderr, flush=True)


def drop_output() -> None:
    """Discard what has not been written to standard output yet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def ending_at_once(line: str) -> Iterator[None]:
    """While the block runs, end the process on a signal, with a line on standard error.

    This is for work that needs no cleaning up. An exception cannot, because Qt stops it.
    """
    message = f"{line}\n".encode("utf-8", "backslashreplace")

    def end(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(2, message)
        os._exit(EXIT_INTERRUPTED)

    before = _handle_signals(end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def raise_interrupt() -> None:
    """From now on let a signal raise `KeyboardInterrupt`, for work that needs cleaning up."""
    last = -math.inf

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _REPEAT_WITHIN:  # a repeated signal interrupts the clean-up
            raise KeyboardInterrupt

    _handle_signals(interrupt)


def ignore_signals() -> None:
    """From now on ignore signals: the last steps are short, and all or none must happen."""
    _handle_signals(signal.SIG_IGN)


def _handle_signals(handler: _Handler) -> dict[int, _Handler]:
    """Set a handler for all signals that `nohup` has not switched off; return those before."""
    if threading.current_thread() is not threading.main_thread():
        return {}  # only the main thread may set handlers
    active = [each for each in _SIGNALS if signal.getsignal(each) not in (None, signal.SIG_IGN)]
    return {number: signal.signal(number, handler) for number in active}
