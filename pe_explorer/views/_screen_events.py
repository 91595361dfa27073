"""Which of Qt's events make a view draw again, and which keys move the cursor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent

from pe_explorer.views._contract import Contract
from pe_explorer.widgets.keys import MOVES

__all__ = ["ScreenEvents"]


class ScreenEvents(Contract):
    """A view that draws again where its size, its palette or its screen has changed."""

    def refresh_soon(self) -> None:
        """Draw what is out of date, once for any number of calls."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if move is None or self._model is None or control:
            super().keyPressEvent(event)
            return
        what, steps = move
        self.model.playhead.step(steps, what)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_soon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.apply_theme()
            self.redraw()
