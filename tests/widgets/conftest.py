"""What tests of widgets share."""

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.theme import apply_theme


class FormRecorder:
    def __init__(self, form):
        self.edits, self.refusals, self.settled = [], [], 0
        form.edited.connect(self.edit)
        form.refused.connect(self.refusals.append)
        form.settled.connect(self.settle)

    def edit(self, name, value):
        self.edits.append((name, value))

    def settle(self):
        self.settled += 1


@pytest.fixture
def listen():
    """Return a function that notes all that a form announces."""
    return FormRecorder


@pytest.fixture
def shown(qtbot):
    """Return a function that shows a form above a line for other text."""
    apply_theme(QApplication.instance(), "light")
    windows = []

    def show(cls, names=None, width=None):
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
        return form, FormRecorder(form)

    return show
