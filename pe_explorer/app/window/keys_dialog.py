"""The list of what the keyboard and the mouse do."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from pe_explorer import pictures
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.filter_dialog import FilterDialog
from pe_explorer.params import NUMBERS_HELP

_Rows = tuple[tuple[str, str], ...]

_IN_ALL_VIEWS: _Rows = (
    ("Point", "Show the number there, its formula and its place in the other views"),
    ("Click", "Set the cursor, which all views share"),
    ("Arrow keys", "Move the cursor: up and down by a position, left and right by a dimension"),
    ("Page Up, Page Down", "Move the cursor by a tenth of the shown positions"),
    ("Home, End", "Move the cursor to the first or last shown position"),
)
_ELSEWHERE: _Rows = (
    ("Up, Down, Enter, F2, Delete", "In the list of pins: choose, restore, rename or unpin one"),
    ("Type in a field", NUMBERS_HELP.removesuffix(".")),
    ("Drop a file", "Open a session, a figure or data exported with one, or a table (.npy)"),
)


class KeysDialog(FilterDialog):
    """What the keyboard and the mouse do: the actions, all views, and each view."""

    def __init__(self, parent: QWidget) -> None:
        table = QTableWidget(0, 2)
        super().__init__(parent, "Keys and mouse", table)
        self.table = table
        self.table.setAccessibleName("Keys, and what they do")
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableWidget.Shape.NoFrame)
        self._search_texts: list[str] = []
        """The texts to search for each row."""
        for title, rows in _sections().items():
            self._add_title(title)
            texts = [" ".join((title, *row)) for row in rows]
            self._search_texts += [" ".join(texts), *texts]
            for row in rows:
                self._add_row(*row)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)  # Tab leads on, to the button
        self.table.horizontalHeader().hide()
        self.table.verticalHeader().hide()
        # A text too long for one line takes two.
        wrapping = QHeaderView.ResizeMode.ResizeToContents
        self.table.verticalHeader().setSectionResizeMode(wrapping)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.resizeColumnsToContents()
        self.resize(680, 500)  # with its frame on the smallest screen
        self.line.setFocus()

    def texts(self) -> list[str]:
        return self._search_texts

    @Slot()
    def _filter(self) -> None:
        # Rows that follow their texts would all be measured again for each that is shown.
        rows = self.table.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        super()._filter()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _add_title(self, title: str) -> None:
        cell = self._add_row(title)
        font = cell.font()
        font.setBold(True)
        cell.setFont(font)
        self.table.setSpan(cell.row(), 0, 1, 2)

    def _add_row(self, *texts: str) -> QTableWidgetItem:
        """Add a row, and return its first cell."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        cells = [QTableWidgetItem(text) for text in texts]
        for column, cell in enumerate(cells):
            self.table.setItem(row, column, cell)
        return cells[0]


def _sections() -> dict[str, _Rows]:
    """Return keys and gestures with their effects, by title."""
    sections = {"Menus": _of_actions(), "All views": _IN_ALL_VIEWS}
    for name in pictures.names():
        picture = pictures.find(name)
        sections[picture.title] = picture.gestures
    return sections | {"Elsewhere": _ELSEWHERE}


def _of_actions() -> _Rows:
    rows = []
    for action in ACTIONS:
        if action.shortcuts:
            keys = [QKeySequence(shortcut).toString() for shortcut in action.shortcuts]
            rows.append((", ".join(keys), action.help.removesuffix(".")))
    return tuple(rows)
