"""What a window remembers for the next: theme, layout, files, folders, panes."""

import pytest

from pe_explorer.app.settings.settings import Settings
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import Panes
from pe_explorer.files.session import Session
from tests.app.settings.windows import begun, ended
from tests.support.gestures import settle
from tests.support.inis import got, ini, put, recent
from tests.support.windows import save_exploration, trigger


def test_layout_theme_files_and_folders_come_back(qapp, path, tmp_path):
    window = begun(path)
    window.resize(1100, 720)
    window.actions_by_key["encoding"].trigger()
    window.actions_by_key["explain"].trigger()
    next(action for action in window.menus.themes.actions() if action.data() == "dark").trigger()
    (tmp_path / "folder").mkdir()
    save_exploration(window, tmp_path / "folder" / "s.json")
    ended(window)
    assert recent(path) == [str(tmp_path / "folder" / "s.json")]
    written = got(path)
    assert written["General"]["theme"] == "dark"
    assert written["folders"] == {"session": str(tmp_path / "folder")}
    window = begun(path)
    assert window.height() == 720
    window.resize(1100, 720)  # the screen of the tests is narrower
    settle(window.model)
    assert not window.sides.is_open("encoding")
    assert window.sides.is_open("explain")
    window.places.reset()
    settle(window.model)
    assert window.sides.is_open("encoding")
    ended(window)


def test_two_windows_lose_none_of_their_files(qapp, path, tmp_path):
    first, second = begun(path), begun(path)
    save_exploration(first, tmp_path / "a.json")
    save_exploration(second, tmp_path / "b.json")
    save_exploration(first, tmp_path / "c.json")
    ended(first)
    ended(second)
    assert recent(path) == [str(tmp_path / f"{name}.json") for name in "cba"]


def test_what_cannot_be_written_is_told(qapp, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    window = begun(blocked / "settings.ini")
    window.settings.change(theme="dark")
    (note,) = window.settings.notes
    assert "changes to the settings will be lost" in note
    assert window.settings.settings.theme == "dark"
    ended(window)


# -- panes -----------------------------------------------------------------------------------------


def panes_of_next(path):
    """Return the panes that a start without a file shows, and what is on the screen."""
    window = begun(path)
    found = window.model.state.panes, set(window.workspace.shown)
    ended(window)
    return found


def splitter_sizes(window):
    return window.workspace.splits.sizes[window.workspace.arrangement]


def test_a_start_without_a_file_takes_the_panes_of_the_last_end(qapp, path):
    window = begun(path)
    assert window.model.state.panes == Panes()
    trigger(window, "beside")
    trigger(window, "next_pane")
    ended(window)
    window = begun(path)
    assert window.model.state.panes == Panes(("heatmap", "clocks"), "beside", "clocks")
    assert window.active_view().picture.name == "clocks"
    assert set(window.workspace.built) == {"heatmap", "clocks"}  # no view that nobody sees
    assert not window.isWindowModified()
    assert window.history.stack.count() == 0
    ended(window)


def test_a_file_with_panes_shows_those_and_one_without_leaves_the_last(qapp, path):
    window = begun(path)
    trigger(window, "stacked")
    ended(window)
    window = begun(path)
    plain, panes = window.model.state.intention, Panes(("clocks",), "one")
    window.files.show_found(path.with_name("a"), Session(plain.with_(panes=None)), None)
    settle(window.model)
    assert window.model.state.panes == Panes(("heatmap", "clocks"), "stacked")
    trigger(window, "maximise")
    window.files.show_found(path.with_name("b"), Session(plain.with_(panes=panes)), None)
    settle(window.model)
    assert set(window.workspace.shown) == {"clocks"}
    ended(window)


def test_what_is_maximised_stays_so_until_a_file_brings_other_panes(qapp, path):
    window = begun(path)
    trigger(window, "next_pane")
    trigger(window, "maximise")
    ended(window)
    window = begun(path)
    assert window.workspace.shown == ("clocks",)
    assert set(window.workspace.built) == {"clocks"}
    assert window.model.state.panes == Panes(active="clocks")
    state = window.model.state.intention.with_(panes=Panes(("distances", "heatmap"), "beside"))
    window.files.show_found(path.with_name("a"), Session(state), None)
    settle(window.model)
    assert window.workspace.shown == ("distances", "heatmap")
    ended(window)
    assert got(path)["General"]["maximised"] == "no"


def test_splitters_stay_where_they_were_put_and_reset_puts_them_back(qapp, path):
    window = begun(path)
    window.resize(1200, 760)
    settle(window.model)
    first = splitter_sizes(window)
    (upper, lower), (left, right) = first
    window.workspace.splits.sizes = {
        "over-two": ((upper - 90, lower + 90), (left + 60, right - 60))
    }
    settle(window.model)
    moved = splitter_sizes(window)
    assert moved[0][0] < upper - 60
    assert moved[1][0] > left + 40
    trigger(window, "beside")
    ended(window)
    assert set(got(path)["sizes"]) == {"beside", "over-two"}
    window = begun(path)
    window.resize(1200, 760)
    trigger(window, "over-two")
    for again, before in zip(splitter_sizes(window), moved, strict=True):
        assert again == pytest.approx(before, abs=3)
    trigger(window, "reset_layout")
    for again, before in zip(splitter_sizes(window), first, strict=True):
        assert again == pytest.approx(before, abs=3)
    trigger(window, "beside")
    left, right = splitter_sizes(window)[0]
    assert left == pytest.approx(right, abs=3)
    ended(window)


def test_a_view_in_a_window_of_its_own_has_one_again(qapp, path):
    window = begun(path)
    trigger(window, "own_window")
    apart = window.view("heatmap").window()
    apart.move(60, 50)
    apart.resize(420, 310)
    settle(window.model)
    ended(window)
    assert got(path)["own_windows"] == {"heatmap": "60 50 420 310"}
    window = begun(path)
    again = window.view("heatmap").window()
    assert again is not window
    assert again.isVisible()
    assert window.view("heatmap").attached
    assert (again.x(), again.y(), again.width(), again.height()) == (60, 50, 420, 310)
    assert window.model.state.panes.views == ("clocks", "distances")
    window.workspace.pane("heatmap").own_window.click()  # back to the panes
    settle(window.model)
    ended(window)
    assert "own_windows" not in got(path)
    assert "heatmap" in panes_of_next(path)[0].views


DAMAGED = {
    "window=": "window",
    "window=normal 1 2 3": "window",
    "window=tiny 1 2 3 4": "window",
    "window=normal 1 2 nan 4": "window",
    "window=@Rect(1 2 3 4)": "window",
    "window=" + "9 " * 9000: "window",
    "[panels]\nencoding=up open docked 1 2 3 4": "panels/encoding",
    "[bars]\ntoolbar=top shown 1": "bars/toolbar",
    "panes=grid heatmap heatmap": "panes",
    "panes=one": "panes",
    "panes=" + "heatmap " * 9000: "panes",
    "maximised=perhaps": "maximised",
    "[sizes]\nover-two=1 2": "sizes/over-two",
    "[sizes]\nbeside=1 2 3": "sizes/beside",
    "[sizes]\nbeside=1 -2": "sizes/beside",
    "[sizes]\nbeside=1 999999999999999999999": "sizes/beside",
    "[own_windows]\nclocks=1 2 3": "own_windows/clocks",
    "[own_windows]\nclocks=1 2 nan 4": "own_windows/clocks",
}


@pytest.mark.parametrize(("line", "key"), DAMAGED.items(), ids=range(len(DAMAGED)))
def test_a_damaged_place_is_answered_by_a_sentence_and_that_of_the_first_start(path, line, key):
    put(path, ini("theme=dark", *line.split("\n")))
    file = SettingsFile(path)
    assert file.settings == Settings("dark")
    (note,) = file.notes
    assert note.startswith(f"Some settings could not be used: {key.partition('/')[0]}")
    assert len(note) < 400


def test_what_a_later_version_remembers_is_kept(qapp, path):
    later = ["[sizes]", "grid=1 2 3", "[own_windows]", "spiral=1 2 3 4"]
    put(path, ini("panes=one clocks clocks", *later))
    window = begun(path)
    assert window.settings.notes == ()
    assert window.workspace.shown == ("clocks",)
    ended(window)
    assert got(path)["sizes"]["grid"] == "1 2 3"
    assert got(path)["own_windows"] == {"spiral": "1 2 3 4"}


def test_a_window_that_was_on_a_screen_that_is_gone_comes_to_one_that_is_there(qapp, path):
    put(path, ini("panes=one clocks clocks", "[own_windows]", "heatmap=-9000 7000 32768 90"))
    window = begun(path)
    apart = window.view("heatmap").window()
    room = apart.screen().availableGeometry()
    assert room.contains(apart.pos())
    assert room.contains(apart.geometry().center())
    ended(window)


@pytest.mark.parametrize("sizes", ["0 0 / 0 0", "32768 1 / 1 32768", "0 1 / 32768 32768"])
def test_odd_sizes_leave_no_pane_without_room(qapp, path, sizes):
    put(path, ini("[sizes]", f"over-two={sizes}"))
    window = begun(path)
    assert window.settings.notes == ()
    for name in ("heatmap", "clocks", "distances"):
        pane = window.workspace.pane(name)
        assert pane.width() >= 200
        assert pane.height() >= 140
    ended(window)
