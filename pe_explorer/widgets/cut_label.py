"""A line of text that ends in an ellipsis where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class CutLabel(QLabel):
    """One line, as wide as there is room; `text` returns all of it, as the tooltip should."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def shown(self) -> str:
        """The text that fits, with an ellipsis at its end if it was cut."""
        end = Qt.TextElideMode.ElideRight
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), end, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        place, flags = self.contentsRect(), int(self.alignment())
        ink, role, text = self.palette(), self.foregroundRole(), self.shown
        painter = QPainter(self)
        self.style().drawItemText(painter, place, flags, ink, self.isEnabled(), text, role)
        painter.end()
