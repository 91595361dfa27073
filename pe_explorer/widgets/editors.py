"""Editors of single parameters, and the table of which kind of parameter has which editor."""

from collections.abc import Callable, Collection
from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    Numbers,
    Optional,
    Parameter,
    Real,
    Replaced,
    Span,
    Text,
    Whole,
    Words,
    capitalised,
    inner_kind,
)
from pe_explorer.widgets._editor import Editor as Editor
from pe_explorer.widgets._tooltips import parameter_tooltip
from pe_explorer.widgets.choice_fields import Box, Combo
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.layouts import row_in
from pe_explorer.widgets.line_fields import FileField, LineField, NumberField
from pe_explorer.widgets.sliders import Scale, Slider, scale_of


class ChoiceEditor(Editor):
    """One of several words, each with a tooltip that explains it."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.combo = Combo(parent)
        self._describe(self.combo)
        texts = parameter.texts if isinstance(parameter, Choice) else {}
        for word, meaning in _words(parameter).items():
            self.combo.add(texts.get(word, word), word, meaning)
        self.combo.currentIndexChanged.connect(self._chosen)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.combo.display(self.parameter.format(value))

    def withhold_words(self, words: Collection[str], why: str = "") -> None:
        """Grey out the words that would have no effect, with the reason, and offer all others."""
        for row in range(self.combo.count()):
            word = self.combo.itemData(row)
            self.combo.withhold(word, why if word in words else "")

    @Slot(int)
    def _chosen(self, index: int) -> None:
        if index >= 0:
            word = self.combo.itemData(index)
            value = self.parameter.parse(self.parameter.label, word)
            self.edited.emit(self.name, value)


class FlagEditor(Editor):
    """A box to tick."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.box = Box(parent)
        self._describe(self.box)
        self.box.toggled.connect(self._edit)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value)
        self.box.setText(self.parameter.format(value))

    @Slot(bool)
    def _edit(self, value: Any) -> None:
        super()._edit(value)


def _words(parameter: Parameter) -> dict[str, str]:
    """Return the words of a choice or of a flag, and what each means."""
    if isinstance(parameter, Optional):
        return {parameter.word: f"{parameter.auto}.", **_words(parameter.inner)}
    if isinstance(parameter, Choice):
        return dict(parameter.choices)
    return {parameter.format(value): parameter.help for value in (True, False)}


CHOOSE = "Choose…"
"""On the button of a file."""
LOCATE = "Locate…"
"""On the button of a file that is chosen but cannot be read."""


class LineEditor(Editor):
    """A typed line."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.field = self._make_field(parent)
        self.field.entered.connect(self._edit)
        self.field.refused.connect(self.refused)
        self.field.settled.connect(self.settled)

    def _make_field(self, parent: QWidget) -> LineField:
        return LineField(self.parameter, parent)

    def display(self, value: Any) -> None:
        self.field.display(value)

    def withhold(self, why: str) -> None:
        super().withhold(why)
        self.field.explain(why)

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
        self._scale = scale_of(inner_kind(parameter))
        if self._scale:
            self.slider = self._make_slider(self._scale, parent)
        self.display(parameter.default)

    def _make_field(self, parent: QWidget) -> NumberField:
        return NumberField(self.parameter, parent)

    def _make_slider(self, scale: Scale, parent: QWidget) -> Slider:
        slider = Slider(parent)
        slider.setRange(0, scale.steps)
        slider.set_ticks(scale.ticks)
        slider.setAccessibleName(f"{self.parameter.label} slider")
        slider.setToolTip(parameter_tooltip(self.parameter))
        slider.valueChanged.connect(self._slid)
        slider.sliderReleased.connect(self._released)
        slider.stepped.connect(self._step)
        return slider

    def display(self, value: Any) -> None:
        super().display(value)
        if self.slider and self._scale and not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._scale.step_of(self._number))

    @property
    def _number(self) -> Any:
        """The value; where it is None, the number at which the slider begins."""
        value = self.field.value
        return inner_kind(self.parameter).default if value is None else value

    def _edit_other(self, value: Any) -> None:
        if value != self.field.value:
            self._edit(value)

    @Slot(int)
    def _slid(self, step: int) -> None:
        assert self._scale
        self._edit_other(self._scale.at(step))

    @Slot()
    def _released(self) -> None:
        self.display(self.field.value)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if self._scale:
            self._edit_other(self._scale.moved(self._number, direction, page))


class FileEditor(LineEditor):
    """The name of a file, typed, dropped or chosen."""

    field: FileField
    wide = False

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.below = self.button = QPushButton(CHOOSE, parent)
        self.button.setAutoDefault(False)
        text_width = self.button.fontMetrics().horizontalAdvance(CHOOSE)
        self.button.setMinimumWidth(16 + text_width)
        self.button.setAccessibleName(f"Choose {parameter.label}")
        self.button.setToolTip("<p>Choose a file; you can also drop one on the line.</p>")
        self.button.clicked.connect(self.choose)

    def show_lack(self, lacks: bool) -> None:
        """Show on the button whether the chosen file cannot be read."""
        self.button.setText(LOCATE if lacks and self.field.text() else CHOOSE)

    def _make_field(self, parent: QWidget) -> FileField:
        return FileField(self.parameter, parent)

    @Slot()
    def choose(self) -> None:
        """Open a dialog to choose a file."""
        parameter = inner_kind(self.parameter)
        assert isinstance(parameter, FileName)
        patterns = [f"*{ending} *{ending.upper()}" for ending in parameter.endings]
        kinds = f"{parameter.label} ({' '.join(patterns)})"
        # A child of the window, which closes with the field: as a child of the field it could be
        # deleted while a menu of its own is open.
        dialog = FileChooser(self.field.window(), f"Choose {parameter.label}", kinds)
        if self.field.value:
            dialog.selectFile(self.field.value)
        dialog.fileSelected.connect(self.field.take)
        self.field.destroyed.connect(dialog.reject)
        dialog.open()


class OptionalEditor(Editor):
    """The line of another kind, in which auto can be typed, and a box to tick for auto."""

    def __init__(self, parameter: Optional, inner: LineEditor, parent: QWidget) -> None:
        """Add a box to the editor `inner`."""
        super().__init__(inner.name, parameter, parent)
        self.inner, self.field, self.main = inner, inner.field, inner.main
        self.slider = inner.slider
        self._optional = parameter
        self._last = parameter.inner.default  # the value to go back to when auto is switched off
        self.box = Box(parameter.word, parent)
        self.box.setAccessibleName(f"{parameter.label} {parameter.word}")
        self.box.setToolTip(f"<p>{capitalised(parameter.auto)}.</p>")
        if inner.below:  # which leaves no room in the row
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

    def _beside_box(self, widget: QWidget, parent: QWidget) -> QWidget:
        row = QWidget(parent)
        layout = row_in(row, spacing=5)
        layout.addStretch()
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


def _optional_editor(name: str, parameter: Optional, parent: QWidget) -> Editor:
    """Return a list of words where there are few, with auto as the first, otherwise a line."""
    if isinstance(parameter.inner, Choice | Flag):
        return ChoiceEditor(name, parameter, parent)
    inner = EDITORS[type(parameter.inner)](name, parameter, parent)
    assert isinstance(inner, LineEditor)
    return OptionalEditor(parameter, inner, parent)


EDITORS: dict[type[Parameter], Callable[[str, Any, QWidget], Editor]] = {
    Whole: NumberEditor,
    Real: NumberEditor,
    Choice: ChoiceEditor,
    Words: ChoiceEditor,
    Flag: FlagEditor,
    Numbers: LineEditor,
    Span: LineEditor,
    Replaced: LineEditor,
    Text: LineEditor,
    FileName: FileEditor,
    Optional: _optional_editor,
}
"""What makes the editor of each kind of parameter."""


def editor_for(name: str, parameter: Parameter, parent: QWidget) -> Editor:
    """Return an editor that fits a parameter's kind."""
    return EDITORS[type(parameter)](name, parameter, parent)
