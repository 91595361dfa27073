"""The File menu: create, open, compare, save and close, with the questions before changes are lost.

An action of several steps is a chain of functions: each begins a question, a choice of a file or
work in a thread, and says what goes on with the answer. What reads files is imported when used.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from pe_explorer.app.document.backups import UNNAMED, Backup, SavedVersion
from pe_explorer.app.document.document import Document
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.exploration import MOST_PINS, Exploration, panes_of
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files.atomic import OutputError
from pe_explorer.flags import PLATE
from pe_explorer.gallery.models import exploration_of
from pe_explorer.model import Model
from pe_explorer.model.worker import Task, Worker
from pe_explorer.params import ParameterError, listed
from pe_explorer.pictures import find
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.messages import Button, ask, show_message

if TYPE_CHECKING:
    from pe_explorer.files.session import Session
    from pe_explorer.tables import Table

_OWNER = "files"
_SAVE_FIRST = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_REPLACE = {Button.Save: "&Replace", Button.Cancel: "Cancel"}
_Next: TypeAlias = Callable[[], object]  # `bool` is one that does nothing
_Steps: TypeAlias = dict[Button, _Next]


def finish_typing() -> None:
    """Let the field that has the focus accept what was typed into it, as if it was left.

    Fields of dialogs are left alone: they have buttons of their own.
    """
    field = QApplication.focusWidget()
    if isinstance(field, QLineEdit) and not isinstance(field.window(), QDialog):
        field.clearFocus()
        field.setFocus()


class FileActions(QObject):
    """Creates, opens, saves and closes documents, and asks before unsaved changes are lost."""

    reported = Signal(str)
    """A sentence about what was done."""
    configuration_found = Signal()
    """A configuration is about to be shown."""
    configuration_opened = Signal()
    """The configuration is shown."""
    class_unknown = Signal()
    """The class of the shown configuration is unknown, as its page explains."""
    figure_opened = Signal()
    """A figure is opened; its export dialog comes next."""
    choosing = Signal()
    """The user is choosing a file to open."""

    def __init__(
        self, window: QWidget, model: Model, document: Document, settings: SettingsFile
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self.worker = Worker(window)
        """For files; separate from the model's, where an export may take an hour."""
        self.worker.done.connect(self._receive_answer)
        self.worker.failed.connect(self._receive_answer)
        self._waiting: deque[_Next] = deque()  # actions, until the one before has ended
        self._then: Callable[[Any], object] | None = None  # goes on with the next answer
        self._step: _Next | None = None  # goes on once no other dialog is open
        self._reading: Path | None = None
        self._can_close = self._closing = self._closed = False

    # -- actions -------------------------------------------------------------------------------

    @Slot()
    def new(self) -> None:
        """Start a new exploration, without a file."""
        self.begin(partial(self.settle_changes, self._show_new))

    @Slot()
    def open(self) -> None:
        """Ask for a file, and open it."""
        self.begin(partial(self._choose_and_open, "Open"))

    @Slot()
    def compare(self) -> None:
        """Ask for a configuration, and compare with it."""
        self.begin(partial(self._choose_and_open, "Compare with", beside=True))

    @Slot(str)
    def compare_file(self, path: str) -> None:
        """Compare with a configuration; report errors."""
        self.begin(partial(self._open, Path(path), beside=True))

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Open a session, a file with one, a configuration or a table; report errors."""
        self.begin(partial(self._open, Path(path)))

    @Slot()
    def save(self) -> None:
        """Save to the document's file; ask for a name if it has none or must not be replaced."""
        self.begin(self._save)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name, and save."""
        self.begin(partial(self._save, choose=True))

    @Slot(object)
    def recover(self, backup: Backup) -> None:
        """Open a backup, which counts as unsaved."""
        self.begin(partial(self.settle_changes, partial(self._show_recovered, backup)))

    def can_close(self) -> bool:
        """Return whether the window can close now.

        If not, it closes when all questions are answered, unless an answer is Cancel.
        """
        if not self._can_close and not (self.busy and self._closing):
            if self._close in self._waiting:  # it is not under way: the action before has failed
                self._waiting.remove(self._close)
            self.begin(self._close)
        return self._can_close

    def leave(self) -> None:
        """Let the window close without asking; the next start offers unsaved changes."""
        self._can_close = True

    def close(self) -> None:
        """Finish writing, and drop all other actions."""
        self._waiting.clear()
        self._closed = True
        if self._reading is None:
            self.worker.finish()
            self._go_on()  # with an answer that has waited for the end of another dialog
        self._step = self._then = None
        self.worker.close()

    # -- what is shown -------------------------------------------------------------------------

    def show_found(
        self, path: Path, found: Session | Table | OpenedModel, digest: str | None
    ) -> None:
        """Show the content of a file that was read before the window opened, with its digest."""
        from pe_explorer.app.document.saving import version_of
        from pe_explorer.files.session import Session

        if isinstance(found, Session):
            self._show(path, version_of(path, found, digest))
        else:
            self._show(path, found)
        if not isinstance(found, OpenedModel):
            self._document.discard_changes()  # the user has not changed anything yet

    def _show(self, path: Path, found: tuple[SavedVersion, Session] | Table | OpenedModel) -> None:
        if isinstance(found, tuple):
            self._show_session(path, *found)
        elif isinstance(found, OpenedModel):
            self.show_configuration(path, found)
        else:
            self.show_table(path, found.note)

    def show_configuration(self, path: Path, opened: OpenedModel) -> None:
        """Show a configuration as a new document; one step of undo leads back."""
        from pe_explorer.configs import UNKNOWN_CLASS
        from pe_explorer.exploration.layer_types import sentence_of

        self.configuration_found.emit()
        state = exploration_of(opened)
        self._document.begin_with(state, f"configuration {path.name}", path.name)
        self._settings.note_file(path)
        self.configuration_opened.emit()
        check = opened.checks[0]
        misleading = [
            f"{number} {level}{'' if number == 1 else 's'}"
            for level, number in check.counts.items()
            if number and level != "note"
        ]
        sentences = (
            f"{path.name} opened as a model's configuration.",
            f"The page Model explains {' and '.join(misleading)}." if misleading else "",
            sentence_of(opened.found),
        )
        self.reported.emit(" ".join(filter(None, sentences)))
        if any(each.kind == UNKNOWN_CLASS for each in check.findings):
            self.class_unknown.emit()

    def show_compared(self, path: Path, opened: OpenedModel) -> None:
        """Pin the encodings of another configuration and compare with them, as one step of undo."""
        from pe_explorer.exploration.layer_types import with_compared

        first, step = self._document.saved, f"compare with {path.name}"
        if len(self._model.state.pins) == MOST_PINS:
            show_message(self._window, "All pins are in use", "Unpin an encoding first.")
            return
        state, left = with_compared(self._model.state.intention, opened)
        if not find("compare").is_lacking(state):
            state = state.with_(panes=panes_of(("frequencies", "compare"), "stacked", "compare"))
        if first.path is None and not self._document.modified:
            self._document.begin_with(state, step, first.name)
        else:
            self._model.apply(state, step)
        self._settings.note_file(path)
        self.configuration_opened.emit()
        shown, sentence = state.opened, f"{path.name} is pinned."
        if isinstance(shown, OpenedModel):
            sentence = shown.verdict(opened)
        rest = f" No pin is left for {listed(left)}." if left else ""
        self.reported.emit(f"{sentence}{rest}")

    def show_table(self, path: Path, note: str) -> None:
        """Show the table of a file that has no session, as one step of undo."""
        self._model.announce()  # earlier changes are a step of their own
        if self._model.set_encoding("learned", file=str(path)):
            self._model.announce()
            self._settings.note_file(path)
            self.reported.emit(f"{path} opened as a learned table. {note}".rstrip())

    def _show_recovered(self, backup: Backup) -> None:
        from pe_explorer.app.document.saving import is_session_name

        assert backup.session is not None
        assert self._document.autosave is not None
        try:
            self._document.autosave.adopt(backup)
        except OutputError as error:
            show_message(self._window, "This cannot be recovered", f"{error.problem}.")
            return
        save_here = is_session_name(backup.saved.path)
        self._document.show(replace(backup.saved, save_here=save_here), backup.session.state)
        self.reported.emit("Recovered. Save the exploration to keep it.")

    def _show_new(self) -> None:
        state = Exploration()
        self._document.show(SavedVersion(state), state)
        self.reported.emit("New exploration.")

    def _show_session(self, path: Path, saved: SavedVersion, found: Session) -> None:
        from pe_explorer.files.figure_request import request_in

        state, request = found.state, request_in(found.extra)
        if request is not None and request.view != PLATE:  # the figure has no panes
            state = state.with_(panes=panes_of((request.view,)))
            saved = replace(saved, state=state)
        self._document.show(saved, state)
        self._settings.note_file(path)
        self.reported.emit(f"{path} opened.")
        if request is not None:
            self.figure_opened.emit()
        if found.notes:
            show_message(self._window, "Some settings could not be used", "\n".join(found.notes))

    # -- opening -------------------------------------------------------------------------------

    def _choose_and_open(self, title: str, *, beside: bool = False) -> None:
        from pe_explorer.app.document.saving import OPEN_KINDS

        self.choosing.emit()
        self._choose(partial(self._open, beside=beside), title, OPEN_KINDS)

    def _open(self, path: Path, *, beside: bool = False) -> None:
        self._reading = path
        self._work(partial(self._receive_file, path, beside), partial(_read, path, beside))

    def _receive_file(self, path: Path, beside: bool, found: Any) -> None:
        from pe_explorer.tables import Table, TableError

        self._reading = None
        if isinstance(found, FileNotFoundError):
            self._settings.forget_recent(path)
        if isinstance(found, ParameterError | TableError | FileNotFoundError):
            problem = getattr(found, "problem", found)
            show_message(self._window, "This file cannot be opened", f"{problem}.")
        elif isinstance(found, Exception):
            raise found
        elif beside:  # undo leads back: no changes are lost
            self.show_compared(path, found)
        elif isinstance(found, Table):  # as here
            self._show(path, found)
        else:
            self.settle_changes(partial(self._show_opened, path, found, self._document.saved))

    def _show_opened(self, path: Path, found: Any, before: SavedVersion) -> None:
        if self._document.saved is not before:  # perhaps it was saved to this file
            self._open(path)
        else:
            self._show(path, found)

    # -- saving and closing --------------------------------------------------------------------

    def settle_changes(self, then: _Next) -> None:
        """Ask about unsaved changes until there are none that the user wants to keep; then go on.

        It is a step of an action, which ends here if the user cancels.
        """
        self._finish_changes()
        if self._document.modified:
            text = f"“{self._document.name}” has unsaved changes. Save them first?"
            save = partial(self._save, partial(self.settle_changes, then))
            steps: _Steps = {Button.Save: save, Button.Discard: then}
            self._ask(steps, "Unsaved changes", text, _SAVE_FIRST, Button.Save)
        else:
            then()

    def _save(self, then: _Next = bool, *, choose: bool = False) -> None:
        from pe_explorer.app.document.saving import NEW_ENDING, SAVE_KINDS, is_session_name

        saved, name = self._document.saved, self._document.name
        if saved.path and saved.save_here and not choose:
            self._write(saved.path, then)
            return
        if not is_session_name(saved.path):
            name = f"{'exploration' if name == UNNAMED else Path(name).stem}{NEW_ENDING}"
        write = partial(self._write, then=then, overwrite=True)
        self._choose(write, "Save as", SAVE_KINDS, name, NEW_ENDING)

    def _write(self, path: Path, then: _Next, overwrite: bool = False) -> None:
        from pe_explorer.app.document.saving import write_version

        self._finish_changes()
        now, path = self._model.state.intention, path.absolute()
        version = replace(self._document.saved, state=now, path=path, save_here=True)
        receive = partial(self._receive_digest, path, version, then)
        self._work(receive, lambda _: write_version(version, overwrite))

    def _receive_digest(self, path: Path, version: SavedVersion, then: _Next, answer: Any) -> None:
        if isinstance(answer, str):
            self._document.set_saved(replace(version, digest=answer))
            self._settings.note_file(path)
            self.reported.emit(f"{path} saved.")
            then()
        elif answer is None:
            text = (
                f"{path} has changed since it was last opened or saved here. Replace it, and lose "
                "those changes?"
            )
            write = partial(self._write, path, then, overwrite=True)
            steps: _Steps = {Button.Save: write}
            self._ask(steps, "Replace the file?", text, _REPLACE, Button.Cancel)
        elif isinstance(answer, ParameterError):
            show_message(self._window, "This cannot be saved", f"{answer.problem}.")
        else:
            raise answer

    def _finish_changes(self) -> None:
        """Include what is being typed and what has just changed."""
        finish_typing()
        self._model.announce()

    def _close(self) -> None:
        self.settle_changes(self._close_window)

    def _close_window(self) -> None:
        self._document.discard_changes()
        self._can_close = True
        self._window.close()

    # -- steps ---------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether an action is under way."""
        return self._then is not None or self._step is not None

    def begin(self, action: _Next) -> None:
        """Begin an action as soon as the one before has ended; if that only reads, it ends now."""
        if self._closed:
            return
        if self._reading is not None:
            self.worker.cancel(_OWNER)
            self.reported.emit(f"Opening {self._reading} was cancelled by your next action.")
            self._reading = self._then = self._step = None
        self._waiting.append(action)
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        """Take the next step, or begin the next action, unless a dialog is open."""
        while self._step or (self._waiting and not self.busy):
            dialog = QApplication.activeModalWidget()
            if isinstance(dialog, QDialog) and dialog.isVisible() and not self._closed:
                dialog.finished.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
                return
            step, self._step = self._step, None
            if step is None:
                step = self._waiting.popleft()
                self._closing = step == self._close
                finish_typing()
            step()

    def _work(self, then: Callable[[Any], object], task: Task) -> None:
        self._then = then
        self.worker.request(_OWNER, task, own_thread=self._reading is not None)

    def _ask(
        self, steps: _Steps, title: str, text: str, labels: dict[Button, str], default: Button
    ) -> None:
        if not self._closed:
            self._then = lambda button: steps.get(Button(button), bool)()
            ask(self._window, title, text, labels, default, self._receive_button)

    def _choose(self, then: Callable[[Path], object], title: str, kinds: str, *new: str) -> None:
        self._then = then
        folder = self._settings.settings.folder("session")
        chooser = FileChooser(self._window, title, kinds, folder)
        if new:
            chooser.propose(*new)
        chooser.finished.connect(self._receive_choice)
        chooser.open()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: object) -> None:
        if owner == _OWNER and self._then is not None:
            self._step, self._then = partial(self._then, answer), None
            self._go_on()

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        self._receive_answer(_OWNER, button)

    @Slot(int)
    def _receive_choice(self, result: int) -> None:
        chooser, then, self._then = self.sender(), self._then, None
        assert isinstance(chooser, FileChooser)
        files = chooser.selectedFiles() if result else []
        if then and files and files[0]:
            self._step = partial(then, Path(files[0]))
        # Go on only when the dialog is gone: a question may follow.
        chooser.destroyed.connect(self._go_on, Qt.ConnectionType.QueuedConnection)


def _read(
    path: Path, beside: bool, _: threading.Event
) -> tuple[SavedVersion, Session] | Table | OpenedModel:
    """Return the content of a file; called in a thread, because imports take time, too."""
    from pe_explorer.app.document.saving import read_file
    from pe_explorer.files.opening import read_compared

    return read_compared(path) if beside else read_file(path)
