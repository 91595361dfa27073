"""Backups: copies of unsaved explorations on the disk, which outlive a crash.

A file `exploration-….json` belongs to the window that holds the lock beside it. One without an
owner is left over: its window ended without saving or discarding the changes.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QLockFile

from pe_explorer import params
from pe_explorer.app.document.locks import take_lock
from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import replacing
from pe_explorer.files.session import Session, SessionError, dumps, read

__all__ = [
    "Backup",
    "BackupFile",
    "BackupSource",
    "FileStamp",
    "delete_backup",
    "find_backups",
    "split_source",
    "take_backup",
]

logger = logging.getLogger(__name__)

FileStamp = tuple[int, int]
"""Time of the last change, in nanoseconds since 1970, and size of a file when it was last seen."""

_KEY = "autosave"
"""Key of the source in the session that is stored."""

_NAMES = re.compile(r"\.?(exploration-[0-9a-f]{16})\.(?:lock|json|json\.[0-9a-f]+\.part)")

# Seconds to wait for a lock: longer than another window holds it that only looks for backups.
_SHORT_WAIT, _WAIT = 0.05, 0.5


class BackupSource(NamedTuple):
    """The file that an exploration came from.

    Attributes
    ----------
    path : str or None
        The file that it was opened from or last saved to, if there is one.
    stamp : FileStamp or None
        That file's stamp when this program last saw it, if known.
    """

    path: str | None = None
    stamp: FileStamp | None = None


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
            self.unlock()  # somebody has cleaned up the folder
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.lock()
        origin = {"origin": source.path, "stamp": source.stamp}
        text = dumps(state, {**extra, _KEY: origin})
        with replacing(self.path, durable=True) as file:
            file.write(text.encode())

    def delete(self) -> None:
        """Delete the file if it is locked here, and unlock it if that goes well."""
        if self._lock:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
                self.unlock()


def find_backups(folder: Path | str) -> list[Backup]:
    """Return the backups of windows that are gone, newest first; tidy up after those windows.

    Parameters
    ----------
    folder : path
    """
    backups = []
    for path in _paths(Path(folder)):
        with suppress(OSError), _locked(path, _SHORT_WAIT):
            for partial in path.parent.glob(f".{path.name}.*.part"):
                partial.unlink(missing_ok=True)
            backup = _read(path)
            if backup:
                backups.append(backup)
    return sorted(backups, key=lambda backup: backup.time, reverse=True)


def take_backup(backup: Backup) -> tuple[Backup, BackupFile]:
    """Return what a backup holds by now, and its file, locked before another window does that.

    For a thread that may wait.

    Raises
    ------
    SessionError
        If another window was faster, or the file cannot be read any more.
    """
    path = backup.path
    with _as_session_error(path), _locked(path, _WAIT) as file:
        found = _read(path)
        if found is None:
            raise SessionError(f"{path}: another window has recovered or discarded it")
        if found.session is None:
            raise SessionError(found.problem)
        return found, file.hand_over()


def delete_backup(backup: Backup) -> None:
    """Delete a backup permanently, in a thread that may wait.

    Raises
    ------
    SessionError
        If another window has it, or it cannot be deleted.
    """
    with _as_session_error(backup.path), _locked(backup.path, _WAIT):
        backup.path.unlink(missing_ok=True)


def split_source(session: Session) -> tuple[Session, BackupSource | None]:
    """Return a session without its source, and the source; None if it is not from a backup."""
    if _KEY not in session.extra:
        return session, None
    extra = dict(session.extra)
    source = _as_source(extra.pop(_KEY))
    return replace(session, extra=MappingProxyType(extra)), source


def _as_source(value: object) -> BackupSource:
    """Return what can be used of a source as a file holds it."""
    if not isinstance(value, dict):
        return BackupSource()
    path = value.get("origin")
    stamp = value.get("stamp")
    if not isinstance(path, str) or not path or "\0" in path:
        path = None
    if not isinstance(stamp, list) or [type(part) for part in stamp] != [int, int]:
        return BackupSource(path)
    return BackupSource(path, (stamp[0], stamp[1]))


def _paths(folder: Path) -> list[Path]:
    """Return the files of all backups of which anything is left, a lock or a partial file."""
    try:
        listed = os.listdir(folder)
    except OSError:
        return []  # nothing was ever stored
    matches = map(_NAMES.fullmatch, listed)
    names = {match[1] for match in matches if match}
    return [folder / f"{name}.json" for name in sorted(names)]


def _read(path: Path) -> Backup | None:
    """Return what a locked file holds; None if there is no file."""
    try:
        time = path.stat().st_mtime
    except OSError:
        return None
    if not path.is_file():
        return Backup(path, time, problem=f"{path}: is not a file; remove it")
    try:
        session, source = split_source(read(path))
    except SessionError as error:
        return Backup(path, time, problem=error.problem)
    except Exception as error:  # whatever is wrong with one file, the others are found
        logger.exception("%s cannot be read", path)
        problem = f"{path}: cannot be read ({params.reason(error)})"
        return Backup(path, time, problem=problem)
    source = source or BackupSource()
    if session.newer:
        problem = f"{path}: a later version of PE Explorer wrote it; recover it with that version"
        return Backup(path, time, None, source, problem)
    return Backup(path, time, session, source)


@contextmanager
def _locked(path: Path, wait: float) -> Iterator[BackupFile]:
    """Hold the lock of a file during the block, unless it is handed over there."""
    file = BackupFile(path)
    file.lock(wait)
    try:
        yield file
    finally:
        file.unlock()


@contextmanager
def _as_session_error(path: Path) -> Iterator[None]:
    """Turn what the system refuses into a `SessionError`."""
    try:
        yield
    except BlockingIOError:
        raise SessionError(f"{path}: another window has recovered it") from None
    except OSError as error:
        raise SessionError(f"{path}: {params.reason(error)}") from None


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")
