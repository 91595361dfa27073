"""Text and borders can be seen on every ground of both themes, as WCAG asks."""

import itertools

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from pe_explorer.colours.themes import DARK, LIGHT
from pe_explorer.widgets.theme import set_widget_theme, use_program_font, use_system_font

THEMES = {"light": LIGHT, "dark": DARK}


def luminance(colour):
    c = np.array(QColor(colour).getRgbF()[:3])
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (
        0.2126,
        0.7152,
        0.0722,
    )


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_every_ground(theme):
    c = THEMES[theme]
    for ground, text in itertools.product(
        (c.window, c.base, c.raised_background), (c.text, c.muted)
    ):
        assert contrast(ground, text) >= 4.5, (ground, text)
    for ground, text in itertools.product((c.window, c.base), (c.accent, c.reference)):
        assert contrast(ground, text) >= 4.5, (ground, text)
    assert contrast(c.accent, c.accent_text) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", [QLineEdit, QComboBox, QPushButton])
def test_fields_and_buttons_are_flat_with_a_border_that_can_be_seen(qapp, qtbot, kind, theme):
    qapp.set_theme(theme)
    around = QWidget()
    qtbot.addWidget(around)
    QVBoxLayout(around).addWidget(kind())
    field = around.findChild(kind)
    around.show()
    image = around.grab().toImage()
    x = field.geometry().center().x() + 5  # beside the caret of an empty line
    column = [image.pixelColor(x, y) for y in range(image.height())]
    borders = [y for y, shade in enumerate(column) if shade == QColor(THEMES[theme].edge)]
    assert len(borders) == 2, "one above and one below, of one pixel each"
    assert contrast(THEMES[theme].edge, THEMES[theme].window) >= 3
    inside = [shade.lightness() for shade in column[borders[0] + 2 : borders[1] - 1]]
    assert max(inside) - min(inside) <= 8, "no bevel"
    qapp.set_theme("light")


@pytest.mark.parametrize("theme", THEMES)
def test_a_widget_can_have_another_theme_than_the_application(qtbot, theme):
    outer, shades = QWidget(), THEMES[theme]
    qtbot.addWidget(outer)
    QVBoxLayout(outer).addWidget(QLineEdit())
    set_widget_theme(outer, theme)
    group, role = QPalette.ColorGroup.Disabled, QPalette.ColorRole
    for place, wanted in ((role.Text, shades.muted), (role.Highlight, shades.line)):
        assert outer.palette().color(group, place).name() == wanted
    for place, wanted in ((role.Window, shades.window), (role.Text, shades.text)):
        assert outer.palette().color(place).name() == wanted
    field = outer.findChild(QLineEdit).palette()
    assert field.color(role.Button).name() == shades.base
    assert field.color(role.Window) == QColor(shades.edge).lighter(140)


@pytest.mark.parametrize("there", [True, False])
def test_the_system_s_font_is_taken_with_the_shipped_one_behind_it(qapp, monkeypatch, there):
    shipped = qapp.font()
    families = ["Cantarell"] if there else shipped.families()
    monkeypatch.setattr("pe_explorer.widgets.theme.QFontDatabase.families", lambda: families)
    try:
        use_system_font(qapp, QFont("Cantarell", 11))
        if there:
            assert qapp.font().families() == ["Cantarell", *shipped.families()]
            assert qapp.font().pointSizeF() == 11
        else:
            assert qapp.font() == shipped
    finally:
        use_program_font(qapp)
    assert qapp.font() == shipped
