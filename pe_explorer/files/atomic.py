"""Atomic replacement of files, with locks on partial files while they are written."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from pe_explorer.params import FILE_NAME_FAULT, ParameterError, is_valid_path, reason

try:
    import fcntl
except ImportError:  # the module does not exist on Windows
    fcntl = None  # type: ignore[assignment]


class OutputError(ParameterError):
    """An error for a file that cannot be written, with the reason and a remedy."""

    def __init__(self, path: Path | str, problem: str, remedy: str = "") -> None:
        super().__init__("output", f"{os.fspath(path) or repr('')}: {problem}", remedy)
        self.path, self.reason = path, problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.reason, self.remedy)


@contextmanager
def replace_file(path: Path | str, *, is_durable: bool = False) -> Iterator[BinaryIO]:
    """Open a new file that replaces `path` when the block ends without an error.

    After an error, the old file is unchanged. If `path` is a link, the target of the link is
    replaced. The new file gets the permissions of the old file. The file is flushed to the
    disk only if `is_durable` is True, because flushing a large file is slow. Raise
    `OutputError` if the file cannot be written.
    """
    target = resolve_target(path)
    remove_partial_files(target)
    try:
        partial_path, file = _create_partial_file(target)
    except OSError as error:
        cause = f"no file can be created in {target.parent} ({reason(error)})"
        raise OutputError(path, cause, "choose another folder") from None
    try:
        # Keep the file open, because closing it would release the lock.
        with file:
            yield file
            file.flush()
            if is_durable:
                os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows cannot rename open files
            if target.exists():
                shutil.copymode(target, partial_path)
            partial_path.replace(target)
    except OSError as error:
        raise OutputError(path, reason(error), "nothing was changed") from error
    finally:
        with suppress(OSError):
            partial_path.unlink()


def _create_partial_file(target: Path) -> tuple[Path, BinaryIO]:
    encoded_name = os.fsencode(target.name)
    # File systems limit names to 255 bytes.
    name = (encoded_name[:100] + encoded_name[100:][-100:]).decode(errors="ignore")
    while True:
        partial_path = target.with_name(f".{name}.{os.urandom(4).hex()}.part")
        file = open(partial_path, "xb")  # noqa: SIM115 - the caller closes it
        with suppress(OSError, AttributeError):
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        # Another process may have removed the partial file before the lock was acquired.
        if partial_path.exists():
            return partial_path, file
        file.close()


def remove_partial_files(path: Path) -> None:
    """Remove partial files beside `path` that no process has locked, if `flock` is available."""
    for entry in path.parent.glob(".*." + 8 * "[0-9a-f]" + ".part") if fcntl else ():
        name = entry.name[1:-14]  # name of the complete file
        suffixes = (".npy", ".csv", ".png", ".pdf", ".svg", ".json")
        is_own_file = name == path.name or name.endswith(suffixes)
        if is_own_file and entry.is_file() and not entry.is_symlink():
            # Another process may have locked or removed the file.
            with suppress(OSError), open(entry, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                entry.unlink()


def resolve_target(path: Path | str) -> Path:
    """Return a path with links resolved; raise `OutputError` if the file is not writable."""
    name = os.fspath(path)
    if not is_valid_path(name):
        raise OutputError(path, FILE_NAME_FAULT, "choose another name")
    target = Path(os.path.realpath(name))
    try:
        kind = stat.S_IFMT(target.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        kind = 0
    except OSError as error:  # for example, the name is too long
        raise OutputError(path, reason(error), "choose another name") from None
    folder, is_folder = target.parent, kind == stat.S_IFDIR or name.endswith(("/", os.sep))
    folder_problem = f"there is no folder {folder}"
    for has_problem, problem, remedy in (
        (kind == stat.S_IFLNK, "is a link to itself", "remove it or choose another name"),
        (is_folder, "is a folder", "give the name of a file"),
        (kind not in (0, stat.S_IFREG), "is a device, not a file", "give the name of a file"),
        (kind and not os.access(target, os.W_OK), "is read-only", "choose another name"),
        (not folder.is_dir(), folder_problem, "create it or choose another folder"),
    ):
        if has_problem:
            raise OutputError(path, problem, remedy)
    return target
