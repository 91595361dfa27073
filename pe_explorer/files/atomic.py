"""Files that appear whole or not at all; a partial one is locked while its writer lives."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pe_explorer.params import ParameterError, is_valid_path, reason

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class OutputError(ParameterError):
    """A file that cannot be written, with the reason and a remedy."""

    def __init__(self, path: Path | str, problem: str) -> None:
        super().__init__("output", f"{os.fspath(path) or repr('')}: {problem}")
        self.path, self.reason = path, problem


@contextmanager
def replacing(path: Path | str, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside `path`, which replaces it when the block ends without an error.

    Otherwise `path` stays as it was. A link is followed, the mode of an old file is kept. Only a
    `durable` file is forced to the disk, which makes large exports slow. Raises `OutputError`.
    """
    target = target_of(path)
    remove_leftovers(target)
    try:
        partial, file = _created(target)
    except OSError as error:
        cause = f"{target.parent} takes no new file ({reason(error)})"
        raise OutputError(path, f"{cause}; choose another folder") from None
    try:
        with file:  # which is locked until it is in place
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows renames no open file
            if target.exists():
                shutil.copymode(target, partial)
            partial.replace(target)
    except OSError as error:
        raise OutputError(path, f"{reason(error)}; nothing was changed") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _created(target: Path) -> tuple[Path, BinaryIO]:
    """Create a partial file beside `target`, and lock it where there are locks."""
    long = os.fsencode(target.name)
    name = (long[:100] + long[100:][-100:]).decode(errors="ignore")  # systems allow 255 bytes
    while True:
        partial = target.with_name(f".{name}.{os.urandom(4).hex()}.part")
        file = open(partial, "xb")  # noqa: SIM115 - the caller closes it
        with suppress(OSError, AttributeError):
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        if partial.exists():  # else another writer took it for a leftover before it was locked
            return partial, file
        file.close()


def remove_leftovers(path: Path) -> None:
    """Remove partial files beside `path` that no living writer has locked; none without `flock`."""
    for entry in path.parent.glob(".*." + 8 * "[0-9a-f]" + ".part") if fcntl else ():
        name = entry.name[1:-14]  # of the file that was to be written
        is_ours = name == path.name or name.endswith(
            (".npy", ".csv", ".png", ".pdf", ".svg", ".json")
        )
        if is_ours and entry.is_file() and not entry.is_symlink():
            with suppress(OSError), open(entry, "r+b") as file:  # it is locked, or gone
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                entry.unlink()


def target_of(path: Path | str) -> Path:
    """Return the file that `path` leads to; raises `OutputError` if it cannot be written."""
    name = os.fspath(path)
    if not is_valid_path(name):
        raise OutputError(path, "contains a character that file names cannot; choose another name")
    target = Path(os.path.realpath(name))
    try:
        kind = stat.S_IFMT(target.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        kind = 0
    except OSError as error:  # such as a name that is too long
        raise OutputError(path, f"{reason(error)}; choose another name") from None
    folder, is_folder = target.parent, kind == stat.S_IFDIR or name.endswith(("/", os.sep))
    for holds, problem in (
        (kind == stat.S_IFLNK, "is a link to itself; remove it or choose another name"),
        (is_folder, "is a folder; give the name of a file"),
        (kind not in (0, stat.S_IFREG), "is a device, not a file; give the name of a file"),
        (kind and not os.access(target, os.W_OK), "is read-only; choose another name"),
        (not folder.is_dir(), f"there is no folder {folder}; make it first or choose another"),
    ):
        if holds:
            raise OutputError(path, problem)
    return target
