"""A page of the guide: its words for one view, with a button for each try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from pe_explorer.exploration import Resolved
from pe_explorer.gallery import guide
from pe_explorer.gallery.guide import MOST_POINTS, MOST_TRIES, Explanation
from pe_explorer.panels._exhibit_words import ExhibitWords
from pe_explorer.panels._words import GAP, UNDO, PointRow, TryRow, heading, text_label
from pe_explorer.panels.lesson_page import LessonPage, LessonStep
from pe_explorer.panels.parts import Separator

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts


class ExplanationPage(QScrollArea):
    """What a view shows, what to look at, and what to try, on a page that scrolls.

    Above it stand the words of the open exhibit. A step of a lesson stands alone: other words might
    give away its answer.
    """

    asked = Signal(object)
    """The user tries something."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Explanation | None = None
        self._words: tuple[Exhibit | None, ExhibitTexts | None, LessonStep | None] = (
            None,
            None,
            None,
        )
        self.exhibit = ExhibitWords()
        self.lesson = LessonPage()
        self._line = Separator()
        for part in (self.exhibit, self.lesson, self._line):
            part.hide()
        self.exhibit.asked.connect(self.asked)
        self.title = text_label("text", scale=1.2, bold=True)
        self.about = text_label("muted", scale=0.9)
        self.shows = text_label("text")
        self.points = [PointRow(number) for number in range(1, MOST_POINTS + 1)]
        self.tries = [TryRow() for _ in range(MOST_TRIES)]
        self._look_heading = heading("Look at")
        self._try_heading = heading("Try")
        self._undo = text_label("muted", UNDO, scale=0.9)
        for row in self.tries:
            row.asked.connect(self.asked)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setAccessibleName("Explanation of the active view")
        self.setWidget(self._make_column())

    def _make_column(self) -> QWidget:
        """Return a widget with all parts below each other."""
        above: tuple[QWidget, ...] = (self.title, self.about, heading("Shows"), self.shows)
        look: tuple[QWidget, ...] = (self._look_heading, *self.points)
        tries: tuple[QWidget, ...] = (self._try_heading, *self.tries, self._undo)
        self.guide = QWidget()
        """The words for the view."""
        guide_column = QVBoxLayout(self.guide)
        guide_column.setContentsMargins(0, 0, 0, 0)
        guide_column.setSpacing(GAP)
        for widget in (*above, *look, *tries):
            guide_column.addWidget(widget)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(10, 8, 10, 10)
        column.setSpacing(GAP)
        for part in (self.lesson, self.exhibit, self._line, self.guide):
            column.addWidget(part)
        column.addStretch(1)
        return content

    def show_words(
        self, exhibit: Exhibit | None, texts: ExhibitTexts | None, step: LessonStep | None
    ) -> None:
        """Show what holds of an exhibit, and a step of a lesson; None for neither."""
        if (exhibit, texts, step) == self._words:
            return
        other = (exhibit, step) != (self._words[0], self._words[2])
        self._words = exhibit, texts, step
        self.lesson.setVisible(step is not None)
        for part in (self.exhibit, self._line):
            part.setVisible(exhibit is not None and step is None)
        self.guide.setVisible(step is None)
        self._look_heading.setText("Look at" if exhibit is None else "In any exhibit")
        for point in self.points:
            point.set_numbered(exhibit is None)
        if exhibit is not None and texts is not None:
            self.exhibit.display(exhibit, texts)
        if step is not None:
            self.lesson.display(step)
        if other:
            self.verticalScrollBar().setValue(0)

    def explain(self, view: str, state: Resolved) -> None:
        """Show the words for a view of an exploration, if they differ from those shown."""
        words = guide.explain(view, state)
        if words == self._shown:
            return
        other = self._shown is None or words.title != self._shown.title
        if other and self._words[0] is None:
            self.verticalScrollBar().setValue(0)
        self._shown = words
        self._display(words)

    def _display(self, words: Explanation) -> None:
        self.title.setText(words.title)
        self.about.setText(words.about)
        self.shows.setText(words.shows)
        self._look_heading.setVisible(bool(words.look))
        for place, point in enumerate(self.points):
            point.display(words.look[place] if place < len(words.look) else "")
        for widget in (self._try_heading, self._undo):
            widget.setVisible(bool(words.tries))
        for place, row in enumerate(self.tries):
            row.display(words.tries[place] if place < len(words.tries) else None)
