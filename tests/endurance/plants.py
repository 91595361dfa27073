"""Faults to be planted: what finds nothing when nothing is there must find these."""

from __future__ import annotations

import faulthandler
import os
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot, qWarning
from PySide6.QtWidgets import QWidget

from tests.endurance.desk import Desk

__all__ = ["PLANTS"]

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


def _message(desk: Desk) -> None:
    qWarning("planted message")


def _part(desk: Desk) -> None:
    (desk.folder / ".planted.npy.0.part").touch()


def _widget(desk: Desk) -> None:
    _kept.extend(QWidget() for _ in range(50))


def _hang(desk: Desk) -> None:
    time.sleep(10_000)


def _abort(desk: Desk) -> None:
    os.abort()


def _segfault(desk: Desk) -> None:
    faulthandler._sigsegv()


PLANTS: dict[str, Callable[[Desk], None]] = {
    "exception": _exception,
    "thread": _thread,
    "worker": _worker,
    "message": _message,
    "part": _part,
    "widget": _widget,
    "hang": _hang,
    "abort": _abort,
    "segfault": _segfault,
}
