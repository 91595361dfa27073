"""The File menu: create, open, compare, save and close documents.

Each action is a generator. It yields a task for the worker, or None to wait for the dialog that it
has opened.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from pe_explorer.app.document import backups
from pe_explorer.app.document.backups import DEFAULT_NAME, Backup, SavedVersion
from pe_explorer.app.document.document import Document
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.configs import UNKNOWN_CLASS
from pe_explorer.exploration import MAX_PINS, Exploration, make_panes
from pe_explorer.exploration.layer_types import add_comparison, describe_layers
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files import opening, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.figure_request import read_figure_request
from pe_explorer.files.session import DATA_SUFFIXES, FIGURE_SUFFIXES, Session, to_side_path
from pe_explorer.flags import PLATE
from pe_explorer.gallery.models import make_exploration
from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError, join_words, with_full_stop
from pe_explorer.pictures import find
from pe_explorer.tables import Table, TableError
from pe_explorer.widgets.dialogs import Button, FileChooser, ask_question, show_message

_OWNER = "files"
_FILE_SUFFIX = ".pe.json"  # desktops open files with this ending in PE Explorer
_NAME_PROBLEM = (
    "the name must end in .json, but not in .npy.session.json or .csv.session.json, because those "
    "endings belong to exported data"
)
_SUFFIX_PATTERNS = " ".join(f"*{ending}" for ending in (".json", *FIGURE_SUFFIXES, *DATA_SUFFIXES))
_FILE_FILTERS = f"Sessions, figures, data and configurations ({_SUFFIX_PATTERNS});;All files (*)"
_SAVE_BUTTONS = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_REPLACE_BUTTONS = {Button.Save: "&Replace", Button.Cancel: "Cancel"}


class FileActions(StepRunner):
    """The actions of the File menu, which ask the user before unsaved changes are lost."""

    reported = Signal(str)  # message about a completed action
    configuration_found = Signal()  # emitted before the content of a configuration is shown
    configuration_opened = Signal(bool)
    """Emitted when a configuration is shown, with True if its model class is unknown."""
    figure_opened = Signal()  # a figure was opened; the export dialog shows this figure next
    model_expected = Signal()  # a model will or may be shown next

    def __init__(
        self, window: QWidget, model: Model, document: Document, settings: SettingsFile
    ) -> None:
        # Use a separate worker, because an export may occupy the model's worker for an hour.
        super().__init__(Worker(window), _OWNER, window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self._queue: list[Steps[Any]] = []  # actions that wait for the current action
        self._answers: list[object] = []  # at most one user response, held until no dialog is open
        self._path_to_read: Path | None = None  # the file that the current action is reading
        self._is_closing = self._can_close = False
        self._pause_timer = QTimer(self, singleShot=True, interval=0)
        self._pause_timer.timeout.connect(self._resume)
        self.done.connect(self._resume)
        self.failed.connect(self._receive_failure)

    @Slot()
    def new(self) -> None:
        self.begin(self._start_exploration())

    @Slot()
    def open(self) -> None:
        self.begin(self._open())

    @Slot()
    def compare(self) -> None:
        self.begin(self._open(compare=True))

    @Slot(str)
    @Slot(str, bool)
    def open_file(self, path: str, compare: bool = False) -> None:
        """Open a file of any supported type, or compare with its model if `compare` is true."""
        self.begin(self._open(Path(path), compare=compare))

    @Slot()
    def save(self) -> None:
        """Save to the document's file, or ask for a name if there is no file to overwrite."""
        self.begin(self._save())

    @Slot()
    def save_as(self) -> None:
        self.begin(self._save(should_choose_path=True))

    def offer_backups(self, folder: Path) -> None:
        """Offer the backups of crashed processes in a folder, as soon as no dialog is open."""
        # If there are no backups, begin no action: an action announces the state, which would draw
        # all views before they have a layout.
        if found_backups := backups.find_backups(folder):
            self.begin(self._recover(found_backups))

    def can_close(self) -> bool:
        """Return whether the window can close now; if not, begin to ask about unsaved changes."""
        if not (self._can_close or self._is_closing):
            self._is_closing = True
            self.begin(self._close())
        return self._can_close

    def leave(self) -> None:
        """Close the window without asking; the next start offers to recover unsaved changes."""
        self._can_close = True
        self._window.close()

    def close(self) -> None:
        """Finish a write in progress, and cancel all other actions."""
        self._queue.clear()
        if self._path_to_read is None:
            self.worker.finish()
            self._resume()  # an answer may be waiting until a dialog closes
        self.cancel()
        self.worker.close()

    def show_first_file(self, path: Path, content: opening.FileContent, digest: str | None) -> None:
        """Show the content of a file that was read before the window opened."""
        self._show(path, content, digest)
        self._document.discard_changes()  # the user has not changed anything yet

    def _show(self, path: Path, content: opening.FileContent, digest: str | None) -> None:
        if isinstance(content, Session):
            self._show_session(path, content, digest)
        elif isinstance(content, OpenedModel):
            self.configuration_found.emit()
            step = f"configuration {path.name}"
            self._document.start_exploration(make_exploration(content), step, path.name)
            self._settings.add_recent_file(path)
            check = content.checks[0]
            has_unknown_class = any(finding.kind == UNKNOWN_CLASS for finding in check.findings)
            self.configuration_opened.emit(has_unknown_class)
            counts = {level: n for level, n in check.counts.items() if n and level != "note"}
            summary = " and ".join(f"{n} {level}{'s' * (n > 1)}" for level, n in counts.items())
            page = f" The Model page explains {summary}." if summary else ""
            sentence = f"{path.name} opened as a model's configuration.{page}"
            self.reported.emit(f"{sentence} {describe_layers(content.configuration)}".rstrip())
        else:  # opening a table adds an undo step to the current document
            self._model.emit_changes()
            if self._model.set_encoding("learned", file=str(path)):
                self._model.emit_changes()
                self._settings.add_recent_file(path)
                self.reported.emit(f"{path} opened as a learned table. {content.note}".rstrip())

    def show_comparison(self, path: Path, opened: OpenedModel) -> None:
        """Pin the encodings of another configuration and compare with them, in one undo step."""
        saved, step = self._document.saved_version, f"compare with {path.name}"
        if len(self._model.state.pins) == MAX_PINS:
            text = f"You can pin at most {MAX_PINS} encodings. Unpin one first."
            show_message(self._window, "All pins are in use", text)
            return
        state, omissions = add_comparison(self._model.state.intention, opened)
        if not find("compare")(state).is_unavailable():
            state = state.with_(panes=make_panes(("frequencies", "compare"), "stacked", "compare"))
        if saved.path is None and not self._document.is_modified:
            self._document.start_exploration(state, step, saved.name)
        else:
            self._model.apply(state, step)
        self._settings.add_recent_file(path)
        self.configuration_opened.emit(False)
        current_model, sentence = state.opened, f"{path.name} is pinned."
        if isinstance(current_model, OpenedModel):
            sentence = current_model.verdict(opened)
        if omissions:
            sentence += f" All pins are in use, so these were not pinned: {join_words(omissions)}."
        self.reported.emit(sentence)

    def _recover(self, found_backups: list[Backup]) -> Steps[None]:
        """Let the user recover a backup; a recovered exploration counts as unsaved."""
        dialog = backups.RecoveryDialog(self._window, found_backups)
        dialog.finished.connect(self._receive_result)
        dialog.open()
        autosave, backup = self._document.autosave, (yield None) and dialog.backup
        if not (autosave and backup and backup.session and (yield from self.save_or_discard())):
            return
        try:
            autosave.adopt_backup(backup)
        except OutputError as error:
            problem = with_full_stop(error.problem)
            show_message(self._window, "The exploration cannot be recovered", problem)
            return
        saved = backup.saved._replace(can_overwrite=_is_session_name(backup.saved.path))
        self._document.show(saved, backup.session.state)
        self.reported.emit("Exploration recovered. Save it to keep it.")

    def _start_exploration(self) -> Steps[None]:
        if (yield from self.save_or_discard()):
            state = Exploration()
            self._document.show(SavedVersion(state), state)
            self.reported.emit("New exploration started.")

    def _show_session(self, path: Path, content: Session, digest: str | None) -> None:
        content, source = backups.split_source(content)
        # If the user opens a backup as a file, saving must not overwrite the backup.
        can_overwrite = _is_session_name(path) and not content.is_newer and source is None
        state, request = content.state, read_figure_request(content.extra)
        if request is not None and request.view != PLATE:  # a figure of one view opens in one pane
            state = state.with_(panes=make_panes((request.view,)))
        saved = SavedVersion(state, path.absolute(), can_overwrite, content.extra, digest)
        self._document.show(saved, state)
        self._settings.add_recent_file(path)
        self.reported.emit(f"{path} opened.")
        if request is not None:
            self.figure_opened.emit()
        if content.notes:
            show_message(self._window, "Some settings could not be used", "\n".join(content.notes))

    def _open(self, path: Path | None = None, *, compare: bool = False) -> Steps[None]:
        if path is None:
            self.model_expected.emit()
            path = yield from self._choose_path(
                "Compare with" if compare else "Open", _FILE_FILTERS
            )
            if path is None:
                return
        self._path_to_read = path
        try:
            content, digest = yield partial(_read, path, compare)
        except (ParameterError, TableError, FileNotFoundError) as error:
            if isinstance(error, FileNotFoundError):
                self._settings.forget_recent_files(path)
            problem = getattr(error, "problem", str(error))
            show_message(self._window, "The file cannot be opened", with_full_stop(problem))
            return
        finally:
            self._path_to_read = None
        saved = self._document.saved_version
        if compare:
            self.show_comparison(path, content)
        # Opening a table can be undone, so no changes are lost.
        elif isinstance(content, Table) or (yield from self.save_or_discard()):
            if isinstance(content, OpenedModel):
                self.model_expected.emit()
                yield from self._pause()
            if self._document.saved_version is saved:
                self._show(path, content, digest)
            else:  # read the file again, because saving the document may have changed it
                yield from self._open(path)

    @Slot()
    def finish_typing(self) -> None:
        """Apply the text typed in the focused field, and announce the latest changes."""
        field = QApplication.focusWidget()
        # Skip fields of dialogs, because a button applies them.
        if isinstance(field, QLineEdit) and not isinstance(field.window(), QDialog):
            field.clearFocus()
            field.setFocus()
        self._model.emit_changes()

    def save_or_discard(self) -> Steps[bool]:
        """Let the user save or discard unsaved changes; return False if the user cancels."""
        while True:
            self.finish_typing()
            if not self._document.is_modified:
                return True
            text = (
                f"“{self._document.saved_version.shown_name}” has unsaved changes. Save them first?"
            )
            button = yield from self._ask("Unsaved changes", text, _SAVE_BUTTONS, Button.Save)
            if button == Button.Discard:
                return True
            if button != Button.Save or not (yield from self._save()):
                return False

    def _save(self, *, should_choose_path: bool = False) -> Steps[bool]:
        saved = self._document.saved_version
        path = saved.path if saved.can_overwrite and not should_choose_path else None
        should_overwrite = path is None
        if path is None:
            name = saved.shown_name
            if not _is_session_name(saved.path):
                name = f"{'exploration' if name == DEFAULT_NAME else Path(name).stem}{_FILE_SUFFIX}"
            path = yield from self._choose_path("Save as", "Sessions (*.json)", name)
            if path is None:
                return False
        path = path.absolute()
        while True:
            self.finish_typing()
            saved, state = self._document.saved_version, self._model.state.intention
            try:
                digest = yield partial(_write, path, state, saved, should_overwrite)
            except ParameterError as error:
                problem = with_full_stop(error.problem)
                show_message(self._window, "The session cannot be saved", problem)
                return False
            if digest is not None:
                break
            text = f"{path} has changed since you opened or saved it. "
            text += "If you replace the file, those changes will be lost."
            cancel = Button.Cancel
            button = yield from self._ask("Replace the file?", text, _REPLACE_BUTTONS, cancel)
            if button != Button.Save:
                return False
            should_overwrite = True
        saved = saved._replace(state=state, path=path, can_overwrite=True, digest=digest)
        self._document.set_saved(saved)
        self._settings.add_recent_file(path)
        self.reported.emit(f"{path} saved.")
        return True

    def _close(self) -> Steps[None]:
        try:
            if (yield from self.save_or_discard()):
                self._document.discard_changes()
                self.leave()
        finally:
            self._is_closing = False

    def begin(self, action: Steps[Any]) -> None:
        """Begin an action after the current action, which is cancelled if it is reading a file."""
        if self._can_close:
            return
        if path := self._path_to_read:
            self.reported.emit(f"Cancelled opening {path}: you started another action.")
            self.cancel()
        self._queue.append(action)
        self._resume()

    @Slot()
    def _resume(self) -> None:
        """Continue with a pending answer, or begin the next action, unless a dialog is open."""
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QDialog) and dialog.isVisible() and not self._can_close:
            dialog.finished.connect(self._resume, Qt.ConnectionType.QueuedConnection)
        elif self.is_busy and self._answers:
            super()._advance(self._answers.pop())
        elif self._queue and not self.is_busy:
            self.finish_typing()
            self.run(self._queue.pop(0))

    def _advance(self, answer: object) -> None:
        self._answers = [answer]
        self._resume()

    def _begin(self, task: Any) -> None:
        if task is not None:
            self.worker.request(_OWNER, task, has_own_thread=self._path_to_read is not None)

    @Slot(object)
    def _receive_failure(self, error: Exception) -> None:
        self._resume()
        raise error

    def _pause(self) -> Steps[None]:
        """Let the window process events, because longer work would block it noticeably."""
        self._answers = [None]
        self._pause_timer.start()
        yield None

    def _ask(self, title: str, text: str, labels: dict[Button, str], default: Button) -> Steps[int]:
        if self._can_close:
            return Button.Cancel
        ask_question(self._window, title, text, labels, default, self._receive_result)
        return (yield None)

    def _choose_path(
        self, title: str, file_filters: str, proposed_name: str = ""
    ) -> Steps[Path | None]:
        folder = self._settings.settings.folder("session")
        chooser = FileChooser(self._window, title, file_filters, folder)
        if proposed_name:
            chooser.propose(proposed_name, _FILE_SUFFIX)
        chooser.finished.connect(self._receive_choice)
        # Wait until the dialog is destroyed, because the next step may open another dialog.
        chooser.destroyed.connect(self._resume, Qt.ConnectionType.QueuedConnection)
        chooser.open()
        return (yield None)

    @Slot(int)
    def _receive_result(self, result: int) -> None:
        self._receive_answer(_OWNER, result)

    @Slot(int)
    def _receive_choice(self, result: int) -> None:
        chooser = self.sender()
        assert isinstance(chooser, FileChooser)
        files = chooser.selectedFiles() if result else []
        self._answers = [Path(files[0]) if files and files[0] else None]


def _read(path: Path, compare: bool, _: object) -> tuple[opening.FileContent, str | None]:
    if not os.path.lexists(path):
        raise FileNotFoundError(f"{path}: there is no such file. Choose another file.")
    digest = session.digest(path)  # before reading, so that a concurrent change is noticed
    return (opening.read_compared_model if compare else opening.read)(path), digest


def _write(
    path: Path, state: Exploration, saved: SavedVersion, is_forced: bool, _: Any
) -> str | None:
    """Write a session; return its digest, or None if the file changed and `is_forced` is False."""
    if not _is_session_name(path):
        raise OutputError(path, _NAME_PROBLEM, "choose another name")
    if not is_forced and session.digest(path) not in (saved.digest, None):
        return None
    return session.write(path, state, saved.extra)


def _is_session_name(path: Path | None) -> bool:
    """Return whether a path has the name of a session, unlike the JSON file of a data file."""
    if path is None or path.suffix.lower() != ".json":
        return False
    data_suffixes = tuple(to_side_path(suffix).name for suffix in DATA_SUFFIXES)
    return not path.name.lower().endswith(data_suffixes)
