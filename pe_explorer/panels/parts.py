"""Headings and lines that divide a panel."""

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.theme import colours


def heading(text: str) -> QLabel:
    """Return a label in bold."""
    label = QLabel(text)
    set_bold(label)
    return label


class Separator(QWidget):
    """A thin line between groups."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours(self.palette()).line))
        painter.end()
