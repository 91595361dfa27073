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

from pe_explorer.assets import find_asset
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours

_BORDERED_WIDGETS = (
    QLineEdit,
    QPlainTextEdit,
    QComboBox,
    QPushButton,
    QCheckBox,
    QSlider,
    QHeaderView,
)
_BORDER_PERCENTAGE = 140  # Fusion draws borders with `darker(140)` of the window colour


def colours(palette: QPalette) -> Colours:
    """Return the colours of the theme that a palette belongs to."""
    return DARK if palette.base().color().lightness() < 128 else LIGHT


def find_pin_shade(colour: str, palette: QPalette) -> str:
    """Return the shade of a pin's colour that suits a palette."""
    light, dark = PIN_SHADES[colour]
    return dark if colours(palette) is DARK else light


def apply_theme(app: QApplication, theme: str = "system") -> None:
    """Set the Fusion style and the palette of a theme for the application."""
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")
    palette = make_palette(theme)
    app.setPalette(palette)
    bordered_palette = _make_bordered_palette(palette)
    for kind in _BORDERED_WIDGETS:
        app.setPalette(bordered_palette, kind.__name__)  # type: ignore[arg-type]  # the stubs want bytes


def set_widget_theme(widget: QWidget, theme: str) -> None:
    """Set the palette of a different theme for a widget and its children."""
    palette = make_palette(theme)
    widget.setPalette(palette)
    bordered_palette = _make_bordered_palette(palette)
    for kind in _BORDERED_WIDGETS:
        for child in widget.findChildren(kind):
            child.setPalette(bordered_palette)


def use_program_font(app: QApplication) -> None:
    """Use the shipped font, so that images are the same on all systems."""
    if family := _load_shipped_family():
        font = QFont(family)
        font.setPointSizeF(9.5)
        app.setFont(font)


def use_system_font(app: QApplication, font: QFont) -> None:
    """Use the system font, if available, with the shipped font for missing characters."""
    shipped_family = _load_shipped_family()
    if {*QFontDatabase.families()} - {shipped_family}:
        combined_font = QFont(font)
        combined_font.setFamilies([*font.families(), shipped_family])
        app.setFont(combined_font)


def make_palette(theme: str) -> QPalette:
    """Return the palette of a theme: system, light or dark."""
    scheme = QGuiApplication.styleHints().colorScheme()
    is_dark = theme == "dark" or (theme == "system" and scheme == Qt.ColorScheme.Dark)
    c = DARK if is_dark else LIGHT
    role_colours = {
        QPalette.ColorRole.Window: c.window,
        QPalette.ColorRole.WindowText: c.text,
        QPalette.ColorRole.Base: c.base,
        QPalette.ColorRole.AlternateBase: c.raised_background,
        QPalette.ColorRole.ToolTipBase: c.raised_background,
        QPalette.ColorRole.ToolTipText: c.text,
        QPalette.ColorRole.Text: c.text,
        QPalette.ColorRole.PlaceholderText: c.muted,
        QPalette.ColorRole.Button: c.raised_background,
        QPalette.ColorRole.ButtonText: c.text,
        QPalette.ColorRole.BrightText: c.reference,
        QPalette.ColorRole.Light: c.line,
        QPalette.ColorRole.Mid: c.edge,
        QPalette.ColorRole.Dark: c.edge,
        QPalette.ColorRole.Link: c.accent,
        QPalette.ColorRole.Highlight: c.accent,
        QPalette.ColorRole.HighlightedText: c.accent_text,
    }
    disabled_colours = {
        QPalette.ColorRole.Text: c.muted,
        QPalette.ColorRole.WindowText: c.muted,
        QPalette.ColorRole.ButtonText: c.muted,
        QPalette.ColorRole.Highlight: c.line,  # the groove of a slider left of the handle
    }
    palette = QPalette()
    for role, colour in role_colours.items():
        palette.setColor(role, QColor(colour))
    for role, colour in disabled_colours.items():
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colour))
    return palette


@cache
def _load_shipped_family() -> str:
    number = QFontDatabase.addApplicationFont(str(find_asset("fonts/DejaVuSans.ttf")))
    return next(iter(QFontDatabase.applicationFontFamilies(number)), "")


def _make_bordered_palette(palette: QPalette) -> QPalette:
    """Return the palette for widgets that need a visible border and a flat background.

    Fusion derives borders from the window colour, and a vertical gradient from the button
    colour. The gradient is flat only for very light colours.
    """
    c = colours(palette)
    bordered_palette = QPalette(palette)
    bordered_palette.setColor(QPalette.ColorRole.Window, QColor(c.edge).lighter(_BORDER_PERCENTAGE))
    bordered_palette.setColor(QPalette.ColorRole.Button, QColor(c.base))
    return bordered_palette
