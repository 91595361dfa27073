"""The list of what the keyboard and the mouse do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.window.actions import ACTIONS

__all__ = ["KeysDialog"]

_MOUSE = (
    ("Wheel", "zoom the positions, at the mouse"),
    ("Ctrl + wheel, Shift + wheel", "zoom the dimensions of the heatmap"),
    ("Drag", "move through positions and dimensions"),
    (
        "Point",
        "see what is there: the number, its formula, its place in the other views; nothing is set",
    ),
    ("Click", "set the cursor, which all views share"),
    ("Double-click in Distances", "measure from that position"),
    ("Arrow keys", "move the cursor: up and down by a position, left and right by a dimension"),
    ("Page Up, Page Down", "move it by a tenth of the shown positions"),
    ("Home, End", "move it to the first or last shown position"),
    (
        "Up, Down, Enter, F2, Delete",
        "in the list of pins: choose one, take it back, rename it, unpin it",
    ),
    ("Drop a file", "open a session, a picture or data that carry one"),
)


class KeysDialog(QDialog):
    """What the keyboard and the mouse do, from the table of actions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = [
            (", ".join(QKeySequence(keys).toString() for keys in entry.shortcuts), entry.help)
            for entry in ACTIONS
            if entry.shortcuts
        ]
        rows += list(_MOUSE)
        self.table = QTableWidget(len(rows), 2, self)
        self.table.setHorizontalHeaderLabels(["Keys or mouse", "What it does"])
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                self.table.setItem(i, j, QTableWidgetItem(text))
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.resizeColumnsToContents()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table)
        layout.addWidget(close)
        self.resize(680, 560)
