"""The row of one field of a form."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
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
from pe_explorer.widgets.labels import escaped
from pe_explorer.widgets.line_fields import LineField

GAP = 5
"""Pixels between what stands in a row."""
_RESET = "\u21ba"  # an open circle arrow


class FormRow:
    """The row of one field: its label, its editor with a slider, and a button that resets it."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget, live: bool) -> None:
        self.parameter = parameter
        self.label = _label(parameter, parent)
        self.editor = editor_for(name, parameter, parent)
        if self.line and live:
            self.line.make_live()
        self.reset = _Reset(self.editor, parent)
        self.label.setBuddy(self.editor.main)
        self._why_withheld = ""

    def add_to(self, grid: QGridLayout) -> None:
        """Add the row below those that a grid has."""
        row, editor = grid.rowCount(), self.editor
        beside = QHBoxLayout()
        beside.setSpacing(GAP)
        beside.addWidget(editor.main, 0 if editor.slider else 1)
        if editor.slider:
            beside.addWidget(editor.slider, 1)
        if editor.end:
            beside.addWidget(editor.end)
        grid.addWidget(self.label, row, 0)
        grid.addLayout(beside, row, 1)
        grid.addWidget(self.reset, row, 2)
        if editor.below:
            first, columns = (0, 2) if editor.wide else (1, 1)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(editor.below, row + 1, first, 1, columns, top)

    @property
    def line(self) -> LineField | None:
        """The line in which the value is typed, if there is one."""
        return self.editor.main if isinstance(self.editor.main, LineField) else None

    @property
    def bad(self) -> bool:
        """Whether the text that is typed is not a legal value, and would have an effect."""
        return self.line is not None and self.line.bad and not self._why_withheld

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
        self.display_reset(value)

    def display_reset(self, value: Any) -> None:
        """Offer a reset if a value differs from the default."""
        self.reset.display(value)

    def withhold(self, why: str) -> None:
        """Disable the row, whose tooltips then show why; an empty text enables it again."""
        if why == self._why_withheld:
            return
        self._why_withheld = why
        self.label.setEnabled(not why)
        self.label.setToolTip(parameter_tooltip(self.parameter, why))
        self.editor.withhold(why)


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
