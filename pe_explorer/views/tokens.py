"""The view of tokens: a sentence, the rows of its words, and draggable words."""

from typing import Any, ClassVar

from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pe_explorer.analysis.tokens import move_word
from pe_explorer.exploration import Exploration
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.tokens import TokenOptions, Tokens, with_sentence
from pe_explorer.views._page_items import Grip, pixels
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.line_fields import LineField

_MARGIN = 6  # pixels around the sentence
# Number of positions by which Alt and an arrow key move the word at the cursor.
_WORD_MOVES = dict.fromkeys((Qt.Key.Key_Up, Qt.Key.Key_Left), -1)
_WORD_MOVES |= dict.fromkeys((Qt.Key.Key_Down, Qt.Key.Key_Right), 1)


class TokensView(PageView):
    """A view of the rows of a sentence's words, their similarities, and their moves."""

    picture = Tokens
    max_caption_lines: ClassVar[int] = 4

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        parameter = declared(TokenOptions)["sentence"]
        self.sentence = LineField(parameter)
        label = QLabel(parameter.label)
        label.setBuddy(self.sentence)
        self.line = QWidget()
        self.line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        lay_out_row(self.line, label, self.sentence, margins=(_MARGIN, _MARGIN, _MARGIN, 0))
        self.column.insertWidget(0, self.line)
        self.grips: dict[str, Grip] = {}  # grips over the word labels, by panel

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().list_connections(model),
            (self.sentence.entered, self._set_sentence),
            (self.sentence.refused, model.refused),
        ]

    def show_page(self, figure: Figure, *, has_new_data: bool = True) -> None:
        super().show_page(figure, has_new_data=has_new_data)
        for grip in self.grips.values():
            grip.hide()
        for name, panel in self.placed_panels.items():
            if panel.panel.y.names:
                if name not in self.grips:
                    grip = self.grips[name] = Grip(name, Qt.CursorShape.OpenHandCursor)
                    grip.dragged.connect(self._drag_word)
                    grip.dropped.connect(self._drop_word)
                    self.canvas.scene().addItem(grip)
                rect = pixels(panel.area)
                rect.setRight(rect.left())
                rect.setLeft(rect.left() - panel.margins.left / UNIT_POINTS["px"])
                self.grips[name].place(rect)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.sentence.display(self.get_picture(state).options.sentence)

    @Slot(object)
    def _set_sentence(self, sentence: str, **cursor: int) -> None:
        options = {self.picture.name: with_sentence(self.options, sentence)}
        self.model.set(options={**self.model.state.options, **options}, **cursor)

    @Slot(str, QPointF, QPointF)
    def _drag_word(self, panel: str, start: QPointF, point: QPointF) -> None:
        if self.is_attached and panel in self.placed_panels:
            _, row = self.to_panel_coordinates(panel, point)
            self.mark(1, dict.fromkeys(self.placed_panels, (None, float(round(row)))))

    @Slot(str, QPointF, QPointF)
    def _drop_word(self, panel: str, start: QPointF, point: QPointF) -> None:
        if not self.is_attached or self.is_blank or panel not in self.placed_panels:
            return
        if words := Tokens(self.model.state).shown_words:
            rows = (self.to_panel_coordinates(panel, place)[1] for place in (start, point))
            old, new = (words[min(max(0, round(row)), len(words) - 1)] for row in rows)
            self._move_word(old, new)
        self.show_preview(None)

    def _move_word(self, old: int, new: int) -> None:
        if old != new:
            sentence = move_word(self.options.sentence, old, new)
            self._set_sentence(sentence, position=self.model.state.start + new)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _WORD_MOVES.get(Qt.Key(event.key()), 0)
        has_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if not (step and has_alt) or self._model is None:
            super().keyPressEvent(event)
            return
        word, words = self.model.state.position - self.model.state.start, range(self.options.length)
        if word in words and word + step in words:
            self._move_word(word, word + step)
