"""The menu bar: the actions of the table, and bars, themes and recent files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from pe_explorer.app.application import Application
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.actions import fill_menus
from pe_explorer.colours.themes import THEMES

_NUMBERED_ENTRIES = 9  # first entries, which have a digit as a key


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


class RecentMenu(QMenu):
    """Lists them again whenever it is opened: another window may have added some."""

    chosen = Signal(str)
    """The path of a file to open."""

    def __init__(self, settings: SettingsFile, parent: QWidget | None = None) -> None:
        super().__init__("Open &recent", parent)
        self._settings = settings
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(self._choose)

    @Slot()
    def fill(self) -> None:
        """List the files, the last one first."""
        self._settings.refresh()
        self.clear()
        for number, path in enumerate(self._settings.settings.recent, 1):
            key = f"&{number}  " if number <= _NUMBERED_ENTRIES else ""
            name = Path(path).name.replace("&", "&&")
            action = self.addAction(f"{key}{name}")
            action.setToolTip(path)
            action.setData(path)
        if self.isEmpty():
            self.addAction("No files yet").setEnabled(False)
            return
        self.addSeparator()
        self.addAction("&Clear this list")

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        if action.data():
            self.chosen.emit(action.data())
        else:
            self._settings.clear_recent()
