"""What counts as a fault, and the file that it is written to at once: the process may die of it."""

import faulthandler
import json
import os
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

_CANNOT = "This plugin does not support "
_ALLOWED = {
    f"{_CANNOT}propagateSizeHints()": "the platform without a display has no window manager",
    f"{_CANNOT}raise()": "nor an order of windows",
    f"{_CANNOT}grabbing the mouse": "nor a mouse",
    f"{_CANNOT}grabbing the keyboard": "nor a keyboard",
    f"{_CANNOT}QPlatformServices::openDocument()": "nor programs that open folders",
    "edit: ": "Qt's own file chooser, asked by its menu to rename what cannot be renamed",
    "QAbstractItemView::commitData called with an editor that does not belong to this view": (
        "the same, of a name that is being changed while another file is chosen"
    ),
    "Keyboard event not accepted by receiving widget": "a key that means nothing there",
    "stat() failed for '": "Qt's own file chooser, of a typed name that is too long",
    "Could not remove our own lock file": "of a folder that somebody cleans up, which is mended",
}
"""How that which Qt may say begins, each with the reason why it is no fault."""
_MESSAGES = {
    QtMsgType.QtWarningMsg: "warning",
    QtMsgType.QtCriticalMsg: "critical",
    QtMsgType.QtFatalMsg: "fatal",
}
_MOST_CHARACTERS = 6000

NOTHING = "nothing"
"""What is planted for items that must find nothing, where others of the same process do."""

Planted = AbstractContextManager[Any]
"""What is in place for some items."""


class Faults:
    """Writes down what must not happen: a line of JSON for each, with the number of the event.

    The events, or the items of another part, come into a journal that outlives a crash. The
    process ends where one of them takes longer than `patience`, in seconds, if that is given.
    """

    def __init__(self, path: Path, journal: Path | None = None, patience: float = 0.0) -> None:
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        self._journal = open(journal or os.devnull, "ab", buffering=0)  # noqa: SIM115
        self._patience = patience
        self._event = 0
        self._renewal = 0.0
        self.wait_anew()

    @property
    def event(self) -> int:
        """The number of the event that is under way; 0 before the first."""
        return self._event

    @event.setter
    def event(self, number: int) -> None:
        self._event = number
        self._journal.write(f"\n{number} ".encode())
        self.wait_anew()

    def items(
        self,
        seed: str,
        size: int,
        plant: Sequence[str] = (),
        planted: Callable[[str], Planted] = nullcontext,
    ) -> Iterator[tuple[int, Random]]:
        """Begin so many items, one after the other: yield number and random numbers of each.

        What is planted is there one after the other, each for its share of the items.
        """
        for number in range(1, size + 1):
            self.event = number
            name = plant[(number - 1) * len(plant) // size] if plant else NOTHING
            with nullcontext() if name == NOTHING else planted(name):
                yield number, Random(f"{seed} {number}")

    def say(self, words: str) -> None:
        """Write into the journal what the event is going to do."""
        text = f"{' '.join(words.split())} "
        self._journal.write(text.encode(errors="backslashreplace"))

    def wait_anew(self) -> None:
        """Let the patience begin, within a twentieth of it: something has happened."""
        now = time.monotonic()
        if self._patience and now >= self._renewal:  # as each time makes a thread
            faulthandler.dump_traceback_later(self._patience, exit=True)
            self._renewal = now + self._patience / 20

    def add(self, what: str, details: str = "", *, unsure: bool = False) -> None:
        """Note a fault; one that is unsure counts only if it comes again."""
        record = {"event": self.event, "what": what, "details": details[-_MOST_CHARACTERS:]}
        record |= {"unsure": True} if unsure else {}
        self._file.write(json.dumps(record).encode() + b"\n")

    def add_exception(self, where: str, error: BaseException) -> None:
        """Note an exception that nobody caught."""
        text = "".join(traceback.format_exception(error))
        self.add(f"{type(error).__name__} {where}: {str(error)[:200]}", text)

    def listen(self) -> None:
        """Hear of exceptions, Qt's messages and Python's warnings, beside those who did before."""
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._in_thread
        sys.unraisablehook = self._unraisable
        self._handler = qInstallMessageHandler(self._message)
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"pyqtgraph.*")
        warnings.showwarning = self._warning

    def _uncaught(self, kind: type, value: BaseException, where: TracebackType | None) -> None:
        self.add_exception("that nobody caught", value)
        self._hooks[0](kind, value, where)

    def _in_thread(self, args: threading.ExceptHookArgs) -> None:
        self.add_exception("that nobody caught, in a thread", args.exc_value or args.exc_type())
        self._hooks[1](args)

    def _unraisable(self, args: Any) -> None:
        where = f"that cannot be raised, {args.err_msg or ''} {type(args.object).__name__}"
        self.add_exception(where, args.exc_value or args.exc_type())
        self._hooks[2](args)

    def _message(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind in _MESSAGES and not message.startswith(tuple(_ALLOWED)):
            self.add(f"Qt's {_MESSAGES[kind]}: {message}", _stack())
        if self._handler:
            self._handler(kind, context, message)

    def _warning(self, message: Warning | str, category: type, file: str, line: int, *_: Any):
        self.add(f"{category.__name__}: {message}", f"{file}:{line}\n{_stack()}")

    # -- at the end ----------------------------------------------------------------------------

    def expect(self, what: str, found: int, most: int, details: str = "") -> None:
        """Note a fault where there is more of something than there may be."""
        if found > most:
            self.add(f"{found} {what}, more than {most}", details)

    def expect_no_parts(self, folder: Path) -> None:
        """Note a fault for each partial file that was left behind."""
        for path in sorted(folder.rglob("*.part")):
            self.add(f"a partial file was left: {path.name}")


def memory(which: str = "VmRSS") -> int:
    """Return the memory that the process has, or had at most (VmHWM), in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (found,) = (line for line in lines if line.startswith(which))
    return int(found.split()[1]) // 1024


def _stack() -> str:
    return "".join(traceback.format_stack(limit=14)[:-2])
