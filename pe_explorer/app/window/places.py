"""Where the window, its panels and its panes are: as at the last end, or as at first."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow

from pe_explorer.app.settings.settings import Layout
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.sides import Sides

__all__ = ["Places"]


class Places(QObject):
    """Restores, resets and remembers the places of a window and its panels."""

    def __init__(
        self,
        window: QMainWindow,
        sides: Sides,
        settings: SettingsFile,
    ) -> None:
        super().__init__(window)
        self._window, self._sides = window, sides
        self._settings = settings

    def begin(self) -> None:
        """Give the panels their first places, to which `reset` goes back."""
        self._sides.begin()
        self._first_state = self._window.saveState()

    def restore(self) -> None:
        """Put window and panels where they were at the last end."""
        layout = self._settings.settings.layout
        if layout:
            self._sides.put_into_docks()
            layout.restore(self._window)
            self._sides.fit()

    def remember(self) -> None:
        """Remember where window and panels are."""
        self._sides.put_into_docks()
        self._settings.change(layout=Layout.of(self._window))

    @Slot()
    def reset(self) -> None:
        """Put all panels and bars back."""
        self._sides.put_into_docks()
        self._window.restoreState(self._first_state)
        self._sides.begin()
        self._sides.fit()

    @Slot()
    def full_screen(self) -> None:
        """Fill the screen, or stop doing so."""
        state = self._window.windowState()
        self._window.setWindowState(state ^ Qt.WindowState.WindowFullScreen)
