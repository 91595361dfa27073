"""Detection of file changes that the program did not intend.

The program writes files from Python, which can be recorded. File dialogs of Qt can move, rename or
delete files in other ways.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

OWN = ("pe-explorer", "QtProject.conf", "dconf")
"""Files in the folder of settings, log and backups that may change, including those of Qt."""
WRITTEN = "written.txt"
"""The file of a part that lists written files, because a user may choose any folder."""
_WRITING = os.O_WRONLY | os.O_RDWR


def tree(*folders, apart_from=()):
    """Return mode, inode, size and time of change of every file in some folders, by path.

    Folders have only their mode, because their contents are listed. Paths that begin with one of
    `apart_from` and compiled Python files are excluded.
    """
    ignored = tuple(map(os.fspath, apart_from))
    waiting = list(map(os.fspath, folders))
    found = {}
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:  # the file was removed meanwhile, or is not readable
            continue
        for entry in entries:
            if entry.path.startswith(ignored) or entry.name == "__pycache__":
                continue
            with suppress(FileNotFoundError):
                about = entry.stat(follow_symlinks=False)
                found[entry.path] = (about.st_mode, about.st_ino, about.st_size, about.st_mtime_ns)
                if entry.is_dir(follow_symlinks=False):
                    found[entry.path] = (about.st_mode,)
                    waiting.append(entry.path)
    return found


def unasked(before, after, written=()):
    """Return descriptions of the differences that the program did not write.

    An existing file must not be removed, even if the program wrote it earlier.
    """
    gone = [f"{path} is gone" for path in before.keys() - after.keys()]
    differing = {path for path in after if before.get(path) != after[path]} - set(written)
    changed = [f"{path} {'has changed' if path in before else 'is new'}" for path in differing]
    return sorted(gone + changed)


def record(path):
    """Record the names of all files and folders that Python writes or creates, in a file."""
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def hook(event, arguments):
        name = None
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            name = arguments[0]
        elif event in ("os.rename", "os.mkdir"):
            name = arguments[event == "os.rename"]
        if isinstance(name, str | bytes | os.PathLike):
            line = json.dumps(os.path.realpath(os.fsdecode(name)))
            os.write(out, f"{line}\n".encode())

    sys.addaudithook(hook)


def recorded(path):
    return set(map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()))
