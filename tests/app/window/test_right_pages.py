"""The pages of the right panel are found by name and by key, also before they were ever seen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.app.window.palette import Palette


@pytest.mark.parametrize(
    ("modifier", "title"),
    [(Qt.KeyboardModifier.ShiftModifier, "Inspect"), (Qt.KeyboardModifier.ControlModifier, "Pins")],
)
def test_a_key_opens_the_panel_at_a_page(window, modifier, title):
    assert not window.sides.is_open("explain")
    QTest.keyClick(window, Qt.Key.Key_F8, modifier)
    assert window.sides.is_open("explain")
    tabs = window.right_panel.parts().tabs
    assert tabs.tabText(tabs.currentIndex()) == title
    assert tabs.currentWidget().isVisible()


@pytest.mark.parametrize("title", ["Inspect", "Pins"])
def test_the_palette_finds_the_pages_by_their_names(window, title):
    window.actions_by_key["find"].trigger()
    (palette,) = window.findChildren(Palette)
    QTest.keyClicks(palette.line, title.lower())
    items = [palette.list.topLevelItem(place) for place in range(palette.list.topLevelItemCount())]
    assert title in [item.text(0) for item in items]
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)
