"""Editors in which a value is typed: text, numbers, names of files."""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from pe_explorer.params import FileName, Parameter, inner_kind
from pe_explorer.widgets._editor import Editor
from pe_explorer.widgets._tooltips import parameter_tooltip
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.line_fields import FileField, LineField, NumberField
from pe_explorer.widgets.sliders import Scale, Slider, scale_of

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
