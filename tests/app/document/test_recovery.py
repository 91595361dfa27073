"""Unsaved changes are kept in a file, found by the next window, and belong to one at a time."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from pe_explorer import encodings
from pe_explorer.app.document.backups import (
    Autosave,
    RecoveryDialog,
    SavedVersion,
    delete_backup,
    find_backups,
    split_source,
)
from pe_explorer.exploration import Exploration, make_full_name
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import dumps
from pe_explorer.model.worker import Worker
from tests.app.windows import (
    CANCEL,
    DISCARD,
    answer_message,
    change,
    close_message,
    drop_file,
    set_up_in,
    trigger,
    visible_dialogs,
    wait_until_idle,
)
from tests.files.old_files import FOLDERS, difference, manifest, plain
from tests.support.gestures import settle

STATE = Exploration(
    encodings.create("sinusoidal", dim=20, base=123.5), start=10**15, count=77, metric="dot"
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "unsaved"


@pytest.fixture
def opened(folder, qapp):
    """Return a function that makes an autosave, quick by default."""
    made = []

    def opened(every=20):
        made.append(Autosave(folder, interval=every))
        return made[-1]

    yield opened
    for autosave in made:
        autosave.close(should_keep=False)
    made.clear()


def left(folder):
    return sorted(os.listdir(folder)) if folder.exists() else []


def backup_of(autosave):
    """Return the state in the file as a session would give it, and the origin."""
    document = json.loads(autosave.path.read_text())
    return session.read(autosave.path).state, document["autosave"]["origin"]


def saved_in(origin, digest=None, extra=MappingProxyType({})):
    return SavedVersion(None, origin and Path(origin), False, extra, digest)


def abandon(folder, state=STATE, origin=None, extra=None, digest=None):
    """Leave an exploration as a window that was killed does."""
    autosave = Autosave(folder)
    autosave.schedule(state, saved_in(origin, digest, extra or {}))
    autosave.close(should_keep=True)
    return autosave.path


# -- storing ---------------------------------------------------------------------------------------


def test_changes_are_stored_soon_and_on_the_way_of_a_long_drag(folder, opened, qtbot):
    autosave = Autosave(folder)
    assert autosave.findChild(QTimer).interval() <= 1000  # of the two seconds that are promised
    autosave.close(should_keep=False)
    autosave, seen, positions = opened(every=30), set(), itertools.count()

    def dragged():
        state = STATE.with_(position=next(positions))
        autosave.schedule(state, saved_in("/a/b.json", extra={"later": [1]}))
        qtbot.wait(1)
        if autosave.path.exists():
            seen.add(backup_of(autosave)[0].position)
        return len(seen) >= 3

    qtbot.waitUntil(dragged)
    last = STATE.with_(position=next(positions) - 1)
    qtbot.waitUntil(lambda: backup_of(autosave) == (last, "/a/b.json"))
    assert json.loads(autosave.path.read_text())["later"] == [1]


def test_a_backup_that_could_not_be_deleted_is_deleted_at_the_end(opened, folder, monkeypatch):
    def failing(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    autosave = opened(every=60_000)
    autosave.schedule(STATE)
    autosave.flush()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", failing)
        autosave.clear()
        autosave.findChild(Worker).finish()
    assert autosave.path.exists()
    assert find_backups(folder) == []  # it is not offered to others meanwhile
    autosave.close(should_keep=True)
    assert left(folder) == []


def test_a_write_under_way_does_not_bring_the_file_back(opened, folder, qtbot, hold):
    begun, go_on = hold(session, "dumps")
    autosave = opened(every=1)
    autosave.schedule(STATE)
    qtbot.waitUntil(begun.is_set)
    autosave.clear()
    go_on.set()
    qtbot.waitUntil(lambda: autosave.findChild(Worker).make_waiting_task() is None)
    qtbot.wait(20)
    assert left(folder) == []


@pytest.mark.parametrize("discards", [False, True])
def test_a_failed_backup_is_reported_once_and_tried_again(
    opened, folder, qtbot, monkeypatch, discards
):
    def failing(state, extra):
        attempts.append(state)
        raise OSError(28, "No space left on device")

    autosave = opened(every=10**6)  # milliseconds: the time is up when the test says so
    timer, worker = autosave.findChild(QTimer), autosave.findChild(Worker)
    attempts, failures = [], []
    autosave.failed.connect(failures.append)
    with monkeypatch.context() as patched:
        patched.setattr(session, "dumps", failing)
        for number in range(1, 5):
            autosave.schedule(STATE.with_(position=number), saved_in("/a"))
            assert timer.isActive()
            timer.stop()
            autosave.flush() if number == 2 else timer.timeout.emit()
            qtbot.waitUntil(timer.isActive)  # to try again
            assert len(attempts) == number
            if discards and number < 4:
                autosave.clear()
                qtbot.waitUntil(lambda: worker.make_waiting_task() is None)
                assert not timer.isActive()
    assert len(failures) == 1
    assert str(autosave.path) in failures[0]
    assert not autosave.can_write_backups
    timer.timeout.emit()  # though nothing changes any more
    qtbot.waitUntil(lambda: autosave.can_write_backups)
    assert backup_of(autosave) == (STATE.with_(position=4), "/a")
    for name in left(folder):
        (folder / name).unlink()
    folder.rmdir()  # and a folder that somebody removed is made again
    autosave.schedule(STATE.with_(position=1))
    autosave.flush()
    assert backup_of(autosave)[0].position == 1
    assert find_backups(folder) == []
    assert len(failures) == 1


# -- finding ---------------------------------------------------------------------------------------


def test_backups_are_found_newest_first(folder):
    first = abandon(folder, STATE, "/a/é.json", {"later": 1})
    second = abandon(folder, STATE.with_(position=7))
    os.utime(first, (1000, 1000))
    found = find_backups(folder)
    assert [(o.path, o.saved.path, o.problem) for o in found] == [
        (second, None, ""),
        (first, Path("/a/é.json"), ""),
    ]
    assert found[1].time == 1000
    assert [o.session.state for o in found] == [STATE.with_(position=7), STATE]
    assert dict(found[1].session.extra) == {"later": 1}
    assert find_backups(folder / "missing") == []


LATER = dumps(STATE, {}).replace('"schema": 1', '"schema": 2').encode()
UNREADABLE = {
    "empty": b"",
    "not valid JSON": b"{",
    "session": b"[]",
    "is not text": b"\xff",
    "deep": b"[" * 10**5,
    "later version": LATER,
    "is a folder": None,
}


def test_what_cannot_be_read_is_listed_with_the_reason(folder):
    for says, content in UNREADABLE.items():
        path = abandon(folder)
        path.unlink()
        path.mkdir() if content is None else path.write_bytes(content)
        (backup,) = find_backups(folder)
        assert (backup.path, backup.session) == (path, None)
        assert says in backup.problem
        if content is None:
            with pytest.raises(OutputError, match="director"):
                delete_backup(backup)
        else:
            delete_backup(backup)
            assert left(folder) == []


def test_whatever_goes_wrong_with_one_hides_no_other(folder, monkeypatch, caplog):
    bad, good = abandon(folder), abandon(folder)

    def failing(path):
        if path == bad:
            raise ZeroDivisionError
        return real(path)

    real = session.read
    monkeypatch.setattr(session, "read", failing)
    found = {backup.path: backup for backup in find_backups(folder)}
    assert found[good].session.state == STATE
    assert found[bad].session is None
    for fact in (str(bad), "ZeroDivisionError"):
        assert fact in found[bad].problem
        assert fact in caplog.text
    caplog.clear()


def test_other_files_are_left_alone_and_leftovers_of_the_gone_are_removed(folder, opened):
    live, other = opened(), opened()  # which are no backups
    for autosave in (live, other):
        autosave.schedule(STATE)
        autosave.flush()
    gone = abandon(folder)
    running = [each.path.with_suffix(e).name for each in (live, other) for e in (".json", ".lock")]
    names = ["exploration.json", "notes.txt", ".exploration-zz.json.1234.part"]
    no_owner = ".exploration-0123456789abcdef.json.00000000.part"
    for name in [*names, f".{gone.name}.deadbeef.part", no_owner]:
        (folder / name).touch()
    assert [backup.path for backup in find_backups(folder)] == [gone]
    assert left(folder) == sorted([*names, *running, gone.name])


# -- locks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["same number", "nothing", "another machine"])
def test_a_lock_of_which_machine_and_number_has_an_owner(folder, opened, content):
    path, own = abandon(folder), opened()
    own.schedule(STATE)
    own.flush()
    held = own.path.with_suffix(".lock")
    os.utime(held, (time.time() - 10**6,) * 2)  # an old lock holds, where its owner runs
    texts = {
        "same number": held.read_text(),  # this process, which runs
        "nothing": "",  # the power failed
        "another machine": f"1\npe-explorer\nanother-machine\n{'f' * 32}\nffff\n",
    }
    path.with_suffix(".lock").write_text(texts[content])
    found = [backup.path for backup in find_backups(folder)]
    assert found == ([] if content == "another machine" else [path])


# -- recovering ------------------------------------------------------------------------------------


def test_a_recovered_exploration_is_on_the_disk_all_the_time(opened, folder, tmp_path):
    abandon(folder, STATE, "/a/b.json", {"later": 1}, "0123")
    (backup,) = find_backups(folder)
    assert backup.session.state == STATE
    assert backup.saved == saved_in("/a/b.json", "0123", {"later": 1})
    autosave = opened(every=60_000)
    autosave.schedule(STATE.with_(position=99))  # of what is no longer shown
    autosave.adopt_backup(backup)
    assert backup_of(autosave) == (STATE, "/a/b.json")
    assert find_backups(folder) == []
    autosave.flush()
    ours = sorted([autosave.path.name, autosave.path.with_suffix(".lock").name])
    assert left(folder) == ours
    session.write(tmp_path / "saved.json", backup.session.state, backup.session.extra)
    assert "autosave" not in json.loads((tmp_path / "saved.json").read_text())
    autosave.close(should_keep=True)
    (again,) = find_backups(folder)
    assert (again.session, again.saved) == (backup.session, backup.saved)


ADOPT = """
import resource, signal, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from pe_explorer.files.atomic import OutputError
from pe_explorer.app.document.backups import Autosave, find_backups
from pe_explorer.exploration import Exploration, make_full_name
folder, (position, limit) = Path(sys.argv[1]), sys.argv[2:]
app = QCoreApplication([])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit),) * 2)
autosave, found = Autosave(folder), find_backups(folder)
autosave.failed.connect(print)
print(len(found), flush=True)
sys.stdin.readline()
try:
    if found:
        autosave.adopt_backup(found[0])
    else:
        autosave.schedule(Exploration(position=int(position)))
    autosave.flush()
    print("written", flush=True)
except OutputError as error:
    print("refused", flush=True)
sys.stdin.readline()
"""


@contextmanager
def killed_writers(folder, position=0, count=1, limit=10**9):
    """Start processes that back up a position, or recover one that is there, and kill them then."""
    command = [sys.executable, "-c", ADOPT, str(folder), str(position), str(limit)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    running = []
    for _ in range(count):  # one by one, as a process that looks at a backup holds its lock
        running.append(subprocess.Popen(command, **pipes))
        assert running[-1].stdout.readline() == ("0\n" if position else "1\n")
    for process in running:
        process.stdin.write("\n")
    yield sorted(process.stdout.readline() for process in running)
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("way", ["full", "read-only"])
def test_a_folder_that_takes_nothing_new_hides_no_backup(folder, way):
    with killed_writers(folder, 41):
        pass
    folder.chmod(0o500 if way == "read-only" else 0o700)
    with killed_writers(folder, limit=0 if way == "full" else 10**9) as (said,):
        assert said.startswith("The backup of your unsaved changes cannot be written")
    folder.chmod(0o700)
    assert [backup.session.state.position for backup in find_backups(folder)] == [41]


def test_of_several_processes_one_adopts(folder):
    with killed_writers(folder, 41) as answers:
        assert answers == ["written\n"]
        assert find_backups(folder) == []  # it lives
    with killed_writers(folder, count=3) as answers:
        assert answers == ["refused\n", "refused\n", "written\n"]
    assert [backup.session.state.position for backup in find_backups(folder)] == [41]


def test_a_backup_is_adopted_or_deleted_only_once(folder, opened):
    path = abandon(folder)
    (backup,) = find_backups(folder)
    autosave = opened()
    autosave.adopt_backup(backup)
    assert (find_backups(folder), path.exists()) == ([], False)
    for use in (opened().adopt_backup, delete_backup):
        with pytest.raises(OutputError, match=rf"{path.name}: another window"):
            use(backup)
    autosave.close(should_keep=True)
    (backup,) = find_backups(folder)
    delete_backup(backup)
    assert left(folder) == []


ORIGIN = os.fsdecode(b'/caf\xe9/\xf0\x9f\x98\x80 "\\\n.json')  # no UTF-8
SOURCES = [
    *((added, (None, None)) for added in (3, [], {}, {"origin": 3}, {"origin": ""})),
    ({"origin": ORIGIN, "stamp": [1, 2]}, (ORIGIN, None)),
    *(({"origin": "/a", "digest": digest}, ("/a", None)) for digest in (3, True, {"ab": 2})),
]


def test_an_origin_or_a_digest_that_is_none():
    for added, source in SOURCES:
        plain = session.Session(STATE, extra={"autosave": added, "later": 1})
        found, read = split_source(plain)
        assert read == saved_in(*source, {"later": 1})
        assert dict(found.extra) == {"later": 1}
    without = session.Session(STATE, extra={"later": 1})
    assert split_source(without) == (without, None)


# -- offered by the next window --------------------------------------------------------------------

SMALL = Exploration(encodings.create("sinusoidal", dim=6, base=77.5), count=9)


def counts_left(folder):
    return [backup.session.state.count for backup in find_backups(folder)]


@pytest.fixture
def autosaving_window(window, folder):
    """A window whose unsaved changes are kept, as the program's are."""
    window.autosave = Autosave(folder, window, interval=20)
    window.document.autosave = window.autosave
    return window


def offered(window, folder):
    window.files.offer_backups(folder)
    settle()
    return visible_dialogs(window, RecoveryDialog)


def test_what_was_left_is_opened_and_stays_unsaved(autosaving_window, folder, tmp_path, qtbot):
    abandon(folder, SMALL, str(tmp_path / "a é.json"))
    (dialog,) = offered(autosaving_window, folder)
    for fact in ("a é.json", make_full_name(SMALL.encoding), "9 positions"):
        assert fact in dialog.list.item(0).text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_until_idle(autosaving_window)
    assert set_up_in(autosaving_window) == SMALL
    assert autosaving_window.windowTitle() == "a é.json[*] - PE Explorer: positional encodings"
    assert autosaving_window.isWindowModified()
    change(autosaving_window, count=10)
    trigger(autosaving_window, "undo")
    assert autosaving_window.isWindowModified()
    trigger(autosaving_window, "save")
    assert session.read(tmp_path / "a é.json").state.with_(panes=None) == SMALL
    qtbot.waitUntil(lambda: find_backups(folder) == [])
    assert not autosaving_window.isWindowModified()
    qtbot.waitUntil(lambda: not list(folder.glob("*.json")))


def test_discarding_asks_and_later_leaves_the_others(autosaving_window, folder):
    abandon(folder)
    abandon(folder, SMALL)
    (dialog,) = offered(autosaving_window, folder)
    dialog.discard_button.click()
    answer_message(autosaving_window, CANCEL)
    assert dialog.list.count() == 2
    first = dialog.list.item(0).text()
    dialog.discard_button.click()
    dialog.list.setCurrentRow(1)  # what is discarded is what was asked about
    answer_message(autosaving_window, DISCARD)
    assert dialog.list.count() == 1
    assert dialog.list.item(0).text() != first
    (count,) = counts_left(folder)
    assert f"{count} positions" in dialog.list.item(0).text()
    dialog.later_button.click()
    settle()
    assert counts_left(folder) == [count]
    assert autosaving_window.windowTitle() == "PE Explorer: positional encodings"


@pytest.mark.parametrize("meanwhile", ["another window", "changes"])
def test_what_happens_meanwhile_loses_nothing(autosaving_window, folder, meanwhile):
    abandon(folder, SMALL)
    (dialog,) = offered(autosaving_window, folder)
    if meanwhile == "another window":
        other = Autosave(folder)
        other.adopt_backup(*find_backups(folder))
    else:
        change(autosaving_window, start=4242)
    dialog.open_button.click()
    wait_until_idle(autosaving_window)
    if meanwhile == "another window":
        assert "another window has already recovered or discarded" in close_message(
            autosaving_window
        )
        assert set_up_in(autosaving_window) == Exploration()
        other.close(should_keep=True)
    else:
        answer_message(autosaving_window, CANCEL)
        assert autosaving_window.model.state.start == 4242
    assert counts_left(folder) == [9]


def test_an_unreadable_backup_is_reported_and_can_only_be_discarded(autosaving_window, folder):
    abandon(folder, SMALL)
    (path,) = folder.glob("*.json")
    path.write_text("{")
    (dialog,) = offered(autosaving_window, folder)
    assert not dialog.open_button.isEnabled()
    assert dialog.later_button.isDefault()
    assert "not valid JSON" in dialog.list.item(0).toolTip()
    dialog.discard_button.click()
    answer_message(autosaving_window, DISCARD)
    assert not path.exists()
    assert visible_dialogs(autosaving_window, RecoveryDialog) == []


def test_unsaved_changes_are_kept_until_they_are_saved_or_given_up(
    autosaving_window, folder, qtbot
):
    assert offered(autosaving_window, folder) == []  # as nothing was left
    change(autosaving_window, position=3, dimension=4)  # which is nothing to keep
    assert not autosaving_window.autosave.findChild(QTimer).isActive()
    change(autosaving_window, count=123)
    qtbot.waitUntil(lambda: len(list(folder.glob("*.json"))) == 1)
    (path,) = folder.glob("*.json")
    qtbot.waitUntil(lambda: json.loads(path.read_text())["positions"]["count"] == 123)
    trigger(autosaving_window, "undo")
    qtbot.waitUntil(lambda: not path.exists())
    change(autosaving_window, count=5)
    qtbot.waitUntil(path.exists)
    autosaving_window.close()
    answer_message(autosaving_window, DISCARD)
    assert not autosaving_window.isVisible()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("known", "changed"), [(False, False), (True, False), (True, True)])
def test_a_recovered_one_is_not_saved_over_what_changed_since(
    autosaving_window, folder, tmp_path, known, changed
):
    """It may have, where it is not known what its file held."""
    path = tmp_path / "a.json"
    digest = session.write(path, STATE)
    abandon(folder, SMALL, str(path), digest=digest if known else None)
    if changed:
        session.write(path, Exploration(count=999))
    before, asks = path.read_bytes(), changed or not known
    (dialog,) = offered(autosaving_window, folder)
    dialog.open_button.click()
    wait_until_idle(autosaving_window)
    trigger(autosaving_window, "save")
    if asks:
        answer_message(autosaving_window, CANCEL)
    assert (path.read_bytes() == before) == asks
    assert autosaving_window.isWindowModified() == asks


def test_ended_from_outside_it_is_kept(autosaving_window, folder):
    autosaving_window.model.set(count=321)
    autosaving_window.leave()
    assert counts_left(folder) == [321]


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
        origin = saved_in(entry["origin"], extra=entry["extra"])
        assert backup.saved == origin  # kept before there were digests


def test_a_kept_file_opened_by_hand_is_no_place_to_save_to(autosaving_window, folder):
    abandon(folder, SMALL, "/somewhere/a.json")
    (path,) = folder.glob("*.json")
    drop_file(autosaving_window, path)
    assert autosaving_window.model.state.count == 9
    trigger(autosaving_window, "save")
    (dialog,) = visible_dialogs(autosaving_window, QFileDialog)
    dialog.reject()
    wait_until_idle(autosaving_window)
    assert "autosave" not in autosaving_window.document.saved_version.extra
