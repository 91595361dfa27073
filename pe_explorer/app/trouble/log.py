"""The log of a run: a file that stays small and that several windows share, where possible."""

import faulthandler
import logging
import os
import platform
import sys
import time
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

_NAME = "pe-explorer.log"
_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_MOST_BYTES, _OLD_FILES = 1_000_000, 2
_TIMES_IN_FULL = 3  # of one message; later ones are counted
_COUNTS_TO_LOG = frozenset(10**k for k in range(1, 12))  # of one message
_MOST_KINDS = 1000
_TAIL_BYTES = 1 << 16


class Log(logging.Handler):
    """Writes Python's log to `<folder>/log/pe-explorer.log` and to stderr, until it is closed.

    The same message is written in full a few times, and then only counted. What ends the process
    at once, such as a segmentation fault, leaves a traceback in `crash.log` beside it. Without a
    folder, or where it cannot be written, there is only stderr.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self._counts: dict[str, int] = {}
        self._targets: list[logging.Handler] = []
        place = folder / "log" if folder else None
        self._file = _LogFile(place / _NAME) if place else None
        if self._file:
            self._targets.append(self._file)
        if sys.stderr:  # a program without a console has none
            console = logging.StreamHandler()
            console.setLevel(logging.WARNING)
            self._targets.append(console)
        logging.getLogger().addHandler(self)
        built_on = [f"{name} {version}" for name, version in versions().items()]
        start = ", ".join(built_on)
        self._write(logging.INFO, f"start: {start}")
        self._crashes = _open_crash_log(place / CRASHES) if place else None

    @property
    def place(self) -> Path | str:
        """The file, or a sentence with the reason why there is none."""
        if self._file is None:
            return (
                "No log is written, because no folder is set; messages go to the standard error "
                "output only."
            )
        return self._file.problem or Path(self._file.baseFilename)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it if the same was written a few times."""
        try:
            key = _key(record)
            if len(self._counts) > _MOST_KINDS:
                self._counts.clear()
            count = self._counts.get(key, 0) + 1
            self._counts[key] = count
            if count <= _TIMES_IN_FULL:
                self._pass_on(record)
            elif count in _COUNTS_TO_LOG:
                text = f"occurred {count:,} times so far: {key}"
                self._write(record.levelno, text)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Write how often messages came that were only counted, and stop writing."""
        logging.getLogger().removeHandler(self)
        for key, count in self._counts.items():
            if count > _TIMES_IN_FULL:
                text = f"occurred {count:,} times in all: {key}"
                self._write(logging.INFO, text)
        self._counts.clear()
        for target in self._targets:
            with suppress(OSError):
                target.close()
        if self._crashes:
            faulthandler.disable()
            with suppress(OSError):
                self._crashes.close()
            self._crashes = None
        super().close()

    def _write(self, level: int, text: str) -> None:
        record = logging.LogRecord("pe_explorer", level, __file__, 0, text, None, None)
        self._pass_on(record)

    def _pass_on(self, record: logging.LogRecord) -> None:
        for target in self._targets:
            if record.levelno >= target.level:
                target.handle(record)


class _LogFile(RotatingFileHandler):
    """Writes to a file if it can; if not, `problem` says why, and the next record is tried."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            maxBytes=_MOST_BYTES,
            backupCount=_OLD_FILES,
            delay=True,
            encoding="utf-8",
            errors="backslashreplace",
        )
        self.setFormatter(logging.Formatter(_FORMAT))
        self.problem = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.problem = ""
        super().emit(record)

    def doRollover(self) -> None:
        """Begin a new file, or go on in this one while another process holds it or begins one."""
        with suppress(OSError):
            super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Note what the system refuses; print what is wrong with the record."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        self.problem = (
            f"No log is written, because {self.baseFilename} cannot be written ({reason(error)}); "
            "messages go to the standard error output only. Make the folder writable or free "
            "some space."
        )
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()

    def _open(self) -> TextIOWrapper:
        _prepare(Path(self.baseFilename))
        return super()._open()


def _prepare(path: Path) -> None:
    """Make the folder of a file; raise `OSError` if it is something else, such as a pipe."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # opening a pipe could take for ever
        raise OSError("it is not a file")


def _open_crash_log(path: Path) -> TextIOWrapper | None:
    """Let crashes leave their tracebacks in a file, which is returned.

    None if they go elsewhere already, or the file cannot be opened.
    """
    if faulthandler.is_enabled():
        return None
    try:
        _prepare(path)
        too_large = path.exists() and path.stat().st_size > _MOST_BYTES
        file = open(path, "w" if too_large else "a", encoding="utf-8")  # noqa: SIM115 - stays open
    except OSError:
        return None
    now = time.strftime("%Y-%m-%d %H:%M:%S")
    line = f"{now} start of {os.getpid()}, PE Explorer {__version__}"
    with suppress(OSError):
        print(line, file=file, flush=True)
    faulthandler.enable(file)
    return file


def _key(record: logging.LogRecord) -> str:
    """Return what records of the same kind share: an exception's origin, or the plain message."""
    kind, _, traceback = record.exc_info or (None, None, None)
    return origin(kind, traceback) if kind else str(record.msg)


def origin(kind: type[BaseException], traceback: TracebackType | None) -> str:
    """Return an exception's type, where it was raised, and where that was called from."""
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(traceback)]
    if not places:
        return kind.__name__
    called = f", called at {places[0]}" if len(places) > 1 else ""
    return f"{kind.__name__} raised at {places[-1]}{called}"


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
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError as error:
        return f"{path} cannot be read ({reason(error)})."
    return "\n".join(text.splitlines()[-lines:])
