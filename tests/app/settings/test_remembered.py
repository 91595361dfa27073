"""What a window remembers for the next: theme, layout, files, folders."""

import pytest
from PySide6.QtWidgets import QApplication

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.model import Model
from tests.support.gestures import settle
from tests.support.inis import got, recent
from tests.support.windows import save_exploration


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config" / "settings.ini"


def begun(path):
    """Return a window that remembers what is in the file, shown."""
    window = MainWindow(
        Model(),
        settings=SettingsFile(path, QApplication.instance()),
    )
    window.places.restore()
    window.show()
    settle(window.model)
    return window


def ended(window):
    window.leave()
    window.settings.close()
    window.settings.deleteLater()
    window.deleteLater()
    settle()


def test_layout_theme_files_and_folders_come_back(qapp, path, tmp_path):
    window = begun(path)
    window.resize(1100, 720)
    window.actions_by_key["encoding"].trigger()
    window.actions_by_key["explain"].trigger()
    next(action for action in window.themes.actions() if action.data() == "dark").trigger()
    (tmp_path / "folder").mkdir()
    save_exploration(window, tmp_path / "folder" / "s.json")
    ended(window)
    assert recent(path) == [str(tmp_path / "folder" / "s.json")]
    written = got(path)
    assert written["General"]["theme"] == "dark"
    assert written["folders"] == {"session": str(tmp_path / "folder")}
    window = begun(path)
    assert window.height() == 720
    window.resize(1100, 720)  # the screen of the tests is narrower
    settle(window.model)
    assert not window.sides.is_open("encoding")
    assert window.sides.is_open("explain")
    window.places.reset()
    settle(window.model)
    assert window.sides.is_open("encoding")
    ended(window)


def test_two_windows_lose_none_of_their_files(qapp, path, tmp_path):
    first, second = begun(path), begun(path)
    save_exploration(first, tmp_path / "a.json")
    save_exploration(second, tmp_path / "b.json")
    save_exploration(first, tmp_path / "c.json")
    ended(first)
    ended(second)
    assert recent(path) == [str(tmp_path / f"{name}.json") for name in "cba"]


@pytest.mark.parametrize(
    "content", [b"hello", b"{", b'{"program": "another"}', b"\xff\xfe", b"[" * 10_000]
)
def test_a_broken_file_does_not_stop_the_start(qapp, path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    window = begun(path)
    (note,) = window.settings.notes
    assert note.startswith(str(path))
    assert note.endswith("new settings begin.")
    assert path.with_name("settings.ini.broken-1").read_bytes() == content
    ended(window)
    assert got(path)["General"]["schema"] == "1"


def test_what_cannot_be_written_is_told(qapp, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    window = begun(blocked / "settings.ini")
    window.settings.change(theme="dark")
    (note,) = window.settings.notes
    assert "changes to the settings will be lost" in note
    assert window.settings.settings.theme == "dark"
    ended(window)


def test_a_window_that_is_drawn_remembers_nothing(window, path):
    assert window.settings.settings.layout is None
    window.leave()
    assert not path.exists()
