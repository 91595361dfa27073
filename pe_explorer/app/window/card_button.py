"""A card: a button with a small picture, a title and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from pe_explorer.colours.themes import DARK
from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.theme import colours

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit

_MARGIN = 5  # pixels
_LINE_WIDTH = 2  # pixels
_SMALL_FONT = 0.85  # of the usual font


class CardButton(QPushButton):
    """Shows what it opens; `name` is what that is called in the program."""

    chosen = Signal(str)
    """The user opens what has this name."""

    def __init__(
        self, name: str, title: str, sentence: str, exhibit: Exhibit, width: int, height: int
    ) -> None:
        """The picture of the exhibit has `width` x `height` pixels."""
        super().__init__()
        self.name, self.title = name, title
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the view
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        row.addWidget(_CardPicture(exhibit, width, height), 0, Qt.AlignmentFlag.AlignTop)
        self.words = _words(title, sentence)
        row.addLayout(self.words, 1)
        for part in self.findChildren(QLabel):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(self._choose)

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.name)

    def show_title_alone(self) -> None:
        """Leave out the picture and the sentence, where each card has one line."""
        for part in self.findChildren(QLabel):
            part.setVisible(part.text() == self.title)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Underline the card that is open: on a dark ground its shade is hardly visible."""
        super().paintEvent(event)
        if self.isChecked():
            painter = QPainter(self)
            line = self.rect().adjusted(_MARGIN, self.height() - _LINE_WIDTH - 1, -_MARGIN, -1)
            painter.fillRect(line, QColor(colours(self.palette()).accent))
            painter.end()


class _CardPicture(QLabel):
    """The small picture of an exhibit, on the ground of the theme."""

    def __init__(self, exhibit: Exhibit, width: int, height: int) -> None:
        super().__init__()
        self._exhibit = exhibit
        self.setFixedSize(width, height)
        self.setScaledContents(True)
        self._show()

    def _show(self) -> None:
        dark = colours(self.palette()) is DARK
        path = self._exhibit.dark_picture if dark else self._exhibit.picture
        self.setPixmap(QPixmap(str(path)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()


def _words(title: str, sentence: str) -> QVBoxLayout:
    heading = QLabel(title)
    heading.setTextFormat(Qt.TextFormat.PlainText)
    heading.setWordWrap(True)
    embolden(heading)
    words = TintedLabel(sentence, scale=_SMALL_FONT)
    words.setTextFormat(Qt.TextFormat.PlainText)
    words.setWordWrap(True)
    words.setAlignment(Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(1)
    column.addWidget(heading)
    column.addWidget(words, 1)
    return column
