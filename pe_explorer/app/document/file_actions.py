"""What the File menu does with the document: every action is an errand, see `errands`."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer import views
from pe_explorer.app.document.autosave import Autosave, Orphan, Stamp, Taken, detached, taken
from pe_explorer.app.document.document import Document, Stored
from pe_explorer.app.document.errands import (
    Choose,
    Errand,
    Errands,
    Question,
    Step,
    Work,
    finish_typing,
)
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import Session, SessionError
from pe_explorer.model import Model
from pe_explorer.params import Declared, ParameterError
from pe_explorer.widgets.messages import Button, tell

__all__ = ["FileActions"]

_ENDING = ".json"
_OPENED = (
    f"Sessions, pictures and data (*{_ENDING} *.png "
    f"{' '.join(f'*{suffix}' for suffix in session.DATA)})"
)
_SAVED = f"Sessions (*{_ENDING})"
_NAMES = (
    f"a session's name ends in {_ENDING}, other than NAME.npy.session.json, which belongs to "
    "exported data; choose another."
)
_UNSAVED = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_REPLACE = {Button.Save: "&Replace", Button.Cancel: "Cancel"}

_Flag = Generator[Step, Any, bool]
"""A part of an errand that tells whether to go on."""


class _ChangedError(Exception):
    """The file is not as it was when it was read or written last."""


class FileActions(QObject):
    """Begins, opens, saves and closes; everything that would lose unsaved changes asks first."""

    told = Signal(str)
    """What was done, in a sentence."""

    def __init__(
        self, window: QWidget, model: Model, document: Document, settings: SettingsFile
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._document, self._settings = (
            window,
            model,
            document,
            settings,
        )
        self._leaving = self._closing = False
        self.errands = Errands(window)

    # -- actions -------------------------------------------------------------------------------

    @Slot()
    def new(self) -> None:
        """Begin anew, without a file."""
        self.errands.start(self._new)

    @Slot()
    def open(self) -> None:
        """Ask for a file, and open it."""
        self.errands.start(self._choose_and_open)

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Open a session, or what carries one; say what of it cannot be used."""
        self.errands.start(partial(self._open, Path(path)))

    @Slot()
    def save(self) -> None:
        """Save where it came from; ask for a name if it has none or must not be saved there."""
        self.errands.start(self._save)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name, and save."""
        self.errands.start(self._save_as)

    def recover(self, orphan: Orphan, autosave: Autosave) -> None:
        """Show what another process left unsaved."""
        self.errands.start(partial(self._recover, orphan, autosave))

    def show_found(self, path: Path, found: Session, stamp: Stamp | None) -> None:
        """Show what was read from a file, which was of this `stamp`, before there was a window."""
        self._show(*_stored(path, found, stamp))

    # -- closing -------------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Whether the window may close now.

        If not, it closes when everything is settled, unless someone says no.
        """
        if not self._leaving and not self._closing:
            self._closing = True
            self.errands.start(self._close)
        return self._leaving

    def leave(self) -> None:
        """Let the window close without a question; what is unsaved is offered at the next start."""
        self._leaving = True

    def close(self) -> None:
        """Finish what is under way with files."""
        self.errands.close()

    # -- errands -------------------------------------------------------------------------------

    def _close(self) -> Errand:
        try:
            settled = yield from self._settled()
        finally:
            self._closing = False
        if settled:
            self._document.give_up()
            self._leaving = True
            self._window.close()

    def _new(self) -> Errand:
        if (yield from self._settled()):
            state = Exploration(options=views.default_options())
            self._document.show(Stored(state), state)
            self.told.emit("A new exploration.")

    def _choose_and_open(self) -> Errand:
        path = yield Choose("Open", self._settings.settings.folder("session"), _OPENED)
        if path:
            yield from self._open(path)

    def _open(self, path: Path) -> Errand:
        try:
            while True:
                before = self._document.stored
                found = yield Work(partial(_read, path, views.default_options()), droppable=True)
                if not (yield from self._settled()):
                    return
                if self._document.stored is before:  # else it may have been saved to the very file
                    break
        except GeneratorExit:
            if not self._leaving:
                self.told.emit(f"{path} was not opened: something else was to be done.")
            raise
        except FileNotFoundError:
            self._settings.forget_recent(path)
            tell(
                self._window,
                "This cannot be opened",
                f"{path}: there is no such file; choose another.",
            )
        except ParameterError as error:
            tell(self._window, "This cannot be opened", f"{error.problem}.")
        else:
            self._show(*found)

    def _recover(self, orphan: Orphan, autosave: Autosave) -> Errand:
        try:
            own = yield Work(partial(_taken, orphan, views.default_options()))
        except SessionError as error:
            tell(self._window, "This cannot be recovered", f"{error.problem}.")
            return
        if not (yield from self._settled()):
            own.release()
            return
        autosave.adopt(own)
        found = own.orphan
        assert found.session is not None
        path = Path(found.origin) if found.origin else None
        stored = Stored(None, path, _is_session(path), found.session.extra, found.stamp)
        self._document.show(stored, found.session.state)
        self.told.emit("Recovered; it is unsaved until you save it.")

    def _settled(self) -> _Flag:
        """Ask, as often as it takes, what to do with unsaved changes.

        Returns whether nothing is lost that is wanted.
        """
        self._look()
        while self._document.modified:
            text = f"“{self._document.name}” has unsaved changes. Save them first?"
            answer = yield Question("Save first?", text, _UNSAVED, Button.Save)
            if answer == Button.Discard:
                return True
            if answer != Button.Save or not (yield from self._save()):
                return False
            self._look()
        return True

    def _look(self) -> None:
        """Let what is typed and what is changed count by now."""
        finish_typing(self._window)
        self._model.announce()

    def _save(self) -> _Flag:
        stored = self._document.stored
        if stored.path and stored.own:
            return (yield from self._write(stored.path, stored.stamp or _NONE))
        return (yield from self._save_as())

    def _save_as(self) -> _Flag:
        name = self._document.stored.path.stem if self._document.stored.path else "exploration"
        path = yield Choose(
            "Save as", self._settings.settings.folder("session"), _SAVED, f"{name}{_ENDING}"
        )
        if path is None:
            return False
        if not _is_session(path):
            tell(self._window, "This cannot be saved", f"{path}: {_NAMES}")
            return False
        return (yield from self._write(path, None))

    def _write(self, path: Path, expected: Stamp | None) -> _Flag:
        """Write to a file; where something is expected there, only over just that."""
        self._look()
        now, path = self._model.state.intention, path.absolute()
        stored = replace(self._document.stored, state=now, path=path, own=True)
        try:
            stamp = yield Work(partial(_written, stored, expected))
        except _ChangedError:
            text = (
                f"{path} has changed since it was opened or saved here. Replace it, and lose those "
                "changes?"
            )
            answer = yield Question("Replace the file?", text, _REPLACE, Button.Cancel)
            return answer == Button.Save and (yield from self._write(path, None))
        except ParameterError as error:
            tell(self._window, "This cannot be saved", f"{error.problem}.")
            return False
        self._document.take(replace(stored, stamp=stamp))
        self._note_file("saved")
        return True

    def _note_file(self, done: str) -> None:
        path = self._document.stored.path
        assert path is not None
        self._settings.note_file(path)
        self.told.emit(f"{path} {done}.")

    def _show(self, stored: Stored, found: Session) -> None:
        self._document.show(stored, found.state)
        self._note_file("opened")
        if found.notes:
            tell(self._window, "Not all of it is as it was written", "\n".join(found.notes))


# -- in the thread of the errands ------------------------------------------------------------------

_NONE: Stamp = (-1, -1)
"""Like no file that there is."""


def _read(
    path: Path, options: Mapping[str, Declared], _: threading.Event
) -> tuple[Stored, Session]:
    if not os.path.lexists(path):
        raise FileNotFoundError(path)
    stamp = session.stamp(path)  # before it is read: what changes meanwhile is noticed
    return _stored(path, session.read(path, options), stamp)


def _stored(path: Path, found: Session, stamp: Stamp | None) -> tuple[Stored, Session]:
    """Return what is stored in a file, for what was read from it."""
    found, kept = detached(found)
    own = (
        _is_session(path) and not found.newer and kept is None
    )  # what was kept of an unsaved one is no place to save to
    return Stored(found.state, path.absolute(), own, found.extra, stamp), found


def _written(stored: Stored, expected: Stamp | None, _: threading.Event) -> Stamp | None:
    assert stored.path is not None
    assert stored.state is not None
    if expected and session.stamp(stored.path) not in (expected, None):
        raise _ChangedError
    session.write(stored.path, stored.state, stored.extra)
    return session.stamp(stored.path)


def _taken(orphan: Orphan, options: Mapping[str, Declared], _: threading.Event) -> Taken:
    return taken(orphan, options)


def _is_session(path: Path | None) -> bool:
    """Whether a name is that of a session of its own.

    One beside data tells how they were made, and stays so.
    """
    beside = tuple(session.side_file(suffix).name for suffix in session.DATA)
    return (
        path is not None
        and path.suffix.lower() == _ENDING
        and not path.name.lower().endswith(beside)
    )
