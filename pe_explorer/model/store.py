"""The tables of the files that a window shows: read in threads, and again when they change."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import field
from functools import partial

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from pe_explorer import tables
from pe_explorer.exploration import Held, OnItsWay
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.tables import Stamp, Table, TableError, WordFile
from pe_explorer.values import frozen

_OWNER = "table "
_MOST_FILES = 13  # more than an exploration can name; a table has 64 MB at most


class TableStore(QObject):
    """Reads each file when it is first asked for, and again when it has changed.

    Reading may take long, or for ever, where a drive does not answer. So each file is read in
    a thread of its own that nothing waits for, not even the end of the program.
    """

    changed = Signal()
    """A table has come, gone or changed."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._found: OrderedDict[str, Held | OnItsWay | str] = OrderedDict()
        """What is known of each file; the one asked for last is at the end."""
        self._unread_changes: set[str] = set()
        """Files that may have changed while they were read, so they are read once more."""
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._check_file)
        self._watcher.directoryChanged.connect(self._check_folder)
        worker.done.connect(self._receive_answer)

    def table(self, path: str) -> Held | OnItsWay | str:
        """Return the table of a file, or why there is none yet or at all."""
        if path not in self._found:
            self._found[path] = OnItsWay()
            self._read(path)
        self._found.move_to_end(path)
        if len(self._found) > _MOST_FILES:
            self._forget(next(iter(self._found)))
        return self._found[path]

    @Slot()
    def look(self) -> None:
        """Check whether files have changed, as watching them does not work on every file system."""
        for path in self._found:
            self._read(path)

    def close(self) -> None:
        """Forget all files."""
        for path in list(self._found):
            self._forget(path)
        if folders := self._watcher.directories():
            self._watcher.removePaths(folders)

    def _read(self, path: str) -> None:
        if self._worker.busy(_OWNER + path):
            self._unread_changes.add(path)
            return
        found = self._found[path]
        known = found.stamp if isinstance(found, Table | WordFile) else None
        self._worker.request(_OWNER + path, partial(_read, path, known), loose=True)

    def _forget(self, path: str) -> None:
        del self._found[path]
        self._unread_changes.discard(path)
        self._worker.cancel(_OWNER + path)
        if path in self._watcher.files():
            self._watcher.removePath(path)

    @Slot(str)
    def _check_file(self, path: str) -> None:
        if path in self._found:
            self._read(path)

    @Slot(str)
    def _check_folder(self, folder: str) -> None:
        for path in self._found:
            if os.path.dirname(path) == folder:
                self._read(path)

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: _Answer) -> None:
        # The path is taken from the answer: as an owner, a name that is not UTF-8 arrives changed.
        if not owner.startswith(_OWNER) or answer.path not in self._found:
            return
        self._watch(answer)
        self._take(answer.path, answer.found)
        if answer.error is not None:
            raise answer.error

    def _watch(self, answer: _Answer) -> None:
        """Watch a file, and its folder, where it appears again after it was replaced."""
        watched = {*self._watcher.files(), *self._watcher.directories()}
        unwatched = answer.existing - watched
        if not unwatched:
            return
        refused = self._watcher.addPaths(sorted(unwatched))
        if len(refused) < len(unwatched):
            self._unread_changes.add(answer.path)  # it may have changed before it was watched

    def _take(self, path: str, found: Held | str | None) -> None:
        if path in self._unread_changes:
            self._unread_changes.remove(path)
            self._read(path)
        if found is not None and found != self._found[path]:
            self._found[path] = found
            self.changed.emit()


@frozen
class _Answer:
    """What was read of a file."""

    path: str
    found: Held | str | None
    """The table, or why there is none; None if the file has not changed."""
    existing: set[str] = field(default_factory=set)
    """Which of the file and its folder exist."""
    error: Exception | None = None
    """An unexpected error, raised again in the GUI thread."""


def _read(path: str, known: Stamp | None, _: threading.Event) -> _Answer:
    """Read a file, unless it still has the stamp that is `known`."""
    try:
        places = (path, os.path.dirname(path))
        existing = {place for place in places if os.path.exists(place)}
        if known is not None and tables.stamp_of(path) == known:
            return _Answer(path, None, existing)
        read = tables.open_words if tables.is_word_file(path) else tables.read_table
        return _Answer(path, read(path), existing)
    except TableError as error:
        return _Answer(path, str(error), existing)
    except Exception as error:
        problem = f"{path}: cannot be read ({reason(error)})"
        return _Answer(path, problem, error=error)
