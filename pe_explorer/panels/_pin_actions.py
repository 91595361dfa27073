"""What can be done with a pin in its row, and the keys for it."""

from __future__ import annotations

from PySide6.QtCore import Qt

COLOUR = "colour"
COMPARE = "compare"
RESTORE = "restore"
UNPIN = "unpin"
UP = "up"
DOWN = "down"
RENAME = "rename"

KEYS = {
    Qt.Key.Key_Up: UP,
    Qt.Key.Key_Down: DOWN,
    Qt.Key.Key_Delete: UNPIN,
    Qt.Key.Key_Return: RESTORE,
    Qt.Key.Key_Enter: RESTORE,
    Qt.Key.Key_F2: RENAME,
}
