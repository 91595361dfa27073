"""Palettes of the themes, and the shipped font."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from pe_explorer.assets import asset
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours


def colours(palette: QPalette) -> Colours:
    """Return the colours that belong to a palette."""
    return DARK if palette.window().color().lightness() < 128 else LIGHT


def pin_shade(colour: str, palette: QPalette) -> str:
    """Return the shade of a pin's colour that belongs to a palette."""
    light, dark = PIN_SHADES[colour]
    return dark if colours(palette) is DARK else light


def apply_theme(app: QApplication, theme: str = "system") -> None:
    """Give the application the Fusion style, the palette of a theme, and the shipped font."""
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
    return _palette(DARK if dark else LIGHT)


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
    filled = QPalette.ColorRole.Highlight  # of a slider, the part that it has passed
    palette.setColor(QPalette.ColorGroup.Disabled, filled, QColor(c.line))
    return palette
