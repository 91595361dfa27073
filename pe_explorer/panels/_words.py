"""Words on a page: texts, headings, numbered points, and buttons with their outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from pe_explorer.widgets.labels import escaped, text_label
from pe_explorer.widgets.layouts import column_in, row_in

if TYPE_CHECKING:
    from pe_explorer.gallery.tries import Try


GAP, _GAP_BEFORE_HEADING = 6, 12
UNDO = "Undo (Ctrl+Z) takes a try back."
_LEAST_HEIGHT = 26
_BUTTON_MARGINS = (8, 4, 8, 4)  # pixels around the words of a button


def heading(text: str) -> QLabel:
    """Return a heading, with a gap above it."""
    label = text_label("accent", text, bold=True)
    label.setContentsMargins(0, _GAP_BEFORE_HEADING - GAP, 0, 0)
    return label


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
        """Show a text; hide the row without one."""
        self.text.setText(text)
        self.setVisible(bool(text))

    def set_numbered(self, numbered: bool) -> None:
        """Show its number, or a dot."""
        self._mark.setText(str(self._number) if numbered else "\u2022")


class WrappedButton(QPushButton):
    """A button whose words take as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        # No focus by a click: Space then plays, and does not press it again.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.label = text_label("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column_in(self, self.label, margins=_BUTTON_MARGINS)

    def set_words(self, words: str) -> None:
        """Show other words."""
        self.label.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def text(self) -> str:
        """Return the words; Qt itself paints none."""
        return self.label.text()

    def heightForWidth(self, width: int) -> int:
        left, top, right, bottom = _BUTTON_MARGINS
        height = self.label.heightForWidth(width - left - right)
        return max(_LEAST_HEIGHT, height + top + bottom)

    def sizeHint(self) -> QSize:
        width = self.label.sizeHint().width() + _BUTTON_MARGINS[0] + _BUTTON_MARGINS[2]
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LEAST_HEIGHT)


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
        """Offer a try, or hide the row."""
        self._try = offered
        self.setVisible(offered is not None)
        if offered is None:
            return
        self.button.set_words(offered.label)
        self.button.setAccessibleName(f"Try: {offered.label}")
        self.button.setAccessibleDescription(offered.outcome)
        self.button.setToolTip(f"<p>{escaped(offered.outcome)} {UNDO}</p>")
        self.outcome.setText(offered.outcome)
        self.outcome.setVisible(bool(offered.outcome))

    @Slot()
    def _ask(self) -> None:
        if self._try is not None:
            self.asked.emit(self._try)
