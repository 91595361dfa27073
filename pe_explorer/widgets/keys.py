"""Keys that belong to the widget that has the focus before they belong to the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

__all__ = ["MOVES", "presses_button"]


def presses_button(event: QEvent) -> bool:
    """Claim Space for the button or box that has the focus; return whether it was that.

    Qt asks the focused widget, and then all around it, before it gives a key to a shortcut of
    the window: any of them can answer with this in its `event`.
    """
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
        return False
    if event.key() != Qt.Key.Key_Space or event.modifiers() != Qt.KeyboardModifier.NoModifier:
        return False
    if not isinstance(QApplication.focusWidget(), QAbstractButton | QComboBox):
        return False
    event.accept()
    return True


MOVES = {
    Qt.Key.Key_Up: ("position", -1),
    Qt.Key.Key_Down: ("position", 1),
    Qt.Key.Key_Left: ("dimension", -1),
    Qt.Key.Key_Right: ("dimension", 1),
    Qt.Key.Key_PageUp: ("page", -1),
    Qt.Key.Key_PageDown: ("page", 1),
    Qt.Key.Key_Home: ("end", -1),
    Qt.Key.Key_End: ("end", 1),
}
"""What a key does to the cursor, see `PlayHead.step`."""
