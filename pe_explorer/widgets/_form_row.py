"""The row of one field of a form."""

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QWidget,
)

from pe_explorer.params import Parameter
from pe_explorer.widgets._tooltips import default_text, parameter_tooltip
from pe_explorer.widgets.editors import Editor, editor_for
from pe_explorer.widgets.labels import TintedLabel, escaped, with_breaks
from pe_explorer.widgets.line_fields import LineField

GAP = 5
"""Pixels between what stands in a row."""
_FONT_SCALE = 0.9  # relative to the usual font
_RESET = "\u21ba"  # an open circle arrow


class FormRow:
    """The row of one field: its label, its editor with a slider, and a button that resets it."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget, live: bool) -> None:
        self.parameter = parameter
        self.label = _label(parameter, parent)
        self.editor = editor_for(name, parameter, parent)
        self.complaint: _Complaint | None = None
        if self.line and live:  # whoever shows it says what is wrong, also with what is not typed
            self.line.make_live()
        elif self.line:
            self.complaint = _Complaint(self.editor, parent)
        self.reset = _Reset(self.editor, parent)
        self.label.setBuddy(self.editor.main)
        self._why_withheld = ""
        self._is_used = True

    def add_to(self, grid: QGridLayout) -> None:
        """Add the row below those that a grid has; a slider is as wide as all of it."""
        row, editor = grid.rowCount(), self.editor
        beside = QHBoxLayout()
        beside.setSpacing(GAP)
        beside.addWidget(editor.main, 1)
        if editor.end:
            beside.addWidget(editor.end)
        grid.addWidget(self.label, row, 0)
        grid.addLayout(beside, row, 1)
        grid.addWidget(self.reset, row, 2)
        if editor.below:
            first, columns = (0, 2) if editor.wide else (1, 1)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(editor.below, row + 1, first, 1, columns, top)
        if self.complaint:
            grid.addWidget(self.complaint, row + 2, 0, 1, 3)
        if editor.slider:
            grid.addWidget(editor.slider, row + 3, 0, 1, 3)

    @property
    def line(self) -> LineField | None:
        """The line in which the value is typed, if there is one."""
        return self.editor.main if isinstance(self.editor.main, LineField) else None

    @property
    def bad(self) -> bool:
        """Whether the text that is typed is not a legal value, and would have an effect."""
        counts = self._is_used and not self._why_withheld
        return self.line is not None and self.line.bad and counts

    def check(self) -> None:
        """Raise `ParameterError` where the text that is typed is not a legal value."""
        if self.bad and self.line:
            self.line.read()

    def commit(self) -> None:
        """Take what is typed as a value."""
        if self.line:
            self.line.commit()

    @property
    def stops(self) -> list[QWidget]:
        """What Tab goes to, from left to right."""
        found = [self.editor.main, self.editor.slider, self.editor.end]
        if self.editor.below:
            found += self.editor.below.findChildren(QAbstractButton) or [self.editor.below]
        return [widget for widget in (*found, self.reset) if widget]

    def display(self, value: Any) -> None:
        """Show a value."""
        self.editor.display(value)
        self.reset.display(value)

    def set_used(self, used: bool) -> None:
        """Show the row, or hide it while it belongs to a choice that is not made."""
        if used == self._is_used:
            return
        self._is_used = used
        for part in (self.label, *self.editor.parts, self.reset):
            part.setVisible(used)
        if self.complaint and not used:
            self.complaint.hide()

    def withhold(self, why: str) -> None:
        """Disable the row, whose tooltips then show why; an empty text enables it again."""
        if why == self._why_withheld:
            return
        self._why_withheld = why
        self.label.setEnabled(not why)
        self.label.setToolTip(parameter_tooltip(self.parameter, why))
        self.editor.withhold(why)


class _Complaint(TintedLabel):
    """Says below a field why its text was refused, until that is mended or dropped."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__("", scale=_FONT_SCALE, parent=parent)
        self.set_shade("reference")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(f"What is wrong with {editor.parameter.label}")
        self.hide()
        editor.refused.connect(self.complain)
        editor.settled.connect(self.hide)

    @Slot(str)
    def complain(self, sentence: str) -> None:
        """Show a sentence about text that is not a legal value."""
        self.setText(with_breaks(sentence))
        self.show()


class _Reset(QToolButton):
    """A button back to the default; it is empty while the value is the default."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent)
        self._default = editor.parameter.default
        self.setAutoRaise(True)
        self.setFixedSize(20, 22)
        self.setAccessibleName(f"Reset {editor.parameter.label}")
        default = default_text(editor.parameter)
        self.setToolTip(f"<p>Reset to the default, {escaped(default)}.</p>")
        self.clicked.connect(editor.reset)
        self.display(self._default)

    def display(self, value: Any) -> None:
        """Offer a reset if a value differs from the default."""
        differs = value != self._default
        self.setEnabled(differs)
        self.setText(_RESET if differs else "")


def _label(parameter: Parameter, parent: QWidget) -> QLabel:
    title = escaped(parameter.label)
    if parameter.symbol:
        title += f" <i>{escaped(parameter.symbol)}</i>"
    label = QLabel(title, parent)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setToolTip(parameter_tooltip(parameter))
    return label
