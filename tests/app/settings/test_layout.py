"""The places of the window, its panels and its bars come back, and damaged ones harm nothing."""

import random

import pytest
from PySide6.QtCore import Qt

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from tests.app.settings.windows import begun, ended
from tests.support.gestures import settle
from tests.support.inis import got, ini, put

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM, RIGHT_EDGE = Qt.ToolBarArea.BottomToolBarArea, Qt.ToolBarArea.RightToolBarArea


def docks_of(window):
    return window.sides.docks["encoding"], window.sides.docks["explain"]


def arrange_wide(window):
    window.setGeometry(20, 10, 760, 570)
    encoding, _ = docks_of(window)
    window.resizeDocks([encoding], [300], Qt.Orientation.Horizontal)


def arrange_folded(window):
    window.resize(1250, 700)
    settle(window.model)
    window.actions_by_key["encoding"].trigger()


def arrange_tabs(window):
    encoding, explain = docks_of(window)
    window.resize(1250, 700)
    window.sides.open("explain")
    window.addDockWidget(LEFT, explain)
    window.tabifyDockWidget(encoding, explain)


def arrange_floating(window):
    encoding, _ = docks_of(window)
    window.resize(1250, 700)
    encoding.setFloating(True)
    encoding.setGeometry(40, 60, 310, 400)


def arrange_bars(window):
    window.addToolBar(BOTTOM, window.bars.top)
    window.bars.panes.hide()


def arrange_columns(window):
    window.addToolBar(RIGHT_EDGE, window.bars.panes)
    window.addToolBarBreak(RIGHT_EDGE)
    window.addToolBar(RIGHT_EDGE, window.bars.play)


def seen(window):
    """Return what somebody sees of the panels and bars."""
    found = {}
    for name, dock in window.sides.docks.items():
        tabs = window.tabifiedDockWidgets(dock)
        shown = window.sides.is_open(name)
        place = dock.geometry().getRect() if shown and not tabs else None
        found[name] = (shown, dock.isFloating(), window.dockWidgetArea(dock), len(tabs), place)
    for bar in (window.bars.top, window.bars.panes, window.bars.play):
        place = bar.geometry().getRect() if bar.isVisible() else None
        found[bar.objectName()] = (window.toolBarArea(bar), place)
    return found


ARRANGED = [
    arrange_wide,
    arrange_folded,
    arrange_tabs,
    arrange_floating,
    arrange_bars,
    arrange_columns,
]


@pytest.mark.parametrize("arrange", ARRANGED)
def test_panels_and_bars_come_back(qapp, path, arrange):
    window = begun(path)
    first = seen(window)
    arrange(window)
    settle(window.model)
    size, before = window.size(), seen(window)
    assert before != first
    ended(window)
    again = begun(path)
    again.resize(size)  # the screen of the tests is smaller
    settle(again.model)
    assert seen(again) == before
    ended(again)


def test_a_drawer_is_remembered_as_the_dock_that_it_is_again(qapp, path):
    window = begun(path)
    window.resize(1250, 700)
    window.sides.open("explain")
    settle(window.model)
    window.resize(800, 600)  # both are drawers now, and closed
    settle(window.model)
    assert not window.sides.is_open("explain")
    ended(window)
    again = begun(path)
    assert not again.sides.is_open("explain")
    again.resize(1250, 700)
    settle(again.model)
    assert again.sides.is_open("explain")
    ended(again)


def test_a_window_that_fills_the_screen_does_so_again_and_goes_back_to_its_place(qapp, path):
    window = begun(path)
    window.setGeometry(2, 20, 800, 560)
    window.showMaximized()
    ended(window)
    again = begun(path)
    assert again.isMaximized()
    again.showNormal()
    settle(again.model)
    assert again.geometry().getRect() == (2, 20, 800, 560)
    ended(again)


def test_a_screen_that_is_gone_leaves_the_window_on_one_that_is_there(qapp, path):
    put(
        path,
        ini(
            "window=normal -9000 7000 32768 90",
            "[panels]",
            "encoding=left open floating 30000 -30000 1 32768",
        ),
    )
    window = begun(path)
    room = window.screen().availableGeometry()
    encoding, _ = docks_of(window)
    for widget in (window, encoding):
        assert room.contains(widget.pos())
    ended(window)


def test_a_floating_panel_opens_after_the_window_which_would_cover_it(qapp, path):
    places = ["encoding=left open floating 9 9 300 400", "explain=left open tabbed 0 0 300 400"]
    put(path, ini("window=normal 0 0 800 560", "[panels]", *places))
    window = MainWindow(settings=SettingsFile(path, qapp))
    window.places.restore()
    assert not window.sides.is_open("encoding")
    window.show()
    settle(window.model)
    encoding, _ = docks_of(window)
    assert (encoding.isVisible(), encoding.isFloating()) == (True, True)
    assert not window.sides.is_drawer("encoding")
    assert (window.sides.is_drawer("explain"), window.sides.is_open("explain")) == (True, False)
    ended(window)
    assert got(path)["panels"]["encoding"] == "left open floating 9 9 300 400"


def test_places_made_up_by_hand_leave_a_window_that_can_be_used(qapp, path):
    pick = random.Random(29)
    words = {
        "panels": (("left", "right"), ("open", "folded"), ("docked", "tabbed", "floating")),
        "bars": (("top", "left", "right", "bottom"), ("shown", "hidden")),
    }
    names = {"panels": ("encoding", "explain", "later"), "bars": ("toolbar", "panes", "later")}

    def numbers(count, least=-(1 << 15)):
        return [str(pick.choice((least, 1, 7, 300, 1 << 15))) for _ in range(count)]

    for _ in range(7):
        state = pick.choice(("normal", "maximised", "full"))
        lines = [" ".join([f"window={state}", *numbers(2), *numbers(2, 1)])]
        for group, choices in words.items():
            lines.append(f"[{group}]")
            for name in names[group]:
                chosen = [pick.choice(each) for each in choices]
                size = numbers(2, 1) if group == "panels" else []
                lines.append(" ".join([f"{name}={chosen[0]}", *chosen[1:], *numbers(2), *size]))
        put(path, ini(*lines))
        window = begun(path)
        assert window.settings.notes == (), lines
        assert window.screen().availableGeometry().contains(window.pos()), lines
        window.showNormal()
        window.resize(1280, 800)
        window.places.reset()
        settle(window.model)
        assert window.sides.is_open("encoding"), lines
        assert window.toolBarArea(window.bars.top) == Qt.ToolBarArea.TopToolBarArea, lines
        ended(window)
    assert got(path)["panels"]["later"]  # a later version may know it
