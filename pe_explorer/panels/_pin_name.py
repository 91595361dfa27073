"""The name of a pin, which can be chosen and renamed."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from pe_explorer.exploration import Pin
from pe_explorer.params import declared
from pe_explorer.widgets.keys import offered_key
from pe_explorer.widgets.theme import colours

COLOUR = "colour"
COMPARE = "compare"
RESTORE = "restore"
UNPIN = "unpin"
UP = "up"
DOWN = "down"
RENAME = "rename"

KEYS = {
    Qt.Key.Key_Up: UP,
    Qt.Key.Key_Down: DOWN,
    Qt.Key.Key_Delete: UNPIN,
    Qt.Key.Key_Return: RESTORE,
    Qt.Key.Key_Enter: RESTORE,
    Qt.Key.Key_F2: RENAME,
}


HEIGHT = 22
"""Pixels of the height of a row."""

_LONGEST = declared(Pin)["name"].longest  # type: ignore[attr-defined]


class _NameEditor(QLineEdit):
    """A name that is being typed; its keys do not reach other widgets."""

    done = Signal(bool)
    """Whether the name is accepted."""

    def event(self, event: QEvent) -> bool:
        if offered_key(event) == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.done.emit(event.key() != Qt.Key.Key_Escape)
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # the context menu, with Paste in it
            self.done.emit(True)


class PinName(QWidget):
    """The name of a pin; one that is too long is cut in the middle, as the ends differ most."""

    asked = Signal(str)
    """One of the actions was asked for."""
    renamed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        """The whole name."""
        self._editor: _NameEditor | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def editor(self) -> QLineEdit | None:
        """The line in which a new name is being typed, also while the panel is hidden."""
        if self._editor is None or self._editor.isHidden():
            return None
        return self._editor

    def show_text(self, text: str) -> None:
        """Show a name; text that is being typed for another pin is dropped."""
        if text != self.text:
            self._finish(False)
            self.text = text
            self.update()

    def rename(self) -> None:
        """Let another name be typed."""
        if self._editor is None:
            self._editor = self._make_editor()
        self._editor.setText(self.text)
        self._editor.selectAll()
        self._editor.setGeometry(self.rect())
        self._editor.show()
        self._editor.setFocus()

    def _make_editor(self) -> _NameEditor:
        editor = _NameEditor(self)
        editor.setAccessibleName("Name of the pin")
        editor.setToolTip("Enter accepts the name, Esc cancels.")
        editor.setMaxLength(_LONGEST)
        editor.done.connect(self._finish)
        return editor

    @Slot(bool)
    def _finish(self, counts: bool) -> None:
        editor = self.editor
        if editor is None:  # hiding it takes the focus: this is the second time
            return
        had_focus = editor.hasFocus()
        editor.hide()
        if had_focus:
            self.setFocus()
        if counts and editor.text() != self.text:
            self.renamed.emit(editor.text())

    def event(self, event: QEvent) -> bool:
        if offered_key(event) in KEYS and not self.editor:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = KEYS.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        elif action == RENAME:
            self.rename()
        else:
            self.asked.emit(action)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.asked.emit(COMPARE)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.rename()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._editor is not None:
            self._editor.setGeometry(self.rect())

    def sizeHint(self) -> QSize:
        return QSize(80, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        shades = colours(self.palette())
        inside = self.rect().adjusted(3, 0, -3, 0)
        middle = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text, middle, inside.width())
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter = QPainter(self)
        painter.setPen(QColor(shades.text))
        painter.drawText(inside, left | Qt.TextFlag.TextSingleLine, text)
        if self.hasFocus():
            painter.setPen(QColor(shades.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
