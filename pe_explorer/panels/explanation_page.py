"""A page of the guide: its words for one view, with a button for everything to try."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.exploration import Resolved
from pe_explorer.gallery import guide
from pe_explorer.gallery.guide import MOST_POINTS, MOST_TRIES, Explanation
from pe_explorer.gallery.tries import Try
from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.rich_text import escaped
from pe_explorer.widgets.tinted_label import Shade, TintedLabel

__all__ = ["ExplanationPage"]

_BUTTON_HEIGHT = 26
_GAP, _GAP_BEFORE_HEADING = 6, 12
_UNDO = "Undo (Ctrl+Z) takes a try back."


class ExplanationPage(QScrollArea):
    """What a view shows, what to look at, and what to try; it scrolls where there is no room."""

    asked = Signal(object)
    """Something is to be tried."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Explanation | None = None
        self.title = _text("text", scale=1.2, bold=True)
        self.about = _text("muted", scale=0.9)
        self.shows = _text("text")
        self.points = [_Point(number) for number in range(1, MOST_POINTS + 1)]
        self.tries = [_TryRow() for _ in range(MOST_TRIES)]
        self._look_heading = _heading("Look at")
        self._try_heading = _heading("Try")
        self._undo = _text("muted", _UNDO, scale=0.9)
        for row in self.tries:
            row.asked.connect(self.asked)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setAccessibleName("Explanation of the active view")
        self.setWidget(self._make_column())

    def _make_column(self) -> QWidget:
        """Return a widget with all parts below each other."""
        above: tuple[QWidget, ...] = (self.title, self.about, _heading("Shows"), self.shows)
        look: tuple[QWidget, ...] = (self._look_heading, *self.points)
        tries: tuple[QWidget, ...] = (self._try_heading, *self.tries, self._undo)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(10, 8, 10, 10)
        column.setSpacing(_GAP)
        for widget in (*above, *look, *tries):
            column.addWidget(widget)
        column.addStretch(1)
        return content

    def explain(self, view: str, state: Resolved) -> None:
        """Show the words for a view of an exploration, if they differ from those shown."""
        words = guide.explain(view, state)
        if words == self._shown:
            return
        if self._shown is None or words.title != self._shown.title:
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


class _Point(QWidget):
    """Something to look at, with its number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.text = _text("text")
        mark = _text("accent", str(number), bold=True)
        mark.setWordWrap(False)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(mark)
        row.addWidget(self.text, 1)

    def display(self, text: str) -> None:
        """Show a text; without one, nothing."""
        self.text.setText(text)
        self.setVisible(bool(text))


class _TryRow(QWidget):
    """A button that sets something up, and what comes out of it."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._try: Try | None = None
        self.button = QPushButton()
        self.button.setFixedHeight(_BUTTON_HEIGHT)
        # No focus by a click: Space then plays, and does not try again.
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._ask)
        self.outcome = _text("muted", scale=0.9)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(2)
        column.addWidget(self.button)
        column.addWidget(self.outcome)

    def display(self, offered: Try | None) -> None:
        """Offer something to try, or nothing."""
        self._try = offered
        self.setVisible(offered is not None)
        if offered is None:
            return
        self.button.setText(offered.label.replace("&", "&&"))  # a single & would mark a key
        self.button.setAccessibleName(f"Try: {offered.label}")
        self.button.setAccessibleDescription(offered.outcome)
        self.button.setToolTip(f"<p>{escaped(offered.outcome)} {_UNDO}</p>")
        self.outcome.setText(offered.outcome)
        self.outcome.setVisible(bool(offered.outcome))

    @Slot()
    def _ask(self) -> None:
        if self._try is not None:
            self.asked.emit(self._try)


def _text(shade: Shade, text: str = "", *, scale: float = 1.0, bold: bool = False) -> TintedLabel:
    """Return a label whose lines are broken where the panel ends."""
    label = TintedLabel(text, scale=scale)
    label.set_shade(shade)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if bold:
        embolden(label)
    return label


def _heading(text: str) -> QLabel:
    label = _text("accent", text, bold=True)
    label.setContentsMargins(0, _GAP_BEFORE_HEADING - _GAP, 0, 0)
    return label
