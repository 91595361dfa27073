"""Cards with small pictures, and the strip of cards above the panes at the first start."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.colours.themes import DARK, Colours
from pe_explorer.gallery.start_here import FIRST_LESSON, Card, cards
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.keys import presses_button
from pe_explorer.widgets.labels import TintedLabel, bold_label, escaped
from pe_explorer.widgets.layouts import row_in
from pe_explorer.widgets.theme import colours

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit


_HEIGHT = 92  # height of the strip in pixels, including its scroll bar
_CARD_WIDTH, _CARD_HEIGHT = 228, 74
_PICTURE_WIDTH, _PICTURE_HEIGHT = 74, 64
_DELAY = 100  # milliseconds for painting the window first
_MARGIN = 5  # pixels
_SMALL_FONT = 0.85  # font size relative to the normal size


class CardButton(QPushButton):
    """A card that opens an exhibit or a lesson; `name` is the id of the exhibit or lesson."""

    chosen = Signal(str)  # the name of the card

    def __init__(
        self, name: str, title: str, sentence: str, exhibit: Exhibit, width: int, height: int
    ) -> None:
        """Create a card; the picture has `width` x `height` pixels."""
        super().__init__()
        self.name, self.title = name, title
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the view
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        row.addWidget(_CardPicture(exhibit, width, height), 0, Qt.AlignmentFlag.AlignTop)
        heading = bold_label(title)
        heading.setTextFormat(Qt.TextFormat.PlainText)
        heading.setWordWrap(True)
        about = TintedLabel(sentence, scale=_SMALL_FONT)
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setWordWrap(True)
        about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words = QVBoxLayout()
        self.words.setSpacing(1)
        self.words.addWidget(heading)
        self.words.addWidget(about, 1)
        row.addLayout(self.words, 1)
        for part in self.findChildren(QLabel):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(self._choose)

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.name)


class _CardPicture(QLabel):
    """The small picture of an exhibit in the colours of the theme."""

    def __init__(self, exhibit: Exhibit, width: int, height: int) -> None:
        super().__init__()
        self._exhibit = exhibit
        self._ground: Colours | None = None
        self.setFixedSize(width, height)
        self.setScaledContents(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Load the picture on first painting in a theme, because the gallery has many cards."""
        ground = colours(self.palette())
        if ground is not self._ground:
            self._ground = ground
            path = self._exhibit.dark_picture if ground is DARK else self._exhibit.picture
            self.setPixmap(QPixmap(str(path)))
        super().paintEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Free the picture, because the pictures of all cards take several megabytes."""
        super().hideEvent(event)
        self._ground = None
        self.setPixmap(QPixmap())


class StartCards(QFrame):
    """A strip that offers a lesson and exhibits to new users, until their first choice.

    The strip is filled after the window has been shown, so that the window opens faster.
    """

    chosen = Signal(str)  # id of an exhibit that the user opens
    lesson_chosen = Signal(str)  # id of a lesson that the user begins

    def __init__(self, window: QWidget, settings: SettingsFile) -> None:
        super().__init__()
        self._settings = settings
        self.setObjectName("start_cards")
        self.setAccessibleName("Start here")
        self.setFixedHeight(_HEIGHT)
        self.cards: list[_StartCard] = []
        self._title = QLabel("Start here", self)
        set_bold(self._title)
        self.lesson_button = way_button(
            "Take a lesson", "Begin the first lesson, which guides you through exhibits.", self
        )
        self.all_button = way_button("All exhibits", "Show the gallery (Ctrl+G).", self)
        self.close_button = IconButton("close", "Hide the cards")
        self.close_button.setParent(self)
        self._area = QScrollArea(self)
        self._filling = QTimer(self, singleShot=True, interval=_DELAY)
        self._filling.timeout.connect(self._fill)
        self.hide()
        window.installEventFilter(self)

    @Slot()
    def open(self) -> None:
        self._fill()
        self.show()

    def open_at_first_start(self) -> None:
        """Show the strip if neither a window nor the strip was ever closed."""
        settings = self._settings.settings
        if settings.window is None and settings.start_here == "show":
            self.show()
            self._filling.start()

    @Slot()
    def put_away(self) -> None:
        """Hide the strip permanently; the Help menu shows it again."""
        if not self.isHidden():
            self.hide()
            self._settings.change(start_here="hide")

    @Slot()
    def _fill(self) -> None:
        self._filling.stop()
        if self.cards:
            return
        ways = QVBoxLayout()
        ways.setSpacing(3)
        for part in (self._title, self.lesson_button, self.all_button):
            ways.addWidget(part)
        self.lesson_button.clicked.connect(self._begin_lesson)
        self.close_button.setToolTip(
            "<p>Hide the cards (Esc). Help > Start here shows them again.</p>"
        )
        self.close_button.clicked.connect(self.put_away)
        content = QWidget()
        row = row_in(content, spacing=6)
        for card in cards():
            button = _StartCard(card)
            button.chosen.connect(self.chosen)
            self.cards.append(button)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self._area.setWidget(content)  # the cards can be scrolled if they do not fit
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setAccessibleName("Cards")
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 4, 0)
        row.addLayout(ways)
        row.addWidget(self._area, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        order = (self.lesson_button, self.all_button, *self.cards, self.close_button)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    @Slot()
    def _begin_lesson(self) -> None:
        self.lesson_chosen.emit(FIRST_LESSON)

    def event(self, event: QEvent) -> bool:
        return presses_button(event) or super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the strip on Esc, unless another widget of the window uses the key."""
        is_press = event.type() == QEvent.Type.KeyPress and self.isVisible()
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.put_away()
            return True
        return super().eventFilter(watched, event)


class _StartCard(CardButton):
    """The picture of an exhibit with its title and a sentence."""

    def __init__(self, card: Card) -> None:
        exhibit, size = card.exhibit, (_PICTURE_WIDTH, _PICTURE_HEIGHT)
        super().__init__(exhibit.id, exhibit.title, card.sentence, exhibit, *size)
        self.card = card
        self.setFixedSize(_CARD_WIDTH, _CARD_HEIGHT)
        self.setToolTip(f"<p>{escaped(card.exhibit.note)}</p><p>Click to open it.</p>")


def way_button(text: str, help_text: str, parent: QWidget | None = None) -> QPushButton:
    """Return a button that does not take the focus from the view when clicked."""
    button = QPushButton(text, parent)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(f"<p>{help_text}</p>")
    return button
