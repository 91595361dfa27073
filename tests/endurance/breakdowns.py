"""What breaks down outside the program: disks, folders, other processes, clipboard and desktop.

What was there stays whole, nothing that was saved is lost, and each time one sentence says so.
"""

import errno
import io
import os
import resource
import shutil
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtGui import QClipboard

from pe_explorer import encodings, pictures, quantities
from pe_explorer.app.application import Application
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import DirectStore, Exploration, panes_of, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import export, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.model.steps import at_once
from pe_explorer.tables.npy import Table
from tests.endurance.calls import called, check_outcome, without_windows
from tests.endurance.desk import plain_window
from tests.endurance.limits import PATIENCE, check_sentence, watched
from tests.support.processes import ENVIRONMENT
from tests.support.tables_in_files import sparse

_TIMES = 12  # changes of the desktop in a round
_TARGETS = ("t.json", "t.npy", "t.csv", "t.png", "t.svg", "t.pdf")
_LARGE = (1000, 20_000)  # rows and columns of a table that is not kept in memory
_ROWS = 2000  # of data that are written
_OPEN = "pe_explorer.files.atomic.open"


def run(faults, seed, size, folder, plant=()):
    app, kinds = Application("light"), list(_ROUNDS)
    with without_windows():
        for number, pick in faults.items(f"{seed} round", size, plant, PLANTS):
            kind = kinds[(number - 1) % len(kinds)]
            place = folder / f"round-{number}"
            place.mkdir()
            act = partial(_ROUNDS[kind], place, pick)
            if watched(faults, f"a round of {kind}", act, str(place), limited=False):
                shutil.rmtree(place)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            app.processEvents()


@cache
def _page():
    state = resolve(Exploration(count=9), DirectStore())
    order = figure_order.Order("heatmap", state, Style(), FigureSize(300, 200))
    return at_once(figure_order.laid_out(order)), order.dpi


def _write(target, k):
    """Write a file that says which number it is, and all of which belongs to that number."""
    state = Exploration(count=k, position=-k)
    if target.suffix == ".json":
        session.write(target, state)
    elif target.suffix in session.DATA:
        data = quantities.of("table", encodings.create("index", dim=8), range(k, k + _ROWS))
        export.write(data, target, beside=session.dumps(state))
    else:
        page, dpi = _page()
        figure_files.save(page, target, dpi, session.dumps(state), threading.Event())


def _content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


class _BreakingFile(io.FileIO):
    """A file that breaks, or lets something else break, once so many bytes are written."""

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

    return patch(_OPEN, opened, create=True)


def _no_space():
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def _limited_to(size):
    """Let no file become larger, whoever writes it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _while(breaking, folder, pick):
    """Write over a file of each kind while something breaks, and look at what is there.

    `breaking` returns the context in which it breaks, and where the folder is moved to, if it is.
    The file is replaced, or all is as it was and a sentence says so. Data may be there without
    their session, which the sentence then says.
    """
    for name in _TARGETS:
        target, problem = folder / name / name, ""
        target.parent.mkdir()
        _write(target, 7)
        old = _content(target.parent)
        context, place = breaking(target, pick)
        try:
            with context:
                _write(target, 9)
        except OutputError as error:
            problem = error.problem
            check_sentence(problem, target.parent)
        if place != target.parent:
            assert problem, "it says nothing of a file that is not there"
            assert not place or _content(place).items() >= old.items(), "it is not as it was"
        elif not problem:
            assert session.read(target).state.count == 9
        elif (new := _content(place)) != old:
            assert "complete" in problem, f"{sorted(new)}: {problem}"
            assert set(new) == {target.name}
            assert target.suffix != ".npy" or len(np.load(target)) == _ROWS


def _full_disk(target, pick):
    most = pick.randrange(target.stat().st_size + 2)
    is_real = pick.random() < 0.5
    return _limited_to(most) if is_real else _breaking_after(most, _no_space), target.parent


def _read_only(target, pick):
    number = pick.choice((errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT, errno.EIO))
    refused = OSError(number, os.strerror(number))
    return patch(_OPEN, side_effect=refused, create=True), target.parent


def _vanished(target, pick):
    place, moved = pick.randrange(target.stat().st_size), None
    act = partial(shutil.rmtree, target.parent)
    if pick.random() < 0.5:
        moved = target.parent.with_name(f"moved {target.name}")
        act = partial(target.parent.rename, moved)
    return _breaking_after(place, act), moved


def _changing_table(folder, pick):
    path, target, moved = (folder / name for name in ("table.npy", "out.npy", "moved.npy"))
    sparse(path, *_LARGE)
    moved.touch()
    ways = (
        partial(os.truncate, path, 1000),
        partial(path.unlink, missing_ok=True),
        path.touch,
        partial(moved.replace, path),
    )
    way, place, calls = pick.choice(ways), pick.randrange(3), []
    real = Table.part

    def part(table, start, stop):
        if len(calls) == place:
            way()
        calls.append(start)
        return real(table, start, stop)

    words = ("export", "--encoding", "learned", "--file", str(path), "--positions", "0:300")
    with patch.object(Table, "part", part):
        outcome = called([*words, "-o", str(target)])
    check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)
    assert not list(folder.glob(".*.part"))


def _settings(folder, pick):
    """Fill the disk while settings are written; with room again nothing of them is lost."""
    path = folder / "settings.ini"
    first = SettingsFile(path)
    first.note_file("/first.json")
    first.close()
    second = SettingsFile(path)
    with _limited_to(pick.choice((0, 1, 50, pick.randrange(path.stat().st_size + 100)))):
        second.change(theme="dark")
        second.note_file("/second.json")
        _settle()
    for note in second.notes:
        check_sentence(note, path)
    now = SettingsFile(path)
    assert now.notes == (), now.notes
    assert "/first.json" in now.settings.recent, "what was written before is lost"
    second.remember_folder("data", "/data")
    second.close()
    now.refresh()
    assert now.settings == second.settings, f"{now.settings} is not {second.settings}"
    _forget(first, second, now)


def _forget(*files):
    for file in files:
        file.close()
        file.deleteLater()


def _autosave(folder, pick):
    """Break the folder of what is unsaved; once it is whole again the newest is found."""
    unsaved, sentences = folder / "unsaved", []
    autosave = Autosave(unsaved, every=1)
    autosave.failed.connect(sentences.append)
    autosave.note(Exploration(count=5))
    autosave.flush()
    way = pick.randrange(3)
    if way == 0:
        with _limited_to(pick.randrange(300)):
            autosave.note(Exploration(count=6))
            autosave.flush()
            _settle()
        assert len(sentences) == 1
    elif way == 1:
        shutil.rmtree(unsaved)
    else:
        unsaved.rename(folder / "moved")
    for sentence in sentences:
        check_sentence(sentence, unsaved)
    autosave.note(Exploration(count=8))
    autosave.flush()
    autosave.close(keep=True)
    assert _unsaved(unsaved) == [8]
    autosave.deleteLater()


def _unsaved(folder):
    """Return how many positions each backup has."""
    found = find_backups(folder)
    return sorted(backup.session.state.count for backup in found if backup.session)


def _settle():
    for _ in range(5):
        QCoreApplication.processEvents()


_OTHER = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import Exploration
folder, number = Path(sys.argv[1]), int(sys.argv[2])
app = QCoreApplication([])
settings, autosave = SettingsFile(folder / "settings.ini"), Autosave(folder / "unsaved")
print("ready", flush=True)
sys.stdin.readline()
for k in range(1, 6):
    autosave.note(Exploration(count=10 * number + k))
    settings.note_file(f"/{number}/{k}.json")
    settings.refresh()
    app.processEvents()
    autosave.flush()
settings.close()
print(settings.notes, flush=True)
os._exit(0)  # without a word to the autosave, as in a crash
"""


def _processes(folder, pick):
    """Let processes write the same settings at once, and crash with something unsaved."""
    numbers, pipe = range(pick.choice((2, 3))), subprocess.PIPE
    start = partial(subprocess.Popen, env=ENVIRONMENT, stdin=pipe, stdout=pipe, text=True)
    running = [start([sys.executable, "-c", _OTHER, str(folder), str(n)]) for n in numbers]
    for each in running:
        assert each.stdout.readline() == "ready\n"
    for each in running:
        each.stdin.write("go\n")
        each.stdin.flush()
    notes = [each.communicate(timeout=PATIENCE)[0].strip() for each in running]
    assert set(notes) == {"()"}, notes
    file = SettingsFile(folder / "settings.ini")
    assert file.notes == (), file.notes
    assert {f"/{n}/5.json" for n in numbers} <= set(file.settings.recent), file.settings.recent
    _forget(file)
    assert _unsaved(folder / "unsaved") == [10 * n + 5 for n in numbers]


def _no_clipboard(_folder, pick):
    keys = ["copy_picture", "copy_code", "copy_figure_code", "copy_command", "copy_value"]
    nothing = dict.fromkeys(("setText", "setImage", "setMimeData"), lambda *_: None)
    with plain_window(1280, 800) as window, patch.multiple(QClipboard, **nothing):
        _settle()
        for key in pick.sample(keys, len(keys)):
            window.actions_by_key[key].trigger()
            while not window.model.worker.idle:
                QCoreApplication.processEvents()
            _settle()


def _changing_desktop(_folder, pick):
    """Change theme, fonts and pixels while views are shown, and computed."""
    app = QCoreApplication.instance()
    font = app.font()
    with plain_window(1280, 800) as window:
        _settle()
        for _ in range(_TIMES):
            window.workspace.set_panes(panes_of(pick.sample(pictures.names(), pick.randint(1, 3))))
            window.model.set_encoding(base=pick.uniform(2, 1e5))
            app.set_theme(pick.choice(("light", "dark", "system")))
            larger = app.font()
            larger.setPointSizeF(pick.choice((6.0, 9.0, 13.0, 20.0)))
            app.setFont(larger)
            for widget in (window, *window.workspace.built.values()):
                app.postEvent(widget, QEvent(QEvent.Type.DevicePixelRatioChange))
            for _ in range(pick.randrange(4)):
                app.processEvents()
        _settle()
    app.setFont(font)
    app.set_theme("light")


_ROUNDS = {
    "a full disk": partial(_while, _full_disk),
    "a folder that takes no file": partial(_while, _read_only),
    "a folder that goes away": partial(_while, _vanished),
    "a table that changes": _changing_table,
    "settings": _settings,
    "autosave": _autosave,
    "several processes": _processes,
    "no clipboard": _no_clipboard,
    "a changing desktop": _changing_desktop,
}


@contextmanager
def _half():
    """Let files be written at their own places, where a part of them may stay."""

    @contextmanager
    def replacing(path, *, durable=False):
        try:
            with io.BufferedWriter(_BreakingFile(Path(path), "wb", 1000, _no_space)) as file:
                yield file
        except OSError as error:
            raise OutputError(path, f"{error}") from None

    with ExitStack() as stack:
        for module in (session, export, figure_files):
            stack.enter_context(patch.object(module, "replacing", replacing))
        yield


PLANTS = {"half": _half, "lost": partial(patch.object, QSettings, "setValue", lambda *_: None)}
