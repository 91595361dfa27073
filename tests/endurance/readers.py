"""How the window and the command line read a file of each kind, and what must come of it.

Each function raises where something else comes of it: an `AssertionError`, or what the program
should have caught.
"""

import threading
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

from pe_explorer import encodings
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.document.saving import read_file
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.configs import SEMANTICS
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration.layer_types import explored
from pe_explorer.files import opening, session
from pe_explorer.files.session import SessionError
from pe_explorer.gallery import exhibits, guide, lessons
from pe_explorer.gallery.guide import GuideError
from pe_explorer.tables import TableError, find_words, open_words, read_table
from tests.endurance.calls import called, check_outcome
from tests.endurance.limits import check_sentence

_KEYS = frozenset(("the", "cat", "été", "dog"))
_ROWS = 200  # of a table that are read
_FILE = "/somewhere/else.json"  # that is used last
_UNUSABLE = "changes to the settings will be lost"


@contextmanager
def _refusing(path, *kinds):
    """Let errors of some kinds pass, if they have a sentence."""
    try:
        yield
    except kinds as error:
        check_sentence(getattr(error, "problem", str(error)), path)


def _session(path):
    opened = Path(str(path).removesuffix(".session.json"))  # the data, if it belongs to some
    found = None
    with _refusing(opened, SessionError, TableError), suppress(FileNotFoundError):
        found = read_file(opened)
    if found is not None:
        if not isinstance(found, tuple):  # damaged so that it is something else
            return
        _, found = found
        for note in found.notes:
            check_sentence(note, opened)
        saved = path.with_name("saved.json")
        session.write(saved, found.state, found.extra)
        again = session.read(saved)
        assert again.state == found.state, "what was opened and saved opens as another"
        extra = {**found.extra, "encoding": None}  # which is not kept where it has no name
        assert {**again.extra, "encoding": None} == extra, "what is not known here was not kept"
    check_outcome(called(["code", "--session", str(opened)]), notes=True)


def _backup(path):
    for backup in find_backups(path.parent):
        assert backup.session or backup.problem
        if backup.problem:
            check_sentence(backup.problem, path)


def _settings(path):
    file = SettingsFile(path)
    for note in file.notes:
        check_sentence(note, path)
    if file.settings.window:
        window = MainWindow(settings=file)
        window.places.restore()
        window.close()
        window.deleteLater()
    _change(file)


def _change(file):
    file.change(theme="dark")
    file.note_file(_FILE)
    file.close()
    file.deleteLater()


def _check_settings(path):
    """Change settings, now that nothing disturbs that, and read them again."""
    file = SettingsFile(path)
    _change(file)
    if not any(_UNUSABLE in note for note in file.notes):
        again = SettingsFile(path)
        found = again.settings.theme, again.settings.recent[:1]
        assert found == ("dark", (_FILE,)), f"{found} is not what was written"
        again.close()
        again.deleteLater()


def _table(path):
    with _refusing(path, TableError):
        table = read_table(str(path))
        rows = table.part(0, min(table.rows, _ROWS))
        assert rows.shape == (min(table.rows, _ROWS), table.columns)
    target = path.with_name("out.csv")
    learned = ("export", "--encoding", "learned", "--positions", "0:1", "--carry", "omit")
    outcome = called([*learned, "--file", str(path), "-o", str(target)])
    check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)


def _words(path):
    with _refusing(path, TableError):
        is_list = path.suffix == ".vocab"
        words = read_table(str(path.with_suffix(".npy"))) if is_list else open_words(str(path))
        assert set(find_words(words, _KEYS, threading.Event())) <= _KEYS


def _gallery(load, path):
    for problem in load(path.parent).problems:
        check_sentence(problem)


def _guide(path):
    with patch.object(guide, "asset", lambda name: path), _refusing("", GuideError):
        guide.read_guide.__wrapped__(path.stem)


def _configuration(path):
    for semantics in SEMANTICS:
        with _refusing(path, EncodingError):
            for finding in encodings.read_config(path, semantics, assume="llama").findings:
                check_sentence(finding.line, path)
    opened = None
    with _refusing(path, SessionError):
        opened = opening.read(path)
    if opened:
        explored(opened.found)
    check_outcome(called(["code", "--config", str(path)]), notes=False)
    for words in (["--json"], ["--length", "1M", "--trained", "3"]):
        command = ["check", str(path), "--semantics", "all", *words]
        check_outcome(called(command), notes=False, misleading=True)


READERS = {
    "session": _session,
    "backup": _backup,
    "settings": _settings,
    "table": _table,
    "words": _words,
    "exhibits": partial(_gallery, exhibits.load),
    "lessons": partial(_gallery, lessons.load),
    "guide": _guide,
    "configuration": _configuration,
}

AFTERWARDS = {"settings": _check_settings}
"""What must hold once a file was read, and nothing changes it any more."""
