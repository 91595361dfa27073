"""The menu bar: the actions of the table, and bars, themes and recent files."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from pe_explorer.app.application import Application
from pe_explorer.app.document.recent import RecentMenu
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.actions import fill_menus
from pe_explorer.colours.themes import THEMES


class Menus(QObject):
    """Fills the menu bar of a window: the actions of the table, and what they do not list."""

    def __init__(
        self,
        window: QMainWindow,
        actions: Mapping[str, QAction],
        bars: Sequence[QAction],
        settings: SettingsFile,
    ) -> None:
        """`bars` are the actions that show and hide bars."""
        super().__init__(window)
        menus = fill_menus(window, actions)
        self.themes = Themes(window, settings)
        view = menus["&View"]
        first = view.actions()[0]
        view.insertActions(first, bars)
        view.insertSeparator(first)
        view.insertActions(first, self.themes.actions())
        self.recent = RecentMenu(settings, menus["&File"])
        menus["&File"].insertMenu(actions["save"], self.recent)


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
