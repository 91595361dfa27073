"""Windows that remember what is in a settings file."""

from PySide6.QtWidgets import QApplication

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from tests.support.gestures import settle


def begun(path):
    """Return a window that remembers what is in a file, shown."""
    window = MainWindow(settings=SettingsFile(path, QApplication.instance()))
    window.places.restore()
    window.show()
    settle(window.model)
    return window


def ended(window):
    """End a window, and have written what it remembers."""
    settle(window.model)
    window.leave()
    window.settings.close()
    window.settings.deleteLater()
    window.deleteLater()
    settle()
