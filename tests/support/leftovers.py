"""Detection of windows, timers, threads and files in the real home that tests left behind."""

import gc
import threading
from pathlib import Path

REAL_HOME = Path.home()


def at_home(folder, monkeypatch):
    """Redirect settings, caches and proposed file names to a folder."""
    from PySide6.QtCore import QSettings, QStandardPaths

    # This module copies the environment when it is imported, so conftest must set it first.
    from tests.support.processes import home_in

    QStandardPaths.setTestModeEnabled(True)
    for name, value in home_in(folder).items():
        monkeypatch.setenv(name, value)
    for file_format in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(file_format, QSettings.Scope.UserScope, str(folder / "settings"))


def settings_files():
    """Return the files of the program in the real home."""
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
    # A thread of Qt that ran Python code remains in the list as a dummy.
    threads = threading.enumerate()
    return found | {each for each in threads if not isinstance(each, threading._DummyThread)}


def described(thing):
    parent = getattr(thing, "parent", None)
    return f"{thing!r} of {parent()!r}" if callable(parent) else repr(thing)


def leave_windows():
    """Close the main windows that a failed test left open.

    If an open window were collected, the process would crash, because Qt sends events to views
    whose Python objects are gone.
    """
    from PySide6.QtWidgets import QApplication

    from pe_explorer.app.window.main_window import MainWindow

    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow):
            widget.leave()
            widget.deleteLater()


def clear_up():
    """Delete objects that are marked for deletion or belong to reference cycles.

    Undo stacks are emptied first, because otherwise Python and Qt may both delete the steps of a
    history.
    """
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QUndoStack
    from shiboken6 import getAllValidWrappers

    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for thing in getAllValidWrappers():
        if type(thing) is QUndoStack:
            thing.clear()
    gc.collect(1)  # objects of a test are young, because nothing is collected before
    QCoreApplication.processEvents()
