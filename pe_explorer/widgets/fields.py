"""Widgets in which one value is typed or chosen: they know a parameter, but no form."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QStyle,
    QStyleOptionButton,
    QStyleOptionFrame,
    QWidget,
)

from pe_explorer.params import FileName, Parameter, ParameterError, capitalised
from pe_explorer.widgets.sliders import STEP_KEYS
from pe_explorer.widgets.theme import colours

__all__ = ["Box", "Combo", "FileField", "LineField", "NumberField", "default_text", "described"]

_MOST_DIGITS = 40  # more than any legal number needs; longer text could not be quoted in a message
_MOST_CHARACTERS = 10_000_000  # of a line; what is longer would be cut without a word
_MOST_SEEN = 1000  # characters of a line that are measured and drawn while it is not edited
_MOST_TOLD = 400  # characters of a value in a tooltip
_ARROW = 34  # pixels of a combo box that are not text
_HELP = Qt.ItemDataRole.UserRole + 1  # of an item: its tooltip while it can be chosen
_NO_BREAK = re.compile(r"[^\s\w]|\w{20}")  # after which a line of a tooltip may break


def described(parameter: Parameter) -> str:
    """Return the tooltip of a parameter: name, symbol, unit, help and limits."""
    symbol = f" <i>{escape(parameter.symbol)}</i>" if parameter.symbol else ""
    unit = f" ({escape(parameter.unit)})" if parameter.unit else ""
    head = f"<b>{escape(parameter.label)}</b>{symbol}{unit}"
    ending = f"{parameter.limits}; default {default_text(parameter)}"
    return f"<p>{head}<br>{escape(parameter.help)}</p><p>{escape(ending)}</p>"


def default_text(parameter: Parameter) -> str:
    """Return how the default is named in a sentence."""
    return parameter.format(parameter.default) or "none"


class LineField(QLineEdit):
    """A line in which a value can be typed, with all the limits of its parameter and no others.

    Text that is no legal value is outlined while it stands there, told by `refused` when it
    is entered, and gone when the field is left or Esc pressed. What does not fit is shown with
    an ellipsis while it is not edited; the text itself is always whole.
    """

    entered = Signal(object)
    refused = Signal(str)
    settled = Signal()
    """What was refused is gone, or being mended."""

    LONGEST = _MOST_CHARACTERS
    CUT = Qt.TextElideMode.ElideRight

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bad = False
        self._value: Any = parameter.default
        self.setMaxLength(self.LONGEST)
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
        self._tell()

    def display(self, value: Any) -> None:
        """Show a value, unless someone is typing another."""
        self._value = value
        if not (self.hasFocus() and self.isModified()):
            self.restore()

    @Slot()
    def restore(self) -> None:
        """Show the last legal value in place of what was typed."""
        text = self._spelled()
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.setCursorPosition(self._seen_end())
        self.setModified(False)
        self._mark(False)
        self._tell()

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

    def _spelled(self) -> str:
        """Return the value as it is shown."""
        return self._parameter.format(self._value)

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

    def _tell(self) -> None:
        """Let the tooltip say what the parameter is, and the whole of a value that is long."""
        text = self._spelled()
        whole = f"<p>{_breakable(text)}</p>" if len(text) > _MOST_DIGITS else ""
        self.setToolTip(described(self._parameter) + whole)

    # -- keys ------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if self._claims(event):
            event.accept()  # before the window takes the key for itself
            return True
        keys = QKeySequence.StandardKey
        if not self.isModified() and (event.matches(keys.Undo) or event.matches(keys.Redo)):
            event.ignore()  # what was entered is a change of the exploration: the window's to undo
            return False
        return super().event(event)

    def _claims(self, event: QKeyEvent) -> bool:
        return event.key() in STEP_KEYS or (event.key() == Qt.Key.Key_Escape and self.isModified())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEP_KEYS.get(Qt.Key(event.key()))
        if step:
            self.step(*step)
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.restore()
            self.settled.emit()
        else:
            super().keyPressEvent(event)

    def step(self, direction: int, page: bool) -> None:
        """Do what an arrow or page key asks for: nothing, where no value follows another."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # the context menu, with Paste in it
            self.commit()
            if self._bad:
                self.restore()

    # -- looks -----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # also where it is painted over: it finds what a click points at
        if not self.hasFocus():
            self._paint_cut()
        if self._bad:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours(self.palette()).reference), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 2, 2)
            painter.end()

    def _paint_cut(self) -> None:
        """Paint the part that fits, if that is not all, with an ellipsis."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        lines = QStyle.SubElement.SE_LineEditContents
        inside = self.style().subElementRect(lines, option, self).adjusted(2, 0, -2, 0)
        text = self.text()
        if len(text) > _MOST_SEEN:
            text = text[-_MOST_SEEN:] if self._seen_end() else text[:_MOST_SEEN]
        if self.fontMetrics().horizontalAdvance(text) <= inside.width():
            return
        cut = self.fontMetrics().elidedText(text, self.CUT, inside.width())
        place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(inside, place | Qt.TextFlag.TextSingleLine, cut)
        painter.end()

    def _seen_end(self) -> int:
        """Return the place of the end that is seen of what does not fit."""
        return len(self.text()) if Qt.TextElideMode.ElideLeft == self.CUT else 0


class NumberField(LineField):
    """A number that can be typed; what the arrow keys do is for whoever owns the field."""

    stepped = Signal(int, bool)
    """(direction, page): an arrow or page key asks for the next value."""

    LONGEST = _MOST_DIGITS

    def step(self, direction: int, page: bool) -> None:
        """Take what is typed, then ask for the next value."""
        self.commit()
        self.stepped.emit(direction, page)


class FileField(LineField):
    """The name of a file, which can be dropped here, too; its end is what is seen."""

    CUT = Qt.TextElideMode.ElideLeft
    _whole = True

    def hide_folder(self) -> None:
        """Show the name without its folder from now on: in a picture, which goes to others."""
        self._whole = False
        self.restore()

    def _spelled(self) -> str:
        text = super()._spelled()
        return text if self._whole else FileName.last_part(text)

    def take(self, path: str) -> None:
        """Take a file that was chosen or dropped, or say why not."""
        try:
            value = self._parameter.check(self._parameter.label, path)
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return
        self.settled.emit()
        self.enter(value)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragEnterEvent(event)
        elif _dropped_file(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragMoveEvent(event)
        elif _dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dropEvent(event)
        elif path := _dropped_file(event.mimeData()):
            event.acceptProposedAction()
            self.take(path)


def _dropped_file(data: QMimeData) -> str:
    """Return the one file of this machine that is dragged, or ``""``."""
    files = [url.toLocalFile() for url in data.urls()]
    return files[0] if len(files) == 1 else ""


def _breakable(text: str) -> str:
    """Return a text for a tooltip, with places to break a line: long paths have no spaces."""
    told = text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]}…"
    return escape(_NO_BREAK.sub("\\g<0>\u200b", told))


class Box(QCheckBox):
    """A box to tick, with an edge that is seen on dark ground, too."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        indicator = QStyle.SubElement.SE_CheckBoxIndicator
        edge = QRectF(self.style().subElementRect(indicator, option, self))
        shades = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(shades.accent if self.hasFocus() else shades.muted))
        painter.drawRoundedRect(edge.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        painter.end()


class Combo(QComboBox):
    """A combo box that fits a narrow panel, and leaves the wheel to it until it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def add(self, text: str, key: str, help: str) -> None:  # noqa: A002
        """Add an item with its key and tooltip; the list opens as wide as its longest item."""
        self.addItem(text, key)
        tip = f"<p>{escape(help)}</p>"
        self.setItemData(self.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.setItemData(self.count() - 1, tip, _HELP)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)

    def withhold(self, key: str, why: str) -> None:
        """Grey out an item, whose tooltip says why; an empty text offers it again."""
        row, model = self.findData(key), self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(row).setEnabled(not why)
        tip = f"<p>{escape(capitalised(why))}.</p>" if why else self.itemData(row, _HELP)
        self.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)

    def fit(self) -> None:
        """Be as wide as the longest item, whatever is chosen."""
        texts = [self.itemText(row) for row in range(self.count())]
        self.setFixedWidth(_ARROW + max(map(self.fontMetrics().horizontalAdvance, texts)))

    def display(self, key: str | None) -> None:
        """Show an item by its key, or none, without telling anyone."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key) if key is not None else -1)

    def event(self, event: QEvent) -> bool:
        override = QEvent.Type.ShortcutOverride
        if isinstance(event, QKeyEvent) and event.type() == override and event.key() in STEP_KEYS:
            event.accept()
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
