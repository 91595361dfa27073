"""Two-dimensional arrays in `.npy` files.

Small tables are copied into memory. Rows of large tables are read on demand. The files are not
mapped into memory, because truncating a mapped file kills the process.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.params import reason, with_remedy
from pe_explorer.reading import OPEN_FLAGS

MAX_COLUMNS = 1 << 20  # the maximum number of columns of a table, and of any encoding

Stamp = tuple[int, int, int]
"""Modification time in nanoseconds, size in bytes and inode number of a file."""

_MAX_COPIED_SIZE = 64 << 20  # maximum size in bytes of a table that is copied into memory
_MAX_HEADER_SIZE = 1 << 10
"""The maximum size of a header in bytes; real tables have at most 128.

NumPy parses headers as Python, and parsing a string such as "----1" recurses once per byte. A
header ten times as long would overflow a stack of 512 KB and kill the process.
"""
_CHUNK_VALUES = 1 << 17  # number of values that are converted or added together


class TableError(ValueError):
    """An error for a file that cannot be read as a table; the message begins with the path."""

    def __init__(self, path: str, problem: str, remedy: str = "") -> None:
        self.path, self.fault, self.remedy = path, problem, remedy
        self.problem = with_remedy(problem, remedy)
        super().__init__(f"{path}: {self.problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.fault, self.remedy)


@dataclass(frozen=True)
class Table:
    """A table of numbers in a file."""

    path: str
    stamp: Stamp  # stamp at the time of opening; reading rows fails if it has changed
    rows: int
    columns: int
    dtype: np.dtype[Any]  # the type of the numbers in the file
    _offset: int = field(repr=False)
    _copy: npt.NDArray[Any] | None = field(default=None, repr=False, compare=False)
    nonfinite_count: int | None = None  # None if `is_in_memory` is False
    trailing_size: int = 0  # number of bytes in the file after the table

    @property
    def note(self) -> str:
        """A note about ignored bytes at the end of the file; empty if there are none."""
        if not self.trailing_size:
            return ""
        shape = f"{self.rows:,} × {self.columns:,} numbers"
        return f"{self.path}: ignoring {self.trailing_size:,} bytes after the declared {shape}."

    @property
    def is_in_memory(self) -> bool:
        """Whether all rows are in memory."""
        return self._copy is not None

    def part(self, start: int, stop: int) -> Floats:
        """Return the rows from `start` to `stop - 1`, where 0 <= start <= stop <= rows.

        Returns
        -------
        (stop - start, columns) float64

        Raises
        ------
        TableError
            If the file has changed since it was opened, or cannot be read.
        """
        with self._open() as read:
            return _to_float64(read(start, stop))

    def block_sums(self, start: int, block: int, count: int) -> Floats:
        """Return the sums of `count` consecutive blocks of rows; raise the same errors as `part`.

        Returns
        -------
        (count, columns) float64
        """
        sums = np.zeros((count, self.columns))
        step = max(1, _CHUNK_VALUES // self.columns)
        # The numbers are not converted before they are added, because that takes twice the time.
        with self._open() as read, np.errstate(over="ignore", invalid="ignore"):
            for row, first in enumerate(range(start, start + count * block, block)):
                for low in range(first, first + block, step):
                    rows = read(low, min(low + step, first + block))
                    sums[row] += rows.sum(axis=0, dtype=np.float64)
        return sums

    @contextmanager
    def _open(self) -> Iterator[Callable[[int, int], npt.NDArray[Any]]]:
        """Yield a function that returns rows with the data type of the file."""
        if (copy := self._copy) is not None:
            yield lambda start, stop: copy[start:stop]
            return
        with open_regular_file(self.path) as (file, stamp):
            if stamp != self.stamp:
                raise TableError(self.path, "has changed since it was opened", "open it again")
            yield partial(self._read, file)

    def _read(self, file: BinaryIO, start: int, stop: int) -> npt.NDArray[Any]:
        """Return rows with the data type of the file, shape (stop - start, columns)."""
        row_size = self.columns * self.dtype.itemsize
        size = (stop - start) * row_size
        file.seek(self._offset + start * row_size)
        data = file.read(size)
        if len(data) != size:
            raise TableError(self.path, "is truncated", "open a complete copy")
        return np.frombuffer(data, self.dtype).reshape(-1, self.columns)


def _to_float64(numbers: npt.NDArray[Any]) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return numbers.astype(np.float64)


def read_stamp(path: str) -> Stamp | None:
    """Return the stamp of a file, or None if the file is missing or inaccessible."""
    try:
        return _make_stamp(os.stat(path))
    except (OSError, ValueError):
        return None


def read_table(path: str, tensor_name: str = "") -> Table:
    """Return the table in a `.npy` file.

    Raises
    ------
    TableError
        If the file is missing, cannot be read, or is not a two-dimensional array of numbers.
    """
    if tensor_name:
        raise TableError(path, "contains one table, which has no name", "leave the name out")
    with open_regular_file(path) as (file, stamp):
        rows, columns, dtype = _read_header(path, file)
        offset = file.tell()
        size = rows * columns * dtype.itemsize
        _, file_size, _ = stamp
        data_size = file_size - offset
        if data_size < size:
            problem = f"is truncated: {rows:,} × {columns:,} numbers take {size:,} bytes"
            raise TableError(path, f"{problem}, but it has only {data_size:,}")
        table = Table(path, stamp, rows, columns, dtype, offset, trailing_size=data_size - size)
        if size > _MAX_COPIED_SIZE:
            return table
        copy = table._read(file, 0, rows)
        return replace(table, _copy=copy, nonfinite_count=_count_nonfinite(copy))


def _count_nonfinite(numbers: npt.NDArray[Any]) -> int:
    if numbers.dtype.kind != "f":
        return 0
    step = max(1, _CHUNK_VALUES // numbers.shape[1])
    chunks = (_to_float64(numbers[row : row + step]) for row in range(0, len(numbers), step))
    return numbers.size - sum(int(np.isfinite(chunk).sum()) for chunk in chunks)


def _make_stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino


@contextmanager
def open_regular_file(path: str) -> Iterator[tuple[BinaryIO, Stamp]]:
    """Open a file and read its stamp; raise `TableError` if it is unreadable or not regular."""
    if not path:
        raise TableError("file", "expected a table of numbers, got no file", "choose a .npy file")
    try:
        file_descriptor = os.open(path, OPEN_FLAGS)
        with open(file_descriptor, "rb") as file:
            status = os.fstat(file_descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise TableError(path, "is not a regular file", "choose a .npy file")
            yield file, _make_stamp(status)
    except TableError:
        raise
    except (OSError, ValueError, MemoryError) as error:
        raise TableError(path, f"cannot be read ({reason(error)})") from None


_HEADER_READERS = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}


def _read_header(path: str, file: BinaryIO) -> tuple[int, int, np.dtype[Any]]:
    """Return the numbers of rows and columns, and the dtype."""
    prefix = file.read(8)
    if len(prefix) < 8 or not prefix.startswith(np.lib.format.MAGIC_PREFIX):
        if prefix[:2] == b"PK":
            raise TableError(path, "is a .npz or .pt archive, not a .npy file", "save an array")
        raise TableError(path, "is not a .npy file", "save the table with numpy.save")
    version = prefix[6]
    if version not in _HEADER_READERS:
        problem = f"has version {version} of the .npy format; only versions 1 and 2 are supported"
        raise TableError(path, problem, "save the table with numpy.save")
    length = int.from_bytes(file.read(2 if version == 1 else 4), "little")
    if length > _MAX_HEADER_SIZE:
        problem = "is a damaged .npy file, or does not contain plain numbers"
        raise TableError(path, f"{problem}: its header has {length:,} bytes")
    file.seek(len(prefix))
    try:
        shape, is_fortran, dtype = _HEADER_READERS[version](file, max_header_size=_MAX_HEADER_SIZE)
    except Exception:  # parsing an arbitrary string can raise any exception
        raise TableError(path, "is a damaged .npy file", "save the table again") from None
    _check_header(path, shape, is_fortran, dtype)
    rows, columns = shape
    return rows, columns, dtype


def _check_header(path: str, shape: Sequence[int], is_fortran: bool, dtype: np.dtype[Any]) -> None:
    if dtype.hasobject:
        raise TableError(path, "contains pickled objects, which can run code", "save only numbers")
    if dtype.kind not in "fiub":  # floats, signed and unsigned integers, and bools
        raise TableError(path, f"contains {dtype}, not real numbers", "convert it to float32")
    if any(isinstance(number, bool) for number in shape):  # NumPy accepts True as a length
        raise TableError(path, "is a damaged .npy file", "save the table again")
    if len(shape) != 2:
        problem = f"expected an array of shape (positions, dimensions), got the shape {shape}"
        raise TableError(path, problem)
    if min(shape) < 1:
        raise TableError(path, f"is empty, because it has the shape {shape}")
    _, columns = shape
    if columns > MAX_COLUMNS:
        raise TableError(path, f"expected at most {MAX_COLUMNS:,} columns, got {columns:,}")
    if is_fortran and columns > 1:
        raise TableError(path, "is in column-major order", "save numpy.ascontiguousarray(table)")
