"""Several windows and processes with one settings file: nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from PySide6.QtCore import QLockFile

from pe_explorer.app.settings.settings import SettingsFile
from tests.app.settings.inis import (
    change_settings,
    folder,
    ini,
    recent,
    remember_file,
    sections_of,
    settings_in,
    write_file,
)
from tests.support.processes import ENVIRONMENT, ROOT


def test_what_other_windows_wrote_is_there_after_the_refresh(path):
    store = SettingsFile(path)
    remember_file(SettingsFile(path), folder("theirs"))
    assert store.settings.recent == ()
    store.refresh()
    assert store.settings.recent == (folder("theirs"),)
    remember_file(SettingsFile(path), folder("more"))
    remember_file(store, folder("own"))
    assert store.settings.recent == (folder("own"), folder("more"), folder("theirs"))
    assert settings_in(path) == store.settings
    before = store.settings
    for change in (lambda: path.write_bytes(b"oops"), path.unlink):  # nothing to be read
        change()
        store.refresh()
        assert store.settings == before
        assert os.listdir(path.parent) == [path.name][: path.exists()]


@pytest.mark.parametrize("content", ["", f"1\npe-explorer\nanother-machine\n{'f' * 32}\nffff\n"])
def test_locks_of_killed_processes_and_other_machines_are_removed(path, content):
    path.parent.mkdir()
    lock = path.with_name("settings.ini.lock")
    lock.write_text(content)
    os.utime(lock, (1000, 1000))
    store = SettingsFile(path)
    change_settings(store, theme="dark")
    assert (sections_of(path)["General"]["theme"], store.notes) == ("dark", ())
    assert os.listdir(path.parent) == ["settings.ini"]


def test_a_window_that_hangs_while_it_writes_stops_no_other(path):
    path.parent.mkdir()
    lock = QLockFile(f"{path}.lock")
    assert lock.tryLock(0)
    store, begin = SettingsFile(path), time.monotonic()
    for theme in ("light", "dark") * 3:  # the first of which may wait
        store.change(theme=theme)
    assert time.monotonic() - begin < 5
    assert store.settings.theme == "dark"
    assert "another window" in store.notes[0]
    lock.unlock()
    store.refresh()
    assert settings_in(path) == store.settings


# -- processes -------------------------------------------------------------------------------------

MANY = """
import sys
from pe_explorer.app.settings.settings import SettingsFile
store = SettingsFile(sys.argv[1])
for turn in range(10):
    store.add_recent_file(f"{sys.argv[2]}-{turn % 2}")
    if turn == 5:
        store.change(folders={sys.argv[3]: sys.argv[2]})
print(store.notes)
"""
ENDLESS = """
import sys
from pe_explorer.app.settings.settings import SettingsFile
store = SettingsFile(sys.argv[1])
store.change(theme="dark")
print("begun", flush=True)
while True:
    store.add_recent_file("/" + "x" * 1000)
"""


def started(program, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    out = subprocess.PIPE
    return subprocess.Popen(command, stdout=out, env=ENVIRONMENT, cwd=ROOT, text=True)


def test_several_processes_at_once_lose_nothing(path):
    names, kinds = [folder(f"{k}") for k in range(3)], ("session", "picture", "data")
    write_file(path, ini("theme=dark", "later=1"))
    running = [started(MANY, path, name, kind) for name, kind in zip(names, kinds, strict=True)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["()\n"] * 3
    assert len(recent(path)) == 6
    assert set(recent(path)) == {f"{name}-{k}" for name in names for k in range(2)}
    found = sections_of(path)
    assert found["General"] == {"later": "1", "schema": "1", "theme": "dark"}
    assert set(found["folders"]) == set(kinds)
    assert os.listdir(path.parent) == ["settings.ini"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("seed", range(2))
def test_a_window_that_is_killed_while_it_writes_harms_no_other(path, seed):
    process = started(ENDLESS, path)
    assert process.stdout.readline() == "begun\n"
    time.sleep(random.Random(seed).uniform(0.0, 0.05))
    process.kill()
    process.communicate(timeout=60)
    store = SettingsFile(path)
    assert store.settings.theme == "dark"
    assert set(store.settings.recent) <= {"/" + "x" * 1000}
    remember_file(store, folder("after"))
    assert store.notes == ()
    assert settings_in(path).recent[0] == folder("after")
    assert not path.with_name("settings.ini.lock").exists()
