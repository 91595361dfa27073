import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from pe_explorer.app.document.locks import take
from pe_explorer.app.document.recent import RecentMenu
from pe_explorer.app.settings import settings_file
from pe_explorer.app.settings.layout_state import is_sound
from pe_explorer.app.settings.settings import Layout, Settings, settings_path, state_folder
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.params import ParameterError

SOON = 1.8  # seconds of work, not of waiting; the goal of 0.2 s is the benchmark's


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config" / "settings.json"


def put(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def got(path):
    return json.loads(path.read_bytes())


def ours(**fields):
    return {"program": "PE Explorer 9.9", "schema": 1, **fields}


def changed(store, **fields):
    """Change settings and have them written."""
    store.change(**fields)
    store.close()


def used(store, name):
    """Open or save a file, and have that written."""
    store.note_file(name)
    store.close()


def folder(*names):
    """Return an absolute path as the system spells it."""
    return str(Path("/", *names).absolute())


# -- what is kept ----------------------------------------------------------------------------------


def test_what_is_changed_is_there_at_the_next_start(path):
    store = SettingsFile(path)
    assert store.settings == Settings("system", (), {}, None)
    assert not path.exists()
    store.change(theme="dark", layout=Layout("QQ==", "Qg=="))
    store.note_file(folder("a", "1.json"))
    store.note_file(folder("a", "2.json"))
    store.remember_folder("picture", folder("p"))
    store.close()
    again = SettingsFile(path)
    assert again.settings == Settings(
        "dark",
        (folder("a", "2.json"), folder("a", "1.json")),
        {"session": folder("a"), "picture": folder("p")},
        Layout("QQ==", "Qg=="),
    )
    assert again.notes == store.notes == ()
    text = path.read_text()
    assert '\n "theme": "dark",\n' in text
    assert os.listdir(path.parent) == ["settings.json"]


def test_ten_recent_files_each_once_newest_first(path):
    store = SettingsFile(path)
    for number in [*range(14), 9]:
        store.note_file(folder(f"{number}"))
    store.close()
    assert got(path)["recent"] == [folder(f"{n}") for n in (9, 13, 12, 11, 10, 8, 7, 6, 5, 4)]
    store.forget_recent(folder("13"))
    store.close()
    assert got(path)["recent"][:3] == [folder(f"{n}") for n in (9, 12, 11)]


def test_names_of_any_kind_come_back(path):
    names = [
        folder("é ü", "日本語.json"),
        folder('quote"\n\\'),
        folder(os.fsdecode(b"caf\xe9.json")),
    ]
    for name in names:
        used(SettingsFile(path), name)
    assert SettingsFile(path).settings.recent == tuple(reversed(names))


@pytest.mark.parametrize(
    "fields",
    [
        {"theme": "pink"},
        {"recent": "x"},
        {"recent": ["a\0"]},
        {"folders": {"data": 1}},
        {"layout": 3},
        {"layout": {"state": "x"}},
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_and_nothing_changes(path, fields):
    store = SettingsFile(path)
    changed(store, theme="dark")
    before = path.read_bytes()
    with pytest.raises(ParameterError):
        store.change(**fields)
    with pytest.raises(ParameterError, match="'films' is not one of session, picture, data"):
        store.remember_folder("films", "/")
    store.close()
    assert path.read_bytes() == before
    assert store.settings.theme == "dark"


def test_changes_are_announced_once(path, qtbot):
    store, heard = SettingsFile(path), []
    store.changed.connect(heard.append)
    store.change(theme="dark")
    store.change(theme="dark")
    store.close()
    assert [settings.theme for settings in heard] == ["dark"]


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = SettingsFile(None)
    store.change(theme="light")
    store.note_file(folder("x"))
    assert store.settings.theme == "light"
    assert list(tmp_path.iterdir()) == []


def test_the_usual_places_are_at_home(tmp_path):
    for found in (settings_path(), state_folder()):
        assert found.is_relative_to(tmp_path)
        assert "pe-explorer" in found.parts
    changed(SettingsFile(settings_path()), theme="dark")
    assert SettingsFile(settings_path()).settings.theme == "dark"


# -- what does not fit -----------------------------------------------------------------------------


def test_what_fits_is_used_and_the_rest_is_told_and_written_right_with_the_next_change(path):
    odd = ours(
        theme="pink",
        recent=["/a", 3, "/b"],
        folders={"data": 7, "picture": "/p", "films": "/f"},
        layout=[1],
        later={"x": [1.5, None]},
    )
    put(path, odd)
    store = SettingsFile(path)
    assert (store.settings.theme, store.settings.recent, store.settings.layout) == (
        "system",
        ("/a", "/b"),
        None,
    )
    assert store.settings.folders == {"picture": "/p", "films": "/f"}
    for told, key in zip(
        store.notes,
        ("theme: 'pink' is not one of", "recent: [3]", "folders.data: 7", "layout: [1]"),
        strict=True,
    ):
        assert key in told
        assert told.startswith(str(path))
        assert told.endswith("the default is used.")
    store.remember_folder("session", folder("s"))
    store.close()
    folders = {"picture": "/p", "films": "/f", "session": folder("s")}
    right = {"theme": "system", "recent": ["/a", "/b"], "folders": folders, "layout": None}
    assert got(path) == {**odd, **right, "program": got(path)["program"]}
    assert len(store.notes) == 4
    assert SettingsFile(path).notes == ()


def test_a_later_version_s_file_is_read_and_never_overwritten(path):
    put(path, ours(schema=2, theme="dark", recent={"pinned": []}))
    before = path.read_bytes()
    store = SettingsFile(path)
    assert store.settings.theme == "dark"
    assert "a later version wrote it (schema 2, known here 1)" in store.notes[0]
    store.change(theme="light")
    used(store, folder("x"))
    assert (store.settings.theme, store.settings.recent) == ("light", (folder("x"),))
    assert path.read_bytes() == before
    assert len(store.notes) == 2


BROKEN = {
    "empty": b"",
    "blanks": b" \n",
    "text": b"hello",
    "cut": b'{"program": "PE Expl',
    "deep": b"[" * 200_000,
    "deep for us": json.dumps(ours()).encode()[:-1] + b',"theme":' + b"[" * 500 + b"]" * 500 + b"}",
    "nan": json.dumps(ours(x=float("nan"))).encode(),
    "infinite": json.dumps(ours()).encode()[:-1] + b', "x": 1e999}',
    "huge number": json.dumps(ours()).encode()[:-1] + b', "x": ' + b"9" * 10_000 + b"}",
    "not utf-8": b"\xff\xfe{}",
    "list": b"[]",
    "no schema": b'{"program": "PE Explorer", "theme": "dark"}',
    "schema is true": b'{"program": "PE Explorer", "schema": true}',
    "foreign": b'{"program": "Photo Editor", "schema": 1, "theme": "dark"}',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_or_foreign_file_is_set_aside(path, content):
    put(path, content)
    put(path.with_name("settings.json.broken-1"), b"older")
    store = SettingsFile(path)
    assert store.settings == Settings()
    assert len(store.notes) == 1
    assert "set aside as settings.json.broken-2" in store.notes[0]
    assert path.with_name("settings.json.broken-1").read_bytes() == b"older"
    assert path.with_name("settings.json.broken-2").read_bytes() == content
    changed(store, theme="dark")
    assert SettingsFile(path).settings.theme == "dark"
    assert len(store.notes) == 1


def test_a_gigabyte_is_set_aside_unread(path):
    put(path, b"{")
    os.truncate(path, 1 << 30)
    begin = time.thread_time()
    store = SettingsFile(path)
    assert time.thread_time() - begin < SOON
    assert "more than 1,048,576 bytes" in store.notes[0]
    assert path.with_name("settings.json.broken-1").stat().st_size == 1 << 30


def test_a_file_that_breaks_while_the_program_runs_costs_nothing(path):
    store = SettingsFile(path)
    changed(store, theme="dark")
    path.write_bytes(b"oops")
    used(store, folder("x"))
    assert path.with_name("settings.json.broken-1").read_bytes() == b"oops"
    again = SettingsFile(path).settings
    assert (again.theme, again.recent) == ("dark", (folder("x"),))
    path.unlink()
    used(store, folder("y"))
    assert SettingsFile(path).settings.recent == (folder("y"), folder("x"))


def test_random_damage_never_stops_a_start(path):
    put(
        path,
        ours(
            theme="dark",
            recent=["/a", "/é"],
            folders={"data": "/d"},
            layout=Layout("QUJD" * 60, "REVG" * 90).as_json(),
            later=[1, {"x": 2.5}],
        ),
    )
    whole = path.read_bytes()
    for seed in range(400):
        pick = random.Random(seed)
        data = bytearray(whole)
        for _ in range(pick.randint(1, 6)):
            at = pick.randrange(len(data) + 1)
            data[at : at + pick.choice([0, 1, 1, 1, 20])] = pick.choice(
                [
                    b"",
                    bytes([pick.randrange(256)]),
                    b'"',
                    b"{",
                    b"[",
                    b",",
                    b"null",
                    b"-1e999",
                    b"\\ud800",
                ]
            )
        path.write_bytes(data)
        begin = time.thread_time()
        store = SettingsFile(path)
        assert time.thread_time() - begin < SOON, seed
        if store.settings.layout:
            assert store.settings.layout == Layout("QUJD" * 60, "REVG" * 90), seed
        if seed % 10 == 0:
            changed(store, theme="light")
            if got(path)["schema"] == 1:  # else it is a later version's
                assert SettingsFile(path).settings.theme == "light", seed
        assert all(note.endswith(".") for note in store.notes)


# -- what cannot be read or written ----------------------------------------------------------------


def lives_in_memory(store, says):
    """Check that all works and is told once."""
    heard = []
    store.noticed.connect(heard.append)
    known = len(store.notes)
    for theme in ("light", "dark"):
        store.change(theme=theme)
        assert store.settings.theme == theme
    store.note_file(folder("x"))
    assert store.settings.recent == (folder("x"),)
    store.close()
    assert (store.settings.theme, store.settings.recent) == ("dark", (folder("x"),))
    assert len(store.notes) == 1
    assert says in store.notes[0]
    assert store.notes[0].endswith("kept only in memory until this is mended.")
    assert heard == list(store.notes[known:])


def test_a_folder_in_its_place(path):
    path.mkdir(parents=True)
    (path / "precious").touch()
    lives_in_memory(SettingsFile(path), "is not a file; move it away")
    assert (path / "precious").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_its_place(path):
    path.parent.mkdir()
    os.mkfifo(path)
    lives_in_memory(SettingsFile(path), "is not a file; move it away")


def test_a_file_where_its_folder_should_be(path):
    path.parent.write_text("x")
    lives_in_memory(SettingsFile(path), str(path))


def refuse(*args, **options):
    raise PermissionError(13, "Permission denied")


def test_a_file_that_cannot_be_read(path, monkeypatch):
    put(path, ours(theme="dark"))
    before = path.read_bytes()
    monkeypatch.setattr(os, "open", refuse)
    lives_in_memory(SettingsFile(path), "permission denied")
    assert path.read_bytes() == before


def test_a_broken_file_that_cannot_be_set_aside(path, monkeypatch):
    put(path, b"oops")
    monkeypatch.setattr(Path, "rename", refuse)
    lives_in_memory(
        SettingsFile(path),
        "is not JSON (Expecting value: line 1 column 1 (char 0)) and cannot be set aside "
        "(Permission denied)",
    )
    assert path.read_bytes() == b"oops"
    assert os.listdir(path.parent) == ["settings.json"]


def test_a_read_only_file(path, monkeypatch):
    put(path, ours(theme="dark", recent=[]))
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *args: False)
    lives_in_memory(SettingsFile(path), "is read-only")
    assert path.read_bytes() == before
    monkeypatch.undo()
    store = SettingsFile(path)
    assert store.settings.theme == "dark"


def test_a_folder_in_which_no_file_can_be_made(path, monkeypatch):
    put(path, ours())
    tries = []
    monkeypatch.setattr(QLockFile, "tryLock", lambda *args: bool(tries.append(args)))
    monkeypatch.setattr(QLockFile, "error", lambda *args: QLockFile.LockError.PermissionError)
    lives_in_memory(SettingsFile(path), "no file can be made in its folder")
    assert len(tries) < 10  # who waits tries a hundred times a second


# -- several processes -----------------------------------------------------------------------------


@pytest.fixture
def held(path):
    """Return the lock of the settings, which another process has."""
    path.parent.mkdir(exist_ok=True)
    lock = QLockFile(f"{path}.lock")
    assert lock.tryLock(0)
    yield lock
    lock.unlock()


def test_a_lock_that_another_process_has_stops_nobody_and_nothing_is_lost(
    path, held, monkeypatch, qtbot
):
    store, tries, own = SettingsFile(path), [], settings_file._written

    def tried(*given):
        tries.append((threading.current_thread() is threading.main_thread(), given[-1]))
        return own(*given)

    monkeypatch.setattr(settings_file, "_written", tried)
    for name in "ab":
        store.note_file(folder(name))
        store.note_file(folder("f", name))
    store.refresh()
    assert not any(
        waits for waits, _ in tries
    )  # here at least: what waits for the lock is a thread
    assert store.settings.recent == (folder("f", "b"), folder("b"), folder("f", "a"), folder("a"))
    qtbot.waitUntil(
        lambda: len(tries) > 0
    )  # the thread has begun: what has not is given up by a close
    store.close()
    ((_, first), *others) = tries
    assert first == settings_file._PATIENCE
    assert others
    assert all(
        waits and patience < settings_file._PATIENCE for waits, patience in others
    )  # what was left of it
    assert "another window holds the lock" in store.notes[0]
    assert len(store.notes) == 1
    held.unlock()
    used(SettingsFile(path), folder("theirs"))
    changed(store, theme="dark")
    known = Settings(
        "dark",
        (*(folder("f", "b"), folder("b"), folder("f", "a"), folder("a")), folder("theirs")),
        {"session": folder("f")},
    )
    assert SettingsFile(path).settings == store.settings == known


def test_it_is_written_soon_without_a_close(path, qtbot):
    store = SettingsFile(path)
    store.note_file(folder("a"))
    store.change(theme="dark")
    qtbot.waitUntil(
        lambda: (
            SettingsFile(path).settings == Settings("dark", (folder("a"),), {"session": folder()})
        )
    )
    qtbot.waitUntil(lambda: not store._worker.busy("settings"))


def test_the_close_waits_for_a_lock_that_is_let_go(path, held, monkeypatch):
    monkeypatch.setattr(settings_file, "_PATIENCE", 60.0)
    store = SettingsFile(path)
    store.note_file(folder("f", "a.json"))
    timer = threading.Timer(0.3, held.unlock)
    timer.start()
    store.close()
    timer.join()
    assert SettingsFile(path).settings == Settings(
        "system", (folder("f", "a.json"),), {"session": folder("f")}
    )
    assert store.notes == ()


def test_a_file_is_noted_in_one_write(path, monkeypatch, qtbot):
    taken = []
    monkeypatch.setattr(
        settings_file, "take", lambda *args, **options: taken.append(args) or take(*args, **options)
    )
    store = SettingsFile(path)
    store.note_file(folder("f", "a.json"))
    qtbot.waitUntil(lambda: not store._worker.busy("settings"))
    store.close()
    assert len(taken) == 1
    assert (got(path)["recent"], got(path)["folders"]) == (
        [folder("f", "a.json")],
        {"session": folder("f")},
    )


def test_what_other_windows_wrote_is_there_after_the_refresh_and_is_announced(path):
    store, heard = SettingsFile(path), []
    store.changed.connect(heard.append)
    used(SettingsFile(path), folder("theirs"))
    assert store.settings.recent == ()
    store.refresh()
    store.refresh()
    assert store.settings.recent == (folder("theirs"),)
    assert heard == [store.settings]
    used(SettingsFile(path), folder("more"))
    heard.clear()
    used(store, folder("own"))
    assert store.settings.recent == (folder("own"), folder("more"), folder("theirs"))
    assert heard[-1] == store.settings


@pytest.mark.parametrize("content", [b"oops", None], ids=str)
def test_a_refresh_changes_nothing_where_there_is_nothing_to_read(path, content):
    store = SettingsFile(path)
    used(store, folder("a"))
    path.unlink() if content is None else path.write_bytes(content)
    store.refresh()
    assert store.settings.recent == (folder("a"),)
    assert os.listdir(path.parent) == ([] if content is None else [path.name])


def test_what_cannot_be_written_does_not_grow(path):
    put(path, ours(schema=2))
    store = SettingsFile(path)
    for number in range(300):
        store.note_file(folder(f"{number}", "x"))
        store.forget_recent(folder(f"{number - 5}", "x"))
        store.change(theme="dark" if number % 2 else "light")
    store.close()
    assert len(store._unwritten) < 100
    assert store.settings.recent == tuple(
        folder(f"{number}", "x") for number in (299, 298, 297, 296, 295)
    )
    assert (store.settings.theme, store.settings.folder("session")) == ("dark", folder("299"))


def test_the_menu_lists_what_another_window_opened(path, qtbot):
    menu = RecentMenu(SettingsFile(path))
    qtbot.addWidget(menu)
    used(SettingsFile(path), folder("theirs.json"))
    menu.aboutToShow.emit()
    assert menu.actions()[0].data() == folder("theirs.json")


def test_a_lock_that_another_machine_left_behind_is_none(path):
    path.parent.mkdir()
    lock = path.with_name("settings.json.lock")
    lock.write_text("1\npe-explorer\nanother-machine\nffffffffffffffffffffffffffffffff\nffff\n")
    os.utime(lock, (1000, 1000))
    store = SettingsFile(path)
    changed(store, theme="dark")
    assert (got(path)["theme"], store.notes) == ("dark", ())


def test_changes_of_two_windows_meet_in_the_file(path):
    one, two = SettingsFile(path), SettingsFile(path)
    used(one, folder("1"))
    used(two, folder("2"))
    changed(two, theme="dark")
    one.remember_folder("data", folder("d"))
    one.close()
    assert (
        SettingsFile(path).settings
        == one.settings
        == Settings("dark", (folder("2"), folder("1")), {"session": folder(), "data": folder("d")})
    )


MANY = """
import sys
from pe_explorer.app.settings import settings_file
settings_file._PATIENCE = 60
store = settings_file.SettingsFile(sys.argv[1])
for turn in range(10):
    store.note_file(f"{sys.argv[2]}-{turn % 2}")
    if turn == 5:
        store.remember_folder(sys.argv[3], sys.argv[2])
    if turn % 3:
        store.close()
store.close()
print(store.notes)
"""


def test_several_processes_at_once_lose_nothing(path):
    names, kinds = [folder(f"{k}") for k in range(4)], ("session", "picture", "data", "data")
    put(path, ours(theme="dark", later=1))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(path), name, kind], stdout=subprocess.PIPE, text=True
        )
        for name, kind in zip(names, kinds, strict=True)
    ]
    assert [process.communicate(timeout=60)[0] for process in running] == ["()\n"] * 4
    found = got(path)
    assert set(found["recent"]) == {f"{name}-{k}" for name in names for k in range(2)}
    assert len(found["recent"]) == 8
    assert (found["theme"], found["later"], set(found["folders"])) == (
        "dark",
        1,
        {"session", "picture", "data"},
    )
    assert os.listdir(path.parent) == ["settings.json"]


# -- layout ----------------------------------------------------------------------------------------


@pytest.fixture
def docks(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    for name in ("one", "two"):
        dock = QDockWidget(name, window)
        dock.setObjectName(name)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    return window


def test_the_layout_comes_back(path, docks):
    one = docks.findChild(QDockWidget, "one")
    docks.resize(500, 400)
    docks.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, one)
    changed(SettingsFile(path), layout=Layout.of(docks))
    docks.resize(300, 200)
    docks.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, one)
    assert SettingsFile(path).settings.layout.restore(docks)
    assert docks.dockWidgetArea(one) == Qt.DockWidgetArea.RightDockWidgetArea
    assert (docks.width(), docks.height()) == (500, 400)


def test_a_damaged_layout_never_reaches_qt(path, docks):
    changed(SettingsFile(path), layout=Layout.of(docks), theme="dark")
    for name in ("state", "geometry", "check"):
        document = got(path)
        value = document["layout"][name]
        document["layout"][name] = (
            value + 1
            if name == "check"
            else f"{value[:40]}{'A' if value[40] != 'A' else 'B'}{value[41:]}"
        )
        put(path, document)
        store = SettingsFile(path)
        assert (store.settings.layout, store.settings.theme) == (None, "dark")
        assert "layout: its check sum does not fit" in store.notes[0]
        changed(store, layout=Layout.of(docks))
        assert SettingsFile(path).settings.layout.restore(docks)


@pytest.mark.parametrize(
    "layout",
    [
        ("é", ""),
        ("a", ""),
        ("", "é"),
        ("====", "A"),
        ("\0", "\0"),
        ("\ud800", "x"),
        ("QQ==", "not base64!"),
    ],
    ids=ascii,
)
def test_a_layout_that_is_none_is_told_although_its_check_sum_fits(path, layout, docks):
    put(path, ours(theme="dark", layout=Layout(*layout).as_json()))
    store = SettingsFile(path)
    assert (store.settings.layout, store.settings.theme) == (None, "dark")
    assert "layout: it is not base64" in store.notes[0]
    changed(store, layout=Layout.of(docks))
    assert SettingsFile(path).settings.layout.restore(docks)


def test_every_layout_that_qt_writes_is_sound(docks):
    one, two = docks.findChildren(QDockWidget)
    bar = docks.addToolBar("bar")
    bar.setObjectName("bar")
    docks.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
    states = [docks.saveState().data()]
    for change in (
        lambda: docks.tabifyDockWidget(one, two),
        lambda: docks.splitDockWidget(one, two, Qt.Orientation.Vertical),
        lambda: one.setFloating(True),
        lambda: two.hide(),
        lambda: docks.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bar),
        lambda: docks.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, two),
        lambda: docks.removeDockWidget(one),
    ):
        change()
        states.append(docks.saveState().data())
    assert all(map(is_sound, states))
    assert len(set(states)) >= 5
    for state in states:
        assert not any(is_sound(state[:length]) for length in range(len(state)))
        assert not is_sound(state + b"\0")


HOSTILE = """
import base64, random, struct, sys
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow
from pe_explorer.app.settings.settings import Layout

app = QApplication([])
window = QMainWindow()
for name in ("one", "two", "three"):
    dock = QDockWidget(name, window, objectName=name)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
window.addToolBar("bar").setObjectName("bar")
window.show()
good = Layout.of(window)
state = base64.b64decode(good.state)
pick, used = random.Random(int(sys.argv[1])), 0
for _ in range(1500):
    bad = bytearray(state)
    place = pick.randrange(8, len(bad) - 4)
    if pick.random() < 0.5:
        bad[place] ^= 1 << pick.randrange(8)
    else:
        number = pick.choice([0, 1, -1, 2, 100, 1 << 30, -(1 << 31)])
        bad[place : place + 4] = struct.pack(">i", number)
    value = Layout(good.geometry, base64.b64encode(bad).decode()).as_json()
    used += Layout.from_json(value).restore(window)
    app.processEvents()
print("used", used)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_state_made_up_by_hand_does_not_end_the_start(seed):
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "QT_QPA_PLATFORM": "offscreen",
    }
    command = [sys.executable, "-c", HOSTILE, str(seed)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[1]) > 0  # some say something else, and can be used
