"""Words beside rows, which can be dragged to other places."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal

from pe_explorer.widgets.axes import RangeAxis

__all__ = ["WordAxis"]


class WordAxis(RangeAxis):
    """An upright axis of words; the rows are counted from 0."""

    dragged = Signal(float)
    """A word is dragged, and would stand here now."""
    dropped = Signal(float, float)
    """A word was dragged from the first row to the second."""

    def __init__(self) -> None:
        super().__init__("left", "word")
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        start, here = (self._row(event.buttonDownScenePos()), self._row(event.scenePos()))
        if event.isFinish():
            self.dropped.emit(start, here)
        else:
            self.dragged.emit(here)

    def _row(self, place: Any) -> float:
        box = self.linkedView()
        return float(box.mapSceneToView(place).y())
