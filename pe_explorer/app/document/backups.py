"""Backups that crashed windows have left: found, taken over or deleted."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from pe_explorer import params
from pe_explorer.app.document.autosave import (
    SOURCE,
    Backup,
    BackupFile,
    BackupSource,
    backup_paths,
)
from pe_explorer.files.session import Session, SessionError, read

logger = logging.getLogger(__name__)

# Seconds to wait for a lock: longer than another window holds it that only looks for backups.
_SHORT_WAIT, _WAIT = 0.05, 0.5


def find_backups(folder: Path | str) -> list[Backup]:
    """Return the backups of windows that are gone, newest first; tidy up after those windows.

    Parameters
    ----------
    folder : path
    """
    backups = []
    for path in backup_paths(Path(folder)):
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
    if SOURCE not in session.extra:
        return session, None
    extra = dict(session.extra)
    source = _as_source(extra.pop(SOURCE))
    return replace(session, extra=MappingProxyType(extra)), source


def _as_source(value: object) -> BackupSource:
    """Return what can be used of a source as a file holds it."""
    if not isinstance(value, dict):
        return BackupSource()
    path = value.get("origin")
    digest = value.get("digest")
    if not isinstance(path, str) or not path or "\0" in path:
        path = None
    return BackupSource(path, digest if isinstance(digest, str) else None)


def _read(path: Path) -> Backup | None:
    """Return the content of a locked file; None if there is no file."""
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
