"""Fonts that differ a little from that of the application, and texts that fit into a room."""

from collections.abc import Iterable

from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication, QWidget


def set_bold(widget: QWidget, bold: bool = True) -> None:
    """Write the text of a widget in bold, or as usual."""
    font = widget.font()
    font.setBold(bold)
    widget.setFont(font)


def scaled_font(scale: float) -> QFont:
    """Return the font of the application at `scale` times its size."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    return font


def first_fitting(texts: Iterable[str], metrics: QFontMetrics | QFontMetricsF, width: float) -> str:
    """Return the first text that is no wider, in pixels; an empty one where none is."""
    fitting = (text for text in texts if metrics.horizontalAdvance(text) <= width)
    return next(fitting, "")
