"""Where the window and its docks are: as they were at the last end, or as they are at first."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow

from pe_explorer.app.settings.settings import Layout
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.docks import arrange

__all__ = ["Arrangement"]


class Arrangement(QObject):
    """Restores, resets and remembers the places of a window and its docks."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        settings: SettingsFile,
    ) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._settings = settings

    def begin(self) -> None:
        """Give the docks their first places, to which `reset` goes back."""
        arrange(self._window, self._docks)
        self._first_state = self._window.saveState()

    def restore(self) -> None:
        """Put window and docks where they were at the last end."""
        layout = self._settings.settings.layout
        if layout:
            layout.restore(self._window)

    def remember(self) -> None:
        """Remember where window and docks are."""
        self._settings.change(layout=Layout.of(self._window))

    @Slot()
    def reset(self) -> None:
        """Put all docks back."""
        self._window.restoreState(self._first_state)
        arrange(self._window, self._docks)

    @Slot()
    def full_screen(self) -> None:
        """Fill the screen, or stop doing so."""
        state = self._window.windowState()
        self._window.setWindowState(state ^ Qt.WindowState.WindowFullScreen)
