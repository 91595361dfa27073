"""Faults to be planted: what finds nothing when nothing is there must find these."""

import faulthandler
import os
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot, qWarning
from PySide6.QtWidgets import QWidget

from tests.endurance.desk import Desk
from tests.endurance.unsafe import allow_moves

_PLANTED = 10  # the event with which faults are planted
_FIRST = 9  # the event that makes ready for one that needs two
_SLOW = 0.4  # seconds
_LEAK = 12 << 20  # bytes

_kept: list[object] = []


class _Raiser(QObject):
    @Slot()
    def fail(self) -> None:
        self.deleteLater()
        raise ValueError("planted in a slot")


def _exception(desk: Desk) -> None:
    raiser = _Raiser()
    _kept.append(raiser)
    QTimer.singleShot(0, raiser.fail)


def _thread(desk: Desk) -> None:
    threading.Thread(target=int, args=("planted in a thread",)).start()


def _worker(desk: Desk) -> None:
    desk.window.model.worker.request("planted", lambda cancelled: {}["planted in the worker"])


def _freeze(desk: Desk) -> None:
    end = time.thread_time() + _SLOW
    while time.thread_time() < end:
        pass


_PLANTS: dict[str, Callable[[Desk], None]] = {
    "exception": _exception,
    "thread": _thread,
    "worker": _worker,
    "message": lambda desk: qWarning("planted message"),
    "part": lambda desk: (desk.folder / ".planted.npy.0.part").touch(),
    "widget": lambda desk: _kept.extend(QWidget() for _ in range(50)),
    "hang": lambda desk: time.sleep(10_000),
    "abort": lambda desk: os.abort(),
    "segfault": lambda desk: faulthandler._sigsegv(),
    "freeze": _freeze,
    "moves": lambda desk: allow_moves(),
}


def plant(name: str, number: int, desk: Desk) -> None:
    """Plant a fault, if it belongs to the event with a number."""
    if name == "growth":
        _kept.append(bytes(bytearray(_LEAK)))
    elif name == "pair":
        _plant_pair(number)
    elif number == _PLANTED:
        _PLANTS[name](desk)


def _plant_pair(number: int) -> None:
    """Fail at an event if another came before."""
    if number == _FIRST:
        _kept.append("pair")
    if number == _PLANTED and "pair" in _kept:
        raise ValueError("planted in two events")
