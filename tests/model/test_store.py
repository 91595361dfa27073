"""The table store of a window, which reads in threads and watches files."""

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
    """Wait until a condition holds for the table of a file, and return the table."""
    qtbot.waitUntil(lambda: condition(store.table(str(path))))
    return store.table(str(path))


def of(rows):
    return lambda found: getattr(found, "rows", 0) == rows


def says(words):
    return lambda found: isinstance(found, str) and words in found


def test_loaded_tables_are_announced(qtbot, own, path):
    with qtbot.waitSignal(own.changed):
        assert own.table(str(path)) == PendingFile()
    table = own.table(str(path))
    assert (table.rows, table.columns) == (ROWS, COLUMNS)
    np.testing.assert_array_equal(table.part(0, ROWS), numbers())


def test_nothing_waits_for_a_slow_file(qtbot, own, path, tmp_path, monkeypatch):
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
        (reading,) = (item for item in threading.enumerate() if item.name.startswith("reading for"))
        assert reading.daemon  # the program can end meanwhile
        for _ in range(5):  # the window is focused several times
            own.check_files()
        come(qtbot, own, other)
        assert own.table(str(path)) == PendingFile()
        assert len(begun) == 1  # one thread per file
    finally:
        go_on.set()
    come(qtbot, own, path)


@pytest.mark.parametrize("what", BAD)
def test_changes_and_the_return_of_a_file_are_noticed(qtbot, own, path, what):
    happen, words = BAD[what]
    first = come(qtbot, own, path)
    happen(path)
    message = come(qtbot, own, path, says(words))
    assert str(path) in message
    assert "\n" not in message
    np.testing.assert_array_equal(first.part(0, ROWS), numbers())  # the copy does not need the file
    if path.is_dir():
        path.rmdir()
    put(path, numbers())
    come(qtbot, own, path)


def test_file_names_can_be_invalid_utf_8(qtbot, own, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.npy"))
    put(path, numbers())
    assert come(qtbot, own, path).rows == ROWS
    path.unlink()
    own.check_files()
    assert str(path) in come(qtbot, own, path, says("no such file"))
    put(path, numbers(5))
    own.check_files()
    come(qtbot, own, path, of(5))


def test_appearing_and_replaced_files_are_followed(qtbot, own, tmp_path):
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
    qtbot.waitUntil(lambda: worker.is_idle)
    own.check_files()
    own.close()
    assert worker.is_idle  # nothing waits for forgotten files


def test_unchanged_files_are_not_read_again(qtbot, own, worker, path, monkeypatch):
    table = come(qtbot, own, path)
    qtbot.waitUntil(lambda: worker.is_idle)
    monkeypatch.setattr(tables, "read_table", lambda name: pytest.fail(f"{name} was read"))
    own.changed.connect(pytest.fail)
    own.check_files()
    qtbot.waitUntil(lambda: worker.is_idle)
    assert own.table(str(path)) is table
    own.changed.disconnect(pytest.fail)


def test_the_number_of_cached_files_is_limited(qtbot, own, tmp_path):
    paths = [put(tmp_path / f"{k}.npy", numbers(3)) for k in range(store._MAX_FILES + 3)]
    for path in paths:
        come(qtbot, own, path)
        assert own.table(paths[0]).rows == 3  # it is requested every time
    assert set(own.findChild(QFileSystemWatcher).files()) <= {paths[0], *paths[4:]}
    assert own.table(paths[4]).rows == 3
    assert own.table(paths[3]) == PendingFile()
    come(qtbot, own, paths[3])


def test_errors_of_reading_are_reported(qtbot, own, path, monkeypatch):
    def broken(name):
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(tables, "read_table", broken)
    with qtbot.captureExceptions() as raised:
        come(qtbot, own, path, says("cannot be read (odd)"))
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]


# -- the model -------------------------------------------------------------------------------------


@pytest.fixture
def model(qapp):
    model = Model(is_blocking=False)
    yield model
    model.close()
    model.deleteLater()


def wait_for_encoding(qtbot, model, condition):
    qtbot.waitUntil(lambda: condition(model.state.encoding))


def has_rows(rows):
    return lambda e: of(rows)(getattr(e, "file_content", None))


def test_changes_are_accepted_while_a_file_is_missing(qtbot, model, path):
    refused = []
    model.refused.connect(refused.append)
    assert model.set_encoding("learned", file=str(path))
    wait_for_encoding(qtbot, model, has_rows(ROWS))
    path.unlink()
    wait_for_encoding(qtbot, model, lambda e: isinstance(e, Unknown))
    assert model.set(count=7, start=3, position=5, dimension=60_000, metric="dot")
    assert model.set_encoding(row_offset=2)
    assert model.set_encoding(file=str(path.with_name("another.npy")))
    assert model.set_encoding(file=str(path))
    intention = model.state.intention
    assert intention.encoding == create("learned", file=str(path), row_offset=2)
    assert intention.dimension == 60_000
    put(path, numbers())
    wait_for_encoding(qtbot, model, has_rows(ROWS))
    assert model.state.intention == intention
    assert model.state.dimension == COLUMNS - 1
    assert refused == []


def test_changes_of_files_are_announced_but_not_in_the_document(qtbot, model, path):
    heard = []
    model.changed.connect(lambda old, new: heard.append((old, new)))
    model.set_encoding("learned", file=str(path))
    qtbot.waitUntil(lambda: len(heard) == 2)  # being read, then loaded
    put(path, numbers(9))
    wait_for_encoding(qtbot, model, has_rows(9))
    path.unlink()
    wait_for_encoding(qtbot, model, lambda e: isinstance(e, Unknown))
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
def test_look_at_files_finds_changed_files(qtbot, qapp, path, monkeypatch, waits):
    monkeypatch.setattr(QFileSystemWatcher, "addPaths", lambda self, paths: paths)
    model = Model(is_blocking=waits)
    model.set_encoding("learned", file=str(path))
    wait_for_encoding(qtbot, model, has_rows(ROWS))
    put(path, numbers(5))
    qtbot.waitUntil(lambda: model.worker.is_idle)
    assert model.state.encoding.file_content.rows == ROWS
    model.check_files()
    wait_for_encoding(qtbot, model, has_rows(5))
    model.close()
    model.deleteLater()


def test_a_closed_model_watches_no_files(qtbot, model, path):
    model.set_encoding("learned", file=str(path))
    wait_for_encoding(qtbot, model, has_rows(ROWS))
    model.close()
    path.unlink()
    watcher = model.store.findChild(QFileSystemWatcher)
    assert watcher.files() + watcher.directories() == []
    assert model.worker.is_idle
