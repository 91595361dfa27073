"""A page of the guide: the text for a view or an exhibit, with buttons for suggestions."""

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

_UNDO = "Undo (Ctrl+Z) reverts a try."


class PointRow(QWidget):
    """A numbered point to look at."""

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
    """A button that applies the settings of a suggestion, with the outcome below."""

    requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._try: Try | None = None
        self.button = WrappedButton()
        self.button.clicked.connect(self._ask)
        self.outcome = text_label("muted", scale=0.9)
        column_in(self, self.button, self.outcome, spacing=2, margins=(0, 0, 0, 2))

    def display(self, suggestion: Try | None) -> None:
        self._try = suggestion
        self.setVisible(suggestion is not None)
        if suggestion is None:
            return
        self.button.set_words(suggestion.label)
        self.button.setAccessibleName(f"Try: {suggestion.label}")
        self.button.setAccessibleDescription(suggestion.outcome)
        self.button.setToolTip(f"<p>{escaped(suggestion.outcome)} {_UNDO}</p>")
        self.outcome.setText(suggestion.outcome)
        self.outcome.setVisible(bool(suggestion.outcome))

    @Slot()
    def _ask(self) -> None:
        if self._try is not None:
            self.requested.emit(self._try)


class ExplanationPage(QScrollArea):
    """A scrollable page with what a view shows, what to look at, and what to try.

    The text of an open exhibit is at the top. A lesson step hides all other text, which might
    reveal the answer.
    """

    requested = Signal(object)  # the `Try` to apply

    def __init__(self) -> None:
        super().__init__()
        self._explanation: Explanation | None = None
        nothing = None, None, None
        self._words: tuple[Exhibit | None, ExhibitTexts | None, LessonStep | None] = nothing
        self.exhibit = ExhibitWords()
        self.lesson = LessonPage()
        self._line = Separator()
        for widget in (self.exhibit, self.lesson, self._line):
            widget.hide()
        self.exhibit.requested.connect(self.requested)
        self.title = text_label("text", scale=1.2, bold=True)
        self.about = text_label("muted", scale=0.9)
        self.shows = text_label("text")
        self.points = [PointRow(number) for number in range(1, MOST_POINTS + 1)]
        self.tries = [TryRow() for _ in range(MOST_TRIES)]
        self._look_heading = heading("Look at")
        self._try_heading = heading("Try")
        self._undo = text_label("muted", _UNDO, scale=0.9)
        for row in self.tries:
            row.requested.connect(self.requested)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName("Explanation of the active view")
        self.guide = QWidget()  # the text about the view
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
        """Show the text of an exhibit and a lesson step; None hides the text."""
        if (exhibit, texts, step) == self._words:
            return
        is_new = (exhibit, step) != (self._words[0], self._words[2])
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
        if is_new:
            self.verticalScrollBar().setValue(0)

    def explain(self, view: str, state: Resolved) -> None:
        """Update the text for a view of an exploration."""
        words = guide.explain(view, state)
        if words == self._explanation:
            return
        is_new = self._explanation is None or words.title != self._explanation.title
        if is_new and self._words[0] is None:
            self.verticalScrollBar().setValue(0)
        self._explanation = words
        self.title.setText(words.title)
        self.about.setText(words.about)
        self.shows.setText(words.shows)
        self._look_heading.setVisible(bool(words.look))
        for index, point in enumerate(self.points):
            point.display(words.look[index] if index < len(words.look) else "")
        for widget in (self._try_heading, self._undo):
            widget.setVisible(bool(words.tries))
        for index, row in enumerate(self.tries):
            row.display(words.tries[index] if index < len(words.tries) else None)


class ExhibitWords(QWidget):
    """The text of an exhibit, with the same numbers of points as in the picture.

    If a sentence is no longer true, a button restores the settings of the exhibit.
    """

    requested = Signal(object)  # the `Try` to apply
    restore_requested = Signal()  # the user restores the settings of the exhibit

    def __init__(self) -> None:
        super().__init__()
        self._content: tuple[Exhibit, ExhibitTexts] | None = None
        self.title = text_label("text", scale=1.2, bold=True)
        self.note = text_label("text")
        self.points: list[PointRow] = []
        self.tries: list[TryRow] = []
        self._look_heading = heading("Look at")
        self._look = QWidget()
        self._look_column = column_in(self._look, spacing=GAP)
        self.back_button = WrappedButton()
        self.back_button.set_words("Restore the exhibit's settings")
        self.back_button.clicked.connect(self.restore_requested)
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
        self.summary = text_label("muted", scale=0.9)
        look = (self.title, self.note, self._look_heading, self._look, self.back_button)
        tries = (self._try_heading, self._try, self._undo, self._text_heading, self.text)
        truth = (self._truth_heading, self.truth, self._source_heading, self.source)
        column_in(self, *look, *tries, *truth, self.summary, spacing=GAP)

    def display(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        if (exhibit, texts) == self._content:
            return
        self._content = exhibit, texts
        self.title.setText(exhibit.title)
        self.note.setText(texts.note)
        self.note.setVisible(bool(texts.note))
        while len(self.points) < len(texts.look):
            self.points.append(PointRow(len(self.points) + 1))
            self._look_column.addWidget(self.points[-1])
        for index, row in enumerate(self.points):
            row.display(texts.look[index] if index < len(texts.look) else "")
        self._look_heading.setVisible(any(texts.look))
        self.back_button.setVisible(not texts.is_whole)
        self._show_tries(exhibit, texts)
        text_title = "The text says" if exhibit.place else "A common claim"
        _show(self._text_heading, self.text, text_title, texts.text)
        _show(self._truth_heading, self.truth, "What is true", texts.truth)
        _show(self._source_heading, self.source, "Source", exhibit.source)
        self.summary.setText(exhibit.summary)
        self.summary.setVisible(bool(exhibit.summary))

    def _show_tries(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        while len(self.tries) < len(exhibit.tries):
            row = TryRow()
            row.requested.connect(self.requested)
            self.tries.append(row)
            self._try_column.addWidget(row)
        with_outcomes = zip(exhibit.tries, texts.outcomes, strict=True)
        tries = [suggestion._replace(outcome=outcome) for suggestion, outcome in with_outcomes]
        for index, row in enumerate(self.tries):
            row.display(tries[index] if index < len(tries) else None)
        for widget in (self._try_heading, self._undo):
            widget.setVisible(bool(tries))


def _show(title: QLabel, label: QLabel, heading_text: str, text: str) -> None:
    for widget, words in ((title, heading_text), (label, text)):
        widget.setText(words)
        widget.setVisible(bool(text))
