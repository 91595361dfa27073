"""The exploration as a file, as a person sees it: title, questions, menus, drops."""

import json
import os
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.files import session
from pe_explorer.model import Exploration
from tests.app.acts import change
from tests.support.gestures import settle, type_text
from tests.support.windows import (
    CANCEL,
    DISCARD,
    PATIENCE,
    SAVE,
    accept_file,
    answer_message,
    choose_file,
    close_message,
    drop_file,
    message_boxes,
    save_exploration,
    set_up_exploration,
    set_up_in,
    trigger,
    wait_until_idle,
)


def held(path):
    """Return what a file holds, read by hand."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    return (
        document["encoding"]["dim"],
        document["encoding"]["base"],
        document["positions"]["start"],
        document["positions"]["count"],
    )


# -- the title -------------------------------------------------------------------------------------


def test_the_title_tells_name_and_what_is_unsaved(window, tmp_path):
    assert (window.windowTitle(), window.isWindowModified()) == ("PE Explorer", False)
    change(window, position=7, dimension=3)
    assert not window.isWindowModified()
    set_up_exploration(window)
    assert (window.windowTitle(), window.isWindowModified()) == ("Untitled[*] — PE Explorer", True)
    save_exploration(window, tmp_path / "a é.json")
    assert (window.windowTitle(), window.isWindowModified()) == ("a é.json[*] — PE Explorer", False)
    assert held(tmp_path / "a é.json") == (20, 123.5, 10**15, 77)
    change(window, count=5)
    assert window.isWindowModified()
    trigger(window, "undo")
    assert not window.isWindowModified()
    window.model.set(count=6)
    trigger(window, "save")  # asks for no name
    assert held(tmp_path / "a é.json") == (20, 123.5, 10**15, 6)
    assert not window.isWindowModified()
    save_exploration(window, tmp_path / "a[*]b.json")
    assert window.windowTitle() == "a[*][*]b.json[*] — PE Explorer"  # two are shown as one


# -- saving ----------------------------------------------------------------------------------------


def test_the_proposed_name_is_one_that_a_desktop_opens_with_this_program(window, tmp_path):
    set_up_exploration(window)
    trigger(window, "save_as")
    (dialog,) = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    assert line.text() == "exploration.pe.json"
    dialog.setDirectory(str(tmp_path))
    line.setText("mine")
    dialog.accept()
    wait_until_idle(window)
    assert held(tmp_path / "mine.pe.json") == (20, 123.5, 10**15, 77)
    trigger(window, "save_as")
    (dialog,) = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    assert dialog.findChild(QLineEdit, "fileNameEdit").text() == "mine.pe.json"
    dialog.reject()


@pytest.mark.parametrize("how", ["in place", "another file", "through a link", "too large"])
def test_one_that_changed_under_the_same_size_and_time_is_asked_about(window, tmp_path, how):
    path = tmp_path / "shared.json"
    save_exploration(window, path)
    seen = path.stat()
    others = path.read_bytes().replace(b'"count": 77', b'"count": 78')
    assert len(others) == seen.st_size
    if how == "too large":
        os.truncate(path, 1 << 32)  # a hole, which would fill the memory if it were read
    else:
        written = tmp_path / "others" if how != "in place" else path
        written.write_bytes(others)
        if how == "another file":
            written.replace(path)
        elif how == "through a link":
            path.unlink()
            path.symlink_to(written)
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        assert (path.stat().st_size, path.stat().st_mtime_ns) == (seen.st_size, seen.st_mtime_ns)
    window.model.set(count=5)
    trigger(window, "save")
    assert "has changed since" in message_boxes(window)[0].text()
    answer_message(window, CANCEL)
    assert window.isWindowModified()
    if how != "too large":
        assert path.read_bytes() == others
    trigger(window, "save")
    answer_message(window, SAVE)
    assert held(path)[3] == 5
    assert not window.isWindowModified()


def test_one_that_holds_the_same_at_another_time_is_not_asked_about(window, tmp_path):
    path = tmp_path / "shared.json"
    save_exploration(window, path)
    held_before = path.read_bytes()
    path.unlink()
    path.write_bytes(held_before)
    os.utime(path, ns=(1, 1))
    window.model.set(count=5)
    trigger(window, "save")
    assert not message_boxes(window)
    assert held(path)[3] == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_its_place_is_asked_about_and_not_waited_for(window, tmp_path):
    path = tmp_path / "shared.json"
    save_exploration(window, path)
    path.unlink()
    os.mkfifo(path)
    window.model.set(count=5)
    trigger(window, "save")
    assert "has changed since" in message_boxes(window)[0].text()
    answer_message(window, SAVE)
    assert "is a device, not a file" in close_message(window)
    assert window.isWindowModified()


def test_a_file_that_vanished_is_written_anew(window, tmp_path):
    save_exploration(window, tmp_path / "x.json")
    (tmp_path / "x.json").unlink()
    window.model.set(count=5)
    trigger(window, "save")
    assert held(tmp_path / "x.json")[3] == 5


@pytest.mark.parametrize("spelled", ["opened", "relative", "linked"])
def test_a_later_version_is_not_overwritten_by_any_name_of_it(
    window, tmp_path, monkeypatch, spelled
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    path = tmp_path / "folder" / "later.json"
    path.write_text(json.dumps(json.loads(session.dumps(Exploration())) | {"schema": 99}))
    monkeypatch.chdir(tmp_path / "folder")
    if spelled == "opened":
        drop_file(window, path)
        assert "later version" in close_message(window)
    set_up_exploration(window)
    trigger(window, "save")
    names = {"relative": "later.json", "linked": tmp_path / "link" / "later.json"}
    choose_file(window, names.get(spelled, path))
    assert "later version" in close_message(window)
    assert json.loads(path.read_text())["schema"] == 99
    assert window.isWindowModified()
    trigger(window, "save")
    choose_file(window, tmp_path / "mine.json")
    assert held(tmp_path / "mine.json")[3] == 77


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no/x.json", "there is no folder"),
        ("x.npy", ".json"),
        ("x.png", ".json"),
        ("x.txt", ".json"),
        ("read.json", "read-only"),
    ],
)
def test_what_cannot_be_saved_stays_unsaved(window, tmp_path, monkeypatch, name, says):
    path, own = tmp_path / name, os.access
    if path.parent.is_dir():
        path.write_text("as it was")

    def access(place, mode):
        is_locked = Path(place).name == "read.json" and mode == os.W_OK
        return not is_locked and own(place, mode)

    monkeypatch.setattr(os, "access", access)
    set_up_exploration(window)
    trigger(window, "save")
    choose_file(window, path)
    assert says in close_message(window)
    assert window.isWindowModified()
    assert not path.parent.is_dir() or path.read_text() == "as it was"


def test_what_is_being_typed_counts(window, tmp_path, qtbot):
    path = tmp_path / "x.json"
    save_exploration(window, path)
    field = window.panel.positions_form.editor("count").main
    for number, key in ((314, "save"), (271, "quit")):
        window.activateWindow()
        settle(window.model)
        type_text(qtbot, field, str(number))
        trigger(window, key)
        if key == "quit":
            answer_message(window, SAVE)
        assert held(path)[3] == number
    assert not window.isVisible()


def test_unknown_keys_are_kept(window, tmp_path):
    save_exploration(window, tmp_path / "a.json")
    document = json.loads((tmp_path / "a.json").read_text()) | {"note": "mine"}
    (tmp_path / "b.json").write_text(json.dumps(document))
    drop_file(window, tmp_path / "b.json")
    window.model.set(count=5)
    trigger(window, "save")
    assert json.loads((tmp_path / "b.json").read_text())["note"] == "mine"
    trigger(window, "new")
    save_exploration(window, tmp_path / "c.json")
    assert "note" not in json.loads((tmp_path / "c.json").read_text())


# -- opening ---------------------------------------------------------------------------------------


def test_an_opened_file_is_as_it_was_saved_and_undo_begins_there(window, tmp_path):
    state = save_exploration(window, tmp_path / "a.json")
    trigger(window, "new")
    assert set_up_in(window) == Exploration()
    trigger(window, "open")
    choose_file(window, tmp_path / "a.json")
    assert window.model.state == state
    assert not window.history.stack.canUndo()
    assert not window.isWindowModified()


def test_recent_files_are_listed_and_open(window, tmp_path):
    for name in ("a.json", "b & c é.json"):
        save_exploration(window, tmp_path / name)
    window.menus.recent.aboutToShow.emit()
    first, second, *_ = window.menus.recent.actions()
    assert (first.text(), second.text()) == ("&1  b && c é.json", "&2  a.json")
    trigger(window, "new")
    second.trigger()
    wait_until_idle(window)
    assert window.windowTitle().startswith("a.json")
    (tmp_path / "b & c é.json").unlink()
    window.menus.recent.aboutToShow.emit()
    window.menus.recent.actions()[1].trigger()
    wait_until_idle(window)
    assert "b & c é.json" in close_message(window)
    window.menus.recent.actions()[-1].trigger()
    window.menus.recent.aboutToShow.emit()
    assert [action.text() for action in window.menus.recent.actions()] == ["No files yet"]


# -- questions -------------------------------------------------------------------------------------


def test_a_new_one_asks_first(window, tmp_path):
    state = set_up_exploration(window)
    trigger(window, "new")
    assert "unsaved changes" in message_boxes(window)[0].text()
    answer_message(window, CANCEL)
    assert window.model.state == state
    trigger(window, "new")
    answer_message(window, SAVE)
    choose_file(window, tmp_path / "kept.json")
    assert held(tmp_path / "kept.json") == (20, 123.5, 10**15, 77)
    assert set_up_in(window) == Exploration()
    assert (window.windowTitle(), window.isWindowModified()) == ("PE Explorer", False)


def test_closing_asks_first(window, tmp_path):
    set_up_exploration(window)
    window.close()
    assert window.isVisible()
    answer_message(window, CANCEL)
    assert window.isVisible()
    window.close()
    answer_message(window, SAVE)
    choose_file(window, tmp_path / "last.json")
    assert not window.isVisible()
    assert held(tmp_path / "last.json") == (20, 123.5, 10**15, 77)


def test_a_save_that_is_given_up_keeps_the_window(window):
    set_up_exploration(window)
    trigger(window, "quit")
    answer_message(window, SAVE)
    (dialog,) = [dialog for dialog in window.findChildren(QFileDialog) if dialog.isVisible()]
    dialog.reject()
    wait_until_idle(window)
    assert window.isVisible()
    trigger(window, "quit")
    answer_message(window, DISCARD)
    assert not window.isVisible()


def test_closing_without_changes_asks_nothing(window, tmp_path):
    save_exploration(window, tmp_path / "a.json")
    window.model.set(position=5)
    window.close()
    assert not window.isVisible()


# -- a folder as slow as a network's ---------------------------------------------------------------


@pytest.fixture
def slow(hold):
    """Let files take their place only when told to."""
    return hold(Path, "replace")


def save_slowly(window, path, begun):
    """Set something up and save it, as far as the writing has begun."""
    set_up_exploration(window)
    window.files.save_as()
    settle(window.model)
    accept_file(window, path)
    settle(window.model)
    assert begun.wait(PATIENCE)


def test_a_slow_folder_stops_nothing(window, tmp_path, slow):
    begun, go_on = slow
    save_slowly(window, tmp_path / "slow.json", begun)
    change(window, count=9)
    assert window.model.state.count == 9
    assert window.isWindowModified()
    window.close()
    assert window.isVisible()
    assert not message_boxes(window)
    go_on.set()
    wait_until_idle(window)
    assert held(tmp_path / "slow.json")[3] == 77
    assert "unsaved changes" in message_boxes(window)[0].text()
    answer_message(window, SAVE)
    assert not window.isVisible()
    assert held(tmp_path / "slow.json")[3] == 9


def test_saving_twice_in_a_slow_folder_saves_the_last(window, tmp_path, slow):
    begun, go_on = slow
    save_slowly(window, tmp_path / "slow.json", begun)
    window.model.set(count=9)
    window.files.save()
    go_on.set()
    wait_until_idle(window)
    wait_until_idle(window)
    assert held(tmp_path / "slow.json")[3] == 9
    assert not window.isWindowModified()


def save_on_leaving(window, path, key, slow):
    """Leave a changed session by an action and save it, as far as the writing has begun."""
    begun, go_on = slow
    go_on.set()
    save_exploration(window, path)
    go_on.clear()
    begun.clear()
    window.model.set(count=78)
    trigger(window, key)
    (box,) = message_boxes(window)
    box.button(SAVE).click()
    settle(window.model)
    assert begun.wait(PATIENCE)


def test_changes_while_it_is_saved_on_leaving_are_asked_about_again(window, tmp_path, slow):
    _, go_on = slow
    save_on_leaving(window, tmp_path / "x.json", "quit", slow)
    change(window, count=4242)
    go_on.set()
    wait_until_idle(window)
    assert window.isVisible()
    assert held(tmp_path / "x.json")[3] == 78
    answer_message(window, SAVE)
    assert not window.isVisible()
    assert held(tmp_path / "x.json")[3] == 4242


def test_what_is_typed_while_it_is_saved_on_leaving_counts(window, qtbot, tmp_path, slow):
    _, go_on = slow
    save_on_leaving(window, tmp_path / "x.json", "new", slow)
    window.activateWindow()
    field = window.panel.form.editor("dim").main
    field.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is field)  # the question's window has gone
    field.selectAll()
    QTest.keyClicks(field, "333")
    go_on.set()
    wait_until_idle(window)
    answer_message(window, SAVE)
    assert held(tmp_path / "x.json") == (333, 123.5, 10**15, 78)
    assert set_up_in(window) == Exploration()


def test_ended_from_outside_while_it_is_saved_it_is_saved(window, tmp_path, slow, monkeypatch):
    begun, go_on = slow
    window.document.back_up(Autosave(tmp_path / "unsaved", window, every=20))
    save_slowly(window, tmp_path / "x.json", begun)
    threading.Timer(0.2, go_on.set).start()
    window.leave()
    assert held(tmp_path / "x.json")[3] == 77
    assert not list((tmp_path / "unsaved").glob("*.json"))


def test_after_an_unexpected_failure_the_window_can_still_be_closed(
    window, tmp_path, monkeypatch, qtbot
):
    def failing(*given):
        raise MemoryError("no more")

    save_exploration(window, tmp_path / "a.json")
    window.model.set(start=55)
    with monkeypatch.context() as patched, qtbot.captureExceptions() as caught:
        patched.setattr(session, "write", failing)
        trigger(window, "quit")
        answer_message(window, SAVE)
    assert [str(value) for _, value, _ in caught] == ["no more"]
    assert window.isVisible()
    trigger(window, "quit")
    answer_message(window, SAVE)
    assert not window.isVisible()


def test_an_export_dialog_is_not_left_alone(window, tmp_path, slow):
    begun, go_on = slow
    save_slowly(window, tmp_path / "x.json", begun)
    window.close()
    window.actions_by_key["export_data"].trigger()
    go_on.set()
    settle(window.model)
    (dialog,) = [dialog for dialog in window.findChildren(DataDialog) if dialog.isVisible()]
    assert window.isVisible()
    dialog.reject()
    del dialog
    end = time.monotonic() + PATIENCE
    while window.isVisible() and time.monotonic() < end:
        settle()
    assert not window.isVisible()


def test_a_dropped_file_is_copied_never_moved(window, tmp_path):
    save_exploration(window, tmp_path / "a.json")
    path = tmp_path / "a.json"
    move, copy = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    event = drop_file(window, path, move | copy, Qt.KeyboardModifier.ShiftModifier)
    assert event.dropAction() == copy
    assert not drop_file(window, path, move).isAccepted()


def test_what_is_opened_slowly_gives_way(window, tmp_path, hold):
    """Opened on a slow disk, and something else begun meanwhile: that is done, the other is not."""
    save_exploration(window, tmp_path / "mine.json")
    session.write(tmp_path / "other.json", Exploration(count=5))
    begun, go_on = hold(session, "read_itself")
    window.model.set(count=9)
    window.files.open_file(str(tmp_path / "other.json"))
    settle(window.model)
    assert begun.wait(PATIENCE)
    trigger(window, "new")
    go_on.set()
    answer_message(window, SAVE)
    assert set_up_in(window) == Exploration()
    assert window.windowTitle() == "PE Explorer"
    assert held(tmp_path / "mine.json")[3] == 9
    assert held(tmp_path / "other.json")[3] == 5
    assert not message_boxes(window)


def test_the_shown_file_opened_again_after_saving_shows_what_was_saved(window, tmp_path):
    save_exploration(window, tmp_path / "a.json")
    window.model.set(start=55)
    drop_file(window, tmp_path / "a.json")
    answer_message(window, SAVE)
    assert window.model.state.start == 55
    assert held(tmp_path / "a.json")[2] == 55
    assert not window.isWindowModified()


def test_a_file_that_is_there_but_cannot_be_seen_stays_among_the_recent(window, tmp_path):
    (tmp_path / "loop.json").symlink_to("loop.json")
    window.settings.note_file(tmp_path / "loop.json")
    drop_file(window, tmp_path / "loop.json")
    assert "symbolic links" in close_message(window)
    assert window.settings.settings.recent == (str(tmp_path / "loop.json"),)
