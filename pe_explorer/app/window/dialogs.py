"""Dialogs about the window as a whole: what can be found, the keys, and the program itself."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.app.settings.settings import settings_path
from pe_explorer.app.trouble.about import show_about
from pe_explorer.app.window.keys_dialog import KeysDialog
from pe_explorer.app.window.palette import Palette
from pe_explorer.app.window.palette_entries import Findable, entries_in
from pe_explorer.widgets.messages import show_message

__all__ = ["Dialogs"]


class Dialogs(QObject):
    """Opens dialogs over a window in which things can be found."""

    def __init__(self, parent: QWidget, window: Findable) -> None:
        super().__init__(parent)
        self._parent, self._window = parent, window

    @Slot(str)
    def warn(self, sentence: str) -> None:
        """Show that backups fail, in a message that has to be closed."""
        logging.getLogger(__name__).warning("%s", sentence)
        show_message(self._parent, "Unsaved changes are not being backed up", sentence)

    @Slot()
    def open_palette(self) -> None:
        """Find anything by its name."""
        Palette(self._parent, entries_in(self._window)).open()

    @Slot()
    def show_keys(self) -> None:
        """List what the keyboard and the mouse do."""
        KeysDialog(self._parent).open()

    @Slot()
    def show_about(self) -> None:
        """Show versions, licences and where the log is."""
        path = settings_path() or "nowhere"
        show_about(self._parent, self._window.model.state, {"settings": path})
