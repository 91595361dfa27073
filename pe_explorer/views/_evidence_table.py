"""The table of evidence: a click, or the Enter key, asks for the place of what a cell says."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)

from pe_explorer.pictures.table import Detail, Table
from pe_explorer.widgets.rich_text import paragraph
from pe_explorer.widgets.theme import colours

__all__ = ["EvidenceTable"]

_NARROWEST = 118  # pixels of a column, before the table scrolls sideways
_ONE_LINE = 170  # pixels of a column, from which on most words have room in one line
_MOST_LINES = 3  # of a cell: the tooltip has all of it
_AROUND = 6  # pixels above and below the text of a row, together
_BESIDE = 20  # pixels to the left and right of a text, together
_ASKS = "Click to see the place in other views."


class EvidenceTable(QTableWidget):
    """Rows of evidence, with a column for each encoding."""

    asked = Signal(object)
    """The fields of an exploration that show the place of what a cell says."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Evidence")
        self.setAccessibleDescription("Enter shows the place of the cell in other views.")
        self.setToolTip("What was measured, for each encoding. A click shows the place.")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        across.setMinimumSectionSize(_NARROWEST)
        across.setHighlightSections(False)
        down.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        down.setMinimumSectionSize(self.row_height)
        down.setMaximumSectionSize(_MOST_LINES * self.fontMetrics().lineSpacing() + _AROUND)
        down.setHighlightSections(False)
        down.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._shown: Table | None = None
        self._palette = self.palette()
        across.sectionResized.connect(self._fit)
        self.cellClicked.connect(self._ask)
        self.cellActivated.connect(self._ask)

    @property
    def row_height(self) -> int:
        """Pixels of a row of one line."""
        return self.fontMetrics().lineSpacing() + _AROUND

    def height_of(self, rows: int, columns: int) -> int:
        """Return the pixels that titles and rows need, of two lines where columns are narrow.

        It does not depend on the words, or what is below would move with each of them.
        """
        room = self.width() - self.verticalHeader().sizeHint().width()
        height = self.row_height
        if room < columns * _ONE_LINE:
            height += self.fontMetrics().lineSpacing()
        titles = self.horizontalHeader().sizeHint().height()
        sideways = self.horizontalScrollBar().sizeHint().height()
        scrolls = room < columns * _NARROWEST
        return titles + rows * height + scrolls * sideways

    def show_table(self, table: Table | None) -> None:
        """Show a table, or an empty one."""
        if table == self._shown:
            return
        self._shown = table
        titles = table.titles[1:] if table else ()
        rows = table.rows if table else ()
        self.setRowCount(len(rows))
        self.setColumnCount(len(titles))
        self.setHorizontalHeaderLabels(titles)
        self.setVerticalHeaderLabels([row[0] for row in rows])
        if table is None:
            return
        for row, details in enumerate(table.details):
            for column, detail in enumerate(details):
                self._show_cell(row, column, detail)
        self._fit()

    def _show_cell(self, row: int, column: int, detail: Detail) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        asks = paragraph(_ASKS) if detail.fields else ""
        item.setToolTip(f"{paragraph(detail.sentence)}{asks}")
        font = item.font()
        font.setUnderline(bool(detail.fields))  # as what can be clicked elsewhere
        font.setBold(detail.shown)
        item.setFont(font)
        shades = colours(self._palette)
        item.setForeground(QColor(shades.accent if detail.fields else shades.text))

    @Slot()
    def _fit(self) -> None:
        """Show some words more in the rows in which every column has room for them."""
        if self._shown is None:
            return
        for row, details in enumerate(self._shown.details):
            texts = self._shown.rows[row][1:]
            if all(map(self._has_room, range(len(details)), details)):
                texts = self._shown.in_words.rows[row][1:]
            for column, (text, detail) in enumerate(zip(texts, details, strict=True)):
                if item := self.item(row, column):
                    item.setText(detail.sentence if detail.in_full else text)

    def _has_room(self, column: int, detail: Detail) -> bool:
        """Return whether a column is wide enough for the words of a cell."""
        room = self.columnWidth(column) - _BESIDE
        return self.fontMetrics().horizontalAdvance(detail.words) <= room

    def dress(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        self._palette = palette
        shown, self._shown = self._shown, None
        self.show_table(shown)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.hide()  # a click there would select all, and nothing is ever selected

    @Slot(int, int)
    def _ask(self, row: int, column: int) -> None:
        if self._shown and (fields := self._shown.details[row][column].fields):
            self.asked.emit(fields)
