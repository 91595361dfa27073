"""What somebody does in a window, and all that follows from it at once."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.gestures import settle


def change(window, **fields):
    """Set fields of the exploration."""
    window.model.set(**fields)
    settle(window.model)


def encode(window, *name, **parameters):
    """Choose an encoding, or parameters of it."""
    window.model.set_encoding(*name, **parameters)
    settle(window.model)


def click_on(window, widget):
    """Click in the middle of a widget."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    settle(window.model)


def press_key(window, widget, key, *modifiers):
    """Press a key with modifiers, perhaps, in a widget."""
    QTest.keyClick(widget, key, *modifiers)
    settle(window.model)
