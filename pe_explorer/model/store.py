"""The tables of the files that a window shows: read in threads, and again when they change."""

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
_MOST_FILES = 13  # more than an exploration can name; a table has 64 MB at most


class TableStore(QObject):
    """Reads each file when it is first asked for, and again when it has changed.

    Reading may take long, or for ever, where a drive does not answer. So each file is read in
    a thread of its own that nothing waits for, not even the end of the program.
    """

    changed = Signal()  # a table has come, gone or changed

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._found: OrderedDict[Source, OpenedFile | PendingFile | str] = OrderedDict()
        """The table of each source or why there is none; the one requested last is at the end."""
        self._unread_changes: set[Source] = set()  # read once more, as they may have changed
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._check_file)
        self._watcher.directoryChanged.connect(self._check_folder)
        worker.done.connect(self._receive_answer)

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return the table at a `Source`, or why there is none yet or at all."""
        if source not in self._found:
            self._found[source] = PendingFile()
            self._read(source)
        self._found.move_to_end(source)
        if len(self._found) > _MOST_FILES:
            self._forget(next(iter(self._found)))
        return self._found[source]

    @Slot()
    def look(self) -> None:
        """Check whether files have changed, as watching them does not work on every file system."""
        for source in self._found:
            self._read(source)

    def close(self) -> None:
        for source in list(self._found):
            self._forget(source)
        if folders := self._watcher.directories():
            self._watcher.removePaths(folders)

    def _read(self, source: Source) -> None:
        owner = _owner(source)
        if self._worker.busy(owner):
            self._unread_changes.add(source)
            return
        found = self._found[source]
        known = found.stamp if isinstance(found, Table | WordFile) else None
        self._worker.request(owner, partial(_read, source, known), own_thread=True)

    def _forget(self, source: Source) -> None:
        del self._found[source]
        self._unread_changes.discard(source)
        self._worker.cancel(_owner(source))
        path = source[0]
        is_needed = any(other[0] == path for other in self._found)
        if not is_needed:
            self._watcher.removePath(path)

    @Slot(str)
    def _check_file(self, path: str) -> None:
        for source in self._found:
            if source[0] == path:
                self._read(source)

    @Slot(str)
    def _check_folder(self, folder: str) -> None:
        for source in self._found:
            if os.path.dirname(source[0]) == folder:
                self._read(source)

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: _TableAnswer) -> None:
        # The source is that of the answer: as an owner, a name that is not UTF-8 arrives changed.
        if not owner.startswith(_OWNER_PREFIX) or answer.source not in self._found:
            return
        source, found = answer.source, answer.found
        # The folder, too, where a file appears again after it was replaced.
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if unwatched := sorted({*answer.existing} - watched):
            refused = self._watcher.addPaths(unwatched)
            if len(refused) < len(unwatched):
                self._unread_changes.add(source)  # it may have changed before it was watched
        if source in self._unread_changes:
            self._unread_changes.remove(source)
            self._read(source)
        if found is not None and found != self._found[source]:
            self._found[source] = found
            self.changed.emit()
        if answer.error is not None:
            raise answer.error


def _owner(source: Source) -> str:
    return _OWNER_PREFIX + "#".join(source)


class _TableAnswer(NamedTuple):
    """The answer of a thread that read a file."""

    source: Source
    found: OpenedFile | str | None  # the table, or why there is none; None if it has not changed
    existing: Collection[str] = ()  # those of the file and its folder that exist
    error: Exception | None = None  # an unexpected one, raised again in the GUI thread


def _read(source: Source, known: Stamp | None, _: threading.Event) -> _TableAnswer:
    """Read a table, unless its file still has the stamp that is `known`."""
    path = source[0]
    try:
        existing = [place for place in (path, os.path.dirname(path)) if os.path.exists(place)]
        if known is not None and tables.stamp_of(path) == known:
            return _TableAnswer(source, None, existing)
        is_words = tables.is_word_file(path)
        found = tables.open_words(path) if is_words else tables.read_table(*source)
        return _TableAnswer(source, found, existing)
    except TableError as error:
        return _TableAnswer(source, str(error), existing)
    except Exception as error:
        problem = f"{path}: cannot be read ({reason(error)})"
        return _TableAnswer(source, problem, error=error)
