"""What a person does with the dialogs that write files."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from pe_explorer.app.output import figure_files, picture
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.files import export
from tests.support.gestures import type_text
from tests.support.windows import click_button, open_dialog, visible_dialogs

KINDS = {"picture": PictureDialog, "data": DataDialog, "figure": FigureDialog}
WRITERS = {
    "picture": (picture, "save"),
    "data": (export, "write"),
    "figure": (figure_files, "save"),
}
"""What writes the file of a dialog, in the worker."""


def open_export(window, kind):
    return open_dialog(window, f"export_{kind}", KINDS[kind])


def choice_of(dialog):
    """Return the combo box that chooses what is written."""
    return dialog.figure_form.what if isinstance(dialog, FigureDialog) else dialog.what


def path_in(dialog):
    return Path(dialog.target.text())


def question_of(dialog):
    """Return the question that is open, or None."""
    return next(iter(visible_dialogs(dialog, QMessageBox)), None)


def copied_command(dialog):
    """Press the button that copies the command, and return what is on the clipboard."""
    QApplication.clipboard().clear()
    click_button(dialog, "&Copy command")
    return QApplication.clipboard().text()


def write_to(qtbot, dialog, target):
    """Have a dialog write a file, and wait until it has closed."""
    window, kind = dialog.parent(), type(dialog)
    dialog.target.setText(str(target))
    dialog.go.click()
    qtbot.waitUntil(lambda: not visible_dialogs(window, kind))


def type_into(qtbot, dialog, name, text):
    """Type a setting of a figure, and leave its field."""
    field = dialog.figure_form.fields.editor(name).main
    type_text(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Tab)
