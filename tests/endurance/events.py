"""The part that sends random events to the window, and looks at what remains of it."""

import gc
import resource
import sys
import threading

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.settings.settings import state_folder
from pe_explorer.app.trouble.trouble import Trouble
from tests.endurance.desk import Desk
from tests.endurance.driver import MOST_MEMORY, Driver
from tests.endurance.faults import memory
from tests.endurance.freezes import longest_turn
from tests.endurance.tree import OWN, record, recorded, tree, unasked
from tests.support.leftovers import described, running

_LARGEST_FILE = 48 << 20  # bytes: what is larger fails, as on a full disk
_OBJECTS = 5  # that may remain: the application, its style, what pastes, the collector, its timer


def run(faults, seed, size, folder, plant=(), only=()):
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    log_qt_messages()
    app = Application("light")
    app.setQuitOnLastWindowClosed(False)
    pg.setConfigOption("mouseRateLimit", -1)  # moves count, however fast they follow each other
    state = state_folder()
    trouble = Trouble(app, state.parent if state else None)
    faults.listen()
    faults.in_sentences += (MemoryError,)  # of explorations that are too large
    longest = longest_turn(faults.wait_anew)
    desk = Desk(app, folder, faults, seed)
    mine = [folder / kind / name for kind in ("config", "data", "state") for name in OWN]
    mine += [folder / "cache", folder / "tables"]  # to tables the events do what they like
    before = tree(folder, apart_from=mine)
    record(folder.parent / "written.txt")
    driver = Driver(desk, faults, seed, only or range(1, size + 1), plant, longest)
    driver.start()
    app.exec()
    desk.close()
    app.clipboard().clear()
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    trouble.close()
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks  # those of `faults`
    for ended in (driver, trouble):
        ended.deleteLater()
    _look_at_what_remains(faults, folder)
    written = recorded(folder.parent / "written.txt") | {str(folder / "config")}
    for what in unasked(before, tree(folder, apart_from=mine), written):
        faults.add(f"not by the program itself: {what}")


def _look_at_what_remains(faults, folder):
    """Note what the windows left: widgets, timers, threads, partial files, memory."""
    sys.last_value = sys.last_traceback = None  # of an exception that is noted already
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    screen = Qt.WindowType.Desktop  # the widget that Qt itself makes, and keeps, for the screen
    widgets = [repr(it) for it in QApplication.allWidgets() if it.windowType() != screen]
    faults.expect("widgets remain", len(widgets), 0, "\n".join(sorted(widgets)))
    wrappers = [it for it in shiboken6.getAllValidWrappers() if isinstance(it, QObject)]
    objects = sorted(repr(it) for it in wrappers if not it.isWidgetType())
    faults.expect("objects of Qt remain", len(objects), _OBJECTS, "\n".join(objects))
    left = running() - {threading.current_thread(), *QApplication.topLevelWidgets()}
    faults.expect("timers or threads remain", len(left), 0, "\n".join(map(described, left)))
    faults.expect("MB of memory", memory("VmHWM"), MOST_MEMORY)
    faults.expect_no_parts(folder)
