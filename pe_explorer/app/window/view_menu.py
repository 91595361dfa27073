"""The part of the View menu that is not in the table of actions: bars and themes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from pe_explorer.app.application import Application
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.colours.themes import THEMES


def fill_view_menu(menu: QMenu, toggles: Sequence[QAction], themes: Sequence[QAction]) -> None:
    """Put what shows bars, and the themes, before what the menu has already."""
    first = menu.actions()[0]
    menu.insertActions(first, toggles)
    menu.insertSeparator(first)
    menu.insertActions(first, themes)


class Themes(QActionGroup):
    """An action for each theme; the chosen one is applied and remembered."""

    def __init__(self, window: QWidget, settings: SettingsFile) -> None:
        super().__init__(window)
        self._settings = settings
        app = QApplication.instance()
        current = app.theme if isinstance(app, Application) else "system"
        for theme, meaning in THEMES.items():
            action = self.addAction(f"{theme.capitalize()} theme")
            action.setCheckable(True)
            action.setData(theme)
            action.setStatusTip(f"Colours: {meaning}.")
            action.setChecked(theme == current)
        self.triggered.connect(self._apply)

    @Slot(QAction)
    def _apply(self, action: QAction) -> None:
        app = QApplication.instance()
        if isinstance(app, Application):
            app.set_theme(action.data())
            self._settings.change(theme=action.data())
