"""A plot of curves with lines across them that can be dragged, and the numbers that they read."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pe_explorer.pictures.figure import Mark
from pe_explorer.pictures.table import Table
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.device import thin_pen
from pe_explorer.widgets.plot import Line
from pe_explorer.widgets.theme import colours

__all__ = ["ReadNumbers", "WavePlot"]

_LABEL, _LOWER = 10.0, 17.0  # pixels from the top, and to the next: where lines say what they are
_OPACITY = 160  # of 255: what lies behind can be seen
_MOST_HEIGHT = 0.33  # of a view, for the numbers below it
_ROOM = 8  # pixels around them


class _MovableLine(Line):
    """A line that can be dragged, with its position in words."""

    def __init__(self, option: str) -> None:
        super().__init__(angle=90)
        self.option = option
        self.setMovable(True)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setZValue(12)  # above the cursor
        self.label = pg.InfLineLabel(self, anchors=[(0, 0.5), (1, 0.5)])


class WavePlot(CurvePlot):
    """Curves over positions, and lines across them."""

    dragged = Signal(str, float)
    """The option of a line, and where it was dragged to on the axis."""
    dropped = Signal()
    """A line is dragged no more."""

    def __init__(self, options: Sequence[str]) -> None:
        super().__init__(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.lines = {option: _MovableLine(option) for option in options}
        for line in self.lines.values():
            line.sigDragged.connect(self._drag)
            line.sigPositionChangeFinished.connect(self._drop)
            self.add(line)
        self.box.sigResized.connect(self._place_names)

    @Slot(object)
    def _place_names(self, box: pg.ViewBox) -> None:
        """Put the names of lines below each other, whatever the height is."""
        height = max(1.0, box.height())
        for place, line in enumerate(self.lines.values()):
            down = (_LABEL + place * _LOWER) / height
            line.label.setPosition(1 - min(down, 1.0))

    def show_marks(self, marks: Sequence[Mark]) -> None:
        placed = {mark.name: mark for mark in marks}
        for option, line in self.lines.items():
            mark = placed.get(option)
            line.setVisible(mark is not None)
            if mark is not None:
                line.setPos(mark.x)
                line.label.setFormat(mark.label)

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        c = colours(palette)
        for line in self.lines.values():
            line.setPen(thin_pen(c.reference, ratio, style=Qt.PenStyle.DashLine))
            line.setHoverPen(thin_pen(c.reference, 2 * ratio))
            ground = QColor(c.base)
            ground.setAlpha(_OPACITY)
            line.label.fill = pg.mkBrush(ground)
            line.label.setColor(c.text)

    @Slot(object)
    def _drag(self, line: _MovableLine) -> None:
        self.dragged.emit(line.option, line.value())

    @Slot(object)
    def _drop(self, line: _MovableLine) -> None:
        self.dropped.emit()


class ReadNumbers(QLabel):
    """The numbers that lines read off, in columns below the plot."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("What the lines read off")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setContentsMargins(_ROOM, 0, _ROOM, _ROOM)
        self.setToolTip(
            "<p>Each line across the curves reads off one number of each: together they are a "
            "vector. Below, how far apart the vectors are.</p>"
        )
        self.hide()

    def show_table(self, table: Table | None, height: int) -> None:
        """Show a table, or nothing; of a long one, what leaves room in a view of some height.

        Then numbers are left out rather than the distances, a row for each line but the last.
        """
        self.setVisible(table is not None)
        if table is None:
            self.clear()
            return
        line = self.fontMetrics().lineSpacing() + 2
        most = max(2, int(_MOST_HEIGHT * height / line) - 1)
        rows = list(table.rows)
        if len(rows) > most:
            distances = min(max(0, len(table.titles) - 2), most - 2)
            numbers, end = most - 1 - distances, len(rows) - distances
            more = f"and {end - numbers} more"
            rows[numbers:end] = [(more, *("" for _ in table.titles[1:]))]
        head = _row("th", table.titles)
        body = "".join(_row("td", row) for row in rows)
        self.setText(f"<table cellspacing='0' cellpadding='1'>{head}{body}</table>")


def _row(tag: str, texts: Sequence[str]) -> str:
    """Return a row of a table in HTML: a name, then numbers that end below each other."""
    first, *others = map(escape, texts)
    cells = "".join(f"<{tag} align='right'>&nbsp;&nbsp;&nbsp;{each}</{tag}>" for each in others)
    return f"<tr><{tag} align='left'>{first}</{tag}>{cells}</tr>"
