"""Reading of untrusted files, with a size limit and without blocking."""

import os
import stat
from pathlib import Path

# Opening a pipe would block, and a terminal could become the controlling terminal of this process.
# Systems without one of these flags have no such files.
OPEN_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    OPEN_FLAGS |= getattr(os, _name, 0)


class UnreadableError(OSError):
    """A folder, or a file that may never end; the message follows the name of the file."""


def file_size(path: Path | str) -> int:
    """Return the size of a file in bytes; raises as `read_bytes` does."""
    return _size(Path(path).stat())


def read_bytes(path: Path | str, max_bytes: int) -> bytes:
    """Return the first bytes of a file, at most `max_bytes`.

    Raises
    ------
    UnreadableError
        If it is a folder, a device or a pipe.
    OSError, ValueError
        If the system cannot read it.
    """
    file_size(path)  # raises for a device without opening it, which could have side effects
    with open(os.open(path, OPEN_FLAGS), "rb", buffering=0) as file:
        size = _size(os.fstat(file.fileno()))  # the path may refer to another file by now
        if size == 0:  # some system files report 0 and never end, such as /proc/kmsg
            return b""
        parts = []
        while part := file.read(min(max_bytes, size)):  # None if reading would block
            parts.append(part)
            max_bytes -= len(part)
        return b"".join(parts)


def _size(status: os.stat_result) -> int:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("is a device or a pipe, which may never end")
    return status.st_size
