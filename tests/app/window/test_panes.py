"""The rail, the panes and the panels beside them, as a person uses them."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QSplitterHandle,
    QToolButton,
    QWidget,
)

from pe_explorer import pictures
from pe_explorer.exploration import Panes, panes_of
from pe_explorer.exploration.panes import ARRANGEMENTS, closed
from tests.app.acts import change, click_on, encode, press_key
from tests.support.gestures import enter_text, settle
from tests.support.windows import trigger

LEFT = Qt.MouseButton.LeftButton
PLAIN, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def on_rail(window, name, modifiers=PLAIN):
    """Click a view on the rail."""
    QTest.mouseClick(window.rail.buttons[name], LEFT, modifiers)
    settle(window.model)


def panes(window):
    return window.model.state.panes


def visible(window):
    """Return the views that a person sees, in any order."""
    return {name for name, view in window.workspace.built.items() if view.isVisible()}


def following(window):
    """Return the views that follow the model."""
    return {name for name, view in window.workspace.built.items() if view.attached}


def part_of_window(window, name):
    size = window.workspace.pane(name).size()
    return size.width() * size.height() / (window.width() * window.height())


# -- the rail --------------------------------------------------------------------------------------


def test_every_view_has_its_place_and_only_those_in_panes_are_made(window):
    """However many there are, the window is as small as with three, and the rail has room."""
    assert set(window.rail.buttons) == set(pictures.names())
    heights = [window.rail.buttons[name].y() for name in pictures.names()]
    assert heights == sorted(heights)
    assert set(window.workspace.built) == set(panes(window).views)
    window.resize(100, 100)
    settle(window.model)
    assert (window.width(), window.height()) == (800, 560)
    window.resize(1280, 800)
    settle(window.model)
    last = list(window.rail.buttons.values())[-1]
    assert last.mapTo(window, last.rect().bottomLeft()).y() <= 800
    assert part_of_window(window, "heatmap") >= 1 / 3
    trigger(window, "one")
    assert part_of_window(window, "heatmap") >= 0.5
    window.sides.open("explain")
    settle(window.model)
    assert part_of_window(window, "heatmap") >= 0.45


def test_a_click_shows_a_view_in_the_active_pane_and_ctrl_click_beside(window):
    change(window, panes=panes_of(["heatmap", "clocks"]))
    on_rail(window, "distances")
    assert panes(window) == Panes(("distances", "clocks"), "beside", "distances")
    assert visible(window) == {"distances", "clocks"}
    on_rail(window, "clocks")  # which is seen: it becomes active
    assert panes(window).views == ("distances", "clocks")
    assert window.active_view() is window.view("clocks")
    assert window.view("clocks").hasFocus()
    on_rail(window, "heatmap", CONTROL)  # beside the others
    assert panes(window) == Panes(("distances", "clocks", "heatmap"), "over-two", "heatmap")
    for left in (2, 1, 1):
        trigger(window, "close_pane")
        assert len(panes(window).views) == left
    trigger(window, "own_window")  # of the only pane
    assert len(panes(window).views) == 1
    assert visible(window) == {window.active_view().picture.name, *panes(window).views}


def test_the_rail_marks_what_is_seen_and_is_used_by_keyboard_alone(window):
    trigger(window, "one")
    checked = {name for name, button in window.rail.buttons.items() if button.isChecked()}
    assert checked == {"heatmap"}
    bold = {name for name, button in window.rail.buttons.items() if button.font().bold()}
    assert bold == {"heatmap"}
    first = window.rail.buttons["heatmap"]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Down)
    below = QApplication.focusWidget()
    second = pictures.names()[1]
    assert below is window.rail.buttons[second]
    press_key(window, below, Qt.Key.Key_Return)
    assert visible(window) == {second}


# -- the panes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_each_arrangement_places_its_views(window, arrangement):
    window.resize(1280, 800)
    trigger(window, arrangement)
    names = panes(window).views
    assert panes(window).arrangement == arrangement
    assert visible(window) == following(window) == set(names)
    corners = []
    for name in names:
        pane = window.workspace.pane(name)
        corners.append(pane.mapTo(window, QPoint(0, 0)))
    for before, after in pairwise(corners):
        assert after.x() > before.x() or after.y() > before.y()
    rows = len({corner.y() for corner in corners})
    columns = len({corner.x() for corner in corners})
    expected = {"one": (1, 1), "beside": (1, 2), "stacked": (2, 1), "over-two": (2, 2)}
    assert (rows, columns) == expected.get(arrangement, (1, 3))
    assert [a for a in ARRANGEMENTS if window.actions_by_key[a].isChecked()] == [arrangement]


def test_what_is_not_seen_computes_nothing(window):
    trigger(window, "one")
    hidden = [window.view(name) for name in ("clocks", "distances")]
    assert not any(view.attached for view in hidden)
    drawn = []
    for view in hidden:
        view.show_figure = lambda *given, **_: drawn.append(given)
    encode(window, base=123.0)
    assert drawn == []


def test_panes_are_no_step_of_undo_and_no_change_of_the_document(window):
    steps = window.history.stack.count()
    trigger(window, "stacked")
    on_rail(window, "distances")
    assert window.history.stack.count() == steps
    assert not window.isWindowModified()
    encode(window, base=77.0)
    trigger(window, "one")
    before = panes(window)
    trigger(window, "undo")
    assert window.model.state.encoding.base == 10_000
    assert panes(window) == before


def test_the_active_pane_stays_active_while_a_panel_is_used(window, qtbot):
    on_rail(window, "distances")
    enter_text(qtbot, window.panel.form.editor("base").main, "500")
    settle(window.model)
    assert window.active_view() is window.view("distances")
    trigger(window, "copy_command")
    assert "render distances" in QApplication.clipboard().text()


def parts_of_header(window, name):
    """Return what can be clicked in the header of a pane, and the header itself."""
    pane = window.workspace.pane(name)
    parts = [part for part in pane.header.findChildren(QWidget) if part.isVisible()]
    return [pane.header, *parts]


@pytest.mark.parametrize("name", pictures.names())
def test_a_click_on_anything_in_a_header_makes_its_pane_active(window, name):
    other = "heatmap" if name != "heatmap" else "clocks"
    window.workspace.set_panes(panes_of((other, name)))
    window.model.set(position=10**6)  # so that there is a chip that leads there
    settle(window.model)
    seen = 0
    for part in parts_of_header(window, name):
        window.workspace.set_panes(panes_of((other, name), active=other), maximised=False)
        window.workspace.focus(other)
        settle(window.model)
        if not part.isVisible():
            continue  # the click before has changed the header
        menu = part.menu() if isinstance(part, QToolButton) else None
        if menu is not None:
            QTimer.singleShot(0, menu.close)  # or the click would wait for a choice
        QTest.mouseClick(part, LEFT)
        if isinstance(part, QComboBox):
            part.hidePopup()
        window.options_popup.hide()
        settle(window.model)
        assert window.active_view().picture.name == name, part
        seen += 1
    assert seen > 2


def test_f6_goes_from_pane_to_pane(window):
    seen = []
    for _ in range(4):
        seen.append(window.active_view().picture.name)
        trigger(window, "next_pane")
    assert seen == ["heatmap", "clocks", "distances", "heatmap"]
    trigger(window, "previous_pane")
    assert window.active_view().picture.name == "heatmap"


def test_a_double_click_on_the_header_maximises_and_again_restores(window):
    before = panes(window)
    pane = window.workspace.pane("clocks")
    free = QPoint(pane.width() // 2, 1)
    QTest.mouseDClick(pane.header, LEFT, PLAIN, free)
    settle(window.model)
    assert visible(window) == {"clocks"}
    assert panes(window).views == before.views  # a setting of the window, not of the session
    QTest.mouseDClick(pane.header, LEFT, PLAIN, free)
    settle(window.model)
    assert visible(window) == set(before.views)


def test_a_pane_gets_a_window_of_its_own_and_comes_back(window):
    click_on(window, window.workspace.pane("clocks").own_window)
    assert window.view("clocks").window() is not window
    assert window.view("clocks").attached
    assert panes(window).views == ("heatmap", "distances")
    assert window.active_view() is window.view("clocks")
    click_on(window, window.workspace.pane("clocks").own_window)
    assert window.view("clocks").window() is window
    assert set(panes(window).views) == {"heatmap", "clocks", "distances"}


def on_screen(widget):
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def framed(window):
    """Return the place of a window with the title bar that a window manager adds."""
    return QRect(window.pos(), window.size() + QSize(0, 32))


@pytest.mark.parametrize(("width", "height"), [(800, 800), (800, 560)])
@pytest.mark.parametrize("name", ["heatmap", "clocks", "distances"])
def test_a_window_of_a_view_covers_panes_alone_or_nothing(window, width, height, name):
    window.setGeometry(0, 0, width, height)
    settle(window.model)
    before = on_screen(window.workspace)
    window.workspace.focus(name)
    trigger(window, "own_window")
    apart = framed(window.view(name).window())
    assert window.screen().availableGeometry().contains(apart)
    assert before.contains(apart) or not apart.intersects(window.frameGeometry())
    for other in (window.transport, window.rail, window.menuBar(), window.bars.top):
        assert not apart.intersects(on_screen(other)), other
    assert apart.width() >= 200
    assert apart.height() >= 140
    trigger(window, "own_window")


def test_beside_a_view_in_its_own_window_other_panes_become_active(window):
    window.workspace.focus("clocks")
    trigger(window, "own_window")
    assert window.view("clocks").hasFocus()
    seen = []
    for _ in range(4):
        seen.append(window.active_view().picture.name)
        trigger(window, "next_pane")
    assert seen == ["clocks", "heatmap", "distances", "clocks"]
    on_rail(window, "distances")
    assert window.active_view() is window.view("distances")
    assert window.workspace.pane("distances").active
    assert not window.workspace.pane("clocks").active
    assert window.isActiveWindow()
    on_rail(window, "clocks")
    assert window.active_view() is window.view("clocks")


def test_a_window_of_a_view_that_is_closed_puts_the_view_away(window):
    trigger(window, "own_window")
    window.view("heatmap").window().close()
    settle(window.model)
    assert "heatmap" not in visible(window)
    assert not window.view("heatmap").attached
    on_rail(window, "heatmap")
    assert "heatmap" in visible(window)


def test_the_drop_down_changes_places(window):
    pane = window.workspace.pane("heatmap")
    (entry,) = [each for each in pane.title.menu().actions() if each.data() == "distances"]
    entry.trigger()
    settle(window.model)
    assert panes(window) == Panes(("distances", "clocks", "heatmap"), "over-two", "distances")


def test_keys_do_in_an_own_window_what_they_do_elsewhere(window, qtbot):
    window.workspace.focus("heatmap")
    trigger(window, "own_window")
    heatmap = window.view("heatmap")
    apart = heatmap.window()
    apart.activateWindow()
    qtbot.waitUntil(apart.isActiveWindow)
    assert QApplication.focusWidget() is heatmap
    position = window.model.state.position
    press_key(window, heatmap, Qt.Key.Key_Down)
    assert window.model.state.position == position + 1
    QTest.keyClick(heatmap, Qt.Key.Key_Space)
    assert window.model.playhead.playing
    QTest.keyClick(heatmap, Qt.Key.Key_Space)
    assert not window.model.playhead.playing
    press_key(window, heatmap, Qt.Key.Key_P, CONTROL)
    assert window.model.state.pins
    press_key(window, heatmap, Qt.Key.Key_Z, CONTROL)
    assert not window.model.state.pins
    more = window.workspace.pane("heatmap").more
    more.setFocus()
    QTest.keyClick(more, Qt.Key.Key_Space)
    assert not window.model.playhead.playing  # it presses the button that has the focus
    assert window.options_popup.isVisible()
    window.options_popup.hide()
    heatmap.setFocus()
    QTest.keyClick(heatmap, Qt.Key.Key_F6)
    qtbot.waitUntil(window.isActiveWindow)
    assert window.workspace.active is not heatmap
    assert window.workspace.active.hasFocus()
    apart.activateWindow()
    qtbot.waitUntil(apart.isActiveWindow)
    press_key(window, heatmap, Qt.Key.Key_W, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert heatmap.window() is window


def test_reset_layout_puts_all_views_back_into_the_panes(window):
    first = panes(window)
    window.workspace.focus("heatmap")
    trigger(window, "own_window")
    assert window.view("heatmap").window() is not window
    trigger(window, "reset_layout")
    assert (panes(window).views, panes(window).arrangement) == (first.views, first.arrangement)
    assert window.view("heatmap").window() is window
    trigger(window, "over-two")
    trigger(window, "maximise")
    assert len(visible(window)) == 1
    trigger(window, "reset_layout")
    settle(window.model)
    assert visible(window) == set(first.views)


def test_a_closed_window_does_nothing_more(window):
    before = panes(window)
    window.leave()
    for key in (*ARRANGEMENTS, "next_pane", "maximise", "own_window", "close_pane"):
        window.actions_by_key[key].trigger()
    window.rail.buttons["clocks"].click()
    window.workspace.pane("heatmap").title.menu().actions()[1].trigger()
    assert panes(window) == before


# -- sizes and panels ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "drawers"),
    [(1280, set()), (1099, {"explain"}), (1024, {"explain"}), (899, {"explain", "encoding"})],
)
def test_panels_are_drawers_where_there_is_no_room(window, width, drawers):
    window.resize(width, 700)
    settle(window.model)
    assert {name for name in ("encoding", "explain") if window.sides.is_drawer(name)} == drawers
    for name in sorted(drawers):
        assert not window.sides.is_open(name)
        trigger(window, name)
        assert window.sides.is_open(name)
        settle(window.model)
    before = window.width()
    free = window.workspace.mapTo(window, QPoint(0, 0)).x(), window.workspace.width()
    covered = [drawer.geometry() for drawer in window.findChildren(QFrame) if is_drawer(drawer)]
    assert len(covered) == len(drawers)
    if len(drawers) < 2:  # of both, one lies over the panes, as there is no room for it
        assert all(each.left() >= sum(free) or each.right() < free[0] for each in covered)
    assert window.width() == before
    for name in drawers:
        trigger(window, name)


def is_drawer(widget):
    return widget.isVisible() and widget.accessibleName().endswith("drawer")


def test_a_drawer_is_used_and_put_away_with_the_keys(window, qtbot):
    window.resize(820, 600)
    settle(window.model)
    trigger(window, "encoding")
    enter_text(qtbot, window.panel.form.editor("base").main, "500")
    settle(window.model)
    assert window.model.state.encoding.base == 500
    press_key(window, window.panel.note, Qt.Key.Key_Escape)
    assert not window.sides.is_open("encoding")
    window.resize(1280, 800)
    settle(window.model)
    assert window.sides.is_open("encoding")  # as it was while there was room
    assert window.panel.window() is window


def border(window):
    """Return the border between two panes."""
    handles = window.workspace.splits.findChildren(QSplitterHandle)
    seen = [handle for handle in handles if handle.isVisible()]
    (handle,) = (each for each in seen if each.accessibleName() == "Border between panes")
    return handle


@pytest.mark.parametrize(
    ("arrangement", "key", "grown"),
    [
        ("beside", Qt.Key.Key_Right, (16, 0)),
        ("beside", Qt.Key.Key_Left, (-16, 0)),
        ("stacked", Qt.Key.Key_Down, (0, 16)),
    ],
)
def test_the_border_between_panes_can_be_moved_by_keys(window, arrangement, key, grown):
    trigger(window, arrangement)
    pane = window.workspace.pane("heatmap")
    before = pane.size()
    handle = border(window)
    handle.setFocus()
    press_key(window, handle, key)
    assert (pane.width() - before.width(), pane.height() - before.height()) == grown


def test_a_field_with_the_focus_may_be_hidden_for_want_of_room(window):
    """Qt hands the focus on while the panes are arranged, which must not arrange them again."""
    window.resize(800, 560)
    change(window, panes=panes_of(["properties", "clocks", "distances"]))
    header = window.workspace.pane("properties").view.header
    field = next(each for each in header.findChildren(QLineEdit) if each.isVisible())
    field.setFocus()
    trigger(window, "beside")
    settle(window.model)
    assert not field.isVisible()
    assert panes(window) == Panes(("properties", "clocks"), "beside", "properties")
    assert visible(window) == {"properties", "clocks"}
    assert min(window.workspace.splits.sizes["beside"][0]) > 100


def test_a_view_without_a_picture_offers_one_that_has_one(window, qtbot):
    """Its place is given to the first view that is not seen yet."""
    window.model.set(panes=panes_of(("frequencies", "heatmap")))
    window.model.choose_encoding("alibi")
    settle(window.model)
    view = window.view("frequencies")
    (button,) = [each for each in view.findChildren(QPushButton) if each.isVisible()]
    assert button.text().startswith("Show ")
    click_on(window, button)
    first, second = window.model.state.panes.views
    assert second == "heatmap"
    assert not window.view(first).blank
    assert button.text() == f"Show {window.view(first).picture.title.lower()}"


def test_a_choice_made_in_a_header_makes_its_pane_active(window):
    """Also where its view has the keys already: an exhibit made another pane active."""
    window.workspace.focus("distances")
    settle(window.model)
    change(window, panes=panes_of(panes(window).views, active="heatmap"))
    assert window.active_view() is window.view("heatmap")
    assert window.view("heatmap").hasFocus(), "the keys follow the active pane"
    combo = window.view("distances").header.combos["metric"]
    QTest.mouseClick(combo, LEFT)
    QTest.keyClick(combo.view(), Qt.Key.Key_Down)
    press_key(window, combo.view(), Qt.Key.Key_Return)
    assert window.model.state.metric != "cosine"
    assert window.active_view() is window.view("distances")


def test_where_the_screen_has_room_a_window_of_a_view_is_beside_the_main_one(window):
    window.setGeometry(0, 0, 800, 560)  # of a screen of 800 by 800
    settle(window.model)
    window.workspace.focus("clocks")
    size = window.workspace.pane("clocks").size()
    trigger(window, "own_window")
    apart = window.view("clocks").window()
    assert apart.size() == size
    assert not apart.geometry().intersects(window.frameGeometry())


def test_two_windows_of_views_stand_at_two_places(window):
    trigger(window, "one")
    trigger(window, "own_window")
    on_rail(window, "distances")
    trigger(window, "own_window")
    first, second = (window.view(name).window() for name in ("heatmap", "distances"))
    assert first.pos() != second.pos()


def test_the_border_that_has_the_keys_may_go(window):
    trigger(window, "beside")
    border(window).setFocus()
    panes = window.workspace.panes
    window.workspace.set_panes(closed(panes, panes.views[1]))
    settle(window.model)
    assert window.workspace.shown == panes.views[:1]
