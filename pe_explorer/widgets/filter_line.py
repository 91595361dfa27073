"""A line to type words in that leaves those rows of a list that have them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QListView, QTableView


class FilterLine(QLineEdit):
    """Hides the rows that lack one of its words; words of any case, in any order."""

    def __init__(self, view: QListView | QTableView, texts: Callable[[], Sequence[str]]) -> None:
        """`texts` returns what is looked through for each row."""
        super().__init__()
        self._view, self._texts = view, texts
        self.setPlaceholderText("Find by words")
        self.setAccessibleName("Words to find")
        self.setClearButtonEnabled(True)
        self.textChanged.connect(self.filter)

    @Slot()
    def filter(self) -> None:
        """Show the rows that have all words."""
        words = self.text().lower().split()
        for row, text in enumerate(self._texts()):
            lacks = not all(word in text.lower() for word in words)
            self._view.setRowHidden(row, lacks)
