"""Fonts that differ a little from those of the application."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

__all__ = ["embolden"]


def embolden(widget: QWidget) -> None:
    """Write the text of a widget in bold."""
    font = widget.font()
    font.setBold(True)
    widget.setFont(font)
