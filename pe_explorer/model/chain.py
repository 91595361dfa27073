"""Work that goes to and fro between the GUI thread and the worker, written from top to bottom."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.model.worker import Task, Worker

__all__ = ["Chain", "Steps"]

_Result = TypeVar("_Result")

Steps = Generator[Task, Any, _Result]
"""Runs in the GUI thread, yields what takes long as tasks and gets their answers back."""


class Chain(QObject):
    """Runs one generator of tasks at a time, each task in the worker."""

    done = Signal(object)
    """What the generator returned."""
    failed = Signal(object)
    """The exception that ended it."""
    progressed = Signal(float)
    """How much of the present task is done, from 0 to 1."""

    def __init__(self, worker: Worker, owner: str, parent: QObject | None = None) -> None:
        """`owner` is the name for which the worker runs the tasks."""
        super().__init__(parent)
        self._worker, self._owner = worker, owner
        self._steps: Steps[Any] | None = None
        worker.done.connect(self._go_on)
        worker.failed.connect(self._go_on)
        worker.progressed.connect(self._progress)

    @property
    def busy(self) -> bool:
        """Whether a generator is under way."""
        return self._steps is not None

    def start(self, steps: Steps[Any]) -> None:
        """Run a generator, in place of the one before, up to its first task."""
        self.cancel()
        self._steps = steps
        self._advance(None)

    def cancel(self) -> None:
        """End the generator where it stands; nothing more is heard of it."""
        steps, self._steps = self._steps, None
        if steps is not None:
            self._worker.cancel(self._owner)
            with suppress(ValueError):  # of a generator that cancels itself: `_advance` closes it
                steps.close()

    @Slot(str, object)
    def _go_on(self, owner: str, answer: object) -> None:
        if owner == self._owner and self.busy:
            self._advance(answer)

    @Slot(str, float)
    def _progress(self, owner: str, share: float) -> None:
        if owner == self._owner and self.busy:
            self.progressed.emit(share)

    def _advance(self, answer: object) -> None:
        """Let the generator go on with an answer, an exception among them, to its next task."""
        steps = self._steps
        assert steps is not None
        try:
            task = steps.throw(answer) if isinstance(answer, BaseException) else steps.send(answer)
        except StopIteration as end:
            if self._ended(steps):
                self.done.emit(end.value)
        except Exception as error:
            if self._ended(steps):
                self.failed.emit(error)
        else:
            if steps is self._steps:
                self._worker.request(self._owner, task, long=True)
            else:  # it was cancelled from within
                steps.close()

    def _ended(self, steps: Steps[Any]) -> bool:
        """Whether it was this generator that was under way; none is now."""
        if steps is not self._steps:
            return False
        self._steps = None
        return True
