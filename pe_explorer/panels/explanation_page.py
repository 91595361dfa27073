"""A page of the guide: its words for one view or an exhibit, with a button for each try."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from pe_explorer.exploration import Resolved
from pe_explorer.gallery import guide
from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts
from pe_explorer.gallery.guide import MOST_POINTS, MOST_TRIES, Explanation
from pe_explorer.gallery.tries import Try
from pe_explorer.panels.lesson_page import GAP, LessonPage, LessonStep, WrappedButton, heading
from pe_explorer.widgets.labels import escaped, text_label
from pe_explorer.widgets.layouts import Separator, column_in, row_in

_UNDO = "Undo (Ctrl+Z) takes a try back."


class PointRow(QWidget):
    """A point to look at, with its number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.text = text_label("text")
        self._number = number
        self._mark = mark = text_label("accent", str(number), bold=True)
        mark.setWordWrap(False)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        row_in(self, mark, spacing=GAP).addWidget(self.text, 1)

    def display(self, text: str) -> None:
        self.text.setText(text)
        self.setVisible(bool(text))

    def set_numbered(self, numbered: bool) -> None:
        self._mark.setText(str(self._number) if numbered else "\u2022")


class TryRow(QWidget):
    """A button that applies settings, and the outcome."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._try: Try | None = None
        self.button = WrappedButton()
        self.button.clicked.connect(self._ask)
        self.outcome = text_label("muted", scale=0.9)
        column_in(self, self.button, self.outcome, spacing=2, margins=(0, 0, 0, 2))

    def display(self, offered: Try | None) -> None:
        self._try = offered
        self.setVisible(offered is not None)
        if offered is None:
            return
        self.button.set_words(offered.label)
        self.button.setAccessibleName(f"Try: {offered.label}")
        self.button.setAccessibleDescription(offered.outcome)
        self.button.setToolTip(f"<p>{escaped(offered.outcome)} {_UNDO}</p>")
        self.outcome.setText(offered.outcome)
        self.outcome.setVisible(bool(offered.outcome))

    @Slot()
    def _ask(self) -> None:
        if self._try is not None:
            self.asked.emit(self._try)


class ExplanationPage(QScrollArea):
    """What a view shows, what to look at, and what to try, on a page that scrolls.

    Above it stand the words of the open exhibit. A step of a lesson stands alone: other words might
    give away its answer.
    """

    asked = Signal(object)  # the user tries something

    def __init__(self) -> None:
        super().__init__()
        self._shown: Explanation | None = None
        nothing = None, None, None
        self._words: tuple[Exhibit | None, ExhibitTexts | None, LessonStep | None] = nothing
        self.exhibit = ExhibitWords()
        self.lesson = LessonPage()
        self._line = Separator()
        for hidden in (self.exhibit, self.lesson, self._line):
            hidden.hide()
        self.exhibit.asked.connect(self.asked)
        self.title = text_label("text", scale=1.2, bold=True)
        self.about = text_label("muted", scale=0.9)
        self.shows = text_label("text")
        self.points = [PointRow(number) for number in range(1, MOST_POINTS + 1)]
        self.tries = [TryRow() for _ in range(MOST_TRIES)]
        self._look_heading = heading("Look at")
        self._try_heading = heading("Try")
        self._undo = text_label("muted", _UNDO, scale=0.9)
        for row in self.tries:
            row.asked.connect(self.asked)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName("Explanation of the active view")
        self.guide = QWidget()  # the words for the view
        column = column_in(self.guide, self.title, self.about, heading("Shows"), spacing=GAP)
        look: tuple[QWidget, ...] = (self.shows, self._look_heading, *self.points)
        for part in (*look, self._try_heading, *self.tries, self._undo):
            column.addWidget(part)
        content = QWidget()
        parts = self.lesson, self.exhibit, self._line, self.guide
        column_in(content, *parts, spacing=GAP, margins=(10, 8, 10, 10)).addStretch(1)
        self.setWidget(content)

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


class ExhibitWords(QWidget):
    """Shows what holds of an exhibit; its points have the numbers that stand in the picture.

    Where a sentence does not hold any more, a button leads back to the exhibit's settings.
    """

    asked = Signal(object)  # something is to be tried
    restore_asked = Signal()  # the exhibit is wanted as it was when it opened

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Exhibit, ExhibitTexts] | None = None
        self.title = text_label("text", scale=1.2, bold=True)
        self.note = text_label("text")
        self.points: list[PointRow] = []
        self.tries: list[TryRow] = []
        self._look_heading = heading("Look at")
        self._look = QWidget()
        self._look_column = column_in(self._look, spacing=GAP)
        self.back_button = WrappedButton()
        self.back_button.set_words("Back to the exhibit's settings")
        self.back_button.clicked.connect(self.restore_asked)
        self._try_heading = heading("Try")
        self._try = QWidget()
        self._try_column = column_in(self._try, spacing=GAP)
        self._undo = text_label("muted", _UNDO, scale=0.9)
        self._text_heading = heading("The text says")
        self.text = text_label("text")
        self._truth_heading = heading("What is true")
        self.truth = text_label("text")
        self._source_heading = heading("Source")
        self.source = text_label("text")
        self.file = text_label("muted", scale=0.9)
        look = (self.title, self.note, self._look_heading, self._look, self.back_button)
        tries = (self._try_heading, self._try, self._undo, self._text_heading, self.text)
        truth = (self._truth_heading, self.truth, self._source_heading, self.source)
        column_in(self, *look, *tries, *truth, self.file, spacing=GAP)

    def display(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        if (exhibit, texts) == self._shown:
            return
        self._shown = exhibit, texts
        self.title.setText(exhibit.title)
        self.note.setText(texts.note)
        self.note.setVisible(bool(texts.note))
        while len(self.points) < len(texts.look):
            self.points.append(PointRow(len(self.points) + 1))
            self._look_column.addWidget(self.points[-1])
        for place, row in enumerate(self.points):
            row.display(texts.look[place] if place < len(texts.look) else "")
        self._look_heading.setVisible(any(texts.look))
        self.back_button.setVisible(not texts.is_whole)
        self._show_tries(exhibit, texts)
        says = "The text says" if exhibit.place else "Often said"
        _show(self._text_heading, self.text, says, texts.text)
        _show(self._truth_heading, self.truth, "What is true", texts.truth)
        _show(self._source_heading, self.source, "Source", exhibit.source)
        self.file.setText(exhibit.source_file)
        self.file.setVisible(bool(exhibit.source_file))

    def _show_tries(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        while len(self.tries) < len(exhibit.tries):
            row = TryRow()
            row.asked.connect(self.asked)
            self.tries.append(row)
            self._try_column.addWidget(row)
        with_outcomes = zip(exhibit.tries, texts.outcomes, strict=True)
        tries = [tried._replace(outcome=outcome) for tried, outcome in with_outcomes]
        for place, row in enumerate(self.tries):
            row.display(tries[place] if place < len(tries) else None)
        for widget in (self._try_heading, self._undo):
            widget.setVisible(bool(tries))


def _show(title: QLabel, label: QLabel, heading_text: str, text: str) -> None:
    for widget, words in ((title, heading_text), (label, text)):
        widget.setText(words)
        widget.setVisible(bool(text))
