"""Functions that read untrusted files without blocking, up to a size limit."""

import os
import stat
from pathlib import Path

# Without the flags added below, opening a pipe could block, an opened terminal could become the
# controlling terminal of the process, and Windows would convert line endings. Systems without a
# flag do not need it.
OPEN_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    OPEN_FLAGS |= getattr(os, _name, 0)


class UnreadableError(OSError):
    """An error for folders, devices and pipes; the message follows a name: ``is a folder``."""


def read_file_size(path: Path | str) -> int:
    """Return the size of a file in bytes; raise the same exceptions as `read_bytes`."""
    return _check_size(Path(path).stat())


def read_bytes(path: Path | str, max_bytes: int) -> bytes:
    """Return the first bytes of a file, at most `max_bytes`.

    Raise `UnreadableError` if the path is a folder, a device or a pipe, and `OSError` or
    `ValueError` if the system cannot read the file.
    """
    # Refuse a device before opening it, because opening it could have side effects.
    read_file_size(path)
    with open(os.open(path, OPEN_FLAGS), "rb", buffering=0) as file:
        # Check again, because the path may have been replaced since the first check.
        size = _check_size(os.fstat(file.fileno()))
        if size == 0:  # endless system files, such as /proc/kmsg, can also report 0
            return b""
        parts = []
        # The loop also ends if reading would block, because `read` then returns None.
        while part := file.read(min(max_bytes, size)):
            parts.append(part)
            max_bytes -= len(part)
        return b"".join(parts)


def _check_size(status: os.stat_result) -> int:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("is a device or a pipe, which may never end")
    return status.st_size
