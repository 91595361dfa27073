"""The list of changes that can be undone and redone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QUndoView, QVBoxLayout, QWidget


class HistoryDialog(QDialog):
    """The changes, newest last; a click goes back to one, or forward again."""

    def __init__(self, parent: QWidget, stack: QUndoStack) -> None:
        super().__init__(parent)
        self.setWindowTitle("History")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.steps = QUndoView(stack)
        self.steps.setEmptyLabel("At the start")
        self.steps.setAccessibleName("Changes")
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.steps)
        layout.addWidget(close)
        self.resize(320, 420)
