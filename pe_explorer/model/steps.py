"""Generators that run in the GUI thread and yield tasks for the worker."""

import threading
from collections.abc import Generator
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.model.worker import Worker

_Result = TypeVar("_Result")

Steps = Generator[Any, Any, _Result]  # a generator that yields tasks and receives their answers


def run_now(steps: Steps[_Result], progress: threading.Event | None = None) -> _Result:
    """Run a generator and its tasks, which receive `progress`, and return its result."""
    progress = progress or threading.Event()
    answer = None
    while True:
        try:
            task = steps.send(answer)
        except StopIteration as end:
            result: _Result = end.value
            return result
        answer = task(progress)


class StepRunner(QObject):
    """An object that runs one generator at a time, with its tasks in the worker."""

    done = Signal(object)  # the result of the generator
    progressed = Signal(float, str)  # completed share and phase of the current task
    failed = Signal(object)  # the exception that ended the generator

    def __init__(self, worker: Worker, owner: str, parent: QObject | None = None) -> None:
        """Create a runner whose tasks run in `worker` as requests of `owner`."""
        super().__init__(parent)
        self.worker, self._owner = worker, owner
        self._steps: Generator[Any, Any, Any] | None = None
        worker.done.connect(self._receive_answer)
        worker.failed.connect(self._receive_answer)
        worker.progressed.connect(self._receive_progress)

    @property
    def is_busy(self) -> bool:
        return self._steps is not None

    def run(self, steps: Generator[Any, Any, Any]) -> None:
        """Run a generator up to its first task; cancel the previous generator."""
        self.cancel()
        self._steps = steps
        self._advance(None)

    def cancel(self) -> None:
        """Cancel the generator without emitting a signal."""
        steps, self._steps = self._steps, None
        if steps is not None:
            self.worker.cancel(self._owner)
            with suppress(ValueError):  # raised if the generator runs; `_advance` closes it
                steps.close()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: object) -> None:
        if owner == self._owner and self.is_busy:
            self._advance(answer)

    @Slot(str, float, str)
    def _receive_progress(self, owner: str, share: float, phase: str) -> None:
        if owner == self._owner and self.is_busy:
            self.progressed.emit(share, phase)

    def _begin(self, task: Any) -> None:  # overridden by runners that also wait for dialogs
        self.worker.request(self._owner, task, is_long=True)

    def _advance(self, answer: object) -> None:
        """Send an answer or an exception to the generator, and run it up to its next task."""
        steps = self._steps
        assert steps is not None
        try:
            if isinstance(answer, BaseException):
                task = steps.throw(answer)
            else:
                task = steps.send(answer)
            if steps is self._steps:
                self._begin(task)
            else:  # the generator cancelled itself
                steps.close()
        except StopIteration as end:
            if self._end(steps):
                self.done.emit(end.value)
        except Exception as error:
            if self._end(steps):
                self.failed.emit(error)

    def _end(self, steps: Generator[Any, Any, Any]) -> bool:
        """Forget a finished generator; return whether it was current and not cancelled."""
        is_current = steps is self._steps
        if is_current:
            self._steps = None
        return is_current
