"""The panel that explains: what the active view shows, what to look at, and what to try."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.exploration import LOOK, Exploration, differing
from pe_explorer.gallery.guide import MOST_POINTS, MOST_TRIES, Explanation, Try, explain
from pe_explorer.model import Model
from pe_explorer.panels.follower import Panel
from pe_explorer.params import ParameterError
from pe_explorer.widgets.tinted_label import Shade, TintedLabel

__all__ = ["ExplainPanel"]

_PAUSE = 100  # milliseconds: while a slider is dragged the words follow no faster
_WIDTH = 240  # pixels
_BUTTON_HEIGHT = 26
_GAP, _GAP_BEFORE_HEADING = 6, 12
_UNDO = "Undo (Ctrl+Z) takes a try back."


class ExplainPanel(Panel):
    """The guide's words for one view; a button for everything to try.

    It computes nothing while it cannot be seen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = ""
        self._shown: Explanation | None = None
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE)
        self._timer.timeout.connect(self._update)
        self.title = _text("text", scale=1.2, bold=True)
        self.about = _text("muted", scale=0.9)
        self.shows = _text("text")
        self.points = [_Point(number) for number in range(1, MOST_POINTS + 1)]
        self.tries = [_TryRow() for _ in range(MOST_TRIES)]
        self._look_heading = _heading("Look at")
        self._try_heading = _heading("Try")
        self._undo = _text("muted", _UNDO, scale=0.9)
        for row in self.tries:
            row.asked.connect(self._apply)
        self._fill(self._make_column())

    def _make_column(self) -> QVBoxLayout:
        """Put an area that scrolls into the panel, and return its column."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(10, 8, 10, 10)
        column.setSpacing(_GAP)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidgetResizable(True)
        self.area.setWidget(page)
        self.area.setAccessibleName("Explanation of the active view")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        return column

    def _fill(self, column: QVBoxLayout) -> None:
        above: tuple[QWidget, ...] = (self.title, self.about, _heading("Shows"), self.shows)
        look: tuple[QWidget, ...] = (self._look_heading, *self.points)
        tries: tuple[QWidget, ...] = (self._try_heading, *self.tries, self._undo)
        for widget in (*above, *look, *tries):
            column.addWidget(widget)
        column.addStretch(1)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 400)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def synchronise(self) -> None:
        self._update()

    def detach(self) -> None:
        self._timer.stop()
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        """Explain another view."""
        self._view = name
        self._update()

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        # The words say nothing of the cursor, which moves all the time.
        concerned = differing(old, new) - LOOK
        if concerned and self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update()

    @Slot()
    def _update(self) -> None:
        """Show the words for what is set up now, if they can be seen and differ."""
        self._timer.stop()
        if self._model is None or not self._view or not self.isVisible():
            return
        words = explain(self._view, self.model.state)
        if words != self._shown:
            self._display(words)

    def _display(self, words: Explanation) -> None:
        if self._shown is None or words.title != self._shown.title:
            self.area.verticalScrollBar().setValue(0)
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

    @Slot(object)
    def _apply(self, chosen: Try) -> None:
        """Do what a try says: one step of undo, with the cursor and the panes as they are."""
        if self._model is None:
            return
        self.model.announce()  # so that changes before it are a separate step
        try:
            self.model.replace(chosen.applied(self.model.state))
        except ParameterError as error:
            self.model.refused.emit(error.sentence)
            return
        self.model.announce()
        self._update()


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
        self.button.setToolTip(f"<p>{offered.outcome} {_UNDO}</p>")
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
        font = label.font()
        font.setBold(True)
        label.setFont(font)
    return label


def _heading(text: str) -> QLabel:
    label = _text("accent", text, bold=True)
    label.setContentsMargins(0, _GAP_BEFORE_HEADING - _GAP, 0, 0)
    return label
