"""Unexpected errors: each is logged and shown in a dialog, and the window lives on."""

import logging
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
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

_QUIET_TIME = 60.0  # seconds after the dialog in which an exception is not shown again
_MOST_TEXTS = 5  # different exceptions that one dialog shows in full
_MOST_CHARACTERS = 20_000  # of an exception
_BACKED_UP = (
    "Your exploration is still open and is being backed up, so you can go on. If the error "
    "occurs again, save under another name and send us the details below."
)
_NOT_BACKED_UP = (
    "Your exploration is still open, but it is not being backed up: save it under another name "
    "before you go on. If the error occurs again, send us the details below."
)


class Trouble(QObject):
    """Receives every exception that is not caught, in any thread, until it is closed.

    Python calls the hooks where the exception happens: perhaps in a paint event, sixty times
    a second, perhaps in another thread. There it is only logged; the dialog is opened from the
    event loop.
    """

    _caught = Signal(str, str)

    def __init__(self, app: QApplication, folder: Path | None) -> None:
        """Log to `folder`, and set the hooks."""
        super().__init__(app)
        self.log = Log(folder)
        self.dialog: TroubleDialog | None = None
        self.backed_up = False
        """Whether unsaved changes are being backed up."""
        self._is_silent = False
        self._count = 0
        self._texts: dict[str, str] = {}
        """The exceptions that the dialog shows, by their origins."""
        self._quiet: dict[str, float] = {}
        """Until when exceptions are not shown, by their origins."""
        self._caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._receive
        threading.excepthook = self._receive_of_thread
        sys.unraisablehook = self._receive_unraisable

    @Slot(bool)
    def set_backed_up(self, backed_up: bool) -> None:
        """Set `backed_up`."""
        self.backed_up = backed_up

    def close(self) -> None:
        """Restore the hooks and the log, and close the dialog."""
        self._is_silent = True
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        if self.dialog is not None:
            self.dialog.close()
        self.log.close()

    # -- hooks, in the thread where it happened --------------------------------------------------

    def _receive(
        self,
        kind: type[BaseException],
        error: BaseException | None,
        where: TracebackType | None,
        thread: str = "",
    ) -> None:
        """Log an exception, and have it shown."""
        if not issubclass(kind, Exception):  # such as Ctrl-C
            self._hooks[0](kind, error or kind(), where)
            return
        try:
            message = f"an exception that was not caught{thread}"
            logger.error(message, exc_info=(kind, error, where))  # type: ignore[arg-type]
            text = "".join(traceback.format_exception(kind, error, where))
            self._caught.emit(origin(kind, where), text[-_MOST_CHARACTERS:])
        except Exception:  # a hook that raises helps nobody
            sys.__excepthook__(kind, error or kind(), where)

    def _receive_of_thread(self, args: threading.ExceptHookArgs) -> None:
        if issubclass(args.exc_type, Exception):
            thread = f", in the thread {getattr(args.thread, 'name', 'that has ended')}"
            self._receive(args.exc_type, args.exc_value, args.exc_traceback, thread)
        else:
            self._hooks[1](args)

    def _receive_unraisable(self, args: Any) -> None:
        """Log what Python cannot raise, such as an exception while an object is deleted."""
        where = args.err_msg or "Exception ignored in"
        exception = (args.exc_type, args.exc_value, args.exc_traceback)
        logger.error(f"{where}: {type(args.object).__name__}", exc_info=exception)

    # -- the dialog, in the GUI thread -----------------------------------------------------------

    @Slot(str, str)
    def _show(self, key: str, text: str) -> None:
        """Show an exception, in a new dialog or the open one."""
        if self._is_silent or time.monotonic() < self._quiet.get(key, 0.0):
            return
        self._is_silent = True  # for ever if this fails, or it would be shown by what failed
        self._count += 1
        self._texts.setdefault(key, text)
        if self.dialog is None:
            windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMainWindow)]
            shown = filter(QWidget.isVisible, windows)
            window = max(shown, key=QWidget.isActiveWindow, default=None)
            self.dialog = TroubleDialog(window, self.log.place, self.backed_up)
            self.dialog.finished.connect(self._forget_dialog)
            self.dialog.open()
        self.dialog.show_exceptions([*self._texts.values()][:_MOST_TEXTS], self._count)
        self._is_silent = False

    @Slot()
    def _forget_dialog(self) -> None:
        """Begin a new report; errors that were shown are not shown again for a while."""
        self.dialog = None
        self._quiet |= dict.fromkeys(self._texts, time.monotonic() + _QUIET_TIME)
        self._texts, self._count = {}, 0


class TroubleDialog(QDialog):
    """Says that an error occurred and what to do about it, with the details to send."""

    def __init__(self, parent: QWidget | None, log: Path | str, backed_up: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("PE Explorer: unexpected error")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._log = log
        self._texts: list[str] = []
        warning = self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning)
        size = self.style().pixelMetric(QStyle.PixelMetric.PM_MessageBoxIconSize)
        sentence = QLabel("An unexpected error occurred in PE Explorer.", wordWrap=True)
        embolden(sentence)
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
        top = QGridLayout()
        top.setHorizontalSpacing(14)
        icon = QLabel(pixmap=warning.pixmap(size))
        top.addWidget(icon, 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        top.addWidget(sentence, 0, 1)
        top.addWidget(self.advice, 1, 1)
        top.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.addLayout(top)
        layout.addWidget(self.details, 1)
        layout.addWidget(self.more)
        layout.addWidget(buttons)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()
        self.resize(680, 420)

    def show_exceptions(self, texts: list[str], count: int) -> None:
        """Show exceptions in full, and how many there were in all."""
        if texts != self._texts:
            self._texts = texts
            lines = [f"{name}: {value}" for name, value in versions().items()]
            self.details.setPlainText("\n".join((*texts, *lines, f"log: {self._log}")))
        self.more.setText(f"…and {count - 1:,} more." if count > 1 else "")

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self.details.toPlainText())
        self.copy.setText("&Details copied")
