"""The exploration as a document: where it is stored, and whether something of it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.autosave import Autosave, Stamp
from pe_explorer.exploration import Exploration, changes
from pe_explorer.model import Model
from pe_explorer.model.history import History

__all__ = ["UNNAMED", "Document", "Stored"]

UNNAMED = "Untitled"
"""What a document without a file is called."""


@dataclass(frozen=True)
class Stored:
    """What is known to be in a file, or to be the beginning of an exploration without one.

    Attributes
    ----------
    state : Exploration or None
        None differs from every other: it was kept, but never saved.
    path : Path or None
        Where it came from or was saved to, absolute.
    own : bool
        Whether it is saved there again, without another question.
    extra : mapping
        What the file has that is not known here.
    stamp : Stamp or None
        What the file was like; None is like no file.
    """

    state: Exploration | None
    path: Path | None = None
    own: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    stamp: Stamp | None = None


class Document(QObject):
    """What a model shows, compared with what is stored of it."""

    renamed = Signal()
    """Its name is another, or whether there is something unsaved."""

    def __init__(self, model: Model, history: History) -> None:
        super().__init__(model)
        self._model, self._history = model, history
        self._autosave: Autosave | None = None
        self.stored = Stored(model.state.intention)
        self.modified = False
        model.changed.connect(self._changed)

    @property
    def name(self) -> str:
        """What the title calls it."""
        return self.stored.path.name if self.stored.path else UNNAMED

    def keep(self, autosave: Autosave) -> None:
        """Have what is unsaved kept for recovery from now on."""
        self._autosave = autosave

    def show(self, stored: Stored, state: Exploration) -> None:
        """Show another exploration; what was done to the one before cannot be undone here."""
        self._model.playhead.pause()
        self.stored = stored  # first: what is announced is compared with it
        self._model.replace(state)
        self._model.announce()
        self._history.stack.clear()
        self.take(stored)

    def take(self, stored: Stored) -> None:
        """Compare with what is stored now."""
        self.stored = stored
        self._judge(self._model.state)
        self.renamed.emit()

    def give_up(self) -> None:
        """Let nothing be unsaved: it is not wanted."""
        self.take(replace(self.stored, state=self._model.state.intention))

    def close(self) -> None:
        """End what is kept for recovery: it stays only where something is unsaved."""
        if self._autosave:
            self._autosave.close(keep=self.modified)

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        if changes(old, new):
            before = self.modified
            self._judge(new)
            if self.modified != before:
                self.renamed.emit()

    def _judge(self, state: Exploration) -> None:
        stored = self.stored
        self.modified = stored.state is None or bool(changes(stored.state, state))
        if self._autosave is None:
            return
        if self.modified:
            self._autosave.note(
                state.intention,
                str(stored.path) if stored.path else None,
                stored.extra,
                stored.stamp,
            )
        else:
            self._autosave.clear()
