"""Dialogs about the window as a whole: what can be found, the keys, and the program itself."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.app.settings.settings import settings_path
from pe_explorer.widgets.messages import show_message

if TYPE_CHECKING:
    from pe_explorer.app.window.palette_entries import Findable


class Dialogs(QObject):
    """Opens dialogs over a window in which things can be found.

    Each is imported when it is asked for, as the window opens sooner without them.
    """

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
        """Open the palette."""
        from pe_explorer.app.window.palette import Palette
        from pe_explorer.app.window.palette_entries import entries_in

        Palette(self._parent, entries_in(self._window)).open()

    @Slot()
    def show_keys(self) -> None:
        """List what the keyboard and the mouse do."""
        from pe_explorer.app.window.keys_dialog import KeysDialog

        KeysDialog(self._parent).open()

    @Slot()
    def show_about(self) -> None:
        """Show versions, licences and where the log is."""
        from pe_explorer.app.trouble.about import show_about

        path = settings_path() or "nowhere"
        show_about(self._parent, self._window.model.state, {"settings": path})
