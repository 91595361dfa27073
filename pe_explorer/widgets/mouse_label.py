"""A label beside the mouse that shows the values at the pointer."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QWidget

GAP = "   "  # separates the parts of a line, and becomes a line break in long lines
_RIGHT_GAP, _LOWER_GAP, _UPPER_GAP = 12, 22, 8  # pixels between the mouse and the label


class MouseLabel(QLabel):
    """A label that follows the mouse inside a view, below or above the pointer.

    Its accessible name is constant, so that screen readers do not announce each move.
    """

    def __init__(self, view: QWidget) -> None:
        super().__init__(view, margin=3, textFormat=Qt.TextFormat.PlainText)
        self._view = view
        self.setAccessibleName("Values at the mouse")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._mouse_point: QPoint | None = None  # in the view; None initially and during a drag
        self._is_pressed = False  # whether a button is held after a press on the picture
        self._remark = self._values = ""
        self._timer = QTimer(self, singleShot=True, interval=0)  # combines several mouse moves
        self._timer.timeout.connect(self._place)
        self.hide()

    def show_values(self, text: str) -> None:
        """Show values at the mouse; hide the label if it has neither values nor a remark."""
        self._values = text
        self._place()

    def set_remark(self, text: str) -> None:
        """Show a line above the values after a delay; an empty string removes the line."""
        self._remark = text
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            is_press = event.type() == QEvent.Type.MouseButtonPress
            self._is_pressed = is_press or (self._is_pressed and bool(event.buttons()))
            if event.type() == QEvent.Type.MouseMove:
                assert isinstance(watched, QWidget)
                point = watched.mapTo(self._view, event.position().toPoint())
                self._mouse_point = None if self._is_pressed else point
                self._timer.start()
        return False

    @Slot()
    def _place(self) -> None:
        self._timer.stop()
        text = "\n".join(filter(None, (self._remark, self._values)))
        if self._mouse_point is None or not text:
            self.hide()
            return
        width, height = self._view.width(), self._view.height()
        for lines in (text, text.replace(GAP, "\n")):
            self.setText(lines)
            self.adjustSize()
            if self.width() <= width:
                break
        x = min(self._mouse_point.x() + _RIGHT_GAP, width - self.width())
        y = self._mouse_point.y() + _LOWER_GAP
        if y + self.height() > height:
            y = self._mouse_point.y() - _UPPER_GAP - self.height()
        self.move(x, y)
        self.setVisible(x >= 0 and y >= 0)  # otherwise the label does not fit
        self.raise_()
