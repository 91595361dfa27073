"""Reads an untrusted file: within a limit, and without waiting."""

import os
import stat
from pathlib import Path

# Opening a pipe would wait for its other end, and a terminal would become ours; a system that
# has no such flag has no such files.
OPEN_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    OPEN_FLAGS |= getattr(os, _name, 0)


class UnreadableError(OSError):
    """A file without an end, or a folder; the message goes on after the name."""


def file_size(path: Path | str) -> int:
    """Return the size of a file in bytes; raises as `read_bytes` does."""
    return _size(Path(path).stat())


def read_bytes(path: Path | str, most: int) -> bytes:
    """Return what a file holds, at most its first `most` bytes.

    Raises
    ------
    UnreadableError
        If it is a folder, a device or a pipe.
    OSError, ValueError
        If the system refuses to read it.
    """
    file_size(path)  # a device may do something as soon as it is opened
    with open(os.open(path, OPEN_FLAGS), "rb", buffering=0) as file:
        size = _size(os.fstat(file.fileno()))  # the path may name another file by now
        if size == 0:  # some of the system's own say so and never end, such as /proc/kmsg
            return b""
        parts = []
        while part := file.read(min(most, size)):  # None: it would have to wait
            parts.append(part)
            most -= len(part)
        return b"".join(parts)


def _size(status: os.stat_result) -> int:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("is a device or a pipe, which may never end")
    return status.st_size
