"""The actions of the File menu on the document; each is a workflow, see `workflow`.

Modules that read and write files are imported when they are first used.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.app.document.document import Document, SavedVersion
from pe_explorer.app.document.workflow import Choose, Work, Workflow, WorkflowRunner
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import MOST_PINS, Exploration, panes_of
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.flags import PLATE
from pe_explorer.gallery.models import exploration_of
from pe_explorer.model import Model
from pe_explorer.params import ParameterError, listed
from pe_explorer.pictures import find
from pe_explorer.widgets.messages import show_message

if TYPE_CHECKING:
    from pe_explorer.app.document.autosave import Backup
    from pe_explorer.app.document.saving import SaveWorkflows
    from pe_explorer.files.session import Session
    from pe_explorer.tables import Table


_NOT_OPENED = "This file cannot be opened"


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
        self._can_close = self._closing = False
        self.workflows = WorkflowRunner(window)

    @cached_property
    def saving(self) -> SaveWorkflows:
        """The workflows that save, and that ask about unsaved changes."""
        from pe_explorer.app.document.saving import SaveWorkflows

        saving = SaveWorkflows(self._window, self._model, self._document, self._settings)
        saving.reported.connect(self.reported)
        return saving

    # -- actions -------------------------------------------------------------------------------

    @Slot()
    def new(self) -> None:
        """Start a new exploration, without a file."""
        self.workflows.start(self._new)

    @Slot()
    def open(self) -> None:
        """Ask for a file, and open it."""
        self.workflows.start(self._choose_and_open)

    @Slot()
    def compare(self) -> None:
        """Ask for a configuration, and compare with it."""
        self.workflows.start(partial(self._choose_and_open, "Compare with", beside=True))

    @Slot(str)
    def compare_file(self, path: str) -> None:
        """Compare with a configuration; report errors."""
        self.workflows.start(partial(self._open, Path(path), beside=True))

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Open a session, a file with one, a configuration or a table; report errors."""
        self.workflows.start(partial(self._open, Path(path)))

    @Slot()
    def save(self) -> None:
        """Save to the document's file; ask for a name if it has none or must not be replaced."""
        self.workflows.start(self.saving.save)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name, and save."""
        self.workflows.start(self.saving.save_as)

    def show_found(
        self, path: Path, found: Session | Table | OpenedModel, digest: str | None
    ) -> None:
        """Show the content of a file that was read before the window opened, with its digest."""
        from pe_explorer.app.document.saving import version_of
        from pe_explorer.files.session import Session
        from pe_explorer.tables import Table

        if isinstance(found, Session):
            self._show(*version_of(path, found, digest))
        elif isinstance(found, Table):
            self.show_table(path, found.note)
            self._document.discard_changes()  # the user has not changed anything yet
        else:
            self.show_configuration(path, found)

    def show_configuration(self, path: Path, opened: OpenedModel) -> None:
        """Show a configuration as a new document; one step of undo leads back."""
        from pe_explorer.configs import UNKNOWN_CLASS
        from pe_explorer.exploration.layer_types import sentence_of

        self.configuration_found.emit()
        state = exploration_of(opened)
        self._document.begin_with(state, f"configuration {path.name}", path.name)
        self._settings.note_file(path)
        self.configuration_opened.emit()
        counts = opened.checks[0].counts
        misleading = [_counted(counts[level], level) for level in counts if level != "note"]
        count = " and ".join(filter(None, misleading))
        sentences = (
            f"{path.name} opened as a model's configuration.",
            f"The page Model explains {count}." if count else "",
            sentence_of(opened.found),
        )
        self.reported.emit(" ".join(filter(None, sentences)))
        if any(each.kind == UNKNOWN_CLASS for each in opened.checks[0].findings):
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

    def show_recovered(self, backup: Backup) -> None:
        """Show the exploration of a backup, which counts as unsaved."""
        from pe_explorer.app.document.saving import is_session_name

        assert backup.session is not None
        source = backup.source
        path = Path(source.path) if source.path else None
        extra = backup.session.extra
        saved = SavedVersion(None, path, is_session_name(path), extra, source.digest)
        self._document.show(saved, backup.session.state)
        self.reported.emit("Recovered. Save the exploration to keep it.")

    # -- closing -------------------------------------------------------------------------------

    def can_close(self) -> bool:
        """Return whether the window can close now.

        If not, it closes when all questions are answered, unless an answer is Cancel.
        """
        if not self._can_close and not self._closing:
            self._closing = True
            self.workflows.start(self._close)
        return self._can_close

    def leave(self) -> None:
        """Let the window close without asking; the next start offers unsaved changes."""
        self._can_close = True

    def close(self) -> None:
        """Finish reading and writing files."""
        self.workflows.close()

    # -- workflows -----------------------------------------------------------------------------

    def _close(self) -> Workflow:
        try:
            settled = yield from self.saving.settle_changes()
        finally:
            self._closing = False
        if settled:
            self._document.discard_changes()
            self._can_close = True
            self._window.close()

    def _new(self) -> Workflow:
        if (yield from self.saving.settle_changes()):
            state = Exploration()
            self._document.show(SavedVersion(state), state)
            self.reported.emit("New exploration.")

    def _choose_and_open(self, title: str = "Open", *, beside: bool = False) -> Workflow:
        from pe_explorer.app.document.saving import OPEN_KINDS

        self.choosing.emit()
        path = yield Choose(title, self._settings.settings.folder("session"), OPEN_KINDS)
        if path:
            yield from self._open(path, beside=beside)

    def _open(self, path: Path, *, beside: bool = False) -> Workflow:
        from pe_explorer.tables import Table, TableError

        read = Work(partial(_read, path, beside), droppable=True)
        try:
            while True:
                before = self._document.saved
                found = yield read
                if beside:  # undo leads back: no changes are lost
                    self.show_compared(path, found)
                    return
                if isinstance(found, Table):  # undo leads back: no changes are lost
                    self.show_table(path, found.note)
                    return
                if not (yield from self.saving.settle_changes()):
                    return
                if self._document.saved is before:  # otherwise it may have been saved to this file
                    break
        except GeneratorExit:
            if not self._can_close:
                self.reported.emit(f"Opening {path} was cancelled by your next action.")
            raise
        except FileNotFoundError:
            self._settings.forget_recent(path)
            sentence = f"{path}: there is no such file; choose another."
            show_message(self._window, _NOT_OPENED, sentence)
        except (ParameterError, TableError) as error:
            problem = error.problem if isinstance(error, ParameterError) else error
            show_message(self._window, _NOT_OPENED, f"{problem}.")
        else:
            if isinstance(found, tuple):
                self._show(*found)
            else:
                self.show_configuration(path, found)

    def _show(self, saved: SavedVersion, found: Session) -> None:
        path = saved.path
        assert path is not None
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


def _read(
    path: Path, beside: bool, _: threading.Event
) -> tuple[SavedVersion, Session] | Table | OpenedModel:
    """Return the content of a file; called in a thread, because imports take time, too."""
    from pe_explorer.app.document.saving import read_file
    from pe_explorer.files.opening import read_compared

    return read_compared(path) if beside else read_file(path)


def _counted(number: int, level: str) -> str:
    return f"{number} {level}{'' if number == 1 else 's'}" if number else ""
