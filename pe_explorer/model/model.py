"""The model: holds the exploration and announces its changes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.encodings import Encoding, Unknown, create, find
from pe_explorer.exploration import (
    DirectStore,
    Exploration,
    Resolved,
    Store,
    StoreOf,
    first_look,
    resolve,
)
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.store import TableStore
from pe_explorer.model.worker import Worker
from pe_explorer.params import Declared, ParameterError, declared

__all__ = ["Model"]


class Model(QObject):
    """Holds one frozen `Exploration` and swaps it for another.

    `set` takes effect at once; the announcement `changed(old, new)` follows when control
    returns to the event loop, one for any number of sets, none if nothing differs.

    `preview` is what the mouse points at: the exploration with its cursor there. It is told
    in the same way, by `previewed`, but it is no part of the document: what is pointed at is
    neither saved nor undone.
    """

    changed = Signal(object, object)
    previewed = Signal()
    refused = Signal(str)
    """A sentence about input that could not be used; the state is as it was."""

    def __init__(
        self,
        state: Exploration | None = None,
        options: Mapping[str, Declared] | None = None,
        parent: QObject | None = None,
        *,
        waits: bool = True,
    ) -> None:
        """Begin with an exploration.

        A model of what is resolved already, for pictures, has the tables that it holds and no
        others. One that `waits` reads files at once.
        """
        super().__init__(parent)
        self.worker = Worker(self)
        first = state or Exploration(options=MappingProxyType(dict(options or {})))
        self.store: Store = self._store(first) if waits else self._store_that_never_waits()
        self._state = resolve(first, self.store)
        self._announced = self._state
        self._applying = ""
        self._preview: Resolved | None = None
        self._told_preview: Resolved | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.announce)
        self.playhead = PlayHead(self)

    @staticmethod
    def _store(state: Exploration) -> Store:
        return StoreOf(state) if isinstance(state, Resolved) else DirectStore()

    def _store_that_never_waits(self) -> TableStore:
        tables = TableStore(self.worker, self)
        tables.changed.connect(self._resolve_anew)
        return tables

    @Slot()
    def look_at_files(self) -> None:
        """Look what has become of the files whose tables are shown."""
        if isinstance(self.store, TableStore):
            self.store.look()
        else:
            self._resolve_anew()

    @property
    def state(self) -> Resolved:
        """What is set up now, with the tables that there are."""
        return self._state

    def replace(self, state: Exploration) -> None:
        """Take another exploration as a whole.

        What the mouse pointed at may be elsewhere by now.
        """
        self._take(resolve(state, self.store))

    @Slot()
    def _resolve_anew(self) -> None:
        """Take what has become of files; what is set up stays."""
        self._take(resolve(self._state, self.store))

    def _take(self, state: Resolved) -> None:
        if state != self._state:
            self._state, self._preview = state, None
            self._announce_soon()

    def _announce_soon(self) -> None:
        due = self._state is not self._announced or self._preview is not self._told_preview
        if due and not self._timer.isActive():
            self._timer.start()

    @property
    def preview(self) -> Resolved | None:
        """The exploration with the cursor where the mouse is, None where it points at nothing."""
        return self._preview

    @property
    def looked_at(self) -> Resolved:
        """The exploration with the cursor where the mouse is, or else where it is set."""
        return self._preview or self._state

    def point_at(self, **cursor: int) -> None:
        """Look at another position or dimension, or at none, until something changes.

        Nothing is set.

        While it plays the eye follows the cursor, and the mouse is left alone. At what cannot
        be it does not point: a slot that hears of the mouse at every move has nobody to tell.
        """
        there = self._state
        if not self.playhead.playing:
            with suppress(ParameterError):
                there = resolve(self._state.with_(**cursor), self.store)
        self._preview = there if there != self._state else None
        self._announce_soon()

    @property
    def applying(self) -> str:
        """The name of the whole exploration that is being announced, empty for a change of some
        fields.
        """
        return self._applying

    def apply(self, state: Exploration, name: str) -> None:
        """Take another exploration as a whole, cursor and all.

        One step of undo, which has a name.
        """
        self.announce()  # what was done before is a step of its own
        self.replace(state)
        self._applying = name
        self.announce()
        self._applying = ""

    def set(self, **fields: Any) -> bool:
        """Change fields of the exploration; say no with `refused` where one does not fit.

        Returns whether the change was taken.
        """
        try:
            self.replace(self._state.with_(**fields))
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return True

    def set_options(self, view: str, **fields: Any) -> bool:
        """Change options of one view, as `set` does."""
        try:
            self.replace(self._state.with_options(view, **fields))
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return True

    def set_encoding(self, name: str | None = None, **parameters: Any) -> bool:
        """Change parameters of the encoding, or to another, keeping the parameters that both
        share.
        """
        old = self._state.intention.encoding
        try:
            encoding = _adapted(old, name or old.name, parameters)
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return self.set(encoding=encoding, **first_look(old, encoding))

    @Slot()
    def announce(self) -> None:
        """Announce what changed since the last announcement, now."""
        self._timer.stop()
        old, new = self._announced, self._state
        self._announced = new
        if old != new:
            self.changed.emit(old, new)
        if self._preview != self._told_preview:
            self._told_preview = self._preview
            self.previewed.emit()

    def close(self) -> None:
        """Stop what moves or works on its own."""
        self._timer.stop()
        self.playhead.pause()
        if isinstance(self.store, TableStore):
            self.store.close()
        self.worker.close()


def _adapted(old: Encoding | Unknown, name: str, parameters: dict[str, Any]) -> Encoding:
    """Return an encoding with other parameters; another scheme keeps those that both share."""
    if isinstance(old, Unknown):  # nothing of it is checked
        return create(name, **parameters)
    known = declared(find(name))
    kept = {
        key: value
        for key, value in old.parameters.items()
        if key in known and (name == old.name or known[key].shared)
    }
    return create(name, **{**kept, **parameters})
