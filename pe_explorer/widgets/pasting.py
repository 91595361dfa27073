"""Pasting into any line of the program, including Qt's dialogs.

Qt requests a text from the owner of the clipboard up to three times, also for a context menu, and
waits five seconds each time if the owner is stopped. It inserts a text that is too long for a line
in a time quadratic in the length of the line. Here, the text is requested once and cut to fit.
"""

from time import monotonic

import shiboken6
from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QClipboard,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)

_TEXTS = ("text/plain;charset=utf-8", "text/plain")
_FILES = "text/uri-list"
_SILENCE = 0.5  # seconds after which an empty answer means no answer
_NO_ANSWER = (
    "Nothing was pasted, because the program that you copied from does not respond. Copy again, or "
    "copy from another program."
)
_WIDEST = 360  # maximum width of a sentence in pixels
_GAP = 4  # pixels between a line, a sentence and the edge of the window

_Mode = QClipboard.Mode
_Keys = QKeySequence.StandardKey


class Pasting(QObject):
    """Handles pasting into the focused line instead of Qt."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._line: QLineEdit  # the line with the last menu; may be deleted
        app.focusChanged.connect(self._follow_focus)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        line = _line_of(new)
        if new is not None and line is not None:
            line.installEventFilter(self)  # repeating it has no effect
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type.KeyPress, QEvent.Type.MouseButtonRelease, QEvent.Type.ContextMenu
        if event.type() not in kinds:
            return False
        line = _line_of(watched)
        if line is None or line.isReadOnly() or not line.isEnabled():
            return False
        if isinstance(event, QContextMenuEvent):
            self._open_menu(line, event.globalPos())
            return True
        if isinstance(event, QKeyEvent) and event.matches(_Keys.Paste):
            keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            takes_selection = event.keyCombination() == QKeyCombination(keys, Qt.Key.Key_Insert)
            _paste(line, _Mode.Selection if takes_selection else _Mode.Clipboard)
            return True
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.MiddleButton:
            if QGuiApplication.clipboard().supportsSelection():
                line.deselect()
                _paste(line, _Mode.Selection)
            return True
        return False

    def _open_menu(self, line: QLineEdit, place: QPoint) -> None:
        # Unlike Qt's menu, this one does not query the clipboard.
        self._line = line
        menu = QMenu(line)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = line.hasSelectedText()
        queued = Qt.ConnectionType.QueuedConnection
        for text, keys, slot, possible in (
            ("&Undo", _Keys.Undo, line.undo, line.isUndoAvailable()),
            ("&Redo", _Keys.Redo, line.redo, line.isRedoAvailable()),
            ("", None, None, False),
            ("Cu&t", _Keys.Cut, line.cut, selected),
            ("&Copy", _Keys.Copy, line.copy, selected),
            ("&Paste", _Keys.Paste, self._paste_chosen, True),
            ("Delete", _Keys.Delete, self._delete_chosen, selected),
            ("", None, None, False),
            ("Select all", _Keys.SelectAll, line.selectAll, bool(line.text())),
        ):
            if keys is None or slot is None:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setEnabled(possible)
            action.triggered.connect(slot, queued)  # once the line has the focus
        menu.popup(place)

    @Slot()
    def _paste_chosen(self) -> None:
        if shiboken6.isValid(self._line):
            _paste(self._line, _Mode.Clipboard)

    @Slot()
    def _delete_chosen(self) -> None:
        if shiboken6.isValid(self._line):
            self._line.del_()


def _line_of(widget: QObject | None) -> QLineEdit | None:
    if isinstance(widget, QLineEdit):
        return widget
    if isinstance(widget, QComboBox):
        return widget.lineEdit()
    if isinstance(widget, QAbstractSpinBox):
        return widget.findChild(QLineEdit)
    return None


def _paste(line: QLineEdit, mode: QClipboard.Mode) -> None:
    """Insert the text on the clipboard, or report that its owner does not answer.

    The owner is asked for its formats, then for one text. After an unanswered request, no further
    one is made.
    """
    begun = monotonic()
    data = QGuiApplication.clipboard().mimeData(mode)
    formats = data.formats() if data else []
    text = ""
    if texts := [kind for kind in _TEXTS if kind in formats]:
        text = bytes(data.data(texts[0]).data()).decode("utf-8", "replace").rstrip("\0")
    elif _FILES in formats:
        text = "\n".join(url.toDisplayString() for url in data.urls())
    if text:
        insert_text(line, text)
    elif monotonic() - begun > _SILENCE:
        _Balloon(line, _NO_ANSWER)


def insert_text(line: QLineEdit, text: str) -> None:
    """Replace the selection by a text, cut to fit; report if it is cut."""
    fitting = shortened(line, text)
    _begin_undo_step(line)
    line.insert(fitting)
    _begin_undo_step(line)
    if len(fitting) < len(text):
        lengths = f"{len(text):,} characters, but the limit is {line.maxLength():,}"
        _Balloon(line, f"The text was truncated, because it has {lengths}.")


def shortened(line: QLineEdit, text: str) -> str:
    """Return the start of a text that fits into a line instead of the selection."""
    room = line.maxLength() - _units(line.text()) + _units(line.selectedText())
    halves = text[:room].encode("utf-16-le", "replace")
    return halves[: 2 * room].decode("utf-16-le", "ignore")  # drops half a character


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _begin_undo_step(line: QLineEdit) -> None:
    place = line.cursorPosition()
    if line.hasSelectedText() or not line.text():
        return  # replacing a selection starts a step anyway
    line.setCursorPosition(place - 1 if place else 1)
    line.setCursorPosition(place)


class _Balloon(QLabel):
    """A sentence below a line, for some seconds or until the user types there.

    A tooltip would vanish when the mouse moves, perhaps while the program was waiting.
    """

    def __init__(self, line: QLineEdit, sentence: str) -> None:
        window = line.window()
        super().__init__(sentence, window)
        self.setWordWrap(True)
        self.setMargin(_GAP)
        self.setFrameShape(QFrame.Shape.Box)
        self.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self.setAutoFillBackground(True)
        width = min(_WIDEST, window.width() - 2 * _GAP)
        self.resize(width, self.heightForWidth(width))
        place = line.mapTo(window, QPoint(0, line.height() + _GAP))
        if place.y() + self.height() > window.height():
            place.setY(place.y() - line.height() - 2 * _GAP - self.height())
        place.setX(max(_GAP, min(place.x(), window.width() - width - _GAP)))
        self.move(place)
        line.installEventFilter(self)
        timer = QTimer(self, singleShot=True, interval=8000)  # milliseconds
        timer.timeout.connect(self.deleteLater)
        timer.start()
        self.show()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide()
            self.deleteLater()
        return False
