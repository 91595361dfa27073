"""Forms of declared parameters on the screen, what they say, and text that is typed into them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from pe_explorer.widgets.form import FormFields
from tests.support.gestures import type_text


class Heard:
    def __init__(self, form):
        self.edits, self.refusals, self.settled = [], [], 0
        form.edited.connect(self.edit)
        form.refused.connect(self.refusals.append)
        form.settled.connect(self.settle)

    def edit(self, name, value):
        self.edits.append((name, value))

    def settle(self):
        self.settled += 1


def show_form(qtbot, windows, cls, names=None, width=None):
    """Show a form above a line for other text, in a window that is added to a list."""
    window = QWidget()
    windows.append(window)
    qtbot.addWidget(window)
    form = FormFields(cls, names)
    form.elsewhere = QLineEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(form)
    layout.addWidget(form.elsewhere)
    if width:
        form.setFixedWidth(width)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return form, Heard(form)


def write(qtbot, field, text, *, enter=True):
    type_text(qtbot, field, text if text.isascii() else "")
    if not text.isascii():  # no key has it: as if it was pasted
        field.insert(text)
        field.setModified(True)
        field.textEdited.emit(field.text())
    if enter:
        qtbot.keyClick(field, Qt.Key.Key_Return)
