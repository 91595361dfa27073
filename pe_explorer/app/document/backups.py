"""Backups of unsaved work, which the next start offers if the program ends without saving it.

Each process has a file of its own, named by its number and the time of its start, and writes no
other. It holds the lock beside that while it lives; what nobody holds was left behind.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLockFile, QObject, QSysInfo, QTimer, Signal, Slot

from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import OutputError, remove_leftovers, replacing
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError, reason

if TYPE_CHECKING:
    from pe_explorer.files.session import Session

logger = logging.getLogger(__name__)

_OWNER = "autosave"
_SOURCE = "autosave"  # key of the source in the session that is stored


class BackupSource(NamedTuple):
    """The file that an exploration came from, and a digest of what it held; None if unknown."""

    path: str | None = None
    digest: str | None = None


class Backup(NamedTuple):
    """A stored exploration whose window is gone.

    `time` is when it was stored, in seconds since 1970. `problem` says why it cannot be recovered,
    without a full stop; it is empty where there is a session.
    """

    path: Path
    time: float
    session: Session | None = None
    source: BackupSource = BackupSource()
    problem: str = ""


_Unsaved = tuple[Exploration, BackupSource, Mapping[str, Any]]
_Taken = tuple[Path, QLockFile]
_NO_SOURCE = BackupSource()


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
        self.path = Path(folder) / f"exploration-{os.getpid()}-{time.time_ns()}.json"
        """The file of this process, which exists while something is unsaved."""
        self._lock = _lock_of(self.path)
        self._taken: list[_Taken] = []
        """Recovered backups, deleted once their content is in the file of this process."""
        self._latest: _Unsaved | None = None
        self._failing = self._closed = False
        self._timer = QTimer(self, singleShot=True, interval=every)
        self._timer.timeout.connect(self._write)
        self._worker = Worker(self)  # a separate one, which waits for no export
        self._worker.done.connect(self._receive_success)
        self._worker.failed.connect(self._receive_failure)

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
        if not self._timer.isActive():
            self._timer.start()

    def adopt(self, backup: Backup, lock: QLockFile) -> None:
        """Delete a taken backup once the next exploration that is noted, its own, is written."""
        self._taken.append((backup.path, lock))

    def clear(self) -> None:
        """Forget the noted exploration and delete the file, after a write under way."""
        self._timer.stop()
        if self._latest is not None:
            self._latest = None
            self._worker.request(_OWNER, lambda _: self._delete())

    def flush(self) -> None:
        """Write the unsaved exploration now, and wait for it."""
        self._timer.stop()
        self._worker.finish()
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
            self._delete()  # if that has failed before
        for lock in (self._lock, *(lock for _, lock in self._taken)):
            lock.unlock()

    @Slot()
    def _write(self) -> None:
        if (latest := self._latest) is not None:
            taken = tuple(self._taken)
            self._worker.request(_OWNER, lambda _: self._store(latest, taken))

    def _store(self, unsaved: _Unsaved, taken: Iterable[_Taken]) -> bool:
        """Write the file, whole or not at all; in the worker, as `_delete`."""
        from pe_explorer.files import session  # only here, as the window opens sooner so

        state, source, extra = unsaved
        if not self._lock.isLocked() or not Path(self._lock.fileName()).exists():
            self._lock.unlock()  # another program has deleted it
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.tryLock(0)  # where that fails, writing the file does, and says why
        origin = {"origin": source.path, "digest": source.digest}
        text = session.dumps(state, {**extra, _SOURCE: origin})
        with replacing(self.path, durable=True) as file:
            file.write(text.encode())
        _remove(taken)
        return True

    def _delete(self) -> None:
        _remove([(self.path, self._lock), *self._taken])

    @Slot(str, object)
    def _receive_success(self, _: str, has_written: bool) -> None:
        if has_written and self._failing:
            self._failing = False
            self.backing_up.emit(True)

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        """Report it once, and try again: the cause may go away."""
        if not self._failing:
            self._failing = True
            problem = getattr(error, "problem", f"{self.path}: {reason(error)}")
            self.backing_up.emit(False)
            self.failed.emit(
                f"The backup of your unsaved changes cannot be written: {problem}. Save the "
                "session to keep them."
            )
        if self._latest is not None:
            self._timer.start()


def find_backups(folder: Path | str) -> list[Backup]:
    """Return the backups of windows that are gone, newest first."""
    remove_leftovers(Path(folder, "exploration.json"))
    paths = Path(folder).glob("exploration-*.json")
    backups = [_read(path) for path in paths if _is_left(path)]
    return sorted(filter(None, backups), key=lambda backup: backup.time, reverse=True)


def take_backup(backup: Backup) -> QLockFile:
    """Return the lock of a backup that is to be opened or deleted, taken before others do so.

    Without room for a lock, others can open it, too: then nothing can be deleted or written here.

    Raises `OutputError` if another window was faster.
    """
    lock = _lock_of(backup.path)
    is_free = lock.tryLock(0) or lock.error() != QLockFile.LockError.LockFailedError
    if not is_free and os.access(backup.path.parent, os.W_OK):
        raise OutputError(backup.path, "another window has recovered it")
    if not backup.path.exists():
        lock.unlock()
        raise OutputError(backup.path, "another window has recovered or discarded it")
    return lock


def delete_backup(backup: Backup) -> None:
    """Delete a backup permanently; raises `OutputError` if another window has it, or it stays."""
    lock = take_backup(backup)
    try:
        backup.path.unlink()
    except OSError as error:
        raise OutputError(backup.path, reason(error)) from None
    finally:
        lock.unlock()


def split_source(found: Session) -> tuple[Session, BackupSource | None]:
    """Return a session without its source, and the source; None if it is not from a backup."""
    if _SOURCE not in found.extra:
        return found, None
    extra = dict(found.extra)
    source = extra.pop(_SOURCE)
    values = source if isinstance(source, dict) else {}
    path, digest = (
        value if isinstance(value, str) and value and "\0" not in value else None
        for value in (values.get("origin"), values.get("digest"))
    )
    return replace(found, extra=MappingProxyType(extra)), BackupSource(path, digest)


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # it is held for long
    return lock


def _is_left(path: Path) -> bool:
    """Return whether nobody holds a backup; the lock of a process that is gone is removed.

    The system refuses that while the process lives. That of another machine is never removed. In
    a folder where nothing can be removed, it is better to offer too many backups than to hide one.
    """
    lock = _lock_of(path)
    if not Path(lock.fileName()).exists() or not os.access(path.parent, os.W_OK):
        return True
    _, host, _ = lock.getLockInfo()
    return host in ("", QSysInfo.machineHostName()) and lock.removeStaleLockFile()


def _read(path: Path) -> Backup | None:
    """Return what a backup holds, or why that cannot be used; None if it is gone."""
    from pe_explorer.files import session

    when, source = 0.0, None
    try:
        when = path.stat().st_mtime
        found, source = split_source(session.read(path))
        if not found.newer:
            return Backup(path, when, found, source or _NO_SOURCE)
        problem = f"{path}: a later version of PE Explorer wrote it; recover it with that version"
    except FileNotFoundError:
        return None
    except ParameterError as error:
        problem = error.problem
    except Exception as error:  # whatever is wrong with one file, the others are found
        logger.exception("%s cannot be read", path)
        problem = f"{path}: cannot be read ({reason(error)})"
    return Backup(path, when, None, source or _NO_SOURCE, problem)


def _remove(backups: Iterable[_Taken]) -> None:
    """Delete files and their locks; keep the lock of a file that cannot be deleted."""
    for path, lock in backups:
        with suppress(OSError):
            path.unlink(missing_ok=True)
            lock.unlock()
