"""The waves on the screen: curves, lines that are dragged across them, and what they read off."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.curves import is_continuous
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.shown_positions import nearest_position
from pe_explorer.pictures.waves import LINES, WavesPicture
from pe_explorer.views._plots import PlotView
from pe_explorer.views._wave_choices import WaveChoices
from pe_explorer.views._wave_plot import ReadNumbers, WavePlot

__all__ = ["WavesView"]

_LEFT = 58  # pixels for the numbers of the curves
_TURN = 200  # pixels of one turn of the slowest curve, where structure begins
_KEYS = {Qt.Key.Key_1: LINES[0], Qt.Key.Key_2: LINES[1], Qt.Key.Key_3: LINES[2]}


class WavesView(PlotView):
    """Curves over positions, with lines across them."""

    picture = WavesPicture

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
        return [
            *super().connections(model),
            *self.choices.connections(model),
            (self.curve_plot.dragged, self._drag_line),
            (self.curve_plot.dropped, model.gesture.end),
        ]

    # -- the picture ---------------------------------------------------------------------------

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.numbers.show_table(figure.table, self.height())

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.numbers.show_table(None, self.height())

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
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
