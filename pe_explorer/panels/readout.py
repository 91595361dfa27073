"""The read-out in the status bar: the numbers at the cursor, in one line."""

from PySide6.QtCore import Qt, Slot

from pe_explorer.panels.cursor_panel import CursorPanel
from pe_explorer.params import printed
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import row_in

_HELP = (
    "<p>What the active view has under the mouse, or else at the cursor. A click moves the cursor "
    "there, unless it is locked.</p>"
)
_RESERVED_TEXT = "p 1,000,000   dim 1023   value −0.123456   359.99°   λ 12345.6"
_SEPARATOR = "   "
_SHORT_NAMES = {"dimension": "dim", "cosine or sine": "column"}
"""Names of columns that are shortened, to leave room for the numbers."""


class Readout(CursorPanel):
    """The place of the mouse or the cursor, and the values of the active view there, rounded."""

    reader = "read-out"

    def __init__(self) -> None:
        super().__init__()
        self.label = TintedLabel()
        self.label.set_shade("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setToolTip(_HELP)
        self._reserve(_RESERVED_TEXT)
        row_in(self, self.label, margins=(0, 0, 6, 0))

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._reserve(_RESERVED_TEXT)
        super().show_view(name)

    def _reserve(self, text: str) -> None:
        """Keep room for a text, so that shorter ones move nothing."""
        self.label.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + 2)

    @Slot()
    def synchronise(self) -> None:
        pointing = self.model.preview is not None
        self.label.set_shade("accent" if pointing else "text")
        self.label.setAccessibleName("Under the mouse" if pointing else "Cursor")
        self.read()

    def show_waiting(self) -> None:
        self._show(("…",))

    def show_answer(self, answer: Inspection) -> None:
        self._show(answer.brief)

    def _show(self, parts: tuple[str, ...]) -> None:
        place, state = [], self.model.state_at_pointer
        for field, axis, name in self.places(state):
            number = getattr(state, field)
            if field == "dimension":
                place.append(f"{_SHORT_NAMES.get(axis.name, axis.name)} {number}")
            else:
                place.append(f"{name} {number:,}")
        line = printed.text(_SEPARATOR.join((*place, *parts)))
        self.label.setText(line)
        if self.fontMetrics().horizontalAdvance(line) > self.label.width():
            self._reserve(line)
