"""What changes on the disk that nobody asked for.

The program writes its files from Python, which can be recorded. What moves, renames or deletes a
file in another way is a widget of Qt that shows files.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

OWN = ("pe-explorer", "QtProject.conf", "dconf")
"""In the folder of settings, log and backups: those, and what Qt remembers of its dialogs."""
WRITTEN = "written.txt"
"""The file of a part that lists what the program wrote, because a user may choose any folder."""
_WRITING = os.O_WRONLY | os.O_RDWR


def tree(*folders, apart_from=()):
    """Return mode, inode, size and time of change of every file below some folders, by its path.

    Folders have their mode only, because what is in them is listed. Paths that begin with one of
    `apart_from` are left out, and so is compiled Python.
    """
    ignored = tuple(map(os.fspath, apart_from))
    waiting = list(map(os.fspath, folders))
    found = {}
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:  # it was removed meanwhile, or must not be read
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
    """Return in words what differs and was not written by the program itself.

    A file that was there before may not be gone, even if the program once wrote it.
    """
    gone = [f"{path} is gone" for path in before.keys() - after.keys()]
    differing = {path for path in after if before.get(path) != after[path]} - set(written)
    changed = [f"{path} {'has changed' if path in before else 'is new'}" for path in differing]
    return sorted(gone + changed)


def record(path):
    """From now on, write the name of every file or folder that Python writes or makes to a file."""
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
