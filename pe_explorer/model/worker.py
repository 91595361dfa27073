"""Threads for computations that take longer than a frame; the newest request wins.

Only this module starts threads for the window. A thread uses no widget or other
QObject, because the object could be deleted in the meantime. Instead, it puts its
answer into a queue and its progress into attributes of the request. While answers are
pending, a timer in the GUI thread polls the queue and emits all signals.
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

_MIN_INTERVAL, _MAX_INTERVAL = 1, 8  # first and longest time between polls, in milliseconds
_MAX_YIELD_TIME = 0.05  # maximum total time in seconds for which a task waits for the GUI thread


class TaskRequest(Progress):
    """A task for an owner, and an event that is set when the answer is no longer needed."""

    def __init__(
        self, owner: str, task: Task, answers: SimpleQueue[_Answer], gui_idle_event: threading.Event
    ) -> None:
        super().__init__()
        self.owner = owner
        self.reported_progress: tuple[float | None, str] = None, ""
        self._task: Task | None = task
        self._answers, self._gui_idle_event = answers, gui_idle_event
        self._remaining_yield_time = _MAX_YIELD_TIME

    def run(self) -> None:
        """Run the task in the current thread, unless the request is cancelled."""
        task, self._task = self._task, None
        if task is None or self.is_set():
            return
        try:
            answer, error = task(self), None
        except BaseException as exception:  # reported in the GUI thread
            answer, error = None, exception
        if not self.is_set():
            self._answers.put((self, answer, error))
        # The traceback of the error refers to this frame, which would keep the task's values alive.
        del error

    def report(self, share: float, phase: str = "") -> None:
        super().report(share, phase)
        if not self._gui_idle_event.is_set():
            start = time.monotonic()
            self._gui_idle_event.wait(self._remaining_yield_time)
            self._remaining_yield_time -= time.monotonic() - start


_Answer = tuple[TaskRequest, Any, BaseException | None]


class Worker(QObject):
    """A runner of tasks outside the GUI thread: one thread for short and one for long tasks.

    A task is a function of plain values that can stop early when its event is set. A new
    request cancels the previous request of the same owner, and a late answer to the
    cancelled request is dropped. All signals are emitted in the GUI thread.
    """

    done = Signal(str, object)  # (owner, answer) for the owner's newest request
    failed = Signal(str, object)  # (owner, exception) for the owner's newest request
    progressed = Signal(str, float, str)  # (owner, share from 0 to 1, phase or an empty string)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue, self._long_queue = _Queue("worker"), _Queue("long worker")
        self._newest_requests: dict[str, TaskRequest] = {}
        self._answers: SimpleQueue[_Answer] = SimpleQueue()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._collect_answers)
        self._gui_idle_event = threading.Event()
        self._gui_idle_event.set()
        self._idle_timer = QTimer(self, singleShot=True)
        self._idle_timer.timeout.connect(self._resume_tasks)

    def yield_to_gui(self) -> None:
        """Let tasks wait at their next progress report until the GUI thread is idle.

        If tasks did not wait, the window would be painted late, because two computing threads
        slow each other down. The total waiting time of a task is limited.
        """
        self._gui_idle_event.clear()
        self._idle_timer.start()

    @Slot()
    def _resume_tasks(self) -> None:
        self._gui_idle_event.set()

    def request(
        self, owner: str, task: Task, *, is_long: bool = False, has_own_thread: bool = False
    ) -> None:
        """Run `task` for `owner`, and cancel the previous request of the owner.

        A long task, such as an export, waits only for other long tasks, so that no view waits
        for it. If `has_own_thread` is set, the task runs in a separate thread. The program ends
        without waiting for this thread, so the task must not write files.
        """
        self.cancel(owner)
        request = TaskRequest(owner, task, self._answers, self._gui_idle_event)
        self._newest_requests[owner] = request
        if has_own_thread:
            threading.Thread(target=request.run, name=f"reading for {owner}", daemon=True).start()
        else:
            (self._long_queue if is_long else self._queue).put(request)
        self._timer.start(_MIN_INTERVAL)

    def cancel(self, owner: str) -> None:
        """Cancel the newest request of `owner`, if there is one."""
        if request := self._newest_requests.pop(owner, None):
            request.set()

    @property
    def is_idle(self) -> bool:
        """Whether no answer is pending."""
        return not self._newest_requests

    def is_busy(self, owner: str) -> bool:
        """Return whether an answer for `owner` is pending."""
        return owner in self._newest_requests

    def finish(self) -> None:
        """Wait for the threads, and emit their answers now."""
        self._wait()
        self._collect_answers()

    def make_waiting_task(self) -> Task | None:
        """Return a task that waits for all pending tasks, or None if no task is pending."""
        return None if self.is_idle else partial(_wait_for, (self._queue, self._long_queue))

    def close(self) -> None:
        """Cancel all tasks, and wait for the two shared threads."""
        for owner in list(self._newest_requests):
            self.cancel(owner)
        self._wait()
        self._timer.stop()

    def _wait(self) -> None:
        self._resume_tasks()
        self._queue.wait()
        self._long_queue.wait()

    @Slot()
    def _collect_answers(self) -> None:
        """Emit the available answers; if more are pending, poll again after a longer interval."""
        if not self.is_idle:  # restart before emitting, because a slot can delete the worker
            self._timer.start(min(_MAX_INTERVAL, 2 * self._timer.interval()))
        answers = [self._answers.get_nowait() for _ in range(self._answers.qsize())]
        for request in list(self._newest_requests.values()):
            share, phase = progress = request.share, request.phase
            is_new = share is not None and progress != request.reported_progress
            if is_new and self._is_newest(request):
                request.reported_progress = progress
                self.progressed.emit(request.owner, share, phase)
        for request, answer, error in answers:
            if self._is_newest(request):
                del self._newest_requests[request.owner]
                if error is not None:
                    self.failed.emit(request.owner, error)
                else:
                    self.done.emit(request.owner, answer)

    def _is_newest(self, request: TaskRequest) -> bool:
        return self._newest_requests.get(request.owner) is request


class _Queue:
    """A queue of requests, with a thread that runs them in order until the queue is empty."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._requests: deque[TaskRequest] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, request: TaskRequest) -> None:
        with self._lock:
            self._requests.append(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name)
                self._thread.start()

    def wait(self) -> None:
        while thread := self._thread:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._requests:
                    self._thread = None
                    return
                request = self._requests.popleft()
            request.run()


def _wait_for(queues: Iterable[_Queue], _: threading.Event) -> None:
    for queue in queues:
        queue.wait()
