"""Threads for what takes longer than a frame, where the newest request wins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRunnable, QThreadPool, Signal, Slot

__all__ = ["Task", "Worker"]

Task = Callable[[threading.Event], Any]


@dataclass
class _Job:
    owner: str
    task: Task
    cancelled: threading.Event


class Worker(QObject):
    """Runs tasks away from the GUI thread: one after the other, and long ones beside them.

    A task is a function of plain values that looks at its event now and then and may stop.
    A new request of the same owner cancels the one before; its late answer is dropped.
    """

    done = Signal(str, object)
    """(owner, answer) of the owner's newest request, in the GUI thread."""
    failed = Signal(str, object)
    """(owner, exception), likewise."""

    _finished = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool, self._long_pool = QThreadPool(self), QThreadPool(self)
        for pool in (self._pool, self._long_pool):
            pool.setMaxThreadCount(1)
        self._newest: dict[str, _Job] = {}
        self._finished.connect(self._deliver)

    def request(self, owner: str, task: Task, *, long: bool = False, loose: bool = False) -> None:
        """Run `task` for `owner`, in place of what it asked for before.

        A long task, such as an export, waits only for other long ones, and no view for it.
        Nobody waits for a loose one, not even the end of the program: it must only read.
        """
        self.cancel(owner)
        job = self._newest[owner] = _Job(owner, task, threading.Event())
        if loose:
            threading.Thread(target=_Run(job, self).run, name=f"reading for {owner}", daemon=True).start()
        else:
            (self._long_pool if long else self._pool).start(_Run(job, self))

    def cancel(self, owner: str) -> None:
        """Drop the newest request of `owner`, if there is one."""
        if job := self._newest.pop(owner, None):
            job.cancelled.set()

    def busy(self, owner: str) -> bool:
        """Whether an answer for `owner` is still to come."""
        return owner in self._newest

    def finish(self) -> None:
        """Wait for the threads, and deliver their answers now."""
        self._pool.waitForDone()
        self._long_pool.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)

    def close(self) -> None:
        """Cancel everything and wait for the threads, but for what is loose."""
        for owner in list(self._newest):
            self.cancel(owner)
        self._pool.waitForDone()
        self._long_pool.waitForDone()

    @Slot(object, object, object)
    def _deliver(self, job: _Job, answer: object, error: BaseException | None) -> None:
        if self._newest.get(job.owner) is not job:
            return
        del self._newest[job.owner]
        if error is not None:
            self.failed.emit(job.owner, error)
        else:
            self.done.emit(job.owner, answer)


class _Run(QRunnable):
    def __init__(self, job: _Job, worker: Worker) -> None:
        super().__init__()
        self._job, self._worker = job, worker

    def run(self) -> None:
        job = self._job
        if job.cancelled.is_set():
            return
        try:
            answer, error = job.task(job.cancelled), None
        except Exception as caught:  # carried to the GUI thread, where it can be told
            answer, error = None, caught
        if not job.cancelled.is_set():
            with suppress(RuntimeError):  # of a loose task, when the window is gone
                self._worker._finished.emit(job, answer, error)
        del error  # its traceback holds this frame: a cycle that would keep the task's view
