"""The editor of a parameter that may be left to the program."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_explorer.params import Optional, capitalised
from pe_explorer.widgets._editor import Editor
from pe_explorer.widgets._line_editors import LineEditor
from pe_explorer.widgets.fields import Box

__all__ = ["OptionalEditor"]


class OptionalEditor(Editor):
    """The line of another kind, in which auto can be typed, and a box to tick for auto."""

    def __init__(self, parameter: Optional, inner: LineEditor, parent: QWidget) -> None:
        """Add a box to the editor `inner`."""
        super().__init__(inner.name, parameter, parent)
        self.inner, self.field, self.main = inner, inner.field, inner.main
        self.slider = inner.slider
        self._optional = parameter
        self._last = parameter.inner.default
        """The value to go back to when auto is switched off."""
        self.box = Box(parameter.word, parent)
        self.box.setAccessibleName(f"{parameter.label} {parameter.word}")
        self.box.setToolTip(f"<p>{capitalised(parameter.auto)}.</p>")
        if inner.below or inner.slider:  # which leave no room in the row
            self.below = self._beside_box(inner.below, parent)
        else:
            self.end = self.box
        self.box.toggled.connect(self._switch)
        self.field.textChanged.connect(self._mirror)
        inner.edited.connect(self._receive_edit)
        inner.refused.connect(self.refused)
        inner.settled.connect(self.settled)
        self.display(parameter.default)
        self._mirror(self.field.text())

    def _beside_box(self, widget: QWidget | None, parent: QWidget) -> QWidget:
        row = QWidget(parent)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addStretch()
        if widget:
            layout.addWidget(widget)
        layout.addWidget(self.box)
        return row

    def display(self, value: Any) -> None:
        self.inner.display(value)
        if value is not None:
            self._last = value

    def withhold(self, why: str) -> None:
        super().withhold(why)
        self.inner.withhold(why)

    @Slot()
    def reset(self) -> None:
        self.inner.reset()

    @Slot(bool)
    def _switch(self, auto: bool) -> None:
        self.settled.emit()
        self.field.enter(None if auto else self._last)

    @Slot(str)
    def _mirror(self, text: str) -> None:
        """Tick the box while the line reads auto, also while it is typed."""
        with QSignalBlocker(self.box):
            self.box.setChecked(self._optional.is_word(text))

    @Slot(str, object)
    def _receive_edit(self, name: str, value: Any) -> None:
        if value is not None:
            self._last = value
        self.edited.emit(name, value)
