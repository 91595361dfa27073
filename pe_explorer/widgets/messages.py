"""Messages and questions that do not stop the event loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

__all__ = ["Button", "ask", "tell"]

Button = QMessageBox.StandardButton


def tell(parent: QWidget, title: str, text: str) -> None:
    """Show a message that goes away when it has been read."""
    _opened(QMessageBox(QMessageBox.Icon.Warning, title, text, Button.Close, parent))


def ask(
    parent: QWidget,
    title: str,
    text: str,
    buttons: dict[Button, str],
    default: Button,
    answered: Callable[[int], None],
) -> None:
    """Ask a question; `answered`, a slot, is told which of the buttons, given with their texts, was
    pressed.
    """
    box = QMessageBox(QMessageBox.Icon.Question, title, text, Button.NoButton, parent)
    for button, label in buttons.items():
        box.addButton(button).setText(label)
    box.setDefaultButton(default)
    box.finished.connect(
        answered, Qt.ConnectionType.QueuedConnection
    )  # not within its own click: it is deleted then
    _opened(box)


def _opened(box: QMessageBox) -> None:
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
