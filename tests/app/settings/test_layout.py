"""Panels, bars, panes and windows of views come back, and damaged places harm nothing."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import Panes
from pe_explorer.files.session import Session
from tests.app.settings.inis import ini, recent, running_window, sections_of, write_file
from tests.app.windows import save_exploration, trigger
from tests.support.gestures import settle

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
BOTTOM, RIGHT_EDGE = Qt.ToolBarArea.BottomToolBarArea, Qt.ToolBarArea.RightToolBarArea


def arrange(window, how):
    """Move panels and bars as somebody does with the mouse."""
    encoding, explain = (window.sides.docks[name] for name in ("encoding", "explain"))
    if how == "wide":
        window.setGeometry(20, 10, 760, 570)
        window.resizeDocks([encoding], [300], Qt.Orientation.Horizontal)
        return
    window.resize(1250, 700)
    settle(window.model)
    if how == "folded":
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, encoding)
        window.actions_by_key["encoding"].trigger()
    elif how == "stacked":
        window.sides.open("explain")
        window.addDockWidget(LEFT, explain)
    elif how == "tabs":
        window.sides.open("explain")
        window.addDockWidget(LEFT, explain)
        window.tabifyDockWidget(encoding, explain)
    elif how == "floating":
        encoding.setFloating(True)
        encoding.setGeometry(40, 60, 310, 400)
    elif how == "bars":
        window.addToolBar(BOTTOM, window.bars.top)
        window.bars.panes.hide()
    elif how == "columns":
        window.addToolBar(RIGHT_EDGE, window.bars.panes)
        window.addToolBarBreak(RIGHT_EDGE)
        window.addToolBar(RIGHT_EDGE, window.bars.transport)


def seen(window):
    """Return what somebody sees of the panels and bars."""
    found = {}
    for name, dock in window.sides.docks.items():
        tabs = window.tabifiedDockWidgets(dock)
        shown = window.sides.is_open(name)
        place = dock.geometry().getRect() if shown and not tabs else None
        found[name] = (shown, dock.isFloating(), window.dockWidgetArea(dock), len(tabs), place)
    for bar in (window.bars.top, window.bars.panes, window.bars.transport):
        place = bar.geometry().getRect() if bar.isVisible() else None
        found[bar.objectName()] = (window.toolBarArea(bar), place)
    return found


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "how", ["floating", "tabs", "stacked", "wide", "bars", "columns", "folded"]
)
def test_panels_and_bars_come_back(qapp, path, how):
    with running_window(path) as window:
        first = seen(window)
        arrange(window, how)
        settle(window.model)
        size, before = window.size(), seen(window)
        assert before != first
    with running_window(path) as again:
        again.resize(size)  # the screen of the tests is smaller
        settle(again.model)
        assert seen(again) == before


def test_a_drawer_is_remembered_as_the_dock_that_it_is_again(qapp, path):
    with running_window(path) as window:
        window.resize(1250, 700)
        window.sides.open("explain")
        settle(window.model)
        window.resize(800, 600)  # both are drawers now, and closed
        settle(window.model)
        assert not window.sides.is_open("explain")
    with running_window(path) as again:
        assert not again.sides.is_open("explain")
        again.resize(1250, 700)
        settle(again.model)
        assert again.sides.is_open("explain")


def test_a_window_that_fills_the_screen_does_so_again_and_goes_back_to_its_place(qapp, path):
    with running_window(path) as window:
        window.setGeometry(2, 20, 800, 560)
        window.showMaximized()
    with running_window(path) as again:
        assert again.isMaximized()
        again.showNormal()
        settle(again.model)
        assert again.geometry().getRect() == (2, 20, 800, 560)


def test_a_screen_that_is_gone_leaves_all_windows_on_one_that_is_there(qapp, path):
    panel = "encoding=left open floating 30000 -30000 1 32768"
    own = "heatmap=-9000 7000 32768 90"
    start = ["window=normal -9000 7000 32768 90", "panes=one clocks clocks"]
    write_file(path, ini(*start, "[panels]", panel, "[own_windows]", own))
    with running_window(path) as window:
        room = window.screen().availableGeometry()
        apart = window.view("heatmap").window()
        for widget in (window, window.sides.docks["encoding"], apart):
            assert room.contains(widget.pos())
        assert room.contains(apart.geometry().center())


def test_a_floating_panel_opens_after_the_window_which_would_cover_it(qapp, path, monkeypatch):
    places = ["encoding=left open floating 9 9 300 400", "explain=left open tabbed 0 0 300 400"]
    write_file(path, ini("window=normal 0 0 800 560", "[panels]", *places))
    opened, show = [], MainWindow.show
    monkeypatch.setattr(
        MainWindow, "show", lambda w: opened.append(w.sides.is_open("encoding")) or show(w)
    )
    with running_window(path) as window:
        assert opened == [False]
        encoding = window.sides.docks["encoding"]
        assert (encoding.isVisible(), encoding.isFloating()) == (True, True)
        assert not window.sides.is_drawer("encoding")
        assert window.sides.is_drawer("explain")
        assert not window.sides.is_open("explain")
    assert sections_of(path)["panels"]["encoding"] == "left open floating 9 9 300 400"


@pytest.mark.parametrize("sizes", ["0 0 / 0 0", "32768 1 / 1 32768", "0 1 / 32768 32768"])
def test_odd_sizes_leave_no_pane_without_room(qapp, path, sizes):
    write_file(path, ini("[sizes]", f"over-two={sizes}"))
    with running_window(path) as window:
        assert window.settings.notes == ()
        for name in ("heatmap", "clocks", "distances"):
            pane = window.workspace.pane(name)
            assert pane.width() >= 200
            assert pane.height() >= 140


# -- theme, files and folders ----------------------------------------------------------------------


def test_two_windows_lose_neither_files_nor_folders_nor_the_theme(qapp, path, tmp_path):
    (tmp_path / "folder").mkdir()
    names = [str(tmp_path / name) for name in ("a.json", "b.json", "folder/c.json")]
    with running_window(path) as first, running_window(path) as second:
        dark = [action for action in first.menus.themes.actions() if action.data() == "dark"]
        dark[0].trigger()
        for window, name in zip((first, second, first), names, strict=True):
            save_exploration(window, name)
    assert recent(path) == names[::-1]
    written = sections_of(path)
    assert written["General"]["theme"] == "dark"
    assert written["folders"] == {"session": str(tmp_path / "folder")}


# -- panes -----------------------------------------------------------------------------------------


def show_file(window, views, *arrangement):
    """Show a session with some panes, or without any."""
    panes = Panes(views, *arrangement) if views else None
    state = window.model.state.intention.with_(panes=panes)
    window.files.show_first_file(Path("a.json"), Session(state), None)
    settle(window.model)


def test_a_start_takes_the_last_panes_until_a_file_brings_others(qapp, path):
    with running_window(path) as window:
        assert window.isMaximized()  # because the screen is small
        assert window.model.state.panes == Panes()
        trigger(window, "beside")
        trigger(window, "next_pane")
    with running_window(path) as window:
        last = Panes(("heatmap", "clocks"), "beside", "clocks")
        assert window.model.state.panes == last
        assert window.find_active_view().picture.name == "clocks"
        assert set(window.workspace.built_views) == {
            "heatmap",
            "clocks",
        }  # no view that nobody sees
        assert not window.isWindowModified()
        assert window.history.stack.count() == 0
        show_file(window, None)
        assert window.model.state.panes == last
        trigger(window, "maximise")
    with running_window(path) as window:
        assert window.workspace.shown_views == ("clocks",)
        assert set(window.workspace.built_views) == {"clocks"}
        assert window.model.state.panes == last
        show_file(window, ("distances", "heatmap"), "beside")
        assert window.workspace.shown_views == ("distances", "heatmap")
    assert sections_of(path)["General"]["maximised"] == "no"


def test_splitters_stay_where_they_were_put_and_reset_puts_them_back(qapp, path):
    def sizes():
        return window.workspace.splits.sizes[window.workspace.arrangement]

    with running_window(path) as window:
        window.resize(1200, 760)
        settle(window.model)
        first = (upper, lower), (left, right) = sizes()
        moved = {"over-two": ((upper - 90, lower + 90), (left + 60, right - 60))}
        window.workspace.splits.sizes = moved
        settle(window.model)
        moved = sizes()
        assert moved[0][0] < upper - 60
        assert moved[1][0] > left + 40
        trigger(window, "beside")
    assert set(sections_of(path)["sizes"]) == {"beside", "over-two"}
    with running_window(path) as window:
        window.resize(1200, 760)
        trigger(window, "over-two")
        for again, before in zip(sizes(), moved, strict=True):
            assert again == pytest.approx(before, abs=3)
        trigger(window, "reset_layout")
        for again, before in zip(sizes(), first, strict=True):
            assert again == pytest.approx(before, abs=3)
        trigger(window, "beside")
        left, right = sizes()[0]
        assert left == pytest.approx(right, abs=3)


def test_a_view_in_a_window_of_its_own_has_one_again(qapp, path):
    with running_window(path) as window:
        trigger(window, "own_window")
        apart = window.view("heatmap").window()
        apart.move(60, 50)
        apart.resize(420, 310)
        settle(window.model)
    assert sections_of(path)["own_windows"] == {"heatmap": "60 50 420 310"}
    with running_window(path) as window:
        again = window.view("heatmap").window()
        assert again is not window
        assert again.isVisible()
        assert window.view("heatmap").is_attached
        assert (again.x(), again.y(), again.width(), again.height()) == (60, 50, 420, 310)
        assert window.model.state.panes.views == ("clocks", "distances")
        window.workspace.pane("heatmap").own_window_button.click()  # back to the panes
        settle(window.model)
    assert "own_windows" not in sections_of(path)
    with running_window(path) as window:
        assert "heatmap" in window.model.state.panes.views
