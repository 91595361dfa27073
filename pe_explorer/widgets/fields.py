"""Editors of single parameters: a typed number with its slider, and a choice."""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from pe_explorer.params import Choice, Parameter, ParameterError
from pe_explorer.widgets.sliders import STEP_KEYS, Slider, scale_of
from pe_explorer.widgets.theme import colours

__all__ = ["ChoiceEditor", "Combo", "Editor", "NumberEditor", "NumberField", "described", "editor_for"]

_MOST_CHARACTERS = 40  # more than any legal number needs; longer text could not be quoted in a message
_ARROW = 34  # pixels of a combo box that are not text


def described(parameter: Parameter) -> str:
    """Return the tooltip of a parameter: name, symbol, unit, help and limits."""
    head = f"<b>{escape(parameter.label)}</b>" + (f" <i>{escape(parameter.symbol)}</i>" if parameter.symbol else "")
    unit = f" ({escape(parameter.unit)})" if parameter.unit else ""
    ending = f"{parameter.limits}; default {parameter.format(parameter.default)}"
    return f"<p>{head}{unit}<br>{escape(parameter.help)}</p><p>{escape(ending)}</p>"


class NumberField(QLineEdit):
    """A number that can be typed, with all the limits of its parameter and no others.

    Text that is no legal value is outlined while it stands there, told by `refused` when it
    is entered, and gone when the field is left or Esc pressed.
    """

    entered = Signal(object)
    refused = Signal(str)
    settled = Signal()
    """What was refused is gone, or being mended."""
    stepped = Signal(int, bool)
    """(direction, page): an arrow or page key asks for the next value."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bad = False
        self._value: Any = parameter.default
        self.setMaxLength(_MOST_CHARACTERS)
        self.set_parameter(parameter)
        self.restore()
        self.textEdited.connect(self._typed)
        self.returnPressed.connect(self.commit)

    @property
    def value(self) -> Any:
        """The last legal value."""
        return self._value

    @property
    def bad(self) -> bool:
        """Whether the text is no legal value."""
        return self._bad

    def read(self) -> Any:
        """Return the value that the text spells, or raise `ParameterError`."""
        return self._parameter.parse(self._parameter.label, self.text())

    def set_parameter(self, parameter: Parameter) -> None:
        """Take other limits."""
        self._parameter = parameter
        self.setAccessibleName(parameter.label)
        self.setAccessibleDescription(f"{parameter.help} {parameter.limits}")
        self.setToolTip(described(parameter))

    def display(self, value: Any) -> None:
        """Show a value, unless someone is typing another."""
        self._value = value
        if not (self.hasFocus() and self.isModified()):
            self.restore()

    @Slot()
    def restore(self) -> None:
        """Show the last legal value in place of what was typed."""
        text = self._parameter.format(self._value)
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.setCursorPosition(0)
        self.setModified(False)
        self._mark(False)

    @Slot()
    def commit(self) -> None:
        """Take the text as the value, or say why not."""
        if not self.isModified():
            return
        try:
            value = self.read()
        except ParameterError as error:
            self._mark(True)
            self.refused.emit(error.sentence)
            return
        self.enter(value)

    def enter(self, value: Any) -> None:
        """Take a value in place of the text, and tell it if it is another."""
        before, self._value = self._value, value
        self.restore()
        if value != before:
            self.entered.emit(value)

    @Slot(str)
    def _typed(self, text: str) -> None:
        try:
            self.read()
        except ParameterError:
            self._mark(True)
        else:
            self._mark(False)
        self.settled.emit()

    def _mark(self, bad: bool) -> None:
        if bad != self._bad:
            self._bad = bad
            self.update()

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if self._claims(event):
            event.accept()  # before the window takes the key for itself
            return True
        if not self.isModified() and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)):
            event.ignore()  # what was entered is a change of the exploration, which the window takes back
            return False
        return super().event(event)

    def _claims(self, event: QKeyEvent) -> bool:
        return event.key() in STEP_KEYS or (event.key() == Qt.Key.Key_Escape and self.isModified())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEP_KEYS.get(Qt.Key(event.key()))
        if step:
            self.commit()
            self.stepped.emit(*step)
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.restore()
            self.settled.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # the context menu, with Paste in it
            self.commit()
            if self._bad:
                self.restore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._bad:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours(self.palette()).reference), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 2, 2)
            painter.end()


class Combo(QComboBox):
    """A combo box that leaves the wheel to others until it has the focus, and fits a narrow panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def add(self, text: str, key: str, help: str) -> None:  # noqa: A002
        """Add an item with its key and tooltip; the list opens as wide as its longest item."""
        self.addItem(text, key)
        self.setItemData(self.count() - 1, f"<p>{escape(help)}</p>", Qt.ItemDataRole.ToolTipRole)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)

    def fit(self) -> None:
        """Be as wide as the longest item, whatever is chosen."""
        self.setFixedWidth(_ARROW + max(self.fontMetrics().horizontalAdvance(self.itemText(row)) for row in range(self.count())))

    def display(self, key: str | None) -> None:
        """Show an item by its key, or none, without telling anyone."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key) if key is not None else -1)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in STEP_KEYS:
            event.accept()
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Editor(QObject):
    """The widgets that edit one parameter; `main` belongs beside the label, `slider` below both."""

    edited = Signal(str, object)
    refused = Signal(str)
    settled = Signal()

    main: QWidget
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

    def _edit(self, value: Any) -> None:
        self.display(value)
        self.edited.emit(self.name, value)


class NumberEditor(Editor):
    """A typed number, with a slider if the parameter has a comfortable range."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.field = NumberField(parameter, parent)
        self.field.entered.connect(self._edit)
        self.field.refused.connect(self.refused)
        self.field.settled.connect(self.settled)
        self.field.stepped.connect(self._step)
        self._scale = scale_of(parameter)
        if self._scale:
            self.slider = Slider(parent)
            self.slider.setRange(0, self._scale.steps)
            self.slider.setAccessibleName(f"{parameter.label} slider")
            self.slider.setToolTip(described(parameter))
            self.slider.valueChanged.connect(self._slid)
            self.slider.sliderReleased.connect(self._released)
            self.slider.stepped.connect(self._step)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.field.display(value)
        if self.slider and self._scale and not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._scale.step_of(value))

    @Slot(object)
    def _edit(self, value: Any) -> None:
        super()._edit(value)

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
            value = self._scale.moved(self.field.value, direction, page)
            if value != self.field.value:
                self._edit(value)


class ChoiceEditor(Editor):
    """One of several names, each with a tooltip that says what it means."""

    def __init__(self, name: str, parameter: Choice, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.combo = Combo(parent)
        self.combo.setAccessibleName(parameter.label)
        self.combo.setAccessibleDescription(parameter.help)
        for choice, meaning in parameter.choices.items():
            self.combo.add(choice, choice, meaning)
        self.combo.setToolTip(described(parameter))
        self.combo.currentIndexChanged.connect(self._chosen)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.combo.display(value)

    @Slot(int)
    def _chosen(self, index: int) -> None:
        if index >= 0:
            self.edited.emit(self.name, self.combo.itemData(index))


def editor_for(name: str, parameter: Parameter, parent: QWidget) -> Editor:
    """Return the editor that fits a parameter's kind."""
    if isinstance(parameter, Choice):
        return ChoiceEditor(name, parameter, parent)
    return NumberEditor(name, parameter, parent)
