"""The log of a run: a file that stays small and that several windows share, where possible."""

import faulthandler
import logging
import os
import platform
import sys
import time
from collections import Counter
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

import numpy as np
import pyqtgraph as pg
import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from pe_explorer import __version__
from pe_explorer.params import reason

CRASHES = "crash.log"
"""Name of the file, beside the log, for the traceback of what ends the process at once."""

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_MOST_BYTES = 1_000_000
_TIMES_IN_FULL = 3  # of one message; later ones are counted
_INSTEAD = "messages go to the standard error output only."


class Log(RotatingFileHandler):
    """Writes Python's log to `<folder>/log/pe-explorer.log` and to stderr, until it is closed.

    The same message is written in full a few times, and then only counted. What ends the process
    at once, such as a segmentation fault, leaves a traceback in `crash.log` beside it. Without a
    folder, or where it cannot be written, there is only stderr.
    """

    def __init__(self, folder: Path | None) -> None:
        path = folder / "log" / "pe-explorer.log" if folder else os.devnull
        super().__init__(path, "a", _MOST_BYTES, 2, "utf-8", delay=True, errors="backslashreplace")
        self.setFormatter(logging.Formatter(_FORMAT))
        self._console = logging.StreamHandler()
        self._counts: Counter[str] = Counter()
        self._has_folder = folder is not None
        self._crashes = None
        logging.getLogger().addHandler(self)
        self._note(logging.INFO, "start: " + ", ".join(map(" ".join, versions().items())))
        if folder and not faulthandler.is_enabled():
            self._crashes = _open_crash_log(folder / "log" / CRASHES)

    @property
    def place(self) -> Path | str:
        """The file, or a sentence with the reason why there is none."""
        if not self._has_folder:
            return f"No log is written, because no folder is set; {_INSTEAD}"
        return self._problem or Path(self.baseFilename)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it if the same was written a few times."""
        kind, _, where = record.exc_info or (None, None, None)
        key = origin(kind, where) if kind else str(record.msg)
        self._counts[key] += 1
        count = self._counts[key]
        if count <= _TIMES_IN_FULL:
            self._write(record)
        elif str(count).rstrip("0") == "1":  # 10, 100, 1000 ...
            self._note(record.levelno, f"occurred {count:,} times so far: {key}")

    def close(self) -> None:
        """Write how often messages came that were only counted, and stop writing."""
        logging.getLogger().removeHandler(self)
        for key, count in self._counts.items():
            if count > _TIMES_IN_FULL:
                self._note(logging.INFO, f"occurred {count:,} times in all: {key}")
        self._counts.clear()
        if self._crashes:
            faulthandler.disable()
            self._crashes.close()
            self._crashes = None
        super().close()

    def _note(self, level: int, text: str) -> None:
        self._write(logging.LogRecord("pe_explorer", level, __file__, 0, text, None, None))

    def _write(self, record: logging.LogRecord) -> None:
        self._problem = ""
        super().emit(record)
        if sys.stderr and record.levelno >= logging.WARNING:  # without a console there is none
            self._console.emit(record)

    def doRollover(self) -> None:
        """Begin a new file, or go on in this one while another process holds it or begins one."""
        with suppress(OSError):
            super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Note what the system refuses, until the next record; print what is wrong with this."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        self._problem = (
            f"No log is written, because {self.baseFilename} cannot be written ({reason(error)}); "
            f"{_INSTEAD} Make the folder writable or free some space."
        )
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        return super()._open()


def _open_crash_log(path: Path) -> TextIOWrapper | None:
    """Let crashes leave their tracebacks in a file; return it, None if it cannot be written."""
    try:
        too_large = path.exists() and path.stat().st_size > _MOST_BYTES
        file = open(path, "w" if too_large else "a", encoding="utf-8")  # noqa: SIM115 - stays open
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        print(f"{now} start of {os.getpid()}, PE Explorer {__version__}", file=file, flush=True)
    except OSError:
        return None
    faulthandler.enable(file)
    return file


def origin(kind: type[BaseException], traceback: TracebackType | None) -> str:
    """Return an exception's type, where it was raised, and where that was called from."""
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(traceback)]
    raised = f" raised at {places[-1]}" if places else ""
    called = f", called at {places[0]}" if len(places) > 1 else ""
    return f"{kind.__name__}{raised}{called}"


def versions() -> dict[str, str]:
    """Return the versions of the program, of what it is built on, and of the system."""
    return {
        "PE Explorer": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "PySide6": f"{PySide6.__version__} (Qt {qVersion()})",
        "pyqtgraph": pg.__version__,
        "System": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Platform plugin": QGuiApplication.platformName() or "none",
    }


def tail(path: Path, lines: int = 50) -> str:
    """Return the last lines of a text file, or why it cannot be read."""
    try:
        end = path.read_bytes()[-65_536:].decode("utf-8", "replace")
    except OSError as error:
        return f"{path} cannot be read ({reason(error)})."
    return "\n".join(end.splitlines()[-lines:])
