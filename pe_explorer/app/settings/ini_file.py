"""The INI file of the settings, read and written by `QSettings`.

`QSettings` locks the file, merges what two windows change, and replaces it as a whole. But it
would read a file of any size, wait without end for a pipe or a lock, and load whatever object a
value claims to be: so the file is looked at first.
"""

import errno
import itertools
import os
import re
from pathlib import Path

from PySide6.QtCore import QLockFile, QSettings

from pe_explorer.app.settings.settings import Values
from pe_explorer.reading import UnreadableError, read_bytes

_SCHEMA = 1
_MOST_BYTES = 1 << 21
_NEWBORN = 1000  # milliseconds during which a lock may not be fully written
_INI = QSettings.Format.IniFormat
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]+)|([0-7]+)|.)", re.IGNORECASE | re.DOTALL)
_SKIPPED = re.compile(r'[\0\s"]')  # by QSettings, in some places
_OBJECT = re.compile(r"@(Variant|DateTime)\(")


class BrokenError(Exception):
    """The file holds no settings: the text follows its name."""


def read(path: Path) -> Values:
    """Return what the file holds, nothing if there is none; raises `BrokenError` or `OSError`."""
    try:
        data = read_bytes(path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except UnreadableError:
        raise OSError(errno.EINVAL, "is not a file; move it away") from None
    if len(data) > _MOST_BYTES:
        raise BrokenError(f"has more than {_MOST_BYTES:,} bytes, more than any settings")
    if _holds_objects(data):  # in many levels they crash QSettings
        raise BrokenError("holds objects, which this program never writes")
    file = QSettings(str(path), _INI)
    values = {key: file.value(key) for key in file.allKeys() if key}
    if file.status() == QSettings.Status.FormatError:
        raise BrokenError("is not an INI file")
    if data.strip() and not re.fullmatch("[1-9][0-9]{0,8}", str(values.get("schema"))):
        raise BrokenError("holds no settings of this program")
    return values


def read_or_rename(path: Path) -> tuple[Values, str]:
    """Return what the file holds, and a sentence if it was broken and had to be renamed."""
    try:
        return read(path), ""
    except BrokenError as broken:
        names = (path.with_name(f"{path.name}.broken-{number}") for number in itertools.count(1))
        free = next(name for name in names if not os.path.lexists(name))
        try:
            path.rename(free)
        except OSError as error:
            problem = f"{broken} and cannot be renamed ({error.strerror})"
            raise OSError(error.errno, problem) from None
        return {}, f"{path} {broken}. It was renamed to {free.name}; new settings begin."


def require_known(values: Values) -> None:
    """Raise `OSError` if a later version wrote the values: it may need what would be lost."""
    if int(values.get("schema", _SCHEMA)) > _SCHEMA:
        raise OSError(errno.EROFS, "a later version of the program wrote it")


def write(path: Path, edits: Values, every: Values, patience: float) -> str:
    """Change values in the file, None removes one; if there is no file, write `every` value.

    Waits for the disk, and `patience` seconds for another process. Returns a sentence if a broken
    file had to be renamed; raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _wait_for_lock(path, patience)
    values, message = read_or_rename(path)
    require_known(values)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is read-only; make it writable")
    file = QSettings(str(path), _INI)
    writer = QSettings(str(path), _INI)
    writer.setValue("schema", str(_SCHEMA))
    for key, value in (edits if values else every).items():
        if value is None:
            writer.remove(key)
        else:
            writer.setValue(key, value)
    del writer  # writes the file, and unlike sync() does not stop Python's other threads meanwhile
    file.sync()
    if file.status() != QSettings.Status.NoError:
        raise OSError(errno.EIO, "cannot be written; is the disk full?")
    return message


def _holds_objects(data: bytes) -> bool:
    text = _ESCAPE.sub(_unescaped, data.decode("utf-8", "replace"))
    return bool(_OBJECT.search(_SKIPPED.sub("", text)))


def _unescaped(found: re.Match[str]) -> str:
    """Return the character that is written as a number; all other escapes are skipped."""
    hexadecimal, octal = found.groups(default="0")
    number = int(hexadecimal, 16) or int(octal, 8)
    return chr(number & 0xFFFF)


def _wait_for_lock(path: Path, patience: float) -> None:
    """Wait until nobody has the lock of `QSettings`; raise `OSError` if that takes too long.

    A process that is killed at the wrong moment leaves an empty lock file, which names no owner.
    A stale time makes Qt try to remove it; the system refuses that while an owner runs.
    """
    lock = QLockFile(f"{path}.lock")
    lock.setStaleLockTime(_NEWBORN)
    if lock.tryLock(round(1000 * patience)):
        lock.unlock()
    elif lock.error() == QLockFile.LockError.LockFailedError:
        raise BlockingIOError(errno.EAGAIN, "another window holds the lock beside it")
    else:
        raise PermissionError(errno.EACCES, "no file can be created in its folder")
