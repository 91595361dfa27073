"""The exploration as a file, as a person sees it: title, questions, menus, drops."""

import json
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from pe_explorer.app.document.backups import Autosave
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.files import session
from pe_explorer.files.session import FIGURE_SUFFIXES
from pe_explorer.model import Exploration
from tests.app.output.dialogs import open_export, write_to
from tests.app.windows import (
    CANCEL,
    DISCARD,
    PATIENCE,
    SAVE,
    accept_file,
    answer_message,
    change,
    choose_file,
    close_message,
    drop_file,
    message_boxes,
    save_exploration,
    set_up_exploration,
    set_up_in,
    start_anew,
    trigger,
    visible_dialogs,
    wait_until_idle,
)
from tests.support.gestures import settle, type_text


def fields_in_file(path):
    """Return what a file holds, read by hand."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    encoding, positions = document["encoding"], document["positions"]
    return encoding["dim"], encoding["base"], positions["start"], positions["count"]


def title(window):
    return window.windowTitle(), window.isWindowModified()


# -- saving and opening ----------------------------------------------------------------------------


def test_the_title_tells_name_and_what_is_unsaved(window, tmp_path):
    assert title(window) == ("PE Explorer: positional encodings", False)
    change(window, position=7, dimension=3)
    assert not window.isWindowModified()
    set_up_exploration(window)
    assert title(window) == ("Untitled[*] - PE Explorer: positional encodings", True)
    path = tmp_path / "a é.json"
    state = save_exploration(window, path)
    assert title(window) == ("a é.json[*] - PE Explorer: positional encodings", False)
    assert fields_in_file(path) == (20, 123.5, 10**15, 77)
    change(window, count=5)
    assert window.isWindowModified()
    trigger(window, "undo")
    assert not window.isWindowModified()
    path.write_text(json.dumps(json.loads(path.read_text()) | {"note": "mine"}))
    start_anew(window)
    trigger(window, "open")
    choose_file(window, path)
    assert window.model.state == state
    assert not window.history.stack.canUndo()
    window.model.set(count=6)
    trigger(window, "save")  # asks for no name, and keeps what is not known
    assert fields_in_file(path) == (20, 123.5, 10**15, 6)
    assert json.loads(path.read_text())["note"] == "mine"
    assert not window.isWindowModified()
    trigger(window, "new")
    assert window.statusBar().currentMessage()
    save_exploration(window, tmp_path / "a[*]b.json")
    assert (
        window.windowTitle() == "a[*][*]b.json[*] - PE Explorer: positional encodings"
    )  # two are shown as one
    assert "note" not in json.loads((tmp_path / "a[*]b.json").read_text())


def test_the_proposed_name_is_one_that_a_desktop_opens_with_this_program(window, tmp_path):
    set_up_exploration(window)
    for proposed in ("exploration.pe.json", "mine.pe.json"):
        trigger(window, "save_as")
        (dialog,) = visible_dialogs(window, QFileDialog)
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert line.text() == proposed
        dialog.setDirectory(str(tmp_path))
        line.setText("mine" if proposed.startswith("exploration") else "other.json")
        dialog.accept()
        wait_until_idle(window)
    assert fields_in_file(tmp_path / "mine.pe.json") == fields_in_file(tmp_path / "other.json")


CHANGES = ["in place", "another file", "through a link", "too large", "a pipe"]
NO_CHANGES = ["the same again", "nothing"]


@pytest.mark.parametrize("how", [*CHANGES, *NO_CHANGES])
def test_one_that_somebody_else_changed_is_asked_about(window, tmp_path, how):
    path, beside = tmp_path / "shared.json", tmp_path / "others"
    save_exploration(window, path)
    seen, before = path.stat(), path.read_bytes()
    others = before.replace(b'"count": 77', b'"count": 78')
    assert len(others) == seen.st_size
    beside.write_bytes(others)
    if how == "in place":
        path.write_bytes(others)
    elif how == "too large":
        os.truncate(path, 1 << 32)  # a hole, which would fill the memory if it were read
    else:
        path.unlink()
        make = {
            "another file": beside.replace,
            "through a link": lambda path: path.symlink_to(beside),
            "a pipe": os.mkfifo,
            "the same again": lambda path: path.write_bytes(before),
        }
        make.get(how, str)(path)
    if path.exists():  # as if it had never changed, or as if it had where it has not
        os.utime(path, ns=(1, 1) if how in NO_CHANGES else (seen.st_atime_ns, seen.st_mtime_ns))
    window.model.set(count=5)
    trigger(window, "save")
    if how in NO_CHANGES:
        assert not message_boxes(window)
        assert fields_in_file(path)[3] == 5
        return
    assert "has changed since" in message_boxes(window)[0].text()
    answer_message(window, CANCEL)
    assert window.isWindowModified()
    assert how in ("too large", "a pipe") or path.read_bytes() == others
    trigger(window, "save")
    answer_message(window, SAVE)
    if how == "a pipe":  # which nobody waits for
        assert "is a device" in close_message(window)
    else:
        assert fields_in_file(path)[3] == 5
    assert window.isWindowModified() == (how == "a pipe")


def test_what_cannot_be_saved_stays_unsaved(window, tmp_path, monkeypatch):
    later = json.dumps(json.loads(session.dumps(Exploration())) | {"schema": 99})
    own = os.access
    locked = tmp_path / "read.json"
    monkeypatch.setattr(
        os, "access", lambda place, mode: Path(place) != locked and own(place, mode)
    )
    (tmp_path / "later.json").write_text(later)
    drop_file(window, tmp_path / "later.json")
    assert "later version" in close_message(window)
    set_up_exploration(window)
    for name, says in {
        "later.json": "later version",
        "read.json": "read-only",
        "x.png": ".json",
        "no/x.json": "there is no folder",
    }.items():
        path = tmp_path / name
        if name[0] in "rx":
            path.write_text("as it was")
        before = path.read_text() if path.exists() else None
        trigger(window, "save")
        choose_file(window, path)
        assert says in close_message(window)
        assert window.isWindowModified()
        assert before is None or path.read_text() == before
    trigger(window, "save")
    choose_file(window, tmp_path / "mine.json")
    assert fields_in_file(tmp_path / "mine.json")[3] == 77


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
        assert fields_in_file(path)[3] == number
    assert not window.isVisible()


def test_recent_files_are_listed_and_open(window, tmp_path):
    def listed():
        window.menus.recent.aboutToShow.emit()
        return window.menus.recent.actions()

    for name in ("a.json", "b & c é.json"):
        save_exploration(window, tmp_path / name)
    first, second, *_ = listed()
    assert (first.text(), second.text()) == ("&1  b && c é.json", "&2  a.json")
    trigger(window, "new")
    second.trigger()
    wait_until_idle(window)
    assert window.windowTitle().startswith("a.json")
    assert str(tmp_path / "a.json") in window.statusBar().currentMessage()
    (tmp_path / "b & c é.json").unlink()
    listed()[1].trigger()
    wait_until_idle(window)
    assert "b & c é.json" in close_message(window)
    listed()[-1].trigger()
    assert [action.text() for action in listed()] == ["No recent files"]
    bytes_name = tmp_path / os.fsdecode(b"caf\xe9.json")  # not UTF-8
    session.write(bytes_name, Exploration(count=31))
    window.settings.add_recent_file(bytes_name)
    assert listed()[0].text() == "&1  caf\ufffd.json"
    listed()[0].trigger()
    wait_until_idle(window)
    assert (window.model.state.count, window.windowTitle()[:9]) == (31, "caf\ufffd.json")
    window.settings.forget_recent_files()
    loop = tmp_path / "loop.json"  # which is there, but cannot be seen
    loop.symlink_to(loop)
    window.settings.add_recent_file(loop)
    drop_file(window, loop)
    assert "symbolic links" in close_message(window)
    assert window.settings.settings.recent == (str(loop),)


# -- questions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["new", "quit"])
def test_changes_are_asked_about_and_a_save_that_is_given_up_keeps_them(window, tmp_path, key):
    def ask():
        trigger(window, key) if key == "new" else window.close()
        assert "unsaved changes" in message_boxes(window)[0].text()
        assert window.isVisible()

    state = set_up_exploration(window)
    ask()
    answer_message(window, CANCEL)
    ask()
    answer_message(window, SAVE)
    (dialog,) = visible_dialogs(window, QFileDialog)
    dialog.reject()
    wait_until_idle(window)
    assert window.isVisible()
    assert window.model.state == state
    ask()
    answer_message(window, SAVE)
    choose_file(window, tmp_path / "kept.json")
    assert fields_in_file(tmp_path / "kept.json") == (20, 123.5, 10**15, 77)
    if key == "new":
        assert set_up_in(window) == Exploration()
        assert title(window) == ("PE Explorer: positional encodings", False)
        change(window, count=3)
        trigger(window, "quit")
        answer_message(window, DISCARD)
    assert not window.isVisible()


def test_the_shown_file_opened_again_after_saving_shows_what_was_saved(window, tmp_path):
    path = tmp_path / "a.json"
    save_exploration(window, path)
    window.model.set(start=55)
    window.model.playhead.play()
    drop_file(window, path)
    answer_message(window, SAVE)
    assert not window.model.playhead.is_playing
    assert window.model.state.start == fields_in_file(path)[2] == 55
    assert not window.isWindowModified()
    move, copy = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    event = drop_file(window, path, move | copy, Qt.KeyboardModifier.ShiftModifier)
    assert event.dropAction() == copy  # a dropped file is never moved
    assert not drop_file(window, path, move).isAccepted()
    window.model.set(position=5)
    window.close()  # without changes nothing is asked
    assert not window.isVisible()


def test_after_a_failure_the_window_can_be_closed(window, tmp_path, monkeypatch, qtbot):
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


# -- a folder as slow as a network's ---------------------------------------------------------------


@pytest.fixture
def slow(hold):
    """Move files into place only once this is set."""
    return hold(Path, "replace")


def save_slowly(window, path, begun):
    """Set something up and save it, as far as the writing has begun."""
    set_up_exploration(window)
    window.files.save_as()
    settle(window.model)
    accept_file(window, path)
    settle(window.model)
    assert begun.wait(PATIENCE)


def test_a_slow_folder_stops_nothing_and_the_last_is_saved(window, tmp_path, slow):
    begun, go_on = slow
    path = tmp_path / "slow.json"
    save_slowly(window, path, begun)
    change(window, count=8)
    assert window.model.state.count == 8
    assert window.isWindowModified()
    window.files.save()
    change(window, count=9)
    window.close()
    assert window.isVisible()
    assert not message_boxes(window)
    go_on.set()
    wait_until_idle(window)
    wait_until_idle(window)
    assert fields_in_file(path)[3] in (8, 9)
    if message_boxes(window):
        answer_message(window, SAVE)
    assert not window.isVisible()
    assert fields_in_file(path)[3] == 9


@pytest.mark.parametrize("key", ["quit", "new"])
def test_what_is_typed_while_it_is_saved_on_leaving_counts(window, qtbot, tmp_path, slow, key):
    begun, go_on = slow
    path = tmp_path / "x.json"
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
    window.activateWindow()
    field = window.panel.form.editor("dim").main
    field.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is field)  # the question's window has gone
    field.selectAll()
    QTest.keyClicks(field, "333")
    go_on.set()
    wait_until_idle(window)
    assert window.isVisible()
    assert fields_in_file(path) == (20, 123.5, 10**15, 78)
    answer_message(window, SAVE)
    assert fields_in_file(path) == (333, 123.5, 10**15, 78)
    assert window.isVisible() == (key == "new")


def test_ended_from_outside_while_it_is_saved_it_is_saved(window, tmp_path, slow):
    begun, go_on = slow
    window.document.autosave = Autosave(tmp_path / "unsaved", window, interval=20)
    save_slowly(window, tmp_path / "x.json", begun)
    threading.Timer(0.2, go_on.set).start()
    window.leave()
    assert fields_in_file(tmp_path / "x.json")[3] == 77
    assert not list((tmp_path / "unsaved").glob("*.json"))


def test_an_export_dialog_is_not_left_alone(window, qtbot, tmp_path, slow):
    begun, go_on = slow
    save_slowly(window, tmp_path / "x.json", begun)
    window.close()
    window.actions_by_key["export_data"].trigger()
    go_on.set()
    settle(window.model)
    (dialog,) = visible_dialogs(window, DataDialog)
    assert window.isVisible()
    dialog.reject()
    del dialog
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.parametrize("way", ["new", "leave"])
def test_what_is_opened_slowly_gives_way(window, tmp_path, hold, way):
    """Opened on a slow disk, and something else begun meanwhile: that is done, the other is not."""
    save_exploration(window, tmp_path / "mine.json")
    session.write(tmp_path / "other.json", Exploration(count=5))
    begun, go_on = hold(session, "read_file")
    window.model.set(count=9)
    window.files.open_file(str(tmp_path / "other.json"))
    settle(window.model)
    assert begun.wait(PATIENCE)
    if way == "leave":
        window.leave()  # returns, although it is still being read
        go_on.set()
        assert window.model.state.count == 9
        return
    trigger(window, "new")
    go_on.set()
    answer_message(window, SAVE)
    assert set_up_in(window) == Exploration()
    assert window.windowTitle() == "PE Explorer: positional encodings"
    assert fields_in_file(tmp_path / "mine.json")[3] == 9
    assert fields_in_file(tmp_path / "other.json")[3] == 5
    assert not message_boxes(window)


# -- figures ---------------------------------------------------------------------------------------


def drop(window, path):
    """Drop a file, and discard changes; return what is said about the file."""
    drop_file(window, path)
    if message_boxes(window) and "changes" in message_boxes(window)[0].text():
        answer_message(window, DISCARD)
    settle(window.model)
    for dialog in visible_dialogs(window, FigureDialog):  # which a figure opens
        dialog.reject()
    settle(window.model)
    return close_message(window)


@pytest.mark.parametrize("ending", FIGURE_SUFFIXES)
def test_a_figure_is_opened_and_never_replaced(window, qtbot, tmp_path, ending):
    trigger(window, "pin")
    set_up_exploration(window)
    expected, path = set_up_in(window), tmp_path / f"f{ending}"
    write_to(qtbot, open_export(window, "figure"), path)
    whole = path.read_bytes()
    start_anew(window)
    assert set_up_in(window) != expected
    assert drop(window, path) == ""
    assert set_up_in(window) == expected
    start_anew(window)
    trigger(window, "open")
    (dialog,) = visible_dialogs(window, QFileDialog)
    assert f"*{ending}" in dialog.nameFilters()[0]
    choose_file(window, path)
    for dialog in visible_dialogs(window, FigureDialog):
        dialog.reject()
    assert set_up_in(window) == expected
    assert window.windowTitle().startswith(path.name)
    trigger(window, "save")
    choose_file(window, tmp_path / "f.json")
    assert path.read_bytes() == whole
    assert session.read(tmp_path / "f.json").state.with_(panes=None) == expected
    path.with_stem("cut").write_bytes(whole[: len(whole) // 10])
    text = drop(window, path.with_stem("cut"))
    assert set_up_in(window) == expected
    assert f"cut{ending}" in text or text == ""  # where its session is whole
