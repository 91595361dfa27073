"""Functions that lay out widgets in rows, columns and scroll areas."""

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pe_explorer.widgets.theme import colours

_Box = TypeVar("_Box", bound=QBoxLayout)
_Margins = tuple[int, int, int, int]  # left, top, right and bottom margins in pixels


def lay_out_column(
    parent: QWidget, *parts: QWidget, spacing: int | None = None, margins: _Margins = (0, 0, 0, 0)
) -> QVBoxLayout:
    """Lay out widgets in a column; return the layout, so that more widgets can be added."""
    return _fill(QVBoxLayout(parent), parts, spacing, margins)


def lay_out_row(
    parent: QWidget, *parts: QWidget, spacing: int | None = None, margins: _Margins = (0, 0, 0, 0)
) -> QHBoxLayout:
    """Lay out widgets in a row; return the layout, so that more widgets can be added."""
    return _fill(QHBoxLayout(parent), parts, spacing, margins)


def _fill(layout: _Box, parts: Iterable[QWidget], spacing: int | None, margins: _Margins) -> _Box:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        layout.addWidget(part)
    return layout


def make_scroll_area(content: QWidget, name: str) -> QScrollArea:
    """Return a scroll area that scrolls vertically; `name` is for screen readers."""
    area = QScrollArea(widgetResizable=True)
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area


class Separator(QWidget):
    """A thin line between groups."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours(self.palette()).line))
        painter.end()
