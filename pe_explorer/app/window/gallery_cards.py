"""Cards of the gallery, in groups, and as many side by side as have room."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.app.window.search import SearchWords, exhibit_words
from pe_explorer.app.window.start_cards import CardButton
from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit, exhibits
from pe_explorer.widgets.labels import TintedLabel

_PICTURE_WIDTH, _PICTURE_HEIGHT = 88, 76
_LEAST_WIDTH, _LEAST_HEIGHT = 250, 86  # pixels of a card
_GAP = 6  # pixels between cards
_SMALL_FONT = 0.85  # of the usual font
_ARROWS = {
    Qt.Key.Key_Left: QPoint(-1, 0),
    Qt.Key.Key_Right: QPoint(1, 0),
    Qt.Key.Key_Up: QPoint(0, -1),
    Qt.Key.Key_Down: QPoint(0, 1),
}
_OF_NO_DOCUMENT = "Beyond the documents"


class GalleryCard(CardButton):
    """A card as high as its words; Enter opens it, arrow keys leave it."""

    moved = Signal(int)
    """An arrow key was pressed: its number."""

    def __init__(self, name: str, title: str, sentence: str, exhibit: Exhibit) -> None:
        super().__init__(name, title, sentence, exhibit, _PICTURE_WIDTH, _PICTURE_HEIGHT)
        self._note: TintedLabel | None = None

    def show_note(self, text: str) -> None:
        if self._note is None:
            self._note = TintedLabel(scale=_SMALL_FONT)
            self._note.set_shade("accent")
            self._note.setForegroundRole(QPalette.ColorRole.WindowText)  # not that of a button
            self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.words.addWidget(self._note)
        self._note.setText(text)
        self.setAccessibleName(f"{self.title}, {text}")

    def height_for(self, width: int) -> int:
        """Return the height that it needs at a width."""
        layout = self.layout()
        assert layout is not None
        return max(_LEAST_HEIGHT, layout.totalHeightForWidth(width))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in _ARROWS:
            self.moved.emit(event.key())
        else:
            super().keyPressEvent(event)


class CardGrid(QWidget):
    """Cards in columns of the same width; the rows are as high as their highest card."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[GalleryCard] = []
        """The cards that are shown, in order."""

    def display(self, shown: Sequence[GalleryCard], every: Collection[GalleryCard]) -> None:
        """Show some of the cards that are here."""
        self.shown = list(shown)
        for card in every:
            if card.parentWidget() is not self:
                card.setParent(self)
            card.setVisible(card in self.shown)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return done

    def _place(self) -> None:
        columns = max(1, (self.width() + _GAP) // (_LEAST_WIDTH + _GAP))
        width = (self.width() - _GAP * (columns - 1)) // columns
        top = 0
        for first in range(0, len(self.shown), columns):
            row = self.shown[first : first + columns]
            height = max(card.height_for(width) for card in row)
            for column, card in enumerate(row):
                card.setGeometry(column * (width + _GAP), top, width, height)
            top += height + _GAP
        self.setFixedHeight(max(0, top - _GAP))


def next_card(
    around: QWidget, cards: Sequence[GalleryCard], card: GalleryCard, key: Qt.Key
) -> GalleryCard | None:
    """Return the nearest card in the direction of an arrow key.

    That is the card itself where there is none, and None above the first row.
    """
    way = _ARROWS[key]
    here = card.mapTo(around, card.rect().center())
    nearest, least = card, None
    for other in cards:
        there = other.mapTo(around, other.rect().center()) - here
        along = QPoint.dotProduct(there, way)
        across = abs(there.x() * way.y()) + abs(there.y() * way.x())
        if along <= 0 or (way.x() and across):
            continue
        distance = (along, across)
        if least is None or distance < least:
            nearest, least = other, distance
    if least is None and key == Qt.Key.Key_Up:
        return None
    if least is None and way.x():  # the card before or after it in reading order
        place = list(cards).index(card) + way.x()
        return cards[min(max(place, 0), len(cards) - 1)]
    return nearest


class Grouping(NamedTuple):
    """A way to put exhibits into groups: what its switch is called, and what it does."""

    title: str
    help: str


class ExhibitGroup(NamedTuple):
    """A heading, and the words by which each of its cards is found, by its id."""

    title: str
    words: Mapping[str, SearchWords]


GROUPINGS = {
    "question": Grouping("By question", "Puts exhibits together that answer the same question."),
    "document": Grouping("By document", "Puts exhibits together that are from the same text."),
}


def groups(grouping: str) -> list[ExhibitGroup]:
    """Return the groups of all exhibits, none of them empty."""
    members: dict[str, dict[str, SearchWords]] = {}
    if grouping == "question":
        members = {title: {} for title in QUESTIONS.values()}
    for exhibit in exhibits().values():
        title, document = QUESTIONS[exhibit.question], exhibit.document
        if grouping == "document":
            is_one = bool(document.file)
            title = f"{document.title} ({document.file})" if is_one else _OF_NO_DOCUMENT
        members.setdefault(title, {})[exhibit.id] = exhibit_words(exhibit)
    if _OF_NO_DOCUMENT in members:
        members[_OF_NO_DOCUMENT] = members.pop(_OF_NO_DOCUMENT)  # as the last one
    return [ExhibitGroup(title, words) for title, words in members.items() if words]
