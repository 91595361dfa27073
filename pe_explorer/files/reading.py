"""Files of anybody's making are read to an end, within a limit, and without waiting."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["UnreadableError", "file_size", "read_bytes"]

# Opening a pipe would wait for its other end, and a terminal would become ours; a system that
# has no such flag has no such files.
_FLAGS = ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")


class UnreadableError(Exception):
    """What cannot be read to an end: the text goes on after the name, with a remedy."""


def file_size(path: Path | str) -> int:
    """Return the size in bytes of what can be read to an end; raises as `read_bytes` does."""
    return _size(Path(path).stat())


def read_bytes(path: Path | str, most: int) -> bytes:
    """Return what a file holds, of which the first `most` bytes.

    Raises
    ------
    UnreadableError
        If it is a folder, a device or a pipe.
    OSError, ValueError
        If the system refuses it.
    """
    file_size(path)  # a device may do something as soon as it is opened
    flags = os.O_RDONLY
    for name in _FLAGS:
        flags |= getattr(os, name, 0)
    with open(os.open(path, flags), "rb", buffering=0) as file:
        size = _size(
            os.fstat(file.fileno())
        )  # of what was opened: the path may be another's by now
        if size == 0:  # some of the system's own say so and never end, such as /proc/kmsg
            return b""
        parts = []
        while most > 0 and (part := file.read(min(most, size))):  # None: it would have to wait
            parts.append(part)
            most -= len(part)
    return b"".join(parts)


def _size(found: os.stat_result) -> int:
    if stat.S_ISDIR(found.st_mode):
        raise UnreadableError("is a folder; give the name of a file")
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableError("is a device or a pipe, which may never end; give the name of a file")
    return found.st_size
