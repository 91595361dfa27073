"""The application: Qt set up in one place, with a clean way out."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

import pyqtgraph as pg
from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QTimer,
    QtMsgType,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from pe_explorer import __version__
from pe_explorer.widgets.theme import apply_theme

_COLLECT = 1000  # milliseconds

__all__ = ["Application", "hear_qt"]


class Application(QApplication):
    """Qt's application, dressed, that a signal can end."""

    def __init__(self, theme: str = "system") -> None:
        super().__init__(sys.argv[:1])
        self.setApplicationName("pe-explorer")
        self.setApplicationDisplayName("PE Explorer")
        self.setApplicationVersion(__version__)
        pg.setConfigOptions(imageAxisOrder="row-major", antialias=False)
        self.theme = theme
        self._collector = _Collector(self)
        apply_theme(self, theme)
        self.styleHints().colorSchemeChanged.connect(self._follow_system)

    def handle_signals(self, leave: Callable[[], None]) -> None:
        """Let Ctrl-C and a plain kill end the event loop after `leave`."""
        self._signals = _Signals(self, leave)

    def set_theme(self, theme: str) -> None:
        """Dress in another theme: system, light or dark."""
        self.theme = theme
        apply_theme(self, theme)

    @Slot()
    def _follow_system(self) -> None:
        apply_theme(self, self.theme)


class _Collector(QObject):
    """Collects Python's garbage now and then, in this thread and between events.

    Left to itself the collector may delete a Qt object while another is being connected, or
    in the worker's thread: the first can lock the process up, the second crash it.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        gc.disable()
        self._timer = QTimer(self, interval=_COLLECT)
        self._timer.timeout.connect(self._collect)
        self._timer.start()
        app.aboutToQuit.connect(self._timer.stop)

    @Slot()
    def _collect(self) -> None:
        counts, limits = gc.get_count(), gc.get_threshold()
        oldest = max((g for g in range(3) if counts[g] > limits[g]), default=None)
        if oldest is not None:
            gc.collect(oldest)


class _Signals(QObject):
    """Ends the event loop on Ctrl-C or a plain kill.

    Python's handlers run only when Qt lets them.
    """

    def __init__(self, app: QApplication, leave: Callable[[], None]) -> None:
        super().__init__(app)
        self._leave = leave
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _note)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._quit)
        app.aboutToQuit.connect(self._close)

    @Slot()
    def _quit(self) -> None:
        self._notifier.setEnabled(False)
        self._leave()
        QApplication.quit()

    @Slot()
    def _close(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for end in (self._ours, self._theirs):
            end.close()


def _note(number: int, frame: FrameType | None) -> None:
    """Do nothing: that the signal came is written to the socket."""


_NOISE = ("This plugin does not support propagateSizeHints()",)
"""What Qt says of the platform without a display, for every window."""


_LEVELS = {
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def hear_qt() -> None:
    """Let Qt's warnings go to Python's log (to stderr as long as there is none), without its
    noise.
    """
    qInstallMessageHandler(_pass_on)


def _pass_on(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if message in _NOISE:
        return
    if kind in _LEVELS:
        logging.getLogger(__name__).log(
            _LEVELS[kind], f"Qt: {message}"
        )  # not as an argument: equal templates count as the same
    elif sys.stderr:  # somebody has asked Qt for it, such as by QT_DEBUG_PLUGINS
        print(f"Qt: {message}", file=sys.stderr)
