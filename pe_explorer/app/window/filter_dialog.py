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
from pe_explorer.widgets.dialogs import without_icons

_IN_ALL_VIEWS = (
    ("Point", "Show the value under the mouse, its formula, and its place in other views"),
    ("Click", "Move the cursor, which all views share"),
    ("Arrow keys", "Move the cursor by one position (up or down) or dimension (left or right)"),
    ("Page Up, Page Down", "Move the cursor by a tenth of the range shown"),
    ("Home, End", "Move the cursor to the first or last position shown"),
)
_ELSEWHERE = (
    ("Up, Down, Enter, F2, Delete", "In the list of pins, select, restore, rename or remove a pin"),
    ("Type in a field", NUMBERS_HELP.removesuffix(".")),
    (
        "Drop a file",
        "Open a session, an exported figure or data file, a config.json, or a table",
    ),
)


class FilterDialog(QDialog):
    """A dialog with the rows that contain all typed words, in any case and order."""

    def __init__(self, parent: QWidget, title: str, view: QListView | QTableView) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._view = view
        self.line = QLineEdit()
        self.line.setPlaceholderText("Search")
        self.line.setAccessibleName("Search")
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self._filter)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.line, view, close):
            layout.addWidget(part)

    def texts(self) -> Sequence[str]:
        """Return the searchable text of each row; overridden by subclasses."""
        raise NotImplementedError

    @Slot()
    def _filter(self) -> None:
        words = self.line.text().lower().split()
        for row, text in enumerate(self.texts()):
            self._view.setRowHidden(row, not all(word in text.lower() for word in words))


class _StepRows(QStyledItemDelegate):
    """A delegate that capitalises steps and makes rows high enough to click easily."""

    def displayText(self, step: str, locale: QLocale | QLocale.Language) -> str:
        return f"{step[:1].upper()}{step[1:]}"

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, 22))


class HistoryDialog(FilterDialog):
    """A list of undo steps, newest last; a click undoes or redoes up to a step."""

    def __init__(self, parent: QWidget, stack: QUndoStack) -> None:
        steps = QUndoView(stack)
        super().__init__(parent, "History", steps)
        self.steps = steps
        self.steps.setEmptyLabel("Initial state")
        self.steps.setItemDelegate(_StepRows(self.steps))
        self.steps.setAccessibleName("Changes")
        self.resize(320, 420)
        self.steps.setFocus()

    def texts(self) -> list[str]:
        model = self.steps.model()
        return [model.index(row, 0).data() or "" for row in range(model.rowCount())]


class KeysDialog(FilterDialog):
    """A list of shortcuts and gestures: of actions, of all views, and of each view."""

    def __init__(self, parent: QWidget) -> None:
        table = QTableWidget(0, 2)
        super().__init__(parent, "Keys and mouse", table)
        self.table = table
        self.table.setAccessibleName("Keys and their effects")
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableWidget.Shape.NoFrame)
        self._search_texts: list[str] = []  # the searchable text of each row
        action_rows = []
        for action in ACTIONS:
            if action.shortcuts:
                keys = [QKeySequence(shortcut).toString() for shortcut in action.shortcuts]
                action_rows.append((", ".join(keys), action.help.removesuffix(".")))
        self._add("Menus", action_rows)
        self._add("All views", _IN_ALL_VIEWS)
        for name in pictures.names():
            self._add(pictures.find(name).title, pictures.find(name).gestures)
        self._add("Elsewhere", _ELSEWHERE)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)  # Tab moves the focus to the button
        self.table.horizontalHeader().hide()
        self.table.verticalHeader().hide()
        # Long texts wrap.
        to_contents = QHeaderView.ResizeMode.ResizeToContents
        self.table.verticalHeader().setSectionResizeMode(to_contents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.resizeColumnsToContents()
        self.resize(680, 500)  # with its frame, fits the smallest supported screen
        self.line.setFocus()

    def texts(self) -> list[str]:
        return self._search_texts

    @Slot()
    def _filter(self) -> None:
        # Without fixed heights, Qt measures all rows again for each row that becomes visible.
        rows = self.table.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        super()._filter()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _add(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
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
