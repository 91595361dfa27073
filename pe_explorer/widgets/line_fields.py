"""Line edits for values, numbers and file names, independent of forms."""

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

from pe_explorer.painting.device import log_errors
from pe_explorer.params import FileName, Parameter, ParameterError, find_inner_kind, printed
from pe_explorer.widgets.fonts import choose_text
from pe_explorer.widgets.keys import get_claimable_key, get_plain_key
from pe_explorer.widgets.labels import format_value_html, make_parameter_tooltip
from pe_explorer.widgets.pasting import insert_text, truncate
from pe_explorer.widgets.sliders import STEP_KEYS
from pe_explorer.widgets.theme import colours

_MAX_DRAWN_LENGTH = 1000  # longer texts are truncated before measuring and drawing


class ElidedLine(QLineEdit):
    """A line edit that elides its text while the text is not being edited."""

    ELIDE_MODE = Qt.TextElideMode.ElideRight

    def find_visible_end(self) -> int:
        """Return the cursor position at the end that stays visible when the text is elided."""
        return len(self.text()) if Qt.TextElideMode.ElideLeft == self.ELIDE_MODE else 0

    @log_errors
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # needed, although painted over, because clicks use its layout
        if self.hasFocus():
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_LineEditContents
        rect = self.style().subElementRect(contents, option, self).adjusted(2, 0, -2, 0)
        metrics, width = self.fontMetrics(), rect.width()
        text = choose_text(self.list_text_variants(), metrics, width) or self._get_drawn_text()
        if text == self.text() and metrics.horizontalAdvance(text) <= width:
            return
        elided_text = metrics.elidedText(text, self.ELIDE_MODE, width)
        flags = self.alignment() | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter = QPainter(self)
        panel = QStyle.PrimitiveElement.PE_PanelLineEdit
        self.style().drawPrimitive(panel, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(rect, flags, elided_text)
        painter.end()

    def list_text_variants(self) -> tuple[str, ...]:
        """Return variants of the text; the first variant that fits is drawn."""
        return (self._get_drawn_text(),)

    def _get_drawn_text(self) -> str:
        is_end = self.find_visible_end() > 0
        return self.text()[-_MAX_DRAWN_LENGTH:] if is_end else self.text()[:_MAX_DRAWN_LENGTH]


_MAX_SHORT_LENGTH = 12  # text of this length always fits, so its tooltip does not repeat it


class LineField(ElidedLine):
    """A line edit for a value of a parameter, with an outline around invalid text.

    Entering invalid text emits `refused`. Esc discards invalid text. Losing the focus also
    discards invalid text, unless the field is live.
    """

    entered = Signal(object)
    refused = Signal(str)
    settled = Signal()  # invalid text was discarded or is being corrected
    MAX_LENGTH = 1 << 18  # more than any valid text needs; longer pasted text is truncated

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_invalid = False
        self._is_live = False
        self.value: Any = parameter.default  # the last valid value
        self._ineffective_reason = ""  # why the value has no effect, or an empty string
        self.setMaxLength(self.MAX_LENGTH)
        self.set_parameter(parameter)
        self.restore()
        self.textEdited.connect(self._check_text)
        self.returnPressed.connect(self.commit)

    def make_live(self) -> None:
        """Accept values during typing, keep invalid text, and read an empty text as the default."""
        self._is_live = True

    def read(self) -> Any:
        """Return the value of the text; raise `ParameterError` if the text is invalid."""
        if self._is_live and not self.text().strip():
            return self._parameter.default
        return self._parameter.parse(self._parameter.label, self.text())

    def set_parameter(self, parameter: Parameter) -> None:
        self._parameter = parameter
        self.setAccessibleName(parameter.label)
        self.setAccessibleDescription(f"{parameter.help} {parameter.limits}")
        self._update_tooltip()

    def show_reason(self, reason: str) -> None:
        """Show in the tooltip why the value has no effect; an empty string removes the reason."""
        self._ineffective_reason = reason
        self._update_tooltip()

    def display(self, value: Any) -> None:
        if value == self.value and not self.isModified() and not self.is_invalid:
            return
        self.value = value
        if not (self.hasFocus() and self.isModified()):
            self.restore()

    @Slot()
    def restore(self) -> None:
        """Replace the typed text with the last valid value."""
        text = self.format_value()
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.setCursorPosition(self.find_visible_end())
        self.setModified(False)
        self._set_invalid(False)
        self._update_tooltip()

    @Slot()
    def commit(self) -> None:
        """Accept the typed text as a value, or emit `refused` if it is invalid."""
        if not self.isModified():
            return
        try:
            value = self.read()
        except ParameterError as error:
            self._set_invalid(True)
            self.refused.emit(error.sentence)
        else:
            self.enter_value(value)

    def format_value(self) -> str:
        return self._parameter.format(self.value)

    def enter_value(self, value: Any) -> None:
        """Replace the text with a value, and emit `entered` if the value is new."""
        before, was_invalid = self.value, self.is_invalid
        self.value = value
        self.restore()
        if was_invalid:
            self.settled.emit()
        if value != before:
            self.entered.emit(value)

    @Slot()
    def _check_text(self) -> None:
        before = value = self.value
        try:
            value = self.read()
            self._set_invalid(False)
        except ParameterError:
            self._set_invalid(True)
        self.settled.emit()
        if self._is_live and value != before:
            self.value = value  # unlike `enter_value`, keeps the typed text
            self.entered.emit(value)

    def _set_invalid(self, has_invalid_text: bool) -> None:
        if has_invalid_text != self.is_invalid:
            self.is_invalid = has_invalid_text
            self.update()

    def _update_tooltip(self) -> None:
        tooltip = make_parameter_tooltip(self._parameter, self._ineffective_reason)
        if len(self.format_value()) > _MAX_SHORT_LENGTH:
            tooltip += f"<p>{format_value_html(self.list_text_variants()[0])}</p>"
        self.setToolTip(tooltip)

    def event(self, event: QEvent) -> bool:
        key = get_claimable_key(event)
        if key in STEP_KEYS or (key == Qt.Key.Key_Escape and self.isModified()):
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            keys = QKeySequence.StandardKey
            is_undo_or_redo = event.matches(keys.Undo) or event.matches(keys.Redo)
            if (
                is_undo_or_redo and not self.isModified()
            ):  # the window undoes a step if nothing was typed
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = get_plain_key(event)
        if key in STEP_KEYS:
            self.step(*STEP_KEYS[key])
        elif key == Qt.Key.Key_Escape and self.isModified():
            self.restore()
            self.settled.emit()
        else:
            super().keyPressEvent(event)

    def step(self, direction: int, page: bool) -> None:
        """Handle an arrow or page key; by default, do nothing."""

    def dropEvent(self, event: QDropEvent) -> None:
        text = event.mimeData().text()
        if len(truncate(self, text)) == len(text):
            super().dropEvent(event)
        else:
            event.acceptProposedAction()
            self.setCursorPosition(self.cursorPositionAt(event.position().toPoint()))
            insert_text(self, text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # Do not commit while a context menu is open, because the menu may paste text.
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.commit()
            if self.is_invalid and not self._is_live:
                self.restore()

    @log_errors
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.is_invalid:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours(self.palette()).reference), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 2, 2)
            painter.end()


class NumberField(LineField):
    """A line edit for a number; the owner of the field handles the arrow keys."""

    stepped = Signal(int, bool)  # (direction, page): an arrow key or page key was pressed
    MAX_LENGTH = 40  # more than any valid number needs, and few enough to quote in a message

    def list_text_variants(self) -> tuple[str, ...]:
        """Return variants of the number, because an elided number would be misleading."""
        text = self.text()
        short_texts = (
            (printed.format_short_number(int(text)),) if text.removeprefix("-").isdecimal() else ()
        )
        return (printed.format_plain_number(text), *short_texts, text)

    def add(self, amount: int) -> None:
        """Add an amount to the value, and clip the sum to the limits of the parameter."""
        self.enter_value(find_inner_kind(self._parameter).clamp(self.value + amount))

    def step(self, direction: int, page: bool) -> None:
        self.commit()
        self.stepped.emit(direction, page)


class FileField(LineField):
    """A line edit for a typed or dropped file name, elided at its start."""

    ELIDE_MODE = Qt.TextElideMode.ElideLeft
    _is_folder_shown = True

    def hide_folder(self) -> None:
        """Show only the file name, so that images of the window do not reveal its folder."""
        self._is_folder_shown = False
        self.restore()

    def format_value(self) -> str:
        name = super().format_value()
        return name if self._is_folder_shown else FileName.get_last_part(name)

    def enter_path(self, path: str) -> None:
        """Accept a chosen or dropped file, or emit `refused` if it is invalid."""
        try:
            value = self._parameter.check(self._parameter.label, path)
        except ParameterError as error:
            self.refused.emit(error.sentence)
        else:
            self.settled.emit()
            self.enter_value(value)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragEnterEvent(event)
        elif find_dropped_file(event):
            accept_copy(event)
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragMoveEvent(event)
        elif find_dropped_file(event):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dropEvent(event)
        elif path := find_dropped_file(event):
            accept_copy(event)
            self.enter_path(path)


def find_dropped_file(event: QDropEvent) -> str:
    """Return the path of a single dropped local file that may be copied, or an empty string."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    can_copy = event.possibleActions() & Qt.DropAction.CopyAction
    return files[0] if len(files) == 1 and can_copy else ""


def accept_copy(event: QDropEvent) -> None:
    """Accept a drop as a copy, because the source deletes the file after a move."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
