"""A sentence that covers or replaces a picture, with a button for a remedy."""

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from pe_explorer.widgets.theme import colours

_WIDTH = 420  # preferred width of a note in pixels
_CORNER_RADIUS = 6  # radius in pixels of the corners of a note


class NoteFrame(QFrame):
    """A raised frame with a sentence and a button."""

    accepted = Signal()  # the button was pressed

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("note")
        self.setAccessibleName("Note")
        self._sentence_label = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._remedy_button = QPushButton()
        self._remedy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._remedy_button.clicked.connect(self.accepted)
        column = QVBoxLayout(self)
        column.setContentsMargins(17, 13, 17, 13)
        column.addWidget(self._sentence_label)
        column.addWidget(self._remedy_button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.hide()

    @property
    def sentence(self) -> str:
        return self._sentence_label.text()

    def show_sentence(self, sentence: str, offer: str = "") -> None:
        """Show a sentence, and a button labelled `offer`; hide the part whose text is empty."""
        self._sentence_label.setText(sentence)
        self._remedy_button.setText(offer)
        self._remedy_button.setVisible(bool(offer))
        self.setVisible(bool(sentence))
        self.raise_()

    def place(self, area: QRect, space: QRect) -> None:
        """Centre the note on an area, but keep it inside `space`."""
        width = min(_WIDTH, max(_WIDTH // 3, area.width() - 20))
        width = max(width, self.minimumSizeHint().width())  # never clip the button
        height = max(self.heightForWidth(width), self.sizeHint().height())
        self.setFixedSize(width, height)
        left = min(area.center().x() - width // 2, space.width() - width)
        top = area.center().y() - height // 2
        self.move(max(0, left), max(0, top))

    def paintEvent(self, event: QPaintEvent) -> None:
        shades = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(shades.line))
        painter.setBrush(QColor(shades.raised_background))
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, _CORNER_RADIUS, _CORNER_RADIUS)
        painter.end()
