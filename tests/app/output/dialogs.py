"""What a person does with the dialogs that write files."""

from PySide6.QtCore import Qt

from tests.support.gestures import type_text
from tests.support.windows import visible_dialogs


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
