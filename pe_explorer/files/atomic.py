"""Files that appear whole or not at all.

What is written goes to a partial file first, which is locked as long as its writer lives: one
without a lock was left behind by a writer that was killed. The lock is the system's (`flock`): it
ends with the process, and holds among threads and among the hosts of a shared disk. Where a system
or a disk has no locks, no file is ever taken for a leftover.
"""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pe_explorer.params import ParameterError, can_be_a_name, reason

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")
_LONGEST_NAME = 200  # bytes of a file's name in that of its partial file; systems allow 255
_NAME = re.compile(r"\.(.+)\.[0-9a-f]{8}\.part", re.DOTALL)
_OURS = (".npy", ".csv", ".png", ".pdf", ".svg", ".json")
_ATTEMPTS = 100


class OutputError(ParameterError):
    """A file that cannot be written, with the reason and a remedy."""

    def __init__(self, path: Path | str, problem: str) -> None:
        name = os.fspath(path) or repr("")
        super().__init__("output", f"{name}: {problem}")
        self.path = path
        self.reason = problem

    def __reduce__(self) -> tuple[type[OutputError], tuple[Path | str, str]]:
        return type(self), (self.path, self.reason)


@contextmanager
def replacing(path: Path | str, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside `path`, which replaces it when the block ends without an error.

    If the block raises or the process is killed, `path` stays as it was; files that killed
    writers left beside it are removed. A link is followed, the mode of an old file is kept. Only
    a `durable` file is forced to the disk first, which would make large exports slow.

    Raises
    ------
    OutputError
        If the file cannot be made, written or put in place.
    """
    target = _target(path)
    remove_leftovers(target)
    try:
        partial, file, lock = _created(target)
    except OSError as error:
        # Of a folder that is there, such as /proc, "no such file" is no help.
        why = "" if isinstance(error, FileNotFoundError) else f" ({reason(error)})"
        problem = f"the folder {target.parent} takes no new file{why}"
        raise OutputError(path, f"{problem}; choose another folder") from None
    try:
        with file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError):
            raise OutputError(path, f"{reason(error)}; nothing was changed") from error
        raise
    finally:
        if lock is not None:  # held until the file is in place
            os.close(lock)


def require_space(path: Path | str, size: int) -> None:
    """Raise `OutputError` at once if `size` bytes cannot fit beside `path`."""
    target = _target(path)
    folder = target.parent
    try:
        disk = shutil.disk_usage(folder)
        if size > disk.free:  # leftovers of a killed export may take up the space
            remove_leftovers(target)
            disk = shutil.disk_usage(folder)
    except OSError:
        return  # the attempt to write will report it
    if size > disk.free and disk.total:  # without any space it is no disk, such as /proc
        problem = f"needs {_bytes(size)}, but {folder} has {_bytes(disk.free)} free"
        remedy = "choose fewer positions, a shorter dtype or another disk"
        raise OutputError(path, f"{problem}; {remedy}")


def _target(path: Path | str) -> Path:
    """Return the file that `path` leads to; raises `OutputError` if it cannot be written."""
    if not can_be_a_name(os.fspath(path)):
        raise OutputError(path, "contains a character that file names cannot; choose another name")
    try:
        target = Path(os.path.realpath(path))
        with suppress(FileNotFoundError, NotADirectoryError):
            target.lstat()  # raises for names that are too long
        problem = _obstacle(target, os.fspath(path).endswith(("/", os.sep)))
    except (OSError, ValueError) as error:
        problem = f"{reason(error)}; choose another name"
    if problem:
        raise OutputError(path, problem)
    return target


def _obstacle(target: Path, names_folder: bool) -> str:
    """Return why no file can be written there, and the remedy; an empty text if one can be."""
    if target.is_symlink():  # only a circle of links is left unresolved
        return "is a link that leads back to itself; remove it or choose another name"
    if names_folder or target.is_dir():
        return "is a folder; give the name of a file"
    if target.exists() and not target.is_file():
        return "is a device, not a file; give the name of a file"
    if target.exists() and not os.access(target, os.W_OK):
        return "is read-only; choose another name or make it writable"
    if target.parent.is_file():
        return f"{target.parent} is a file, not a folder; choose another folder"
    if not target.parent.is_dir():
        return f"there is no folder {target.parent}; make it first or choose another"
    return ""


def _bytes(size: float) -> str:
    """Return a size in words, with a decimal unit."""
    zeros = int(math.log10(max(size, 1)))
    power = min(zeros // 3, len(_UNITS) - 1)
    number = size / 1000**power
    return f"{number:.3g} {_UNITS[power]}"


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


def _created(target: Path) -> tuple[Path, BinaryIO, int | None]:
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
