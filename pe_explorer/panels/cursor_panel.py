"""What the panels share that read an encoding at the cursor, or under the mouse."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

from PySide6.QtCore import Slot

from pe_explorer.encodings import Axis
from pe_explorer.model import Exploration, Model
from pe_explorer.model.worker import Task
from pe_explorer.panels.follower import Panel
from pe_explorer.params import Parameter, capitalised, declared

__all__ = ["CursorPanel", "cursor_parameter"]


class CursorPanel(Panel):
    """A panel that shows what is at the cursor, or under the mouse while it is over a picture."""

    reader = ""
    """The name under which the panel gets answers from the worker."""

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (model.previewed, self.synchronise),
            (model.worker.done, self._receive_answer),
        ]

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(self.reader)
        super().detach()

    def needs_update(self, old: Exploration, new: Exploration) -> bool:
        """Return whether a change concerns the panel."""
        return True

    def read(self, task: Task, *, from_file: bool) -> None:
        """Do a task and show its answer: in the worker if it reads a file, otherwise now."""
        worker = self.model.worker
        if from_file:
            worker.request(self.reader, task)
        else:
            worker.cancel(self.reader)
            self.show_answer(task(threading.Event()))

    def show_answer(self, answer: Any) -> None:
        """Show what a task returned."""
        raise NotImplementedError

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if self.needs_update(old, new):
            self.synchronise()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: Any) -> None:
        if owner == self.reader:
            self.show_answer(answer)


def cursor_parameter(field: str, axis: Axis) -> Parameter:
    """Return the parameter of a field of the cursor, named as the encoding names its axis."""
    title = capitalised(axis.name)
    return dataclasses.replace(
        declared(Exploration)[field],
        label=title,
        symbol=axis.symbol,
        unit=axis.name,
        help=f"{title} of the cursor.",
    )
