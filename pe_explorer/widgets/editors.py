"""Editors of parameters, and the choice of an editor for each kind of parameter."""

from collections.abc import Callable, Collection
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from pe_explorer import params
from pe_explorer.params import Choice, FileName, Optional, Parameter, capitalise, find_inner_kind
from pe_explorer.widgets.choice_fields import CheckBox, Combo
from pe_explorer.widgets.dialogs import FileChooser
from pe_explorer.widgets.labels import make_parameter_tooltip
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.line_fields import FileField, LineField, NumberField
from pe_explorer.widgets.sliders import Slider, make_scale


class Editor(QObject):
    """The widgets that edit one parameter.

    `main`, `slider` and `end` are in the row of the label, and `lower_widget` is in the next row.
    All editors except `FlagEditor` can edit optional parameters, with text that stands for None.
    """

    edited = Signal(str, object)  # (name, value): a new valid value
    refused = Signal(str)  # message about invalid text
    settled = Signal()  # invalid text was discarded or is being corrected

    main: QWidget
    slider: Slider | None = None
    end: QWidget | None = None
    lower_widget: QWidget | None = None
    is_wide = True  # whether `lower_widget` starts under the label

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parent)
        self.name, self.parameter = name, parameter

    @property
    def parts(self) -> list[QWidget]:
        return [part for part in (self.main, self.slider, self.end, self.lower_widget) if part]

    def display(self, value: Any) -> None:
        """Show a value without emitting a signal."""
        raise NotImplementedError

    def set_unavailable(self, reason: str) -> None:
        """Disable the editor and show the reason, or enable the editor if `reason` is empty."""
        for widget in self.parts:
            widget.setEnabled(not reason)
        for widget in filter(None, (self.main, self.slider)):
            widget.setToolTip(make_parameter_tooltip(self.parameter, reason))

    def _describe(self, widget: QWidget) -> None:
        widget.setAccessibleName(self.parameter.label)
        widget.setAccessibleDescription(self.parameter.help)
        widget.setToolTip(make_parameter_tooltip(self.parameter))

    @Slot()
    def reset(self) -> None:
        self._edit(self.parameter.default)

    @Slot(bool)
    @Slot(object)
    def _edit(self, value: Any) -> None:
        self.display(value)
        self.edited.emit(self.name, value)


class ChoiceEditor(Editor):
    """A combo box for one of several words, each with a tooltip."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.combo = Combo(parent)
        self._describe(self.combo)
        texts = parameter.texts if isinstance(parameter, Choice) else {}
        for word, meaning in _words(parameter).items():
            self.combo.add(texts.get(word, word), word, meaning)
        self.combo.currentIndexChanged.connect(self._choose_word)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.combo.display(self.parameter.format(value))

    def set_unavailable_words(self, words: Collection[str], reason: str = "") -> None:
        """Disable some words, with the reason in their tooltips, and enable all others."""
        for row in range(self.combo.count()):
            word = self.combo.itemData(row)
            self.combo.set_unavailable(word, reason if word in words else "")

    @Slot(int)
    def _choose_word(self, index: int) -> None:
        if index >= 0:
            word = self.combo.itemData(index)
            value = self.parameter.parse(self.parameter.label, word)
            self.edited.emit(self.name, value)


class FlagEditor(Editor):
    """A check box for a parameter that is True or False."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.box = CheckBox(parent)
        self._describe(self.box)
        self.box.toggled.connect(self._edit)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value)
        self.box.setText(self.parameter.format(value))


def _words(parameter: Parameter) -> dict[str, str]:
    if isinstance(parameter, Optional):
        return {parameter.word: f"{parameter.auto}.", **_words(parameter.inner)}
    if isinstance(parameter, Choice):
        return dict(parameter.choices)
    return {parameter.format(value): parameter.help for value in (True, False)}


CHOOSE_TEXT = "Choose…"
LOCATE_TEXT = "Locate…"  # button text for a file that cannot be read


class LineEditor(Editor):
    """A line edit for a parameter."""

    field_class: type[LineField] = LineField

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.field = self.field_class(parameter, parent)
        self.field.entered.connect(self._edit)
        self.field.refused.connect(self.refused)
        self.field.settled.connect(self.settled)

    def display(self, value: Any) -> None:
        self.field.display(value)

    def set_unavailable(self, reason: str) -> None:
        super().set_unavailable(reason)
        self.field.show_reason(reason)

    @Slot()
    def reset(self) -> None:
        self.settled.emit()
        self.field.enter_value(self.parameter.default)  # also discards text that is being typed


class NumberEditor(LineEditor):
    """A number field, with a slider if the parameter has a `slider_range`."""

    field: NumberField
    field_class = NumberField

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.field.stepped.connect(self._step)
        self._scale = make_scale(find_inner_kind(parameter))
        if self._scale:
            self.slider = slider = Slider(parent)
            slider.setRange(0, self._scale.steps)
            slider.set_ticks(self._scale.ticks)
            slider.setAccessibleName(f"{parameter.label} slider")
            slider.setToolTip(make_parameter_tooltip(parameter))
            slider.valueChanged.connect(self._follow_slider)
            slider.sliderReleased.connect(self._align_slider)
            slider.stepped.connect(self._step)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        super().display(value)
        if self.slider and self._scale and not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._scale.find_step(self._number))

    @property
    def _number(self) -> Any:
        value = self.field.value
        return find_inner_kind(self.parameter).default if value is None else value

    def _edit_if_new(self, value: Any) -> None:
        if value != self.field.value:
            self._edit(value)

    @Slot(int)
    def _follow_slider(self, step: int) -> None:
        assert self._scale
        self._edit_if_new(self._scale.find_value(step))

    @Slot()
    def _align_slider(self) -> None:
        self.display(self.field.value)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if self._scale:
            self._edit_if_new(self._scale.compute_value_after_step(self._number, direction, page))


class FileEditor(LineEditor):
    """A field for a file name, which can be typed, dropped or chosen."""

    field: FileField
    field_class = FileField
    is_wide = False

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.lower_widget = self.button = QPushButton(CHOOSE_TEXT, parent, autoDefault=False)
        self.button.setMinimumWidth(16 + self.button.fontMetrics().horizontalAdvance(CHOOSE_TEXT))
        self.button.setAccessibleName(f"Choose {parameter.label}")
        self.button.setToolTip("<p>Choose a file, or drop one on this field.</p>")
        self.button.clicked.connect(self.choose)

    def show_unavailable(self, is_missing: bool) -> None:
        self.button.setText(LOCATE_TEXT if is_missing and self.field.text() else CHOOSE_TEXT)

    @Slot()
    def choose(self) -> None:
        parameter = find_inner_kind(self.parameter)
        assert isinstance(parameter, FileName)
        patterns = [f"*{ending} *{ending.upper()}" for ending in parameter.endings]
        kinds = f"{parameter.label} ({' '.join(patterns)})"
        # The parent is the window, because the field could be deleted while a menu is open.
        dialog = FileChooser(self.field.window(), f"Choose {parameter.label}", kinds)
        if self.field.value:
            dialog.selectFile(self.field.value)
        dialog.fileSelected.connect(self.field.enter_path)
        self.field.destroyed.connect(dialog.reject)
        dialog.open()


class OptionalEditor(Editor):
    """A line editor with a check box that sets an optional parameter to None."""

    def __init__(self, parameter: Optional, inner: LineEditor, parent: QWidget) -> None:
        super().__init__(inner.name, parameter, parent)
        self.inner_editor, self.field, self.main = inner, inner.field, inner.main
        self.slider = inner.slider
        self._optional_parameter = parameter
        self._last_value = parameter.inner.default  # value to restore when the box is unchecked
        self.box = CheckBox(parameter.word, parent)
        self.box.setAccessibleName(f"{parameter.label} {parameter.word}")
        self.box.setToolTip(f"<p>{capitalise(parameter.auto)}.</p>")
        if inner.lower_widget:  # the row of the field has no room for the box
            self.lower_widget = QWidget(parent)
            row = lay_out_row(self.lower_widget, spacing=5)
            row.addStretch()
            row.addWidget(inner.lower_widget)
            row.addWidget(self.box)
        else:
            self.end = self.box
        self.box.toggled.connect(self._set_auto)
        self.field.textChanged.connect(self._update_box)
        inner.edited.connect(self._receive_edit)
        inner.refused.connect(self.refused)
        inner.settled.connect(self.settled)
        self.display(parameter.default)
        self._update_box(self.field.text())

    def display(self, value: Any) -> None:
        self.inner_editor.display(value)
        if value is not None:
            self._last_value = value

    def set_unavailable(self, reason: str) -> None:
        super().set_unavailable(reason)
        self.inner_editor.set_unavailable(reason)

    @Slot()
    def reset(self) -> None:
        self.inner_editor.reset()

    @Slot(bool)
    def _set_auto(self, is_auto: bool) -> None:
        self.settled.emit()
        self.field.enter_value(None if is_auto else self._last_value)

    @Slot(str)
    def _update_box(self, text: str) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(self._optional_parameter.is_none_word(text))

    @Slot(str, object)
    def _receive_edit(self, name: str, value: Any) -> None:
        if value is not None:
            self._last_value = value
        self.edited.emit(name, value)


def _make_optional_editor(name: str, parameter: Optional, parent: QWidget) -> Editor:
    if isinstance(parameter.inner, Choice | params.Flag):
        return ChoiceEditor(name, parameter, parent)
    inner = EDITORS[type(parameter.inner)](name, parameter, parent)
    assert isinstance(inner, LineEditor)
    return OptionalEditor(parameter, inner, parent)


EDITORS: dict[type[Parameter], Callable[[str, Any, QWidget], Editor]] = {
    params.Whole: NumberEditor,
    params.Real: NumberEditor,
    Choice: ChoiceEditor,
    params.MultiChoice: ChoiceEditor,
    params.Flag: FlagEditor,
    params.Numbers: LineEditor,
    params.Span: LineEditor,
    params.TextPairs: LineEditor,
    params.Texts: LineEditor,
    params.LabelledNumbers: LineEditor,
    params.Text: LineEditor,
    FileName: FileEditor,
    Optional: _make_optional_editor,
}


def make_editor(name: str, parameter: Parameter, parent: QWidget) -> Editor:
    """Return an editor for a parameter according to its kind."""
    kind = next(kind for kind in type(parameter).__mro__ if kind in EDITORS)
    return EDITORS[kind](name, parameter, parent)
