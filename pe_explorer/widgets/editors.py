"""Editors of single parameters, one for each kind, and the table that says which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    Numbers,
    Optional,
    Parameter,
    Real,
    Text,
    Whole,
    capitalised,
    plain,
)
from pe_explorer.widgets.fields import Box, Combo, FileField, LineField, NumberField, described
from pe_explorer.widgets.sliders import Slider, scale_of

__all__ = [
    "CHOOSE",
    "EDITORS",
    "LOCATE",
    "ChoiceEditor",
    "Editor",
    "FileEditor",
    "FlagEditor",
    "LineEditor",
    "NumberEditor",
    "OptionalEditor",
    "editor_for",
]


LOCATE, CHOOSE = "Locate…", "Choose…"
"""What a button offers for a file that is not to be had, and where none is chosen yet."""


class Editor(QObject):
    """The widgets that edit one parameter: `main` is beside its label, `below` under that.

    All but `FlagEditor` can edit an optional parameter of their kind: None has a text, too.
    """

    edited = Signal(str, object)
    refused = Signal(str)
    settled = Signal()

    main: QWidget
    below: QWidget | None = None
    wide = True
    """Whether `below` takes the room under the label, too."""
    slider: Slider | None = None

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.parameter = parameter

    def display(self, value: Any) -> None:
        """Show a value without telling anyone."""
        raise NotImplementedError

    @Slot()
    def reset(self) -> None:
        """Go back to the default."""
        self._edit(self.parameter.default)

    @Slot(object)
    def _edit(self, value: Any) -> None:
        self.display(value)
        self.edited.emit(self.name, value)


class LineEditor(Editor):
    """A typed line."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.field = self._made(parent)
        self.field.entered.connect(self._edit)
        self.field.refused.connect(self.refused)
        self.field.settled.connect(self.settled)

    def _made(self, parent: QWidget) -> LineField:
        return LineField(self.parameter, parent)

    def display(self, value: Any) -> None:
        self.field.display(value)

    @Slot()
    def reset(self) -> None:
        self.settled.emit()
        self.field.enter(self.parameter.default)  # also in place of what is being typed


class NumberEditor(LineEditor):
    """A typed number, with a slider if the parameter has a comfortable range."""

    field: NumberField

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.field.stepped.connect(self._step)
        self._scale = scale_of(plain(parameter))
        if self._scale:
            self.below = self.slider = Slider(parent)
            self.slider.setRange(0, self._scale.steps)
            self.slider.setAccessibleName(f"{parameter.label} slider")
            self.slider.setToolTip(described(parameter))
            self.slider.valueChanged.connect(self._slid)
            self.slider.sliderReleased.connect(self._released)
            self.slider.stepped.connect(self._step)
        self.display(parameter.default)

    def _made(self, parent: QWidget) -> NumberField:
        return NumberField(self.parameter, parent)

    def display(self, value: Any) -> None:
        super().display(value)
        if self.slider and self._scale and not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._scale.step_of(self._number))

    @property
    def _number(self) -> Any:
        """The value; where there is none, the number that a slider begins from."""
        value = self.field.value
        return plain(self.parameter).default if value is None else value

    @Slot(int)
    def _slid(self, step: int) -> None:
        assert self._scale
        value = self._scale.at(step)
        if value != self.field.value:
            self._edit(value)

    @Slot()
    def _released(self) -> None:
        self.display(self.field.value)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if self._scale:
            value = self._scale.moved(self._number, direction, page)
            if value != self.field.value:
                self._edit(value)


class FileEditor(LineEditor):
    """The name of a file, typed, dropped or chosen."""

    field: FileField
    wide = False

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.below = self.button = QPushButton(CHOOSE, parent)
        self.button.setAutoDefault(False)
        self.button.setMinimumWidth(16 + self.button.fontMetrics().horizontalAdvance(CHOOSE))
        self.button.setAccessibleName(f"Choose {parameter.label}")
        self.button.setToolTip("<p>Look for a file; one can be dropped on the line, too.</p>")
        self.button.clicked.connect(self.choose)

    def show_lack(self, lacks: bool) -> None:
        """Say on the button whether there is nothing to be read in the file that is chosen."""
        self.button.setText(LOCATE if lacks and self.field.text() else CHOOSE)

    def _made(self, parent: QWidget) -> FileField:
        return FileField(self.parameter, parent)

    @Slot()
    def choose(self) -> None:
        """Ask for a file."""
        parameter = plain(self.parameter)
        assert isinstance(parameter, FileName)
        patterns = " ".join(f"*{end} *{end.upper()}" for end in parameter.endings)
        # A child of the window, which closes with the field: if it were the field's child, it could
        # be deleted while it waits for the answer to a question of its own.
        dialog = QFileDialog(self.field.window(), f"Choose {parameter.label}")
        dialog.setNameFilter(f"{parameter.label} ({patterns})")
        dialog.setSupportedSchemes(["file"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        if self.field.value:
            dialog.selectFile(self.field.value)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.field.take)
        self.field.destroyed.connect(dialog.reject)
        dialog.open()


class ChoiceEditor(Editor):
    """One of several words, each with a tooltip that says what it means."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.combo = Combo(parent)
        self.combo.setAccessibleName(parameter.label)
        self.combo.setAccessibleDescription(parameter.help)
        for word, meaning in _words(parameter).items():
            self.combo.add(word, word, meaning)
        self.combo.setToolTip(described(parameter))
        self.combo.currentIndexChanged.connect(self._chosen)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.combo.display(self.parameter.format(value))

    @Slot(int)
    def _chosen(self, index: int) -> None:
        if index >= 0:
            word = self.combo.itemData(index)
            self.edited.emit(self.name, self.parameter.parse(self.parameter.label, word))


class FlagEditor(Editor):
    """A box to tick."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.box = Box(parent)
        self.box.setAccessibleName(parameter.label)
        self.box.setAccessibleDescription(parameter.help)
        self.box.setToolTip(described(parameter))
        self.box.toggled.connect(self._edit)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value)
        self.box.setText(self.parameter.format(value))

    @Slot(bool)
    def _edit(self, value: Any) -> None:
        super()._edit(value)


class OptionalEditor(Editor):
    """The line of another kind, in which auto can be typed, and a box that stands for it."""

    def __init__(self, name: str, parameter: Optional, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        inner = EDITORS[type(parameter.inner)](name, parameter, parent)
        assert isinstance(inner, LineEditor)
        self.inner, self.field, self.main = inner, inner.field, inner.main
        self.slider = inner.slider
        self._last = parameter.inner.default
        """What stands there when auto is switched off."""
        self.box = Box(Optional.WORD, parent)
        self.box.setAccessibleName(f"{parameter.label} {Optional.WORD}")
        self.box.setToolTip(f"<p>{capitalised(parameter.auto)}.</p>")
        self.below = self._beside_box(inner.below, parent)
        self.box.toggled.connect(self._switch)
        self.field.textChanged.connect(self._mirror)
        inner.edited.connect(self._inner_edited)
        inner.refused.connect(self.refused)
        inner.settled.connect(self.settled)
        self.display(parameter.default)
        self._mirror(self.field.text())

    def _beside_box(self, widget: QWidget | None, parent: QWidget) -> QWidget:
        row = QWidget(parent)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        if not self.slider:
            layout.addStretch()
        if widget:
            layout.addWidget(widget)
        layout.addWidget(self.box)
        return row

    def display(self, value: Any) -> None:
        self.inner.display(value)
        if value is not None:
            self._last = value

    @Slot()
    def reset(self) -> None:
        self.inner.reset()

    @Slot(bool)
    def _switch(self, auto: bool) -> None:
        self.settled.emit()
        self.field.enter(None if auto else self._last)

    @Slot(str)
    def _mirror(self, text: str) -> None:
        """Tick the box while the line says auto, also as it is typed."""
        with QSignalBlocker(self.box):
            self.box.setChecked(text.strip().lower() == Optional.WORD)

    @Slot(str, object)
    def _inner_edited(self, name: str, value: Any) -> None:
        if value is not None:
            self._last = value
        self.edited.emit(name, value)


def _optional_editor(name: str, parameter: Optional, parent: QWidget) -> Editor:
    """Return a list of words where there are few, with auto the first, else a line."""
    few = isinstance(parameter.inner, Choice | Flag)
    return (ChoiceEditor if few else OptionalEditor)(name, parameter, parent)


EDITORS: dict[type[Parameter], Callable[[str, Any, QWidget], Editor]] = {
    Whole: NumberEditor,
    Real: NumberEditor,
    Choice: ChoiceEditor,
    Flag: FlagEditor,
    Numbers: LineEditor,
    Text: LineEditor,
    FileName: FileEditor,
    Optional: _optional_editor,
}
"""What makes the editor of each kind of parameter."""


def editor_for(name: str, parameter: Parameter, parent: QWidget) -> Editor:
    """Return the editor that fits a parameter's kind."""
    return EDITORS[type(parameter)](name, parameter, parent)


def _words(parameter: Parameter) -> dict[str, str]:
    """Return the words of a choice, or of a flag, and what each means."""
    if isinstance(parameter, Optional):
        return {Optional.WORD: f"{parameter.auto}.", **_words(parameter.inner)}
    if isinstance(parameter, Choice):
        return dict(parameter.choices)
    return {parameter.format(value): parameter.help for value in (True, False)}
