"""A label in one of the colours of the theme."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel

from pe_explorer.widgets.theme import colours

Shade = Literal["text", "muted", "accent"]
"""Names of colours of the theme."""


class TintedLabel(QLabel):
    """A label in one of the theme's colours; it follows a change of the theme."""

    _shade: Shade = "muted"

    def __init__(self, text: str = "", *, scale: float = 1.0) -> None:
        """Begin with the muted colour, and with a font of `scale` times the usual size."""
        super().__init__(text)
        if scale != 1:
            font = self.font()
            font.setPointSizeF(font.pointSizeF() * scale)
            self.setFont(font)
        self._tint()

    def set_shade(self, shade: Shade) -> None:
        """Take another colour."""
        self._shade = shade
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        palette = self.palette()
        colour = getattr(colours(palette), self._shade)
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        self.setPalette(palette)
