"""Standard streams, signals such as SIGINT, and the requirements of Qt."""

import builtins
import contextlib
import ctypes
import errno
import gc
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

from pe_explorer.params import reason, to_one_line, with_remedy

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

_Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None
_SIGNALS = [number for number in signal.Signals if number.name in {"SIGINT", "SIGTERM", "SIGHUP"}]
_REPEAT_SECONDS = 1.0  # seconds to ignore repeated signals; a closing terminal sends two


class _ClosedOutput(io.TextIOWrapper):
    """A replacement for closed standard output that raises an error when written to."""

    def write(self, _text: str) -> int:
        raise OSError(errno.EBADF, "closed")


def make_streams_safe() -> None:
    """Escape characters that the terminal cannot show, and replace closed streams.

    Printing to the replacement for standard output raises an error.
    """
    # Without a replacement, the next file to be opened would get the descriptor of the closed
    # stream and receive its output.
    if sys.stdout is None:
        sys.stdout = _ClosedOutput(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_closed_output() -> None:
    """Discard output if standard output is closed, as in programs started from a desktop."""
    if isinstance(sys.stdout, _ClosedOutput):
        sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8")


def load_config(argument: str) -> Any:
    """Return the `ConfigFile` for a file or a folder; read standard input for "-"."""
    from pe_explorer import configs  # imported here because most commands do not need the package

    if argument != "-":
        return configs.open_config(argument)
    if sys.stdin is None:
        raise configs.ConfigError("standard input", "is closed", "redirect a config.json to it")
    return configs.open_config("standard input", sys.stdin.buffer)


def print_error(line: str) -> None:
    """Print one line to standard error, with invisible characters escaped."""
    with contextlib.suppress(OSError):  # raised if no program reads the output
        print(to_one_line(line), file=sys.stderr, flush=True)


def drop_output() -> None:
    """Discard the output that standard output has buffered but not written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def end_on_signal(line: str) -> Iterator[None]:
    """Print a line and end the process if a signal arrives within the context.

    Code in the context must not need clean-up. The handler raises no exception, because Qt
    ignores exceptions.
    """
    message = f"{line}\n".encode("utf-8", "backslashreplace")

    def end(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(2, message)
        os._exit(EXIT_INTERRUPTED)

    old_handlers = _handle_signals(end)
    try:
        yield
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)


def raise_on_signal() -> None:
    """Make signals raise `KeyboardInterrupt`, for work that needs clean-up."""
    signal_time = -math.inf

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal signal_time
        earlier_time, signal_time = signal_time, time.monotonic()
        # A repeated signal must not interrupt the clean-up.
        if signal_time - earlier_time >= _REPEAT_SECONDS:
            raise KeyboardInterrupt

    _handle_signals(interrupt)


def ignore_signals() -> None:
    """Ignore signals from now on, because the remaining steps must not be interrupted."""
    _handle_signals(signal.SIG_IGN)


def _handle_signals(handler: _Handler) -> dict[int, _Handler]:
    """Set a handler for all signals that `nohup` has not disabled, and return the old handlers."""
    if threading.current_thread() is not threading.main_thread():
        return {}  # only the main thread can set handlers
    disabled_handlers = (None, signal.SIG_IGN)
    active = [number for number in _SIGNALS if signal.getsignal(number) not in disabled_handlers]
    return {number: signal.signal(number, handler) for number in active}


# -- Qt is loaded only by commands that need Qt, and only if Qt would not abort the process --------


_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}  # additional shared libraries that Qt needs under X11, with their Debian packages


class NoQtError(Exception):
    """An error that says why Qt cannot start, and what to do."""


def require_qt(*, window: bool) -> None:
    """Raise `NoQtError` if Qt is not installed or would abort the process."""
    if sentence := find_qt_problem(window=window):
        raise NoQtError(sentence)
    gc.disable()  # the application collects garbage itself, between events
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        remedy = "install it: pip install PySide6-Essentials"
        raise NoQtError(with_remedy(f"Qt cannot be loaded ({reason(error)})", remedy)) from None
    # Restore Python's `import`. PySide replaces it with a function that searches every imported
    # module for feature switches, which this program does not use. The search takes 1 % of the
    # start-up time.
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def find_qt_problem(*, window: bool) -> str:
    """Return why Qt cannot start, or an empty string if it can start.

    If `window` is false, Qt only needs to draw images.
    """
    if not sys.platform.startswith("linux"):
        return ""
    platform, _, _ = os.environ.get("QT_QPA_PLATFORM", "").partition(":")
    is_x11_unused = platform in ("offscreen", "minimal") or os.environ.get("WAYLAND_DISPLAY")
    is_x11_needed = window and not is_x11_unused
    libraries = _LIBRARIES | _X11_LIBRARIES if is_x11_needed else _LIBRARIES
    if packages := [package for name, package in libraries.items() if not can_load(name)]:
        remedy = f"run: sudo apt-get install {' '.join(packages)}"
        return with_remedy("libraries that Qt needs are missing", remedy)
    if not is_x11_needed:
        return ""
    if not (display := os.environ.get("DISPLAY")):
        remedy = "set DISPLAY, or draw pictures without a display: pe-explorer render --help"
        return with_remedy("there is no display", remedy)
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    has_failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    problem = f"no display responds at DISPLAY={display}"
    return with_remedy(problem, "set DISPLAY to another display") if has_failed else ""


def can_load(library: str) -> bool:
    """Return whether a shared library can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
