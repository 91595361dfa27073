"""The model: holds the exploration and announces its changes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.encodings import Encoding, Unknown, create, find
from pe_explorer.exploration import Exploration
from pe_explorer.model.playhead import PlayHead
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

    def __init__(self, state: Exploration | None = None, options: Mapping[str, Declared] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state or Exploration(options=MappingProxyType(dict(options or {})))
        self._announced = self._state
        self._applying = ""
        self._preview: Exploration | None = None
        self._told_preview: Exploration | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.announce)
        self.playhead = PlayHead(self)
        self.worker = Worker(self)

    @property
    def state(self) -> Exploration:
        """What is set up now."""
        return self._state

    def replace(self, state: Exploration) -> None:
        """Take another exploration as a whole; what the mouse pointed at may be elsewhere by now."""
        if state != self._state:
            self._state, self._preview = state, None
            self._announce_soon()

    def _announce_soon(self) -> None:
        due = self._state is not self._announced or self._preview is not self._told_preview
        if due and not self._timer.isActive():
            self._timer.start()

    @property
    def preview(self) -> Exploration | None:
        """The exploration with the cursor where the mouse is, None where it points at nothing."""
        return self._preview

    @property
    def looked_at(self) -> Exploration:
        """The exploration with the cursor where the mouse is, or else where it is set."""
        return self._preview or self._state

    def point_at(self, **cursor: int) -> None:
        """Look at another position or dimension, or at none, until something changes; nothing is set.

        While it plays the eye follows the cursor, and the mouse is left alone.
        """
        there = self._state if self.playhead.playing else self._state.with_(**cursor)
        self._preview = there if there != self._state else None
        self._announce_soon()

    @property
    def applying(self) -> str:
        """The name of the whole exploration that is being announced, empty for a change of some fields."""
        return self._applying

    def apply(self, state: Exploration, name: str) -> None:
        """Take another exploration as a whole, cursor and all: one step of undo, which has a name."""
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
        """Change parameters of the encoding, or to another, keeping the parameters that both have."""
        old = self._state.encoding
        try:
            encoding = _adapted(old, name or old.name, parameters)
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return self.set(encoding=encoding)

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
        self.worker.close()


def _adapted(old: Encoding | Unknown, name: str, parameters: dict[str, Any]) -> Encoding:
    if isinstance(old, Unknown):  # nothing of it is checked
        return create(name, **parameters)
    kept = {key: value for key, value in old.parameters.items() if key in declared(find(name))}
    return create(name, **{**kept, **parameters})
