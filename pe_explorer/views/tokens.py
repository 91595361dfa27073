"""Tokens on the screen: the line with the sentence, its rows, and words that are dragged."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from pe_explorer.analysis.tokens import moved
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.pixels import Size, size_of_all
from pe_explorer.pictures.tokens import (
    TokenOptions,
    Tokens,
    panels_of,
    with_sentence,
    words_shown,
)
from pe_explorer.views._captioned_view import CaptionedView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.line_fields import LineField
from pe_explorer.widgets.plot import ImagePlot, RangePlot


class WordAxis(RangeAxis):
    """An upright axis of words; the rows are counted from 0."""

    dragged = Signal(float)
    """A word is dragged, and would stand here now."""
    dropped = Signal(float, float)
    """A word was dragged from the first row to the second."""

    def __init__(self) -> None:
        super().__init__("left", "word")
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        start, here = (self._row(event.buttonDownScenePos()), self._row(event.scenePos()))
        if event.isFinish():
            self.dropped.emit(start, here)
        else:
            self.dragged.emit(here)

    def _row(self, place: Any) -> float:
        box = self.linkedView()
        return float(box.mapSceneToView(place).y())


_AXIS_WIDTH = 58  # pixels for the numbers beside the curve
_AROUND = 6  # pixels around the sentence
_MOVES = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
}
"""How far a key with Alt moves the word at the cursor."""


class TokensView(CaptionedView):
    """The rows of a sentence's words, how alike they are, and how far they have moved."""

    picture = Tokens
    most_lines: ClassVar[int] = 4

    def __init__(self, parent: QWidget | None = None) -> None:
        images = {name: self.new_plot(name) for name in ("rows", "before", "after")}
        self.curve_plot = CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "position"))
        super().__init__({**images, "moved": self.curve_plot}, parent)
        self.caption.hide()
        self._make_line()
        self.add_comparison()

    def _make_line(self) -> None:
        """Make the line with the sentence, above what is said of its order."""
        parameter = declared(TokenOptions)["sentence"]
        self.sentence = LineField(parameter)
        label = QLabel(parameter.label)
        label.setBuddy(self.sentence)
        self.line = QWidget()
        self.line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self.line)
        row.setContentsMargins(_AROUND, _AROUND, _AROUND, 0)
        row.addWidget(label)
        row.addWidget(self.sentence, 1)
        self.stage.layout.insertWidget(0, self.line)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        return [
            *pairs,
            (self.sentence.entered, self._take_sentence),
            (self.sentence.refused, model.refused),
        ]

    def connections_of(self, plot: RangePlot) -> list[tuple[Any, Any]]:
        pairs = super().connections_of(plot)
        if isinstance(plot.left, WordAxis):
            pairs.append((plot.left.dragged, self._drag_word))
            pairs.append((plot.left.dropped, self._drop_word))
        return pairs

    def new_plot(self, panel: str) -> RangePlot:
        return ImagePlot(WordAxis(), RangeAxis("bottom", "dimension"))

    # -- what is shown -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        names = panels_of(self.options.part)
        shown = self._show_plots()
        self.stage.keep_squares(
            [plot for plot in shown if isinstance(plot, ImagePlot) and "before" in names]
        )
        sizes = [self.stage.pixels(plot, self.ratio) for plot in shown]
        size = size_of_all(sizes)
        if "after" in names:
            size = replace(size, height=min(size.height, sizes[-1].width))
        return size

    def _show_plots(self) -> list[RangePlot]:
        """Show the plots of what is chosen, and return them."""
        shown = self.plots_shown(self.model.state)
        self.stage.show_beside(shown)
        return shown

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.show_caption(figure.caption)
        self.caption.setVisible(bool(figure.caption))

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._show_plots()
        super().show_lack(state, frame, sentence)
        self.caption.hide()

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.sentence.display(self.picture.options(state).sentence)

    def hide_controls(self) -> None:
        super().hide_controls()
        self.line.hide()

    # -- the sentence --------------------------------------------------------------------------

    @Slot(object)
    def _take_sentence(self, sentence: str, **cursor: int) -> None:
        """Show another sentence; one of the same words is compared with that of before."""
        state, changed = self.model.state, with_sentence(self.options, sentence)
        chosen: Mapping[str, Any] = {**state.options, self.picture.name: changed}
        self.model.set(options=chosen, **cursor)

    @Slot(float)
    def _drag_word(self, here: float) -> None:
        for name in panels_of(self.options.part):
            self.plots[name].set_preview(None, round(here))

    @Slot(float, float)
    def _drop_word(self, start: float, end: float) -> None:
        words = words_shown(self.options, self.model.state.count)
        if self.blank or not words:
            return
        last = len(words) - 1
        place, to = (words[min(max(0, round(each)), last)] for each in (start, end))
        self._move(place, to)
        self.show_preview(None)

    def _move(self, place: int, to: int) -> None:
        """Move a word of the sentence to another place, and the cursor with it."""
        if place != to:
            sentence = moved(self.options.sentence, place, to)
            self._take_sentence(sentence, position=self.model.state.start + to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _MOVES.get(Qt.Key(event.key()), 0)
        with_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if not (step and with_alt) or self._model is None:
            super().keyPressEvent(event)
            return
        place = self.model.state.position - self.model.state.start
        length = self.options.length
        if 0 <= place < length and 0 <= place + step < length:
            self._move(place, place + step)
