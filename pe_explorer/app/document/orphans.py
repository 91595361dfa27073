"""Explorations that were left unsaved by windows that are gone: found, taken, discarded.

A file `exploration-….json` belongs to the window that holds the lock beside it; without an
owner it is an orphan.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QLockFile

from pe_explorer import params
from pe_explorer.app.document.locks import take
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import Session, SessionError, read
from pe_explorer.params import Declared

__all__ = [
    "KEY",
    "Kept",
    "Orphan",
    "Stamp",
    "Taken",
    "detached",
    "discard",
    "lock_path",
    "orphans",
    "reason",
    "taken",
]

logger = logging.getLogger(__name__)

Stamp = tuple[int, int]
"""Time of the last change, in nanoseconds since 1970, and size of a file as it was last seen."""

KEY = "autosave"
"""Key of what is stored beside the exploration itself."""

_FILES = re.compile(r"\.?(exploration-[0-9a-f]{16})\.(?:lock|json|json\.[0-9a-f]+\.part)")
_GLANCE, _PATIENCE = (
    0.05,
    0.5,
)  # seconds: longer than another window that looks for orphans holds a lock


@dataclass(frozen=True)
class Orphan:
    """A stored exploration whose window is gone.

    Attributes
    ----------
    path : Path
    time : float
        When it was stored, in seconds since 1970.
    session : Session or None
        What it holds, without what autosave added; None if it cannot be recovered.
    origin : str or None
        The file that the exploration was opened from or last saved to.
    stamp : Stamp or None
        How that file was when it was last seen here, as far as that is known.
    problem : str
        Why it cannot be recovered, without a full stop; empty if it can.
    """

    path: Path
    time: float
    session: Session | None = None
    origin: str | None = None
    stamp: Stamp | None = None
    problem: str = ""


@dataclass(frozen=True)
class Kept:
    """What autosave added to an exploration: the file that it came from, and how that was.

    None if unknown.
    """

    origin: str | None = None
    stamp: Stamp | None = None


class Taken:
    """An orphan that no other window can have any more, until it is released, adopted or dropped.

    Attributes
    ----------
    orphan : Orphan
        What it holds by now.
    """

    def __init__(self, orphan: Orphan, lock: QLockFile) -> None:
        self.orphan = orphan
        self._lock: QLockFile | None = lock

    def release(self) -> None:
        """Let others have it, unless it was adopted."""
        if lock := self.hand_over():
            lock.unlock()

    def hand_over(self) -> QLockFile | None:
        """Return its lock, for whom it belongs to from now on; None if that was done before."""
        lock, self._lock = self._lock, None
        return lock


def orphans(folder: Path | str, options: Mapping[str, Declared]) -> list[Orphan]:
    """Return what windows that are gone left in a folder, newest first; tidy up after them.

    Parameters
    ----------
    folder : path
    options : mapping of str to Declared
        The options that each view starts with, by its name.
    """
    found = []
    for name in _names(Path(folder)):
        path = Path(folder, f"{name}.json")
        with suppress(OSError), _glanced(path):
            for partial in path.parent.glob(f".{path.name}.*.part"):
                partial.unlink(missing_ok=True)
            if orphan := _found(path, options):
                found.append(orphan)
    return sorted(found, key=lambda orphan: orphan.time, reverse=True)


def taken(orphan: Orphan, options: Mapping[str, Declared]) -> Taken:
    """Take an orphan before another window does, and read what it holds by now.

    For a thread that may wait.

    Raises
    ------
    SessionError
        If another window was faster, or it cannot be read any more.
    """
    with _locked(orphan.path) as lock:
        found = _found(orphan.path, options)
        if found is None or found.session is None:
            raise SessionError(
                found.problem
                if found
                else f"{orphan.path}: another window has recovered or discarded it"
            )
        return Taken(found, lock)


def discard(orphan: Orphan) -> None:
    """Remove an orphan for ever, in a thread that may wait.

    Raises `SessionError` if another window has it or it cannot be removed.
    """
    with _locked(orphan.path) as lock:
        try:
            orphan.path.unlink(missing_ok=True)
        except OSError as error:
            raise SessionError(reason(error, orphan.path)) from None
        finally:
            lock.unlock()


def detached(session: Session) -> tuple[Session, Kept | None]:
    """Return a session without what autosave added to it, and that.

    None if autosave did not write it.
    """
    if KEY not in session.extra:
        return session, None
    extra = dict(session.extra)
    added = extra.pop(KEY)
    kept = (
        Kept(_as_origin(added.get("origin")), _as_stamp(added.get("stamp")))
        if isinstance(added, dict)
        else Kept()
    )
    return replace(session, extra=MappingProxyType(extra)), kept


def _as_origin(value: object) -> str | None:
    return value if isinstance(value, str) and value and "\0" not in value else None


def _as_stamp(value: object) -> Stamp | None:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(type(part) is int for part in value)
    ):
        return None
    return value[0], value[1]


def _names(folder: Path) -> list[str]:
    try:
        listed = os.listdir(folder)
    except OSError:
        return []  # nothing was ever stored
    return sorted({match[1] for name in listed if (match := _FILES.fullmatch(name))})


def _found(path: Path, options: Mapping[str, Declared]) -> Orphan | None:
    """Return what is stored in a file that we have locked, None if there is none."""
    try:
        time = path.stat().st_mtime
    except OSError:
        return None
    if not path.is_file():
        return Orphan(path, time, problem=f"{path}: is not a file; remove it")
    try:
        session, kept = detached(read(path, options))
    except SessionError as error:
        return Orphan(path, time, problem=error.problem)
    except Exception as error:  # whatever is wrong with one file, the others are found
        logger.exception("%s cannot be read", path)
        return Orphan(path, time, problem=f"{path}: cannot be read ({params.reason(error)})")
    known = kept or Kept()
    if session.newer:
        return Orphan(
            path,
            time,
            None,
            known.origin,
            known.stamp,
            f"{path}: a later version of PE Explorer stored it; recover it there",
        )
    return Orphan(path, time, session, known.origin, known.stamp)


@contextmanager
def _glanced(path: Path) -> Iterator[None]:
    lock = take(lock_path(path), _GLANCE)
    try:
        yield
    finally:
        lock.unlock()


@contextmanager
def _locked(path: Path) -> Iterator[QLockFile]:
    """Take an orphan's lock, and let go of it only if the block raises."""
    try:
        lock = take(lock_path(path), _PATIENCE)
    except BlockingIOError:
        raise SessionError(f"{path}: another window has recovered it") from None
    except OSError as error:
        raise SessionError(reason(error, path)) from None
    try:
        yield lock
    except BaseException:
        lock.unlock()
        raise


def lock_path(path: Path) -> Path:
    """Return the lock of a file."""
    return path.with_suffix(".lock")


def reason(error: Exception, path: Path) -> str:
    """Return why something failed, without a full stop."""
    if isinstance(error, OutputError):
        return error.problem
    return f"{path}: {params.reason(error)}"
