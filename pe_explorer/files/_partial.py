"""Partial files: their names, the lock of whoever writes one, and the end of those left behind.

A partial file is locked as long as its writer lives: one without a lock was left behind by a
writer that was killed. The lock is the system's (`flock`): it ends with the process, and holds
among threads and among the hosts of a shared disk. Where a system or a disk has no locks, no
file is ever taken for a leftover.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


_LONGEST_NAME = 200  # bytes of a file's name in that of its partial file; systems allow 255
_NAME = re.compile(r"\.(.+)\.[0-9a-f]{8}\.part", re.DOTALL)
_OURS = (".npy", ".csv", ".png", ".pdf", ".svg", ".json")
_ATTEMPTS = 100


def hidden(path: Path) -> Path:
    """Return a new hidden name beside a file."""
    name = _shortened(path.name)
    mark = os.urandom(4).hex()
    return path.with_name(f".{name}.{mark}.part")


def _shortened(name: str) -> str:
    encoded = os.fsencode(name)
    if len(encoded) <= _LONGEST_NAME:
        return name
    half = _LONGEST_NAME // 2  # the second half has the ending, which marks our files
    shortened = encoded[:half] + encoded[-half:]
    return shortened.decode("utf-8", "ignore")


def create(target: Path) -> tuple[Path, BinaryIO, int | None]:
    """Create a partial file beside `target`; return its path, the open file and its lock.

    The lock is a descriptor, held until that is closed; it is None where there are no locks.
    """
    for _ in range(_ATTEMPTS):
        partial = hidden(target)
        file = open(partial, "xb")  # noqa: SIM115 - the caller closes it
        try:
            lock = _locked(file.fileno())
        except BlockingIOError:  # another process cleans up, and is removing it
            file.close()
            continue
        if lock is None or _is_at(lock, partial):
            return partial, file, lock
        file.close()
        os.close(lock)
    raise BlockingIOError(f"another program removes every new file in {target.parent}")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of a file, even if it is renamed, until the block ends; if it can be locked."""
    lock = None
    with suppress(OSError), open(path, "r+b") as file:
        lock = _locked(file.fileno())
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _locked(descriptor: int) -> int | None:
    """Lock an open file; return a descriptor that holds the lock, None where there are no locks.

    Raises `BlockingIOError` if another writer has the lock.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:  # a disk without locks
        return None
    return os.dup(descriptor)


def _is_at(descriptor: int, path: Path | str) -> bool:
    """Return whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def remove_leftovers(path: Path) -> None:
    """Remove the partial files beside `path` that no living writer holds."""
    if fcntl is None:
        return
    name = _shortened(path.name)
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            match = _NAME.fullmatch(entry.name)
            target = match[1] if match else ""
            if target != name and not target.endswith(_OURS):
                continue
            with suppress(OSError):  # it is locked, or already gone
                if entry.is_file(follow_symlinks=False):
                    _remove_if_left(entry.path)


def _remove_if_left(path: str) -> None:
    """Remove a partial file; raises `OSError` if a writer holds its lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(descriptor, path):
            Path(path).unlink()
    finally:
        os.close(descriptor)
