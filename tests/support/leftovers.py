"""What a test must not leave behind: windows, timers, threads and files in the real home."""

import gc
import threading
from pathlib import Path

REAL_HOME = Path.home()


def at_home(folder, monkeypatch):
    """Let settings, caches and proposed file names lie in a folder."""
    from PySide6.QtCore import QSettings, QStandardPaths

    # It copies the environment when it is first imported: after conftest has set that.
    from tests.support.processes import home_in

    QStandardPaths.setTestModeEnabled(True)
    for name, value in home_in(folder).items():
        monkeypatch.setenv(name, value)
    for file_format in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(file_format, QSettings.Scope.UserScope, str(folder / "settings"))


def settings_files():
    """Return what the program could have left in the real home."""
    folders = (".", ".config", ".local/share", ".local/state", ".cache", ".qttest")
    pattern = "*[pP][eE]?[eE]xplorer*"
    return {path for folder in folders for path in (REAL_HOME / folder).glob(pattern)}


def running():
    import shiboken6
    from PySide6.QtCore import QThread, QThreadPool, QTimer
    from PySide6.QtWidgets import QApplication

    found = set(QApplication.topLevelWidgets())
    for wrapper in (*shiboken6.getAllValidWrappers(), QThreadPool.globalInstance()):
        if isinstance(wrapper, QTimer):
            busy = wrapper.isActive()
        elif isinstance(wrapper, QThreadPool):
            busy = wrapper.activeThreadCount() > 0
        elif isinstance(wrapper, QThread):
            busy = wrapper.isRunning() and wrapper is not QThread.currentThread()
        else:
            continue
        if busy:
            found.add(wrapper)
    # A thread of Qt in which Python ran stays in the list as a dummy.
    threads = threading.enumerate()
    return found | {each for each in threads if not isinstance(each, threading._DummyThread)}


def described(thing):
    parent = getattr(thing, "parent", None)
    return f"{thing!r} of {parent()!r}" if callable(parent) else repr(thing)


def leave_windows():
    """Leave the main windows that are open, which a failed test has not come to.

    Collected while it is open, a window would end the process: Qt tells its views that they are
    hidden after Python has cleared them.
    """
    from PySide6.QtWidgets import QApplication

    from pe_explorer.app.window.main_window import MainWindow

    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow):
            widget.leave()
            widget.deleteLater()


def clear_up():
    """Delete what is marked for it, and what only cycles hold.

    Of a history that a test made for a model alone, Python may delete the steps before their stack,
    and Qt once more with it: the stack is emptied first.
    """
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QUndoStack
    from shiboken6 import getAllValidWrappers

    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for thing in getAllValidWrappers():
        if type(thing) is QUndoStack:
            thing.clear()
    gc.collect(1)  # what a test makes stays young, as nothing is collected while it runs
    QCoreApplication.processEvents()
