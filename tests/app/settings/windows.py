"""Windows that remember what is in a settings file."""

from contextlib import contextmanager

from PySide6.QtWidgets import QApplication

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from tests.support.gestures import settle


@contextmanager
def begun(path):
    """Show a window that remembers what is in a file; in the end, have that written."""
    window = MainWindow(settings=SettingsFile(path, QApplication.instance()))
    window.places.restore()
    window.show()
    settle(window.model)
    yield window
    settle(window.model)
    window.leave()
    window.settings.close()
    window.settings.deleteLater()
    window.deleteLater()
    settle()
