"""Light and dark palettes, the shipped font, and the colour maps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from pe_explorer.assets import asset
from pe_explorer.flags import THEMES

__all__ = [
    "ANGLE_MAPS",
    "DIVERGING",
    "ORDER_MAP",
    "PIN_SHADES",
    "THEMES",
    "VALUE_MAPS",
    "Colours",
    "apply_theme",
    "colours",
    "lookup",
    "palette_of",
    "pin_shade",
]

VALUE_MAPS = {
    "blue-red": "diverging: -1 blue, 0 white, +1 red",
    "red-blue": "diverging, the other way round, as in the documents",
    "viridis": "sequential, dark to bright, for colour-blind eyes too",
    "cividis": "sequential, made for colour-blind eyes",
    "grey": "sequential, for print",
}
"""Perceptually uniform maps for values, by name."""

DIVERGING = frozenset({"blue-red", "red-blue"})
"""Those with a middle, for values on both sides of 0."""

ANGLE_MAPS = {
    "cyclic": "magenta, yellow, green and blue, back to magenta",
    "cyclic-two": "cyclic in two hues, for colour-blind eyes",
}
"""Perceptually uniform maps whose two ends are one colour."""

ORDER_MAP = "viridis"
"""The map for the order of positions."""

_SHIPPED = {
    "blue-red": "CET-D1A",
    "red-blue": "CET-D1A",
    "viridis": "viridis",
    "cividis": "cividis",
    "grey": "CET-L1",
    "cyclic": "CET-C2",
    "cyclic-two": "CET-CBC1",
}
_REVERSED = {"red-blue"}


@dataclass(frozen=True)
class Colours:
    """What views and widgets draw with."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    line: str
    accent: str
    accent_text: str
    cursor: str
    reference: str


_LIGHT = Colours(
    "#f4f5f7",
    "#ffffff",
    "#e9ebef",
    "#1c2127",
    "#5b6673",
    "#c9ced6",
    "#1f6fb2",
    "#ffffff",
    "#0b0d10",
    "#b8500c",
)
_DARK = Colours(
    "#1d2025",
    "#15171b",
    "#2a2e35",
    "#e4e7ec",
    "#98a2b0",
    "#3d434d",
    "#5aa9e6",
    "#0b1016",
    "#ffffff",
    "#f0a04b",
)


def colours(palette: QPalette) -> Colours:
    """Return the colours that belong to a palette."""
    return _DARK if palette.window().color().lightness() < 128 else _LIGHT


PIN_SHADES = {
    "magenta": ("#fb0ada", "#f523b4"),
    "green": ("#32a772", "#54fa84"),
    "gold": ("#817531", "#f1dd33"),
    "violet": ("#5a28e8", "#684fea"),
    "brown": ("#772e27", "#b24b2e"),
    "teal": ("#074762", "#0a7466"),
    "orange": ("#e17813", "#d48b18"),
    "ink": (_LIGHT.text, _DARK.text),
}
"""The colours of pins on light and on dark ground.

They differ from each other and from the accent in brightness, too, so that they are told
apart with protanopia, deuteranopia and tritanopia.
"""


def pin_shade(colour: str, palette: QPalette) -> str:
    """Return the shade of a pin's colour that belongs to a palette."""
    light, dark = PIN_SHADES[colour]
    return dark if colours(palette) is _DARK else light


def apply_theme(app: QApplication, theme: str = "system") -> None:
    """Dress the application: Fusion style, own palette, shipped font."""
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")
    family = _shipped_family()
    if family and app.font().family() != family:
        font = QFont(family)
        font.setPointSizeF(9.5)
        app.setFont(font)
    app.setPalette(palette_of(theme))


def palette_of(theme: str) -> QPalette:
    """Return the palette of a theme: system, light or dark."""
    dark = theme == "dark" or (
        theme == "system" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    )
    return _palette(_DARK if dark else _LIGHT)


@cache
def _shipped_family() -> str:
    families = QFontDatabase.applicationFontFamilies(
        QFontDatabase.addApplicationFont(str(asset("fonts/DejaVuSans.ttf")))
    )
    return families[0] if families else ""


def _palette(c: Colours) -> QPalette:
    roles = {
        QPalette.ColorRole.Window: c.window,
        QPalette.ColorRole.WindowText: c.text,
        QPalette.ColorRole.Base: c.base,
        QPalette.ColorRole.AlternateBase: c.raised,
        QPalette.ColorRole.ToolTipBase: c.raised,
        QPalette.ColorRole.ToolTipText: c.text,
        QPalette.ColorRole.Text: c.text,
        QPalette.ColorRole.PlaceholderText: c.muted,
        QPalette.ColorRole.Button: c.raised,
        QPalette.ColorRole.ButtonText: c.text,
        QPalette.ColorRole.BrightText: c.reference,
        QPalette.ColorRole.Link: c.accent,
        QPalette.ColorRole.Highlight: c.accent,
        QPalette.ColorRole.HighlightedText: c.accent_text,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.ButtonText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.muted))
    return palette


@cache
def lookup(name: str, size: int = 256) -> npt.NDArray[np.uint8]:
    """Return a colour map as a table of RGB bytes, shape (size, 3)."""
    table: npt.NDArray[np.uint8] = pg.colormap.get(_SHIPPED[name]).getLookupTable(
        nPts=size, alpha=False
    )
    return table[::-1].copy() if name in _REVERSED else table
