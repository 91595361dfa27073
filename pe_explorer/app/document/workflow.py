"""Workflows: actions of several steps, with questions and slow files between them.

A workflow is a generator. It yields what it waits for (a question, a choice of a file, or work
in a thread) and gets the answer back where it stands, so it reads from top to bottom; an
exception of the work is raised there, too. Only one workflow runs at a time, and none goes on
under a dialog that something else has opened.
"""

from collections import deque
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import shiboken6
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from pe_explorer.model.steps import StepRunner
from pe_explorer.model.worker import Task, Worker
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.messages import Button, ask


class Question(NamedTuple):
    """A question; the answer is the button that was pressed."""

    title: str
    text: str
    buttons: dict[Button, str]
    default: Button


class Choose(NamedTuple):
    """A choice of a file to open or, with a proposed `name`, to write.

    A name that is typed without an ending gets `ending`. The answer is its path, or None.
    """

    title: str
    folder: str
    kinds: str
    name: str = ""
    ending: str = ""


class Work(NamedTuple):
    """A task for a thread; the answer is what it returns.

    A `droppable` one only reads: the next workflow cancels it instead of waiting for it.
    """

    task: Task
    droppable: bool = False


Step = Question | Choose | Work
Workflow = Generator[Step, Any, Any]

_OWNER = "workflow"
_NO_ANSWER = object()


class WorkflowRunner(StepRunner):
    """Runs workflows one after the other."""

    def __init__(self, window: QWidget) -> None:
        self.worker = Worker(window)
        """For files; separate from the model's, where an export may take an hour."""
        super().__init__(self.worker, _OWNER, window)
        self._window = window
        self._queue: deque[tuple[Callable[[], Workflow], QWidget]] = deque()
        self._parent = window
        """The window or dialog that the workflow is for, and that its questions belong to."""
        self._step: Step | None = None
        self._answer: Any = _NO_ANSWER
        """The answer to the step, while another dialog is open."""
        self._file_dialog: FileChooser | None = None
        self._closed = False
        self.done.connect(self._go_on)
        self.failed.connect(self._receive_failure)

    def start(self, workflow: Callable[[], Workflow], parent: QWidget | None = None) -> None:
        """Run a workflow, for a dialog or the window, as soon as those before it have ended."""
        if self._closed:
            return
        self._queue.append((workflow, parent or self._window))
        if isinstance(self._step, Work) and self._step.droppable:
            self._drop()
        else:
            self._go_on()

    def close(self) -> None:
        """Drop waiting workflows; a write under way is finished and answers its workflow."""
        self._queue.clear()
        self._closed = True
        if isinstance(self._step, Work) and not self._step.droppable:
            self.worker.finish()
            self._go_on()  # with an answer that has waited for the end of another dialog
        self._steps = self._step = None  # not closed: perhaps it is what closes the window
        self._answer = _NO_ANSWER
        self.worker.close()

    @Slot()
    def _go_on(self) -> None:
        """Deliver the answer, or start what is next, unless another dialog is open."""
        if self._answer is not _NO_ANSWER:
            if self._closed or self._is_free(self._parent):
                answer, self._answer = self._answer, _NO_ANSWER
                self._step = None
                self._advance(answer)
        elif not self.busy and self._queue and self._is_free(self._queue[0][1]):
            workflow, self._parent = self._queue.popleft()
            finish_typing()
            self.run(workflow())

    def _is_free(self, parent: QWidget) -> bool:
        """Return whether no dialog but `parent` is open; if one is, go on when it closes."""
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog) or dialog is parent or not dialog.isVisible():
            return True
        dialog.finished.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
        return False

    @Slot(object)
    def _receive_failure(self, error: Exception) -> None:
        """Start what is next, and have the exception reported."""
        self._drop()
        raise error

    def _drop(self) -> None:
        """End the workflow where it stands, and start what is next."""
        self.cancel()
        self._step = None
        self._answer = _NO_ANSWER
        self._go_on()

    def _begin(self, step: Step) -> None:
        self._step = step
        if self._closed:
            self._drop()
        elif isinstance(step, Work):
            self.worker.request(_OWNER, step.task, own_thread=step.droppable)
        elif isinstance(step, Question):
            parent = self._parent if shiboken6.isValid(self._parent) else self._window
            ask(parent, step.title, step.text, step.buttons, step.default, self._receive_button)
        else:
            self._file_dialog = _file_dialog(step, self._window)
            self._file_dialog.finished.connect(self._receive_file)
            self._file_dialog.open()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: object) -> None:
        if owner == _OWNER and isinstance(self._step, Work):
            self._answer = answer
            self._go_on()

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if isinstance(self._step, Question):
            self._answer = Button(button)
            self._go_on()

    @Slot(int)
    def _receive_file(self, result: int) -> None:
        dialog, self._file_dialog = self._file_dialog, None
        if dialog and isinstance(self._step, Choose):
            files = dialog.selectedFiles() if result else []
            self._answer = Path(files[0]) if files and files[0] else None
            # Go on only when the dialog is gone: a question may follow.
            dialog.destroyed.connect(self._go_on, Qt.ConnectionType.QueuedConnection)


def _file_dialog(step: Choose, parent: QWidget) -> FileChooser:
    dialog = FileChooser(parent, step.title, step.kinds, step.folder)
    if step.name:
        dialog.propose(step.name, step.ending)
    return dialog


def finish_typing() -> None:
    """Let the field that has the focus accept what was typed into it, as if it was left.

    Fields of dialogs are left alone: they have buttons of their own.
    """
    field = QApplication.focusWidget()
    if isinstance(field, QLineEdit) and not isinstance(field.window(), QDialog):
        field.clearFocus()
        field.setFocus()
