"""Messages and questions that do not stop the event loop."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QMessageBox, QWidget

Button = QMessageBox.StandardButton


def show_message(parent: QWidget, title: str, text: str) -> None:
    """Show a message, which the user closes."""
    _open(QMessageBox(QMessageBox.Icon.Warning, title, text, Button.Close, parent))


def ask(
    parent: QWidget,
    title: str,
    text: str,
    buttons: dict[Button, str],
    default: Button,
    receive_answer: Callable[[int], None],
) -> None:
    """Ask a question with these buttons and their texts; `receive_answer`, a slot, gets one."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, Button.NoButton, parent)
    for button, label in buttons.items():
        box.addButton(button).setText(label)
    box.setDefaultButton(default)
    # Not within its own click: it is deleted then.
    box.finished.connect(receive_answer, Qt.ConnectionType.QueuedConnection)
    _open(box)


def ask_to_replace(parent: QWidget, file: Path, receive_answer: Callable[[int], None]) -> None:
    """Ask whether a file that is there may be replaced: `Save` says so."""
    question = f"{file.name} already exists in {file.absolute().parent}. Replace it?"
    buttons = {Button.Save: "&Replace", Button.Cancel: "Cancel"}
    ask(parent, "Replace the file?", question, buttons, Button.Cancel, receive_answer)


def without_icons(box: QDialogButtonBox | QMessageBox) -> None:
    """Take the icons from the buttons of a dialog, which some desktops give them."""
    for button in box.buttons():
        button.setIcon(QIcon())


def _open(box: QMessageBox) -> None:
    without_icons(box)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
