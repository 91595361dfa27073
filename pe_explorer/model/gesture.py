"""What the user is dragging: all that changes from the press of a button on is one step of undo."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot


class Gesture(QObject):
    """Whether something is being dragged, however long it takes."""

    bounded = Signal()
    """A drag begins or ends: what changed until now belongs to what was before."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._begun = 0
        self._on = False

    @property
    def number(self) -> int | None:
        """The number of the drag, another for each; None while there is none."""
        return self._begun if self._on else None

    def begin(self) -> None:
        """Make what changes from now on one step of undo; one that goes on already goes on."""
        if not self._on:
            self.bounded.emit()
            self._begun += 1
            self._on = True

    @Slot()
    def end(self) -> None:
        """Make what changes from now on other steps."""
        if self._on:
            self.bounded.emit()
            self._on = False
