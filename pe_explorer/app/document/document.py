"""The exploration as a document, with its saved version and its unsaved changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand

from pe_explorer.app.document.backups import Autosave, BackupSource
from pe_explorer.exploration import Exploration, changes
from pe_explorer.model import Model
from pe_explorer.model.history import History

_PROGRAM = "PE Explorer"

UNNAMED = "Untitled"
"""Name of a document without a file."""


@dataclass(frozen=True)
class SavedVersion:
    """What the changes of a document are compared with: its file, or how it began without one.

    Attributes
    ----------
    state : Exploration or None
        None where nothing was saved: a recovered exploration is unsaved, whatever it is.
    path : Path or None
        Where it came from or was saved to, absolute.
    save_here : bool
        Whether it is saved to that path again without asking for a name.
    extra : mapping
        What the file has that is not known here.
    digest : str or None
        A digest of what the file held when it was read or written; None where that is not known.
    name : str
        What it is called where it was not saved yet, such as the configuration it began as.
    """

    state: Exploration | None
    path: Path | None = None
    save_here: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    digest: str | None = None
    name: str = UNNAMED

    @property
    def source(self) -> BackupSource:
        """The file, as a backup names it."""
        path = str(self.path) if self.path else None
        return BackupSource(path, self.digest)


@dataclass
class _DocumentStart:
    """A document that began in a step of undo: the place of that step, and what is saved of it."""

    place: int
    step: QUndoCommand
    saved: SavedVersion


class Document(QObject):
    """What a model shows, compared with what is saved of it.

    A document may begin in a step of undo. Who takes that back has the document before, with its
    file.
    """

    renamed = Signal()
    """The name has changed, or whether there are unsaved changes."""

    def __init__(self, model: Model, history: History) -> None:
        super().__init__(model)
        self._model, self._history = model, history
        self._autosave: Autosave | None = None
        self.saved = self._first = SavedVersion(model.state.intention)
        self._begun: list[_DocumentStart] = []
        """Documents that began in steps which are done or can be redone, after the first one."""
        self.modified = False
        model.changed.connect(self._compare_changed)

    @property
    def name(self) -> str:
        """The name in the title."""
        return self.saved.path.name if self.saved.path else self.saved.name

    @property
    def title(self) -> str:
        """The title of the window, with Qt's mark of unsaved changes where there is a document."""
        if not self.modified and self.name == UNNAMED:
            return _PROGRAM
        name = self.name.replace("[*]", "[*][*]")  # of which Qt shows one
        return f"{name}[*] — {_PROGRAM}"

    def back_up(self, autosave: Autosave) -> None:
        """Back up unsaved changes from now on."""
        self._autosave = autosave

    def show(self, saved: SavedVersion, state: Exploration) -> None:
        """Show another exploration; earlier steps can no longer be undone."""
        self._model.playhead.pause()
        # First: what is announced is compared with it.
        self.saved = self._first = saved
        self._begun = []
        self._model.replace(state)
        self._model.announce()
        self._history.stack.clear()
        self.set_saved(saved)

    def begin_with(self, state: Exploration, step: str, name: str = UNNAMED) -> None:
        """Show another exploration as a new document; one step of undo leads back."""
        self._model.playhead.pause()
        self._model.announce()  # earlier changes belong to the document before
        stack = self._history.stack
        place, saved = stack.index(), SavedVersion(state, name=name)
        self.saved = saved
        self._model.apply(state, step)
        if stack.index() > place:
            self._begun.append(_DocumentStart(place, stack.command(place), saved))
        self.set_saved(saved)

    def set_saved(self, saved: SavedVersion) -> None:
        """Compare with another saved version from now on."""
        self.saved = saved
        begun = self._current
        if begun is None:
            self._first = saved
        else:
            begun.saved = saved
        self._compare(self._model.state)
        self.renamed.emit()

    def discard_changes(self) -> None:
        """Count the present exploration as saved: the user discards the changes."""
        state = self._model.state.intention
        self.set_saved(replace(self.saved, state=state))

    def close(self) -> None:
        """End the backup; keep it only if there are unsaved changes."""
        if self._autosave:
            self._autosave.close(keep=self.modified)

    @property
    def _current(self) -> _DocumentStart | None:
        """Where the document that is shown began; None for the first one."""
        stack = self._history.stack
        if stack.count() >= stack.undoLimit():  # the oldest steps go, and others take their places
            self._first, self._begun = self.saved, []
        self._begun = [each for each in self._begun if stack.command(each.place) is each.step]
        done = [each for each in self._begun if each.place < stack.index()]
        return done[-1] if done else None

    def _follow_history(self) -> bool:
        """Be about the document whose steps are done; return whether that is another one."""
        begun = self._current
        saved = self._first if begun is None else begun.saved
        is_another = saved is not self.saved
        self.saved = saved
        return is_another

    @Slot(object, object)
    def _compare_changed(self, old: Exploration, new: Exploration) -> None:
        if not self._model.applying and self._follow_history():
            self._compare(new)
            self.renamed.emit()
        elif changes(old, new):
            before = self.modified
            self._compare(new)
            if self.modified != before:
                self.renamed.emit()

    def _compare(self, state: Exploration) -> None:
        """Find out whether there are unsaved changes, and back them up."""
        saved = self.saved
        self.modified = saved.state is None or bool(changes(saved.state, state))
        if self._autosave is None:
            return
        if self.modified:
            self._autosave.note(state.intention, saved.source, saved.extra)
        else:
            self._autosave.clear()
