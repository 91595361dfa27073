"""Settings and unsaved explorations that earlier versions left: see tests/fixtures/README.md."""

import json
import shutil

import pytest

from pe_explorer import views
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.settings.settings_file import SettingsFile
from tests.support.kept import FOLDERS, difference, files_of, manifest, plain

SETTINGS = [pytest.param(path, wanted, id=path.name) for path, wanted in files_of("settings")]
LAID_OUT = {name for _, wanted in files_of("settings") for name in wanted["layout"]["visible"]}


@pytest.fixture
def copied(tmp_path):
    """What the program may write into."""

    def copy(path):
        to = tmp_path / path.name
        return shutil.copytree(path, to) if path.is_dir() else shutil.copy2(path, to)

    return copy


@pytest.mark.parametrize(("path", "wanted"), SETTINGS)
def test_settings_are_what_they_were(path, wanted, copied):
    file = SettingsFile(copied(path))
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
def test_the_window_is_laid_out_as_it_was(path, wanted, window, copied):
    assert SettingsFile(copied(path)).settings.layout.restore(window)
    docks = {name: dock for name, dock in window.docks.items() if name in LAID_OUT}
    visible = sorted(name for name, dock in docks.items() if dock.isVisible())
    floating = sorted(name for name, dock in docks.items() if dock.isFloating())
    assert (visible, floating) == (wanted["layout"]["visible"], wanted["layout"]["floating"])


@pytest.mark.parametrize(("path", "wanted"), SETTINGS)
def test_what_settings_are_not_known_stays(path, wanted, copied, tmp_path):
    copy = copied(path)
    file = SettingsFile(copy)
    file.note_file(tmp_path / "another.json")
    file.change(theme="dark")
    file.close()
    before, after = (json.loads(text.read_text(encoding="utf-8")) for text in (path, copy))
    assert (after["theme"], after["recent"][0]) == ("dark", str(tmp_path / "another.json"))
    changed = ("program", "theme", "recent", "folders")
    kept = {key: value for key, value in before.items() if key not in changed}
    assert difference(after, kept) == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_was_unsaved_is_found(folder, copied):
    entries = manifest(folder).items()
    wanted = {name: entry for name, entry in entries if name.startswith("unsaved/")}
    left = find_backups(copied(folder / "unsaved"), views.default_options())
    found = {f"unsaved/{backup.path.name}": backup for backup in left}
    assert found.keys() == wanted.keys()
    for name, backup in found.items():
        entry = wanted[name]
        assert (backup.problem, backup.session.notes) == ("", ())
        assert difference(plain(backup.session.state), entry["state"]) == {}
        assert dict(backup.session.extra) == entry["extra"]
        source = backup.source
        assert (source.path, list(source.stamp or ())) == (entry["origin"], entry["stamp"] or [])
