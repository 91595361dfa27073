"""The file that keeps a copy of an unsaved exploration, for when its window crashes.

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
from typing import Any, NamedTuple

from PySide6.QtCore import QLockFile, QSysInfo

from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import replacing

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


SOURCE = "autosave"
"""Key of the source in the session that is stored."""

_NAMES = re.compile(r"\.?(exploration-[0-9a-f]{16})\.(?:lock|json|json\.[0-9a-f]+\.part)")


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
