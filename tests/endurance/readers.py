"""How the window and the command line read a file of each kind, and what must come of it.

Each function raises where something else comes of it: an `AssertionError`, or what the program
should have caught.
"""

import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pe_explorer import encodings
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.document.saving import read_file
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.configs import SEMANTICS
from pe_explorer.exploration.layer_types import explored
from pe_explorer.files import opening, session
from pe_explorer.files.session import Session, SessionError
from pe_explorer.gallery import exhibits, guide, lessons
from pe_explorer.tables import TableError, find_words, open_words, read_table
from tests.endurance.calls import called, check_outcome
from tests.endurance.limits import check_sentence

_KEYS = frozenset(("the", "cat", "été", "dog"))
_ROWS = 200  # of a table that are read
_FILE = "/somewhere/else.json"  # that is used last
_UNUSABLE = "changes to the settings will be lost"


def _session(path: Path) -> None:
    """Open a file; a session that opens can be saved, and opens as the same again."""
    opened = Path(str(path).removesuffix(".session.json"))  # the data, if it belongs to some
    try:
        found = read_file(opened)
    except FileNotFoundError:
        pass
    except SessionError as error:
        check_sentence(error.problem, opened)
    except TableError as error:
        check_sentence(str(error), opened)
    else:
        if not isinstance(found, tuple):  # damaged so that it is something else
            return
        _, found = found
        for note in found.notes:
            check_sentence(note, opened)
        _check_saved(found, path.with_name("saved.json"))
    check_outcome(called(["code", "--session", str(opened)]), notes=True)


def _check_saved(found: Session, path: Path) -> None:
    session.write(path, found.state, found.extra)
    again = session.read(path)
    assert again.state == found.state, "what was opened and saved opens as another"
    extra = {**found.extra, "encoding": None}  # which is not kept where it has no name
    assert {**again.extra, "encoding": None} == extra, "what is not known here was not kept"


def _backup(path: Path) -> None:
    for backup in find_backups(path.parent):
        assert backup.session or backup.problem
        if backup.problem:
            check_sentence(backup.problem, path)


def _settings(path: Path) -> None:
    """Read settings, arrange a window as they say, and change them."""
    file = SettingsFile(path)
    for note in file.notes:
        check_sentence(note, path)
    if file.settings.window:
        window = MainWindow(settings=file)
        window.places.restore()
        window.close()
        window.deleteLater()
    _change(file)


def _change(file: SettingsFile) -> None:
    file.change(theme="dark")
    file.note_file(_FILE)
    file.close()
    file.deleteLater()


def _check_settings(path: Path) -> None:
    """Change settings, now that nothing disturbs that, and read them again."""
    file = SettingsFile(path)
    _change(file)
    if not any(_UNUSABLE in note for note in file.notes):
        again = SettingsFile(path)
        kept = again.settings.theme, again.settings.recent[:1]
        assert kept == ("dark", (_FILE,)), f"{kept} is not what was written"
        again.close()
        again.deleteLater()


def _table(path: Path) -> None:
    """Read a table, and export some of it as the command line does."""
    try:
        table = read_table(str(path))
        rows = table.part(0, min(table.rows, _ROWS))
        assert rows.shape == (min(table.rows, _ROWS), table.columns)
    except TableError as error:
        check_sentence(error.problem, path)
    target = path.with_name("out.csv")
    learned = ("export", "--encoding", "learned", "--positions", "0:1", "--carry", "omit")
    outcome = called([*learned, "--file", str(path), "-o", str(target)])
    check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)


def _words(path: Path) -> None:
    try:
        found = find_words(open_words(str(path)), _KEYS, threading.Event())
        assert all(key in _KEYS for key in found)
    except TableError as error:
        check_sentence(error.problem, path)


def _word_list(path: Path) -> None:
    """Read a table of word vectors with a list of the words beside it."""
    try:
        find_words(read_table(str(path.with_suffix(".npy"))), _KEYS, threading.Event())
    except TableError as error:
        check_sentence(error.problem, path)


def _gallery(load: Callable[[Path], Any], path: Path) -> None:
    """Read exhibits or lessons."""
    for problem in load(path.parent).problems:
        check_sentence(problem)


def _guide(path: Path) -> None:
    with patch.object(guide, "asset", lambda name: path):
        try:
            guide.read_guide.__wrapped__(path.stem)
        except guide.GuideError as error:
            check_sentence(str(error))


def _configuration(path: Path) -> None:
    """Read a configuration under each version's rules, check it, and start a command from it."""
    for semantics in SEMANTICS:
        try:
            found = encodings.read_config(path, semantics, assume="llama")
        except encodings.EncodingError as error:
            check_sentence(error.problem, path)
            continue
        for finding in found.findings:
            check_sentence(finding.line, path)
    try:
        opened = opening.read(path)
    except SessionError as error:
        check_sentence(error.problem, path)
    else:
        explored(opened.found)
    check_outcome(called(["code", "--config", str(path)]), notes=False)
    for words in (["--json"], ["--length", "1M", "--trained", "3"]):
        command = ["check", str(path), "--semantics", "all", *words]
        check_outcome(called(command), notes=False, misleading=True)


READERS: Mapping[str, Callable[[Path], None]] = {
    "session": _session,
    "backup": _backup,
    "settings": _settings,
    "table": _table,
    "words": _words,
    "word list": _word_list,
    "exhibits": partial(_gallery, exhibits.load),
    "lessons": partial(_gallery, lessons.load),
    "guide": _guide,
    "configuration": _configuration,
}

AFTERWARDS: Mapping[str, Callable[[Path], None]] = {
    "settings": _check_settings,
}
"""What must hold once a file was read, and nothing changes it any more."""
