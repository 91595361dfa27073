"""Keys that the focused widget handles before the window."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

_Modifier = Qt.KeyboardModifier
_COMMAND_MODIFIERS = _Modifier.AltModifier | _Modifier.ControlModifier | _Modifier.MetaModifier


def get_plain_key(event: QKeyEvent) -> int | None:
    """Return the pressed key, or None if Alt, Ctrl or Meta is also pressed."""
    return None if event.modifiers() & _COMMAND_MODIFIERS else event.key()


def get_claimable_key(event: QEvent) -> int | None:
    """Return the key that a widget may claim before it triggers a shortcut.

    Return None if the event cannot trigger a shortcut, or if Alt, Ctrl or Meta is pressed.
    A widget claims the key by accepting the event and returning True from `event`.
    """
    if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
        return get_plain_key(event)
    return None


def claim_space_key(event: QEvent) -> bool:
    """Claim Space for a focused button or combo box; return whether Space was claimed."""
    if get_claimable_key(event) != Qt.Key.Key_Space:
        return False
    assert isinstance(event, QKeyEvent)
    is_plain = event.modifiers() == _Modifier.NoModifier
    is_claimed = is_plain and isinstance(QApplication.focusWidget(), QAbstractButton | QComboBox)
    if is_claimed:
        event.accept()
    return is_claimed


CURSOR_MOVES = {
    Qt.Key.Key_Up: ("position", -1),
    Qt.Key.Key_Down: ("position", 1),
    Qt.Key.Key_Left: ("dimension", -1),
    Qt.Key.Key_Right: ("dimension", 1),
    Qt.Key.Key_PageUp: ("page", -1),
    Qt.Key.Key_PageDown: ("page", 1),
    Qt.Key.Key_Home: ("end", -1),
    Qt.Key.Key_End: ("end", 1),
}  # the cursor movement of each key: a unit of `PlayHead.step` and a number of units
