"""The part that sends random events to the window, and looks at what remains of it."""

import gc
import resource
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.settings.settings import state_folder
from pe_explorer.app.trouble.trouble import Trouble
from tests.endurance.desk import Desk
from tests.endurance.driver import MOST_MEMORY, Driver, Plan
from tests.endurance.faults import Faults, memory
from tests.endurance.freezes import longest_turn
from tests.endurance.tree import OWN, record, recorded, tree, unasked
from tests.support.leftovers import described, running

_LARGEST_FILE = 48 << 20  # bytes: what is larger fails, as on a full disk
_OBJECTS = 5  # that may remain: the application, its style, what pastes, the collector, its timer


def run(
    faults: Faults,
    seed: int,
    size: int,
    folder: Path,
    plant: Sequence[str] = (),
    only: Sequence[int] = (),
) -> dict[str, list[str]]:
    """Send so many events, or only those of some numbers; return what was reached."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    log_qt_messages()
    app = Application("light")
    app.setQuitOnLastWindowClosed(False)
    pg.setConfigOption("mouseRateLimit", -1)  # moves count, however fast they follow each other
    state = state_folder()
    trouble = Trouble(app, state.parent if state else None)
    faults.listen()
    longest = longest_turn(faults.wait_anew)
    desk = Desk(app, folder, faults, seed)
    mine = [folder / kind / name for kind in ("config", "data", "state") for name in OWN]
    mine += [folder / "cache", folder / "tables"]  # to tables the events do what they like
    before = tree(folder, apart_from=mine)
    record(folder.parent / "written.txt")
    plan = Plan(seed, tuple(only) or range(1, size + 1), plant)
    driver = Driver(desk, faults, plan, longest)
    driver.start()
    app.exec()
    desk.close()
    app.clipboard().clear()
    trouble.close()
    for ended in (driver, trouble):
        ended.deleteLater()
    _look_at_what_remains(faults, folder)
    written = recorded(folder.parent / "written.txt") | {str(folder / "config")}
    for what in unasked(before, tree(folder, apart_from=mine), written):
        faults.add(f"not by the program itself: {what}")
    return driver.reached.lists()


def _look_at_what_remains(faults: Faults, folder: Path) -> None:
    """Note what the windows left: widgets, timers, threads, partial files, memory."""
    sys.last_value = sys.last_traceback = None  # of an exception that is noted already
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    widgets = sorted(repr(widget) for widget in QApplication.allWidgets() if is_ours(widget))
    faults.expect("widgets remain", len(widgets), 0, "\n".join(widgets))
    wrappers = [it for it in shiboken6.getAllValidWrappers() if isinstance(it, QObject)]
    objects = sorted(repr(it) for it in wrappers if not it.isWidgetType())
    faults.expect("objects of Qt remain", len(objects), _OBJECTS, "\n".join(objects))
    left = running() - {threading.current_thread(), *QApplication.topLevelWidgets()}
    faults.expect("timers or threads remain", len(left), 0, "\n".join(map(described, left)))
    faults.expect("MB of memory", memory("VmHWM"), MOST_MEMORY)
    faults.expect_no_parts(folder)


def is_ours(widget: QWidget) -> bool:
    """Whether a widget is not the one that Qt itself makes, and keeps, for the whole screen."""
    return widget.windowType() != Qt.WindowType.Desktop
