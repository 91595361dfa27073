"""Unexpected errors: each error is logged and shown in a dialog, and the window stays open."""

import faulthandler
import logging
import platform
import sys
import threading
import time
import traceback
from collections import Counter
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import pyqtgraph as pg
import PySide6
from PySide6.QtCore import QObject, Qt, Signal, Slot, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import __version__
from pe_explorer.app.document.backups import Autosave
from pe_explorer.params import reason
from pe_explorer.widgets.dialogs import remove_icons

logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)  # each start is logged

_FORMAT = "%(asctime)s %(process)d %(threadName)s %(levelname)s %(name)s: %(message)s%(repeated)s"
_MAX_REPEATS = 3  # number of times that a repeated message is always written
_QUIET_TIME = 60.0  # seconds during which the same error stays hidden after the dialog is closed
_MAX_CHARACTERS = 20_000  # maximum length of a traceback in the dialog
_ADVICE = (
    "<p><b>An unexpected error occurred in PE Explorer.</b></p>Your exploration is still open{}. "
    "If the error occurs again, save the session under another name and send us the details below."
)
_SAFE_ADVICE = " and is being backed up, so you can continue"
_UNSAFE_ADVICE = ", but it is not being backed up; save it under another name before you continue"


class Log(logging.Handler):
    """The log, written to `<folder>/log/pe-explorer.log`, with warnings also on stderr.

    A repeated message is written three times, then at its 10th, 100th, … occurrence. A crash, such
    as a segmentation fault, leaves a traceback in `crash.log`, which the next start moves to the
    log. If the folder cannot be written, only stderr is used.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self.location: Path | str = "No log is written, because no folder is configured."
        """The path of the log, or the reason why no log is written."""
        self._message_counts: Counter[str] = Counter()
        self._crash_file: BinaryIO | None = None
        self._handlers: list[logging.Handler] = [logging.StreamHandler()]
        self._handlers[0].setLevel(logging.WARNING)
        logging.getLogger().addHandler(self)
        if not folder:
            return
        path = folder / "log" / "pe-explorer.log"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = _LogFile(path, "a", 1_000_000, 2, "utf-8", errors="backslashreplace")
            file.setFormatter(logging.Formatter(_FORMAT))
            self._handlers.append(file)
            self.location = path
            logger.info("start: " + ", ".join(map(" ".join, list_versions().items())))
            if not faulthandler.is_enabled():
                self._crash_file = path.with_name("crash.log").open("ab+")
                faulthandler.enable(self._crash_file)
                self._crash_file.seek(0)
                if text := self._crash_file.read().decode("utf-8", "replace"):
                    logger.info(f"traceback of an earlier crash:\n{text}")
                    self._crash_file.truncate(0)
        except OSError as error:
            self.location = (
                f"No log is written, because {path} cannot be written ({reason(error)}). "
                "Make the folder writable or free some disk space."
            )

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or omit it if the message has been repeated too often; see `Log`."""
        kind, _, trace = record.exc_info or (None, None, None)
        key = _find_origin(kind, trace) if kind else str(record.msg)
        self._message_counts[key] += 1
        count = self._message_counts[key]
        if count <= _MAX_REPEATS or str(count).rstrip("0") == "1":
            record.repeated = f" ({count:,} times so far)" if count > _MAX_REPEATS else ""
            for handler in self._handlers:
                if record.levelno >= handler.level:
                    handler.handle(record)

    def close(self) -> None:
        logging.getLogger().removeHandler(self)
        for handler in self._handlers:
            with suppress(OSError):  # the disk may be full
                handler.close()
        if self._crash_file:
            faulthandler.disable()
            self._crash_file.close()
        super().close()


class _LogFile(RotatingFileHandler):
    def doRollover(self) -> None:
        """Begin a new file, or keep the current one while another process uses it."""
        with suppress(OSError):
            super().doRollover()


def list_versions() -> dict[str, str]:
    """Return the versions of the program, of its libraries and of the system."""
    return {
        "PE Explorer": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "PySide6": f"{PySide6.__version__} (Qt {qVersion()})",
        "pyqtgraph": pg.__version__,
        "System": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Platform plugin": QGuiApplication.platformName() or "none",
    }


class ErrorHandler(QObject):
    """A handler for every uncaught exception in any thread, until it is closed.

    The hooks only write to the log in `folder`, because Python calls them where an exception
    occurs, for example in another thread or in a paint event sixty times a second. The event loop
    opens the dialog.
    """

    _error_caught = Signal(str, str)

    def __init__(self, app: QApplication, folder: Path | None) -> None:
        super().__init__(app)
        self.log = Log(folder)
        self.dialog: ReportDialog | None = None
        self.autosave: Autosave | None = None  # the backups of unsaved changes
        self._is_silent = False
        self._error_counts: Counter[str] = Counter()  # number of errors in the dialog, by origin
        self._quiet_ends: dict[str, float] = {}  # monotonic time in seconds, by origin of an error
        self._error_caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._old_hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._receive
        threading.excepthook = self._receive_in_thread
        sys.unraisablehook = self._receive_unraisable

    def close(self) -> None:
        """Restore the original hooks, and close the dialog and the log."""
        self._is_silent = True
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._old_hooks
        if self.dialog is not None:
            self.dialog.close()
        self.log.close()

    def _receive(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if not issubclass(kind, Exception):  # such as `KeyboardInterrupt`
            self._old_hooks[0](kind, error, trace)
            return
        logger.error("uncaught exception", exc_info=(kind, error, trace))
        text = "".join(traceback.format_exception(kind, error, trace))
        self._error_caught.emit(_find_origin(kind, trace), text[-_MAX_CHARACTERS:])

    def _receive_in_thread(self, args: Any) -> None:
        self._receive(*args[:3])

    def _receive_unraisable(self, args: Any) -> None:
        """Log an exception that Python cannot raise, such as an error in a finaliser."""
        message = args.err_msg or "Exception ignored in"
        logger.error(f"{message}: {type(args.object).__name__}", exc_info=args[:3])

    @Slot(str, str)
    def _show(self, key: str, text: str) -> None:
        if self._is_silent or time.monotonic() < self._quiet_ends.get(key, 0.0):
            return
        self._is_silent = True  # stays set on failure, because showing the error would fail too
        if self.dialog is None:
            widgets = filter(QWidget.isVisible, QApplication.topLevelWidgets())
            windows = [widget for widget in widgets if isinstance(widget, QMainWindow)]
            window = max(windows, key=QWidget.isActiveWindow, default=None)
            is_backed_up = self.autosave is not None and self.autosave.can_write_backups
            advice = _ADVICE.format(_SAFE_ADVICE if is_backed_up else _UNSAFE_ADVICE)
            report = (
                "\n".join(map(": ".join, list_versions().items())) + f"\nlog: {self.log.location}"
            )
            title = "PE Explorer: unexpected error"
            self.dialog = ReportDialog(window, title, advice, "details", report)
            self.dialog.finished.connect(self._forget_dialog)
            self.dialog.open()
        self._error_counts[key] += 1
        if self._error_counts[key] == 1:
            self.dialog.report.appendPlainText(f"\n{text}")
        if self._error_counts.total() > 1:
            self.dialog.count_label.setText(f"…and {self._error_counts.total() - 1:,} more.")
        self._is_silent = False

    @Slot()
    def _forget_dialog(self) -> None:
        """Forget the closed dialog, and hide its errors for `_QUIET_TIME`."""
        self.dialog = None
        end = time.monotonic() + _QUIET_TIME
        self._quiet_ends |= dict.fromkeys(self._error_counts, end)
        self._error_counts.clear()


def _find_origin(kind: type[BaseException], trace: TracebackType | None) -> str:
    """Return an exception's type and its innermost and outermost frames as text."""
    lines = [f"{frame.f_code.co_filename}:{line}" for frame, line in traceback.walk_tb(trace)]
    return " ".join([kind.__name__, *lines[-1:], *lines[:1]])


class ReportDialog(QDialog):
    """A dialog that shows a message and a report that the user can copy."""

    def __init__(
        self, parent: QWidget | None, title: str, text: str, name: str, report: str
    ) -> None:
        """Create a dialog; `name` is the text of the button that copies the report."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QLabel(text, wordWrap=True)
        self.report = QPlainTextEdit(report, readOnly=True, tabChangesFocus=True)
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report.setAccessibleName(name.capitalize())
        self.count_label = QLabel()  # the number of further errors
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        remove_icons(buttons)
        self.copy_button = buttons.addButton(f"Copy &{name}", buttons.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.text, self.report, self.count_label, buttons):
            layout.addWidget(widget)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()
        self.resize(680, 420)

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self.report.toPlainText())
        self.copy_button.setText("&Copied")
