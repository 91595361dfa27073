"""Cards with small pictures, and the strip of cards above the panes at the first start."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.colours.themes import DARK, Colours
from pe_explorer.gallery.start_here import FIRST_LESSON, cards
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import TintedLabel, escape_html, make_text_label
from pe_explorer.widgets.layouts import lay_out_row, make_scroll_area
from pe_explorer.widgets.theme import colours

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit


_HEIGHT = 92  # height of the strip in pixels, including its scroll bar
_CARD_SIZE = 228, 74  # pixels
_PICTURE_SIZE = 74, 64  # pixels
_FILL_DELAY = 100  # delay in milliseconds, so that the window is painted first
_PURPOSE = "See how transformers encode word positions, and check a model's settings."
_PURPOSE_WIDTH = 224  # pixels
_SMALL_FONT_SCALE = 0.85  # font size relative to the normal size


class CardButton(QPushButton):
    """A card that opens an exhibit or a lesson; `name` is the id of the exhibit or lesson."""

    chosen = Signal(str)  # the name of the card

    def __init__(
        self, name: str, title: str, sentence: str, exhibit: Exhibit, size: tuple[int, int]
    ) -> None:
        """Create a card with a picture of `size` pixels."""
        super().__init__()
        self.name, self.title = name, title
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the view
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        row = lay_out_row(self, margins=(5, 5, 5, 5))
        row.addWidget(_CardPicture(exhibit, *size), 0, Qt.AlignmentFlag.AlignTop)
        description = make_text_label("muted", sentence, scale=0.85)
        description.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words = QVBoxLayout()
        self.words.setSpacing(1)
        self.words.addWidget(make_text_label("text", title, bold=True))
        self.words.addWidget(description, 1)
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
        self._picture_colours: Colours | None = None
        self.setFixedSize(width, height)
        self.setScaledContents(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Load the picture only when it is painted, because the gallery has many cards."""
        ground = colours(self.palette())
        if ground is not self._picture_colours:
            self._picture_colours = ground
            path = self._exhibit.dark_picture_path if ground is DARK else self._exhibit.picture
            self.setPixmap(QPixmap(str(path)))
        super().paintEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Free the picture, because the pictures of all cards take several megabytes."""
        super().hideEvent(event)
        self._picture_colours = None
        self.setPixmap(QPixmap())


class StartCards(QFrame):
    """A strip with a lesson and exhibits for new users, filled after the window is shown."""

    chosen = Signal(str)  # id of an exhibit that the user opens
    lesson_chosen = Signal(str)  # id of a lesson that the user begins

    def __init__(self, window: QWidget, settings: SettingsFile) -> None:
        super().__init__()
        self._settings = settings
        self.setObjectName("start_cards")
        self.setAccessibleName("Start here")
        self.setFixedHeight(_HEIGHT)
        self.cards: list[CardButton] = []
        self._title = QLabel("Start here", self)
        set_bold(self._title)
        lesson_help = "Begin the first lesson, which guides you through exhibits."
        self.lesson_button = make_strip_button("Take a lesson", lesson_help, self)
        self.exhibits_button = make_strip_button("All exhibits", "Show the gallery (Ctrl+G).", self)
        self.close_button = IconButton("close", "Hide the cards")
        self.close_button.setParent(self)
        self._fill_timer = QTimer(self, singleShot=True, interval=_FILL_DELAY)
        self._fill_timer.timeout.connect(self._fill)
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
            self._fill_timer.start()

    @Slot()
    def dismiss(self) -> None:
        """Hide the strip at this and all later starts; the Help menu can show it again."""
        if not self.isHidden():
            self.hide()
            self._settings.change(start_here="hide")

    @Slot()
    def _fill(self) -> None:
        self._fill_timer.stop()
        if self.cards:
            return
        left = QVBoxLayout()
        left.setSpacing(3)
        purpose_label = TintedLabel(_PURPOSE, scale=_SMALL_FONT_SCALE)
        purpose_label.setWordWrap(True)
        purpose_label.setFixedWidth(_PURPOSE_WIDTH)
        buttons = QHBoxLayout()
        buttons.addWidget(self.lesson_button)
        buttons.addWidget(self.exhibits_button)
        buttons.addStretch(1)
        left.addWidget(self._title)
        left.addWidget(purpose_label)
        left.addLayout(buttons)
        left.addStretch(1)
        self.lesson_button.clicked.connect(self._begin_lesson)
        close_help = "<p>Hide the cards (Esc). Help > Start here shows them again.</p>"
        self.close_button.setToolTip(close_help)
        self.close_button.clicked.connect(self.dismiss)
        content = QWidget()
        row = lay_out_row(content, spacing=6)
        for card in cards():
            exhibit = card.exhibit
            button = CardButton(exhibit.id, exhibit.title, card.sentence, exhibit, _PICTURE_SIZE)
            button.setFixedSize(*_CARD_SIZE)
            button.setToolTip(f"<p>{escape_html(exhibit.note)}</p><p>Click to open it.</p>")
            button.chosen.connect(self.chosen)
            self.cards.append(button)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        area = make_scroll_area(content, "Cards")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = lay_out_row(self, margins=(10, 2, 4, 0))
        row.addLayout(left)
        row.addWidget(area, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        order = (self.lesson_button, self.exhibits_button, *self.cards, self.close_button)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    @Slot()
    def _begin_lesson(self) -> None:
        self.lesson_chosen.emit(FIRST_LESSON)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the strip on Esc, unless another widget of the window uses the key."""
        is_press = event.type() == QEvent.Type.KeyPress and self.isVisible()
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return True
        return super().eventFilter(watched, event)


def make_strip_button(text: str, help_text: str, parent: QWidget | None = None) -> QPushButton:
    """Return a button that does not take the focus from the view when clicked."""
    button = QPushButton(text, parent)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(f"<p>{help_text}</p>")
    return button
