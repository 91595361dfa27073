"""The formula in the inspector."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit

__all__ = ["Formula"]

_LINES = 8
_SCALE = 0.92  # of the usual font


class Formula(QPlainTextEdit):
    """Lines of text that can be selected, in a box of fixed height; long lines are wrapped."""

    def __init__(self, tooltip: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Formula")
        self.setToolTip(tooltip)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _SCALE)
        self.setFont(font)
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 4)
        self.setMinimumWidth(0)

    def display(self, text: str) -> None:
        """Show a text; the same text keeps its selection."""
        if text != self.toPlainText():
            self.setPlainText(text)
