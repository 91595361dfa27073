"""One row of the list of pins: colour, name and buttons."""

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
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from pe_explorer.colours.dashes import DASHES
from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import Pin
from pe_explorer.painting.curve import dashed_pen
from pe_explorer.params import Numbers, declared, used
from pe_explorer.widgets.keys import offered_key
from pe_explorer.widgets.labels import escaped, paragraph
from pe_explorer.widgets.layouts import row_in
from pe_explorer.widgets.theme import colours, pin_shade

COLOUR = "colour"
COMPARE = "compare"
RESTORE = "restore"
UNPIN = "unpin"
UP = "up"
DOWN = "down"
RENAME = "rename"

_KEYS = {
    Qt.Key.Key_Up: UP,
    Qt.Key.Key_Down: DOWN,
    Qt.Key.Key_Delete: UNPIN,
    Qt.Key.Key_Return: RESTORE,
    Qt.Key.Key_Enter: RESTORE,
    Qt.Key.Key_F2: RENAME,
}

_HEIGHT = 22  # pixels of a row
_LONGEST = declared(Pin)["name"].longest  # type: ignore[attr-defined]
_SWATCH, _MARK = 14, 3  # pixels
_STROKE_WIDTH = 4  # pixels of the piece of a curve
_PIXEL_RATIOS = (1, 2, 3)  # device pixels per pixel


def swatch(colour: str, palette: QPalette) -> QIcon:
    """Return a piece of a pin's curve, as it is on a palette's ground."""
    icon, shade = QIcon(), QColor(pin_shade(colour, palette))
    for ratio in _PIXEL_RATIOS:
        pixmap = QPixmap(_SWATCH * ratio, _SWATCH * ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter, middle = QPainter(pixmap), _SWATCH * ratio // 2
        dashes = [length * ratio / 2 for length in DASHES[colour]]  # more of them
        painter.setPen(dashed_pen(shade, _STROKE_WIDTH * ratio, dashes))
        painter.drawLine(0, middle, 2 * middle, middle)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


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
            self._editor = _NameEditor(self)
            self._editor.setAccessibleName("Name of the pin")
            self._editor.setToolTip("Enter accepts the name, Esc cancels.")
            self._editor.setMaxLength(_LONGEST)
            self._editor.done.connect(self._finish)
        self._editor.setText(self.text)
        self._editor.selectAll()
        self._editor.setGeometry(self.rect())
        self._editor.show()
        self._editor.setFocus()

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
        if offered_key(event) in _KEYS and not self.editor:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = _KEYS.get(Qt.Key(event.key()))
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
        return QSize(80, _HEIGHT)

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


class PinRow(QWidget):
    """Swatch, name, and the buttons of one pin."""

    asked = Signal(int, str)
    """(row, action): the user chose an action."""
    renamed = Signal(int, str)

    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.index = index
        self._marked = False
        self.setFixedHeight(_HEIGHT + 2)
        # Created in the order in which Tab goes through them.
        self.colour = self._button(COLOUR)
        self.name = PinName(self)
        self.name.asked.connect(self._ask)
        self.name.renamed.connect(self._rename)
        self.restore = self._button(RESTORE, "↩")
        self.remove = self._button(UNPIN, "×")
        layout = row_in(self, self.colour, spacing=1, margins=(_MARK + 2, 1, 0, 1))
        layout.addWidget(self.name, 1)
        layout.addWidget(self.restore)
        layout.addWidget(self.remove)

    def _button(self, action: str, text: str = "") -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(action)
        button.setText(text)
        button.setAutoRaise(True)
        button.setFixedSize(20, _HEIGHT)
        button.setIconSize(QSize(_SWATCH, _SWATCH))
        button.clicked.connect(self._press)
        return button

    def show_pin(self, pin: Pin, palette: QPalette, *, compared: bool) -> None:
        """Show a pin, marked if it is the compared one.

        The palette is the panel's: a new one reaches its rows later.
        """
        self._marked = compared
        self.colour.setIcon(swatch(pin.colour, palette))
        self.name.show_text(pin.name)
        self.name.setAccessibleName(pin.name)
        hint, role = "Click to compare with it in the heatmap.", "Pinned."
        if compared:
            hint, role = "The heatmap compares with it.", "Pinned; compared with in the heatmap."
        head = f"<b>{escaped(pin.name)}</b><br>{escaped(_describe(pin.encoding))}"
        self.name.setToolTip(f"<p>{head}</p><p>{hint} Double-click or F2 to rename it.</p>")
        self.name.setAccessibleDescription(role)
        focus = Qt.FocusPolicy
        self.name.setFocusPolicy(focus.StrongFocus if compared else focus.ClickFocus)
        colour_help = f"Colour of {pin.name}: {pin.colour}. Click to change it."
        self._show_button(self.colour, colour_help)
        self._show_button(self.restore, f"Make {pin.name} the current encoding again (Enter).")
        self._show_button(self.remove, f"Unpin {pin.name} (Delete).")
        self.update()

    def _show_button(self, button: QToolButton, help_text: str) -> None:
        button.setAccessibleName(help_text)
        button.setToolTip(paragraph(help_text))
        focus = Qt.FocusPolicy  # Tab goes through one row, not through eight
        button.setFocusPolicy(focus.TabFocus if self._marked else focus.NoFocus)

    def below_swatch(self) -> QPoint:
        """Return the place on the screen of the menu of colours."""
        return self.colour.mapToGlobal(self.colour.rect().bottomLeft())

    @Slot()
    def _press(self) -> None:
        self.asked.emit(self.index, self.sender().objectName())

    @Slot(str)
    def _ask(self, action: str) -> None:
        self.asked.emit(self.index, action)

    @Slot(str)
    def _rename(self, name: str) -> None:
        self.renamed.emit(self.index, name)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._marked:
            shades = colours(self.palette())
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(shades.raised))
            painter.fillRect(QRect(0, 0, _MARK, self.height()), QColor(shades.accent))
            painter.end()


def _describe(e: Encoding | Unknown) -> str:
    """Return scheme and parameters of an encoding, or why there are none."""
    try:
        e = require_known(e, "pin")
    except EncodingError as error:
        return error.sentence
    parts = []
    for name, kind in used(e).items():
        spell = kind.brief if isinstance(kind, Numbers) else kind.format
        parts.append(f"{kind.label} = {spell(getattr(e, name))}")
    return f"{e.title()}: {', '.join(parts)}"
