"""What is remembered, in memory and in the file."""

import os

import pytest
from PySide6.QtCore import QLockFile, QSettings

from pe_explorer.app.settings import ini_file
from pe_explorer.app.settings.settings import Place, Settings, settings_path, state_folder
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError
from tests.support.inis import changed, folder, got, ini, put, recent, settings_in, used

WINDOW = Place((40, 30, 1100, 700), ("normal",))


def test_what_is_changed_is_there_at_the_next_start(path):
    store = SettingsFile(path)
    assert store.settings == Settings("system", (), {}, None)
    assert not path.exists()
    store.change(theme="dark", window=WINDOW)
    store.note_file(folder("a", "1.json"))
    store.note_file(folder("a", "2.json"))
    store.remember_folder("picture", folder("p"))
    store.close()
    assert settings_in(path) == Settings(
        "dark",
        (folder("a", "2.json"), folder("a", "1.json")),
        {"session": folder("a"), "picture": folder("p")},
        WINDOW,
    )
    assert store.notes == ()
    assert "\ntheme=dark\n" in path.read_text()
    assert os.listdir(path.parent) == ["settings.ini"]


def test_ten_recent_files_each_once_newest_first(path):
    store = SettingsFile(path)
    for number in [*range(14), 9]:
        store.note_file(folder(f"{number}"))
    store.close()
    assert recent(path) == [folder(f"{n}") for n in (9, 13, 12, 11, 10, 8, 7, 6, 5, 4)]
    store.forget_recent(folder("13"))
    store.close()
    assert recent(path)[:3] == [folder(f"{n}") for n in (9, 12, 11)]
    assert settings_in(path).recent == store.settings.recent == tuple(recent(path))
    store.clear_recent()
    store.close()
    assert (store.settings.recent, recent(path), settings_in(path).recent) == ((), [], ())


def test_names_of_any_kind_come_back(path):
    names = [
        folder("é ü", "日本語.json"),
        folder('quote"\n\\'),
        folder(os.fsdecode(b"caf\xe9.json")),
        folder("a, b; c=d"),
        folder("100%25 @Rect(1 2 3 4) "),
        folder("lone half \ud800.json"),
    ]
    for name in names:
        used(SettingsFile(path), name)
    assert settings_in(path).recent == tuple(reversed(names))
    assert "/é ü/日本語.json" in path.read_text(encoding="utf-8").replace("\\", "/")


def test_what_does_not_fit_is_refused_and_nothing_changes(path):
    store = SettingsFile(path)
    changed(store, theme="dark")
    before = path.read_bytes()
    with pytest.raises(ParameterError, match="theme: 'pink' is not one of"):
        store.change(theme="pink")
    with pytest.raises(ParameterError, match="'films' is not one of session, picture, data"):
        store.remember_folder("films", "/")
    with pytest.raises(ParameterError, match="is not the name of a file"):
        store.note_file(folder("a\0"))
    with pytest.raises(ParameterError, match="is not the name of a file"):
        store.note_file(folder("a" * 40_000))
    store.close()
    assert path.read_bytes() == before
    assert store.settings == Settings("dark")


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = SettingsFile(None)
    store.change(theme="light")
    store.note_file(folder("x"))
    store.refresh()
    store.close()
    assert store.settings.theme == "light"
    assert list(tmp_path.iterdir()) == []


def test_the_usual_places_are_at_home(tmp_path):
    for found in (settings_path(), state_folder()):
        assert found.is_relative_to(tmp_path)
        assert "pe-explorer" in found.parts
    changed(SettingsFile(settings_path()), theme="dark")
    assert settings_in(settings_path()).theme == "dark"


def test_the_window_goes_on_while_a_file_is_written(path, monkeypatch, qtbot):
    """A disk may take seconds; the lock of `QSettings` stands for it here."""
    path.parent.mkdir()
    busy = QLockFile(f"{path}.lock")
    monkeypatch.setattr(ini_file, "_wait_for_lock", lambda *args: busy.tryLock(0))
    store, ticks = SettingsFile(path), []
    store.change(theme="dark")
    qtbot.waitUntil(busy.isLocked)
    for _ in range(10):
        qtbot.wait(1)
        ticks.append(store.findChild(Worker).busy("settings"))
    busy.unlock()
    qtbot.waitUntil(lambda: not store.findChild(Worker).busy("settings"))
    assert all(ticks)
    assert settings_in(path).theme == "dark"


def test_only_what_changed_is_written(path):
    store = SettingsFile(path)
    store.change(theme="dark")
    store.remember_folder("data", folder("d"))
    store.close()
    other = QSettings(str(path), QSettings.Format.IniFormat)
    other.setValue("theme", "light")
    other.sync()
    store.remember_folder("picture", folder("p"))
    store.close()
    assert got(path)["General"]["theme"] == "light"


def test_keys_that_are_not_known_stay(path):
    put(
        path,
        ini(
            "later=a, b",
            "theme=light",
            "[folders]",
            "films=/f",
            "[x]",
            "y\\z=@ByteArray(\\x1\\xff)",
        ),
    )
    store = SettingsFile(path)
    assert (store.settings.theme, dict(store.settings.folders)) == ("light", {"films": "/f"})
    changed(store, theme="dark")
    used(store, folder("s", "a.json"))
    assert got(path) == {
        "General": {"later": "a, b", "schema": "1", "theme": "dark"},
        "folders": {"films": "/f", "session": folder("s")},
        "recent": got(path)["recent"],
        "x": {"y\\z": "@ByteArray(\\x1\\xff)"},
    }
    assert store.notes == ()


def test_the_newest_file_is_first_although_the_clock_was_set_back(path, monkeypatch):
    used(SettingsFile(path), folder("a"))
    monkeypatch.setattr("time.time_ns", lambda: 1)
    store = SettingsFile(path)
    for name in "bc":
        used(store, folder(name))
    assert settings_in(path).recent == (folder("c"), folder("b"), folder("a"))


def test_it_is_written_soon_without_a_close(path, qtbot):
    store = SettingsFile(path)
    store.note_file(folder("a"))
    store.change(theme="dark")
    wanted = Settings("dark", (folder("a"),), {"session": folder()})
    qtbot.waitUntil(lambda: SettingsFile(path).settings == wanted)
    qtbot.waitUntil(lambda: not store.findChild(Worker).busy("settings"))
