"""The exploration as a document, with its saved version and its unsaved changes."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand

from pe_explorer.app.application import TITLE
from pe_explorer.app.document.backups import DEFAULT_NAME, Autosave, SavedVersion
from pe_explorer.exploration import Exploration, changes
from pe_explorer.model import Model
from pe_explorer.model.history import History


class Document(QObject):
    """The exploration of a `Model` as a document, with its saved version.

    Starting a new document can be an undo step. Undoing this step restores the previous
    document and its file.
    """

    title_changed = Signal()  # the name or the modified state has changed

    def __init__(self, model: Model, history: History) -> None:
        super().__init__(model)
        self._model, self._history = model, history
        self.autosave: Autosave | None = None  # None if unsaved changes are not backed up
        self.saved_version = SavedVersion(model.state.intention)
        self._versions: dict[QUndoCommand | None, SavedVersion] = {None: self.saved_version}
        """The saved version of each document, by the step that began it (None for the first)."""
        self.is_modified = False
        model.changed.connect(self._receive_change)

    @property
    def title(self) -> str:
        """The title of the window, with Qt's placeholder for unsaved changes."""
        # Qt shows a doubled placeholder as plain text.
        name = self.saved_version.shown_name.replace("[*]", "[*][*]")
        return f"{name}[*] - {TITLE}" if self.is_modified or name != DEFAULT_NAME else TITLE

    def show(self, saved_version: SavedVersion, state: Exploration) -> None:
        """Show another exploration, and clear the undo history."""
        self._model.playhead.pause()
        # Set the saved version first, because announced changes are compared with it.
        self.saved_version, self._versions = saved_version, {None: saved_version}
        self._model.replace(state)
        self._model.emit_changes()
        self._history.stack.clear()
        self.set_saved(saved_version)

    def start_exploration(self, state: Exploration, step: str, name: str = DEFAULT_NAME) -> None:
        """Show another exploration as a new document, in one undo step with the name `step`."""
        self._model.playhead.pause()
        self._model.emit_changes()  # earlier changes belong to the previous document
        stack = self._history.stack
        index, saved_version = stack.index(), SavedVersion(state, name=name)
        self.saved_version = saved_version
        self._model.apply(state, step)
        if stack.index() > index:
            self._versions[stack.command(index)] = saved_version
        self.set_saved(saved_version)

    def set_saved(self, saved_version: SavedVersion) -> None:
        self.saved_version = self._versions[self._find_first_step()] = saved_version
        self._update_modified()
        self.title_changed.emit()

    def discard_changes(self) -> None:
        """Treat the current exploration as saved, because the user discards the changes."""
        self.set_saved(self.saved_version._replace(state=self._model.state.intention))

    def close(self) -> None:
        """Close the backup, and keep its file only if there are unsaved changes."""
        if self.autosave:
            self.autosave.close(should_keep=self.is_modified)
            self.autosave = None

    def _find_first_step(self) -> QUndoCommand | None:
        """Return the undo step that began the current document; None for the first document."""
        stack = self._history.stack
        if stack.count() >= stack.undoLimit():  # a full stack drops its oldest steps
            self._versions = {None: self.saved_version}
        past_indices = range(stack.index() if len(self._versions) > 1 else 0)
        steps = (stack.command(index) for index in reversed(past_indices))
        return next((step for step in steps if step in self._versions), None)

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        first = self._find_first_step()
        saved_version = (
            self.saved_version if self._model.applied_step_name else self._versions[first]
        )
        if saved_version is not self.saved_version:  # undo or redo led to another document
            self.set_saved(saved_version)
        elif changes(old, new):
            was_modified = self.is_modified
            self._update_modified()
            if self.is_modified != was_modified:
                self.title_changed.emit()

    def _update_modified(self) -> None:
        saved_version, state = self.saved_version, self._model.state
        self.is_modified = saved_version.state is None or bool(changes(saved_version.state, state))
        if self.autosave and self.is_modified:
            self.autosave.schedule(state.intention, saved_version)
        elif self.autosave:
            self.autosave.clear()
