"""A splitter that can be moved by keys, too."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

_WIDTH = 5  # pixels
_STEP = 16  # pixels that an arrow key moves it
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)
_FORTH = (Qt.Key.Key_Right, Qt.Key.Key_Down)


class Splitter(QSplitter):
    """Widgets beside or above each other, none of which can be made to vanish."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` says what lies on both sides, such as ``curve and matrix``."""
        self._name = name
        super().__init__(parent)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_WIDTH)

    def createHandle(self) -> QSplitterHandle:
        handle = _Handle(self.orientation(), self)
        handle.setAccessibleName(f"Border between {self._name}")
        handle.setToolTip("<p>Drag it, or move it by the arrow keys.</p>")
        return handle


class _Handle(QSplitterHandle):
    """The border between two widgets."""

    def __init__(self, orientation: Qt.Orientation, splitter: Splitter) -> None:
        super().__init__(orientation, splitter)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key not in (*_BACK, *_FORTH):
            super().keyPressEvent(event)
            return
        across = self.orientation() == Qt.Orientation.Horizontal
        place = self.x() if across else self.y()
        step = _STEP if key in _FORTH else -_STEP
        self.moveSplitter(place + step)
