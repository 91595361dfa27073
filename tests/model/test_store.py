"""The store of a window: it reads in threads, hears of changes, and never waits."""

import dataclasses
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QFileSystemWatcher

from pe_explorer import tables
from pe_explorer.encodings import Unknown, create
from pe_explorer.exploration import PendingFile
from pe_explorer.model import Model, store
from pe_explorer.model.store import TableStore
from pe_explorer.tables import Table
from tests.support.tables_in_files import BAD, COLUMNS, ROWS, numbers, put


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "pe  é.npy"
    put(place, numbers())
    return place


@pytest.fixture
def own(worker):
    store = TableStore(worker)
    yield store
    store.close()
    store.deleteLater()
    worker.deleteLater()


def come(qtbot, store, path, condition=lambda found: isinstance(found, Table)):
    """Wait until what the store has of a file is as wanted; return it."""
    qtbot.waitUntil(lambda: condition(store.table(str(path))))
    return store.table(str(path))


def of(rows):
    return lambda found: getattr(found, "rows", 0) == rows


def says(words):
    return lambda found: isinstance(found, str) and words in found


def test_a_table_comes_and_is_announced(qtbot, own, path):
    with qtbot.waitSignal(own.changed):
        assert own.table(str(path)) == PendingFile()
    table = own.table(str(path))
    assert (table.rows, table.columns) == (ROWS, COLUMNS)
    np.testing.assert_array_equal(table.part(0, ROWS), numbers())


def test_nobody_waits_for_a_file_that_takes_for_ever(qtbot, own, path, tmp_path, monkeypatch):
    go_on, begun, real = threading.Event(), [], tables.read_table

    def slow(name):
        if name == str(path):
            begun.append(name)
            go_on.wait(60)
        return real(name)

    monkeypatch.setattr(tables, "read_table", slow)
    other = tmp_path / "other.npy"
    put(other, numbers(3))
    try:
        assert own.table(str(path)) == PendingFile()
        qtbot.waitUntil(lambda: bool(begun))
        (reading,) = (it for it in threading.enumerate() if it.name.startswith("reading for"))
        assert reading.daemon  # the program can end meanwhile
        for _ in range(5):  # the window gains the focus again and again
            own.look()
        come(qtbot, own, other)
        assert own.table(str(path)) == PendingFile()
        assert len(begun) == 1  # one thread for a file, however often it is looked at
    finally:
        go_on.set()
    come(qtbot, own, path)


@pytest.mark.parametrize("what", BAD)
def test_what_happens_to_a_file_is_heard_of_and_so_is_its_return(qtbot, own, path, what):
    happen, words = BAD[what]
    first = come(qtbot, own, path)
    happen(path)
    said = come(qtbot, own, path, says(words))
    assert str(path) in said
    assert "\n" not in said
    np.testing.assert_array_equal(first.part(0, ROWS), numbers())  # a copy needs no file
    if path.is_dir():
        path.rmdir()
    put(path, numbers())
    come(qtbot, own, path)


def test_a_file_whose_name_is_no_utf_8_is_read_and_followed(qtbot, own, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.npy"))
    put(path, numbers())
    assert come(qtbot, own, path).rows == ROWS
    path.unlink()
    own.look()
    assert str(path) in come(qtbot, own, path, says("no such file"))
    put(path, numbers(5))
    own.look()
    come(qtbot, own, path, of(5))


def test_a_missing_file_that_appears_and_is_replaced_again_and_again_is_followed(
    qtbot, own, tmp_path
):
    late = tmp_path / "late.npy"
    come(qtbot, own, late, says("no such file"))
    for rows in (7, 9, 30):
        put(late, numbers(rows))
        come(qtbot, own, late, of(rows))


def test_a_file_that_changes_before_it_is_watched_is_read_again(
    qtbot, own, worker, path, monkeypatch
):
    watcher = own.findChild(QFileSystemWatcher)
    watch = watcher.addPaths

    def late(paths):
        put(path, numbers(5))
        return watch(paths)

    monkeypatch.setattr(watcher, "addPaths", late)
    come(qtbot, own, path, of(5))
    qtbot.waitUntil(lambda: worker.idle)
    own.look()
    own.close()
    assert worker.idle  # nobody waits for what is forgotten


def test_a_file_as_it_was_is_not_read_again(qtbot, own, worker, path, monkeypatch):
    table = come(qtbot, own, path)
    qtbot.waitUntil(lambda: worker.idle)
    monkeypatch.setattr(tables, "read_table", lambda name: pytest.fail(f"{name} was read"))
    own.changed.connect(pytest.fail)
    own.look()
    qtbot.waitUntil(lambda: worker.idle)
    assert own.table(str(path)) is table
    own.changed.disconnect(pytest.fail)


def test_few_files_are_kept(qtbot, own, tmp_path):
    paths = [put(tmp_path / f"{k}.npy", numbers(3)) for k in range(store._MOST_FILES + 3)]
    for path in paths:
        come(qtbot, own, path)
        assert own.table(paths[0]).rows == 3  # it is asked for again and again
    assert set(own.findChild(QFileSystemWatcher).files()) <= {paths[0], *paths[4:]}
    assert own.table(paths[4]).rows == 3
    assert own.table(paths[3]) == PendingFile()
    come(qtbot, own, paths[3])


def test_whatever_reading_raises_is_said(qtbot, own, path, monkeypatch):
    def broken(name):
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(tables, "read_table", broken)
    with qtbot.captureExceptions() as raised:
        come(qtbot, own, path, says("cannot be read (odd)"))
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]


# -- the model -------------------------------------------------------------------------------------


@pytest.fixture
def model(qapp):
    model = Model(waits=False)
    yield model
    model.close()
    model.deleteLater()


def shown(qtbot, model, condition):
    qtbot.waitUntil(lambda: condition(model.state.encoding))


def has_rows(rows):
    return lambda e: of(rows)(getattr(e, "file_content", None))


def test_no_change_is_refused_because_a_file_is_gone(qtbot, model, path):
    refused = []
    model.refused.connect(refused.append)
    assert model.set_encoding("learned", file=str(path))
    shown(qtbot, model, has_rows(ROWS))
    path.unlink()
    shown(qtbot, model, lambda e: isinstance(e, Unknown))
    assert model.set(count=7, start=3, position=5, dimension=60_000, metric="dot")
    assert model.set_encoding(row_offset=2)
    assert model.set_encoding(file=str(path.with_name("another.npy")))
    assert model.set_encoding(file=str(path))
    intention = model.state.intention
    assert intention.encoding == create("learned", file=str(path), row_offset=2)
    assert intention.dimension == 60_000
    put(path, numbers())
    shown(qtbot, model, has_rows(ROWS))
    assert model.state.intention == intention
    assert model.state.dimension == COLUMNS - 1
    assert refused == []


def test_each_change_of_a_file_is_announced_and_no_change_of_the_document(qtbot, model, path):
    heard = []
    model.changed.connect(lambda old, new: heard.append((old, new)))
    model.set_encoding("learned", file=str(path))
    qtbot.waitUntil(lambda: len(heard) == 2)  # it is being read, then it is there
    put(path, numbers(9))
    shown(qtbot, model, has_rows(9))
    path.unlink()
    shown(qtbot, model, lambda e: isinstance(e, Unknown))
    qtbot.waitUntil(lambda: heard[-1][1] == model.state)
    for old, new in heard[1:]:
        assert old.encoding != new.encoding
        assert old.intention == new.intention
    assert "is being read…" in heard[0][1].encoding.problem
    assert heard[0][1].encoding.remedy == ""
    assert (
        dataclasses.replace(heard[1][1].encoding, file_content=None)
        == model.state.intention.encoding
    )


@pytest.mark.parametrize("waits", [True, False])
def test_a_model_that_looks_finds_files_that_have_changed(qtbot, qapp, path, monkeypatch, waits):
    monkeypatch.setattr(QFileSystemWatcher, "addPaths", lambda self, paths: paths)
    model = Model(waits=waits)
    model.set_encoding("learned", file=str(path))
    shown(qtbot, model, has_rows(ROWS))
    put(path, numbers(5))
    qtbot.waitUntil(lambda: model.worker.idle)
    assert model.state.encoding.file_content.rows == ROWS
    model.look_at_files()
    shown(qtbot, model, has_rows(5))
    model.close()
    model.deleteLater()


def test_a_closed_model_hears_of_nothing(qtbot, model, path):
    model.set_encoding("learned", file=str(path))
    shown(qtbot, model, has_rows(ROWS))
    model.close()
    path.unlink()
    watcher = model.store.findChild(QFileSystemWatcher)
    assert watcher.files() + watcher.directories() == []
    assert model.worker.idle
