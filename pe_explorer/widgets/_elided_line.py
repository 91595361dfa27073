"""A line of text that shows an ellipsis where it does not fit."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

__all__ = ["ElidedLine"]

_MOST_SEEN = 1000  # characters that are measured and drawn; no line is wide enough for more


class ElidedLine(QLineEdit):
    """A line whose text, where it does not fit, ends in an ellipsis while it is not edited.

    The text itself is always whole.
    """

    ELIDE = Qt.TextElideMode.ElideRight
    """Which end of the text is not seen."""

    def visible_end(self) -> int:
        """Return the place in the text of the end that is seen."""
        return len(self.text()) if Qt.TextElideMode.ElideLeft == self.ELIDE else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # even if it is painted over: a click needs what it computes
        if not self.hasFocus():
            self._paint_elided()

    def _paint_elided(self) -> None:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self._inside(option)
        text = self._seen_text()
        metrics = self.fontMetrics()
        if metrics.horizontalAdvance(text) <= inside.width():
            return
        elided = metrics.elidedText(text, self.ELIDE, inside.width())
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter = QPainter(self)
        panel = QStyle.PrimitiveElement.PE_PanelLineEdit
        self.style().drawPrimitive(panel, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(inside, left | Qt.TextFlag.TextSingleLine, elided)
        painter.end()

    def _inside(self, option: QStyleOptionFrame) -> QRect:
        """Return where the text is."""
        contents = QStyle.SubElement.SE_LineEditContents
        return self.style().subElementRect(contents, option, self).adjusted(2, 0, -2, 0)

    def _seen_text(self) -> str:
        text = self.text()
        if len(text) <= _MOST_SEEN:
            return text
        return text[-_MOST_SEEN:] if self.visible_end() else text[:_MOST_SEEN]
