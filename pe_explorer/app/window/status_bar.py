"""The status bar: the state of the active view, messages, and the numbers at the cursor."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from pe_explorer.exploration import Exploration, changes
from pe_explorer.views import PageView
from pe_explorer.widgets.labels import CutLabel

_REPORT_TIME, _REFUSAL_TIME = 4000, 8000  # milliseconds that a message is shown
_GAP = 4  # pixels before the widgets on the right
_GALLERY = "Gallery: a click opens a figure or a lesson, Esc goes back to the panes."


class StatusBar(QStatusBar):
    """A sentence of the active view, with messages in its place for some seconds."""

    def __init__(self, on_the_right: Sequence[QWidget]) -> None:
        super().__init__()
        self._view: PageView | None = None
        self._in_gallery = False
        self.sentence = CutLabel()  # its tooltip has the whole text
        self.addWidget(self.sentence, 1)
        self._on_the_right = on_the_right
        for widget in on_the_right:
            self.addPermanentWidget(widget)
        self.messageChanged.connect(self.setToolTip)  # of a long one, the bar shows the beginning

    def follow(self, view: PageView) -> None:
        if self._view is not None:
            self._view.status_changed.disconnect(self._show_sentence)
        self._view = view
        view.status_changed.connect(self._show_sentence)
        self._show_sentence(view.status)

    @Slot(bool)
    def show_gallery(self, shown: bool) -> None:
        self._in_gallery = shown
        if self._view is not None:
            self._show_sentence(self._view.status)

    @Slot(str)
    def _show_sentence(self, sentence: str) -> None:
        if self._in_gallery:
            sentence = _GALLERY
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)

    @Slot(str)
    def show_report(self, sentence: str) -> None:
        self.showMessage(sentence, _REPORT_TIME)

    @Slot(str)
    def show_refusal(self, sentence: str) -> None:
        self.showMessage(sentence, _REFUSAL_TIME)

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Clear the message on an error that was corrected."""
        if changes(old, new):
            self.clearMessage()

    @property
    def shown_message(self) -> str:
        """The message as far as it fits, with an ellipsis at its end if it was cut."""
        end = Qt.TextElideMode.ElideRight
        text, room = self.currentMessage(), self._room_for_message.width()
        return self.fontMetrics().elidedText(text, end, room)

    @property
    def _room_for_message(self) -> QRect:
        """The place of the sentence, also while it is hidden."""
        right = min(each.x() for each in self._on_the_right if each.isVisible())
        return self.rect().adjusted(self.sentence.x(), 0, right - _GAP - self.width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show a message where the sentence was; Qt would cut it without a sign of that."""
        painter = QPainter(self)
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._room_for_message, middle, self.shown_message)
        painter.end()
