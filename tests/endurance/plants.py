"""Faults that are planted with event 10, one for each way to find one."""

import os
import threading
import time

from PySide6.QtCore import QObject, QTimer, Slot, qWarning
from PySide6.QtWidgets import QWidget

from tests.endurance.trial import PREFIX

_PLANTED = 10
_SLOW = 1.0  # seconds
_LEAK = 12 << 20  # bytes, with each event

_alive = []


class _Raiser(QObject):
    @Slot()
    def fail(self):
        self.deleteLater()
        raise ValueError("planted in a slot")


def _exception(desk):
    _alive.append(_Raiser())
    QTimer.singleShot(0, _alive[-1].fail)


def _freeze(desk):
    end = time.thread_time() + _SLOW
    while time.thread_time() < end:
        pass


def _outside(desk):
    (part,) = (each for each in desk.folder.parents if each.name.startswith(PREFIX))
    (part.parent / "outside.txt").touch()


def _fail_in_worker(cancelled):
    raise KeyError("planted in the worker")


PLANTS = {
    "exception": _exception,
    "thread": lambda desk: threading.Thread(target=int, args=("planted in a thread",)).start(),
    "worker": lambda desk: desk.window.model.worker.request("planted", _fail_in_worker),
    "message": lambda desk: qWarning("planted message"),
    "printed": lambda desk: print("planted words"),
    "part": lambda desk: (desk.folder / ".planted.npy.0.part").touch(),
    "unasked": lambda desk: os.system("touch planted.txt"),
    "outside": _outside,
    "widget": lambda desk: _alive.extend(QWidget() for _ in range(50)),
    "timer": lambda desk: _alive.append(QTimer(interval=60_000)) or _alive[-1].start(),
    "object": lambda desk: _alive.extend(QObject() for _ in range(9)),
    "hang": lambda desk: time.sleep(10_000),
    "abort": lambda desk: os.abort(),
    "freeze": _freeze,
}


def plant(name, number, desk):
    if name == "growth":
        _alive.append(bytes(bytearray(_LEAK)))
    elif name == "pair":  # an event fails if the one before was sent
        if number == _PLANTED and "pair" in _alive:
            raise ValueError("planted in two events")
        _alive.extend(["pair"] * (number == _PLANTED - 1))
    elif number == _PLANTED:
        PLANTS[name](desk)
