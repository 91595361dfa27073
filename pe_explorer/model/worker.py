"""Threads for what takes longer than a frame, where the newest request wins.

No thread touches an object of Qt, as that may be gone: it leaves its answer in a plain queue,
and how far it has come in a plain number. The GUI thread looks there while it waits.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.progress import Progress

__all__ = ["Request", "Task", "Worker"]

Task = Callable[[threading.Event], Any]

_SOON, _LATEST = 1, 16  # milliseconds between two looks: at first, and when it takes long


class Request(Progress):
    """What an owner has asked for; it is set once the answer is no longer wanted."""

    def __init__(self, owner: str, task: Task, answers: SimpleQueue[_Answer]) -> None:
        super().__init__()
        self.owner = owner
        self.told: float | None = None
        """The share that was announced last."""
        self._task: Task | None = task
        self._answers = answers

    def run(self) -> None:
        """Do it, in a thread, unless it was cancelled before."""
        task, self._task = self._task, None
        if task is None or self.is_set():
            return
        try:
            answer, error = task(self), None
        except BaseException as caught:  # carried to the GUI thread, where it can be told
            answer, error = None, caught
        if not self.is_set():
            self._answers.put((self, answer, error))
        del error  # its traceback holds this frame: a cycle that would keep the task's values


_Answer = tuple[Request, Any, BaseException | None]


class Worker(QObject):
    """Runs tasks away from the GUI thread: one after the other, and long ones beside them.

    A task is a function of plain values that looks at its event now and then and may stop.
    A new request of the same owner cancels the one before; its late answer is dropped.
    All signals are emitted in the GUI thread.
    """

    done = Signal(str, object)
    """(owner, answer) of the owner's newest request."""
    failed = Signal(str, object)
    """(owner, exception), likewise."""
    progressed = Signal(str, float)
    """(owner, share), from 0 to 1: how much of the owner's newest request is done."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane, self._long_lane = _Lane("worker"), _Lane("long worker")
        self._newest: dict[str, Request] = {}
        self._answers: SimpleQueue[_Answer] = SimpleQueue()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._look)

    def request(self, owner: str, task: Task, *, long: bool = False, loose: bool = False) -> None:
        """Run `task` for `owner`, in place of what it asked for before.

        A long task, such as an export, waits only for other long ones, and no view for it.
        Nobody waits for a loose one, not even the end of the program: it must only read.
        """
        self.cancel(owner)
        request = self._newest[owner] = Request(owner, task, self._answers)
        if loose:
            threading.Thread(target=request.run, name=f"reading for {owner}", daemon=True).start()
        else:
            (self._long_lane if long else self._lane).put(request)
        self._timer.start(_SOON)

    def cancel(self, owner: str) -> None:
        """Drop the newest request of `owner`, if there is one."""
        if request := self._newest.pop(owner, None):
            request.set()

    def busy(self, owner: str) -> bool:
        """Whether an answer for `owner` is still to come."""
        return owner in self._newest

    def finish(self) -> None:
        """Wait for the threads, and deliver their answers now."""
        self._wait()
        self._look()

    def waiting(self) -> Task | None:
        """Return what waits, in another thread, until all is done; None if nothing is to come."""
        return partial(_wait_for, (self._lane, self._long_lane)) if self._newest else None

    def close(self) -> None:
        """Cancel everything and wait for the threads, but for what is loose."""
        for owner in list(self._newest):
            self.cancel(owner)
        self._wait()
        self._timer.stop()
        self._taken()

    def _wait(self) -> None:
        self._lane.wait()
        self._long_lane.wait()

    @Slot()
    def _look(self) -> None:
        """Announce what has come, and look again soon, or later the longer it takes."""
        if self._newest:  # first: what is announced may be the end of everything here
            self._timer.start(min(_LATEST, 2 * self._timer.interval()))
        answers = self._taken()
        for request in list(self._newest.values()):
            if (
                request.share is not None
                and request.share != request.told
                and self._wanted(request)
            ):
                request.told = request.share
                self.progressed.emit(request.owner, request.share)
        for answer in answers:
            self._deliver(*answer)

    def _taken(self) -> list[_Answer]:
        """Take what has come out of the queue."""
        answers = []
        try:
            while True:
                answers.append(self._answers.get_nowait())
        except Empty:
            return answers

    def _wanted(self, request: Request) -> bool:
        return self._newest.get(request.owner) is request

    def _deliver(self, request: Request, answer: Any, error: BaseException | None) -> None:
        if not self._wanted(request):
            return
        del self._newest[request.owner]
        if error is not None:
            self.failed.emit(request.owner, error)
        else:
            self.done.emit(request.owner, answer)


class _Lane:
    """Runs requests one after the other, in a thread that is there as long as there are any."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: deque[Request] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, request: Request) -> None:
        """Run a request after those that wait."""
        with self._lock:
            self._waiting.append(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name)
                self._thread.start()

    def wait(self) -> None:
        """Wait until all are done."""
        while thread := self._thread:
            thread.join()

    def _work(self) -> None:
        while request := self._next():
            request.run()

    def _next(self) -> Request | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._thread = None
            return None


def _wait_for(lanes: Iterable[_Lane], _: threading.Event) -> None:
    for lane in lanes:
        lane.wait()
