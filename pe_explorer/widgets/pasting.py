"""Pasting into any line edit of the program, including those in Qt's dialogs.

Qt requests text from the owner of the clipboard up to three times, also to open a context menu, and
waits five seconds each time if the owner is suspended. Inserting text that is too long for the
line edit takes quadratic time. This module requests the text once and truncates it.
"""

from time import monotonic

import shiboken6
from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QClipboard,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)

_TEXT_TYPES = ("text/plain;charset=utf-8", "text/plain")
_TIMEOUT = 0.5  # seconds; no text after a longer wait means no response
_NO_RESPONSE_TEXT = (
    "Nothing was pasted, because the program that you copied from does not respond. Copy again, or "
    "copy from another program."
)
_MAX_WIDTH = 360  # maximum width of a sentence in pixels
_GAP = 4  # pixels around a sentence

_ClipboardMode = QClipboard.Mode
_StandardKey = QKeySequence.StandardKey


class PasteHandler(QObject):
    """An event filter that replaces Qt's pasting into the focused line edit."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._line: QLineEdit  # the line edit of the last menu; may be deleted
        app.focusChanged.connect(self._follow_focus)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _old_widget: QWidget | None, new: QWidget | None) -> None:
        line = _find_line(new)
        if new is not None and line is not None:
            line.installEventFilter(self)  # installing the filter twice has no effect
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type.KeyPress, QEvent.Type.MouseButtonRelease, QEvent.Type.ContextMenu
        if event.type() not in kinds:
            return False
        line = _find_line(watched)
        if line is None or line.isReadOnly() or not line.isEnabled():
            return False
        if isinstance(event, QContextMenuEvent):
            self._open_menu(line, event.globalPos())
            return True
        if isinstance(event, QKeyEvent) and event.matches(_StandardKey.Paste):
            keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            is_insert_key = event.keyCombination() == QKeyCombination(keys, Qt.Key.Key_Insert)
            _paste(line, _ClipboardMode.Selection if is_insert_key else _ClipboardMode.Clipboard)
            return True
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.MiddleButton:
            if QApplication.clipboard().supportsSelection():
                line.deselect()
                _paste(line, _ClipboardMode.Selection)
            return True
        return False

    def _open_menu(self, line: QLineEdit, place: QPoint) -> None:
        # Unlike Qt's menu, this menu does not query the clipboard.
        self._line = line
        menu = QMenu(line)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        has_selection = line.hasSelectedText()
        queued_connection = Qt.ConnectionType.QueuedConnection
        for text, keys, slot, is_enabled in (
            ("&Undo", _StandardKey.Undo, line.undo, line.isUndoAvailable()),
            ("&Redo", _StandardKey.Redo, line.redo, line.isRedoAvailable()),
            ("Cu&t", _StandardKey.Cut, line.cut, has_selection),
            ("&Copy", _StandardKey.Copy, line.copy, has_selection),
            ("&Paste", _StandardKey.Paste, self._paste_clipboard, True),
            ("Delete", _StandardKey.Delete, self._delete_selection, has_selection),
            ("Select all", _StandardKey.SelectAll, line.selectAll, bool(line.text())),
        ):
            if text in ("Cu&t", "Select all"):
                menu.addSeparator()
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setEnabled(is_enabled)
            action.triggered.connect(
                slot, queued_connection
            )  # queued until the line edit has the focus again
        menu.popup(place)

    @Slot()
    def _paste_clipboard(self) -> None:
        if shiboken6.isValid(self._line):
            _paste(self._line, _ClipboardMode.Clipboard)

    @Slot()
    def _delete_selection(self) -> None:
        if shiboken6.isValid(self._line):
            self._line.del_()


def _find_line(widget: QObject | None) -> QLineEdit | None:
    if isinstance(widget, QComboBox):
        return widget.lineEdit()
    if isinstance(widget, QAbstractSpinBox):
        return widget.findChild(QLineEdit)
    return widget if isinstance(widget, QLineEdit) else None


def _paste(line: QLineEdit, clipboard_mode: QClipboard.Mode) -> None:
    """Insert the text of the clipboard, or show a message if its owner does not respond."""
    start = monotonic()
    data = QApplication.clipboard().mimeData(clipboard_mode)
    formats = data.formats() if data else []
    text = ""
    if texts := [kind for kind in _TEXT_TYPES if kind in formats]:
        text = bytes(data.data(texts[0]).data()).decode("utf-8", "replace").rstrip("\0")
    elif "text/uri-list" in formats:
        text = "\n".join(url.toDisplayString() for url in data.urls())
    if text:
        insert_text(line, text)
    elif monotonic() - start > _TIMEOUT:
        _Balloon(line, _NO_RESPONSE_TEXT)


def insert_text(line: QLineEdit, text: str) -> None:
    """Replace the selection with text; truncate long text, and show a message."""
    fitting_text = truncate(line, text)
    _begin_undo_step(line)
    line.insert(fitting_text)
    _begin_undo_step(line)
    if len(fitting_text) < len(text):
        lengths = f"{len(text):,} characters, but the limit is {line.maxLength():,}"
        _Balloon(line, f"The text was truncated, because it has {lengths}.")


def truncate(line: QLineEdit, text: str) -> str:
    """Return the start of the text that fits into a line edit in place of the selection."""
    space = (
        line.maxLength() - _count_utf16_units(line.text()) + _count_utf16_units(line.selectedText())
    )
    encoded_text = text[:space].encode("utf-16-le", "replace")
    return encoded_text[: 2 * space].decode("utf-16-le", "ignore")  # drops half of a surrogate pair


def _count_utf16_units(text: str) -> int:
    """Return the length of a string in Qt, which counts UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _begin_undo_step(line: QLineEdit) -> None:
    position = line.cursorPosition()
    if line.text() and not line.hasSelectedText():  # replacing a selection begins a new undo step
        line.setCursorPosition(position - 1 if position else 1)
        line.setCursorPosition(position)


class _Balloon(QLabel):
    """A message below a line edit, visible for eight seconds or until the user types.

    A tooltip would vanish on a mouse move, for example while waiting for the clipboard.
    """

    def __init__(self, line: QLineEdit, sentence: str) -> None:
        window = line.window()
        super().__init__(sentence, window, wordWrap=True, margin=_GAP)
        self.setAutoFillBackground(True)
        self.setFrameShape(self.Shape.Box)
        self.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        width = min(_MAX_WIDTH, window.width() - 2 * _GAP)
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
