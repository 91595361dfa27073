import itertools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, QSysInfo, QTimer

from pe_explorer import encodings
from pe_explorer.app.document import backups as backups_module
from pe_explorer.app.document.autosave import Autosave, BackupSource, take_lock
from pe_explorer.app.document.backups import delete_backup, find_backups, split_source, take_backup
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import SessionError, dumps
from pe_explorer.model.worker import Worker
from tests.support.processes import run_python

STATE = Exploration(
    encodings.create("sinusoidal", dim=20, base=123.5), start=10**15, count=77, metric="dot"
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "unsaved"


@pytest.fixture
def blocked(folder):
    """A file where the folder should be."""
    folder.parent.mkdir()
    folder.write_text("a file")
    return folder


@pytest.fixture
def opened(folder, qapp):
    """Return a function that makes an autosave, quick by default."""
    made = []

    def opened(every=20):
        made.append(Autosave(folder, every=every))
        return made[-1]

    yield opened
    for autosave in made:
        autosave.close(keep=False)
    made.clear()


def left(folder):
    return sorted(os.listdir(folder)) if folder.exists() else []


def stored(autosave):
    """Return the state in the file as a session would give it, and the origin."""
    document = json.loads(autosave.path.read_text())
    return session.read(autosave.path).state, document["autosave"]["origin"]


def abandon(folder, state=STATE, origin=None, extra=None, digest=None):
    """Leave an exploration as a window that was killed does."""
    autosave = Autosave(folder)
    autosave.note(state, BackupSource(origin, digest), extra or {})
    autosave.close(keep=True)
    return autosave.path


# -- storing ---------------------------------------------------------------------------------------


def test_a_change_is_stored_soon(folder, qapp, qtbot):
    autosave = Autosave(folder)
    assert autosave.findChild(QTimer).interval() <= 1000  # of the two seconds that are promised
    autosave.note(STATE, BackupSource("/a/b.json"), {"later": [1]})
    qtbot.waitUntil(autosave.path.exists)
    assert stored(autosave) == (STATE, "/a/b.json")
    assert json.loads(autosave.path.read_text())["later"] == [1]
    autosave.close(keep=False)


def test_a_long_drag_is_stored_on_the_way(opened, qtbot):
    autosave, seen, positions = opened(every=30), set(), itertools.count()

    def dragged():
        autosave.note(STATE.with_(position=next(positions)))
        qtbot.wait(1)
        if autosave.path.exists():
            seen.add(stored(autosave)[0].position)
        return len(seen) >= 3

    qtbot.waitUntil(dragged)
    last = next(positions) - 1
    qtbot.waitUntil(lambda: stored(autosave)[0].position == last)


def test_writing_waits_in_no_gui_thread_and_the_newest_wins(opened, qtbot, monkeypatch):
    go_on, threads, written = threading.Event(), set(), []

    def slow(state, extra):
        threads.add(threading.get_ident())
        assert go_on.wait(60)
        written.append(state.position)
        return dumps(state, extra)

    monkeypatch.setattr(session, "dumps", slow)
    autosave = opened(every=5)
    for position in range(20):
        autosave.note(STATE.with_(position=position))
        qtbot.waitUntil(lambda: len(threads) > 0)
        qtbot.wait(5)
    go_on.set()
    qtbot.waitUntil(lambda: autosave.path.exists() and stored(autosave)[0].position == 19)
    assert threading.get_ident() not in threads
    assert len(written) == 2


def test_a_write_under_way_does_not_bring_the_file_back(opened, folder, qtbot, hold):
    begun, go_on = hold(session, "dumps")
    autosave = opened(every=1)
    autosave.note(STATE)
    qtbot.waitUntil(begun.is_set)
    autosave.clear()
    go_on.set()
    qtbot.waitUntil(lambda: autosave.findChild(Worker).waiting() is None)
    qtbot.wait(20)
    assert left(folder) == []
    autosave.note(STATE.with_(position=3))  # and it goes on
    qtbot.waitUntil(autosave.path.exists)
    autosave.clear()
    qtbot.waitUntil(lambda: not autosave.path.exists())


@pytest.mark.parametrize("keep", [False, True])
def test_close_keeps_or_removes(opened, folder, keep):
    autosave = opened(every=60_000)
    autosave.note(STATE)
    autosave.close(keep=keep)
    autosave.close(keep=False)  # the second time without effect
    autosave.note(STATE.with_(position=5))
    opened().close(keep=True)  # in which nothing was unsaved
    assert left(folder) == ([autosave.path.name] if keep else [])
    assert [backup.session.state for backup in find_backups(folder)] == [STATE] * keep


def test_a_backup_that_could_not_be_deleted_is_deleted_at_the_end(opened, folder, monkeypatch):
    def failing(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    autosave = opened(every=60_000)
    autosave.note(STATE)
    autosave.flush()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", failing)
        autosave.clear()
        autosave.findChild(Worker).finish()
    assert autosave.path.exists()
    assert find_backups(folder) == []  # it is not offered to others meanwhile
    autosave.close(keep=True)
    assert left(folder) == []


@pytest.mark.parametrize("discards", [False, True])
def test_failure_is_told_once_and_it_goes_on_trying(opened, blocked, qtbot, discards):
    autosave, told, keeping = opened(), [], []
    autosave.failed.connect(told.append)
    autosave.backing_up.connect(keeping.append)
    for position in range(4):
        autosave.note(STATE.with_(position=position), BackupSource("/a"))
        qtbot.waitUntil(lambda: len(told) > 0)
        qtbot.wait(40)
        if discards and position < 3:
            autosave.clear()
            qtbot.wait(40)
    assert len(told) == 1
    assert str(blocked) in told[0]
    assert told[0].startswith("The backup of your unsaved changes cannot be written: ")
    assert told[0].endswith("Save the session to keep them.")
    assert keeping == [False]
    blocked.unlink()
    qtbot.waitUntil(autosave.path.exists)  # though nothing changes any more
    qtbot.waitUntil(lambda: keeping == [False, True])
    qtbot.waitUntil(lambda: stored(autosave) == (STATE.with_(position=3), "/a"))
    assert len(told) == 1


def test_a_folder_that_somebody_removed_is_made_again(opened, folder, qtbot):
    autosave = opened()
    autosave.note(STATE)
    autosave.flush()
    for name in left(folder):
        (folder / name).unlink()
    folder.rmdir()
    autosave.note(STATE.with_(position=1))
    autosave.flush()
    assert stored(autosave)[0].position == 1
    assert find_backups(folder) == []


# -- finding ---------------------------------------------------------------------------------------


def test_running_windows_are_no_backups(opened, folder):
    one, two = opened(), opened()
    for autosave in (one, two):
        autosave.note(STATE)
        autosave.flush()
    assert one.path != two.path
    assert find_backups(folder) == []
    assert len(left(folder)) == 4


def test_backups_are_found_newest_first(folder):
    first, second = (
        abandon(folder, STATE, "/a/é.json", {"later": 1}),
        abandon(folder, STATE.with_(position=7)),
    )
    os.utime(first, (1000, 1000))
    found = find_backups(folder)
    assert [(o.path, o.source.path, o.problem) for o in found] == [
        (second, None, ""),
        (first, "/a/é.json", ""),
    ]
    assert found[1].time == 1000
    assert [o.session.state for o in found] == [STATE.with_(position=7), STATE]
    assert dict(found[1].session.extra) == {"later": 1}
    assert find_backups(folder / "missing") == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"{", "not valid JSON"),
        (b"[]", "not a session"),
        (b"\xff", "not a text"),
        (b"[" * 10**5, "deep"),
        (None, "not a file"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_listed_with_the_reason(folder, content, says):
    path = abandon(folder)
    if content is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(content)
    (backup,) = find_backups(folder)
    assert (backup.path, backup.session) == (path, None)
    assert says in backup.problem
    with pytest.raises(SessionError, match=says):
        take_backup(backup)
    if content is None:
        with pytest.raises(SessionError, match="director"):
            delete_backup(backup)
    else:
        delete_backup(backup)
        assert left(folder) == []


def test_whatever_goes_wrong_with_one_hides_no_other(folder, monkeypatch, caplog):
    bad, good = abandon(folder), abandon(folder)

    def failing(path):
        if path == bad:
            raise ZeroDivisionError
        return session.read(path)

    monkeypatch.setattr(backups_module, "read", failing)
    found = {backup.path: backup for backup in find_backups(folder)}
    assert found[good].session.state == STATE
    assert (found[bad].session, found[bad].problem) == (
        None,
        f"{bad}: cannot be read (ZeroDivisionError)",
    )
    assert "ZeroDivisionError" in caplog.text
    with pytest.raises(SessionError, match="cannot be read"):
        take_backup(found[bad])


def test_other_files_are_left_alone_and_leftovers_of_the_gone_are_removed(folder, opened):
    live = opened()
    live.note(STATE)
    live.flush()
    gone = abandon(folder)
    names = [
        "exploration.json",
        "notes.txt",
        ".exploration-zz.json.1234.part",
        f".{live.path.name}.0badcafe.part",
    ]
    for name in [
        *names,
        f".{gone.name}.deadbeef.part",
        ".exploration-0123456789abcdef.json.00000000.part",
    ]:
        (folder / name).touch()
    stale = folder / "exploration-00112233445566ff.lock"
    stale.write_text(f"999999999\nnobody\n{QSysInfo.machineHostName()}\n")
    assert [backup.path for backup in find_backups(folder)] == [gone]
    assert left(folder) == sorted(
        [*names, live.path.name, live.path.with_suffix(".lock").name, gone.name]
    )


@pytest.mark.parametrize("content", ["same number", "nothing"])
def test_a_lock_whose_number_is_in_use_again_is_no_owner(folder, content):
    path = abandon(folder)
    own = QLockFile(str(folder / "own"))
    assert own.tryLock(0)
    text = (folder / "own").read_text()  # this process, which runs
    own.unlock()
    lock = path.with_suffix(".lock")
    lock.write_text(text if content == "same number" else "")  # nothing: the power failed
    assert find_backups(folder) == []  # it may be in the making
    os.utime(lock, (time.time() - 60,) * 2)
    (backup,) = find_backups(folder)
    found, file = take_backup(backup)
    assert found.session.state == STATE
    file.unlock()


def test_an_old_lock_of_a_running_window_holds(folder):
    folder.mkdir(parents=True)
    lock = take_lock(folder / "x.lock")
    os.utime(folder / "x.lock", (time.time() - 10**6,) * 2)
    with pytest.raises(BlockingIOError):
        take_lock(folder / "x.lock")
    program = (
        "import sys; from pathlib import Path; "
        "from pe_explorer.app.document.autosave import take_lock; "
        "take_lock(Path(sys.argv[1]))"
    )
    other = run_python(program, folder / "x.lock")
    assert "BlockingIOError" in other.stderr
    lock.unlock()


def test_a_lock_of_another_machine_holds(folder):
    path = abandon(folder)
    lock = path.with_suffix(".lock")
    lock.write_text("1\npe-explorer\nanother-machine\nffffffffffffffffffffffffffffffff\nffff\n")
    os.utime(lock, (time.time() - 10**6,) * 2)
    assert find_backups(folder) == []


# -- recovering ------------------------------------------------------------------------------------


def test_an_adopted_file_is_the_window_s_own(opened, folder, qtbot, tmp_path):
    path = abandon(folder, STATE, "/a/b.json", {"later": 1})
    autosave = opened()
    autosave.note(STATE.with_(position=99))
    autosave.flush()
    (backup,) = find_backups(folder)
    found, file = take_backup(backup)
    autosave.adopt(found, file)
    file.unlock()  # without effect: it belongs to the window now
    assert (found.session.state, found.source.path, dict(found.session.extra)) == (
        STATE,
        "/a/b.json",
        {"later": 1},
    )
    assert autosave.path == path
    ours = sorted([path.name, path.with_suffix(".lock").name])
    qtbot.waitUntil(lambda: left(folder) == ours)  # what was noted before goes
    assert find_backups(folder) == []
    session.write(tmp_path / "saved.json", found.session.state, found.session.extra)
    assert "autosave" not in json.loads((tmp_path / "saved.json").read_text())
    autosave.note(STATE.with_(position=5), found.source, found.session.extra)
    qtbot.waitUntil(lambda: stored(autosave) == (STATE.with_(position=5), "/a/b.json"))
    autosave.clear()
    qtbot.waitUntil(lambda: not path.exists())


def test_only_one_window_gets_a_backup(opened, folder):
    abandon(folder)
    (backup,) = find_backups(folder)
    one, two = opened(), opened()
    one.adopt(*take_backup(backup))
    with pytest.raises(SessionError, match="another window has recovered it"):
        take_backup(backup)
    with pytest.raises(SessionError, match="another window has recovered it"):
        delete_backup(backup)
    two.note(STATE.with_(position=2))
    two.flush()
    assert stored(two)[0].position == 2
    one.close(keep=False)
    with pytest.raises(SessionError, match="recovered or discarded"):
        take_backup(backup)
    assert stored(two)[0].position == 2


ADOPT = """
import sys
from PySide6.QtCore import QCoreApplication
from pe_explorer.files.session import SessionError, dumps
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.backups import find_backups, take_backup
app = QCoreApplication([])
autosave = Autosave(sys.argv[1])
found = find_backups(sys.argv[1])
print(len(found), flush=True)
sys.stdin.readline()
try:
    backup, file = take_backup(found[0])
    autosave.adopt(backup, file)
    print("adopted", backup.session.state.position, flush=True)
except SessionError as error:
    print("refused", flush=True)
sys.stdin.readline()
"""


def test_of_several_processes_one_adopts(folder):
    abandon(folder, STATE.with_(position=41))
    command = [sys.executable, "-c", ADOPT, str(folder)]
    running = []
    for _ in range(3):  # one after the other: who reads a backup holds it for a moment
        running.append(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        )
        assert running[-1].stdout.readline() == "1\n"
    for process in running:
        process.stdin.write("\n")
    answers = sorted(process.stdout.readline() for process in running)
    assert answers == ["adopted 41\n", "refused\n", "refused\n"]
    for process in running:
        process.kill()
        process.communicate()
    assert [backup.session.state.position for backup in find_backups(folder)] == [41]


def test_a_taken_backup_is_nobody_else_s_until_it_is_unlocked_or_dropped(folder):
    abandon(folder)
    (backup,) = find_backups(folder)
    _, file = take_backup(backup)
    assert find_backups(folder) == []
    file.unlock()
    file.unlock()  # the second time without effect
    assert find_backups(folder) == [backup]
    _, file = take_backup(backup)
    del file
    assert find_backups(folder) == [backup]


def test_what_is_not_taken_any_more_cannot_be_adopted(opened, folder):
    abandon(folder)
    (backup,) = find_backups(folder)
    autosave = opened()
    found, file = take_backup(backup)
    file.unlock()
    with pytest.raises(ValueError, match="not locked any more"):
        autosave.adopt(found, file)
    autosave.close(keep=False)
    autosave.adopt(*take_backup(backup))  # too late: it is for the next start
    assert find_backups(folder) == [backup]


def test_the_origin_s_digest_comes_back(opened, folder, tmp_path):
    origin = tmp_path / "origin.json"
    digest = session.write(origin, STATE)
    path = abandon(folder, STATE, str(origin), digest=digest)
    (backup,) = find_backups(folder)
    assert backup.source.digest == digest
    autosave = opened()
    autosave.adopt(*take_backup(backup))
    autosave.close(keep=True)
    assert find_backups(folder)[0].source.digest == digest
    assert json.loads(path.read_text())["autosave"] == {"origin": str(origin), "digest": digest}


ORIGIN = os.fsdecode(b'/caf\xe9/\xf0\x9f\x98\x80 "\\\n.json')  # no UTF-8


@pytest.mark.parametrize(
    ("added", "source"),
    [
        *((added, (None, None)) for added in (3, [], {}, {"origin": 3}, {"origin": "a\0b"})),
        ({"origin": ORIGIN, "stamp": [1, 2]}, (ORIGIN, None)),
        *(({"origin": "/a", "digest": digest}, ("/a", None)) for digest in (3, True, {"ab": 2})),
    ],
    ids=str,
)
def test_an_origin_or_a_digest_that_is_none(added, source):
    plain = session.Session(STATE, extra={"autosave": added, "later": 1})
    found, read = split_source(plain)
    assert (read, dict(found.extra)) == (BackupSource(*source), {"later": 1})
    without = session.Session(STATE, extra={"later": 1})
    assert split_source(without) == (without, None)


def test_failures_are_followed_by_no_more_attempts_than_changes_are(
    opened, folder, qtbot, monkeypatch
):
    attempts = []

    def failing(state, extra):
        attempts.append(state)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(session, "dumps", failing)
    autosave = opened(every=10**6)  # milliseconds: the time is up when the test says so
    timer = autosave.findChild(QTimer)
    autosave.note(STATE)
    for number in range(1, 5):
        assert timer.isActive()
        timer.stop()
        timer.timeout.emit()
        qtbot.waitUntil(timer.isActive)
        assert len(attempts) == number
    autosave.clear()
    qtbot.waitUntil(lambda: autosave.findChild(Worker).waiting() is None)
    assert not timer.isActive()
    assert len(attempts) == 4


def test_a_flush_that_fails_is_tried_again(opened, blocked, qtbot):
    autosave = opened()
    autosave.note(STATE)
    autosave.flush()
    blocked.unlink()
    qtbot.waitUntil(autosave.path.exists)


def test_what_a_later_version_stored_is_left_to_it(folder):
    path = abandon(folder)
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    (backup,) = find_backups(folder)
    assert "later version" in backup.problem
    with pytest.raises(SessionError, match="later version"):
        take_backup(backup)
    assert path.exists()


def test_an_adopted_exploration_outlives_the_adopter(opened, folder):
    abandon(folder, STATE, "/a")
    autosave = opened()
    autosave.note(STATE.with_(position=3))
    autosave.flush()
    autosave.adopt(*take_backup(*find_backups(folder)))
    autosave.close(keep=True)
    (backup,) = find_backups(folder)
    assert (backup.session.state, backup.source.path) == (STATE, "/a")


def test_it_is_taken_in_another_thread_and_adopted_at_once(opened, folder, qtbot, hold):
    path = abandon(folder, STATE, "/a")
    (backup,) = find_backups(folder)
    worker, answers = Worker(), []
    worker.done.connect(lambda owner, answer: answers.append(answer))
    worker.request("recovery", lambda _: take_backup(backup))
    qtbot.waitUntil(lambda: len(answers) == 1)
    begun, go_on = hold(session, "dumps")
    autosave = opened(every=1)
    autosave.note(STATE.with_(position=9))
    qtbot.waitUntil(begun.is_set)
    former = autosave.path
    autosave.adopt(*answers.pop())  # without waiting for the write under way, which goes on later
    assert autosave.path == path
    autosave.note(STATE.with_(position=5), BackupSource("/a"))
    go_on.set()
    qtbot.waitUntil(lambda: stored(autosave) == (STATE.with_(position=5), "/a"))
    assert not former.exists()
    assert not former.with_suffix(".lock").exists()
