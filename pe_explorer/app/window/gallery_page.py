"""The gallery: cards of all exhibits and lessons, in the place of the panes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.settings.settings import LessonProgress
from pe_explorer.app.window.gallery_cards import (
    GROUPINGS,
    CardGrid,
    ExhibitGroup,
    GalleryCard,
    groups,
    next_card,
)
from pe_explorer.app.window.search import Search, lesson_words
from pe_explorer.app.window.walks import LessonWalk
from pe_explorer.gallery import exhibits as exhibit_files, lessons as lesson_files
from pe_explorer.widgets.fonts import embolden, scaled_font, set_bold
from pe_explorer.widgets.icon_button import IconButton
from pe_explorer.widgets.keys import presses_button
from pe_explorer.widgets.labels import CutLabel, TintedLabel, paragraph
from pe_explorer.widgets.scrolling import scroll_area

_NOTHING_FOUND = "Nothing in the gallery has all these words. Try fewer."
_LESSONS = "Lessons"
_MARGIN, _GAP = 12, 8  # pixels


class GalleryPage(QWidget):
    """Lessons first, then the exhibits in groups; a field finds them by words.

    The cards are made once the page is on the screen.
    """

    exhibit_chosen = Signal(str)
    """The user opens the exhibit of this id."""
    lesson_chosen = Signal(str)
    """The user begins or continues the lesson of this id."""
    closed = Signal()
    """The user leaves the gallery."""

    def __init__(self, lesson_walk: LessonWalk) -> None:
        super().__init__()
        self._lesson_walk = lesson_walk
        self.setObjectName("gallery")
        self.setAccessibleName("Gallery")
        self.cards: dict[str, GalleryCard] = {}
        """The cards of exhibits by their ids."""
        self.lesson_cards: dict[str, GalleryCard] = {}
        self.sections: list[_GallerySection] = []
        """In the order of their groups, those without a card that is shown included."""
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find by words")
        self.search.setAccessibleName("Words to find in the gallery")
        self.search.setToolTip(
            "<p>Words of a title, an explanation or a document, in any order. Enter opens the "
            "first one found.</p>"
        )
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._open_first)
        self.search.installEventFilter(self)
        self.close_button = IconButton("close", "Back to the panes")
        self.close_button.setToolTip("<p>Shows the panes again (Esc).</p>")
        self.close_button.clicked.connect(self.closed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Esc closes it after a click anywhere
        self._groupings = QButtonGroup(self)
        self.problems = CutLabel()
        """A sentence on files that cannot be read."""
        self.problems.hide()
        self._nothing = TintedLabel(_NOTHING_FOUND)
        self._nothing.setWordWrap(True)
        self._nothing.hide()
        self._content = QWidget()
        self._cards_column = QVBoxLayout(self._content)
        self._cards_column.setContentsMargins(_MARGIN, 0, _MARGIN, _MARGIN)
        self._cards_column.setSpacing(_GAP)
        self._cards_column.addWidget(self._nothing)
        self._cards_column.addStretch(1)
        self._area = scroll_area(self._content, "Cards")
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addLayout(self._make_header())
        column.addWidget(self.problems)
        column.addWidget(self._area, 1)
        self._filling = QTimer(self, singleShot=True, interval=0)
        self._filling.timeout.connect(self.fill)

    def _make_header(self) -> QHBoxLayout:
        title = QLabel("Gallery")
        title.setFont(scaled_font(1.2))
        embolden(title)
        row = QHBoxLayout()
        row.setContentsMargins(_MARGIN, 4, 4, 0)
        row.addWidget(title)
        row.addWidget(self.search, 1)
        for name, grouping in GROUPINGS.items():
            button = QToolButton()
            button.setText(grouping.title)
            button.setObjectName(name)
            button.setToolTip(paragraph(grouping.help))
            button.setCheckable(True)
            button.setAutoRaise(True)  # so that the chosen one stands out on dark ground, too
            button.setChecked(name == next(iter(GROUPINGS)))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._groupings.addButton(button)
            row.addWidget(button)
        self._groupings.buttonClicked.connect(self._regroup)
        row.addWidget(self.close_button)
        return row

    def begin(self) -> None:
        """Be shown: the keys are for the field, and the progress in lessons is up to date."""
        self.search.setFocus()
        self.search.selectAll()
        if self.cards:
            self._show_progress()
        else:
            self._filling.start()

    # -- the cards -----------------------------------------------------------------------------

    @Slot()
    def fill(self) -> None:
        """Make all cards, once."""
        self._filling.stop()
        if self.cards or self.lesson_cards:
            return
        for lesson in lesson_files.lessons().values():
            card = GalleryCard(lesson.id, lesson.title, lesson.about, lesson.steps[0].exhibit)
            card.chosen.connect(self.lesson_chosen)
            self.lesson_cards[lesson.id] = card
        for exhibit in exhibit_files.exhibits().values():
            card = GalleryCard(exhibit.id, exhibit.title, exhibit.note, exhibit)
            card.chosen.connect(self.exhibit_chosen)
            self.cards[exhibit.id] = card
        for card in (*self.lesson_cards.values(), *self.cards.values()):
            card.moved.connect(self._move)
        self._show_progress()
        self._regroup()
        problems = (*exhibit_files.problems(), *lesson_files.problems())
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        self.problems.setText(f"{problems[0]}{more}" if problems else "")
        self.problems.setToolTip("".join(map(paragraph, problems)))
        self.problems.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self.problems.setVisible(bool(problems))

    def _show_progress(self) -> None:
        for name, card in self.lesson_cards.items():
            progress = self._lesson_walk.progress_of(name)
            steps = len(lesson_files.lessons()[name].steps)
            done = len(progress.done & set(range(steps)))
            begun = progress != LessonProgress()
            card.show_note(f"{done} of {steps} steps done" if begun else f"{steps} steps")

    @Slot()
    def _regroup(self) -> None:
        """Put the cards into the sections of the chosen grouping."""
        grouping = self._groupings.checkedButton().objectName()
        for button in self._groupings.buttons():
            set_bold(button, button.isChecked())
        found = [(group, self.cards) for group in groups(grouping)]
        if self.lesson_cards:
            lessons = ExhibitGroup(
                _LESSONS, {name: lesson_words(name) for name in self.lesson_cards}
            )
            found.insert(0, (lessons, self.lesson_cards))
        for section in self.sections:
            section.hide()
            section.deleteLater()
        self.sections = [_GallerySection(group, cards, self._content) for group, cards in found]
        self._filter()

    @Slot()
    def _filter(self) -> None:
        """Show the cards that fit the words of the field, the best first."""
        search = Search(self.search.text())
        for section in self.sections:
            section.filter(search)
        self._nothing.setVisible(bool(self.sections) and not self.shown)
        for section in self._in_order():
            self._cards_column.removeWidget(section)
            self._cards_column.insertWidget(self._cards_column.count() - 1, section)

    @property
    def shown(self) -> list[GalleryCard]:
        return [card for section in self._in_order() for card in section.grid.shown]

    def _in_order(self) -> list[_GallerySection]:
        """Return first the sections with the card that fits best, of equals last the lessons."""
        is_searched = bool(self.search.text().strip())

        def order(section: _GallerySection) -> tuple[int, bool]:
            return section.best, is_searched and section.title == _LESSONS

        return sorted(self.sections, key=order)

    # -- what the user does --------------------------------------------------------------------

    @Slot()
    def _open_first(self) -> None:
        if self.search.text().strip() and self.shown:
            self.shown[0].click()

    @Slot(int)
    def _move(self, key: int) -> None:
        """Go from one card to the next in the direction of a key; up from the first, to search."""
        card = self.sender()
        assert isinstance(card, GalleryCard)
        self._go_to(next_card(self._content, self.shown, card, Qt.Key(key)))

    def _go_to(self, there: QWidget | None) -> None:
        if there is None:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            there.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(there)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go down from the field to the first card."""
        is_press = event.type() == QEvent.Type.KeyPress
        is_down = is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        if is_down and self.shown:
            self._go_to(self.shown[0])
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        return presses_button(event) or super().event(event)


class _GallerySection(QWidget):
    """A heading above cards."""

    def __init__(self, group: ExhibitGroup, cards: dict[str, GalleryCard], parent: QWidget) -> None:
        super().__init__(parent)
        self.title = group.title
        self.best = 0
        """The rank of its best card among all that are found, 0 for the best."""
        self._words = group.words
        self._cards = {name: cards[name] for name in group.words}
        heading = QLabel(group.title)
        embolden(heading)
        self.grid = CardGrid()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(heading)
        column.addWidget(self.grid)

    def filter(self, search: Search) -> None:
        """Show the cards that fit, the best first."""
        ranked = {name: search.rank(words) for name, words in self._words.items()}
        ranks = {name: rank for name, rank in ranked.items() if rank is not None}
        found = sorted(ranks, key=ranks.__getitem__)
        self.best = min(ranks.values(), default=0)
        self.grid.display([self._cards[name] for name in found], self._cards.values())
        self.setVisible(bool(found))
