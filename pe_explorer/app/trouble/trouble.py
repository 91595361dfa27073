"""What nobody caught: it is logged and told in a dialog, and the window lives on."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
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
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.trouble.log import Log, origin, versions

__all__ = ["Trouble", "TroubleDialog"]

_LISTEN = 1000  # milliseconds between two looks for what came from a thread
_QUIET = 60.0  # seconds for which the same is not told again, once the dialog is closed
_MOST_TEXTS = 5  # different exceptions that one dialog shows in full
_MOST_CHARACTERS = 20_000  # of each
_SENTENCE = "Something went wrong in PE Explorer that should not."
_KEPT = (
    "What you have set up is still there and is being kept, and you can go on. "
    "If it comes again, save under another name and send us the details below."
)
_NOT_KEPT = (
    "What you have set up is still there, but it is not being kept: save it under another name "
    "before you go on. "
    "If it comes again, send us the details below."
)

_Hook = Callable[..., Any]


class Trouble(QObject):
    """Hears of every exception that nobody caught, in any thread, until it is closed.

    Python calls the hooks where the exception happens: perhaps in a paint event, sixty times
    a second, perhaps in another thread. There it is only logged and counted; the dialog is
    opened from the event loop, which looks now and then for what came from a thread.
    """

    def __init__(self, app: QApplication, folder: Path | None) -> None:
        """Log into `folder` and set the hooks."""
        super().__init__(app)
        self.log = Log(folder)
        self.dialog: TroubleDialog | None = None
        self.kept = False
        """Whether what is unsaved is being kept: the program says so."""
        self._lock = threading.Lock()
        self._count, self._seen, self._texts = (
            0,
            set[str](),
            list[str](),
        )  # since a dialog was closed
        self._called = self._silent = False
        self._quiet: dict[str, float] = {}
        self._timer = QTimer(self, singleShot=True, interval=_LISTEN)
        self._timer.timeout.connect(self._tell)
        self._timer.start()
        self._theirs: tuple[_Hook, _Hook, _Hook] = (
            sys.excepthook,
            threading.excepthook,
            sys.unraisablehook,
        )
        self._ours: tuple[_Hook, _Hook, _Hook] = (self._uncaught, self._in_thread, self._unraisable)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._ours

    @Slot(bool)
    def set_kept(self, kept: bool) -> None:
        """Set `kept`."""
        self.kept = kept

    def close(self) -> None:
        """Put the hooks and the log back as they were; the dialog goes."""
        self._silent = True
        self._timer.stop()
        for owner, name, ours, theirs in zip(
            (sys, threading, sys),
            ("excepthook", "excepthook", "unraisablehook"),
            self._ours,
            self._theirs,
            strict=True,
        ):
            if getattr(owner, name) == ours:
                setattr(owner, name, theirs)
        if self.dialog is not None and shiboken6.isValid(self.dialog):
            self.dialog.close()
        self.log.close()

    # -- hooks, in the thread where it happened --------------------------------------------------

    def _uncaught(
        self, kind: type[BaseException], value: BaseException, where: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            self._theirs[0](kind, value, where)
            return
        self._hear("an exception that nobody caught", kind, value, where)

    def _in_thread(self, args: threading.ExceptHookArgs) -> None:
        if issubclass(args.exc_type, KeyboardInterrupt | SystemExit):
            self._theirs[1](args)
            return
        name = args.thread.name if args.thread else "that has ended"
        self._hear(
            f"an exception that nobody caught, in the thread {name}",
            args.exc_type,
            args.exc_value,
            args.exc_traceback,
        )

    def _unraisable(self, args: Any) -> None:
        """Log what Python cannot raise, such as an exception while an object is deleted.

        Nothing is lost by it.
        """
        try:
            text = f"{args.err_msg or 'Exception ignored in'}: {type(args.object).__name__}"
            _logger.error("%s", text, exc_info=(args.exc_type, args.exc_value, args.exc_traceback))
        except Exception:
            self._theirs[2](args)

    def _hear(
        self,
        what: str,
        kind: type[BaseException],
        value: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        try:
            _logger.error(what, exc_info=(kind, value, where))  # type: ignore[arg-type]
            key = origin(kind, where)
            if self._silent or time.monotonic() < self._quiet.get(key, 0.0):
                return
            with self._lock:
                self._count += 1
                if key not in self._seen and len(self._texts) < _MOST_TEXTS:
                    self._texts.append(
                        "".join(traceback.format_exception(kind, value, where))[-_MOST_CHARACTERS:]
                    )
                self._seen.add(key)
                called, self._called = self._called, True
            if not called and threading.current_thread() is threading.main_thread():
                self._timer.start(0)
        except Exception:  # a hook that raises helps nobody
            sys.__excepthook__(kind, value or kind(), where)

    # -- the dialog, in the GUI thread -----------------------------------------------------------

    @Slot()
    def _tell(self) -> None:
        with self._lock:
            called, self._called = self._called, False
            count, texts = self._count, list(self._texts)
        if self._silent:
            return
        self._timer.start(_LISTEN)
        if (
            not called or not count
        ):  # nothing new, or all was told by the dialog that was closed meanwhile
            return
        try:
            if self.dialog is None or not shiboken6.isValid(self.dialog):
                self.dialog = TroubleDialog(_main_window(), self.log.place, self.kept)
                self.dialog.finished.connect(self._closed)
                self.dialog.open()
            self.dialog.tell(texts, count)
        except Exception:
            self._silent = True  # a dialog that fails would be told in a dialog
            _logger.exception("the dialog of an exception could not be shown")

    @Slot()
    def _closed(self) -> None:
        self.dialog = None
        with self._lock:
            self._quiet.update(dict.fromkeys(self._seen, time.monotonic() + _QUIET))
            self._count, self._seen, self._texts = 0, set(), []


class TroubleDialog(QDialog):
    """Says that something went wrong, and what a person can do; with the details to send."""

    def __init__(self, parent: QWidget | None, log: Path | str, kept: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("PE Explorer: something went wrong")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._log = log
        self._texts: list[str] = []
        self.sentence = QLabel(_SENTENCE, wordWrap=True)
        bold = self.sentence.font()
        bold.setBold(True)
        self.sentence.setFont(bold)
        self.advice = QLabel(_KEPT if kept else _NOT_KEPT, wordWrap=True)
        self.details = QPlainTextEdit(
            readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap, tabChangesFocus=True
        )
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setAccessibleName("Details")
        self.more = QLabel()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy &details", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setToolTip("Copy the details, to paste them into a message.")
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        icon = QLabel()
        size = self.style().pixelMetric(QStyle.PixelMetric.PM_MessageBoxIconSize)
        icon.setPixmap(
            self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning).pixmap(size)
        )
        said = QVBoxLayout()
        said.addWidget(self.sentence)
        said.addWidget(self.advice)
        top = QHBoxLayout()
        top.setSpacing(14)
        top.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(said, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self.details, 1)
        layout.addWidget(self.more)
        layout.addWidget(buttons)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()
        self.resize(680, 420)

    def tell(self, texts: list[str], count: int) -> None:
        """Show exceptions in full, and how many there were in all."""
        if texts != self._texts:
            self._texts = texts
            built = "\n".join(f"{name}: {value}" for name, value in versions().items())
            self.details.setPlainText("\n".join((*texts, built, f"log: {self._log}")))
        self.more.setText(f"…and {count - 1:,} more." if count > 1 else "")

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self.details.toPlainText())
        self.copy.setText("&Details copied")


def _main_window() -> QWidget | None:
    """Return the main window that is active, or any that is shown."""
    shown = [
        window
        for window in QApplication.topLevelWidgets()
        if isinstance(window, QMainWindow) and window.isVisible()
    ]
    return next(
        (window for window in shown if window.isActiveWindow()), shown[0] if shown else None
    )


_logger = logging.getLogger(__name__)
