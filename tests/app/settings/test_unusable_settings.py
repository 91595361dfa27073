"""Settings that cannot be used, in part or at all: the window starts, and says so."""

import json
import os
import resource
from pathlib import Path

import pytest

from pe_explorer.app.settings.settings import Settings, SettingsFile
from tests.app.settings.inis import (
    change_settings,
    folder,
    ini,
    remember_file,
    sections_of,
    settings_in,
    write_file,
)

# -- what does not fit -----------------------------------------------------------------------------


def test_what_cannot_be_used_is_taken_out_by_the_next_write(path):
    general, folders = ["theme=pink", "later=1"], ["data=%FF", "picture=/p", "films=/f"]
    recent = ["1000000000000000001=/a", "1000000000000000003=/b", "yesterday=/c"]
    write_file(path, ini(*general, "[recent]", *recent, "[folders]", *folders))
    store = SettingsFile(path)
    assert store.settings == Settings("system", ("/b", "/a"), {"picture": "/p", "films": "/f"})
    (note,) = store.notes
    for key in ("theme: 'pink'", "recent/yesterday", "folders/data: '%FF'"):
        assert key in note
    store.change(folders={"session": folder("s")})
    assert sections_of(path) == {
        "General": {"later": "1", "schema": "1"},
        "folders": {"picture": "/p", "films": "/f", "session": folder("s")},
        "recent": {"1000000000000000001": "/a", "1000000000000000003": "/b"},
    }
    assert len(store.notes) == 1
    assert SettingsFile(path).notes == ()


def test_a_key_of_many_letters_or_lines_is_named_in_one_short_line(path):
    write_file(path, ini("[folders]", *(f"x{number}=" for number in range(1000))))
    assert len(SettingsFile(path).notes[0]) < 1000
    write_file(path, ini("[folders]", f"{'x' * 5000}=", "a%0Ab="))
    os.utime(path, (1, 1))  # one size, and one moment, would be one file to Qt
    (note,) = SettingsFile(path).notes
    assert f"folders/{'x' * 52}: " in note
    assert r"folders/a\nb" in note
    assert len(note) < 250
    assert note.isprintable()


def test_a_later_version_s_values_are_used_as_far_as_they_are_known(path):
    write_file(path, ini("theme=dark", "recent=pinned", "window=split 1 2 3 4 5", schema=2))
    store = SettingsFile(path)
    assert store.settings == Settings("dark")
    (note,) = store.notes
    assert note == "Some settings could not be used: window: 'split 1 2 3 4 5'."
    change_settings(store, theme="light")
    assert sections_of(path)["General"] == {"recent": "pinned", "schema": "1", "theme": "light"}
    assert len(store.notes) == 1


WHOLE = ini("theme=dark", "[folders]", "data=/d", "picture=/p", "[sizes]", "beside=1 2")


def test_a_file_that_is_cut_off_loses_only_what_is_missing(path):
    for end in range(len(WHOLE)):
        write_file(path, WHOLE[:end])
        os.utime(path, (end, end))
        store = SettingsFile(path)
        assert store.settings.theme == ("dark" if "theme=dark" in WHOLE[:end] else "system")
        assert (store.settings.folders.get("data") == "/d") == ("data=/d" in WHOLE[:end])
        assert len(store.notes) <= 1
        remember_file(store, folder("x"))
        assert settings_in(path) == store.settings
        assert store.settings.recent == (folder("x"),)


BROKEN = {
    "text": b"hello",
    "cut": b"[Gener",
    "json": json.dumps({"program": "PE Explorer 9.9", "schema": 1, "theme": "dark"}).encode(),
    "not utf-8": b"\xff\xfe{}",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named_once_and_replaced_by_the_next_change(path, content):
    write_file(path, content)
    store = SettingsFile(path)
    assert store.settings == Settings()
    assert path.read_bytes() == content
    (note,) = store.notes
    assert note.startswith(f"{path} is damaged")
    change_settings(store, theme="dark")
    assert settings_in(path) == Settings("dark")
    assert len(store.notes) == 1


def test_a_file_that_breaks_while_the_program_runs_costs_nothing(path):
    store = SettingsFile(path)
    change_settings(store, theme="dark")
    path.write_bytes(b"oops")
    remember_file(store, folder("x"))
    assert len(store.notes) == 1
    again = settings_in(path)
    assert (again.theme, again.recent) == ("dark", (folder("x"),))
    path.unlink()
    remember_file(store, folder("y"))
    assert settings_in(path).recent == (folder("y"), folder("x"))
    assert settings_in(path).theme == "dark"


# -- what cannot be read or written ----------------------------------------------------------------


HINDRANCES = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a file for its folder": lambda path: (path.parent.rmdir(), path.parent.write_text("x")),
    "no writing": lambda path: (path.parent.rmdir(), path.parent.symlink_to("/proc/self")),
}


@pytest.mark.parametrize("how", HINDRANCES)
def test_where_nothing_can_be_kept_all_works(path, how):
    """And it is said once; mending it costs nothing."""
    path.parent.mkdir()
    HINDRANCES[how](path)
    store, heard = SettingsFile(path), []
    store.noticed.connect(heard.append)
    known = len(store.notes)
    for theme in ("light", "dark"):
        store.change(theme=theme)
        assert store.settings.theme == theme
    store.add_recent_file(folder("x"))
    store.refresh()
    store.refresh()
    assert (store.settings.theme, store.settings.recent) == ("dark", (folder("x"),))
    (note,) = store.notes
    assert note.startswith(f"{path} cannot be read or written")
    assert "changes to the settings will be lost" in note
    assert heard == list(store.notes[known:])
    if how not in ("a folder", "a pipe"):
        path.parent.rename(path.parent.with_name("away"))
        remember_file(store, folder("y"))
        assert settings_in(path) == store.settings
        assert settings_in(path).recent == (folder("y"), folder("x"))


@pytest.mark.parametrize("limit", [200, 2000])
@pytest.mark.parametrize("old", [(), ("/before",)])
def test_a_full_disk_is_reported_and_leaves_the_file_whole(path, limit, old):
    """A limit on the size of files stands for a disk with room for a lock alone, or for a part."""
    store = SettingsFile(path)
    for name in old:
        remember_file(store, name)
    whole = path.read_bytes() if old else b""
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited[1]))
    try:
        store.add_recent_file("/" + "x" * 3000)
        change_settings(store, theme="light")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    (note,) = store.notes
    assert note.startswith(f"{path} cannot be read or written")
    assert store.settings.theme == "light"
    assert os.listdir(path.parent) == ["settings.ini"][: len(old)]
    assert not old or path.read_bytes() == whole
    store.change(folders={"data": "/space"})  # and there is room again
    assert len(store.notes) == 1
    folders = {"session": "/", "data": "/space"}
    assert settings_in(path) == Settings("light", ("/" + "x" * 3000, *old), folders)
    assert os.listdir(path.parent) == ["settings.ini"]


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_as_good_as_none(path, content):
    write_file(path, content)
    store = SettingsFile(path)
    assert (store.settings, store.notes) == (Settings(), ())
    change_settings(store, theme="dark")
    assert settings_in(path) == Settings("dark")
    assert os.listdir(path.parent) == ["settings.ini"]
