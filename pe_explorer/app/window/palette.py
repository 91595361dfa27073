"""The command palette: finds whatever can be shown, done, set or opened by its words."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.window.palette_entries import Entry, found
from pe_explorer.widgets.labels import paragraph
from pe_explorer.widgets.layouts import column_in

_SIZE = QSize(620, 420)  # at most; the window is larger
_ROW = QSize(0, 22)  # pixels of a row, as wide as there is room
_MARGIN = 40  # pixels of the window above it
_PROMPT = "Type words: a view, an option, an exhibit, a lesson, an action, an encoding or a file"
_NOTHING = "Nothing has all these words"
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Palette(QDialog):
    """A line to type words, above a list of the entries that have them."""

    def __init__(self, window: QWidget, entries: Sequence[Entry]) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find anything")
        self._window, self._entries = window, entries
        self.line = QLineEdit()
        self.line.setPlaceholderText(_PROMPT)
        self.line.setAccessibleName("Words to find")
        self.line.setToolTip(
            "<p>Words of a name or of what it does, in any order; their beginnings are enough.</p>"
        )
        self.line.setClearButtonEnabled(True)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._fill)
        self.line.returnPressed.connect(self._choose_current)
        self.list = QTreeWidget()
        self.list.setAccessibleName("What was found")
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setUniformRowHeights(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys are sent here
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.itemClicked.connect(self._choose)
        self._shown: list[Entry] = []
        """The entry of each row."""
        frame = QFrame()
        frame.setFrameShape(QFrame.Shape.Box)
        frame.setForegroundRole(QPalette.ColorRole.Mid)
        column = QVBoxLayout(frame)
        column.addWidget(self.line)
        column.addWidget(self.list)
        column_in(self, frame)
        self.resize(_SIZE)
        corner = QPoint((window.width() - self.width()) // 2, _MARGIN)
        self.move(window.mapToGlobal(corner))
        self._fill("")
        self.line.setFocus()

    def done(self, result: int) -> None:
        """Close, and give the keyboard back to the window."""
        super().done(result)
        self._window.activateWindow()

    @Slot(str)
    def _fill(self, text: str) -> None:
        """Show the entries that fit, and choose the best, unless it cannot be done now."""
        entries = self._shown = found(self._entries, text)
        self.list.setCurrentIndex(QModelIndex())  # or as each row goes, the next one is chosen
        self.list.clear()
        items = []
        for entry in entries or [Entry(_NOTHING, "", list, lack="try fewer words")]:
            name = f"{entry.name} — {entry.lack}" if entry.lack else entry.name
            item = QTreeWidgetItem([name, f"{entry.kind}  ", f"{entry.keys} "])
            for column in range(item.columnCount()):
                item.setToolTip(column, paragraph(entry.help))
            item.setData(2, Qt.ItemDataRole.AccessibleTextRole, entry.keys or "no shortcut")
            item.setSizeHint(0, _ROW)
            item.setDisabled(bool(entry.lack))
            items.append(item)
        self.list.addTopLevelItems(items)
        if not items[0].isDisabled():
            self.list.setCurrentItem(items[0])
        self.list.scrollToTop()
        others = self.sizeHint().height() - self.list.sizeHint().height()
        height = others + (len(entries) + 1) * _ROW.height()
        self.resize(self.width(), min(height, _SIZE.height()))

    @Slot()
    def _choose_current(self) -> None:
        self._choose(self.list.currentItem())

    @Slot(QTreeWidgetItem)
    def _choose(self, item: QTreeWidgetItem | None) -> None:
        row = self.list.indexOfTopLevelItem(item) if item and self._shown else -1
        if row >= 0 and not self._shown[row].lack:
            self.accept()
            self._shown[row].do()  # once the window has the keyboard again

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let keys move in the list while the user types."""
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() in _MOVES:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)
