"""The properties on the screen: the table of evidence above the likeness of all positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from pe_explorer.exploration import CURSOR, Exploration
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Panel
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import MOST_NAMED, Properties, row_count
from pe_explorer.pictures.table import Detail, Table
from pe_explorer.views._curves import Curves
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views._plots import PlotView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.labels import paragraph
from pe_explorer.widgets.painting import thin_pen
from pe_explorer.widgets.plot import ImagePlot, Line, RangePlot
from pe_explorer.widgets.theme import colours

_NARROWEST = 100  # pixels of a column, before the table scrolls sideways
_ONE_LINE = 170  # pixels of a column, from which on most words have room in one line
_MOST_LINES = 3  # of a cell: the tooltip has all of it
_AROUND = 6  # pixels above and below the text of a row, together
_BESIDE = 20  # pixels to the left and right of a text, together
_ASKS = "Click to see the place in other views."


class EvidenceTable(QTableWidget):
    """Rows of evidence, with a column for each encoding."""

    asked = Signal(object)
    """The fields of an exploration that show the place of what a cell says."""
    _shown: Table | None = None  # of the class, as Qt lays a table out before it is made

    _fitted = 0
    """Pixels of the first column, as all are, when words and rows were fitted to them."""

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
        across.setTextElideMode(Qt.TextElideMode.ElideRight)
        down.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        down.setMinimumSectionSize(self.row_height)
        down.setMaximumSectionSize(_MOST_LINES * self.fontMetrics().lineSpacing() + _AROUND)
        down.setHighlightSections(False)
        down.setTextElideMode(Qt.TextElideMode.ElideRight)
        down.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
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
        room = self.width() - self.verticalHeader().width()
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
        self.horizontalHeader().resizeSections(QHeaderView.ResizeMode.Stretch)  # a column may go
        self.setHorizontalHeaderLabels(titles)
        across, tooltip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        for column, title in enumerate(titles):
            self.model().setHeaderData(column, across, paragraph(title), tooltip)
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
                said = detail.sentence if detail.in_full else text
                item = self.item(row, column)
                if item is not None and item.text() != said:
                    item.setText(said)
        self._fitted = self.columnWidth(0)
        self.resizeRowsToContents()  # Qt does not when columns get wider

    def _has_room(self, column: int, detail: Detail) -> bool:
        """Return whether a column is wide enough for the words of a cell."""
        room = self.columnWidth(column) - _BESIDE
        return self.fontMetrics().horizontalAdvance(detail.words) <= room

    def dress(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        self._palette = palette
        shown, self._shown = self._shown, None
        self.show_table(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit words and rows, as after a scroll bar has come or gone, too."""
        self.verticalHeader().setMaximumWidth(max(_NARROWEST, self.width() // 2))
        super().resizeEvent(event)
        self._fit()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.hide()  # a click there would select all, and nothing is ever selected
        if self._fitted not in (0, self.columnWidth(0)):  # a scroll bar went with the last rows
            self._fit()

    @Slot(int, int)
    def _ask(self, row: int, column: int) -> None:
        if self._shown and (fields := self._shown.details[row][column].fields):
            self.asked.emit(fields)


_TOP, _LOWER = 0.95, 0.09  # of the height of the plot: where lines say what they are
_MIDDLE = 0.5  # of the width of the plot
_NEAR = 4  # pixels from a line: a click there is on it
_OPACITY = 160  # of 255: what lies behind can be seen


class LikenessPlot(ImagePlot):
    """Curves, with the first of them also in colours below."""

    def __init__(self, marks: int) -> None:
        """`marks` is the most that will be shown."""
        super().__init__(ValueAxis("left"), RangeAxis("bottom", "position"), down=False)
        self.curve_set = Curves(self)
        self.marks = [Line(angle=90) for _ in range(marks)]
        self.labels = [pg.TextItem() for _ in range(marks)]
        for item in (*self.marks, *self.labels):
            item.hide()
            self.add(item)

    def show_curves(self, panel: Panel, palette: QPalette) -> None:
        """Show the curves of a panel, and its marks."""
        self.curve_set.show(panel, palette)
        self._show_marks(panel)

    def mark_at(self, x: float, y: float) -> float | None:
        """Return where the line is that is at a point, or whose label is; None for no line."""
        point = self.box.mapViewToScene(QPointF(x, y))
        for line, label in zip(self.marks, self.labels, strict=True):
            if not line.isVisible():
                continue
            place = self.box.mapViewToScene(QPointF(line.value(), y))
            is_near = abs(place.x() - point.x()) <= _NEAR
            if is_near or label.sceneBoundingRect().contains(point):
                return float(line.value())
        return None

    def _show_marks(self, panel: Panel) -> None:
        """Show the marks of a panel, each with its label on the side where there is more room."""
        for number, (line, label) in enumerate(zip(self.marks, self.labels, strict=True)):
            is_shown = number < len(panel.marks)
            line.setVisible(is_shown)
            label.setVisible(is_shown)
            if is_shown:
                mark = panel.marks[number]
                line.setPos(mark.x)
                label.setText(mark.label)
                label.setAnchor((0 if panel.x.part(mark.x) < _MIDDLE else 1, 0.5))
                height = panel.y.low + (_TOP - number * _LOWER) * panel.y.length
                label.setPos(mark.x, height)

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.curve_set.take_colours(palette)
        shades = colours(palette)
        ground = QColor(shades.base)
        ground.setAlpha(_OPACITY)
        for line, label in zip(self.marks, self.labels, strict=True):
            line.setPen(thin_pen(shades.reference, ratio, style=Qt.PenStyle.DashLine))
            label.fill = pg.mkBrush(ground)
            label.setColor(shades.text)
        self.left.setLabel(self.left.labelText, color=shades.muted)


_LEFT = 58  # pixels for the numbers of the curves
_LEAST = QSize(280, 300)  # pixels of a view that has room for the picture, too
_HIDDEN = Size(16, 16)  # of a picture that is not shown, but measured
_MOST_TABLE = 0.58  # of the height: so much the table may take


class PropertiesView(PlotView):
    """The evidence for what encodings are wished to have, and who looks like whom."""

    picture = Properties

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = LikenessPlot(MOST_NAMED)
        self.plot.left.setWidth(_LEFT)
        super().__init__({"likeness": self.plot}, parent)
        self.table = EvidenceTable()
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(0, self.table)
        self.choices = DistanceChoices(self)
        self.header.add_option("part", self.set_option)
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            *self.choices.connections(model),
            (self.table.asked, self._show_place),
        ]

    # -- what is shown -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        columns = 1 + len(self.model.state.pins)
        draws = self.width() >= _LEAST.width() and self.height() >= _LEAST.height()
        most = round(_MOST_TABLE * self.height()) if draws else self.height()
        wanted = self.table.height_of(row_count(self.options), columns)
        self.table.setFixedHeight(min(wanted, most) if draws else most)
        self.stage.splitter.setVisible(draws)
        if not draws:
            return _HIDDEN
        layout = self.layout()
        assert layout is not None
        layout.activate()
        return self.stage.pixels(self.plot, self.ratio)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.table.show_table(figure.table)
        self.table.show()
        if self.stage.splitter.isHidden():
            self.stage.show_message("")  # it is about the picture

    def show_panel(self, plot: RangePlot, panel: Panel) -> None:
        super().show_panel(plot, panel)
        self.plot.show_curves(panel, self.palette())

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self.stage.splitter.show()  # with the sentence, however small it is
        super().show_lack(state, frame, sentence)
        self.table.show_table(None)
        self.table.hide()

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, measures_from_reference=True)
        self.header.show_choice("part", self.picture.options(state).part)

    def apply_theme(self) -> None:
        super().apply_theme()
        self.table.dress(self.palette())

    # -- the cursor ----------------------------------------------------------------------------

    @Slot(object)
    def _show_place(self, fields: Mapping[str, int]) -> None:
        """Move cursor and reference to what a cell of the table is about."""
        others = {name: value for name, value in fields.items() if name not in CURSOR}
        self.model.pick(**{name: fields[name] for name in fields if name in CURSOR})
        if others:
            self.model.set(**others)

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        """Show a look-alike whose line is clicked beside the cursor; else move the cursor."""
        mark = self.plot.mark_at(x, y)
        if mark is None:
            super()._pick(x, y)
        else:
            self.model.set(reference=self.model.state.start + round(mark))
