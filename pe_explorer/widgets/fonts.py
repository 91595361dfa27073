"""Variants of the application font, and texts that fit into a width."""

from collections.abc import Iterable

from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication, QWidget


def set_bold(widget: QWidget, is_bold: bool = True) -> None:
    """Make the font of a widget bold, or normal if `is_bold` is false."""
    font = widget.font()
    font.setBold(is_bold)
    widget.setFont(font)


def make_scaled_font(scale: float) -> QFont:
    """Return the font of the application, scaled by `scale`."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    return font


def choose_text(texts: Iterable[str], metrics: QFontMetrics | QFontMetricsF, width: float) -> str:
    """Return the first text that fits into a width in pixels; empty if no text fits."""
    return next((text for text in texts if metrics.horizontalAdvance(text) <= width), "")
