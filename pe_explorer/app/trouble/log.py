"""The log of a run: a file that stays small, that several windows may share, and that may be
impossible to write.
"""

from __future__ import annotations

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
from typing import IO

import numpy as np
import pyqtgraph as pg
import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from pe_explorer import __version__
from pe_explorer.params import reason

__all__ = ["CRASHES", "Log", "origin", "tail", "versions"]

CRASHES = "crash.log"
"""What ends the process at once leaves its traceback in this file, beside the log."""

_NAME = "pe-explorer.log"
_MOST_BYTES, _OLD_FILES = 1_000_000, 2
_FEW = 3  # times that the same is written in full
_ROUND = frozenset(10**k for k in range(1, 12))
"""Counts that are worth a line, once the same came more than a few times."""
_MOST_KINDS = 1000
_TAIL_BYTES = 1 << 16


class Log:
    """Python's log, into `<folder>/log/pe-explorer.log` and on stderr, from its making until it is
    closed.

    What ends the process at once, such as a segmentation fault, leaves a traceback in
    `crash.log` beside it. Without a folder, or where it cannot be written, stderr is all.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = _File(folder / "log" / _NAME) if folder else None
        targets: list[logging.Handler] = []
        if self._file:
            self._file.setFormatter(
                logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
            )
            targets.append(self._file)
        if sys.stderr:  # a program without a console has none
            targets.append(logging.StreamHandler())
            targets[-1].setLevel(logging.WARNING)
        self._handler = _Few(targets)
        logging.getLogger().addHandler(self._handler)
        self._handler.handle(
            _record(
                logging.INFO,
                "start: " + ", ".join(f"{name} {value}" for name, value in versions().items()),
            )
        )
        self._crashes = _open_crashes(folder / "log" / CRASHES) if folder else None

    @property
    def place(self) -> Path | str:
        """The file, or a sentence that says why there is none."""
        if self._file is None:
            return (
                "No log is written, because no folder is set; messages go to the standard error "
                "output only."
            )
        return self._file.problem or Path(self._file.baseFilename)

    def close(self) -> None:
        """Stop writing; everything is as it was before."""
        logging.getLogger().removeHandler(self._handler)
        with suppress(OSError):
            self._handler.close()
        if self._crashes:
            faulthandler.disable()
            with suppress(OSError):
                self._crashes.close()
            self._crashes = None


class _File(RotatingFileHandler):
    """Writes to a file if it can, and otherwise says why not and tries again with the next
    record.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            maxBytes=_MOST_BYTES,
            backupCount=_OLD_FILES,
            delay=True,
            encoding="utf-8",
            errors="backslashreplace",
        )
        self.problem = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; afterwards `problem` says whether that failed."""
        self.problem = ""
        super().emit(record)

    def doRollover(self) -> None:
        """Begin a new file, or go on in this one where another process holds it or has just done
        so.
        """
        with suppress(OSError):
            super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Keep what the system says for `problem`; what is wrong with the record goes to stderr."""
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
        path = Path(self.baseFilename)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # to open a pipe could take for ever
            raise OSError("it is not a file")
        return super()._open()


class _Few(logging.Handler):
    """Passes records on: of those that are the same the first few, and then how often they came."""

    def __init__(self, targets: list[logging.Handler]) -> None:
        super().__init__()
        self._targets = targets
        self._counts: dict[str, int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on, or count it."""
        try:
            key = _key(record)
            if len(self._counts) > _MOST_KINDS:
                self._counts.clear()
            count = self._counts[key] = self._counts.get(key, 0) + 1
            if count <= _FEW:
                self._pass_on(record)
            elif count in _ROUND:
                self._pass_on(_record(record.levelno, f"came {count:,} times so far: {key}"))
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Say how often each came that was not written every time, and close the targets."""
        for key, count in self._counts.items():
            if count > _FEW:
                self._pass_on(_record(logging.INFO, f"came {count:,} times in all: {key}"))
        for target in self._targets:
            target.close()
        super().close()

    def _pass_on(self, record: logging.LogRecord) -> None:
        for target in self._targets:
            if record.levelno >= target.level:
                target.handle(record)


def _record(level: int, text: str) -> logging.LogRecord:
    return logging.LogRecord("pe_explorer", level, __file__, 0, text, None, None)


def _key(record: logging.LogRecord) -> str:
    """Return what a record shares with those that are the same.

    Where its exception comes from, or its text without numbers.
    """
    kind, _, traceback = record.exc_info or (None, None, None)
    return origin(kind, traceback) if kind else str(record.msg)


def origin(kind: type[BaseException], traceback: TracebackType | None) -> str:
    """Return where an exception comes from.

    Its type, where it was raised and where that was called from.
    """
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(traceback)]
    called = f", called at {places[0]}" if len(places) > 1 else ""
    return f"{kind.__name__} raised at {places[-1]}{called}" if places else kind.__name__


def _open_crashes(path: Path) -> IO[str] | None:
    """Let hard crashes leave their tracebacks in a file, unless somebody has them already or it
    cannot be opened.
    """
    if faulthandler.is_enabled():
        return None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            return None
        mode = "w" if path.exists() and path.stat().st_size > _MOST_BYTES else "a"
        file = open(path, mode, encoding="utf-8")  # noqa: SIM115 - it stays open
    except OSError:
        return None
    try:
        file.write(
            f"{time.strftime('%Y-%m-%d %H:%M:%S')} start of {os.getpid()}, "
            f"PE Explorer {__version__}\n"
        )
        file.flush()
        faulthandler.enable(file)
    except OSError:
        with suppress(OSError):
            file.close()
        return None
    return file


def versions() -> dict[str, str]:
    """Return the versions of the program, of what it is built on, and of the system."""
    return {
        "PE Explorer": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "PySide6": f"{PySide6.__version__} (Qt {qVersion()})",
        "pyqtgraph": pg.__version__,
        "System": platform.platform(),
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
