"""A table of evidence above a plot; a click on a cell shows its place or applies a remedy."""

import re

from PySide6.QtCore import QEvent, QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)

from pe_explorer.pictures.table import Detail, TextTable
from pe_explorer.widgets.labels import paragraph
from pe_explorer.widgets.theme import colours

_LEAST_COLUMN = 100  # minimum column width in pixels; below this width, the table scrolls sideways
_MOST_LINES = 3  # maximum number of lines in a cell, whose tooltip has the full text
_MOST_TITLE_LINES = 4
_ROWS_OF_THREE = 2  # number of rows with up to three lines, instead of two
_AROUND = 6  # total vertical padding of a row in pixels
_BESIDE = 20  # total horizontal padding of a text in pixels
_TITLE_BREAKS = re.compile(r"(?<!=) (?!=)"), re.compile(" ")
_ASKS = "Click to show the place in other views."
_COPIES = "Click to copy the values as code."


class EvidenceTable(QTableWidget):
    """A table of evidence, with a column for each encoding."""

    requested = Signal(object)
    """The fields of the exploration that show the place of a cell."""
    copied = Signal(str)
    """Code to copy to the clipboard."""
    one_line = 170
    """The width in pixels of a column in which most texts fit into one line."""
    _titles: tuple[str, ...] = ()  # titles with line breaks
    _table: TextTable | None = None  # on the class, because Qt's constructor lays out the table

    _fitted = 0
    """Width of the columns in pixels when texts and rows were last fitted."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Evidence")
        self.setAccessibleDescription("Press Enter to show this cell in the other views.")
        self.setToolTip("Measurements of each encoding. Click a measurement to show its place.")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        across.setMinimumSectionSize(_LEAST_COLUMN)
        across.setHighlightSections(False)
        # Titles have several lines, but with eliding Qt would show only the first line.
        across.setTextElideMode(Qt.TextElideMode.ElideNone)
        down.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        down.setMinimumSectionSize(self.row_height)
        down.setMaximumSectionSize(_MOST_LINES * self.fontMetrics().lineSpacing() + _AROUND)
        down.setHighlightSections(False)
        down.setTextElideMode(Qt.TextElideMode.ElideRight)
        across.sectionResized.connect(self._fit)
        self.cellClicked.connect(self._ask)
        self.cellActivated.connect(self._ask)

    @property
    def row_height(self) -> int:
        """The height of a row with one line, in pixels."""
        return self.fontMetrics().lineSpacing() + _AROUND

    def height_of(self, rows: int, columns: int) -> int:
        """Return the total height of titles and rows in pixels.

        In narrow columns, rows have two lines, and a few rows have three. The height does not
        depend on the texts, so that the plot below does not move.
        """
        room = self.width() - self.verticalHeader().width()
        line, lines = self.fontMetrics().lineSpacing(), 0
        if max(room, columns * _LEAST_COLUMN) < columns * self.one_line:
            lines = rows + _ROWS_OF_THREE
        titles = self.horizontalHeader().sizeHint().height()
        titles += (_lines(self._broken_titles()) - _lines(self._titles)) * line
        sideways = self.horizontalScrollBar().sizeHint().height()
        scrolls = room < columns * _LEAST_COLUMN
        return titles + rows * self.row_height + lines * line + scrolls * sideways

    def show_table(self, table: TextTable) -> None:
        if table == self._table:
            return
        self._table = table
        titles = table.titles[1:]
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(titles))
        self.horizontalHeader().resizeSections(QHeaderView.ResizeMode.Stretch)  # columns change
        self._titles = ()
        across, tooltip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        for column, title in enumerate(titles):
            self.model().setHeaderData(column, across, paragraph(title), tooltip)
        self.setVerticalHeaderLabels([row[0] for row in table.rows])
        for row, details in enumerate(table.details):
            for column, detail in enumerate(details):
                self._show_cell(row, column, detail)
        self._fit()

    def _show_cell(self, row: int, column: int, detail: Detail) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        asks = paragraph(detail.does or (_COPIES if detail.copied else _ASKS))
        is_link = bool(detail.fields or detail.copied)
        item.setToolTip(f"{paragraph(detail.sentence)}{asks if is_link else ''}")
        font = item.font()
        font.setUnderline(is_link)  # like links elsewhere
        font.setBold(detail.is_shown)
        item.setFont(font)
        shades = colours(self.palette())
        item.setForeground(QColor(shades.accent if is_link else shades.text))

    @Slot()
    def _fit(self) -> None:
        if self._table is None:
            return
        titles = self._broken_titles()
        if titles != self._titles:
            self._titles = titles
            self.setHorizontalHeaderLabels(titles)
            self.updateGeometries()  # the height of the titles has changed
        for row, details in enumerate(self._table.details):
            texts = self._table.rows[row][1:]
            widths = map(self.fontMetrics().horizontalAdvance, (detail.words for detail in details))
            if all(self.columnWidth(at) - _BESIDE >= needed for at, needed in enumerate(widths)):
                texts = self._table.in_words.rows[row][1:]
            for column, (text, detail) in enumerate(zip(texts, details, strict=True)):
                if self._has_room_in_full(column, detail):
                    text = detail.sentence
                item = self.item(row, column)
                if item is not None and item.text() != text:
                    item.setText(text)
        self._fitted = self.columnWidth(0)
        self.resizeRowsToContents()  # needed because Qt does this only when columns become narrower

    def _broken_titles(self) -> tuple[str, ...]:
        """Return the titles with line breaks, always leaving room for a scroll bar.

        Otherwise the height of the titles could make the scroll bar appear and disappear
        repeatedly.
        """
        titles = self._table.titles[1:] if self._table else ()
        bar = self.verticalScrollBar().sizeHint().width()
        room = self.width() - self.verticalHeader().width() - bar
        width = max(room // max(1, len(titles)), _LEAST_COLUMN) - _BESIDE
        metrics = self.horizontalHeader().fontMetrics()
        return tuple(_in_lines(title, metrics, width) for title in titles)

    def _has_room_in_full(self, column: int, detail: Detail) -> bool:
        """Return whether a cell shows its whole sentence and has room for it."""
        if not detail.in_full:
            return False
        metrics = self.fontMetrics()
        width = self.columnWidth(column) - _BESIDE
        room = QRect(0, 0, width, _MOST_LINES * metrics.lineSpacing())
        needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, detail.sentence)
        return room.contains(needed)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (table := self._table) is not None:
            self._table = None
            self.show_table(table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit texts and rows to the new size, for example after a scroll bar has appeared."""
        self.verticalHeader().setMaximumWidth(max(_LEAST_COLUMN, self.width() // 2))
        super().resizeEvent(event)
        self._fit()

    def updateGeometries(self) -> None:
        down = self.verticalHeader()
        # Qt would fill the area below the rows with another colour.
        down.setMaximumHeight(down.length())
        super().updateGeometries()
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.hide()  # a click on the corner would select all cells
        if self._fitted not in (0, self.columnWidth(0)):  # a scroll bar has vanished
            self._fit()

    @Slot(int, int)
    def _ask(self, row: int, column: int) -> None:
        if self._table is None:
            return
        detail = self._table.details[row][column]
        if detail.copied:
            self.copied.emit(detail.copied)
        if detail.fields:
            self.requested.emit(detail.fields)


def _lines(titles: tuple[str, ...]) -> int:
    return max((title.count("\n") + 1 for title in titles), default=1)


def _in_lines(title: str, metrics: QFontMetrics, width: int) -> str:
    lines: list[str] = []
    for breaks in _TITLE_BREAKS:
        lines = [""]
        for part in breaks.split(title):
            longer = f"{lines[-1]} {part}".lstrip()
            is_full = metrics.horizontalAdvance(longer) > width
            if lines[-1] and is_full and len(lines) < _MOST_TITLE_LINES:
                lines.append(part)
            else:
                lines[-1] = longer
        if all(metrics.horizontalAdvance(line) <= width for line in lines):
            break
    end = Qt.TextElideMode.ElideRight
    return "\n".join(metrics.elidedText(line, end, width) for line in lines)
