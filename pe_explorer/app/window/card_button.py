"""A card: a small picture, a title and a sentence, as one button."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.labels import TintedLabel

_MARGIN = 5  # pixels
_SMALL = 0.85  # of the usual font


class CardButton(QPushButton):
    """Shows what it opens; `name` is what that is called in the program."""

    def __init__(
        self, name: str, title: str, sentence: str, picture: Path | None, width: int, height: int
    ) -> None:
        """The picture has `width` x `height` pixels; without one there are words alone."""
        super().__init__()
        self.name, self.title = name, title
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the view
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        if picture is not None:
            row.addWidget(_picture(picture, width, height), 0, Qt.AlignmentFlag.AlignTop)
        self.words = _words(title, sentence)
        row.addLayout(self.words, 1)
        for part in self.findChildren(QLabel):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_title_alone(self) -> None:
        """Leave out the picture and the sentence, where there is a line for each card."""
        for part in self.findChildren(QLabel):
            part.setVisible(part.text() == self.title)


def _picture(path: Path, width: int, height: int) -> QLabel:
    label = QLabel()
    label.setFixedSize(width, height)
    label.setScaledContents(True)
    label.setPixmap(QPixmap(str(path)))
    return label


def _words(title: str, sentence: str) -> QVBoxLayout:
    heading = QLabel(title)
    heading.setTextFormat(Qt.TextFormat.PlainText)
    heading.setWordWrap(True)
    embolden(heading)
    words = TintedLabel(sentence, scale=_SMALL)
    words.setTextFormat(Qt.TextFormat.PlainText)
    words.setWordWrap(True)
    words.setAlignment(Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(1)
    column.addWidget(heading)
    column.addWidget(words, 1)
    return column
