"""Files that appear whole or not at all."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pe_explorer.files._partial import create, remove_leftovers
from pe_explorer.params import ParameterError, can_be_a_name, reason

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")


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
    partial, file, lock = _created(target, path)
    try:
        try:
            with file:
                yield file
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, partial)
            partial.replace(target)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise
        finally:
            if lock is not None:  # held until the file is in place
                os.close(lock)
    except OSError as error:
        raise OutputError(path, f"{reason(error)}; nothing was changed") from error


def _created(target: Path, path: Path | str) -> tuple[Path, BinaryIO, int | None]:
    """Return what `create` does; raises `OutputError` where the folder takes no new file."""
    try:
        return create(target)
    except FileNotFoundError:  # of a folder that is there, such as /proc: the reason is no help
        problem = f"the folder {target.parent} takes no new file"
    except OSError as error:
        problem = f"the folder {target.parent} takes no new file ({reason(error)})"
    raise OutputError(path, f"{problem}; choose another folder")


def require_space(path: Path | str, size: int) -> None:
    """Raise `OutputError` at once if `size` bytes cannot fit beside `path`."""
    target = _target(path)
    folder = target.parent
    try:
        free = shutil.disk_usage(folder).free
        if size > free:  # leftovers of a killed export may take up the space
            remove_leftovers(target)
            free = shutil.disk_usage(folder).free
        if size > free and shutil.disk_usage(folder).total == 0:
            return  # it is no disk, such as /proc
    except OSError:
        return  # the attempt to write will report it
    if size > free:
        room = f"{folder} has {_bytes(free)} free"
        problem = f"needs {_bytes(size)}, but {room}"
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
        if target.is_symlink():  # only a circle of links is left unresolved
            problem = "is a link that leads back to itself"
            raise OutputError(path, f"{problem}; remove it or choose another name")
        names_folder = os.fspath(path).endswith(("/", os.sep))
        if names_folder or target.is_dir():
            raise OutputError(path, "is a folder; give the name of a file")
        if target.exists() and not target.is_file():
            raise OutputError(path, "is a device, not a file; give the name of a file")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(path, "is read-only; choose another name or make it writable")
        if target.parent.is_file():
            problem = f"{target.parent} is a file, not a folder"
            raise OutputError(path, f"{problem}; choose another folder")
        if not target.parent.is_dir():
            problem = f"there is no folder {target.parent}"
            raise OutputError(path, f"{problem}; make it first or choose another")
    except OutputError:
        raise
    except (OSError, ValueError) as error:
        raise OutputError(path, f"{reason(error)}; choose another name") from None
    return target


def _bytes(size: float) -> str:
    """Return a size in words, with a decimal unit."""
    zeros = int(math.log10(max(size, 1)))
    power = min(zeros // 3, len(_UNITS) - 1)
    number = size / 1000**power
    return f"{number:.3g} {_UNITS[power]}"
