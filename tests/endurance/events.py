"""The part that sends random events to the window, and checks what remains afterwards.

Each event is sent from the event loop, also from the nested loops of menus and dialogs.
"""

import gc
import os
import resource
import sys
import threading
import time

import pyqtgraph as pg
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot, qWarning
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.settings.settings import find_state_folder
from pe_explorer.app.trouble.trouble import ErrorHandler
from tests.endurance import by_hand, by_menu
from tests.endurance.desk import Desk, alive, chosen
from tests.endurance.faults import growth, memory
from tests.endurance.freezes import OPENING, Stopwatch, longest_turn
from tests.endurance.tree import OWN, WRITTEN, record, recorded, tree, unasked
from tests.support.leftovers import described, running

_EVENT_MODULES = (by_hand, by_menu)
_MAX_MEMORY = 1000  # MB
_MAX_GROWTH = 100  # MB
_MIN_MEASUREMENTS = 16  # measurements of memory that are needed to detect growth
_MEASUREMENT_INTERVAL = 100  # events between two measurements of memory
_MAX_POPUP_EVENTS, _MAX_DIALOG_EVENTS = 6, 10  # events for which a popup or dialog stays open
_SLICE = 5  # milliseconds of a pause between checks for freezes
_MAX_FILE_SIZE = 48 << 20  # bytes; larger files fail, as on a full disk
_EXPECTED_OBJECTS = 4  # application, style, paste filter and its timer


def run(faults, seed, size, folder, plant=(), only=()):
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_FILE_SIZE, _MAX_FILE_SIZE))
    log_qt_messages()
    app = Application("light")
    app.setQuitOnLastWindowClosed(False)
    pg.setConfigOption("mouseRateLimit", -1)  # processes every move, even in quick succession
    state = find_state_folder()
    trouble = ErrorHandler(app, state.parent if state else None)
    faults.listen()
    faults.in_sentences += (MemoryError,)  # raised by explorations that are too large
    longest = longest_turn(faults.wait_anew)
    desk = Desk(app, folder, faults, seed)
    mine = [folder / kind / name for kind in ("config", "data", "state") for name in OWN]
    mine += [folder / "cache", folder / "tables"]  # events may change the tables arbitrarily
    before = tree(folder, apart_from=mine)
    record(folder.parent / WRITTEN)
    driver = Driver(desk, faults, seed, only or range(1, size + 1), plant, longest)
    app.exec()
    desk.close()
    app.clipboard().clear()
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    trouble.close()
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks  # hooks of `faults`
    for ended in (driver, trouble):
        ended.deleteLater()
    sys.last_value = sys.last_traceback = None  # releases an exception that is already recorded
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    screen = Qt.WindowType.Desktop  # the widget that Qt keeps for the screen
    widgets = [repr(it) for it in QApplication.allWidgets() if it.windowType() != screen]
    faults.expect("widgets remain", len(widgets), 0, "\n".join(sorted(widgets)))
    wrappers = [it for it in shiboken6.getAllValidWrappers() if isinstance(it, QObject)]
    objects = sorted(repr(it) for it in wrappers if not it.isWidgetType())
    faults.expect("objects of Qt remain", len(objects), _EXPECTED_OBJECTS, "\n".join(objects))
    left = running() - {threading.current_thread(), *QApplication.topLevelWidgets()}
    faults.expect("timers or threads remain", len(left), 0, "\n".join(map(described, left)))
    faults.expect("MB of memory", memory("VmHWM"), _MAX_MEMORY)
    faults.expect_no_parts(folder)
    written = recorded(folder.parent / WRITTEN) | {str(folder / "config")}
    for what in unasked(before, tree(folder, apart_from=mine), written):
        faults.add(f"not by the program itself: {what}")


class Driver(QObject):
    """Starts the next event whenever the event loop, possibly a nested one, is idle."""

    def __init__(self, desk, faults, seed, numbers, plants, longest_turn):
        super().__init__()
        self._desk, self._faults, self._seed, self._plants = desk, faults, seed, plants
        self._left = iter(numbers)
        self._begun = 0
        self._kind = OPENING
        self._memory = []
        self._ended = False
        self._open = []  # unfinished events; all but the last are in a nested event loop
        self._over = (None, 0)  # the popup or dialog, and the number of events when it appeared
        self._stopwatch = Stopwatch(longest_turn)
        self._rest = 0  # milliseconds for which the event loop runs before the event continues
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    @Slot()
    def _turn(self):
        if details := self._stopwatch.freeze(self._kind):
            self._faults.add(f"the window froze in {self._kind}", details, unsure=True)
        self._stopwatch.begin()
        self._timer.start(0)  # before the event, which may run a nested event loop
        if self._rest > 0:
            self._rest -= _SLICE
            self._timer.start(_SLICE)
            return
        if not self._open:
            if self._begun >= _MEASUREMENT_INTERVAL * (len(self._memory) + 1):
                gc.collect()
                self._memory.append(memory())
                self._faults.expect("MB of memory", self._memory[-1], _MAX_MEMORY)
            if not (self._desk.window.isVisible() or self._desk.top.isVisible()):
                self._desk.reopen(chosen(self._seed, self._faults.event)[-1])
                self._kind = OPENING
                return
            self._stopwatch.begin()
        resting = [event for event in self._open if not event.gi_running]
        event = resting[-1] if resting else self._begin()
        if event is not None:
            self._go_on(event)

    def _begin(self):
        number = next(self._left, None)
        if number is None:
            self._end()
            return None
        self._faults.begin(number)
        self._begun += 1
        top = self._desk.top
        if top is self._desk.window or top is not self._over[0]:
            self._over = (top, self._begun)
        longest = _MAX_DIALOG_EVENTS if top is self._desk.dialog else _MAX_POPUP_EVENTS
        if self._begun - self._over[1] > longest and alive(top):  # limits the events in it
            top.reject() if top is self._desk.dialog else top.close()
        self._kind, begin, pick = chosen(self._seed, number)
        self._faults.say(self._kind)
        for name in self._plants:
            plant(name, number, self._desk)
        event = begin(self._desk, pick)
        self._open.append(event)
        return event

    def _go_on(self, event):
        self._faults.wait_anew()
        try:
            pause = next(event)
            if isinstance(pause, str):  # before the event acts, because it may crash
                self._faults.say(pause)
                pause = next(event, 0)
            if not self._ended:  # the last event may have ended in a nested loop
                self._timer.start(0)  # again, so that pending Qt events come before the next one
                self._rest = pause
        except StopIteration:
            pass
        except Exception as error:
            self._faults.add_exception("in an event", error)
        if event.gi_frame is None and event in self._open:
            self._open.remove(event)

    def _end(self):
        if len(self._memory) >= _MIN_MEASUREMENTS:
            grown = growth(self._memory)
            self._faults.expect("MB more than a quarter of the events before", grown, _MAX_GROWTH)
        self._timer.stop()
        self._stopwatch.close()
        self._ended = True
        self._open.clear()
        self._over = (None, 0)
        self._desk.app.exit(0)


# One planted fault for each detector; event 10 causes it.

_FAULT_EVENT = 10
_FREEZE_SECONDS = 1.0
_LEAK_BYTES = 12 << 20  # for each event
_leaks = []


def _freeze(desk):
    end = time.thread_time() + _FREEZE_SECONDS
    while time.thread_time() < end:
        pass


PLANTS = {
    "exception": lambda desk: QTimer.singleShot(0, lambda: int("planted in a slot")),
    "thread": lambda desk: threading.Thread(target=int, args=("planted in a thread",)).start(),
    "worker": lambda desk: desk.window.model.worker.request("planted", {}.__getitem__),
    "message": lambda desk: qWarning("planted message"),
    "printed": lambda desk: print("planted words"),
    "part": lambda desk: (desk.folder / ".planted.npy.0.part").touch(),
    "unasked": lambda desk: os.system("touch planted.txt"),
    "outside": lambda desk: os.system(f"touch {desk.folder.parents[1]}/outside.txt"),
    "widget": lambda desk: _leaks.extend(QWidget() for _ in range(50)),
    "timer": lambda desk: _leaks.append(QTimer(interval=60_000)) or _leaks[-1].start(),
    "object": lambda desk: _leaks.extend(QObject() for _ in range(9)),
    "hang": lambda desk: time.sleep(10_000),
    "abort": lambda desk: os.abort(),
    "freeze": _freeze,
}


def plant(name, number, desk):
    if name == "growth":
        _leaks.append(bytes(bytearray(_LEAK_BYTES)))
    elif name == "pair":  # an event that fails only after the previous event
        if number == _FAULT_EVENT and "pair" in _leaks:
            raise ValueError("planted in two events")
        _leaks.extend(["pair"] * (number == _FAULT_EVENT - 1))
    elif number == _FAULT_EVENT:
        PLANTS[name](desk)
