"""Palettes of the themes, and the shipped font."""

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QWidget,
)

from pe_explorer.assets import asset
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours

_BORDERED = (QLineEdit, QPlainTextEdit, QComboBox, QPushButton, QCheckBox, QSlider, QHeaderView)
_POINTS = 9.5  # size of the shipped font
_BORDER = 140  # per cent by which Fusion darkens the window's colour for a border


def colours(palette: QPalette) -> Colours:
    """Return the colours that belong to a palette."""
    return DARK if palette.base().color().lightness() < 128 else LIGHT


def pin_shade(colour: str, palette: QPalette) -> str:
    """Return the shade of a pin's colour that belongs to a palette."""
    light, dark = PIN_SHADES[colour]
    return dark if colours(palette) is DARK else light


def apply_theme(app: QApplication, theme: str = "system") -> None:
    """Give the application the Fusion style and the palette of a theme."""
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")
    palette = palette_of(theme)
    app.setPalette(palette)
    bordered = _bordered(palette)
    for kind in _BORDERED:
        app.setPalette(bordered, kind.__name__)  # type: ignore[arg-type]  # the stubs want bytes


def dress(widget: QWidget, theme: str) -> None:
    """Give a widget, with all that is in it, the palette of another theme than the application."""
    palette = palette_of(theme)
    widget.setPalette(palette)
    bordered = _bordered(palette)
    for kind in _BORDERED:
        for each in widget.findChildren(kind):
            each.setPalette(bordered)


def use_shipped_font(app: QApplication) -> None:
    """Write in the font of this program, in which all systems draw the same pictures."""
    if family := _shipped_family():
        font = QFont(family)
        font.setPointSizeF(_POINTS)
        app.setFont(font)


def use_system_font(app: QApplication, font: QFont) -> None:
    """Write in the font of the system where there is one; the shipped one has what it lacks."""
    shipped = _shipped_family()
    if {*QFontDatabase.families()} - {shipped}:
        found = QFont(font)
        found.setFamilies([*font.families(), shipped])
        app.setFont(found)


def palette_of(theme: str) -> QPalette:
    """Return the palette of a theme: system, light or dark."""
    dark = theme == "dark" or (
        theme == "system" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    )
    c = DARK if dark else LIGHT
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
        QPalette.ColorRole.Light: c.line,
        QPalette.ColorRole.Mid: c.edge,
        QPalette.ColorRole.Dark: c.edge,
        QPalette.ColorRole.Link: c.accent,
        QPalette.ColorRole.Highlight: c.accent,
        QPalette.ColorRole.HighlightedText: c.accent_text,
    }
    disabled = {
        QPalette.ColorRole.Text: c.muted,
        QPalette.ColorRole.WindowText: c.muted,
        QPalette.ColorRole.ButtonText: c.muted,
        QPalette.ColorRole.Highlight: c.line,  # of a slider, the part that it has passed
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role, colour in disabled.items():
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colour))
    return palette


@cache
def _shipped_family() -> str:
    families = QFontDatabase.applicationFontFamilies(
        QFontDatabase.addApplicationFont(str(asset("fonts/DejaVuSans.ttf")))
    )
    return families[0] if families else ""


def _bordered(palette: QPalette) -> QPalette:
    """Return the palette of what has a border and a flat ground.

    Fusion makes borders of the window's colour, darker, and grounds of the button's, from a
    lighter one above to a darker one below, which are alike where it is as bright as can be.
    """
    c = colours(palette)
    bordered = QPalette(palette)
    bordered.setColor(QPalette.ColorRole.Window, QColor(c.edge).lighter(_BORDER))
    bordered.setColor(QPalette.ColorRole.Button, QColor(c.base))
    return bordered
