"""Saves a document, with the questions before a file is replaced or changes are lost.

Files are read and written in a thread, which may wait for a disk.
"""

import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from pe_explorer.app.document.backups import split_source
from pe_explorer.app.document.document import UNNAMED, Document, SavedVersion
from pe_explorer.app.document.workflow import Choose, Question, Step, Work, finish_typing
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files import opening, session
from pe_explorer.files.session import Session
from pe_explorer.model import Model
from pe_explorer.params import ParameterError
from pe_explorer.tables import Table
from pe_explorer.widgets.messages import Button, show_message

NAME_ENDING = ".json"
"""How the name of a session ends."""
NEW_ENDING = f".pe{NAME_ENDING}"
"""The ending of a new name: a desktop opens such files with this program."""
_ENDINGS = (NAME_ENDING, *session.FIGURES, *session.DATA)
OPEN_KINDS = (
    f"Sessions, figures, data and configurations ({' '.join(f'*{ending}' for ending in _ENDINGS)})"
    ";;All files (*)"
)
"""The kinds of files that can be opened, as a file dialog lists them."""
_SAVE_KINDS = f"Sessions (*{NAME_ENDING})"
_WRONG_NAME = (
    f"the name of a session ends in {NAME_ENDING}, but not in .npy.session.json or "
    ".csv.session.json, which belong to exported data; choose another name."
)
_NOT_SAVED = "This cannot be saved"
_SAVE_FIRST = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_REPLACE = {Button.Save: "&Replace", Button.Cancel: "Cancel"}

_Decision = Generator[Step, Any, bool]
"""A part of a workflow that returns whether to go on."""


class FileChangedError(Exception):
    """The file has changed since it was last read or written."""


def read_file(path: Path) -> tuple[SavedVersion, Session] | Table | OpenedModel:
    """Return the session that a file holds, or its table, or what its configuration means.

    Raises `FileNotFoundError`, `SessionError` or `TableError`.
    """
    if not os.path.lexists(path):
        raise FileNotFoundError(path)
    digest = session.digest(path)  # before it is read, so that a change meanwhile is noticed
    found = opening.read(path)
    return version_of(path, found, digest) if isinstance(found, Session) else found


def version_of(path: Path, found: Session, digest: str | None) -> tuple[SavedVersion, Session]:
    """Return the saved version in a file, and the session read from it without its source."""
    found, source = split_source(found)
    # A backup opened by hand is no place to save to.
    save_here = is_session_name(path) and not found.newer and source is None
    saved = SavedVersion(found.state, path.absolute(), save_here, found.extra, digest)
    return saved, found


def write_version(version: SavedVersion, overwrite: bool) -> str:
    """Write a version to its file, and return the digest of what that holds now.

    Raises
    ------
    FileChangedError
        If the file there holds something else than the version knows, unless `overwrite` is set.
    OutputError
        If it cannot be written.
    """
    assert version.path is not None
    assert version.state is not None
    if not overwrite and session.digest(version.path) not in (version.digest, None):
        raise FileChangedError
    return session.write(version.path, version.state, version.extra)


def is_session_name(path: Path | None) -> bool:
    """Return whether a name is that of a session, and not of one that belongs to exported data."""
    if path is None or path.suffix.lower() != NAME_ENDING:
        return False
    beside_data = tuple(session.side_file(suffix).name for suffix in session.DATA)
    return not path.name.lower().endswith(beside_data)


class SaveWorkflows(QObject):
    """The workflows that save the document; each returns whether to go on."""

    reported = Signal(str)
    """A sentence on what was saved."""

    def __init__(
        self, window: QWidget, model: Model, document: Document, settings: SettingsFile
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings

    def settle_changes(self) -> _Decision:
        """Ask what to do with unsaved changes until there are none that the user wants to keep.

        Returns False if the user cancels.
        """
        self._finish_changes()
        while self._document.modified:
            text = f"“{self._document.name}” has unsaved changes. Save them first?"
            answer = yield Question("Unsaved changes", text, _SAVE_FIRST, Button.Save)
            if answer == Button.Discard:
                return True
            if answer != Button.Save or not (yield from self.save()):
                return False
            self._finish_changes()
        return True

    def save(self) -> _Decision:
        """Save to the document's file; ask for a name if it has none or must not be replaced."""
        saved = self._document.saved
        if saved.path and saved.save_here:
            return (yield from self._write(saved.path))
        return (yield from self.save_as())

    def save_as(self) -> _Decision:
        """Ask for a name, and save."""
        current, called = self._document.saved.path, self._document.name
        stem = "exploration" if called == UNNAMED else Path(called).stem
        name = called if is_session_name(current) else f"{stem}{NEW_ENDING}"
        folder = self._settings.settings.folder("session")
        path = yield Choose("Save as", folder, _SAVE_KINDS, name, NEW_ENDING)
        if path is None:
            return False
        if not is_session_name(path):
            show_message(self._window, _NOT_SAVED, f"{path}: {_WRONG_NAME}")
            return False
        return (yield from self._write(path, overwrite=True))

    def _write(self, path: Path, overwrite: bool = False) -> _Decision:
        """Write to a file; ask first if it has changed, unless it may be overwritten."""
        self._finish_changes()
        now, path = self._model.state.intention, path.absolute()
        version = replace(self._document.saved, state=now, path=path, save_here=True)
        try:
            digest = yield Work(lambda _: write_version(version, overwrite))
        except FileChangedError:
            text = (
                f"{path} has changed since it was last opened or saved here. Replace it, and lose "
                "those changes?"
            )
            answer = yield Question("Replace the file?", text, _REPLACE, Button.Cancel)
            return answer == Button.Save and (yield from self._write(path, overwrite=True))
        except ParameterError as error:
            show_message(self._window, _NOT_SAVED, f"{error.problem}.")
            return False
        self._document.set_saved(replace(version, digest=digest))
        self._settings.note_file(path)
        self.reported.emit(f"{path} saved.")
        return True

    def _finish_changes(self) -> None:
        """Include what is being typed and what has just changed."""
        finish_typing()
        self._model.announce()
