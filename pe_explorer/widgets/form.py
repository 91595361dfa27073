"""A form for the declared fields of a class: an editor for each, with a button to reset it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from pe_explorer.params import Declared, Parameter, declared
from pe_explorer.widgets._tooltips import default_text, parameter_tooltip
from pe_explorer.widgets.editors import Editor, editor_for

__all__ = ["LABEL_WIDTH", "FormFields"]

_RESET = "\u21ba"  # an open circle arrow
LABEL_WIDTH = 68
"""Least width of the column of labels, so that forms line up."""


class _Reset(QToolButton):
    """A button back to the default; it is empty while the value is the default."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent)
        self._default = editor.parameter.default
        self.setAutoRaise(True)
        self.setFixedSize(20, 22)
        self.setAccessibleName(f"Reset {editor.parameter.label}")
        default = default_text(editor.parameter)
        self.setToolTip(f"<p>Reset to the default, {escape(default)}.</p>")
        self.clicked.connect(editor.reset)
        self.display(self._default)

    def display(self, value: Any) -> None:
        """Offer a reset if a value differs from the default."""
        differs = value != self._default
        self.setEnabled(differs)
        self.setText(_RESET if differs else "")


class FormFields(QWidget):
    """Editors for the declared fields of a class, or for some of them."""

    edited = Signal(str, object)
    """(name, value): another legal value was chosen."""
    refused = Signal(str)
    """A sentence about text that is not a legal value."""
    settled = Signal()
    """Refused text was dropped, or is being corrected."""

    def __init__(
        self,
        cls: type[Declared] | None = None,
        names: Sequence[str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._class: type[Declared] | None = None
        self._body: QWidget | None = None
        self._editors: dict[str, Editor] = {}
        self._resets: dict[str, _Reset] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        if cls:
            self.set_class(cls, names)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that can be edited, from top to bottom."""
        return tuple(self._editors)

    @property
    def edits(self) -> type[Declared] | None:
        """The class whose fields are edited; the model may have another until it is announced."""
        return self._class

    def editor(self, name: str) -> Editor:
        """Return the editor of a field."""
        return self._editors[name]

    def go_to(self, name: str) -> QWidget:
        """Move the keyboard to the editor of a field, and return where it is then."""
        editor = self.editor(name).main
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(editor, QLineEdit):
            editor.selectAll()  # so that what is typed takes its place
        return editor

    def reset_button(self, name: str) -> QToolButton:
        """Return the button that resets a field to its default."""
        return self._resets[name]

    def set_class(self, cls: type[Declared], names: Sequence[str] | None = None) -> None:
        """Show the editors of a class, unless they are shown already."""
        if cls is self._class:
            return
        self._class = cls
        self._clear()
        self._body = QWidget(self)
        grid = QGridLayout(self._body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(5)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        parameters = declared(cls)
        for name in names or parameters:
            self._add(name, parameters[name], self._body, grid)
        self._layout.addWidget(self._body)
        self._body.show()  # now, not after a frame without editors
        self._layout.activate()

    def display(self, values: Mapping[str, Any]) -> None:
        """Show the values of fields without a signal."""
        for name, editor in self._editors.items():
            if name in values:
                editor.display(values[name])
                self._resets[name].display(values[name])

    def _clear(self) -> None:
        for editor in self._editors.values():
            editor.blockSignals(True)  # from now on they would concern the class before
        self._editors.clear()
        self._resets.clear()
        if self._body:
            self._body.hide()
            self._layout.removeWidget(self._body)
            self._body.deleteLater()

    def _add(self, name: str, parameter: Parameter, body: QWidget, grid: QGridLayout) -> None:
        editor = self._editors[name] = editor_for(name, parameter, body)
        reset = self._resets[name] = _Reset(editor, body)
        label = _label(parameter, body)
        label.setBuddy(editor.main)
        row = grid.rowCount()
        grid.addWidget(label, row, 0)
        grid.addWidget(editor.main, row, 1)
        grid.addWidget(reset, row, 2)
        if editor.below:
            first, columns = (0, 2) if editor.wide else (1, 1)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(editor.below, row + 1, first, 1, columns, top)
        grid.setRowMinimumHeight(row + 1, 0 if editor.below else 2)
        editor.edited.connect(self._receive_edit)
        editor.refused.connect(self.refused)
        editor.settled.connect(self.settled)

    @Slot(str, object)
    def _receive_edit(self, name: str, value: Any) -> None:
        self._resets[name].display(value)
        self.edited.emit(name, value)


def _label(parameter: Parameter, parent: QWidget) -> QLabel:
    title = escape(parameter.label)
    if parameter.symbol:
        title += f" <i>{escape(parameter.symbol)}</i>"
    label = QLabel(title, parent)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setToolTip(parameter_tooltip(parameter))
    return label
