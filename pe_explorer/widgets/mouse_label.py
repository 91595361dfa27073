"""The label at the mouse with the values at this place."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QWidget

GAP = "   "
"""Separator between the parts of a line, which becomes a line break in long lines."""
_RIGHT, _BELOW, _ABOVE = 12, 22, 8  # distances in pixels between the mouse and the label
_PADDING = 3  # pixels around the text


class MouseLabel(QLabel):
    """A label that follows the mouse inside a view, below or above the pointer.

    Its accessible name is constant, so that screen readers do not announce each move.
    """

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.setAccessibleName("Values at the mouse")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setMargin(_PADDING)
        self._mouse: QPoint | None = None  # in coordinates of the view; None during a drag
        self._held = False  # whether a button is held after a press on the picture
        self._remark = self._values = ""
        self._timer = QTimer(self, singleShot=True, interval=0)  # several moves become one
        self._timer.timeout.connect(self._put)
        self.hide()

    def show_values(self, text: str) -> None:
        """Show values at the mouse, or hide the label if they are empty."""
        self._values = text
        self._put()

    def set_remark(self, text: str) -> None:
        """Schedule a line above the values, or remove the line if empty."""
        self._remark = text
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            is_press = event.type() == QEvent.Type.MouseButtonPress
            self._held = is_press or (self._held and bool(event.buttons()))
            if event.type() == QEvent.Type.MouseMove:
                assert isinstance(watched, QWidget)
                here = watched.mapTo(self._view, event.position().toPoint())
                self._mouse = None if self._held else here
                self._timer.start()
        return False

    @Slot()
    def _put(self) -> None:
        self._timer.stop()
        text = "\n".join(filter(None, (self._remark, self._values)))
        if self._mouse is None or not text:
            self.hide()
            return
        room = self._view.size()
        for lines in (text, text.replace(GAP, "\n")):
            self.setText(lines)
            self.adjustSize()
            if self.width() <= room.width():
                break
        x, y = min(self._mouse.x() + _RIGHT, room.width() - self.width()), self._mouse.y() + _BELOW
        if y + self.height() > room.height():
            y = self._mouse.y() - _ABOVE - self.height()
        self.move(x, y)
        self.setVisible(x >= 0 and y >= 0)  # otherwise the label does not fit
        self.raise_()
