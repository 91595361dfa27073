"""What tests of panels share."""

import pytest
from PySide6.QtWidgets import QApplication

from pe_explorer.widgets.theme import apply_theme


@pytest.fixture
def show_panel(qtbot, model):
    """Return a function that attaches a panel to the model and shows it, or the window it is in."""
    shown = []

    def show_panel(panel, width, height, window=None):
        apply_theme(QApplication.instance(), "light")
        window = window or panel
        qtbot.addWidget(window)
        window.resize(width, height)
        panel.attach(model)
        shown.append((panel, window))
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        return panel

    yield show_panel
    for panel, _ in shown:
        panel.detach()
    shown.clear()  # pytest keeps the function that it gave the test, and with it the panels
    panel = _ = None
