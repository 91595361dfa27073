"""The waves on the screen: curves, lines that are dragged across them, and what they read off."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.curves import is_continuous
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import nearest_position
from pe_explorer.pictures.waves import LINES, WavesPicture, nearest_column
from pe_explorer.views._contract import Gestures
from pe_explorer.views._positions_view import PositionsView
from pe_explorer.views._wave_choices import WaveChoices
from pe_explorer.views._wave_plot import ReadNumbers, WavePlot

__all__ = ["WavesView"]

_LEFT = 58  # pixels for the numbers of the curves
_TURN = 200  # pixels of one turn of the slowest curve, where structure begins
_KEYS = {Qt.Key.Key_1: LINES[0], Qt.Key.Key_2: LINES[1], Qt.Key.Key_3: LINES[2]}


class WavesView(PositionsView):
    """Curves over positions, with lines across them."""

    picture = WavesPicture
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Set a line that reads off the curves"),
        ("Drag a line", "Read off elsewhere; with Shift also between positions"),
        ("1, 2, 3", "Set that line at the cursor, or take it away from there"),
    )

    explored: ClassVar[tuple[str, ...]] = ("metric",)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.curve_plot = WavePlot(LINES)
        self.curve_plot.left.setWidth(_LEFT)
        super().__init__({"curves": self.curve_plot}, parent)
        self.choices = WaveChoices(self)
        self.numbers = ReadNumbers(self)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.numbers)
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        box = self.curve_plot.box
        return [
            *super().connections(model),
            *self.choices.connections(model),
            (box.zoom_asked, self.zoom_positions),
            (box.pan_asked, self.pan_positions),
            (box.chosen, self._add_line),
            (self.curve_plot.dragged, self._drag_line),
            (self.curve_plot.dropped, model.gesture.end),
        ]

    # -- the picture ---------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        return self.stage.pixels(self.curve_plot, self.ratio)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.numbers.show_table(figure.table, self.height())
        self.choices.show(self.picture.options(state))

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.numbers.show_table(None, self.height())
        self.choices.show(self.picture.options(state))

    # -- the lines -----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        option = _KEYS.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if option is None or plain or self._model is None:
            super().keyPressEvent(event)
            return
        here = float(self.model.state.position)
        self.set_option(option, None if getattr(self.options, option) == here else here)

    @Slot(float, float)
    def _add_line(self, x: float, y: float) -> None:
        """Set a line that there is not yet; where all are, move the nearest."""
        place = float(nearest_position(self.model.state, x))
        lines = self.options.lines
        free = [option for option in LINES if option not in lines]
        nearest = min(lines, key=lambda option: abs(lines[option] - place), default="")
        self.set_option(free[0] if free else nearest, place)

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

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> dict[str, int]:
        """Return the position that the mouse points at, and the dimension of the nearest curve."""
        state = self.model.state
        position = nearest_position(state, x)
        column = None if self.blank else nearest_column(state, position, y)
        there = {"position": position}
        return there if column is None else {**there, "dimension": column}

    # -- zooming -------------------------------------------------------------------------------

    def follow(self, note: Note) -> None:
        if not note.period:
            super().follow(note)
            return
        positions = self.size_in_pixels().width / self.ratio * note.period / _TURN
        state = self.model.state
        self.model.set(**zoomed(state, max(1.0, positions) / state.count, 0.0))
