"""One row of the list of pins: colour, name, and what can be done with it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import Pin
from pe_explorer.params import declared
from pe_explorer.widgets.theme import colours, pin_shade

__all__ = ["COLOUR", "COMPARE", "DOWN", "TAKE_BACK", "UNPIN", "UP", "PinRow", "swatch"]

COLOUR, COMPARE, TAKE_BACK, UNPIN, UP, DOWN = (
    "colour",
    "compare",
    "take back",
    "unpin",
    "up",
    "down",
)
"""What can be asked for."""

_RENAME = "rename"
_KEYS = {
    Qt.Key.Key_Up: UP,
    Qt.Key.Key_Down: DOWN,
    Qt.Key.Key_Delete: UNPIN,
    Qt.Key.Key_Return: TAKE_BACK,
    Qt.Key.Key_Enter: TAKE_BACK,
    Qt.Key.Key_F2: _RENAME,
}
_HEIGHT, _SWATCH, _MARK = 24, 12, 3  # pixels
_SIZES = (1, 2, 3)  # pixels a point of screens
_LONGEST = declared(Pin)["name"].longest  # type: ignore[attr-defined]


def swatch(shade: str) -> QIcon:
    """Return a small square of a colour."""
    made = QIcon()
    for ratio in _SIZES:
        pixmap = QPixmap(_SWATCH * ratio, _SWATCH * ratio)
        pixmap.fill(QColor(shade))
        made.addPixmap(pixmap)
    return made


class _Editor(QLineEdit):
    """A name that is being typed; what is done with its keys is nobody else's business."""

    done = Signal(bool)
    """Whether the name counts."""

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
        ):
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
    """The name of a pin, cut in its middle where it is too long: their ends differ most."""

    asked = Signal(str)
    renamed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._editor: _Editor | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def text(self) -> str:
        """The whole name."""
        return self._text

    @property
    def editor(self) -> QLineEdit | None:
        """Where a new name is being typed, if one is."""
        return (
            self._editor if self._editor is not None and not self._editor.isHidden() else None
        )  # open, also where its dock is hidden

    def show_text(self, text: str) -> None:
        """Show a name; one that is being typed for another pin is forgotten."""
        if text != self._text:
            self._finish(False)
            self._text = text
            self.update()

    def rename(self) -> None:
        """Let another name be typed."""
        if self._editor is None:
            self._editor = _Editor(self)
            self._editor.setAccessibleName("Name of the pin")
            self._editor.setToolTip("Enter takes the name, Esc leaves it as it was.")
            self._editor.setMaxLength(_LONGEST)
            self._editor.done.connect(self._finish)
        self._editor.setText(self._text)
        self._editor.selectAll()
        self._editor.setGeometry(self.rect())
        self._editor.show()
        self._editor.setFocus()

    @Slot(bool)
    def _finish(self, counts: bool) -> None:
        editor = self.editor
        if editor is None:  # hiding it takes the focus: the second time
            return
        had_focus = editor.hasFocus()
        editor.hide()
        if had_focus:
            self.setFocus()
        if counts and editor.text() != self._text:
            self.renamed.emit(editor.text())

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in _KEYS
            and not self.editor
        ):
            event.accept()  # before the window takes the key for itself
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        what = _KEYS.get(Qt.Key(event.key()))
        if what is None:
            super().keyPressEvent(event)
        elif what == _RENAME:
            self.rename()
        else:
            self.asked.emit(what)

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
        return QSize(80, _HEIGHT - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, c = QPainter(self), colours(self.palette())
        inside = self.rect().adjusted(3, 0, -3, 0)
        painter.setPen(QColor(c.text))
        text = self.fontMetrics().elidedText(
            self._text, Qt.TextElideMode.ElideMiddle, inside.width()
        )
        painter.drawText(
            inside,
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine,
            text,
        )
        if self.hasFocus():
            painter.setPen(QColor(c.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class PinRow(QWidget):
    """Swatch, name, and the buttons of one pin."""

    asked = Signal(int, str)
    """(row, what): one of the names above was asked for."""
    renamed = Signal(int, str)

    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.index = index
        self._marked = False
        self.setFixedHeight(_HEIGHT)
        self.colour = self._button(COLOUR)  # made in the order of Tab
        self.name = PinName(self)
        self.name.asked.connect(self._ask)
        self.name.renamed.connect(self._rename)
        self.back, self.remove = self._button(TAKE_BACK, "↩"), self._button(UNPIN, "×")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(_MARK + 2, 1, 0, 1)
        layout.setSpacing(1)
        layout.addWidget(self.colour)
        layout.addWidget(self.name, 1)
        layout.addWidget(self.back)
        layout.addWidget(self.remove)

    def _button(self, what: str, text: str = "") -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(what)
        button.setText(text)
        button.setAutoRaise(True)
        button.setFixedSize(20, _HEIGHT - 2)
        button.setIconSize(QSize(_SWATCH, _SWATCH))
        button.clicked.connect(self._press)
        return button

    def show_pin(self, pin: Pin, palette: QPalette, *, compared: bool) -> None:
        """Show a pin, marked if it is the one that is compared with.

        A new palette reaches rows later than their panel.
        """
        self._marked = compared
        self.name.show_text(pin.name)
        self.name.setAccessibleName(pin.name)
        self.name.setAccessibleDescription(
            "Pinned; compared with in the heatmap." if compared else "Pinned."
        )
        self.name.setToolTip(_details(pin, compared))
        self.colour.setIcon(swatch(pin_shade(pin.colour, palette)))
        for button, tip in (
            (self.colour, f"Colour of {pin.name}: {pin.colour}. Click for another."),
            (self.back, f"Take {pin.name} back as the current encoding (Enter)."),
            (self.remove, f"Unpin {pin.name} (Delete)."),
        ):
            button.setAccessibleName(tip)
            button.setToolTip(f"<p>{escape(tip)}</p>")
            button.setFocusPolicy(
                Qt.FocusPolicy.TabFocus if compared else Qt.FocusPolicy.NoFocus
            )  # Tab passes one row, not eight
        self.name.setFocusPolicy(
            Qt.FocusPolicy.StrongFocus if compared else Qt.FocusPolicy.ClickFocus
        )
        self.update()

    def below_swatch(self) -> QPoint:
        """Return where on the screen a menu of colours opens."""
        return self.colour.mapToGlobal(self.colour.rect().bottomLeft())

    @Slot()
    def _press(self) -> None:
        self.asked.emit(self.index, self.sender().objectName())

    @Slot(str)
    def _ask(self, what: str) -> None:
        self.asked.emit(self.index, what)

    @Slot(str)
    def _rename(self, name: str) -> None:
        self.renamed.emit(self.index, name)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._marked:
            painter, c = QPainter(self), colours(self.palette())
            painter.fillRect(self.rect(), QColor(c.raised))
            painter.fillRect(QRect(0, 0, _MARK, self.height()), QColor(c.accent))
            painter.end()


def _details(pin: Pin, compared: bool) -> str:
    """Return the tooltip of a pin: its name and parameters, and what a click does."""
    hint = (
        "The heatmap compares with it." if compared else "Click to compare with it in the heatmap."
    )
    head = f"<p><b>{escape(pin.name)}</b><br>{escape(_described(pin.encoding))}</p>"
    return f"{head}<p>{hint} Double-click or F2 renames it.</p>"


def _described(e: Encoding | Unknown) -> str:
    """Return scheme and parameters of an encoding, or why there are none."""
    try:
        scheme = type(require_known(e, "pin"))
    except EncodingError as error:
        return error.sentence
    names = declared(scheme)
    words = [
        f"{names[key].label} = {names[key].format(value)}" for key, value in e.parameters.items()
    ]
    return f"{scheme.title()}: {', '.join(words)}"
