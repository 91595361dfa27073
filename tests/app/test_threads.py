"""No thread knows an object of Qt that may be gone: what the worker is given, and what it carries,
is plain.
"""

import dataclasses
import gc
import threading
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType

import pytest
from PySide6.QtCore import QObject, SignalInstance

from pe_explorer.app.document.backups import Autosave
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.model import Model, Worker
from tests.app.windows import open_dialog
from tests.support.gestures import settle, wait_for_worker

FORBIDDEN = (QObject, SignalInstance)
GLOBAL = (type, ModuleType)


def of_qt(task):
    """Return the objects of Qt that a task can reach by what it holds, not by names of modules."""
    seen, waiting, found = set(), [task], []
    while waiting:
        held = waiting.pop()
        if id(held) in seen or isinstance(held, GLOBAL):
            continue
        seen.add(id(held))
        if isinstance(held, FORBIDDEN):
            found.append(held)
        elif isinstance(held, FunctionType):
            waiting += [
                *(held.__closure__ or ()),
                *(held.__defaults__ or ()),
                *(held.__kwdefaults__ or {}).values(),
            ]
        else:
            waiting += gc.get_referents(held)
    return found


def test_what_a_task_holds_is_found(qapp):
    thing = QObject()

    @dataclasses.dataclass
    class Held:
        what: object

    def closed(request):
        return thing

    tasks = (
        closed,
        partial(print, thing),
        partial(print, key=[thing]),
        Held(thing),
        MethodType(print, thing),
        CellType(thing),
    )
    assert [of_qt(task) for task in tasks] == [[thing]] * len(tasks)
    assert of_qt(partial(print, 1, {"a": [dataclasses]})) == []


@pytest.fixture
def tasks(monkeypatch):
    """Every task that any worker is given, by its owner."""
    given, request = {}, Worker.request

    def noted(self, owner, task, **how):
        given.setdefault(owner, []).append(task)
        request(self, owner, task, **how)

    monkeypatch.setattr(Worker, "request", noted)
    return given


def test_views_give_the_worker_plain_values(tasks, window):
    window.model.set_encoding("binary", dim=65_536)
    window.model.set(count=300)
    wait_for_worker(window.model)
    assert {"heatmap", "distances"} <= set(tasks)
    assert {
        owner: found
        for owner, given in tasks.items()
        if (found := [of_qt(task) for task in given if of_qt(task)])
    } == {}


@pytest.mark.parametrize(
    ("key", "kind"), [("export_picture", PictureDialog), ("export_data", DataDialog)]
)
def test_exports_give_the_worker_plain_values(tasks, window, key, kind, qtbot):
    dialog = open_dialog(window, key, kind)
    with qtbot.waitSignal(dialog.written):
        dialog.start_button.click()
    assert tasks["export"]
    assert [of_qt(task) for task in tasks["export"]] == [[]] * len(tasks["export"])
    settle()


def test_files_give_the_worker_plain_values(tasks, window, tmp_path, qtbot):
    settings = SettingsFile(tmp_path / "settings.ini")
    settings.change(theme="dark")
    autosave = Autosave(tmp_path / "unsaved", interval=0)
    autosave.schedule(window.model.state)
    qtbot.waitUntil(lambda: autosave.path.exists() and (tmp_path / "settings.ini").exists())
    window.files.open_file(str(autosave.path))
    qtbot.waitUntil(lambda: not window.files.is_busy)
    autosave.close(should_keep=False)
    settings.refresh()
    for owner, given in tasks.items():
        assert (owner, [of_qt(task) for task in given]) == (owner, [[]] * len(given))
    assert {"autosave", "files"} <= set(tasks)


def test_a_worker_that_is_gone_while_its_task_runs_harms_nobody(qapp, monkeypatch):
    caught, begun, go_on, ended = [], threading.Event(), threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "excepthook", caught.append)

    def task(request):
        begun.set()
        assert go_on.wait(60)
        return ended

    others = set(threading.enumerate())
    model = Model()
    for owner, how in (
        ("own thread", {"has_own_thread": True}),
        ("short", {}),
        ("is_long", {"is_long": True}),
    ):
        begun.clear()
        model.worker.request(owner, task, **how)
        assert begun.wait(60)
    threads = set(threading.enumerate()) - others
    assert len(threads) == 3
    requests = list(model.worker._newest_requests.values())
    assert [of_qt(request) for request in requests] == [[]] * 3
    model.deleteLater()
    settle()
    del model
    gc.collect()
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert caught == []
