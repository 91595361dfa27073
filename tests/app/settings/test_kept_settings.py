"""Settings and unsaved explorations that earlier versions left: see tests/fixtures/README.md."""

import json
import shutil

import pytest

from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.document.saved_version import BackupSource
from pe_explorer.app.settings.settings import Settings
from pe_explorer.app.settings.settings_file import SettingsFile
from tests.support.gestures import settle
from tests.support.kept import FOLDERS, difference, files_of, manifest, plain

SETTINGS = [pytest.param(path, wanted, id=path.name) for path, wanted in files_of("settings")]


def taken_over(path):
    """Return the settings beside those of an earlier version."""
    return SettingsFile(path.with_suffix(".ini"))


@pytest.fixture
def copied(tmp_path):
    """What the program may write into."""

    def copy(path):
        to = tmp_path / path.name
        return shutil.copytree(path, to) if path.is_dir() else shutil.copy2(path, to)

    return copy


@pytest.mark.parametrize(("path", "wanted"), SETTINGS)
def test_settings_are_what_they_were(path, wanted, copied):
    file = taken_over(copied(path))
    found = file.settings
    remembered = {
        "theme": found.theme,
        "recent": list(found.recent),
        "folders": dict(found.folders),
    }
    assert difference(remembered, wanted["settings"]) == {}
    assert found.layout is not None
    assert file.notes == tuple(wanted["notes"])


@pytest.mark.parametrize(("path", "wanted"), SETTINGS)
def test_a_layout_of_views_in_docks_leaves_the_panels_alone(path, wanted, window, copied):
    window.resize(1280, 800)
    before = {name: dock.isVisible() for name, dock in window.sides.docks.items()}
    taken_over(copied(path)).settings.layout.restore(window)
    window.resize(1280, 800)
    settle(window.model)
    assert {name: dock.isVisible() for name, dock in window.sides.docks.items()} == before
    assert window.workspace.shown == ("heatmap", "clocks", "distances")


@pytest.mark.parametrize(("path", "wanted"), SETTINGS)
def test_settings_are_taken_over_once_and_left_in_place(path, wanted, copied, tmp_path):
    copy = copied(path)
    before = copy.read_bytes()
    file = taken_over(copy)
    file.close()
    again = taken_over(copy)
    assert (again.settings, again.notes) == (file.settings, ())
    again.note_file(tmp_path / "another.json")
    again.change(theme="dark")
    again.close()
    last = taken_over(copy).settings
    recent = (str(tmp_path / "another.json"), *file.settings.recent)[:10]
    assert (last.theme, last.recent, last.layout) == ("dark", recent, file.settings.layout)
    assert last.folders == {**file.settings.folders, "session": str(tmp_path)}
    assert copy.read_bytes() == before


def test_two_windows_may_take_over_the_same_settings(copied, tmp_path):
    copy = copied(SETTINGS[0].values[0])
    one, two = taken_over(copy), taken_over(copy)
    one.change(theme="dark")
    one.close()
    two.note_file(tmp_path / "another.json")
    two.close()
    assert taken_over(copy).settings.theme == "dark"
    assert taken_over(copy).settings.recent[0] == str(tmp_path / "another.json")


ODD = {
    "theme": "pink",
    "recent": ["/a", 3, "/b"],
    "folders": {"data": 7, "picture": "/p"},
    "layout": [1],
    "schema": 1,
}


def test_what_fits_of_old_settings_is_taken_over_and_one_sentence_says_what_does_not(tmp_path):
    (tmp_path / "settings.json").write_text(json.dumps(ODD))
    file = taken_over(tmp_path / "settings.json")
    assert file.settings == Settings("system", ("/a", "/b"), {"picture": "/p"})
    (note,) = file.notes
    assert note.startswith("Some settings could not be used: theme: 'pink' is not one of")
    assert "folders/data: 7 is not" in note
    file.close()
    again = taken_over(tmp_path / "settings.json")
    assert (again.settings, again.notes) == (file.settings, ())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 10_000, bytes(3 << 20)], ids=range(6)
)
def test_old_settings_that_are_damaged_are_left_where_they_are(tmp_path, content):
    old = tmp_path / "settings.json"
    old.write_bytes(content)
    file = taken_over(old)
    assert file.settings == Settings()
    (note,) = file.notes
    assert note.startswith(f"{old} could not be taken over: ")
    file.change(theme="dark")
    file.close()
    again = taken_over(old)
    assert (again.settings, again.notes) == (Settings("dark"), ())
    assert old.read_bytes() == content


def test_a_folder_in_the_place_of_old_settings(tmp_path):
    (tmp_path / "settings.json").mkdir()
    assert "could not be taken over" in taken_over(tmp_path / "settings.json").notes[0]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_was_unsaved_is_found(folder, copied):
    entries = manifest(folder).items()
    wanted = {name: entry for name, entry in entries if name.startswith("unsaved/")}
    left = find_backups(copied(folder / "unsaved"))
    found = {f"unsaved/{backup.path.name}": backup for backup in left}
    assert found.keys() == wanted.keys()
    for name, backup in found.items():
        entry = wanted[name]
        assert (backup.problem, backup.session.notes) == ("", ())
        assert difference(plain(backup.session.state), entry["state"]) == {}
        assert dict(backup.session.extra) == entry["extra"]
        assert backup.source == BackupSource(entry["origin"])  # kept before there were digests
