"""Settings that cannot be used, in part or at all: the window starts, and says so."""

import json
import os
import random
import resource
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from pe_explorer.app.settings.settings import Place, Settings
from pe_explorer.app.settings.settings_file import SettingsFile
from tests.app.settings.inis import changed, folder, got, ini, put, settings_in, used

SOON = 1.8  # seconds of work, not of waiting; the goal of 0.2 s is the benchmark's


# -- what does not fit -----------------------------------------------------------------------------


def test_what_cannot_be_used_is_taken_out_by_the_next_write(path):
    general, folders = ["theme=pink", "later=1"], ["data=%FF", "picture=/p", "films=/f"]
    recent = ["1000000000000000001=/a", "1000000000000000003=/b", "yesterday=/c"]
    put(path, ini(*general, "[recent]", *recent, "[folders]", *folders))
    store = SettingsFile(path)
    assert store.settings == Settings("system", ("/b", "/a"), {"picture": "/p", "films": "/f"})
    (note,) = store.notes
    for key in ("theme: 'pink'", "recent/yesterday", "folders/data: '%FF'"):
        assert key in note
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
    put(path, ini("[folders]", *(f"x{number}=" for number in range(1000))))
    assert len(SettingsFile(path).notes[0]) < 1000
    put(path, ini("[folders]", f"{'x' * 5000}=", "a%0Ab="))
    os.utime(path, (1, 1))  # one size, and one moment, would be one file to Qt
    (note,) = SettingsFile(path).notes
    assert f"folders/{'x' * 52}…" in note
    assert r"folders/a\nb" in note
    assert len(note) < 250
    assert note.isprintable()


def test_a_later_version_s_file_is_read_and_never_overwritten(path):
    put(path, ini("theme=dark", "recent=pinned", schema=2))
    before = path.read_bytes()
    store = SettingsFile(path)
    assert store.settings.theme == "dark"
    (note,) = store.notes
    assert note.startswith(f"{path}: a later version of the program wrote it.")
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


def test_a_broken_or_foreign_file_is_renamed(tmp_path):
    for number, (name, content) in enumerate(BROKEN.items()):
        path = tmp_path / f"{number}" / "settings.ini"
        put(path, content)
        put(path.with_name("settings.ini.broken-1"), b"older")
        store = SettingsFile(path)
        assert store.settings == Settings(), name
        (note,) = store.notes
        assert note.startswith(str(path))
        assert "settings.ini.broken-2" in note
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


def test_random_damage_never_stops_a_start(path, sampled):
    store = SettingsFile(path)
    store.change(theme="dark", window=Place((40, 30, 1100, 700), ("normal",)))
    store.note_file("/a")
    store.note_file("/é")
    store.remember_folder("data", "/d")
    store.close()
    whole = path.read_bytes()
    parts = [b"", b'"', b"[", b"]", b"=", b",", b"\n", b"\\", b"%", b"@", b"\\xd800", b"@Invalid()"]
    for seed in sampled(range(400), 120):
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


def hinder(how, path, monkeypatch):
    """Let nothing be read from a file of settings, or nothing be written to it."""
    if how == "a file for its folder":
        path.parent.write_text("x")
        return
    path.parent.mkdir()
    make = {"a folder": Path.mkdir, "a pipe": os.mkfifo, "broken": lambda path: put(path, b"oops")}
    make.get(how, lambda path: put(path, ini("theme=dark")))(path)
    if how == "unreadable":
        monkeypatch.setattr(os, "open", refuse)
    elif how == "broken":
        monkeypatch.setattr(Path, "rename", refuse)
    elif how == "read-only":
        monkeypatch.setattr(os, "access", lambda *args: False)
    elif how == "without locks":
        tries = iter(range(10))  # who waits tries a hundred times a second
        monkeypatch.setattr(QLockFile, "tryLock", lambda *args: bool(next(tries) < 0))
        denied = QLockFile.LockError.PermissionError
        monkeypatch.setattr(QLockFile, "error", lambda *args: denied)


HINDRANCES = {
    "a folder": "is not a file",
    "a pipe": "is not a file",
    "a file for its folder": "settings.ini",
    "unreadable": "permission denied",
    "broken": "cannot be renamed",
    "read-only": "is read-only",
    "without locks": "no file can be created in its folder",
}


@pytest.mark.parametrize("how", HINDRANCES)
def test_where_nothing_can_be_kept_all_works(path, monkeypatch, how):
    """And it is said once; mending it costs nothing."""
    hinder(how, path, monkeypatch)
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
    assert HINDRANCES[how] in note
    assert "changes to the settings will be lost" in note
    assert heard == list(store.notes[known:])
    assert before is None or path.read_bytes() == before
    if not how.startswith("a "):
        monkeypatch.undo()
        used(store, folder("y"))
        assert settings_in(path) == store.settings
        assert settings_in(path).recent == (folder("y"), folder("x"))


@pytest.mark.parametrize("limit", [200, 2000])
@pytest.mark.parametrize("old", [(), ("/before",)])
def test_a_full_disk_is_reported_and_leaves_the_file_whole(path, limit, old):
    """A limit on the size of files stands for a disk with room for a lock alone, or for a part."""
    store = SettingsFile(path)
    for name in old:
        used(store, name)
    whole = path.read_bytes() if old else b""
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited[1]))
    try:
        store.note_file("/" + "x" * 3000)
        changed(store, theme="light")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    (note,) = store.notes
    assert note.startswith(f"{path}: cannot be written; is the disk full?")
    assert store.settings.theme == "light"
    assert os.listdir(path.parent) == ["settings.ini"][: len(old)]
    assert not old or path.read_bytes() == whole
    store.remember_folder("data", "/space")  # and there is room again
    store.close()
    assert len(store.notes) == 1
    folders = {"session": "/", "data": "/space"}
    assert settings_in(path) == Settings("light", ("/" + "x" * 3000, *old), folders)
    assert os.listdir(path.parent) == ["settings.ini"]


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_as_good_as_none(path, content):
    put(path, content)
    store = SettingsFile(path)
    assert (store.settings, store.notes) == (Settings(), ())
    changed(store, theme="dark")
    assert settings_in(path) == Settings("dark")
    assert os.listdir(path.parent) == ["settings.ini"]
