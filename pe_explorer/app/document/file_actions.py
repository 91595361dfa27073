"""What the File menu does with the document; every action is a workflow, see `workflow`.

What reads and writes files is imported when the first of them is asked for.
"""

from __future__ import annotations

import threading
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.app.document.document import Document, SavedVersion
from pe_explorer.app.document.workflow import Choose, Work, Workflow, WorkflowRunner
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.panels.described_model import DescribedModel
from pe_explorer.params import ParameterError
from pe_explorer.widgets.messages import show_message

if TYPE_CHECKING:
    from pe_explorer.app.document.autosave import Backup
    from pe_explorer.app.document.saving import SaveWorkflows
    from pe_explorer.files.opening import OpenedConfiguration
    from pe_explorer.files.session import Session
    from pe_explorer.tables import Table


_NOT_OPENED = "This file cannot be opened"


class FileActions(QObject):
    """Begins, opens, saves and closes; everything that would lose unsaved changes asks first."""

    reported = Signal(str)
    """A sentence on what was done."""
    configuration_found = Signal()
    """A configuration is about to be shown."""
    configuration_opened = Signal()
    """The configuration is shown."""
    class_unknown = Signal()
    """The configuration that is shown is of an unknown class, which its page says."""
    choosing = Signal()
    """The user is choosing a file to open."""

    def __init__(
        self, window: QWidget, model: Model, document: Document, settings: SettingsFile
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self._may_close = self._closing = False
        self.workflows = WorkflowRunner(window)

    @cached_property
    def saving(self) -> SaveWorkflows:
        """What saves, and asks about unsaved changes."""
        from pe_explorer.app.document.saving import SaveWorkflows

        saving = SaveWorkflows(self._window, self._model, self._document, self._settings)
        saving.reported.connect(self.reported)
        return saving

    # -- actions -------------------------------------------------------------------------------

    @Slot()
    def new(self) -> None:
        """Begin a new exploration, without a file."""
        self.workflows.start(self._new)

    @Slot()
    def open(self) -> None:
        """Ask for a file, and open it."""
        self.workflows.start(self._choose_and_open)

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Open a session, a file with one, a configuration or a table; report what is wrong."""
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
        self, path: Path, found: Session | Table | OpenedConfiguration, digest: str | None
    ) -> None:
        """Show the content of a file, with its digest, that was read before the window opened."""
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

    def show_configuration(self, path: Path, opened: OpenedConfiguration) -> None:
        """Show what a configuration means, as a new document; one step of undo leads back."""
        from pe_explorer.configs import UNKNOWN_CLASS
        from pe_explorer.exploration.layer_types import explored, sentence_of

        self.configuration_found.emit()
        state = explored(opened.found)
        described = DescribedModel(path.name, opened.checks, state.encoding)
        self._document.begin_with(state.with_(opened=described), f"configuration {path.name}")
        self._settings.note_file(path)
        self.configuration_opened.emit()
        counts = opened.checks[0].counts
        misleading = [_counted(counts[level], level) for level in counts if level != "note"]
        said = " and ".join(filter(None, misleading))
        sentences = (
            f"{path.name} opened as a model's configuration.",
            f"It has {said}, which the page Model explains." if said else "",
            sentence_of(opened.found),
        )
        self.reported.emit(" ".join(filter(None, sentences)))
        if any(each.kind == UNKNOWN_CLASS for each in opened.checks[0].findings):
            self.class_unknown.emit()

    def show_table(self, path: Path, note: str) -> None:
        """Show the table of a file that has no session, in one step that can be undone."""
        self._model.announce()  # earlier changes are a step of their own
        if self._model.set_encoding("learned", file=str(path)):
            self._model.announce()
            self._settings.note_file(path)
            self.reported.emit(f"{path} opened as a learned table. {note}".rstrip())

    def show_recovered(self, backup: Backup) -> None:
        """Show what a backup holds; it is unsaved until it is saved."""
        from pe_explorer.app.document.saving import is_session_name

        assert backup.session is not None
        source = backup.source
        path = Path(source.path) if source.path else None
        extra = backup.session.extra
        saved = SavedVersion(None, path, is_session_name(path), extra, source.digest)
        self._document.show(saved, backup.session.state)
        self.reported.emit("Recovered. Save the exploration to keep it.")

    # -- closing -------------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Return whether the window may close now.

        If not, it closes when all questions are answered, unless an answer is Cancel.
        """
        if not self._may_close and not self._closing:
            self._closing = True
            self.workflows.start(self._close)
        return self._may_close

    def leave(self) -> None:
        """Let the window close without a question; the next start offers unsaved changes."""
        self._may_close = True

    def close(self) -> None:
        """Finish reading and writing of files under way."""
        self.workflows.close()

    # -- workflows -----------------------------------------------------------------------------

    def _close(self) -> Workflow:
        try:
            settled = yield from self.saving.settle_changes()
        finally:
            self._closing = False
        if settled:
            self._document.discard_changes()
            self._may_close = True
            self._window.close()

    def _new(self) -> Workflow:
        if (yield from self.saving.settle_changes()):
            state = Exploration()
            self._document.show(SavedVersion(state), state)
            self.reported.emit("New exploration.")

    def _choose_and_open(self) -> Workflow:
        from pe_explorer.app.document.saving import OPEN_KINDS

        self.choosing.emit()
        path = yield Choose("Open", self._settings.settings.folder("session"), OPEN_KINDS)
        if path:
            yield from self._open(path)

    def _open(self, path: Path) -> Workflow:
        from pe_explorer.tables import Table, TableError

        read = Work(partial(_read, path), droppable=True)
        try:
            while True:
                before = self._document.saved
                found = yield read
                if isinstance(found, Table):  # undo leads back: no changes are lost
                    self.show_table(path, found.note)
                    return
                if not (yield from self.saving.settle_changes()):
                    return
                if self._document.saved is before:  # else it may have been saved to this file
                    break
        except GeneratorExit:
            if not self._may_close:
                self.reported.emit(f"Opening {path} was cancelled by your next action.")
            raise
        except FileNotFoundError:
            self._settings.forget_recent(path)
            sentence = f"{path}: there is no such file; choose another."
            show_message(self._window, _NOT_OPENED, sentence)
        except ParameterError as error:
            show_message(self._window, _NOT_OPENED, f"{error.problem}.")
        except TableError as error:
            show_message(self._window, _NOT_OPENED, f"{error}.")
        else:
            if isinstance(found, tuple):
                self._show(*found)
            else:
                self.show_configuration(path, found)

    def _show(self, saved: SavedVersion, found: Session) -> None:
        assert saved.path is not None
        self._document.show(saved, found.state)
        self._settings.note_file(saved.path)
        self.reported.emit(f"{saved.path} opened.")
        if found.notes:
            show_message(self._window, "Some settings could not be used", "\n".join(found.notes))


def _read(
    path: Path, _: threading.Event
) -> tuple[SavedVersion, Session] | Table | OpenedConfiguration:
    """Return what a file holds; in a thread, which imports what reads it, too."""
    from pe_explorer.app.document.saving import read_file

    return read_file(path)


def _counted(number: int, level: str) -> str:
    return f"{number} {level}{'' if number == 1 else 's'}" if number else ""
