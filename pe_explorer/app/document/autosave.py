"""Autosave: keeps a copy of the unsaved exploration of one window, for when that crashes.

A file `exploration-….json` belongs to the window that holds the lock beside it. One without an
owner is left over: its window ended without saving or discarding the changes.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLockFile, QObject, QSysInfo, QTimer, Signal, Slot

from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason

if TYPE_CHECKING:
    from pe_explorer.files.session import Session

SOURCE = "autosave"
"""Key of the source in the session that is stored."""

_NAMES = re.compile(r"\.?(exploration-[0-9a-f]{16})\.(?:lock|json|json\.[0-9a-f]+\.part)")
_WRITING, _DELETING = "autosave", "deleting the backup"
_LOCK_GRACE_TIME = 10_000  # milliseconds in which a new lock may be incomplete


def take_lock(path: Path, wait: float = 0.0) -> QLockFile:
    """Return a lock file, held until it is unlocked or the process ends in any way.

    A lock of a process that is gone is taken over. Its number alone does not show that: the
    number may be in use again (in a sandbox every start has the same one), and a power failure
    leaves locks without a number. A stale time makes Qt try to take over an older lock, which
    the system refuses while its owner runs. A lock of another machine, in a shared folder, is
    never taken over.

    Parameters
    ----------
    path : Path
    wait : float
        Seconds to wait for another process.

    Raises
    ------
    BlockingIOError
        If another process, or another part of this one, holds it.
    OSError
        If it cannot be made.
    """
    lock = QLockFile(str(path))
    owner = lock.getLockInfo()[1]
    is_local = owner in ("", QSysInfo.machineHostName())
    lock.setStaleLockTime(_LOCK_GRACE_TIME if is_local else 0)
    if lock.tryLock(round(1000 * wait)):
        return lock
    if lock.error() == QLockFile.LockError.LockFailedError:
        raise BlockingIOError(errno.EAGAIN, "another window holds the lock beside it", str(path))
    if lock.error() == QLockFile.LockError.PermissionError:
        raise PermissionError(errno.EACCES, "no file can be created in its folder", str(path))
    raise OSError(errno.EIO, "the lock beside it cannot be written", str(path))


class BackupSource(NamedTuple):
    """The file that an exploration came from.

    Attributes
    ----------
    path : str or None
        The file that it was opened from or last saved to, if there is one.
    digest : str or None
        A digest of what that file held when this program last saw it, if known.
    """

    path: str | None = None
    digest: str | None = None


class Backup(NamedTuple):
    """A stored exploration whose window is gone.

    Attributes
    ----------
    path : Path
    time : float
        When it was stored, in seconds since 1970.
    session : Session or None
        The exploration; None if it cannot be recovered.
    source : BackupSource
    problem : str
        Why it cannot be recovered, without a full stop; empty if it can.
    """

    path: Path
    time: float
    session: Session | None = None
    source: BackupSource = BackupSource()
    problem: str = ""


class BackupFile:
    """The file of a backup, which belongs to whoever holds its lock; for one thread at a time."""

    def __init__(self, path: Path, lock: QLockFile | None = None) -> None:
        self.path = path
        self._lock = lock

    def lock(self, wait: float = 0.0) -> None:
        """Take the lock within `wait` seconds; raises `OSError` as `take_lock` does."""
        self._lock = take_lock(_lock_path(self.path), wait)

    def unlock(self) -> None:
        """Let others have the file, if it is locked here."""
        if self._lock:
            self._lock.unlock()
            self._lock = None

    def hand_over(self) -> BackupFile:
        """Return the file for its new owner, with the lock that was held here.

        Raises
        ------
        ValueError
            If the lock is not held here.
        """
        if self._lock is None:
            raise ValueError(f"{self.path} is not locked any more")
        lock, self._lock = self._lock, None
        return BackupFile(self.path, lock)

    def write(self, state: Exploration, source: BackupSource, extra: Mapping[str, Any]) -> None:
        """Write the file, whole or not at all, and force it to the disk; lock it first."""
        if self._lock is None or not _lock_path(self.path).exists():
            self.unlock()  # another program has deleted the file
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.lock()
        from pe_explorer.files.session import dumps  # only here, as the window opens sooner so

        origin = {"origin": source.path, "digest": source.digest}
        text = dumps(state, {**extra, SOURCE: origin})
        with replacing(self.path, durable=True) as file:
            file.write(text.encode())

    def delete(self) -> None:
        """Delete the file if it is locked here, and unlock it if that goes well."""
        if self._lock:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
                self.unlock()


def backup_paths(folder: Path) -> list[Path]:
    """Return the files of all backups of which anything is left, a lock or a partial file."""
    try:
        listed = os.listdir(folder)
    except OSError:
        return []  # nothing was ever stored
    matches = map(_NAMES.fullmatch, listed)
    names = {match[1] for match in matches if match}
    return [folder / f"{name}.json" for name in sorted(names)]


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")


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
