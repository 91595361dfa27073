"""What a window left unsaved is offered by the next one."""

import json
import shutil

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from pe_explorer import encodings
from pe_explorer.app.document import recovery_dialog
from pe_explorer.app.document.autosave import Autosave, BackupSource
from pe_explorer.app.document.backups import find_backups, take_backup
from pe_explorer.app.document.recovery import Recovery
from pe_explorer.app.document.recovery_dialog import RecoveryDialog
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.app.acts import change
from tests.support.gestures import settle
from tests.support.kept import FOLDERS, difference, manifest, plain
from tests.support.windows import (
    answer_message,
    close_message,
    drop_file,
    message_boxes,
    set_up_in,
    trigger,
    wait_until_idle,
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "unsaved"


def left(folder, state, origin=None, digest=None):
    """Leave an exploration behind, as a window does that is ended."""
    autosave = Autosave(folder)
    autosave.note(state, BackupSource(origin, digest))
    autosave.close(keep=True)
    return state


def explored(**fields):
    return Exploration(encoding=encodings.create("sinusoidal", dim=6, base=77.5), **fields)


@pytest.fixture
def kept(window, folder):
    """A window whose unsaved changes are kept, as the program's are."""
    window.autosave = Autosave(folder, window, every=20)
    window.autosave.failed.connect(window.dialogs.warn)
    window.document.back_up(window.autosave)
    return window


def offered(window, folder):
    Recovery(window, window.files, window.autosave, folder)
    while window.files.workflows.worker.busy("recovery"):
        settle()
    settle()
    return [dialog for dialog in window.findChildren(RecoveryDialog) if dialog.isVisible()]


def test_nothing_left_is_no_question(kept, folder):
    assert offered(kept, folder) == []


def test_what_was_left_is_opened_and_stays_unsaved(kept, folder, tmp_path, qtbot):
    state = left(folder, explored(count=9), str(tmp_path / "a é.json"))
    (dialog,) = offered(kept, folder)
    assert "a é.json · sinusoidal d=6 b=77.5, 9 positions from 0" in dialog.list.item(0).text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_until_idle(kept)
    assert set_up_in(kept) == state
    assert kept.windowTitle() == "a é.json[*] — PE Explorer"
    assert kept.isWindowModified()
    change(kept, count=10)
    trigger(kept, "undo")
    assert kept.isWindowModified()
    trigger(kept, "save")
    assert json.loads((tmp_path / "a é.json").read_text())["positions"]["count"] == 9
    qtbot.waitUntil(lambda: find_backups(folder) == [])
    assert not kept.isWindowModified()
    qtbot.waitUntil(lambda: not list(folder.glob("*.json")))


def test_later_leaves_it(kept, folder):
    left(folder, explored())
    (dialog,) = offered(kept, folder)
    dialog.later.click()
    settle()
    assert len(find_backups(folder)) == 1
    assert kept.windowTitle() == "PE Explorer"


def test_discarding_asks(kept, folder):
    left(folder, explored(count=3))
    left(folder, explored(count=4))
    (dialog,) = offered(kept, folder)
    assert dialog.list.count() == 2
    dialog.drop.click()
    answer_message(kept, QMessageBox.StandardButton.Cancel)
    assert dialog.list.count() == 2
    first = dialog.list.item(0).text()
    dialog.drop.click()
    dialog.list.setCurrentRow(1)  # what is discarded is what was asked about
    answer_message(kept, QMessageBox.StandardButton.Discard)
    assert dialog.list.count() == 1
    assert dialog.list.item(0).text() != first
    (backup,) = find_backups(folder)
    assert f"{backup.session.state.count:,} positions" in dialog.list.item(0).text()
    dialog.drop.click()
    answer_message(kept, QMessageBox.StandardButton.Discard)
    assert not list(folder.glob("*.json"))
    assert [dialog for dialog in kept.findChildren(RecoveryDialog) if dialog.isVisible()] == []


def test_another_window_was_faster(kept, folder):
    state = left(folder, explored(count=3))
    (dialog,) = offered(kept, folder)
    (backup,) = find_backups(folder)
    other = Autosave(folder)
    other.adopt(*take_backup(backup))
    settle()
    assert backup.session.state == state
    dialog.go.click()
    wait_until_idle(kept)
    assert "another window has recovered it" in close_message(kept)
    assert set_up_in(kept) == Exploration()
    other.close(keep=False)


def test_changes_while_it_is_taken_are_asked_about(kept, folder, hold):
    left(folder, explored(count=3))
    (dialog,) = offered(kept, folder)
    begun, go_on = hold(recovery_dialog, "take_backup")
    dialog.go.click()
    settle(kept.model)
    assert begun.wait(60)
    change(kept, start=4242)
    go_on.set()
    wait_until_idle(kept)
    answer_message(kept, QMessageBox.StandardButton.Cancel)
    assert kept.model.state.start == 4242
    still_there = find_backups(folder)
    assert [backup.session.state.count for backup in still_there] == [3]


def test_what_cannot_be_read_is_told_and_can_only_be_discarded(kept, folder):
    left(folder, explored(count=3))
    (path,) = folder.glob("*.json")
    path.write_text("{")
    (dialog,) = offered(kept, folder)
    assert not dialog.go.isEnabled()
    assert dialog.later.isDefault()
    assert "not valid JSON" in dialog.list.item(0).toolTip()
    dialog.drop.click()
    answer_message(kept, QMessageBox.StandardButton.Discard)
    assert not path.exists()


def test_unsaved_changes_are_kept_until_they_are_saved_or_given_up(kept, folder, qtbot):
    change(kept, count=123)
    qtbot.waitUntil(lambda: len(list(folder.glob("*.json"))) == 1)
    (path,) = folder.glob("*.json")
    qtbot.waitUntil(lambda: json.loads(path.read_text())["positions"]["count"] == 123)
    trigger(kept, "undo")
    qtbot.waitUntil(lambda: not path.exists())
    change(kept, count=5)
    qtbot.waitUntil(path.exists)
    kept.close()
    answer_message(kept, QMessageBox.StandardButton.Discard)
    assert not kept.isVisible()
    assert list(folder.iterdir()) == []


def test_ended_from_outside_it_is_kept(kept, folder):
    kept.model.set(count=321)
    kept.leave()
    (backup,) = find_backups(folder)
    assert backup.session.state.count == 321


def test_a_folder_that_cannot_be_written_is_told_once(kept, folder, qtbot):
    folder.write_text("in the way")
    change(kept, count=5)
    words = "backup of your unsaved changes cannot be written"
    qtbot.waitUntil(lambda: any(words in box.text() for box in message_boxes(kept)))
    close_message(kept)


@pytest.mark.parametrize("known", [False, True])  # there is a word on its file
@pytest.mark.parametrize("changed", [False, True])
def test_a_recovered_one_is_not_saved_over_what_changed_since(
    kept, folder, tmp_path, known, changed
):
    path = tmp_path / "a.json"
    digest = session.write(path, explored(count=9))
    left(folder, explored(count=12), str(path), digest if known else None)
    if changed:
        session.write(path, explored(count=999))
    asks = changed or not known
    (dialog,) = offered(kept, folder)
    dialog.go.click()
    wait_until_idle(kept)
    trigger(kept, "save")
    if asks:
        answer_message(kept, QMessageBox.StandardButton.Cancel)
    count = 12 if not asks else 999 if changed else 9
    assert json.loads(path.read_text())["positions"]["count"] == count
    assert kept.isWindowModified() == asks


WITH_UNSAVED = [folder for folder in FOLDERS if (folder / "unsaved").is_dir()]


@pytest.mark.parametrize("folder", WITH_UNSAVED, ids=lambda folder: folder.name)
def test_what_an_earlier_version_left_unsaved_is_found(folder, tmp_path):
    entries = manifest(folder).items()
    wanted = {name: entry for name, entry in entries if name.startswith("unsaved/")}
    backups = find_backups(shutil.copytree(folder / "unsaved", tmp_path / "unsaved"))
    found = {f"unsaved/{backup.path.name}": backup for backup in backups}
    assert found.keys() == wanted.keys()
    for name, backup in found.items():
        entry = wanted[name]
        assert (backup.problem, backup.session.notes) == ("", ())
        assert difference(plain(backup.session.state), entry["state"]) == {}
        assert dict(backup.session.extra) == entry["extra"]
        assert backup.source == BackupSource(entry["origin"])  # kept before there were digests


def test_moving_the_cursor_keeps_nothing(kept, folder):
    change(kept, position=3, dimension=4)
    assert not kept.autosave.findChild(QTimer).isActive()
    assert not list(folder.glob("*.json"))


def test_a_kept_file_opened_by_hand_is_no_place_to_save_to(kept, folder):
    left(folder, explored(count=12), "/somewhere/a.json")
    (path,) = folder.glob("*.json")
    drop_file(kept, path)
    assert kept.model.state.count == 12
    trigger(kept, "save")
    (dialog,) = [dialog for dialog in kept.findChildren(QFileDialog) if dialog.isVisible()]
    dialog.reject()
    wait_until_idle(kept)
    assert "autosave" not in kept.document.saved.extra
