"""The tables of the files that a window shows: read in threads, watched, and read again."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from pe_explorer import tables
from pe_explorer.exploration import OnItsWay
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.tables import Stamp, Table, TableError

__all__ = ["TableStore"]

_OWNER = "table "
_MOST = 12  # files, more than an exploration can name; a table has 64 MB at most


class TableStore(QObject):
    """Reads each file once it is asked for, and again when it has changed; nobody waits for it.

    A file may lie where reading it takes long, or for ever: each is read in a thread that
    nobody waits for, not even the end of the program. There is one such thread for a file.
    """

    changed = Signal()
    """A table has come, gone or changed."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._found: OrderedDict[str, Table | OnItsWay | str] = OrderedDict()
        """What is known of each file, that which was asked for last at the end."""
        self._again: set[str] = set()
        """Files that are to be read once more when they have been read."""
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._look_at)
        self._watcher.directoryChanged.connect(self._look_into)
        worker.done.connect(self._done)

    def table(self, path: str) -> Table | OnItsWay | str:
        """Return the table of a file, or why there is none: it may be on its way."""
        if path not in self._found:
            self._found[path] = OnItsWay()
            self._read(path)
        self._found.move_to_end(path)
        if len(self._found) > _MOST:
            self._forget(next(iter(self._found)))
        return self._found[path]

    @Slot()
    def look(self) -> None:
        """Look whether files have changed: watching them does not tell on every file system."""
        for path in self._found:
            self._read(path)

    def close(self) -> None:
        """Let go of all files."""
        for path in list(self._found):
            self._forget(path)
        if folders := self._watcher.directories():
            self._watcher.removePaths(folders)

    def _read(self, path: str) -> None:
        if self._worker.busy(_OWNER + path):
            self._again.add(path)
            return
        found = self._found[path]
        known = found.stamp if isinstance(found, Table) else None
        self._worker.request(_OWNER + path, partial(_read, path, known), loose=True)

    def _forget(self, path: str) -> None:
        del self._found[path]
        self._again.discard(path)
        self._worker.cancel(_OWNER + path)
        if path in self._watcher.files():
            self._watcher.removePath(path)

    @Slot(str)
    def _look_at(self, path: str) -> None:
        if path in self._found:
            self._read(path)

    @Slot(str)
    def _look_into(self, folder: str) -> None:
        for path in self._found:
            if os.path.dirname(path) == folder:
                self._read(path)

    @Slot(str, object)
    def _done(self, owner: str, answer: _Answer) -> None:
        # The path is in the answer: a name that is not UTF-8 comes to a slot as another.
        if not owner.startswith(_OWNER) or answer.path not in self._found:
            return
        # A file that was replaced is watched no more; its folder is where it may appear.
        if new := answer.there - {*self._watcher.files(), *self._watcher.directories()}:
            refused = self._watcher.addPaths(sorted(new))
            if len(refused) < len(new):
                self._again.add(answer.path)  # it may have changed before it was watched
        self._take(answer.path, answer.found)
        if answer.error is not None:
            raise answer.error

    def _take(self, path: str, found: Table | str | None) -> None:
        if path in self._again:
            self._again.remove(path)
            self._read(path)
        if found is not None and found != self._found[path]:
            self._found[path] = found
            self.changed.emit()


@dataclass(frozen=True)
class _Answer:
    """What a file holds, and what of it and its folder is there.

    Instead of a table, why there is none; None if the file is as it was.
    """

    path: str
    found: Table | str | None
    there: set[str] = field(default_factory=set)
    error: Exception | None = None
    """What reading may not raise."""


def _read(path: str, known: Stamp | None, _: threading.Event) -> _Answer:
    """Read a file, unless it is as it was when it was `known`."""
    try:
        there = {place for place in (path, os.path.dirname(path)) if os.path.exists(place)}
        if known is not None and tables.stamp_of(path) == known:
            return _Answer(path, None, there)
        return _Answer(path, tables.read_table(path), there)
    except TableError as error:
        return _Answer(path, str(error), there)
    except Exception as error:
        return _Answer(path, f"{path}: cannot be read ({reason(error)})", error=error)
