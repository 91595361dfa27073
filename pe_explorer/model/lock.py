"""The lock of the cursor: while it is on, the mouse neither previews nor sets the cursor."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot


class CursorLock(QObject):
    """Whether the cursor stays where it is, whatever the mouse does; no part of the exploration.

    Typing, arrow keys and playing still move the cursor.
    """

    REFUSAL = "The cursor is locked, so that a click leaves it where it is; unlock it first."
    """Why a click does nothing."""

    changed = Signal(bool)
    """Whether the cursor is locked now."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._on = False

    @property
    def on(self) -> bool:
        """Whether the cursor is locked."""
        return self._on

    @Slot(bool)
    def set(self, on: bool) -> None:
        """Lock the cursor, or let the mouse have it again."""
        if on != self._on:
            self._on = on
            self.changed.emit(on)

    @Slot()
    def toggle(self) -> None:
        """Lock the cursor, or unlock it."""
        self.set(not self._on)
