"""Damaged and hostile files, opened as in the window and in commands.

Each file opens or is rejected with a sentence, and takes little time and memory.
"""

import os
import resource
import shutil
import threading
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from unittest.mock import Mock, patch

from pe_explorer import encodings
from pe_explorer.app.application import Application
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.configs import SEMANTICS
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration.layer_types import make_model_exploration
from pe_explorer.files import opening, session
from pe_explorer.files.session import SessionError
from pe_explorer.gallery import exhibits, lessons
from pe_explorer.tables import TableError, find_words, open_word_file, read_table
from pe_explorer.words import texts
from tests.endurance import calls
from tests.endurance.faults import memory
from tests.endurance.mutations import mutated
from tests.endurance.originals import write_originals

_MAX_ADDRESS_SPACE = 4000  # MB more than at the start
_SPECIAL_SHARE, _CHANGING_SHARE = 0.1, 0.2  # shares of special files, and of files that change
_TARGETS = ("x", "gone", "/dev/zero", "/dev/full", "/proc/self/maps", "/proc/self/mem", ".")
_KEYS = frozenset(("the", "cat", "été", "dog"))
_ROWS = 200  # rows of a table that are read
_FILE = "/somewhere/else.json"  # the file that was used last
_SETTINGS_WARNING = "changes to the settings will be lost"


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    limit = (memory("VmSize") + _MAX_ADDRESS_SPACE) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))  # limits the damage of endless files
    with calls.without_windows():
        originals = write_originals(folder / "originals")
        for number, pick in faults.items(f"{seed} file", size, plant, PLANTS):
            (kind, source), place = pick.choice(originals), folder / f"file-{number}"
            shutil.copytree(source.parent, place)
            path = place / source.name
            way, details, changing = pick.random(), f"{kind}, kept as {path}", nullcontext("")
            if way < _SPECIAL_SHARE:
                thing = pick.choice(("pipe", "huge", "nothing", "folder", *_TARGETS))
                details += f", {thing} in its place"
                _put_in_place(path, thing)
            elif way > _CHANGING_SHARE:
                path.write_bytes(mutated(path.read_bytes(), path.suffix, pick))
            else:
                changing = _changing(path, pick)
            read = partial(READERS[kind], path)
            with changing as change:
                details += f", {change}"
                is_fit = calls.watched(faults, f"a file of {kind}", read, details)
            if is_fit and kind == "settings":
                check = partial(_check_settings, path)
                is_fit = calls.watched(faults, "a file of settings, afterwards", check, details)
            if is_fit:
                shutil.rmtree(place)
            app.processEvents()
    faults.expect_no_parts(folder)


def _put_in_place(path, thing):
    path.unlink()
    if thing == "pipe":
        os.mkfifo(path)
    elif thing == "huge":
        path.write_bytes(b"{")
        os.truncate(path, 1 << 33)
    elif thing == "folder":
        path.mkdir()
    elif thing != "nothing":
        path.symlink_to(path.name if thing == "x" else thing)


@contextmanager
def _changing(path, pick):
    """Change a file while it is read, for example after it was opened."""
    call = pick.choice(("stat", "open", "fstat"))
    place, size = pick.randrange(1, 5), path.stat().st_size
    lengths = {"half": size // 2, "empty": 0, "huge": size + (1 << 30)}
    if path.suffix == ".ini":  # Qt reads the whole file, whose size was small before
        del lengths["huge"]
    way = pick.choice(("deleted", "a folder", *lengths))
    real, times = getattr(os, call), []

    def changing(*arguments, **named):
        answer = real(*arguments, **named)
        if isinstance(arguments[0], int) or os.fspath(arguments[0]) == str(path):
            times.append(arguments)
            if len(times) == place:
                with suppress(OSError):
                    if way in lengths:
                        os.truncate(path, lengths[way])
                    else:
                        path.unlink()
                    if way == "a folder":
                        path.mkdir()
        return answer

    with patch.object(os, call, changing):
        yield f"{way} after os.{call} number {place}"


# The reading of each kind of file, as in the window and in commands. Each function raises an
# `AssertionError` or an unexpected error if the result is wrong.


@contextmanager
def _refusing(path, *kinds):
    """Ignore errors of some kinds if they have a sentence."""
    try:
        yield
    except kinds as error:
        calls.check_sentence(getattr(error, "problem", str(error)), path)


def _session(path):
    opened = Path(str(path).removesuffix(".session.json"))  # the data file, if there is one
    found = None
    with _refusing(opened, SessionError, TableError), suppress(FileNotFoundError):
        found = opening.read(opened)
    if found is not None:
        if not isinstance(found, session.Session):  # the damage changed the kind of the file
            return
        for note in found.notes:
            calls.check_sentence(note, opened)
        saved = path.with_name("saved.json")
        session.write(saved, found.state, found.extra)
        again = session.read(saved)
        assert again.state == found.state, "what was opened and saved opens as another"
        extra = {**found.extra, "encoding": None}  # it is not preserved if it has no name
        assert {**again.extra, "encoding": None} == extra, "what is not known here was not kept"
    calls.check_outcome(calls.outcome_of(["code", "--session", str(opened)]), notes=True)


def _backup(path):
    for backup in find_backups(path.parent):
        assert backup.session or backup.problem
        if backup.problem:
            calls.check_sentence(backup.problem, path)


def _settings(path):
    file = SettingsFile(path)
    for note in file.notes:
        calls.check_sentence(note, path)
    if file.settings.window:
        window = MainWindow(settings=file)
        window.places.restore()
        window.close()
        window.deleteLater()
    _change(file)


def _change(file):
    file.change(theme="dark")
    file.add_recent_file(_FILE)
    file.refresh()
    file.deleteLater()


def _check_settings(path):
    file = SettingsFile(path)
    _change(file)
    if not any(_SETTINGS_WARNING in note for note in file.notes):
        again = SettingsFile(path)
        found = again.settings.theme, again.settings.recent[:1]
        assert found == ("dark", (_FILE,)), f"{found} is not what was written"
        again.refresh()
        again.deleteLater()


def _table(path):
    with _refusing(path, TableError):
        table = read_table(str(path))
        rows = table.part(0, min(table.rows, _ROWS))
        assert rows.shape == (min(table.rows, _ROWS), table.columns)
    target = path.with_name("out.csv")
    learned = ("export", "--encoding", "learned", "--positions", "0:1", "--carry", "omit")
    outcome = calls.outcome_of([*learned, "--file", str(path), "-o", str(target)])
    calls.check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)


def _words(path):
    with _refusing(path, TableError):
        is_list = path.suffix == ".vocab"
        words = read_table(str(path.with_suffix(".npy"))) if is_list else open_word_file(str(path))
        assert set(find_words(words, _KEYS, threading.Event())) <= _KEYS


def _gallery(load, path):
    for problem in load(path.parent).problems:
        calls.check_sentence(problem)


def _guide(path):
    texts.read_words.cache_clear()
    with patch.object(texts, "find_asset", lambda name: path), _refusing("", texts.WordsError):
        texts.read_words.__wrapped__(path.stem)


def _configuration(path):
    for semantics in SEMANTICS:
        with _refusing(path, EncodingError):
            for finding in encodings.read_config(path, semantics, assume="llama").findings:
                calls.check_sentence(finding.line, path)
    with _refusing(path, SessionError):
        make_model_exploration(opening.read(path).configuration)
    calls.check_outcome(calls.outcome_of(["code", "--config", str(path)]), notes=False)
    for words in (["--json"], ["--length", "1M", "--trained", "3"]):
        command = ["check", str(path), "--semantics", "all", *words]
        calls.check_outcome(calls.outcome_of(command), notes=False, misleading=True)


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


def _planted(reader):
    return patch.dict(READERS, dict.fromkeys(READERS, reader))


PLANTS = {
    "traceback": partial(_planted, Mock(side_effect=KeyError("planted"))),
    "slow": partial(_planted, lambda path: sum(range(3 * 10**8))),
    "large": partial(_planted, lambda path: bytearray(b"x") * ((calls.MOST_MEMORY + 50) << 20)),
    "lines": partial(_planted, lambda path: calls.check_sentence(f"{path}: planted\nin two lines")),
}
