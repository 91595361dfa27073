"""Pasting into any line of the program, Qt's own dialogs included: asked for once, cut to fit.

Qt asks whoever owns the clipboard up to three times for a text, and as often for a context menu.
Where the owner is stopped, it waits five seconds for each answer. A text that is longer than a line
takes is inserted by Qt in a time that grows with the square of what the line takes.
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
_SILENCE = 0.5  # seconds after which an empty answer means that there is none
_NO_ANSWER = (
    "Nothing was pasted: the program that this was copied from does not answer. Copy it again, or "
    "copy it from another program."
)
_WIDEST = 360  # pixels of a sentence
_GAP = 4  # pixels between a line, a sentence and the edge of the window

_Mode = QClipboard.Mode
_Keys = QKeySequence.StandardKey


class Pasting(QObject):
    """Pastes into whatever line has the focus, in place of Qt."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._line: QLineEdit  # the line whose menu was opened last; it may be gone
        app.focusChanged.connect(self._follow_focus)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        line = _line_of(new)
        if new is not None and line is not None:
            line.installEventFilter(self)  # a second time has no effect
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Do what a line would do with the clipboard, and keep the event from it."""
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
            ("Select All", _Keys.SelectAll, line.selectAll, bool(line.text())),
        ):
            if keys is None or slot is None:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setEnabled(possible)
            action.triggered.connect(slot, queued)  # once the line has the focus again
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
    """Insert the text on the clipboard, or say that its owner does not answer.

    It is asked for what it has, and then for one of the texts: whatever it leaves unanswered is
    the last that it is asked.
    """
    begun = monotonic()
    data = QGuiApplication.clipboard().mimeData(mode)
    formats = data.formats() if data else []
    text = ""
    if texts := [each for each in _TEXTS if each in formats]:
        text = bytes(data.data(texts[0]).data()).decode("utf-8", "replace").rstrip("\0")
    elif _FILES in formats:
        text = "\n".join(url.toDisplayString() for url in data.urls())
    if text:
        insert_text(line, text)
    elif monotonic() - begun > _SILENCE:
        _Balloon(line, _NO_ANSWER)


def insert_text(line: QLineEdit, text: str) -> None:
    """Insert a text in place of what is selected, cut to what the line takes; say so if it is."""
    kept = shortened(line, text)
    _begin_undo_step(line)
    line.insert(kept)
    _begin_undo_step(line)
    if len(kept) < len(text):
        said = f"{len(text):,} characters, and this line takes {line.maxLength():,}"
        _Balloon(line, f"The text is cut: it has {said}.")


def shortened(line: QLineEdit, text: str) -> str:
    """Return as much of the beginning of a text as a line takes in place of what is selected."""
    room = line.maxLength() - _units(line.text()) + _units(line.selectedText())
    halves = text[:room].encode("utf-16-le", "replace")
    return halves[: 2 * room].decode("utf-16-le", "ignore")  # half of a character is left out


def _units(text: str) -> int:
    """Return how long Qt counts a text to be: most emoji are two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _begin_undo_step(line: QLineEdit) -> None:
    """Let what comes next be undone by itself, as moving the cursor does."""
    place = line.cursorPosition()
    if line.hasSelectedText() or not line.text():
        return  # replacing a selection begins a step anyway
    line.setCursorPosition(place - 1 if place else 1)
    line.setCursorPosition(place)


class _Balloon(QLabel):
    """A sentence at a line, until something is typed there or some seconds have passed.

    A tooltip would go as soon as the mouse has moved, perhaps while the program waited.
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
        """Go as soon as the line is used again, or goes itself."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide()
            self.deleteLater()
        return False
