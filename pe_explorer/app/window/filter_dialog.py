"""A dialog with a list, and a line to type words in that leaves those rows that have them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.widgets.messages import without_icons


class FilterDialog(QDialog):
    """Hides the rows that lack one of the typed words; words of any case, in any order."""

    def __init__(self, parent: QWidget, title: str, view: QListView | QTableView) -> None:
        """Show `view` below the line, and a button that closes the dialog."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._view = view
        self.line = QLineEdit()
        self.line.setPlaceholderText("Find by words")
        self.line.setAccessibleName("Words to find")
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self._filter)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.line, view, close):
            layout.addWidget(part)

    def texts(self) -> Sequence[str]:
        """Return what is looked through for each row; a subclass defines it."""
        raise NotImplementedError

    @Slot()
    def _filter(self) -> None:
        """Show the rows that have all words."""
        words = self.line.text().lower().split()
        for row, text in enumerate(self.texts()):
            lacks = not all(word in text.lower() for word in words)
            self._view.setRowHidden(row, lacks)
