"""Dialogs with a filtered list: shortcuts and mouse gestures, and undo steps."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QUndoStack
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import pictures
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.params import NUMBERS_HELP
from pe_explorer.widgets.dialogs import remove_icons

_COMMON_GESTURES = (
    ("Point", "Show the value under the mouse pointer, its formula, and its place in other views"),
    ("Click", "Move the cursor, which all views share"),
    ("Arrow keys", "Move the cursor by one position (up or down) or dimension (left or right)"),
    ("Page Up, Page Down", "Move the cursor by a tenth of the range shown"),
    ("Home, End", "Move the cursor to the first or last position shown"),
)
_DROP_EFFECT = "Open a session, an exported figure or data file, a config.json, or a table"
_OTHER_GESTURES = (
    ("Up, Down, Enter, F2, Delete", "In the list of pins, select, restore, rename or remove a pin"),
    ("Type in a field", NUMBERS_HELP.removesuffix(".")),
    ("Drop a file", _DROP_EFFECT),
)


class FilterDialog(QDialog):
    """A dialog that lists only the rows that contain all typed words, in any case and order."""

    def __init__(self, parent: QWidget, title: str, view: QListView | QTableView) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._view = view
        self.line = QLineEdit(placeholderText="Search", clearButtonEnabled=True)
        self.line.setAccessibleName("Search")
        self.line.textChanged.connect(self._filter)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        remove_icons(close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.line, view, close):
            layout.addWidget(part)

    def texts(self) -> Sequence[str]:
        """Return the searchable text of each row."""
        raise NotImplementedError

    @Slot()
    def _filter(self) -> None:
        words = self.line.text().lower().split()
        for row, text in enumerate(self.texts()):
            self._view.setRowHidden(row, not all(word in text.lower() for word in words))


class _StepDelegate(QStyledItemDelegate):
    """A delegate that capitalises undo steps and makes rows tall enough to click easily."""

    def displayText(self, step: str, locale: QLocale | QLocale.Language) -> str:
        return f"{step[:1].upper()}{step[1:]}"

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, 22))


class HistoryDialog(FilterDialog):
    """A list of undo steps, newest last; clicking a step undoes or redoes all steps up to it."""

    def __init__(self, parent: QWidget, stack: QUndoStack) -> None:
        self.steps = QUndoView(stack, emptyLabel="Initial state")
        super().__init__(parent, "History", self.steps)
        self.steps.setItemDelegate(_StepDelegate(self.steps))
        self.steps.setAccessibleName("Changes")
        self.resize(320, 420)
        self.steps.setFocus()

    def texts(self) -> list[str]:
        model = self.steps.model()
        return [model.index(row, 0).data() or "" for row in range(model.rowCount())]


class KeysDialog(FilterDialog):
    """A list of shortcuts and gestures: for actions, for all views, and for each view."""

    def __init__(self, parent: QWidget) -> None:
        self.table = table = QTableWidget(0, 2)
        super().__init__(parent, "Keys and mouse", table)
        table.setAccessibleName("Keys and their effects")
        table.setShowGrid(False)
        table.setFrameShape(QTableWidget.Shape.NoFrame)
        self._search_texts: list[str] = []  # the searchable text of each row
        rows = [
            (", ".join(keys), action.help.removesuffix("."))
            for action in ACTIONS
            if (keys := [QKeySequence(text).toString() for text in action.keys.split()])
        ]
        self._add_rows("Menus", rows)
        self._add_rows("All views", _COMMON_GESTURES)
        for name in pictures.names():
            self._add_rows(pictures.find(name).title, pictures.find(name).gestures)
        self._add_rows("Elsewhere", _OTHER_GESTURES)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)  # Tab moves the focus to the button
        table.horizontalHeader().hide()
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        table.resizeColumnsToContents()
        self.resize(680, 500)  # fits the smallest supported screen, including the frame
        self.line.setFocus()

    def texts(self) -> list[str]:
        return self._search_texts

    @Slot()
    def _filter(self) -> None:
        # Fix the heights while filtering; otherwise, Qt measures all rows for each row that becomes
        # visible.
        header = self.table.verticalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        super()._filter()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _add_rows(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        row_texts = [f"{title} {gesture} {effect}" for gesture, effect in rows]
        self._search_texts += [" ".join(row_texts), *row_texts]
        first = self.table.rowCount()
        self.table.setRowCount(first + 1 + len(rows))
        heading = QTableWidgetItem(title)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        self.table.setItem(first, 0, heading)
        self.table.setSpan(first, 0, 1, 2)
        for row, texts in enumerate(rows, first + 1):
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
