"""The ability of encodings whose rows a file holds."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer import tables
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.numeric.positions import EncodingError, Positions, len_of
from pe_explorer.tables import Table, TableError

__all__ = ["Stored", "StoredError", "reads_a_file"]

Floats = npt.NDArray[np.float64]

_CHUNK = 1 << 20  # numbers read at a time


class StoredError(EncodingError):
    """A file that has no rows to give: it is missing, holds no table, or has changed."""


class Stored(Encoding):
    """An encoding whose rows are read from a file: reduced, where others have closed forms.

    A scheme declares `file`, and `row_offset` for what is added to a position before its row
    is read; and a field `held`, no parameter, for a table that somebody else has read. Where
    nothing is held, the file is read when a row, the width or the domain is first asked for.
    """

    reads_files: ClassVar[bool] = True

    file: str
    row_offset: int
    held: Table | None

    @property
    def stored(self) -> Table:
        """The table.

        Raises
        ------
        EncodingError
            If the file is missing or holds no table.
        """
        if self.held is not None:
            return self.held
        try:
            return tables.load(self.file)
        except TableError as error:
            raise StoredError("file", str(error)) from None

    @property
    def width(self) -> int:
        """The columns of the table."""
        return self.stored.columns

    @property
    def domain(self) -> range:
        """The positions that have a row."""
        return range(-self.row_offset, self.stored.rows - self.row_offset)

    @property
    def shortage(self) -> str:
        """Why all rows come before position 0, as those of padding do, or an empty text."""
        rows, before = self.stored.rows, self.row_offset
        if rows > before:
            return ""
        problem = f"the table has {rows:,} rows, and the first {before:,} come before position 0"
        return f"{problem}; choose fewer first rows"

    def cost(self, rows: int, block: int) -> float:
        """Return how many numbers are read for the means of blocks."""
        return float(min(rows * block, self.stored.rows)) * self.width

    def _fill(self, positions: Positions, out: Floats) -> None:
        if isinstance(positions, range):
            self._fill_range(positions, out)
            return
        if positions.dtype.kind != "i":
            problem = "a table has rows for whole positions only; leave out the fractions"
            raise EncodingError("positions", problem)
        for place, row in enumerate(positions + self.row_offset):
            out[place] = self._part(int(row), int(row) + 1)

    def _fill_range(self, positions: range, out: Floats) -> None:
        """Read equal steps in chunks; where most rows would be left out, row by row."""
        rows = range(
            positions.start + self.row_offset,
            positions.stop + self.row_offset,
            positions.step,
        )
        count, step = len_of(rows), abs(rows.step)
        together = max(1, _CHUNK // (self.width * step)) if step <= 16 else 1
        for first in range(0, count, together):
            part = rows[first : first + together]
            low, high = min(part[0], part[-1]), max(part[0], part[-1])
            read = self._part(low, high + 1)[::step]
            out[first : first + len(part)] = read if rows.step > 0 else read[::-1]

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        first = start + self.row_offset
        most = max(1, _CHUNK // self.width)
        for row in range(len(out)):
            low, total = first + row * block, np.zeros(self.width)
            for part in range(low, low + block, most):
                rows = self._part(part, min(part + most, low + block))
                with np.errstate(over="ignore", invalid="ignore"):  # a file may hold any numbers
                    total += rows.sum(axis=0)
            out[row] = total / block

    def _part(self, start: int, stop: int) -> Floats:
        try:
            return self.stored.part(start, stop)
        except TableError as error:
            raise StoredError("file", str(error)) from None


def reads_a_file(e: object) -> bool:
    """Return whether rows are read from a file each time: a window leaves that to a thread."""
    return isinstance(e, Stored) and not (e.held is not None and e.held.in_memory)
