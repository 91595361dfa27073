"""What breaks down outside the program: disks, folders, other processes, clipboard and desktop.

What was there stays whole, nothing that was saved is lost, and each time one sentence says so.
"""

import io
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QApplication

from pe_explorer import pictures
from pe_explorer.app.application import Application
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.output import figure_files
from pe_explorer.app.settings import ini_file
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.exploration import Exploration, panes_of
from pe_explorer.files import atomic, export, session
from pe_explorer.files.atomic import OutputError
from tests.endurance.broken_disks import (
    BreakingFile,
    changing_table,
    full_disk,
    limited_to,
    no_space,
    read_only,
    vanished,
)
from tests.endurance.calls import without_windows
from tests.endurance.desk import plain_window
from tests.endurance.faults import Faults
from tests.endurance.limits import PATIENCE, check_sentence, watched
from tests.support.processes import ENVIRONMENT

_PROCESSES = (2, 3)
_TIMES = 12  # changes of the desktop in a round


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Do so many rounds, one kind after the other, with what is planted."""
    app = Application("light")
    kinds, planted = list(_ROUNDS), lambda name: PLANTS[name]()
    with without_windows():
        for number, pick in faults.items(f"{seed} round", size, plant, planted):
            kind = kinds[(number - 1) % len(kinds)]
            place = folder / f"round-{number}"
            place.mkdir()
            act = partial(_ROUNDS[kind], place, pick)
            if watched(faults, f"a round of {kind}", act, str(place), limited=False):
                shutil.rmtree(place)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            app.processEvents()


# -- settings and autosave -------------------------------------------------------------------------


def _settings(folder: Path, pick: Random) -> None:
    """Fill the disk while settings are written; with room again nothing of them is lost."""
    path = folder / "settings.ini"
    first = SettingsFile(path)
    first.note_file("/first.json")
    first.close()
    second = SettingsFile(path)
    with limited_to(pick.choice((0, 1, 50, pick.randrange(path.stat().st_size + 100)))):
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
    for each in (first, second, now):
        each.close()
        each.deleteLater()


def _autosave(folder: Path, pick: Random) -> None:
    """Break the folder of what is unsaved; once it is whole again the newest is found."""
    unsaved, said = folder / "unsaved", []
    autosave = Autosave(unsaved, every=1)
    autosave.failed.connect(said.append)
    autosave.note(Exploration(count=5))
    autosave.flush()
    way = pick.randrange(3)
    if way == 0:
        with limited_to(pick.randrange(300)):
            autosave.note(Exploration(count=6))
            autosave.flush()
            _settle()
        assert len(said) == 1
    elif way == 1:
        shutil.rmtree(unsaved)
    else:
        unsaved.rename(folder / "moved")
    for sentence in said:
        check_sentence(sentence, unsaved)
    autosave.note(Exploration(count=8))
    autosave.flush()
    autosave.close(keep=True)
    counts = [backup.session.state.count for backup in find_backups(unsaved) if backup.session]
    assert counts == [8], counts
    autosave.deleteLater()


def _settle() -> None:
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


def _processes(folder: Path, pick: Random) -> None:
    """Let processes write the same settings at once, and crash with something unsaved."""
    count = pick.choice(_PROCESSES)
    pipe = subprocess.PIPE
    start = partial(subprocess.Popen, env=ENVIRONMENT, stdin=pipe, stdout=pipe, text=True)
    running = [start([sys.executable, "-c", _OTHER, str(folder), str(n)]) for n in range(count)]
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in running:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = [each.communicate(timeout=PATIENCE)[0].strip() for each in running]
    assert said == ["()"] * count, said
    settings = SettingsFile(folder / "settings.ini")
    last = {f"/{n}/5.json" for n in range(count)}
    assert settings.notes == (), settings.notes
    assert last <= set(settings.settings.recent), settings.settings.recent
    settings.close()
    settings.deleteLater()
    backups = find_backups(folder / "unsaved")
    counts = sorted(backup.session.state.count for backup in backups if backup.session)
    assert counts == [10 * n + 5 for n in range(count)], counts


# -- the desktop -----------------------------------------------------------------------------------


def _no_clipboard(_folder: Path, pick: Random) -> None:
    """Copy all that can be copied where nothing can be."""
    keys = ["copy_picture", "copy_code", "copy_figure_code", "copy_command", "copy_value"]
    pick.shuffle(keys)
    nothing = dict.fromkeys(("setText", "setImage", "setMimeData"), lambda *_: None)
    with plain_window(1280, 800) as window, ExitStack() as stack:
        _settle()
        for name, function in nothing.items():
            stack.enter_context(patch.object(QClipboard, name, function))
        for key in keys:
            window.actions_by_key[key].trigger()
            while not window.model.worker.idle:
                QCoreApplication.processEvents()
            _settle()


def _changing_desktop(_folder: Path, pick: Random) -> None:
    """Change theme, fonts and pixels while views are shown, and computed."""
    app = QApplication.instance()
    assert isinstance(app, Application)
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


_ROUNDS: Mapping[str, Callable[[Path, Random], None]] = {
    "a full disk": full_disk,
    "a folder that takes no file": read_only,
    "a folder that goes away": vanished,
    "a table that changes": changing_table,
    "settings": _settings,
    "autosave": _autosave,
    "several processes": _processes,
    "no clipboard": _no_clipboard,
    "a changing desktop": _changing_desktop,
}


# -- planted ---------------------------------------------------------------------------------------


@contextmanager
def _half() -> Iterator[None]:
    """Let files be written at their own places, where a part of them may stay."""

    @contextmanager
    def replacing(path: Path, *, durable: bool = False) -> Iterator[Any]:
        try:
            with io.BufferedWriter(BreakingFile(Path(path), "wb", 1000, no_space)) as file:
                yield file
        except OSError as error:
            raise OutputError(path, f"{error}") from None

    with ExitStack() as stack:
        for module in (session, export, figure_files):
            stack.enter_context(patch.object(module, "replacing", replacing))
        yield


@contextmanager
def _traceback() -> Iterator[None]:
    """Let an error be no sentence."""

    def reason(error: BaseException) -> str:
        raise KeyError("planted")

    with patch.object(atomic, "reason", reason):
        yield


@contextmanager
def _lost() -> Iterator[None]:
    """Let settings be written nowhere."""
    with patch.object(ini_file, "write", lambda *_: ""):
        yield


PLANTS: Mapping[str, Callable[[], AbstractContextManager[None]]] = {
    "half": _half,
    "traceback": _traceback,
    "lost": _lost,
}
