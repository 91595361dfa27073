"""Drags of the mouse: all changes during one drag are one step of undo."""

from PySide6.QtCore import QObject, Signal, Slot


class Gesture(QObject):
    """Whether the user is dragging something."""

    bounded = Signal()
    """A drag begins or ends; earlier changes do not belong to it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._begun = 0
        self._on = False

    @property
    def number(self) -> int | None:
        """The number of the drag, which counts up; None while there is none."""
        return self._begun if self._on else None

    def begin(self) -> None:
        """Begin a drag: changes from now on are one step of undo; no effect if one is open."""
        if not self._on:
            self.bounded.emit()
            self._begun += 1
            self._on = True

    @Slot()
    def end(self) -> None:
        """End the drag: later changes are other steps of undo."""
        if self._on:
            self.bounded.emit()
            self._on = False
