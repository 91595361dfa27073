"""Settings that cannot be used, in part or at all: the window starts, and says so."""

import json
import os
import random
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from pe_explorer.app.settings.settings import Place, Settings
from pe_explorer.app.settings.settings_file import SettingsFile
from tests.support.inis import changed, folder, got, ini, put, settings_in, used
from tests.support.pairwise import pairwise
from tests.support.processes import run_python

SOON = 1.8  # seconds of work, not of waiting; the goal of 0.2 s is the benchmark's


# -- what does not fit -----------------------------------------------------------------------------

ODD = ini(
    "theme=pink",
    "window=@Rect(1 2 3 4)",
    "later=1",
    "[recent]",
    "1000000000000000001=/a",
    "1000000000000000002=@Rect(1 2 3 4)",
    "1000000000000000003=/b",
    "yesterday=/c",
    "[folders]",
    "data=%FF",
    "picture=/p",
    "films=/f",
)


def test_one_sentence_says_what_cannot_be_used_and_all_else_is(path):
    put(path, ODD)
    store = SettingsFile(path)
    assert store.settings == Settings(
        "system", ("/b", "/a"), {"picture": "/p", "films": "/f"}, None
    )
    (note,) = store.notes
    assert note.startswith("Some settings could not be used: ")
    for problem in (
        "theme: 'pink' is not one of",
        "is not a state, left, top, width and height in pixels",
        "recent/1000000000000000002: ",
        "recent/yesterday: the key is not the time of its use",
        "folders/data: '%FF' is not the name of a file or folder",
    ):
        assert problem in note
    assert note.endswith(".")
    store.remember_folder("session", folder("s"))
    store.close()
    assert got(path) == {
        "General": {"later": "1", "schema": "1"},
        "folders": {"picture": "/p", "films": "/f", "session": folder("s")},
        "recent": {"1000000000000000001": "/a", "1000000000000000003": "/b"},
    }
    assert len(store.notes) == 1
    assert SettingsFile(path).notes == ()


def test_a_key_of_many_letters_or_lines_is_named_in_one_short_line(path):
    bad = (f"x{number}=" for number in range(1000))
    put(path, ini("[folders]", *bad))
    assert len(SettingsFile(path).notes[0]) < 1000
    put(path, ini("[folders]", f"{'x' * 5000}=", "a%0Ab="))
    os.utime(path, (1, 1))  # one size, and one moment, would be one file to Qt
    (note,) = SettingsFile(path).notes
    assert f"folders/{'x' * 52}…: '' is not the name" in note
    assert r"folders/a\nb: '' is not the name" in note
    assert len(note) < 250
    assert note.isprintable()


def test_a_later_version_s_file_is_read_and_never_overwritten(path):
    put(path, ini("theme=dark", "recent=pinned", schema=2))
    before = path.read_bytes()
    store = SettingsFile(path)
    assert store.settings.theme == "dark"
    (note,) = store.notes
    assert note == (
        f"{path}: a later version of the program wrote it. Until this is solved, changes to the "
        "settings will be lost when the program ends."
    )
    store.change(theme="light")
    used(store, folder("x"))
    store.refresh()
    assert (store.settings.theme, store.settings.recent) == ("light", (folder("x"),))
    assert path.read_bytes() == before
    assert len(store.notes) == 1


OBJECTS = (
    *("@Variant(", "@DateTime(", "a, @Variant("),
    *(r"\x40Variant(", r"\100Variant(", r"@V\x61riant("),
    *(r"@Var\Ziant(", '"@Var""iant(', "@Var\\\niant("),
)
"""How a value says that it is an object; of most of them `QSettings` itself crashes here."""
NESTED = b"\\0\\0\\0\\t\\0\\0\\0\\x1" * 40_000 + b"\\0\\0\\0\\x2\\0\\0\\0\\x1)"
BROKEN = {
    "text": b"hello",
    "cut": b"[Gener",
    "json": json.dumps({"program": "PE Explorer 9.9", "schema": 1, "theme": "dark"}).encode(),
    "not utf-8": b"\xff\xfe{}",
    "no schema": b"[General]\ntheme=dark\n",
    "schema is true": b"[General]\nschema=true\n",
    "schema is endless": b"[General]\nschema=" + b"9" * 100_000,
    "foreign": b"[Photo]\neditor=1\n",
    **{
        f"objects in objects, {word!a}": ini(f"x={word}").encode().strip() + NESTED + b"\n"
        for word in OBJECTS
    },
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_or_foreign_file_is_renamed(path, content):
    put(path, content)
    put(path.with_name("settings.ini.broken-1"), b"older")
    store = SettingsFile(path)
    assert store.settings == Settings()
    (note,) = store.notes
    assert note.startswith(str(path))
    assert note.endswith("It was renamed to settings.ini.broken-2; new settings begin.")
    assert path.with_name("settings.ini.broken-1").read_bytes() == b"older"
    assert path.with_name("settings.ini.broken-2").read_bytes() == content
    changed(store, theme="dark")
    assert settings_in(path).theme == "dark"
    assert len(store.notes) == 1


def test_a_gigabyte_is_renamed_unread(path):
    put(path, b"[General]\nschema=1\n")
    os.truncate(path, 1 << 30)
    begin = time.thread_time()
    store = SettingsFile(path)
    assert time.thread_time() - begin < SOON
    assert "more than 2,097,152 bytes" in store.notes[0]
    assert path.with_name("settings.ini.broken-1").stat().st_size == 1 << 30


def test_a_file_that_breaks_while_the_program_runs_costs_nothing(path):
    store = SettingsFile(path)
    changed(store, theme="dark")
    path.write_bytes(b"oops")
    used(store, folder("x"))
    assert path.with_name("settings.ini.broken-1").read_bytes() == b"oops"
    assert len(store.notes) == 1
    again = settings_in(path)
    assert (again.theme, again.recent) == ("dark", (folder("x"),))
    path.unlink()
    used(store, folder("y"))
    assert settings_in(path).recent == (folder("y"), folder("x"))
    assert settings_in(path).theme == "dark"


def test_random_damage_never_stops_a_start(path):
    store = SettingsFile(path)
    store.change(theme="dark", window=Place((40, 30, 1100, 700), ("normal",)))
    store.note_file("/a")
    store.note_file("/é")
    store.remember_folder("data", "/d")
    store.close()
    whole = path.read_bytes()
    parts = [b"", b'"', b"[", b"]", b"=", b",", b"\n", b"\\", b"%", b"@", b"\\xd800", b"@Invalid()"]
    for seed in range(400):
        pick = random.Random(seed)
        data = bytearray(whole)
        for _ in range(pick.randint(1, 6)):
            at = pick.randrange(len(data) + 1)
            new = pick.choice([*parts, bytes([pick.randrange(256)])])
            data[at : at + pick.choice([0, 1, 1, 1, 20])] = new
        path.write_bytes(data)
        os.utime(path, (seed, seed))  # one size, and one moment, would be one file to Qt
        begin = time.thread_time()
        store = SettingsFile(path)
        assert time.thread_time() - begin < SOON, seed
        if seed % 10 == 0:
            changed(store, theme="light")
            if got(path)["General"]["schema"] == "1":  # else it is a later version's
                assert SettingsFile(path).settings.theme == "light", seed
        assert all(note.endswith(".") for note in store.notes)


# -- what cannot be read or written ----------------------------------------------------------------


def refuse(*args, **options):
    raise PermissionError(13, "Permission denied")


def in_its_place(make):
    def hinder(path, monkeypatch):
        path.parent.mkdir()
        make(path)

    return hinder


def a_file_for_its_folder(path, monkeypatch):
    path.parent.write_text("x")


def unreadable(path, monkeypatch):
    put(path, ini("theme=dark"))
    monkeypatch.setattr(os, "open", refuse)


def broken_and_fixed_in_place(path, monkeypatch):
    put(path, b"oops")
    monkeypatch.setattr(Path, "rename", refuse)


def read_only(path, monkeypatch):
    put(path, ini("theme=dark"))
    monkeypatch.setattr(os, "access", lambda *args: False)


def without_locks(path, monkeypatch):
    put(path, ini())
    tries = iter(range(10))  # who waits tries a hundred times a second
    monkeypatch.setattr(QLockFile, "tryLock", lambda *args: bool(next(tries) < 0))
    monkeypatch.setattr(QLockFile, "error", lambda *args: QLockFile.LockError.PermissionError)


@pytest.mark.parametrize(
    ("hinder", "says"),
    [
        (in_its_place(Path.mkdir), "is not a file; move it away"),
        (in_its_place(os.mkfifo), "is not a file; move it away"),
        (a_file_for_its_folder, "settings.ini"),
        (unreadable, "permission denied"),
        (broken_and_fixed_in_place, "is not an INI file and cannot be renamed"),
        (read_only, "is read-only; make it writable"),
        (without_locks, "no file can be created in its folder"),
    ],
)
def test_where_nothing_can_be_kept_all_works_and_it_is_said_once(path, monkeypatch, hinder, says):
    hinder(path, monkeypatch)
    before = path.read_bytes() if path.is_file() else None
    store, heard = SettingsFile(path), []
    store.noticed.connect(heard.append)
    known = len(store.notes)
    for theme in ("light", "dark"):
        store.change(theme=theme)
        assert store.settings.theme == theme
    store.note_file(folder("x"))
    store.refresh()
    store.close()
    assert (store.settings.theme, store.settings.recent) == ("dark", (folder("x"),))
    (note,) = store.notes
    assert says in note
    assert note.endswith("changes to the settings will be lost when the program ends.")
    assert heard == list(store.notes[known:])
    assert before is None or path.read_bytes() == before


def test_a_failure_that_is_mended_costs_nothing(path, monkeypatch):
    put(path, ini("theme=dark"))
    monkeypatch.setattr(os, "access", lambda *args: False)
    store = SettingsFile(path)
    used(store, folder("a"))
    changed(store, theme="light")
    monkeypatch.undo()
    used(store, folder("b"))
    assert settings_in(path) == store.settings
    assert settings_in(path).recent == (folder("b"), folder("a"))


FULL = """
import resource, sys
from pe_explorer.app.settings.settings_file import SettingsFile

def allow(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

store = SettingsFile(sys.argv[1])
if sys.argv[3] == "written before":
    store.note_file("/before")
    store.close()
allow(int(sys.argv[2]))
store.note_file("/" + "x" * 3000)
store.change(theme="light")
store.close()
print(*store.notes)
print(store.settings.theme)
if sys.argv[4] == "mended":
    allow(resource.RLIM_INFINITY)
    store.remember_folder("data", "/space")
    store.close()
    print(len(store.notes))
"""


@pytest.mark.parametrize(
    ("limit", "before", "after"),
    pairwise([200, 2000], ["written before", "no file"], ["mended", "full to the end"]),
)
def test_a_full_disk_is_reported_and_leaves_the_file_whole(path, limit, before, after):
    """A limit on the size of files stands for a disk with room for a lock alone, or for a part."""
    done = run_python(FULL, path, limit, before, after)
    assert done.returncode == 0, done.stderr[-2000:]
    note, theme, *count = done.stdout.splitlines()
    assert note.startswith(f"{path}: cannot be written; is the disk full?")
    assert theme == "light"
    old = ("/before",) if before == "written before" else ()
    new = "/" + "x" * 3000
    if after == "mended":
        assert count == ["1"]
        assert settings_in(path) == Settings(
            "light", (new, *old), {"session": "/", "data": "/space"}
        )
    elif old:
        assert settings_in(path) == Settings("system", old, {"session": "/"})
    else:
        assert not path.exists()
    assert set(os.listdir(path.parent)) <= {"settings.ini"}


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_as_good_as_none(path, content):
    put(path, content)
    store = SettingsFile(path)
    assert (store.settings, store.notes) == (Settings(), ())
    changed(store, theme="dark")
    assert settings_in(path) == Settings("dark")
    assert os.listdir(path.parent) == ["settings.ini"]


def test_the_most_that_is_ever_written_can_be_read(path):
    store = SettingsFile(path)
    for number in range(10):
        store.note_file("/" + "語" * 32_760 + f"{number}")
    for kind in ("session", "picture", "data"):
        store.remember_folder(kind, "/" + "語" * 32_760)
    store.close()
    assert settings_in(path) == store.settings
    assert len(store.settings.recent) == 10
