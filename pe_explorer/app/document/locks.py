"""Locks between processes: one file, one owner, free again when the owner is gone."""

from __future__ import annotations

import errno
import time
from pathlib import Path

from PySide6.QtCore import QLockFile, QSysInfo

__all__ = ["take", "take_lock"]

_STEP = 10  # milliseconds between two attempts; Qt's own waiting starts at 100 and doubles
_NEWBORN = 10_000  # milliseconds during which a lock may not be fully written


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
    lock.setStaleLockTime(_NEWBORN if is_local else 0)
    if lock.tryLock(round(1000 * wait)):
        return lock
    if lock.error() == QLockFile.LockError.LockFailedError:
        raise BlockingIOError(errno.EAGAIN, "another window holds the lock beside it", str(path))
    if lock.error() == QLockFile.LockError.PermissionError:
        raise PermissionError(errno.EACCES, "no file can be made in its folder", str(path))
    raise OSError(errno.EIO, "the lock beside it cannot be written", str(path))


def take(path: Path, patience: float = 0.0, *, brief: bool = False) -> QLockFile:
    """Return the lock file `path`, held until it is unlocked or the process ends in any way.

    A lock whose process is gone is taken over. The process's number alone does not tell
    that: it may be in use again (in a sandbox every start has the same one), and a machine
    that lost its power leaves locks without a number. So for a lock of this machine that is
    older than a few seconds Qt asks the system who holds the file: to it a stale time means
    "try to take it over", which fails as long as the owner runs. What another machine locked
    in a shared folder is never taken over, unless locks of this kind are brief.

    Parameters
    ----------
    path : Path
    patience : float
        Seconds to wait for another process.
    brief : bool
        Whether nobody holds it for longer than a moment: an old one was left behind.

    Raises
    ------
    BlockingIOError
        If another process, or another part of this one, holds it.
    OSError
        If it cannot be made.
    """
    lock = QLockFile(str(path))
    deadline = time.monotonic() + patience
    while not _tried(lock, _STEP if patience else 0, brief):
        if lock.error() == QLockFile.LockError.PermissionError:
            raise PermissionError(errno.EACCES, "no file can be made in its folder", str(path))
        if lock.error() != QLockFile.LockError.LockFailedError:
            raise OSError(errno.EIO, "the lock beside it cannot be written", str(path))
        if time.monotonic() >= deadline:
            raise BlockingIOError(
                errno.EAGAIN, "another window holds the lock beside it", str(path)
            )
    return lock


def _tried(lock: QLockFile, wait: int, brief: bool) -> bool:
    owner = lock.getLockInfo()[1]
    lock.setStaleLockTime(_NEWBORN if brief or owner in ("", QSysInfo.machineHostName()) else 0)
    return lock.tryLock(wait)
