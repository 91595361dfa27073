"""The Qt application: set-up, garbage collection, signals and Qt's messages."""

import ctypes
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable

from PySide6.QtCore import QTimer, QtMsgType, Signal, Slot, qInstallMessageHandler
from PySide6.QtGui import QIcon, QPixmapCache
from PySide6.QtWidgets import QApplication

from pe_explorer import __version__, caching
from pe_explorer.assets import find_asset
from pe_explorer.widgets.pasting import PasteHandler
from pe_explorer.widgets.theme import apply_theme, use_program_font, use_system_font

_PIXMAP_CACHE_KILOBYTES = 2048  # Qt's default of 10 MB would mostly hold images of closed dialogs
_MAX_IDLE_CACHE_BYTES = 1 << 19  # maximum size of each cache while the program is idle
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows does not have all of these signals

# Parameters of `mallopt`. Setting any threshold stops glibc from adapting all thresholds.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_MIN_MAPPED_BYTES = 1 << 20  # larger blocks are mapped separately, to leave no gaps in the heap
_RESERVED_BYTES = 64 << 20  # free memory that stays reserved for the next frame

_c_library = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
_glibc = _c_library if hasattr(_c_library, "malloc_trim") else None

TITLE = "PE Explorer: positional encodings"
"""The end of window titles, which Qt also appends to the titles of dialogs. The title describes
the purpose, because a Windows tool for executables is also called PE Explorer."""


class Application(QApplication):
    """The Qt application with the program's theme.

    Python's garbage is collected periodically, in the GUI thread and between events,
    because automatic collection may delete a Qt object while another one is being
    connected. Such a deletion can block the process or, in a worker's thread, crash it.
    """

    display_lost = Signal()
    """Emitted when the X server has ended; the process ends once the signal is handled."""

    def __init__(self, theme: str = "system") -> None:
        # The program often allocates and frees arrays of all sizes. By default, glibc places blocks
        # of up to 32 MB among small long-lived blocks, gives every thread a separate heap, and
        # returns free memory to the system only at the end of a heap. After several thousand
        # changes, the process would hold more free memory than it uses.
        if _glibc:  # must happen before Qt starts threads
            _glibc.mallopt(_M_ARENA_MAX, 1)
            _glibc.mallopt(_M_MMAP_THRESHOLD, _MIN_MAPPED_BYTES)
            _glibc.mallopt(_M_TRIM_THRESHOLD, _RESERVED_BYTES)
        super().__init__(sys.argv[:1])
        self.setApplicationName("pe-explorer")
        self.setApplicationDisplayName(TITLE)
        self.setApplicationVersion(__version__)
        QPixmapCache.setCacheLimit(_PIXMAP_CACHE_KILOBYTES)
        self.theme = theme
        gc.disable()
        self._gc_counts, self._is_trimmed = gc.get_count(), True
        self._timer = QTimer(self, interval=1000)  # milliseconds
        self._timer.timeout.connect(self._collect_garbage)
        self._timer.start()
        self.aboutToQuit.connect(self._timer.stop)
        self._paste_handler = PasteHandler(self)
        self._system_font = self.font()
        use_program_font(self)
        self._apply_theme()
        self.styleHints().colorSchemeChanged.connect(self._apply_theme)

    def set_desktop_identity(self) -> None:
        """Set the icon and the desktop entry; on a real screen, also set the system font."""
        if self.platformName() not in {"offscreen", "minimal"}:
            use_system_font(self, self._system_font)
        self.setDesktopFileName("org.pe_explorer.pe_explorer")
        self.setWindowIcon(QIcon(str(find_asset("icons/app.svg"))))

    def handle_signals(self, leave: Callable[[], None]) -> None:
        """Call `leave` and end the event loop on Ctrl-C, SIGTERM or a closed terminal.

        Python runs its signal handlers between events, at the latest when garbage is collected
        next.
        """
        self._leave = leave
        for name in _SIGNAL_NAMES:
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` sets SIG_IGN
                signal.signal(number, lambda *_: QTimer.singleShot(0, self._quit))

    @Slot()
    def _quit(self) -> None:
        self._leave()
        self.quit()

    def set_theme(self, theme: str) -> None:
        self.theme = theme
        self._apply_theme()

    @Slot()
    def _apply_theme(self) -> None:
        apply_theme(self, self.theme)

    @Slot()
    def _collect_garbage(self) -> None:
        counts, limits = gc.get_count(), gc.get_threshold()
        generations = [n for n in range(3) if counts[n] > limits[n]]
        if generations:
            gc.collect(generations[-1])  # includes all younger generations
        is_idle = counts == self._gc_counts  # no object was allocated or freed since the last call
        self._gc_counts = gc.get_count()
        if is_idle and not self._is_trimmed:
            caching.shrink_all(_MAX_IDLE_CACHE_BYTES)
            if _glibc:
                _glibc.malloc_trim(0)  # only when idle, because this takes some milliseconds
        self._is_trimmed = is_idle


_LOG_LEVELS = {
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_qt_messages() -> None:
    """Send Qt's warnings to Python's log and other messages to stderr; drop known noise."""
    qInstallMessageHandler(_log)


def _log(kind: QtMsgType, _message_context: object, message: str) -> None:
    if message == "This plugin does not support propagateSizeHints()":
        return
    text = f"Qt: {message}"
    if kind in _LOG_LEVELS:
        # Format the message here, because the log counts records with equal templates as repeats.
        logging.getLogger(__name__).log(_LOG_LEVELS[kind], text)
        app = QApplication.instance()
        if message.startswith("The X11 connection broke") and isinstance(app, Application):
            app.display_lost.emit()
            os._exit(1)  # Qt calls exit(), which may crash while other threads run
    elif sys.stderr:  # the user enabled this output, for example with QT_DEBUG_PLUGINS
        print(text, file=sys.stderr)
