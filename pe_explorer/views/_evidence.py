"""A table of evidence above a plot; a click on a cell shows its evidence or copies code."""

import re

from PySide6.QtCore import QEvent, QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHeaderView, QTableWidget, QTableWidgetItem

from pe_explorer.pictures.table import Detail, TextTable
from pe_explorer.widgets.labels import format_paragraph
from pe_explorer.widgets.theme import colours

MIN_COLUMN_WIDTH = 100  # pixels; the table scrolls instead of narrowing columns further
_MAX_LINES = 3  # maximum number of lines in a cell; the tooltip contains the full text
_MAX_TITLE_LINES = 4
_TALL_ROW_COUNT = 2  # assumed number of rows with one more line than the others
_LONG_TEXT_FACTOR = 1.5  # column width for the longest texts, as a multiple of `one_line_width`
_ROW_PADDING = 6  # total vertical padding in pixels
_TEXT_PADDING = 20  # total horizontal padding in pixels
_TITLE_BREAK_PATTERNS = re.compile(r"(?<!=) (?!=)"), re.compile(" ")


class EvidenceTable(QTableWidget):
    """A table of evidence, with a column for each encoding."""

    place_requested = Signal(object)  # fields of the exploration to set after a click on a cell
    code_copied = Signal(str)
    one_line_width = 170  # column width in pixels at which most texts fit into one line
    # These are defined on the class, because Qt's constructor lays out the table.
    _titles: tuple[str, ...] = ()  # titles with line breaks
    _table: TextTable | None = None
    _fitted_width = 0  # width of a column in pixels when the texts were last fitted

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Evidence")
        self.setAccessibleDescription("Press Enter to show this cell in the other views.")
        self.setToolTip("Measurements of each encoding. Click a measurement to show its position.")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setFrameShape(self.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        columns, rows = self.horizontalHeader(), self.verticalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        columns.setMinimumSectionSize(MIN_COLUMN_WIDTH)
        columns.setHighlightSections(False)
        # Titles have several lines; if eliding were enabled, Qt would show only the first line.
        columns.setTextElideMode(Qt.TextElideMode.ElideNone)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        rows.setMinimumSectionSize(self.row_height)
        rows.setMaximumSectionSize(_MAX_LINES * self.fontMetrics().lineSpacing() + _ROW_PADDING)
        rows.setHighlightSections(False)
        rows.setTextElideMode(Qt.TextElideMode.ElideRight)
        columns.sectionResized.connect(self._fit)
        self.cellClicked.connect(self._activate_cell)
        self.cellActivated.connect(self._activate_cell)

    @property
    def row_height(self) -> int:
        """The height of a row with one line, in pixels."""
        return self.fontMetrics().lineSpacing() + _ROW_PADDING

    def compute_height(self, rows: int, columns: int) -> int:
        """Return the total height in pixels of a table with the given numbers of rows and columns.

        In narrow columns, another line is assumed for most rows, and one more for a few. The height
        does not depend on the texts of cells, so that the plot below does not move.
        """
        space, min_width = self.width() - self.verticalHeader().width(), columns * MIN_COLUMN_WIDTH
        width = max(space, min_width) / columns
        more_lines = rows if width < self.one_line_width else 0
        more_lines += _TALL_ROW_COUNT if width < _LONG_TEXT_FACTOR * self.one_line_width else 0
        more_lines += _count_lines(self._break_titles()) - _count_lines(self._titles)
        height = self.horizontalHeader().sizeHint().height() + rows * self.row_height
        height += self.horizontalScrollBar().sizeHint().height() if space < min_width else 0
        return height + more_lines * self.fontMetrics().lineSpacing()

    def show_table(self, table: TextTable) -> None:
        if table == self._table:
            return
        self._table = table
        titles = table.titles[1:]
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(titles))
        self.horizontalHeader().resizeSections(QHeaderView.ResizeMode.Stretch)  # size new columns
        self._titles = ()
        orientation, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        for column, title in enumerate(titles):
            self.model().setHeaderData(column, orientation, format_paragraph(title), role)
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
        tooltip, is_link = format_paragraph(detail.sentence), bool(detail.fields or detail.code)
        if is_link:
            views = "show its position in other views"
            action = "copy the values as code" if detail.code else views
            tooltip += format_paragraph(detail.click_effect or f"Click to {action}.")
        item.setToolTip(tooltip)
        font = item.font()
        font.setUnderline(is_link)
        font.setBold(detail.is_shown)
        item.setFont(font)
        shades = colours(self.palette())
        item.setForeground(QColor(shades.accent if is_link else shades.text))

    @Slot()
    def _fit(self) -> None:
        if self._table is None:
            return
        titles = self._break_titles()
        if titles != self._titles:
            self._titles = titles
            self.setHorizontalHeaderLabels(titles)
            self.updateGeometries()  # the height of the titles may have changed
        for row, details in enumerate(self._table.details):
            texts, metrics = self._table.rows[row][1:], self.fontMetrics()
            widths = [self.columnWidth(column) - _TEXT_PADDING for column in range(len(texts))]
            pairs = zip(widths, details, strict=True)
            if all(width >= metrics.horizontalAdvance(detail.words) for width, detail in pairs):
                texts = self._table.with_long_texts.rows[row][1:]
            for column, (text, detail) in enumerate(zip(texts, details, strict=True)):
                if detail.can_show_sentence:
                    space = QRect(0, 0, widths[column], _MAX_LINES * metrics.lineSpacing())
                    flags = Qt.TextFlag.TextWordWrap
                    if space.contains(metrics.boundingRect(space, flags, detail.sentence)):
                        text = detail.sentence
                item = self.item(row, column)
                if item is not None and item.text() != text:
                    item.setText(text)
        self._fitted_width = self.columnWidth(0)
        self.resizeRowsToContents()  # Qt does this only when columns become narrower

    def _break_titles(self) -> tuple[str, ...]:
        """Return the titles with line breaks that do not depend on the vertical scroll bar."""
        titles = self._table.titles[1:] if self._table else ()
        bar = self.verticalScrollBar().sizeHint().width()  # reserved, so that it does not flicker
        space = self.width() - self.verticalHeader().width() - bar
        width = max(space // max(1, len(titles)), MIN_COLUMN_WIDTH) - _TEXT_PADDING
        metrics = self.horizontalHeader().fontMetrics()
        return tuple(_break_lines(title, metrics, width) for title in titles)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (table := self._table) is not None:
            self._table = None
            self.show_table(table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.verticalHeader().setMaximumWidth(max(MIN_COLUMN_WIDTH, self.width() // 2))
        super().resizeEvent(event)
        self._fit()

    def updateGeometries(self) -> None:
        rows = self.verticalHeader()
        rows.setMaximumHeight(rows.length())  # Qt would fill the area below with another colour
        super().updateGeometries()
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.hide()  # a click on the corner would select all cells
        if self._fitted_width not in (0, self.columnWidth(0)):  # a scroll bar has vanished
            self._fit()

    @Slot(int, int)
    def _activate_cell(self, row: int, column: int) -> None:
        if self._table is not None:
            detail = self._table.details[row][column]
            if detail.code:
                self.code_copied.emit(detail.code)
            if detail.fields:
                self.place_requested.emit(detail.fields)


def _count_lines(titles: tuple[str, ...]) -> int:
    return max((title.count("\n") + 1 for title in titles), default=1)


def _break_lines(title: str, metrics: QFontMetrics, width: int) -> str:
    lines: list[str] = []
    for breaks in _TITLE_BREAK_PATTERNS:
        lines = [""]
        for part in breaks.split(title):
            longer_line = f"{lines[-1]} {part}".lstrip()
            is_full = metrics.horizontalAdvance(longer_line) > width
            if lines[-1] and is_full and len(lines) < _MAX_TITLE_LINES:
                lines.append(part)
            else:
                lines[-1] = longer_line
        if all(metrics.horizontalAdvance(line) <= width for line in lines):
            break
    end = Qt.TextElideMode.ElideRight
    return "\n".join(metrics.elidedText(line, end, width) for line in lines)
