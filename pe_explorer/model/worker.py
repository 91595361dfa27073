"""Threads for computations longer than a frame; the newest request wins.

Only this module starts threads for the window. No thread touches a widget or another QObject,
which may be deleted meanwhile: it puts its answer into a plain queue, and its progress into a
plain number. A timer of the GUI thread looks there while an answer is to come, and emits all
signals.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.progress import Progress

Task = Callable[[threading.Event], Any]

_FIRST_INTERVAL, _LONGEST_INTERVAL = 1, 8  # milliseconds between two looks, doubled each time
_LONGEST_YIELD = 0.05  # seconds that a task waits for the GUI thread, in total


class TaskRequest(Progress):
    """A task for an owner; the event is set once its answer is no longer wanted."""

    def __init__(
        self, owner: str, task: Task, answers: SimpleQueue[_Answer], gui_idle: threading.Event
    ) -> None:
        super().__init__()
        self.owner = owner
        self.announced: tuple[float | None, str] = None, ""
        self._task: Task | None = task
        self._answers, self._gui_idle = answers, gui_idle
        self._yield_left = _LONGEST_YIELD

    def run(self) -> None:
        """Do the task, in a thread, unless it was cancelled before."""
        task, self._task = self._task, None
        if task is None or self.is_set():
            return
        try:
            answer, error = task(self), None
        except BaseException as caught:  # reported in the GUI thread
            answer, error = None, caught
        if not self.is_set():
            self._answers.put((self, answer, error))
        del error  # its traceback refers to this frame: a cycle that would keep the task's values

    def report(self, share: float, phase: str = "") -> None:
        super().report(share, phase)
        if not self._gui_idle.is_set():
            since = time.monotonic()
            self._gui_idle.wait(self._yield_left)
            self._yield_left -= time.monotonic() - since


_Answer = tuple[TaskRequest, Any, BaseException | None]


class Worker(QObject):
    """Runs tasks outside the GUI thread: one after the other, and long ones beside them.

    A task is a function of plain values. It may stop when its event is set. A new request of
    the same owner cancels the one before, whose late answer is dropped.
    All signals are emitted in the GUI thread.
    """

    done = Signal(str, object)  # (owner, answer) of the owner's newest request
    failed = Signal(str, object)  # (owner, exception) of the owner's newest request
    progressed = Signal(str, float, str)
    """(owner, share, phase): the progress of the owner's newest request, from 0 to 1, and its
    phase in plain words or none."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane, self._long_lane = _Lane("worker"), _Lane("long worker")
        self._newest: dict[str, TaskRequest] = {}
        self._answers: SimpleQueue[_Answer] = SimpleQueue()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._collect_answers)
        self._gui_idle = threading.Event()
        self._gui_idle.set()
        self._idle_timer = QTimer(self, singleShot=True)
        self._idle_timer.timeout.connect(self._resume_tasks)

    def yield_to_gui(self) -> None:
        """Let tasks wait at their next report until the GUI thread is idle.

        Two computing threads slow each other down, so a change would be painted later. No task
        waits for long, however many changes follow each other.
        """
        self._gui_idle.clear()
        self._idle_timer.start()

    @Slot()
    def _resume_tasks(self) -> None:
        self._gui_idle.set()

    def request(
        self, owner: str, task: Task, *, long: bool = False, own_thread: bool = False
    ) -> None:
        """Run `task` for `owner`, instead of the request before.

        A `long` task, such as an export, waits only for other long ones, so that no view waits
        for it. A task with `own_thread` has a thread of its own that nothing waits for, not even
        the end of the program: it must only read.
        """
        self.cancel(owner)
        request = self._newest[owner] = TaskRequest(owner, task, self._answers, self._gui_idle)
        if own_thread:
            threading.Thread(target=request.run, name=f"reading for {owner}", daemon=True).start()
        else:
            (self._long_lane if long else self._lane).put(request)
        self._timer.start(_FIRST_INTERVAL)

    def cancel(self, owner: str) -> None:
        """Drop the newest request of `owner`, if there is one."""
        if request := self._newest.pop(owner, None):
            request.set()

    @property
    def idle(self) -> bool:
        """Whether no answer is to come."""
        return not self._newest

    def busy(self, owner: str) -> bool:
        """Return whether an answer for `owner` is still to come."""
        return owner in self._newest

    def finish(self) -> None:
        """Wait for the threads, and announce their answers now."""
        self._wait()
        self._collect_answers()

    def waiting(self) -> Task | None:
        """Return a task that waits until all others are done; None if no answer is to come."""
        return None if self.idle else partial(_wait_for, (self._lane, self._long_lane))

    def close(self) -> None:
        """Cancel everything and wait for the threads, except those of a single task."""
        for owner in list(self._newest):
            self.cancel(owner)
        self._wait()
        self._timer.stop()

    def _wait(self) -> None:
        self._resume_tasks()
        self._lane.wait()
        self._long_lane.wait()

    @Slot()
    def _collect_answers(self) -> None:
        """Announce the answers of the threads, and look again after a growing interval."""
        if not self.idle:  # first, as a slot may close and delete the worker
            self._timer.start(min(_LONGEST_INTERVAL, 2 * self._timer.interval()))
        answers = [self._answers.get_nowait() for _ in range(self._answers.qsize())]
        for request in list(self._newest.values()):
            share, phase = progress = request.share, request.phase
            if share is not None and progress != request.announced and self._is_newest(request):
                request.announced = progress
                self.progressed.emit(request.owner, share, phase)
        for answer in answers:
            self._announce(*answer)

    def _is_newest(self, request: TaskRequest) -> bool:
        return self._newest.get(request.owner) is request

    def _announce(self, request: TaskRequest, answer: Any, error: BaseException | None) -> None:
        if not self._is_newest(request):
            return
        del self._newest[request.owner]
        if error is not None:
            self.failed.emit(request.owner, error)
        else:
            self.done.emit(request.owner, answer)


class _Lane:
    """Runs requests one after the other, in a thread that lives as long as there are any."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: deque[TaskRequest] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, request: TaskRequest) -> None:
        with self._lock:
            self._waiting.append(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name)
                self._thread.start()

    def wait(self) -> None:
        while thread := self._thread:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                request = self._waiting.popleft()
            request.run()


def _wait_for(lanes: Iterable[_Lane], _: threading.Event) -> None:
    for lane in lanes:
        lane.wait()
