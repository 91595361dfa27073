"""The tables of the files that a window shows, read in threads and watched for changes."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from pe_explorer import tables
from pe_explorer.exploration import OpenedFile, PendingFile
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.tables import Source, Stamp, Table, TableError, WordFile

_OWNER_PREFIX = "table "
_MAX_FILES = 13  # maximum number of stored tables, each up to 64 MB; an exploration needs fewer


class TableStore(QObject):
    """The tables of files, each read on first request and after changes.

    Reading can block forever if a drive does not respond. Each file is therefore read in a separate
    thread that nothing waits for, not even the end of the program.
    """

    changed = Signal()  # a table has appeared, disappeared or changed

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._tables: OrderedDict[Source, OpenedFile | PendingFile | str] = OrderedDict()
        """Tables by source, or reasons why they are unavailable; the oldest request is first."""
        self._stale_sources: set[Source] = set()  # sources that changed while they were being read
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._check_path)
        self._watcher.directoryChanged.connect(self._check_path)
        worker.done.connect(self._receive_answer)

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return the table, a `PendingFile` while it is read, or why it is unavailable."""
        if source not in self._tables:
            self._tables[source] = PendingFile()
            self._request(source)
        self._tables.move_to_end(source)
        if len(self._tables) > _MAX_FILES:
            self._forget(next(iter(self._tables)))
        return self._tables[source]

    @Slot()
    def check_files(self) -> None:
        """Reread files that have changed; needed for file systems that cannot be watched."""
        for source in self._tables:
            self._request(source)

    def close(self) -> None:
        for source in list(self._tables):
            self._forget(source)
        if folders := self._watcher.directories():
            self._watcher.removePaths(folders)

    def _request(self, source: Source) -> None:
        owner = _make_owner(source)
        if self._worker.is_busy(owner):
            self._stale_sources.add(source)
            return
        table = self._tables[source]
        stamp = table.stamp if isinstance(table, Table | WordFile) else None
        self._worker.request(owner, partial(_read, source, stamp), has_own_thread=True)

    def _forget(self, source: Source) -> None:
        del self._tables[source]
        self._stale_sources.discard(source)
        self._worker.cancel(_make_owner(source))
        path = source[0]
        if not any(source[0] == path for source in self._tables):
            self._watcher.removePath(path)

    @Slot(str)
    def _check_path(self, path: str) -> None:
        for source in self._tables:
            if path in (source[0], os.path.dirname(source[0])):
                self._request(source)

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: _TableAnswer) -> None:
        # Take the source from the answer, because Qt alters parts of `owner` that are not UTF-8.
        if not owner.startswith(_OWNER_PREFIX) or answer.source not in self._tables:
            return
        source, table = answer.source, answer.table
        # Folders are also watched, because Qt stops watching a file that is replaced.
        watched_paths = {*self._watcher.files(), *self._watcher.directories()}
        if unwatched_paths := sorted({*answer.existing_paths} - watched_paths):
            failed_paths = self._watcher.addPaths(unwatched_paths)
            if len(failed_paths) < len(unwatched_paths):
                self._stale_sources.add(source)  # the file may have changed before it was watched
        if source in self._stale_sources:
            self._stale_sources.remove(source)
            self._request(source)
        if table is not None and table != self._tables[source]:
            self._tables[source] = table
            self.changed.emit()
        if answer.error is not None:
            raise answer.error


def _make_owner(source: Source) -> str:
    return _OWNER_PREFIX + "#".join(source)


class _TableAnswer(NamedTuple):
    """The answer of a thread that read a file."""

    source: Source
    table: OpenedFile | str | None  # the table, or why it is unavailable; None if unchanged
    # The path of the file and of its folder, each only if it exists.
    existing_paths: Collection[str] = ()
    error: Exception | None = None  # an unexpected error, raised again in the GUI thread


def _read(source: Source, known_stamp: Stamp | None, _: threading.Event) -> _TableAnswer:
    """Read a table, unless the stamp of its file still equals `known_stamp`."""
    path = source[0]
    try:
        existing_paths = [name for name in (path, os.path.dirname(path)) if os.path.exists(name)]
        if known_stamp is not None and tables.read_stamp(path) == known_stamp:
            return _TableAnswer(source, None, existing_paths)
        if tables.is_word_file(path):
            return _TableAnswer(source, tables.open_word_file(path), existing_paths)
        return _TableAnswer(source, tables.read_table(*source), existing_paths)
    except TableError as error:
        return _TableAnswer(source, str(error), existing_paths)
    except Exception as error:
        problem = f"{path}: cannot be read ({reason(error)})"
        return _TableAnswer(source, problem, error=error)
