"""Autosave: keeps a backup of the unsaved exploration of one window."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.app.document.backup_file import BackupFile, BackupSource
from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import OutputError
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason

if TYPE_CHECKING:
    from pe_explorer.app.document.backups import Backup


_WRITING, _DELETING = "autosave", "deleting the backup"

_NO_SOURCE = BackupSource()
_Unsaved = tuple[Exploration, BackupSource, Mapping[str, Any]]


class Autosave(QObject):
    """Writes the newest unsaved exploration soon after it was noted, away from the GUI thread."""

    failed = Signal(str)
    """A sentence, when a backup cannot be written while those before could."""
    backing_up = Signal(bool)
    """Whether backups can be written, when that changes; at first it is assumed."""

    def __init__(
        self, folder: Path | str, parent: QObject | None = None, *, every: int = 1000
    ) -> None:
        """Prepare a file in `folder`; changes are gathered for `every` milliseconds."""
        super().__init__(parent)
        mark = os.urandom(8).hex()
        self._file = BackupFile(Path(folder) / f"exploration-{mark}.json")
        self._latest: _Unsaved | None = None
        """The unsaved exploration."""
        self._requested: _Unsaved | None = None
        """What the worker was last asked to write, unless it failed."""
        self._failing = self._closed = False
        self._timer = QTimer(self, singleShot=True, interval=every)
        self._timer.timeout.connect(self._write)
        self._worker = Worker(self)  # a separate one, which waits for no export
        self._worker.done.connect(self._receive_success)
        self._worker.failed.connect(self._receive_failure)

    @property
    def path(self) -> Path:
        """The file of this window, which exists while something is unsaved."""
        return self._file.path

    def note(
        self,
        state: Exploration,
        source: BackupSource = _NO_SOURCE,
        extra: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Take an unsaved exploration, its source, and the keys of that file not known here."""
        if self._closed:
            return
        self._latest = state, source, extra
        self._start_timer()

    def clear(self) -> None:
        """Forget the noted exploration and delete the file, after a write under way."""
        self._timer.stop()
        self._worker.cancel(_WRITING)
        if self._latest is not None:
            self._latest = self._requested = None
            file = self._file
            self._worker.request(_DELETING, lambda _: file.delete())

    def flush(self) -> None:
        """Write the unsaved exploration now, and wait for it."""
        self._timer.stop()
        self._worker.finish()
        if not self.path.exists():  # another program may have deleted it
            self._requested = None
        self._write()
        self._worker.finish()

    def close(self, keep: bool) -> None:
        """Stop; keep the unsaved exploration as a backup for the next start, or delete it."""
        if self._closed:
            return
        if not keep:
            self.clear()
        self.flush()
        self._closed = True
        self._timer.stop()
        self._worker.close()
        if self._latest is None:
            self._file.delete()  # if that has failed before
        self._file.unlock()

    def adopt(self, backup: Backup, file: BackupFile) -> None:
        """Make a taken backup and its file this window's, without waiting for anything.

        The file stays where it is, so the exploration is on the disk all the time. It replaces
        what was noted here before. Once closed, nothing is adopted; the backup is left for the
        next start.

        Raises
        ------
        ValueError
            If the file is not locked any more.
        """
        if self._closed:
            file.unlock()
            return
        assert backup.session is not None
        former, self._file = self._file, file.hand_over()
        self._timer.stop()
        self._worker.cancel(_WRITING)
        self._worker.request(f"leaving {former.path}", lambda _: former.delete())
        self._latest = backup.session.state, backup.source, backup.session.extra
        self._requested = self._latest

    def _start_timer(self) -> None:
        """Write the newest when the time is up."""
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _write(self) -> None:
        """Write the newest, unless a write is under way; its end leads here again."""
        latest = self._latest
        if latest is None or latest is self._requested or self._worker.busy(_WRITING):
            return
        self._requested = latest
        file = self._file
        self._worker.request(_WRITING, lambda _: file.write(*latest))

    @Slot(str, object)
    def _receive_success(self, owner: str, answer: object) -> None:
        if owner != _WRITING:  # that a file could be deleted does not mean that one can be written
            return
        if self._failing:
            self._failing = False
            self.backing_up.emit(True)
        self._write()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        """Report it once, and try again: the cause may go away."""
        self._requested = None
        if not self._failing:
            self._failing = True
            problem = f"{self.path}: {reason(error)}"
            if isinstance(error, OutputError):
                problem = error.problem
            self.backing_up.emit(False)
            self.failed.emit(
                f"The backup of your unsaved changes cannot be written: {problem}. Save the "
                "session to keep them."
            )
        if self._latest is not None:
            self._start_timer()
