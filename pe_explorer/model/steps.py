"""Work in steps, some in the GUI thread and some in the worker, written as one generator."""

import threading
from collections.abc import Generator
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.model.worker import Worker

_Result = TypeVar("_Result")

Steps = Generator[Any, Any, _Result]  # it yields tasks, and gets their answers back


def at_once(steps: Steps[_Result], progress: threading.Event | None = None) -> _Result:
    """Return what a generator returns, with its tasks done here; `progress` is told of each."""
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
    """Runs one generator at a time: begins each step that it yields, and sends the answer back."""

    done = Signal(object)  # what the generator returned
    progressed = Signal(float, str)  # share of the current task, and what is done, if named
    failed = Signal(object)  # the exception that ended it

    def __init__(self, worker: Worker, owner: str, parent: QObject | None = None) -> None:
        """Run tasks in `worker`, under the name `owner`."""
        super().__init__(parent)
        self.worker, self._owner = worker, owner
        self._steps: Generator[Any, Any, Any] | None = None
        worker.done.connect(self._receive_answer)
        worker.failed.connect(self._receive_answer)
        worker.progressed.connect(self._receive_progress)

    @property
    def busy(self) -> bool:
        return self._steps is not None

    def run(self, steps: Generator[Any, Any, Any]) -> None:
        """Run a generator up to its first step; the one before is cancelled."""
        self.cancel()
        self._steps = steps
        self._advance(None)

    def cancel(self) -> None:
        """End the generator where it is; no signal follows."""
        steps, self._steps = self._steps, None
        if steps is not None:
            self.worker.cancel(self._owner)
            with suppress(ValueError):  # raised if it cancels itself; then `_advance` closes it
                steps.close()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: object) -> None:
        if owner == self._owner and self.busy:
            self._advance(answer)

    @Slot(str, float, str)
    def _receive_progress(self, owner: str, share: float, phase: str) -> None:
        if owner == self._owner and self.busy:
            self.progressed.emit(share, phase)

    def _begin(self, step: Any) -> None:
        self.worker.request(self._owner, step, long=True)

    def _advance(self, answer: object) -> None:
        """Run the generator up to its next step, with an answer or an exception for it."""
        steps = self._steps
        assert steps is not None
        try:
            if isinstance(answer, BaseException):
                step = steps.throw(answer)
            else:
                step = steps.send(answer)
            if steps is self._steps:
                self._begin(step)
            else:  # it cancelled itself
                steps.close()
        except StopIteration as end:
            if self._end(steps):
                self.done.emit(end.value)
        except Exception as error:
            if self._end(steps):
                self.failed.emit(error)

    def _end(self, steps: Generator[Any, Any, Any]) -> bool:
        """Forget a generator that has ended; return False if it was cancelled before."""
        is_current = steps is self._steps
        if is_current:
            self._steps = None
        return is_current
