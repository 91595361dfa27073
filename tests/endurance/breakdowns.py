"""Failures outside the program: disks, folders, clipboard and desktop.

Existing files must stay intact, saved work must not be lost, and each failure must be reported in
one sentence.
"""

import errno
import io
import os
import resource
import shutil
from contextlib import contextmanager
from functools import partial
from unittest.mock import Mock, patch

from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtGui import QClipboard

from pe_explorer import pictures
from pe_explorer.app.application import Application
from pe_explorer.app.document.backups import Autosave, find_backups
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.exploration import Exploration, make_panes
from pe_explorer.files import atomic, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.tables.npy import Table
from tests.endurance import calls
from tests.endurance.desk import plain_window
from tests.support.gestures import settle, wait_for_worker
from tests.support.kills import number_of, write
from tests.support.tables_in_files import sparse

_DESKTOP_CHANGES = 12  # in a round
_TARGETS = ("t.json", "t.npy", "t.csv", "t.png", "t.svg", "t.pdf")
_LARGE_SHAPE = (1000, 20_000)  # rows and columns of a table that is too large for memory


def run(faults, seed, size, folder, plant=()):
    app, kinds = Application("light"), list(_ROUNDS)
    with calls.without_windows():
        for number, pick in faults.items(f"{seed} round", size, plant, PLANTS):
            kind = kinds[(number - 1) % len(kinds)]
            place = folder / f"round-{number}"
            place.mkdir()
            act = partial(_ROUNDS[kind], place, pick)
            if calls.watched(faults, f"a round of {kind}", act, str(place), limited=False):
                shutil.rmtree(place)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            app.processEvents()


def _content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


class _BreakingFile(io.FileIO):
    """A file that fails, or causes another failure, after a number of written bytes."""

    def __init__(self, path, mode, left, act):
        super().__init__(path, mode)
        self._left, self._act = left, act

    def write(self, data):
        before, self._left = self._left, self._left - len(memoryview(data).cast("B"))
        if before >= 0 > self._left:
            self._act()
        return super().write(data)


def _breaking_after(size, act):
    def opened(path, mode):
        return io.BufferedWriter(_BreakingFile(path, mode, size, act))

    return patch.object(atomic, "open", opened, create=True)


@contextmanager
def _limited_to(size):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _check_writes(breaking, folder, pick):
    """Overwrite a file of each kind during a failure, and check the result.

    `breaking` returns the context manager of the failure, and the folder during the failure. Either
    the file is replaced, or nothing changes and a sentence reports the failure. Data may exist
    without their session if the sentence says so.
    """
    for name in _TARGETS:
        target, problem = folder / name / name, ""
        target.parent.mkdir()
        write(target, 7)
        old = _content(target.parent)
        context, place = breaking(target, pick)
        try:
            with context:
                write(target, 9)
        except OutputError as error:
            problem = error.problem
            calls.check_sentence(problem, target.parent)
        if place != target.parent:
            assert problem, "it says nothing of a file that is not there"
            assert not place or _content(place).items() >= old.items(), "it is not as it was"
        elif not problem:
            assert {number_of(path) for path in place.iterdir()} == {9}
        elif (new := _content(place)) != old:
            assert "complete" in problem, f"{sorted(new)}: {problem}"
            assert set(new) == {target.name}
            assert number_of(target) == 9


def _full_disk(target, pick):
    most = pick.randrange(target.stat().st_size + 2)
    is_real = pick.random() < 0.5
    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    return _limited_to(most) if is_real else _breaking_after(most, full), target.parent


def _read_only(target, pick):
    number = pick.choice((errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT, errno.EIO))
    refused = OSError(number, os.strerror(number))
    return patch.object(atomic, "open", side_effect=refused, create=True), target.parent


def _vanished(target, pick):
    place, moved = pick.randrange(target.stat().st_size), None
    act = partial(shutil.rmtree, target.parent)
    if pick.random() < 0.5:
        moved = target.parent.with_name(f"moved {target.name}")
        act = partial(target.parent.rename, moved)
    return _breaking_after(place, act), moved


def _changing_table(folder, pick):
    path, target, moved = (folder / name for name in ("table.npy", "out.npy", "moved.npy"))
    sparse(path, *_LARGE_SHAPE)
    moved.touch()
    ways = partial(os.truncate, path, 1000), path.unlink, path.touch, partial(moved.replace, path)
    way, place, starts = pick.choice(ways), pick.randrange(3), []
    real = Table.part

    def part(table, start, stop):
        if len(starts) == place:
            way()
        starts.append(start)
        return real(table, start, stop)

    words = ("export", "--encoding", "learned", "--file", str(path), "--positions", "0:300")
    with patch.object(Table, "part", part):
        outcome = calls.outcome_of([*words, "-o", str(target)])
    calls.check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)
    assert not list(folder.glob(".*.part"))


def _settings(folder, pick):
    """Fill the disk while settings are written; with free space, no setting may be lost."""
    path = folder / "settings.ini"
    first = SettingsFile(path)
    first.add_recent_file("/first.json")
    first.refresh()
    second = SettingsFile(path)
    with _limited_to(pick.choice((0, 1, 50, pick.randrange(path.stat().st_size + 100)))):
        second.change(theme="dark")
        second.add_recent_file("/second.json")
        settle()
    for note in second.notes:
        calls.check_sentence(note, path)
    now = SettingsFile(path)
    assert now.notes == (), now.notes
    assert "/first.json" in now.settings.recent, "what was written before is lost"
    second.change(folders={"data": "/data"})
    second.refresh()
    now.refresh()
    assert now.settings == second.settings, f"{now.settings} is not {second.settings}"
    for file in (first, second, now):
        file.refresh()
        file.deleteLater()


def _autosave(folder, pick):
    """Break the folder of backups; after its repair, the newest backup must be found."""
    unsaved, sentences = folder / "unsaved", []
    autosave = Autosave(unsaved, interval=1)
    autosave.failed.connect(sentences.append)
    autosave.schedule(Exploration(count=5))
    autosave.flush()
    way = pick.randrange(3)
    if way == 0:
        with _limited_to(pick.randrange(300)):
            autosave.schedule(Exploration(count=6))
            autosave.flush()
            settle()
        assert len(sentences) == 1
    elif way == 1:
        shutil.rmtree(unsaved)
    else:
        unsaved.rename(folder / "moved")
    for sentence in sentences:
        calls.check_sentence(sentence, unsaved)
    autosave.schedule(Exploration(count=8))
    autosave.flush()
    autosave.close(should_keep=True)
    (backup,) = find_backups(unsaved)
    assert backup.session.state.count == 8
    autosave.deleteLater()


def _no_clipboard(_folder, pick):
    keys = ["copy_picture", "copy_code", "copy_figure_code", "copy_command", "copy_value"]
    nothing = dict.fromkeys(("setText", "setImage", "setMimeData"), lambda *_: None)
    with plain_window(1280, 800) as window, patch.multiple(QClipboard, **nothing):
        settle()
        for key in pick.sample(keys, len(keys)):
            window.actions_by_key[key].trigger()
            wait_for_worker(window.model)


def _changing_desktop(_folder, pick):
    app = QCoreApplication.instance()
    font = app.font()
    with plain_window(1280, 800) as window:
        settle()
        for _ in range(_DESKTOP_CHANGES):
            window.workspace.set_panes(
                make_panes(pick.sample(pictures.names(), pick.randint(1, 3)))
            )
            window.model.set_encoding(base=pick.uniform(2, 1e5))
            app.set_theme(pick.choice(("light", "dark", "system")))
            larger = app.font()
            larger.setPointSizeF(pick.choice((6.0, 9.0, 13.0, 20.0)))
            app.setFont(larger)
            for widget in (window, *window.workspace.built_views.values()):
                app.postEvent(widget, QEvent(QEvent.Type.DevicePixelRatioChange))
            for _ in range(pick.randrange(4)):
                app.processEvents()
        settle()
    app.setFont(font)
    app.set_theme("light")


_ROUNDS = {
    "a full disk": partial(_check_writes, _full_disk),
    "a folder that takes no file": partial(_check_writes, _read_only),
    "a folder that goes away": partial(_check_writes, _vanished),
    "a table that changes": _changing_table,
    "settings": _settings,
    "autosave": _autosave,
    "no clipboard": _no_clipboard,
    "a changing desktop": _changing_desktop,
}


@contextmanager
def _at_its_own_place(path, *, is_durable=False):
    """Write a file to its final folder, where a part of it may remain."""
    try:
        with getattr(atomic, "open", open)(path, "wb") as file:
            yield file
    except OSError as error:
        raise OutputError(path, f"{error}") from None


PLANTS = {
    "half": partial(patch.object, session, "replace_file", _at_its_own_place),
    "lost": partial(patch.object, QSettings, "setValue", lambda *_: None),
}
