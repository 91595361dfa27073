"""A form made from the declarations of a class: one editor per parameter, each with its reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from pe_explorer.params import Declared, Parameter, declared
from pe_explorer.widgets.editors import Editor, editor_for
from pe_explorer.widgets.fields import default_text, described

__all__ = ["LABEL_WIDTH", "FormFields"]

_RESET = "\u21ba"  # an open circle arrow
LABEL_WIDTH = 68
"""Least width of the column of labels, so that forms line up."""


class _Reset(QToolButton):
    """Back to the default; where there is nothing to reset, nothing is seen in the same room."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent)
        parameter = editor.parameter
        self.setAutoRaise(True)
        self.setFixedSize(20, 22)
        self.setAccessibleName(f"Reset {parameter.label}")
        self.setToolTip(f"<p>Back to the default, {escape(default_text(parameter))}.</p>")
        self.clicked.connect(editor.reset)
        self.offer(False)

    def offer(self, differs: bool) -> None:
        """Offer the reset where there is a difference to undo."""
        self.setEnabled(differs)
        self.setText(_RESET if differs else "")


class FormFields(QWidget):
    """Editors for the declared fields of a class, or for some of them."""

    edited = Signal(str, object)
    """(name, value): someone chose another legal value."""
    refused = Signal(str)
    """A sentence about text that is no legal value."""
    settled = Signal()
    """What was refused is gone, or being mended."""

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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        if cls:
            self.set_class(cls, names)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that can be edited, from top to bottom."""
        return tuple(self._editors)

    @property
    def edits(self) -> type[Declared] | None:
        """The class whose fields are edited.

        That of the model may be another until it is announced.
        """
        return self._class

    def editor(self, name: str) -> Editor:
        """Return the editor of a field."""
        return self._editors[name]

    def reset_button(self, name: str) -> QToolButton:
        """Return the button that takes a field back to its default."""
        return self._resets[name]

    def set_class(self, cls: type[Declared], names: Sequence[str] | None = None) -> None:
        """Show the editors of a class; nothing happens if it is the one shown."""
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
        self.layout().addWidget(self._body)  # type: ignore[union-attr]
        self._body.show()  # now, not after a frame without editors
        self.layout().activate()  # type: ignore[union-attr]

    def display(self, values: Mapping[str, Any]) -> None:
        """Show the values of fields, without telling anyone."""
        for name, editor in self._editors.items():
            if name in values:
                editor.display(values[name])
                self._resets[name].offer(values[name] != editor.parameter.default)

    def _clear(self) -> None:
        for editor in self._editors.values():
            editor.blockSignals(True)  # what a field tells now is about the class before
        self._editors.clear()
        self._resets.clear()
        if self._body:
            self._body.hide()
            self.layout().removeWidget(self._body)  # type: ignore[union-attr]
            self._body.deleteLater()

    def _add(self, name: str, parameter: Parameter, body: QWidget, grid: QGridLayout) -> None:
        row = grid.rowCount()
        label = QLabel(_titled(parameter), body)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setToolTip(described(parameter))
        grid.addWidget(label, row, 0)
        editor = self._editors[name] = editor_for(name, parameter, body)
        label.setBuddy(editor.main)
        grid.addWidget(editor.main, row, 1)
        reset = self._resets[name] = _Reset(editor, body)
        grid.addWidget(reset, row, 2)
        if editor.below:
            first = 0 if editor.wide else 1
            place = (row + 1, first, 1, 2 - first)
            grid.addWidget(editor.below, *place, Qt.AlignmentFlag.AlignTop)
        grid.setRowMinimumHeight(row + 1, 0 if editor.below else 2)
        editor.edited.connect(self._edited)
        editor.refused.connect(self.refused)
        editor.settled.connect(self.settled)

    @Slot(str, object)
    def _edited(self, name: str, value: Any) -> None:
        self._resets[name].offer(value != self._editors[name].parameter.default)
        self.edited.emit(name, value)


def _titled(parameter: Parameter) -> str:
    symbol = f" <i>{escape(parameter.symbol)}</i>" if parameter.symbol else ""
    return escape(parameter.label) + symbol
