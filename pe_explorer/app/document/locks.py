"""Locks between processes: one file, one owner, free again when the owner is gone."""

from __future__ import annotations

import errno
from pathlib import Path

from PySide6.QtCore import QLockFile, QSysInfo

__all__ = ["take_lock"]

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
        raise PermissionError(errno.EACCES, "no file can be created in its folder", str(path))
    raise OSError(errno.EIO, "the lock beside it cannot be written", str(path))
