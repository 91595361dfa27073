"""The waves on the screen: curves, lines that are dragged across them, and what they read off."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from pe_explorer.analysis.curves import is_continuous
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure, Mark
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import nearest_position
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.waves import LINES, WavesOptions, WavesPicture
from pe_explorer.views._plots import CurvePlot, PlotView
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.line_fields import LineField, NumberField
from pe_explorer.widgets.painting import thin_pen
from pe_explorer.widgets.plot import FIRST_LABEL, LABEL_STEP, PlotLine, dress_label
from pe_explorer.widgets.theme import colours

_AXIS_WIDTH = 58  # pixels for the numbers beside the curves
_LIST, _NUMBER = 86, 46  # pixels for what is typed; longer texts scroll
_NUMBERS_SHARE = 0.33  # of the view's height for the numbers below the curves
_LOW = 220  # pixels of the view's height, below which the numbers stand beside the curves
_BESIDE_SHARE = 0.6  # of the view's width for them there; wider ones stand below all the same
_LOWEST = 180  # pixels of the view's height, below which they do not stand below, but nowhere
_ROOM = 8  # pixels around them


class _MovableLine(PlotLine):
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
        super().__init__(_AXIS_WIDTH, RangeAxis("bottom", "position"))
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
            down = (FIRST_LABEL + place * LABEL_STEP) / height
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
            dress_label(line.label, palette)

    @Slot(object)
    def _drag(self, line: _MovableLine) -> None:
        self.dragged.emit(line.option, line.value())

    @Slot(object)
    def _drop(self, line: _MovableLine) -> None:
        self.dropped.emit()


class ReadNumbers(QLabel):
    """The numbers that lines read off, in columns below the plot or, where it is low, beside."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._table: TextTable | None = None
        self.setAccessibleName("What the lines read off")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setContentsMargins(_ROOM, 0, _ROOM, _ROOM)
        self.setToolTip(
            "<p>Each line across the curves reads off one number of each: together they are a "
            "vector. Below, how far apart the vectors are.</p>"
        )
        self.hide()

    def show_table(self, table: TextTable | None, view: QWidget) -> None:
        """Show a table in a view, or nothing."""
        self._table = table
        self.fit_in(view)

    def fit_in(self, view: QWidget) -> None:
        """Take the place that the size of a view asks for, and show what leaves room for curves."""
        table = self._table
        if table is None:
            self.hide()
            return
        layout = view.layout()
        assert isinstance(layout, QBoxLayout)
        self.setText(self._html(table, view.height()))
        is_beside = view.height() < _LOW and self.sizeHint().width() < _BESIDE_SHARE * view.width()
        if is_beside:
            layout.setDirection(QBoxLayout.Direction.LeftToRight)
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        else:
            self.setText(self._html(table, int(_NUMBERS_SHARE * view.height())))
            layout.setDirection(QBoxLayout.Direction.TopToBottom)
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setVisible(is_beside or view.height() >= _LOWEST)

    def _html(self, table: TextTable, height: int) -> str:
        """Return a table as HTML of some height, at least two rows and the titles.

        Numbers are left out rather than the distances, a row for each line but the last.
        """
        most = max(2, height // (self.fontMetrics().lineSpacing() + 2) - 1)
        rows = list(table.rows)
        if len(rows) > most:
            distances = min(max(0, len(table.titles) - 2), most - 2)
            numbers, end = most - 1 - distances, len(rows) - distances
            more = f"and {end - numbers} more"
            rows[numbers:end] = [(more, *("" for _ in table.titles[1:]))]
        head = _row("th", table.titles)
        body = "".join(_row("td", row) for row in rows)
        return f"<table cellspacing='0' cellpadding='1'>{head}{body}</table>"


def _row(tag: str, texts: Sequence[str]) -> str:
    """Return a row of a table in HTML: a name, then numbers that end below each other."""
    first, *others = map(escape, texts)
    cells = "".join(f"<{tag} align='right'>&nbsp;&nbsp;&nbsp;{each}</{tag}>" for each in others)
    return f"<tr><{tag} align='left'>{first}</{tag}>{cells}</tr>"


_KEYS = {Qt.Key.Key_1: LINES[0], Qt.Key.Key_2: LINES[1], Qt.Key.Key_3: LINES[2]}


class WavesView(PlotView):
    """Curves over positions, with lines across them."""

    picture = WavesPicture

    def __init__(self, parent: QWidget | None = None) -> None:
        self.curve_plot = WavePlot(LINES)
        super().__init__({"curves": self.curve_plot}, parent)
        kinds = declared(WavesOptions)
        dimensions = LineField(kinds["dimensions"])
        dimensions.setPlaceholderText("automatic")
        self.header.add_lines(kinds["dimensions"].label, _LIST, dimensions=dimensions)
        lines = {option: NumberField(kinds[option]) for option in LINES}
        self.header.add_lines("Read off at", _NUMBER, **lines)
        self.numbers = ReadNumbers(self)
        self.stage.layout.addWidget(self.numbers)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (self.curve_plot.dragged, self._drag_line),
            (self.curve_plot.dropped, model.gesture.end),
        ]

    # -- the picture ---------------------------------------------------------------------------

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.numbers.show_table(figure.table, self)

    def size_in_pixels(self) -> Size:
        self.numbers.fit_in(self)
        self.stage.layout.activate()
        return super().size_in_pixels()

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.numbers.show_table(None, self)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        options = self.picture.options(state)
        for option, line in self.header.lines.items():
            line.display(getattr(options, option))

    # -- the lines -----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        option = _KEYS.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if option is None or plain or self._model is None:
            super().keyPressEvent(event)
            return
        here = float(self.model.state.position)
        self.set_option(option, None if getattr(self.options, option) == here else here)

    @Slot(str, float)
    def _drag_line(self, option: str, x: float) -> None:
        if self.blank:
            return
        state = self.model.state
        place = float(nearest_position(state, x))
        between = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        if between and is_continuous(require_known(state.encoding)):
            pixels_each = self.curve_plot.box.width() / state.count
            digits = max(0, math.ceil(math.log10(max(1.0, pixels_each))))
            place = state.start + round(min(max(x, 0.0), state.count - 1), digits)
        self.model.gesture.begin()
        self.set_option(option, place)
        self.curve_plot.lines[option].setPos(place - state.start)  # also where nothing changed
