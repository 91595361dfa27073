"""The words of an exhibit: what to look at, what to try, and what its document says."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts
from pe_explorer.panels._words import (
    GAP,
    UNDO,
    PointRow,
    TryRow,
    WrappedButton,
    heading,
    text_label,
)


class ExhibitWords(QWidget):
    """Shows what holds of an exhibit; its points have the numbers that stand in the picture.

    Where a sentence does not hold any more, a button leads back to the exhibit's settings.
    """

    asked = Signal(object)
    """Something is to be tried."""
    restore_asked = Signal()
    """The exhibit is wanted as it was when it opened."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Exhibit, ExhibitTexts] | None = None
        self.title = text_label("text", scale=1.2, bold=True)
        self.note = text_label("text")
        self.points: list[PointRow] = []
        self.tries: list[TryRow] = []
        self._look_heading = heading("Look at")
        self._look = _column()
        self.back_button = WrappedButton()
        self.back_button.set_words("Back to the exhibit's settings")
        self.back_button.clicked.connect(self.restore_asked)
        self._try_heading = heading("Try")
        self._try = _column()
        self._undo = text_label("muted", UNDO, scale=0.9)
        self._text_heading = heading("The text says")
        self.text = text_label("text")
        self._truth_heading = heading("What is true")
        self.truth = text_label("text")
        self._source_heading = heading("Source")
        self.source = text_label("text")
        self.file = text_label("muted", scale=0.9)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for widget in (self.title, self.note, self._look_heading, self._look, self.back_button):
            column.addWidget(widget)
        for widget in (self._try_heading, self._try, self._undo, self._text_heading, self.text):
            column.addWidget(widget)
        for widget in (self._truth_heading, self.truth, self._source_heading, self.source):
            column.addWidget(widget)
        column.addWidget(self.file)

    def display(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        """Show the words of an exhibit that hold."""
        if (exhibit, texts) == self._shown:
            return
        self._shown = exhibit, texts
        self.title.setText(exhibit.title)
        self.note.setText(texts.note)
        self.note.setVisible(bool(texts.note))
        self._show_points(texts)
        self.back_button.setVisible(not texts.is_whole)
        self._show_tries(exhibit, texts)
        says = "The text says" if exhibit.place else "Often said"
        _show(self._text_heading, self.text, says, texts.text)
        _show(self._truth_heading, self.truth, "What is true", texts.truth)
        _show(self._source_heading, self.source, "Source", exhibit.source)
        self.file.setText(exhibit.source_file)
        self.file.setVisible(bool(exhibit.source_file))

    def _show_points(self, texts: ExhibitTexts) -> None:
        while len(self.points) < len(texts.look):
            self.points.append(PointRow(len(self.points) + 1))
            _add(self._look, self.points[-1])
        for place, row in enumerate(self.points):
            row.display(texts.look[place] if place < len(texts.look) else "")
        self._look_heading.setVisible(any(texts.look))

    def _show_tries(self, exhibit: Exhibit, texts: ExhibitTexts) -> None:
        while len(self.tries) < len(exhibit.tries):
            row = TryRow()
            row.asked.connect(self.asked)
            self.tries.append(row)
            _add(self._try, row)
        tries = [
            tried._replace(outcome=outcome)
            for tried, outcome in zip(exhibit.tries, texts.outcomes, strict=True)
        ]
        for place, row in enumerate(self.tries):
            row.display(tries[place] if place < len(tries) else None)
        for widget in (self._try_heading, self._undo):
            widget.setVisible(bool(tries))


def _column() -> QWidget:
    """Return a widget that gets rows, one below the other."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP)
    return widget


def _add(column: QWidget, row: QWidget) -> None:
    layout = column.layout()
    assert layout is not None
    layout.addWidget(row)


def _show(title: QLabel, label: QLabel, heading_text: str, text: str) -> None:
    """Show a heading and a text; where there is no text, neither."""
    for widget, words in ((title, heading_text), (label, text)):
        widget.setText(words)
        widget.setVisible(bool(text))
