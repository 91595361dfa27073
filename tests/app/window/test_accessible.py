"""What a screen reader finds in the window, its panels, its popup and its dialogs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QTabBar, QWidget

from tests.app.acts import press_key
from tests.support.accessible import assert_named, focused_within, is_stop, press
from tests.support.gestures import settle

TITLES = ["Explain", "Inspect", "Pins"]
MOST_STOPS = 300
WITH_TOOLTIPS = {
    QAccessible.Role.PushButton,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.Slider,
}
every_page = pytest.mark.parametrize("page", TITLES)


@pytest.fixture
def window(window, qtbot):
    """The window with all panels open, more parameters, a pin, and the cards."""
    window.resize(1280, 800)
    for side in ("encoding", "explain"):
        window.sides.open(side)
    window.panel.form.fold.click()
    window.navigation.pin()
    window.start_cards.open()
    qtbot.waitUntil(lambda: bool(window.start_cards.cards))
    settle(window.model)
    return window


def turn_to(window, page):
    """Turn to a page of the panel on the right."""
    window.right_panel.parts().tabs.setCurrentIndex(TITLES.index(page))
    settle(window.model)


# -- names -----------------------------------------------------------------------------------------


@every_page
def test_every_control_of_the_window_has_a_tooltip_and_a_name_of_its_own(window, page):
    turn_to(window, page)
    assert_named(window, least=90)
    seen = 0
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window or within_another(widget):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is not None and interface.role() in WITH_TOOLTIPS:
            seen += 1
            assert widget.toolTip(), (widget, widget.accessibleName())
    assert seen > 60


def within_another(widget):
    """Return whether a widget is a part that Qt makes: of a bar of tabs or tools, of a list."""
    parts = (QTabBar, QComboBox)
    return isinstance(widget.parent(), parts) or widget.objectName().startswith("qt_")


def test_every_control_of_the_gallery_and_of_a_lesson_has_a_name(window, qtbot):
    window.undoing.undo()  # so that nothing unsaved is asked about
    window.start_cards.put_away()
    window.right_panel.parts().tabs.setCurrentIndex(0)
    window.centre.show_gallery()
    qtbot.waitUntil(lambda: bool(window.centre.page.cards))
    settle(window.model)
    assert_named(window.centre, least=50)
    for name, place in (("000", 0), ("000", 8)):
        progress = window.lesson_walk.progress_of(name)._replace(at=place)
        window.settings.change(lessons={name: progress})
        window.lesson_walk.begin(name)
        settle(window.model)
        assert window.lesson_walk.number == place
        assert_named(window.centre.strip, least=2)
        assert_named(window.right_panel, least=8)


def test_buttons_of_panes_say_which_view_they_are_about(window):
    names = [
        button.accessibleName()
        for view in window.workspace.shown
        for pane in (window.workspace.pane(view),)
        for button in (pane.title, pane.more, pane.maximise, pane.own_window)
    ]
    assert len(set(names)) == len(names) == 12
    window.workspace.pane("clocks").maximise.click()
    settle(window.model)
    assert window.workspace.pane("clocks").maximise.accessibleName() == "Restore: Clocks"


@pytest.mark.parametrize("view", ["heatmap", "clocks", "distances"])
def test_every_option_has_a_name(window, view):
    window.workspace.pane(view).more.click()
    settle(window.model)
    assert_named(window.options_popup, least=4)
    window.options_popup.hide()


# -- keys alone ------------------------------------------------------------------------------------


@every_page
def test_tab_goes_round_cards_headers_views_rail_panels_and_transport(window, page):
    turn_to(window, page)
    first = window.panel.preset_combo
    first.setFocus(Qt.FocusReason.TabFocusReason)
    stops = []
    while not stops or QApplication.focusWidget() is not first:
        stops.append(QApplication.focusWidget())
        assert len(stops) < MOST_STOPS, "Tab never comes back"
        press(Qt.Key.Key_Tab)
    assert len(set(stops)) == len(stops)
    for place in (window.panel, window.rail, window.transport, window.right_panel):
        assert any(place.isAncestorOf(stop) for stop in stops), place
    assert set(window.start_cards.cards) <= set(stops)
    for name in window.workspace.shown:
        pane = window.workspace.pane(name)
        assert {pane.title, pane.more, pane.maximise, pane.own_window, pane.view} <= set(stops)
    back = []
    for _ in stops:
        back.append(QApplication.focusWidget())
        QTest.keyClick(back[-1], Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert back == [first, *reversed(stops[1:])]


def test_a_header_and_its_options_are_used_with_keys(window):
    pane = window.workspace.pane("clocks")
    window.view("clocks").setFocus(Qt.FocusReason.TabFocusReason)
    while not pane.more.hasFocus():
        press(Qt.Key.Key_Backtab)
        assert focused_within(pane), "the header lies before its view"
    press(Qt.Key.Key_Space)
    popup = window.options_popup
    assert popup.isVisible()
    assert popup.options_form.names == ("first", "pairs", "most", "columns", "direction")
    press(Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert focused_within(pane)
    assert window.active_view() is window.view("clocks")


@pytest.mark.parametrize(("side", "key"), [("encoding", "F7"), ("explain", "F8")])
def test_a_drawer_is_put_away_with_esc_and_the_keys_are_for_the_view_again(window, side, key):
    window.start_cards.put_away()
    window.resize(820, 600)
    settle(window.model)
    press_key(window, window.active_view(), getattr(Qt.Key, f"Key_{key}"))
    assert window.sides.is_open(side)
    panel = window.panel if side == "encoding" else window.right_panel
    inside = [each for each in panel.findChildren(QWidget) if is_stop(each)]
    inside[0].setFocus(Qt.FocusReason.TabFocusReason)
    press(Qt.Key.Key_Escape)
    settle(window.model)
    assert not window.sides.is_open(side)
    assert focused_within(window.active_view())
