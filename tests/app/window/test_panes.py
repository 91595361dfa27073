"""The rail, the panes and the panels beside them, as a person uses them."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLineEdit,
    QMainWindow,
    QSplitterHandle,
    QStyle,
    QToolButton,
    QWidget,
)

from pe_explorer import pictures
from pe_explorer.exploration import Panes, make_panes
from pe_explorer.exploration.panes import ARRANGEMENTS, close_view
from pe_explorer.widgets.theme import colours
from tests.app.settings.inis import ini, running_window, write_file
from tests.app.windows import change, click_on, encode, press_key, start_anew, trigger
from tests.support.gestures import enter_text, settle
from tests.support.notes import offer

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
    return {name for name, view in window.workspace.built_views.items() if view.isVisible()}


def apart(window, name):
    """Return the window of its own that a view has."""
    own = window.view(name).window()
    assert own is not window
    return own


def on_screen(widget):
    return QRect(widget.mapToGlobal(QPoint()), widget.size())


# -- the rail --------------------------------------------------------------------------------------


def test_every_view_has_its_place_and_only_those_in_panes_are_made(window):
    """However many there are, the window is as small as with three, and the rail has room."""

    def part_of_window():
        size = window.workspace.pane("heatmap").size()
        return size.width() * size.height() / (window.width() * window.height())

    assert set(window.rail.buttons) == set(pictures.names())
    heights = [window.rail.buttons[name].y() for name in pictures.names()]
    assert heights == sorted(heights)
    assert set(window.workspace.built_views) == set(panes(window).views)
    window.resize(100, 100)
    settle(window.model)
    assert (window.width(), window.height()) == (800, 560)
    window.resize(1280, 800)
    settle(window.model)
    last = list(window.rail.buttons.values())[-1]
    assert last.mapTo(window, last.rect().bottomLeft()).y() <= 800
    assert part_of_window() >= 1 / 3
    trigger(window, "one")
    assert part_of_window() >= 0.5
    window.sides.open("explain")
    settle(window.model)
    assert part_of_window() >= 0.45


@pytest.mark.parametrize("height", [800, 560])  # with room for all buttons, and without
def test_the_word_of_the_active_view_is_whole(window, height):
    window.resize(1024, height)
    settle(window.model)
    assert len({button.font().pointSizeF() for button in window.rail.buttons.values()}) == 1
    for name, button in window.rail.buttons.items():
        window.rail.show_views({name}, name)
        border = window.style().pixelMetric(QStyle.PixelMetric.PM_DefaultFrameWidth)
        room = button.width() - 2 * border
        assert button.font().bold()
        assert button.fontMetrics().horizontalAdvance(button.text()) <= room, name
    assert window.rail.verticalScrollBar().isVisible() == (height == 560)


def test_a_click_shows_a_view_in_the_active_pane_and_ctrl_click_beside(window):
    change(window, panes=make_panes(["heatmap", "clocks"]))
    on_rail(window, "distances")
    assert panes(window) == Panes(("distances", "clocks"), "beside", "distances")
    assert visible(window) == {"distances", "clocks"}
    on_rail(window, "clocks")  # which is seen: it becomes active
    assert panes(window) == Panes(("distances", "clocks"), "beside", "clocks")
    assert window.view("clocks").hasFocus()
    on_rail(window, "heatmap", CONTROL)  # beside the others
    assert panes(window) == Panes(("distances", "clocks", "heatmap"), "over-two", "heatmap")
    window.model.set_options("clocks", columns=1)
    settle(window.model)
    assert window.status_bar.sentence.text() == window.view("heatmap").status
    for left in (2, 1, 1):
        trigger(window, "close_pane")
        assert len(panes(window).views) == left
    trigger(window, "own_window")  # of the only pane
    assert len(panes(window).views) == 1
    assert visible(window) == {window.find_active_view().picture.name, *panes(window).views}


def test_the_rail_marks_what_is_seen_and_is_used_by_keyboard_alone(window):
    trigger(window, "one")
    buttons = window.rail.buttons
    assert [name for name in buttons if buttons[name].isChecked()] == ["heatmap"]
    assert [name for name in buttons if buttons[name].font().bold()] == ["heatmap"]
    buttons["heatmap"].setFocus(Qt.FocusReason.TabFocusReason)
    for key, expected in (
        (Qt.Key.Key_Up, window.rail.gallery_button),
        (Qt.Key.Key_Up, window.rail.gallery_button),  # there is none above
        (Qt.Key.Key_Down, buttons["heatmap"]),
    ):
        QTest.keyClick(QApplication.focusWidget(), key)
        assert QApplication.focusWidget() is expected
    QTest.keyClick(buttons["heatmap"], Qt.Key.Key_Down)
    second = pictures.names()[1]
    assert QApplication.focusWidget() is buttons[second]
    press_key(window, buttons[second], Qt.Key.Key_Return)
    assert visible(window) == {second}


# -- the panes -------------------------------------------------------------------------------------


def test_each_arrangement_places_its_views_and_they_alone_follow_the_model(window):
    """It is no step of undo and no change of the document."""
    steps, places = window.history.stack.count(), [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3)]
    for arrangement, rows_and_columns in zip(ARRANGEMENTS, places, strict=True):
        trigger(window, arrangement)
        names = panes(window).views
        assert panes(window).arrangement == arrangement
        following = {
            name for name, view in window.workspace.built_views.items() if view.is_attached
        }
        assert visible(window) == following == set(names)
        corners = [window.workspace.pane(name).mapTo(window, QPoint()) for name in names]
        for before, after in pairwise(corners):
            assert after.x() > before.x() or after.y() > before.y()
        rows, columns = ({corner.toTuple()[axis] for corner in corners} for axis in (1, 0))
        assert (len(rows), len(columns)) == rows_and_columns
        assert [a for a in ARRANGEMENTS if window.actions_by_key[a].isChecked()] == [arrangement]
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
    assert window.find_active_view() is window.view("distances")
    trigger(window, "copy_command")
    assert "render distances" in QApplication.clipboard().text()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", pictures.names())
def test_a_click_on_anything_in_a_header_makes_its_pane_active(window, name):
    other = "heatmap" if name != "heatmap" else "clocks"
    change(window, panes=make_panes((other, name)), position=10**6)  # a chip leads there
    header = window.workspace.pane(name).header
    parts = [part for part in header.findChildren(QWidget) if part.isVisible()]
    seen = 0
    for part in (header, *parts):
        window.workspace.set_panes(make_panes((other, name), active=other), maximised=False)
        window.workspace.focus_view(other)
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
        assert window.find_active_view().picture.name == name, part
        seen += 1
    assert seen > 2


def test_a_choice_made_in_a_header_makes_its_pane_active(window):
    """Also where its view has the keys already: an exhibit made another pane active."""
    window.workspace.focus_view("distances")
    settle(window.model)
    change(window, panes=make_panes(panes(window).views, active="heatmap"))
    assert window.find_active_view() is window.view("heatmap")
    assert window.view("heatmap").hasFocus(), "the keys follow the active pane"
    combo = window.view("distances").header.combos["metric"]
    QTest.mouseClick(combo, LEFT)
    QTest.keyClick(combo.view(), Qt.Key.Key_Down)
    press_key(window, combo.view(), Qt.Key.Key_Return)
    assert window.model.state.metric != "cosine"
    assert window.find_active_view() is window.view("distances")


def test_f6_a_double_click_and_the_drop_down_go_from_pane_to_pane(window):
    seen = []
    for _ in range(4):
        seen.append(window.find_active_view().picture.name)
        trigger(window, "next_pane")
    assert seen == ["heatmap", "clocks", "distances", "heatmap"]
    trigger(window, "previous_pane")
    assert window.find_active_view().picture.name == "heatmap"
    before, header = panes(window), window.workspace.pane("clocks").header
    for seen in ({"clocks"}, set(before.views)):  # maximised, and restored
        QTest.mouseDClick(header, LEFT, PLAIN, QPoint(header.width() // 2, 1))
        settle(window.model)
        assert visible(window) == seen
        assert panes(window).views == before.views  # a setting of the window, not of the session
    pane, of_pane = window.workspace.pane("heatmap"), window.menus.pane_menu
    lines = [
        window.workspace.pane(name).grab().toImage().pixelColor(9, 0).name()
        for name in ("clocks", "heatmap")
    ]
    assert lines == [colours(window.palette()).accent, colours(window.palette()).edge]
    place = pane.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, pane.mapToGlobal(place))
    QApplication.sendEvent(pane, event)
    settle(window.model)
    assert (of_pane.isVisible(), window.find_active_view()) == (True, pane.view)
    keys = ("copy_value", "copy_picture", "copy_code", "copy_figure_code", "copy_command")
    keys += ("export_figure", "export_picture", "export_data", "reset_zoom")
    keys += ("maximise", "own_window", "close_pane")
    own = [entry for entry in of_pane.actions() if not entry.isSeparator()]
    assert own == [window.actions_by_key[key] for key in keys]
    of_pane.hide()
    entries = pane.title.menu().actions()
    assert [entry.data() for entry in entries if entry.isChecked()] == ["heatmap"]
    next(entry for entry in entries if entry.data() == "distances").trigger()
    settle(window.model)
    assert panes(window) == Panes(("distances", "clocks", "heatmap"), "over-two", "distances")
    assert [entry.data() for entry in entries if entry.isChecked()] == ["heatmap"]
    entries[0].trigger()  # its own
    assert panes(window).active == "distances"


# -- windows of views ------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [800, 560])
def test_a_window_of_a_view_covers_panes_alone_or_nothing(window, height):
    """The screen is 800 by 800 pixels: below a window of 560 there is room."""
    for name in ("heatmap", "clocks", "distances"):
        change(window, panes=Panes())
        window.setGeometry(0, 0, 800, height)
        window.workspace.focus_view(name)
        settle(window.model)
        before, pane = on_screen(window.workspace), window.workspace.pane(name).size()
        trigger(window, "own_window")
        own = apart(window, name)
        framed = QRect(own.pos(), own.size() + QSize(0, 32))  # with its title bar
        assert window.screen().availableGeometry().contains(framed)
        is_beside = not framed.intersects(window.frameGeometry())
        assert is_beside or before.contains(framed)
        assert is_beside or (height, name) != (560, "clocks")
        assert not is_beside or own.size() == pane
        for other in (window.transport, window.rail, window.menuBar(), window.bars.top):
            assert not framed.intersects(on_screen(other)), other
        assert own.width() >= 200
        assert own.height() >= 140
        trigger(window, "own_window")
        assert window.view(name).window() is window


def test_views_in_their_own_windows_come_back_or_are_put_away(window):
    first = panes(window)
    for key in ("own_window", "maximise"):
        trigger(window, key)
        assert panes(window).views != first.views or len(visible(window)) == 1
        trigger(window, "reset_layout")
        settle(window.model)
        assert set(panes(window).views) == visible(window) == set(first.views)
        assert panes(window).arrangement == first.arrangement
        assert window.view("heatmap").window() is window
    click_on(window, window.workspace.pane("clocks").own_window_button)
    assert apart(window, "clocks").isVisible()
    assert window.view("clocks").is_attached
    assert panes(window).views == ("heatmap", "distances")
    assert window.find_active_view() is window.view("clocks")
    on_rail(window, "heatmap")
    trigger(window, "own_window")
    assert apart(window, "heatmap").pos() != apart(window, "clocks").pos()
    click_on(window, window.workspace.pane("clocks").own_window_button)
    assert "clocks" in panes(window).views
    apart(window, "heatmap").close()
    settle(window.model)
    assert "heatmap" not in visible(window)
    assert not window.view("heatmap").is_attached
    on_rail(window, "heatmap")
    assert "heatmap" in visible(window)


def test_beside_a_view_in_its_own_window_other_panes_become_active(window):
    window.workspace.focus_view("clocks")
    trigger(window, "own_window")
    assert window.view("clocks").hasFocus()
    for name in ("clocks", "heatmap", "distances", "clocks"):
        assert window.find_active_view() is window.view(name)
        trigger(window, "next_pane")
    for name in ("distances", "clocks"):
        on_rail(window, name)
        built = window.workspace.built_views
        assert [each for each in built if window.workspace.pane(each).active] == [name]
        assert window.view(name).window().isActiveWindow()


class Raised(QObject):
    """Notes each window that is brought to the front, and whether a main window is behind it."""

    def __init__(self):
        super().__init__()
        self.found = []

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.ZOrderChange and watched.isWindow():
            shown = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
            behind = any(isinstance(widget, QMainWindow) for widget in shown)
            self.found.append((watched.windowTitle(), behind))
        return False


def test_at_the_start_a_window_of_a_view_comes_to_the_front_of_the_main_window(qapp, tmp_path):
    path, raised = tmp_path / "settings.ini", Raised()
    write_file(path, ini("panes=one clocks clocks", "[own_windows]", "heatmap=60 50 420 310"))
    qapp.installEventFilter(raised)
    with running_window(path):
        qapp.removeEventFilter(raised)
        assert raised.found == [("Heatmap - PE Explorer: positional encodings", True)]


def test_keys_do_in_an_own_window_what_they_do_elsewhere(window, qtbot):
    trigger(window, "own_window")
    heatmap, own, playhead = window.view("heatmap"), apart(window, "heatmap"), window.model.playhead
    own.activateWindow()
    qtbot.waitUntil(own.isActiveWindow)
    assert QApplication.focusWidget() is heatmap
    position = window.model.state.position
    press_key(window, heatmap, Qt.Key.Key_Down)
    assert window.model.state.position == position + 1
    for playing in (True, False):
        press_key(window, heatmap, Qt.Key.Key_Space)
        assert playhead.is_playing == playing
    for key, pins in ((Qt.Key.Key_P, 1), (Qt.Key.Key_Z, 0)):
        press_key(window, heatmap, key, CONTROL)
        assert len(window.model.state.pins) == pins
    more = window.workspace.pane("heatmap").more
    more.setFocus()
    press_key(window, more, Qt.Key.Key_Space)
    assert not playhead.is_playing  # it presses the button that has the focus
    assert window.options_popup.isVisible()
    press_key(window, window.options_popup, Qt.Key.Key_Escape)
    assert not window.options_popup.isVisible()
    assert more.hasFocus()
    heatmap.setFocus()
    QTest.keyClick(heatmap, Qt.Key.Key_F6)
    qtbot.waitUntil(window.isActiveWindow)
    assert window.workspace.active is not heatmap
    assert window.workspace.active.hasFocus()
    own.activateWindow()
    qtbot.waitUntil(own.isActiveWindow)
    press_key(window, heatmap, Qt.Key.Key_W, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert heatmap.window() is window


def test_a_closed_window_does_nothing_more(window):
    before = panes(window)
    window.leave()
    for key in (*ARRANGEMENTS, "next_pane", "maximise", "own_window", "close_pane"):
        window.actions_by_key[key].trigger()
    window.rail.buttons["clocks"].click()
    window.workspace.pane("heatmap").title.menu().actions()[1].trigger()
    assert panes(window) == before


# -- offers ----------------------------------------------------------------------------------------


def test_a_view_without_a_picture_offers_one_that_has_one(window):
    """Its place is given to the first view that is not seen yet."""
    window.model.set(panes=make_panes(("frequencies", "heatmap"), active="heatmap"))
    window.model.choose_encoding("alibi")
    settle(window.model)
    button = offer(window.view("frequencies"))
    button.click()  # the other pane is active
    settle(window.model)
    first, second = panes(window).views
    assert second == "heatmap"
    assert not window.view(first).is_blank
    assert window.view(first).picture.title.lower() in button.text()


def test_space_takes_what_is_offered_beside_a_sentence(window):
    """A button that has the focus takes it: below a picture's sentence, a try, a lesson's."""
    pages, model = window.right_panel.pages(), window.model
    window.sides.open("explain")
    change(window, start=10**12, count=10**12)

    def press_space_on(button):
        assert button.isVisible()
        button.setFocus(Qt.FocusReason.TabFocusReason)
        press_key(window, button, Qt.Key.Key_Space)
        assert not model.playhead.is_playing

    press_space_on(offer(window.view("heatmap")))
    assert model.state.count < 10**12
    trigger(window, "reset")
    before = model.state
    press_space_on(pages.explanation.page.tries[0].button)
    assert model.state != before
    start_anew(window)
    window.lesson_walk.begin("waves")
    settle(model)
    press_space_on(pages.explanation.page.lesson.guess.skip_button)
    press_space_on(pages.explanation.page.lesson.skip_button)
    assert window.lesson_walk.number == 1


# -- sizes and panels ------------------------------------------------------------------------------


def test_panels_are_drawers_where_there_is_no_room(window):
    for width, drawers in (
        (1099, ["explain"]),
        (1024, ["explain"]),
        (899, ["encoding", "explain"]),
        (1280, []),
    ):
        window.resize(width, 700)
        settle(window.model)
        sides = [name for name in ("encoding", "explain") if window.sides.is_drawer(name)]
        assert sides == drawers
        for name in drawers:
            assert not window.sides.is_open(name)
            trigger(window, name)
            assert window.sides.is_open(name)
        left, free = window.workspace.mapTo(window, QPoint()).x(), window.workspace.width()
        covered = [
            each.geometry()
            for each in window.findChildren(QFrame)
            if each.isVisible() and each.accessibleName().endswith("drawer")
        ]
        assert len(covered) == len(drawers)
        if len(drawers) < 2:  # of both, one lies over the panes, as there is no room for it
            assert all(each.left() >= left + free or each.right() < left for each in covered)
        assert window.width() == width
        for name in drawers:
            trigger(window, name)
    assert window.sides.is_open("encoding")  # as it was while there was room
    assert window.panel.window() is window


def border(window):
    """Return the border between two panes, with the keys."""
    handles = window.workspace.splits.findChildren(QSplitterHandle)
    (handle,) = [
        handle
        for handle in handles
        if handle.isVisible() and handle.accessibleName() == "Border between panes"
    ]
    handle.setFocus()
    return handle


def test_the_border_between_panes_is_moved_by_keys_and_may_go(window):
    pane = window.workspace.pane("heatmap")
    for arrangement, key, grown in (
        ("beside", Qt.Key.Key_Right, (16, 0)),
        ("beside", Qt.Key.Key_Left, (-16, 0)),
        ("stacked", Qt.Key.Key_Down, (0, 16)),
    ):
        trigger(window, arrangement)
        width, height = pane.size().toTuple()
        press_key(window, border(window), key)
        assert (pane.width() - width, pane.height() - height) == grown
    border(window)
    before = panes(window)
    window.workspace.set_panes(close_view(before, before.views[1]))
    settle(window.model)
    assert window.workspace.shown_views == before.views[:1]


def test_a_field_with_the_focus_may_be_hidden_for_want_of_room(window):
    """Qt hands the focus on while the panes are arranged, which must not arrange them again."""
    window.resize(800, 560)
    change(window, panes=make_panes(["properties", "clocks", "distances"]))
    header = window.workspace.pane("properties").view.header
    field = next(each for each in header.findChildren(QLineEdit) if each.isVisible())
    field.setFocus()
    trigger(window, "beside")
    settle(window.model)
    assert not field.isVisible()
    assert panes(window) == Panes(("properties", "clocks"), "beside", "properties")
    assert visible(window) == {"properties", "clocks"}
    assert min(window.workspace.splits.sizes["beside"][0]) > 100
