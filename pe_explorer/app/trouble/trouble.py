"""Unexpected errors: each is logged and shown in a dialog, and the window lives on."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.trouble.log import Log, origin, versions
from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.messages import without_icons

logger = logging.getLogger(__name__)

_LOOK_INTERVAL = 1000  # milliseconds between two looks for exceptions of other threads
_QUIET_TIME = 60.0  # seconds after the dialog in which an exception is not shown again
_MOST_TEXTS = 5  # different exceptions that one dialog shows in full
_MOST_CHARACTERS = 20_000  # of an exception
_SENTENCE = "An unexpected error occurred in PE Explorer."
_BACKED_UP = (
    "Your exploration is still open and is being backed up, so you can go on. If the error "
    "occurs again, save under another name and send us the details below."
)
_NOT_BACKED_UP = (
    "Your exploration is still open, but it is not being backed up: save it under another name "
    "before you go on. If the error occurs again, send us the details below."
)


class _Hook:
    """One of Python's hooks, replaced until it is restored."""

    def __init__(self, owner: Any, name: str, function: Callable[..., Any]) -> None:
        self._owner, self._name, self._function = owner, name, function
        self.former = getattr(owner, name)
        setattr(owner, name, function)

    def restore(self) -> None:
        """Restore the former hook, unless another one has replaced ours."""
        if getattr(self._owner, self._name) == self._function:
            setattr(self._owner, self._name, self.former)


@dataclass
class _ErrorReport:
    """The exceptions since the last dialog was closed."""

    count: int = 0
    origins: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    """The first few that differ, in full."""
    pending: bool = False
    """Whether some of them are not shown yet."""


class Trouble(QObject):
    """Receives every exception that is not caught, in any thread, until it is closed.

    Python calls the hooks where the exception happens: perhaps in a paint event, sixty times
    a second, perhaps in another thread. There it is only logged and counted; the dialog is
    opened from the event loop, which looks now and then for what came from a thread.
    """

    def __init__(self, app: QApplication, folder: Path | None) -> None:
        """Log to `folder`, and set the hooks."""
        super().__init__(app)
        self.log = Log(folder)
        self.dialog: TroubleDialog | None = None
        self.backed_up = False
        """Whether unsaved changes are being backed up."""
        self._lock = threading.Lock()
        self._report = _ErrorReport()
        self._quiet: dict[str, float] = {}
        """Until when exceptions are not shown, by their origin."""
        self._silent = False
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_INTERVAL)
        self._timer.timeout.connect(self._show)
        self._timer.start()
        self._main_hook = _Hook(sys, "excepthook", self._receive_uncaught)
        self._thread_hook = _Hook(threading, "excepthook", self._receive_of_thread)
        self._unraisable_hook = _Hook(sys, "unraisablehook", self._receive_unraisable)

    @Slot(bool)
    def set_backed_up(self, backed_up: bool) -> None:
        """Set `backed_up`."""
        self.backed_up = backed_up

    def close(self) -> None:
        """Restore the hooks and the log, and close the dialog."""
        self._silent = True
        self._timer.stop()
        for hook in (self._main_hook, self._thread_hook, self._unraisable_hook):
            hook.restore()
        if self.dialog is not None and shiboken6.isValid(self.dialog):
            self.dialog.close()
        self.log.close()

    # -- hooks, in the thread where it happened --------------------------------------------------

    def _receive_uncaught(
        self, kind: type[BaseException], error: BaseException, where: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            self._main_hook.former(kind, error, where)
        else:
            self._receive("an exception that was not caught", kind, error, where)

    def _receive_of_thread(self, args: threading.ExceptHookArgs) -> None:
        if issubclass(args.exc_type, KeyboardInterrupt | SystemExit):
            self._thread_hook.former(args)
            return
        name = args.thread.name if args.thread else "that has ended"
        message = f"an exception that was not caught, in the thread {name}"
        self._receive(message, args.exc_type, args.exc_value, args.exc_traceback)

    def _receive_unraisable(self, args: Any) -> None:
        """Log what Python cannot raise, such as an exception while an object is deleted."""
        try:
            where = args.err_msg or "Exception ignored in"
            text = f"{where}: {type(args.object).__name__}"
            exception = (args.exc_type, args.exc_value, args.exc_traceback)
            logger.error("%s", text, exc_info=exception)
        except Exception:
            self._unraisable_hook.former(args)

    def _receive(
        self,
        message: str,
        kind: type[BaseException],
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Log an exception, and note it for the dialog."""
        try:
            logger.error(message, exc_info=(kind, error, where))  # type: ignore[arg-type]
            key = origin(kind, where)
            quiet_until = self._quiet.get(key, 0.0)
            if self._silent or time.monotonic() < quiet_until:
                return
            with self._lock:
                report = self._report
                report.count += 1
                if key not in report.origins and len(report.texts) < _MOST_TEXTS:
                    text = "".join(traceback.format_exception(kind, error, where))
                    report.texts.append(text[-_MOST_CHARACTERS:])
                report.origins.add(key)
                is_first, report.pending = not report.pending, True
            if is_first and threading.current_thread() is threading.main_thread():
                self._timer.start(0)
        except Exception:  # a hook that raises helps nobody
            sys.__excepthook__(kind, error or kind(), where)

    # -- the dialog, in the GUI thread -----------------------------------------------------------

    @Slot()
    def _show(self) -> None:
        """Show pending errors, in a new dialog or the open one."""
        if self._silent:
            return
        self._timer.start(_LOOK_INTERVAL)
        with self._lock:
            pending, self._report.pending = self._report.pending, False
            count, texts = self._report.count, list(self._report.texts)
        if not pending:
            return
        try:
            if self.dialog is None or not shiboken6.isValid(self.dialog):
                self.dialog = TroubleDialog(_main_window(), self.log.place, self.backed_up)
                self.dialog.finished.connect(self._forget_dialog)
                self.dialog.open()
            self.dialog.show_exceptions(texts, count)
        except Exception:
            self._silent = True  # else the failure of a dialog would be shown in a dialog
            logger.exception("the dialog of an exception could not be shown")

    @Slot()
    def _forget_dialog(self) -> None:
        """Begin a new report; errors that were shown are not shown again for a while."""
        self.dialog = None
        with self._lock:
            until = time.monotonic() + _QUIET_TIME
            self._quiet.update(dict.fromkeys(self._report.origins, until))
            self._report = _ErrorReport()


class TroubleDialog(QDialog):
    """Says that an error occurred and what to do about it, with the details to send."""

    def __init__(self, parent: QWidget | None, log: Path | str, backed_up: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("PE Explorer: unexpected error")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._log = log
        self._texts: list[str] = []
        self.sentence = QLabel(_SENTENCE, wordWrap=True)
        embolden(self.sentence)
        self.advice = QLabel(_BACKED_UP if backed_up else _NOT_BACKED_UP, wordWrap=True)
        self.details = QPlainTextEdit(
            readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap, tabChangesFocus=True
        )
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setAccessibleName("Details")
        self.more = QLabel()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(buttons)
        self.copy = buttons.addButton("Copy &details", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setToolTip("Copy the details, to paste them into a message.")
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        self._arrange(buttons)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()
        self.resize(680, 420)

    def _arrange(self, buttons: QDialogButtonBox) -> None:
        style = self.style()
        size = style.pixelMetric(QStyle.PixelMetric.PM_MessageBoxIconSize)
        warning = style.standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning)
        icon = QLabel(pixmap=warning.pixmap(size))
        top = QGridLayout()
        top.setHorizontalSpacing(14)
        top.addWidget(icon, 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.sentence, 0, 1)
        top.addWidget(self.advice, 1, 1)
        top.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self.details, 1)
        layout.addWidget(self.more)
        layout.addWidget(buttons)

    def show_exceptions(self, texts: list[str], count: int) -> None:
        """Show exceptions in full, and how many there were in all."""
        if texts != self._texts:
            self._texts = texts
            lines = [f"{name}: {value}" for name, value in versions().items()]
            lines.append(f"log: {self._log}")
            self.details.setPlainText("\n".join((*texts, *lines)))
        more = f"…and {count - 1:,} more." if count > 1 else ""
        self.more.setText(more)

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self.details.toPlainText())
        self.copy.setText("&Details copied")


def _main_window() -> QWidget | None:
    """Return the main window that is active, or any that is visible."""
    windows = [
        window
        for window in QApplication.topLevelWidgets()
        if isinstance(window, QMainWindow) and window.isVisible()
    ]
    active = [window for window in windows if window.isActiveWindow()]
    return next(iter(active + windows), None)
