"""The detection of faults, which are written immediately, because the process may crash."""

import faulthandler
import json
import sys
import threading
import time
import traceback
import warnings
from contextlib import nullcontext
from pathlib import Path
from random import Random

from PySide6.QtCore import qInstallMessageHandler

from pe_explorer.params import ParameterError

_CANNOT = "This plugin does not support "
_HARMLESS_MESSAGES = {
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
"""The beginnings of harmless messages of Qt, each with the reason."""
_MAX_CHARACTERS = 6000
NOTHING = "nothing"  # planted, in addition to faults, for items that must report nothing


class Faults:
    """A recorder of faults, which writes one line of JSON with the number of the event.

    Events, or items of another part, are written to a journal that survives a crash. The process
    ends if one of them takes longer than `patience` seconds.
    """

    def __init__(self, path, journal, patience):
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        self._journal = open(journal, "ab", buffering=0)  # noqa: SIM115
        self._patience = patience
        self.in_sentences = (ParameterError, OSError)  # errors that a worker reports
        self.event = 0
        self._renewal = 0.0
        self.wait_anew()

    def begin(self, number):
        self.event = number
        self._journal.write(f"\n{number} ".encode())
        self.wait_anew()

    def items(self, seed, size, plant=(), plants=None):
        """Yield the number and the random numbers of each item.

        Each name in `plant` is planted in a share of the items by a context manager of `plants`.
        """
        for number in range(1, size + 1):
            self.begin(number)
            name = plant[(number - 1) * len(plant) // size] if plant else NOTHING
            with nullcontext() if name == NOTHING else plants[name]():
                yield number, Random(f"{seed} {number}")

    def say(self, words):
        text = f"{' '.join(words.split())} "
        self._journal.write(text.encode(errors="backslashreplace"))

    def wait_anew(self):
        """Restart the timeout after progress, at most once per twentieth of `patience`."""
        now = time.monotonic()
        if now >= self._renewal:  # because each restart creates a thread
            faulthandler.dump_traceback_later(self._patience, exit=True)
            self._renewal = now + self._patience / 20

    def add(self, what, details="", *, unsure=False):
        record = {"event": self.event, "what": what, "details": details[-_MAX_CHARACTERS:]}
        self._file.write(json.dumps(record | {"unsure": unsure}).encode() + b"\n")

    def add_exception(self, where, error):
        text = "".join(traceback.format_exception(error))
        self.add(f"{type(error).__name__} {where}: {str(error)[:200]}", text)

    def receive_failure(self, owner, error):
        """Record the failure of a worker as a fault, unless the program reports it itself."""
        if not isinstance(error, self.in_sentences):
            self.add_exception(f"in the worker, for {owner}", error)

    def expect(self, what, found, most, details=""):
        if found > most:
            self.add(f"{found} {what}, more than {most}", details)

    def expect_no_parts(self, folder):
        for path in sorted(folder.rglob("*.part")):
            self.add(f"a partial file was left: {path.name}")

    def listen(self):
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._in_thread
        sys.unraisablehook = self._unraisable
        self._handler = qInstallMessageHandler(self._message)
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"pyqtgraph.*")
        warnings.showwarning = self._warning

    def _uncaught(self, kind, value, where):
        self.add_exception("that nobody caught", value)
        self._hooks[0](kind, value, where)

    def _in_thread(self, args):
        self.add_exception("that nobody caught, in a thread", args.exc_value or args.exc_type())
        self._hooks[1](args)

    def _unraisable(self, args):
        where = f"that cannot be raised, {args.err_msg or ''} {type(args.object).__name__}"
        self.add_exception(where, args.exc_value or args.exc_type())
        self._hooks[2](args)

    def _message(self, kind, context, message):
        name = kind.name.removeprefix("Qt").removesuffix("Msg").lower()
        is_bad = name in ("warning", "critical", "fatal")
        if is_bad and not message.startswith(tuple(_HARMLESS_MESSAGES)):
            self.add(f"Qt's {name}: {message}", "".join(traceback.format_stack(limit=14)))
        if self._handler:
            self._handler(kind, context, message)

    def _warning(self, message, category, file, line, *_):
        stack = "".join(traceback.format_stack(limit=14))
        self.add(f"{category.__name__}: {message}", f"{file}:{line}\n{stack}")


def memory(which="VmRSS"):
    """Return the memory of the process in MB: the current value, or the maximum (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (found,) = (line for line in lines if line.startswith(which))
    return int(found.split()[1]) // 1024


def growth(used):
    """Return the growth of the minimum memory from the third to the last quarter of measurements.

    Earlier measurements are ignored, because caches fill. Single measurements are higher while a
    worker has arrays.
    """
    half, rest = (len(used) - 1) // 2, 3 * len(used) // 4
    return min(used[rest:]) - min(used[half:rest])
