"""Lines in which a value, a number or the name of a file is typed: they know no form."""

from typing import Any

from PySide6.QtCore import QEvent, QRectF, Qt, Signal, Slot
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
)
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from pe_explorer.painting.device import guarded
from pe_explorer.params import FileName, Parameter, ParameterError, inner_kind, printed
from pe_explorer.widgets.fonts import first_fitting
from pe_explorer.widgets.keys import key_alone, offered_key
from pe_explorer.widgets.labels import breakable, parameter_tooltip
from pe_explorer.widgets.pasting import insert_text, shortened
from pe_explorer.widgets.sliders import STEP_KEYS
from pe_explorer.widgets.theme import colours

_MOST_SEEN = 1000  # characters that are measured and drawn; no line is wide enough for more


class ElidedLine(QLineEdit):
    """A line whose text, where it does not fit, ends in an ellipsis while it is not edited."""

    ELIDE = Qt.TextElideMode.ElideRight  # the end of the text that an ellipsis hides

    def visible_end(self) -> int:
        """Return the place in the text of the end that is seen."""
        return len(self.text()) if Qt.TextElideMode.ElideLeft == self.ELIDE else 0

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # even if it is painted over: a click needs what it computes
        if self.hasFocus():
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_LineEditContents
        inside = self.style().subElementRect(contents, option, self).adjusted(2, 0, -2, 0)
        metrics, width = self.fontMetrics(), inside.width()
        text = first_fitting(self.shown_forms(), metrics, width) or self._seen_text()
        if text == self.text() and metrics.horizontalAdvance(text) <= width:
            return
        elided = metrics.elidedText(text, self.ELIDE, width)
        placed = self.alignment() | Qt.AlignmentFlag.AlignVCenter
        painter = QPainter(self)
        panel = QStyle.PrimitiveElement.PE_PanelLineEdit
        self.style().drawPrimitive(panel, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(inside, placed | Qt.TextFlag.TextSingleLine, elided)
        painter.end()

    def shown_forms(self) -> tuple[str, ...]:
        """Return the text as it is drawn while it is not edited; the first with room is taken."""
        return (self._seen_text(),)

    def _seen_text(self) -> str:
        text = self.text()
        if len(text) <= _MOST_SEEN:
            return text
        return text[-_MOST_SEEN:] if self.visible_end() else text[:_MOST_SEEN]


_MOST_DIGITS = 40  # more than any legal number needs; longer text could not be quoted in a message
_SHORT = 12  # characters that every line shows
_MOST_CHARACTERS = 1 << 18  # more than any legal text needs; what is pasted is cut to it


class LineField(ElidedLine):
    """A line in which a value is typed; whether it is legal is up to its parameter.

    Text that is not a legal value has an outline. When it is entered it is reported by
    `refused`. It is dropped when the field loses the focus, unless it is live, or Esc is pressed.
    """

    entered = Signal(object)
    refused = Signal(str)
    settled = Signal()  # refused text was dropped, or is being corrected

    LONGEST = _MOST_CHARACTERS

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bad = False  # whether the text is not a legal value
        self._is_live = False
        self.value: Any = parameter.default  # the last legal value
        self._without_effect = ""
        self.setMaxLength(self.LONGEST)
        self.set_parameter(parameter)
        self.restore()
        self.textEdited.connect(self._check_typed)
        self.returnPressed.connect(self.commit)

    def make_live(self) -> None:
        """Take a value while it is typed, and keep text that is none until it is mended.

        An empty line is the default.
        """
        self._is_live = True

    def read(self) -> Any:
        """Return the value of the text, or raise `ParameterError`."""
        if self._is_live and not self.text().strip():
            return self._parameter.default
        return self._parameter.parse(self._parameter.label, self.text())

    def set_parameter(self, parameter: Parameter) -> None:
        self._parameter = parameter
        self.setAccessibleName(parameter.label)
        self.setAccessibleDescription(f"{parameter.help} {parameter.limits}")
        self._update_tooltip()

    def explain(self, without_effect: str) -> None:
        """Show in the tooltip why the value changes nothing now, if it does not."""
        self._without_effect = without_effect
        self._update_tooltip()

    def display(self, value: Any) -> None:
        """Show a value, unless another is being typed."""
        if value == self.value and not self.isModified() and not self.bad:
            return  # it is shown
        self.value = value
        if not (self.hasFocus() and self.isModified()):
            self.restore()

    @Slot()
    def restore(self) -> None:
        """Show the last legal value in place of typed text."""
        text = self.format_value()
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.setCursorPosition(self.visible_end())
        self.setModified(False)
        self._mark(False)
        self._update_tooltip()

    @Slot()
    def commit(self) -> None:
        """Take typed text as the value, or report why it is refused."""
        if not self.isModified():
            return
        try:
            value = self.read()
        except ParameterError as error:
            self._mark(True)
            self.refused.emit(error.sentence)
            return
        self.enter(value)

    def format_value(self) -> str:
        return self._parameter.format(self.value)

    def enter(self, value: Any) -> None:
        """Take a value in place of the text, and announce it if it is another one."""
        before, self.value = self.value, value
        was_bad = self.bad
        self.restore()
        if was_bad:
            self.settled.emit()
        if value != before:
            self.entered.emit(value)

    @Slot()
    def _check_typed(self) -> None:
        before = value = self.value
        try:
            value = self.read()
            self._mark(False)
        except ParameterError:
            self._mark(True)
        self.settled.emit()
        if self._is_live and value != before:
            self.value = value  # the text stays as it is typed
            self.entered.emit(value)

    def _mark(self, bad: bool) -> None:
        if bad != self.bad:
            self.bad = bad
            self.update()

    def _update_tooltip(self) -> None:
        tooltip = parameter_tooltip(self._parameter, self._without_effect)
        text = self.format_value()
        if len(text) > _SHORT:  # the line may not show all of it
            tooltip += f"<p>{breakable(self.shown_forms()[0])}</p>"
        self.setToolTip(tooltip)

    def event(self, event: QEvent) -> bool:
        key = offered_key(event)
        if key in STEP_KEYS or (key == Qt.Key.Key_Escape and self.isModified()):
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            keys = QKeySequence.StandardKey
            undoes = event.matches(keys.Undo) or event.matches(keys.Redo)
            if undoes and not self.isModified():  # nothing typed is left: the window's undo
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = key_alone(event)
        if key in STEP_KEYS:
            self.step(*STEP_KEYS[key])
        elif key == Qt.Key.Key_Escape and self.isModified():
            self.restore()
            self.settled.emit()
        else:
            super().keyPressEvent(event)

    def step(self, direction: int, page: bool) -> None:
        """Do what an arrow or page key asks for: nothing, unless values have a next one."""

    def dropEvent(self, event: QDropEvent) -> None:
        text = event.mimeData().text()
        if len(shortened(self, text)) == len(text):
            super().dropEvent(event)
            return
        event.acceptProposedAction()
        self.setCursorPosition(self.cursorPositionAt(event.position().toPoint()))
        insert_text(self, text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # the context menu, with Paste in it
            self.commit()
            if self.bad and not self._is_live:
                self.restore()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.bad:
            outline = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            colour = QColor(colours(self.palette()).reference)
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour, 2))
            painter.drawRoundedRect(outline, 2, 2)
            painter.end()


class NumberField(LineField):
    """A line in which a number is typed; its owner decides what the arrow keys do."""

    stepped = Signal(int, bool)  # (direction, page): an arrow or page key asks for the next value

    LONGEST = _MOST_DIGITS

    def shown_forms(self) -> tuple[str, ...]:
        """Return the number as people read it: a part of its digits would be another number."""
        text = self.text()
        brief = (printed.short(int(text)),) if text.removeprefix("-").isdecimal() else ()
        return (printed.from_plain(text), *brief, text)

    def go_on(self, by: int) -> None:
        """Take another number, so much further on, within the limits."""
        self.enter(inner_kind(self._parameter).clamp(self.value + by))

    def step(self, direction: int, page: bool) -> None:
        self.commit()
        self.stepped.emit(direction, page)


class FileField(LineField):
    """The name of a file, typed or dropped; where it does not fit, its end is seen."""

    ELIDE = Qt.TextElideMode.ElideLeft
    _shows_folder = True

    def hide_folder(self) -> None:
        """Show the name without its folder from now on, for pictures that are given to others."""
        self._shows_folder = False
        self.restore()

    def format_value(self) -> str:
        name = super().format_value()
        return name if self._shows_folder else FileName.last_part(name)

    def take(self, path: str) -> None:
        """Take a file that was chosen or dropped, or report why it is refused."""
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
        elif dropped_file(event):
            accept_copy(event)
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragMoveEvent(event)
        elif dropped_file(event):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dropEvent(event)
        elif path := dropped_file(event):
            accept_copy(event)
            self.take(path)


def dropped_file(event: QDropEvent) -> str:
    """Return the one local file that is dropped and may be copied, or an empty text."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    may_copy = event.possibleActions() & Qt.DropAction.CopyAction
    return files[0] if len(files) == 1 and may_copy else ""


def accept_copy(event: QDropEvent) -> None:
    """Accept a drop, but never as a move: the owner of the file would delete it."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
