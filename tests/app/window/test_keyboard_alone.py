"""The window by keyboard alone: where Tab goes, and what a screen reader is told there."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QTabBar, QWidget

from tests.support.gestures import settle

MOST_STOPS = 300
CONTROLS = {
    QAccessible.Role.PushButton,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.Slider,
}


@pytest.fixture(params=["Explain", "Inspect", "Pins"])
def window(window, request):
    window.resize(1280, 800)
    settle(window.model)
    for side in ("encoding", "explain"):
        window.sides.open(side)
    window.panel.form.fold.click()
    window.navigation.pin()
    tabs = window.right_panel.parts().tabs
    titles = [tabs.tabText(index) for index in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(request.param))
    settle(window.model)
    return window


def name_of(widget):
    """Return what a screen reader says of a widget; of a list, its label is read by relation."""
    told = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return widget.accessibleName() if isinstance(widget, QComboBox) else told


def stops(window):
    """Return what Tab goes to, from the first preset on until it is back there."""
    first = window.panel.preset_combo
    first.setFocus(Qt.FocusReason.TabFocusReason)
    found = []
    while len(found) < MOST_STOPS:
        found.append(QApplication.focusWidget())
        QTest.keyClick(found[-1], Qt.Key.Key_Tab)
        if QApplication.focusWidget() is first:
            return found
    raise AssertionError("Tab never comes back")


def test_tab_goes_round_the_window_and_every_stop_has_a_name(window):
    found = stops(window)
    for widget in found:
        assert name_of(widget) or widget.accessibleName(), widget
    assert max(Counter(map(id, found)).values()) == 1


def test_tab_reaches_panels_panes_rail_and_transport(window):
    found = stops(window)
    for place in (window.panel, window.rail, window.transport, window.right_panel):
        assert any(place.isAncestorOf(widget) for widget in found), place
    for name in window.workspace.shown:
        assert window.view(name) in found


def test_back_is_the_same_way(window):
    there = stops(window)
    back = []
    for _ in there:
        back.append(QApplication.focusWidget())
        QTest.keyClick(back[-1], Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert back == [there[0], *reversed(there[1:])]


def test_every_control_has_a_name_and_a_tooltip(window):
    seen = 0
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window or within_another(widget):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or interface.role() not in CONTROLS:
            continue
        seen += 1
        assert name_of(widget), widget
        assert widget.toolTip(), (widget, name_of(widget))
    assert seen > 60


def within_another(widget):
    """Return whether a widget is a part that Qt makes: of a bar of tabs or tools, of a list."""
    parts = (QTabBar, QComboBox)
    return isinstance(widget.parent(), parts) or widget.objectName().startswith("qt_")
