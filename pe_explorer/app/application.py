"""The application: Qt set up in one place, with a clean way out."""

import ctypes
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import (
    QMessageLogContext,
    QTimer,
    QtMsgType,
    Signal,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon, QPixmapCache
from PySide6.QtWidgets import QApplication

from pe_explorer import __version__, caching
from pe_explorer.assets import asset
from pe_explorer.widgets.pasting import Pasting
from pe_explorer.widgets.theme import apply_theme, use_shipped_font, use_system_font

_PIXMAP_KILOBYTES = 2048  # Qt would cache 10 MB, mostly of buttons in dialogs that were closed
_CACHED_AT_REST = 1 << 19  # bytes of each cache that are kept when nothing happens
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # some of which Windows lacks
_ENDING_SIGNALS = tuple(getattr(signal, name) for name in _SIGNAL_NAMES if hasattr(signal, name))

# Of malloc.h; to set one threshold keeps glibc from raising them all.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGE_BLOCK = 1 << 20  # bytes: pictures of panes, whose holes would be filled by small blocks
_FREE_RESERVE = 64 << 20  # bytes that stay at the end, so that no frame has to ask for them again


_c_library = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
_glibc = _c_library if hasattr(_c_library, "malloc_trim") else None


class Application(QApplication):
    """Qt's application with this program's theme, which a signal can end.

    It collects Python's garbage now and then, in this thread and between events. Left to itself the
    collector may delete a Qt object while another is being connected, or in the worker's thread:
    the first can lock the process up, the second crash it.
    """

    display_lost = Signal()
    """The X server has ended, and so does the process as soon as this signal is handled."""

    def __init__(self, theme: str = "system") -> None:
        # Pictures and tables of numbers of all sizes come and go. By default glibc soon puts blocks
        # of up to 32 MB between small ones that stay, gives every thread a heap of its own, and
        # returns only what is free at the end of a heap. After some thousand changes more is free
        # than in use.
        if _glibc:  # before Qt begins threads
            _glibc.mallopt(_ARENA_MAX, 1)
            _glibc.mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK)
            _glibc.mallopt(_TRIM_THRESHOLD, _FREE_RESERVE)
        super().__init__(sys.argv[:1])
        self.setApplicationName("pe-explorer")
        self.setApplicationDisplayName("PE Explorer")
        self.setApplicationVersion(__version__)
        pg.setConfigOptions(imageAxisOrder="row-major", antialias=False)
        QPixmapCache.setCacheLimit(_PIXMAP_KILOBYTES)
        self.theme = theme
        gc.disable()
        self._counts, self._is_trimmed = gc.get_count(), True
        self._timer = QTimer(self, interval=1000)  # milliseconds
        self._timer.timeout.connect(self._collect)
        self._timer.start()
        self.aboutToQuit.connect(self._timer.stop)
        self._pasting = Pasting(self)
        self._system_font = self.font()
        use_shipped_font(self)
        apply_theme(self, theme)
        self.styleHints().colorSchemeChanged.connect(self._follow_system)

    def identify(self) -> None:
        """Tell the desktop the program's icon, and its menu entry; take its font on a screen."""
        if self.platformName() not in {"offscreen", "minimal"}:
            use_system_font(self, self._system_font)
        self.setDesktopFileName("org.pe_explorer.pe_explorer")
        self.setWindowIcon(QIcon(str(asset("icons/app.svg"))))

    def handle_signals(self, leave: Callable[[], None]) -> None:
        """Let Ctrl-C, a plain kill and a closing terminal end the event loop after `leave`.

        Python's handlers run only when Qt lets them: when garbage is collected, at the latest.
        """
        self._leave = leave
        for number in _ENDING_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` has it
                signal.signal(number, lambda *_: QTimer.singleShot(0, self._quit))

    @Slot()
    def _quit(self) -> None:
        self._leave()
        self.quit()

    def set_theme(self, theme: str) -> None:
        self.theme = theme
        apply_theme(self, theme)

    @Slot()
    def _follow_system(self) -> None:
        apply_theme(self, self.theme)

    @Slot()
    def _collect(self) -> None:
        """Collect garbage; when idle, shrink caches and return free memory to the system."""
        counts, limits = gc.get_count(), gc.get_threshold()
        due = [generation for generation in range(3) if counts[generation] > limits[generation]]
        if due:
            gc.collect(due[-1])  # the oldest, with all that are younger
        is_at_rest = counts == self._counts  # nothing was made or freed since the last time
        self._counts = gc.get_count()
        if is_at_rest and not self._is_trimmed:
            caching.shrink_all(_CACHED_AT_REST)
            if _glibc:
                _glibc.malloc_trim(0)  # takes some milliseconds
        self._is_trimmed = is_at_rest


_IGNORED_MESSAGES = ("This plugin does not support propagateSizeHints()",)

_LEVELS = {
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_qt_messages() -> None:
    """Send Qt's warnings, without its noise, to Python's log (to stderr while there is none)."""
    qInstallMessageHandler(_log)


def _log(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if message in _IGNORED_MESSAGES:
        return
    text = f"Qt: {message}"
    if kind in _LEVELS:
        # Not as an argument: records with equal templates count as the same.
        logging.getLogger(__name__).log(_LEVELS[kind], text)
        app = QApplication.instance()
        if message.startswith("The X11 connection broke") and isinstance(app, Application):
            app.display_lost.emit()
            os._exit(1)  # as Qt would, but its exit() crashes at times beside its own threads
    elif sys.stderr:  # the user has asked Qt for it, such as by QT_DEBUG_PLUGINS
        print(text, file=sys.stderr)
