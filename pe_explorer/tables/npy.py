"""Two-dimensional arrays in `.npy` files.

Rows are read by their place in the file, never mapped into memory: a file that is cut short
while it is mapped ends the process, and nothing can catch that. Small tables are copied at
once. Nothing in a file is executed, and its header is compared with the size of the file.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.params import reason
from pe_explorer.reading import OPEN_FLAGS

MAX_COLUMNS = 1 << 20
"""The most columns of a table, and of any encoding."""

Header = tuple[tuple[int, ...], bool, np.dtype[Any]]
"""Shape, whether columns come first, and type of the numbers."""

Stamp = tuple[int, int, int]
"""Time of the last change in nanoseconds, size in bytes and inode number of a file."""

_COPIED = 64 << 20  # bytes of the largest table that is copied into memory
_LONGEST_HEADER = 1 << 10
"""Bytes of the longest header that is read; real tables have at most 128.

Headers are parsed as Python, and parsing "----1" and the like nests deeper with each byte: ten
times as many would overflow the stack of a thread that has 512 KB, and end the process.
"""
_CHUNK_NUMBERS = 1 << 18  # numbers that are checked together
_REAL_KINDS = "fiub"  # NumPy's letters for floats, signed and unsigned integers, and bools


class TableError(ValueError):
    """A file that cannot be read as a table; the message begins with its path."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


@dataclass(frozen=True)
class Table:
    """Rows of numbers that a file held when it was opened.

    Attributes
    ----------
    path : str
    stamp : Stamp
        That of the file when it was opened; no rows are read once it has changed.
    rows, columns : int
    dtype : numpy dtype
        The type of the numbers in the file.
    not_finite : int or None
        The number of entries that are infinite or nan; None for a table that is not in memory.
    surplus : int
        The number of bytes that the file has after the table.
    """

    path: str
    stamp: Stamp
    rows: int
    columns: int
    dtype: np.dtype[Any]
    _offset: int = field(repr=False)
    _copy: npt.NDArray[Any] | None = field(repr=False, compare=False)
    not_finite: int | None = None
    surplus: int = 0

    @property
    def note(self) -> str:
        """A sentence on bytes of the file that are not read, or an empty text."""
        if not self.surplus:
            return ""
        shape = f"{self.rows:,} × {self.columns:,} numbers"
        return f"{self.path}: ignoring {self.surplus:,} bytes after the {shape} of its header."

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory, so that the file is not read again."""
        return self._copy is not None

    def part(self, start: int, stop: int) -> Floats:
        """Return the rows from `start` to `stop - 1`, where 0 <= start <= stop <= rows.

        Returns
        -------
        (stop - start, columns) float64

        Raises
        ------
        TableError
            If the file has changed since, or cannot be read.
        """
        if self._copy is not None:
            return _as_float64(self._copy[start:stop])
        with open_regular(self.path) as file:
            if stamp_of_open(file) != self.stamp:
                raise TableError(self.path, "has changed since it was opened")
            return _as_float64(self._read(file, start, stop))

    def _read(self, file: BinaryIO, start: int, stop: int) -> npt.NDArray[Any]:
        """Return rows as the file has them, shape (stop - start, columns)."""
        row = self.columns * self.dtype.itemsize
        count = stop - start
        size = count * row
        file.seek(self._offset + start * row)
        data = file.read(size)
        if len(data) != size:
            raise TableError(self.path, "ends too early; it was cut short")
        return np.frombuffer(data, self.dtype).reshape(count, self.columns)


def _as_float64(numbers: npt.NDArray[Any]) -> Floats:
    """Return numbers as float64; longer floats that are too large become infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        return numbers.astype(np.float64)


def stamp_of(path: str) -> Stamp | None:
    """Return the stamp of a file; None if there is no such file, or it cannot be seen."""
    try:
        return _stamp(os.stat(path))
    except (OSError, ValueError):
        return None


def stamp_of_open(file: BinaryIO) -> Stamp:
    """Return the stamp of an open file."""
    return _stamp(os.fstat(file.fileno()))


def read_table(path: str, tensor: str = "") -> Table:
    """Return the only table in a `.npy` file.

    Raises
    ------
    TableError
        If it is missing, cannot be read, or holds no two-dimensional array of numbers.
    """
    if tensor:
        raise TableError(path, "holds one table, which has no name; leave the name out")
    with open_regular(path) as file:
        found = os.fstat(file.fileno())
        shape, fortran, dtype = _header(path, file)
        check_header(path, shape, fortran, dtype)
        rows, columns = shape
        offset = file.tell()
        size = rows * columns * dtype.itemsize
        present = found.st_size - offset
        if present < size:
            problem = f"is cut short: {rows} × {columns} numbers take {size:,} bytes"
            raise TableError(path, f"{problem}, but it has only {present:,}")
        surplus = present - size
        table = Table(path, _stamp(found), rows, columns, dtype, offset, None, surplus=surplus)
        if size > _COPIED:
            return table
        copy = table._read(file, 0, rows)
        return replace(table, _copy=copy, not_finite=_count_not_finite(copy))


def _count_not_finite(numbers: npt.NDArray[Any]) -> int:
    if numbers.dtype.kind != "f":
        return 0
    step = max(1, _CHUNK_NUMBERS // numbers.shape[1])
    finite = 0
    for row in range(0, len(numbers), step):
        part = _as_float64(numbers[row : row + step])
        finite += int(np.isfinite(part).sum())
    return numbers.size - finite


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_mtime_ns, found.st_size, found.st_ino


@contextmanager
def open_regular(path: str) -> Iterator[BinaryIO]:
    """Open a regular file; errors name it."""
    if not path:
        raise TableError("no file", "choose a .npy file with a table of numbers")
    try:
        handle = os.open(path, OPEN_FLAGS)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise TableError(path, "is not an ordinary file; choose a .npy file")
            yield file
    except TableError:
        raise
    except (OSError, ValueError, MemoryError) as error:
        raise TableError(path, f"cannot be read ({reason(error)})") from None


_MAGIC = np.lib.format.MAGIC_PREFIX
_HEADER_READERS = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}


def _header(path: str, file: BinaryIO) -> Header:
    start = file.read(8)
    if len(start) < 8 or not start.startswith(_MAGIC):
        if start[:2] == b"PK":
            raise TableError(path, "is a .npz or .pt archive, not a .npy file; save one array")
        raise TableError(path, "is not a .npy file; make one with numpy.save")
    version = start[6]
    if version not in _HEADER_READERS:
        raise TableError(path, f"has version {version} of the .npy format, which is not supported")
    length_bytes = file.read(2 if version == 1 else 4)
    length = int.from_bytes(length_bytes, "little")
    if length > _LONGEST_HEADER:
        problem = "is a damaged .npy file, or has no plain numbers"
        raise TableError(path, f"{problem}: its header has {length:,} bytes")
    file.seek(len(start))
    try:
        read = _HEADER_READERS[version]
        return read(file, max_header_size=_LONGEST_HEADER)
    except Exception:  # reading any text as a dictionary may raise anything
        raise TableError(path, "is a damaged .npy file") from None


def check_header(path: str, shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any]) -> None:
    """Raise `TableError` for an array that is no table of real numbers, or is too wide."""
    if dtype.hasobject:
        raise TableError(path, "holds pickled objects, which could run code; save plain numbers")
    if dtype.kind not in _REAL_KINDS:
        raise TableError(path, f"holds {dtype}, not real numbers; convert it to float32")
    if any(isinstance(number, bool) for number in shape):  # NumPy takes them for numbers
        raise TableError(path, "is a damaged .npy file")
    if len(shape) != 2:
        problem = f"has the shape {shape}; a table has two axes, (positions, dimensions)"
        raise TableError(path, problem)
    if min(shape) < 1:
        raise TableError(path, f"is empty: its shape is {shape}")
    _, columns = shape
    if columns > MAX_COLUMNS:
        raise TableError(path, f"has {columns:,} columns; at most {MAX_COLUMNS:,} can be shown")
    if fortran and columns > 1:
        raise TableError(path, "is stored column by column; save numpy.ascontiguousarray of it")
