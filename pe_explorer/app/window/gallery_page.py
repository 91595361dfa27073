"""The gallery: cards of all exhibits and lessons, shown instead of the panes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from pe_explorer.app.settings.settings import LessonProgress
from pe_explorer.app.window import search
from pe_explorer.app.window.start_cards import CardButton
from pe_explorer.app.window.walks import LessonWalk
from pe_explorer.gallery import exhibits as exhibit_files, lessons as lesson_files
from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit, SourceDocument
from pe_explorer.widgets import labels
from pe_explorer.widgets.fonts import make_scaled_font, set_bold
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.layouts import lay_out_column, make_scroll_area

_LESSONS_TITLE, _TOURS_TITLE = "Lessons", "Tours of five articles"
_OTHER_GROUP = "No source document"
_GROUPINGS = {
    "question": ("By question", "Group the exhibits by the question that they answer."),
    "document": ("By document", "Group the exhibits by the document that they come from."),
}
_MARGIN, _GAP, _CARD_GAP = 12, 8, 6  # pixels
_PICTURE_SIZE = 88, 76  # pixels
_MIN_WIDTH, _MIN_HEIGHT = 250, 86  # minimum size of a card in pixels
_DIRECTIONS = {
    Qt.Key.Key_Left: QPoint(-1, 0),
    Qt.Key.Key_Right: QPoint(1, 0),
    Qt.Key.Key_Up: QPoint(0, -1),
    Qt.Key.Key_Down: QPoint(0, 1),
}


class GalleryPage(QWidget):
    """A page with a search field, lessons, and exhibits in groups."""

    exhibit_chosen = Signal(str)  # id of an exhibit that the user opens
    lesson_chosen = Signal(str)  # id of a lesson that the user begins or continues
    closed = Signal()  # the user closes the gallery

    def __init__(self, lesson_walk: LessonWalk) -> None:
        super().__init__()
        self._lesson_walk = lesson_walk
        self.setObjectName("gallery")
        self.setAccessibleName("Gallery")
        self.cards: dict[str, GalleryCard] = {}  # cards of exhibits by id
        self.lesson_cards: dict[str, GalleryCard] = {}
        self.tour_cards: dict[str, GalleryCard] = {}  # cards of tours by id of the first exhibit
        self.sections: list[_GallerySection] = []
        """All sections in order, including sections without a visible card."""
        self.search = QLineEdit(placeholderText="Search", clearButtonEnabled=True)
        self.search.setAccessibleName("Search the gallery")
        self.search.setToolTip(
            "<p>Type words from a title, explanation or document, in any order. Enter opens "
            "the first result.</p>"
        )
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._open_first_card)
        self.search.installEventFilter(self)
        self.close_button = IconButton("close", "Back to the panes")
        self.close_button.setToolTip("<p>Return to the panes (Esc).</p>")
        self.close_button.clicked.connect(self.closed)
        # Accept the focus on a click, so that Esc then closes the page.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._grouping_buttons = QButtonGroup(self)
        self.problems = labels.ElidedLabel()  # message about unreadable files
        self.problems.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self.problems.hide()
        self._hint = labels.make_text_label("muted", "No results. Try fewer words.")
        self._hint.hide()
        self._content, margins = QWidget(), (_MARGIN, 0, _MARGIN, _MARGIN)
        self._column = lay_out_column(self._content, self._hint, spacing=_GAP, margins=margins)
        self._column.addStretch(1)
        self._scroll_area = make_scroll_area(self._content, "Cards")
        self._scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        title = QLabel("Gallery")
        title.setFont(make_scaled_font(1.2))
        set_bold(title)
        header = QHBoxLayout()
        header.setContentsMargins(_MARGIN, 4, 4, 0)
        header.addWidget(title)
        header.addWidget(self.search, 1)
        for name, (text, help_text) in _GROUPINGS.items():
            button = QToolButton(autoRaise=True)  # otherwise dark themes hide the checked state
            button.setText(text)
            button.setObjectName(name)
            button.setToolTip(labels.format_paragraph(help_text))
            button.setCheckable(True)
            self._grouping_buttons.addButton(button)
            header.addWidget(button)
        self._grouping_buttons.buttons()[0].setChecked(True)
        self._grouping_buttons.buttonClicked.connect(self._regroup)
        header.addWidget(self.close_button)
        column = lay_out_column(self, spacing=_GAP)
        column.addLayout(header)
        column.addWidget(self.problems)
        column.addWidget(self._scroll_area, 1)
        self._fill_timer = QTimer(self, singleShot=True, interval=0)
        self._fill_timer.timeout.connect(self.fill)

    def begin(self) -> None:
        """Focus the search field, and update the progress of lessons."""
        self.search.setFocus()
        self.search.selectAll()
        if self.cards:
            self._show_progress()
        else:
            self._fill_timer.start()

    @Slot()
    def fill(self) -> None:
        self._fill_timer.stop()
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
        exhibits_by_document: dict[SourceDocument, list[Exhibit]] = {}
        for exhibit in exhibit_files.exhibits().values():
            exhibits_by_document.setdefault(exhibit.document, []).append(exhibit)
        exhibits_by_document.pop(SourceDocument(), None)
        for document, (first, *other_exhibits) in exhibits_by_document.items():
            about = f"{len(other_exhibits) + 1} figures in the order of the article, without tasks."
            card = GalleryCard(first.id, document.name, about, first)
            card.chosen.connect(self.exhibit_chosen)
            self.tour_cards[first.id] = card
        card_groups = self.lesson_cards, self.tour_cards, self.cards
        for card in (card for cards in card_groups for card in cards.values()):
            card.arrow_pressed.connect(self._move_focus)
        self._show_progress()
        self._regroup()
        problems = (*exhibit_files.problems(), *lesson_files.problems())
        count = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        self.problems.setText(f"{problems[0]}{count}" if problems else "")
        self.problems.setToolTip("".join(map(labels.format_paragraph, problems)))
        self.problems.setVisible(bool(problems))

    def _show_progress(self) -> None:
        for name, card in self.lesson_cards.items():
            progress = self._lesson_walk.find_progress(name)
            steps = len(lesson_files.lessons()[name].steps)
            done_count = len(progress.completed_steps & set(range(steps)))
            has_begun = progress != LessonProgress()
            card.show_note(f"{done_count} of {steps} steps done" if has_begun else f"{steps} steps")

    @Slot()
    def _regroup(self) -> None:
        grouping = self._grouping_buttons.checkedButton().objectName()
        for button in self._grouping_buttons.buttons():
            set_bold(button, button.isChecked())
        groups: dict[str, dict[GalleryCard, search.SearchWords]] = {
            _LESSONS_TITLE: {},
            _TOURS_TITLE: {},
        }
        for lesson in lesson_files.lessons().values():
            groups[_LESSONS_TITLE][self.lesson_cards[lesson.id]] = search.make_lesson_words(lesson)
        for card in self.tour_cards.values():
            groups[_TOURS_TITLE][card] = search.make_search_words(card.title, ("tour",), ())
        if grouping == "question":
            groups |= {title: {} for title in QUESTIONS.values()}
        for exhibit in exhibit_files.exhibits().values():
            group = QUESTIONS[exhibit.question]
            if grouping == "document":
                group = exhibit.document.name or _OTHER_GROUP
            words = search.make_exhibit_words(exhibit)
            groups.setdefault(group, {})[self.cards[exhibit.id]] = words
        if _OTHER_GROUP in groups:
            groups[_OTHER_GROUP] = groups.pop(_OTHER_GROUP)  # move this group to the end
        for section in self.sections:
            section.hide()
            section.deleteLater()
        items = groups.items()
        self.sections = [_GallerySection(self._content, *item) for item in items if item[1]]
        self._filter()

    @Slot()
    def _filter(self) -> None:
        query = search.Search(self.search.text())
        for section in self.sections:
            section.filter_cards(query)
        self._hint.setVisible(bool(self.sections) and not self.shown_cards)
        for section in self._sort_sections():
            self._column.removeWidget(section)
            self._column.insertWidget(self._column.count() - 1, section)

    @property
    def shown_cards(self) -> list[GalleryCard]:
        return [card for section in self._sort_sections() for card in section.grid.shown_cards]

    def _sort_sections(self) -> list[_GallerySection]:
        """Return the sections, best match first; in a search, lessons follow tied exhibits."""
        is_searching = bool(self.search.text().strip())

        def order(section: _GallerySection) -> tuple[int, bool]:
            return section.best_rank, is_searching and section.title == _LESSONS_TITLE

        return sorted(self.sections, key=order)

    @Slot()
    def _open_first_card(self) -> None:
        if self.search.text().strip() and self.shown_cards:
            self.shown_cards[0].click()

    @Slot(int)
    def _move_focus(self, key: int) -> None:
        card = self.sender()
        assert isinstance(card, GalleryCard)
        direction, cards = _DIRECTIONS[Qt.Key(key)], self.shown_cards
        origin = card.mapTo(self._content, card.rect().center())
        candidates = []
        for candidate in cards:
            offset = candidate.mapTo(self._content, candidate.rect().center()) - origin
            distance = QPoint.dotProduct(offset, direction)
            deviation = abs(offset.x() * direction.y()) + abs(offset.y() * direction.x())
            if distance > 0 and not (direction.x() and deviation):
                candidates.append(((distance, deviation), candidate))
        if candidates:
            self._focus_card(min(candidates, key=lambda ranked_card: ranked_card[0])[1])
        elif direction.x():  # if no card is on this side, use reading order
            index = cards.index(card) + direction.x()
            self._focus_card(cards[min(max(index, 0), len(cards) - 1)])
        elif key == Qt.Key.Key_Up:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._focus_card(card)

    def _focus_card(self, card: QWidget) -> None:
        card.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll_area.ensureWidgetVisible(card)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = event.type() == QEvent.Type.KeyPress
        is_down_key = is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        if is_down_key and self.shown_cards:
            self._focus_card(self.shown_cards[0])
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _GallerySection(QWidget):
    """A heading with cards below it."""

    def __init__(
        self, parent: QWidget, title: str, words: dict[GalleryCard, search.SearchWords]
    ) -> None:
        """Create a section with cards; `words` maps each card to its search words."""
        super().__init__(parent)
        self.title = title
        self.best_rank = 0  # rank of the card that matches best, 0 for a perfect match
        self._words = words
        self.grid = CardGrid()
        lay_out_column(self, labels.make_bold_label(title), self.grid, spacing=4)

    def filter_cards(self, query: search.Search) -> None:
        all_ranks = {card: query.rank(words) for card, words in self._words.items()}
        ranks = {card: rank for card, rank in all_ranks.items() if rank is not None}
        self.best_rank = min(ranks.values(), default=0)
        self.grid.display(sorted(ranks, key=ranks.__getitem__), self._words)
        self.setVisible(bool(ranks))


class GalleryCard(CardButton):
    """A card as tall as its text; Enter opens the card, and arrow keys move to another card."""

    arrow_pressed = Signal(int)  # the pressed arrow key

    def __init__(self, name: str, title: str, sentence: str, exhibit: Exhibit) -> None:
        super().__init__(name, title, sentence, exhibit, _PICTURE_SIZE)
        self._note: labels.TintedLabel | None = None

    def show_note(self, text: str) -> None:
        if self._note is None:
            self._note = labels.TintedLabel(scale=0.85)
            self._note.set_shade("accent")
            self._note.setForegroundRole(QPalette.ColorRole.WindowText)
            self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.words.addWidget(self._note)
        self._note.setText(text)
        self.setAccessibleName(f"{self.title}, {text}")

    def compute_height(self, width: int) -> int:
        layout = self.layout()
        assert layout is not None
        return max(_MIN_HEIGHT, layout.totalHeightForWidth(width))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in _DIRECTIONS:
            self.arrow_pressed.emit(event.key())
        else:
            super().keyPressEvent(event)


class CardGrid(QWidget):
    """Cards in columns of equal width; each row is as tall as its tallest card."""

    def __init__(self) -> None:
        super().__init__()
        self.shown_cards: list[GalleryCard] = []  # visible cards in order

    def display(self, shown_cards: Sequence[GalleryCard], cards: Collection[GalleryCard]) -> None:
        self.shown_cards = list(shown_cards)
        for card in cards:
            if card.parentWidget() is not self:
                card.setParent(self)
            card.setVisible(card in self.shown_cards)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out()
        return super().event(event)

    def _lay_out(self) -> None:
        columns = max(1, (self.width() + _CARD_GAP) // (_MIN_WIDTH + _CARD_GAP))
        width = (self.width() - _CARD_GAP * (columns - 1)) // columns
        top = 0
        for first in range(0, len(self.shown_cards), columns):
            row = self.shown_cards[first : first + columns]
            height = max(card.compute_height(width) for card in row)
            for column, card in enumerate(row):
                card.setGeometry(column * (width + _CARD_GAP), top, width, height)
            top += height + _CARD_GAP
        self.setFixedHeight(max(0, top - _CARD_GAP))
