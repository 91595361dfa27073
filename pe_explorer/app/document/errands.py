"""Errands: what takes several steps, with questions and slow files in between, one after the other.

An errand is a generator. It yields what it waits for, a question, a choice of a file or work
in a thread, and gets the answer back where it stands; so it reads from top to bottom, and an
exception of the work is raised in it. Only one errand is under way at any time, and none goes
on under a dialog that somebody else has opened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QWidget

from pe_explorer.model import Worker
from pe_explorer.model.worker import Task
from pe_explorer.widgets.messages import Button, ask

__all__ = ["Choose", "Errand", "Errands", "Question", "Work", "finish_typing"]


@dataclass(frozen=True)
class Question:
    """A question; the answer is the button that was pressed."""

    title: str
    text: str
    buttons: dict[Button, str]
    default: Button


@dataclass(frozen=True)
class Choose:
    """A choice of a file, to open or, with a proposed `name`, to write.

    The answer is its path, or None.
    """

    title: str
    folder: str
    kinds: str
    name: str = ""


@dataclass(frozen=True)
class Work:
    """A task for a thread; the answer is what it returns.

    One that is `droppable` only reads: it is not waited for when there is something else to do.
    """

    task: Task
    droppable: bool = False


Step = Question | Choose | Work
Errand = Generator[Step, Any, Any]

_OWNER = "errand"
_NOTHING = object()


class Errands(QObject):
    """Runs errands in the order in which they come."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.worker = Worker(self)
        """For files; not the model's, where an export may take an hour."""
        self._waiting: deque[tuple[Callable[[], Errand], QWidget]] = deque()
        self._now: Errand | None = None
        self._parent = window
        """The window or dialog that the errand is for: its questions belong to it."""
        self._step: Step | None = None
        self._answer: Any = _NOTHING
        """What the work has brought, as long as another dialog is open."""
        self._chooser: QFileDialog | None = None
        self._blocker: QDialog | None = None
        """The dialog of somebody else whose end is waited for."""
        self._closed = False
        self.worker.done.connect(self._done)
        self.worker.failed.connect(self._done)

    @property
    def busy(self) -> bool:
        """Whether one is under way."""
        return self._now is not None

    def start(self, errand: Callable[[], Errand], parent: QWidget | None = None) -> None:
        """Begin an errand, for a dialog or the window, as soon as those before it have ended."""
        if self._closed:
            return
        self._waiting.append((errand, parent or self._window))
        if isinstance(self._step, Work) and self._step.droppable:
            self.worker.cancel(_OWNER)
            self._end()
        else:
            self._go_on()

    def close(self) -> None:
        """Drop what waits; what is being written is finished, and its errand hears of it."""
        self._waiting.clear()
        self._closed = True
        if isinstance(self._step, Work) and not self._step.droppable:
            self.worker.finish()
            self._go_on()  # with what came before, and waited for the end of another dialog
        self._now = self._step = None
        self._answer = _NOTHING
        self.worker.close()

    # -- going on ------------------------------------------------------------------------------

    @Slot()
    def _go_on(self) -> None:
        """Deliver the answer, or begin what is next, unless a dialog is open that is not the
        errand's.
        """
        if self._answer is not _NOTHING:
            if self._closed or self._is_free(self._parent):
                answer, self._answer = self._answer, _NOTHING
                self._advance(answer)
        elif not self.busy and self._waiting and self._is_free(self._waiting[0][1]):
            errand, self._parent = self._waiting.popleft()
            finish_typing(self._window)
            self._now = errand()
            self._advance(None)

    def _is_free(self, parent: QWidget) -> bool:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog) or dialog is parent or not dialog.isVisible():
            return True
        if dialog is not self._blocker:
            self._blocker = dialog
            dialog.finished.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
        return False

    def _advance(self, answer: Any) -> None:
        """Let the errand go on with an answer, an exception among them, to what it waits for
        next.
        """
        assert self._now is not None
        self._step = None
        try:
            step = (
                self._now.throw(answer) if isinstance(answer, Exception) else self._now.send(answer)
            )
            if self._closed:
                self._now.close()
                self._now = None
            else:
                self._step = step
                self._begin(step)
        except StopIteration:
            self._end()
        except Exception:
            self._end()
            raise

    def _end(self) -> None:
        if self._now:
            self._now.close()
        self._now = self._step = None
        self._answer = _NOTHING
        self._go_on()

    def _begin(self, step: Step) -> None:
        if isinstance(step, Work):
            self.worker.request(_OWNER, step.task, loose=step.droppable)
        elif isinstance(step, Question):
            parent = self._parent if shiboken6.isValid(self._parent) else self._window
            ask(parent, step.title, step.text, step.buttons, step.default, self._answered)
        else:
            self._choose(step)

    def _choose(self, step: Choose) -> None:
        dialog = self._chooser = QFileDialog(self._window, step.title, step.folder, step.kinds)
        dialog.setSupportedSchemes(["file"])
        if step.name:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(Path(step.name).suffix)
            dialog.selectFile(step.name)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._chosen)
        dialog.open()

    # -- answers -------------------------------------------------------------------------------

    @Slot(int)
    def _answered(self, button: int) -> None:
        if isinstance(self._step, Question):
            self._answer = Button(button)
            self._go_on()

    @Slot(int)
    def _chosen(self, result: int) -> None:
        dialog, self._chooser = self._chooser, None
        if isinstance(self._step, Choose) and dialog:
            files = dialog.selectedFiles() if result else []
            self._answer = Path(files[0]) if files and files[0] else None
            dialog.destroyed.connect(
                self._go_on, Qt.ConnectionType.QueuedConnection
            )  # when it is gone: a question may follow

    @Slot(str, object)
    def _done(self, owner: str, answer: object) -> None:
        if owner == _OWNER and isinstance(self._step, Work):
            self._answer = answer
            self._go_on()


def finish_typing(window: QWidget) -> None:
    """Let the field that has the focus take what was typed into it, as if it was left."""
    field = QApplication.focusWidget()
    if isinstance(field, QLineEdit) and window.isAncestorOf(field):
        field.clearFocus()
        field.setFocus()
