"""A page of the guide: the text for a view or an exhibit, with buttons for suggestions."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from pe_explorer.exploration import ResolvedState
from pe_explorer.gallery import guide
from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts
from pe_explorer.gallery.guide import MAX_POINTS, MAX_TRIES, Explanation
from pe_explorer.gallery.tries import Try
from pe_explorer.panels.lesson_page import GAP, LessonPage, LessonStep, WrappedButton, heading
from pe_explorer.widgets.labels import escape_html, make_text_label
from pe_explorer.widgets.layouts import Separator, lay_out_column, lay_out_row

_UNDO_HELP = "To go back, press Ctrl+Z."


class PointRow(QWidget):
    """A point to look at, preceded by a number or a bullet."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.text = make_text_label("text")
        self._number = number
        self._number_label = make_text_label("accent", str(number), bold=True)
        self._number_label.setWordWrap(False)
        self._number_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        lay_out_row(self, self._number_label, spacing=GAP).addWidget(self.text, 1)

    def display(self, text: str) -> None:
        self.text.setText(text)
        self.setVisible(bool(text))

    def set_numbered(self, is_numbered: bool) -> None:
        self._number_label.setText(str(self._number) if is_numbered else "\u2022")


class TryRow(QWidget):
    """A button that applies the settings of a suggestion, with the outcome below."""

    requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._try: Try | None = None
        self.button = WrappedButton()
        self.button.clicked.connect(self._request)
        self.outcome = make_text_label("muted", scale=0.9)
        lay_out_column(self, self.button, self.outcome, spacing=2, margins=(0, 0, 0, 2))

    def display(self, suggestion: Try | None) -> None:
        self._try = suggestion
        self.setVisible(suggestion is not None)
        if suggestion is None:
            return
        self.button.set_text(suggestion.label)
        self.button.setAccessibleName(f"Try: {suggestion.label}")
        self.button.setAccessibleDescription(suggestion.outcome)
        self.button.setToolTip(f"<p>{escape_html(suggestion.outcome)} {_UNDO_HELP}</p>")
        self.outcome.setText(suggestion.outcome)
        self.outcome.setVisible(bool(suggestion.outcome))

    @Slot()
    def _request(self) -> None:
        self.requested.emit(self._try)


class ExplanationPage(QScrollArea):
    """The texts for an open exhibit and for a view, or only those for a lesson step."""

    requested = Signal(object)  # the `Try` to apply

    def __init__(self) -> None:
        super().__init__()
        self._explanation: Explanation | None = None
        # Scroll later, because the page has its new height only after a layout update.
        self._scroll_timer = QTimer(self, singleShot=True, interval=0)
        self._scroll_timer.timeout.connect(self._scroll_to_result)
        self._texts: tuple[Exhibit | None, ExhibitTexts | None, LessonStep | None]
        self._texts = None, None, None
        self.exhibit = ExhibitPage()
        self.lesson = LessonPage()
        self._separator = Separator()
        for widget in (self.exhibit, self.lesson, self._separator):
            widget.hide()
        self.exhibit.requested.connect(self.requested)
        self.title = make_text_label("text", scale=1.2, bold=True)
        self.about = make_text_label("muted", scale=0.9)
        self.shows = make_text_label("text")
        self.points = [PointRow(number) for number in range(1, MAX_POINTS + 1)]
        self.tries = [TryRow() for _ in range(MAX_TRIES)]
        self._look_heading = heading("Look at")
        self._try_heading = heading("Try")
        self._undo_help = make_text_label("muted", _UNDO_HELP, scale=0.9)
        for row in self.tries:
            row.requested.connect(self.requested)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName("Explanation of the active view")
        self.guide = QWidget()  # the text about the view
        look: tuple[QWidget, ...] = (self.shows, self._look_heading, *self.points)
        tries = self._try_heading, *self.tries, self._undo_help
        texts = self.title, self.about, heading("Shows"), *look, *tries
        lay_out_column(self.guide, *texts, spacing=GAP)
        content = QWidget()
        parts = self.lesson, self.exhibit, self._separator, self.guide
        lay_out_column(content, *parts, spacing=GAP, margins=(10, 8, 10, 10)).addStretch(1)
        self.setWidget(content)

    def show_texts(
        self, exhibit: Exhibit | None, texts: ExhibitTexts | None, step: LessonStep | None
    ) -> None:
        """Show the texts of an open exhibit and of the view, or only those of a lesson step."""
        if (exhibit, texts, step) == self._texts:
            return
        is_new = (exhibit, step) != (self._texts[0], self._texts[2])
        self._texts = exhibit, texts, step
        self.lesson.setVisible(step is not None)
        for part in (self.exhibit, self._separator):
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
        if step is not None and step.result is not None:
            self._scroll_timer.start()

    @Slot()
    def _scroll_to_result(self) -> None:
        self.ensureWidgetVisible(self.lesson.last_visible_widget)

    def explain(self, view: str, state: ResolvedState) -> None:
        new, old = guide.explain(view, state), self._explanation
        if new == old:
            return
        if (old is None or new.title != old.title) and self._texts[0] is None:
            self.verticalScrollBar().setValue(0)
        self._explanation = new
        self.title.setText(new.title)
        self.about.setText(new.about)
        self.shows.setText(new.shows)
        self._look_heading.setVisible(bool(new.look))
        for index, point in enumerate(self.points):
            point.display(new.look[index] if index < len(new.look) else "")
        for widget in (self._try_heading, self._undo_help):
            widget.setVisible(bool(new.tries))
        for index, row in enumerate(self.tries):
            row.display(new.tries[index] if index < len(new.tries) else None)


class ExhibitPage(QWidget):
    """The texts of an exhibit, with a button that restores its settings if one is not true."""

    requested = Signal(object)  # the `Try` to apply
    restore_requested = Signal()  # request to restore the settings of the exhibit

    def __init__(self) -> None:
        super().__init__()
        self._content: tuple[Exhibit, ExhibitTexts] | None = None
        self.title = make_text_label("text", scale=1.2, bold=True)
        self.note = make_text_label("text")
        self.points: list[PointRow] = []
        self.tries: list[TryRow] = []
        self._look_heading = heading("Look at")
        look, tries = QWidget(), QWidget()
        self._look_column = lay_out_column(look, spacing=GAP)
        self.restore_button = WrappedButton()
        self.restore_button.set_text("Restore the exhibit's settings")
        self.restore_button.clicked.connect(self.restore_requested)
        self._try_heading = heading("Try")
        self._try_column = lay_out_column(tries, spacing=GAP)
        self._undo_help = make_text_label("muted", _UNDO_HELP, scale=0.9)
        self._text_heading = heading("The text says")
        self.text = make_text_label("text")
        self._truth_heading = heading("What is true")
        self.truth = make_text_label("text")
        self._source_heading = heading("Source")
        self.source = make_text_label("text")
        self.summary = make_text_label("muted", scale=0.9)
        top = (self.title, self.note, self._look_heading, look, self.restore_button)
        middle = (self._try_heading, tries, self._undo_help, self._text_heading, self.text)
        bottom = (self._truth_heading, self.truth, self._source_heading, self.source)
        lay_out_column(self, *top, *middle, *bottom, self.summary, spacing=GAP)

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
        for index, point in enumerate(self.points):
            point.display(texts.look[index] if index < len(texts.look) else "")
        self._look_heading.setVisible(any(texts.look))
        self.restore_button.setVisible(not texts.is_fully_valid)
        while len(self.tries) < len(exhibit.tries):
            row = TryRow()
            row.requested.connect(self.requested)
            self.tries.append(row)
            self._try_column.addWidget(row)
        pairs = zip(exhibit.tries, texts.outcomes, strict=True)
        tries = [suggestion._replace(outcome=outcome) for suggestion, outcome in pairs]
        for index, row in enumerate(self.tries):
            row.display(tries[index] if index < len(tries) else None)
        self._text_heading.setText("The text says" if exhibit.place else "A common claim")
        for label, text, title in (
            (self.text, texts.text, self._text_heading),
            (self.truth, texts.truth, self._truth_heading),
            (self.source, exhibit.source, self._source_heading),
            (self.summary, exhibit.summary, self.summary),
        ):
            label.setText(text)
            label.setVisible(bool(text))
            title.setVisible(bool(text))
        for widget in (self._try_heading, self._undo_help):
            widget.setVisible(bool(tries))
