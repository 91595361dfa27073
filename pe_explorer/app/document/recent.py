"""The menu of files that were opened or saved last."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from pe_explorer.app.settings.settings_file import SettingsFile

_NUMBERED_ENTRIES = 9  # first entries, which have a digit as a key


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
