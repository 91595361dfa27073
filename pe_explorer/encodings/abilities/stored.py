"""Abstract class of encodings whose rows are stored in a file."""

from collections.abc import Callable

import numpy as np

from pe_explorer import tables
from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.numeric.positions import Positions, count_positions, shift_range
from pe_explorer.tables import Source, Table, TableError

_CHUNK_VALUES = 1 << 20  # maximum number of values to read at a time
_MAX_STEP = 16  # maximum step in rows; with larger steps, each row is read separately


class TableFileError(EncodingError):
    """A file that is missing, is not a table, or has changed."""


class Stored(Encoding):
    """An encoding whose rows are stored in a file; block means read every row.

    A scheme declares the parameters `file` and `row_offset`; the latter is added to a position to
    give the index of its row. The field `file_content`, which is not a parameter, may contain the
    table. Otherwise, the file is read at the first request for a row, the width or the domain.
    """

    file: str
    row_offset: int
    file_content: Table | None
    tensor_name = ""
    """The name of the table in its file, for schemes whose files can have several tables."""

    @property
    def source(self) -> Source:
        """The location of the table."""
        return (self.file, self.tensor_name) if self.tensor_name else (self.file,)

    @property
    def file_table(self) -> Table:
        """The table in the file; raises `EncodingError` if the file cannot be read as a table."""
        if self.file_content is not None:
            return self.file_content
        try:
            return tables.load(*self.source)
        except TableError as error:
            raise TableFileError("file", f"{error.path}: {error.fault}", error.remedy) from None

    @property
    def width(self) -> int:
        return self.file_table.columns

    @property
    def domain(self) -> range:
        return range(-self.row_offset, self.file_table.rows - self.row_offset)

    @property
    def no_rows_reason(self) -> str:
        rows, offset = self.file_table.rows, self.row_offset
        if rows > offset:
            return ""
        problem = f"the table has {rows:,} rows, and the first {offset:,} come before position 0"
        return f"{problem}. Choose fewer first rows"

    def cost(self, rows: int, block: int) -> float:
        return float(min(rows * block, self.file_table.rows)) * self.width

    def _fill(self, positions: Positions, out: Floats) -> None:
        if not isinstance(positions, range):
            if positions.dtype.kind != "i":
                fault = "a table has rows only for whole positions"
                raise EncodingError("positions", fault, "remove the fractions")
            for index, row in enumerate((positions + self.row_offset).tolist()):
                out[index] = self._read(Table.part, row, row + 1)
            return
        rows, step = shift_range(positions, self.row_offset), abs(positions.step)
        chunk = max(1, _CHUNK_VALUES // (self.width * step)) if step <= _MAX_STEP else 1
        for first in range(0, count_positions(rows), chunk):
            part = rows[first : first + chunk]
            low, high = sorted((part[0], part[-1]))
            out[first : first + len(part)] = self._read(Table.part, low, high + 1)[:: rows.step]

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        sums = self._read(Table.block_sums, start + self.row_offset, block, len(out))
        np.divide(sums, block, out=out)

    def _read(self, read: Callable[..., Floats], *arguments: int) -> Floats:
        try:
            return read(self.file_table, *arguments)
        except TableError as error:
            raise TableFileError("file", f"{error.path}: {error.fault}", error.remedy) from None


def is_file_based(e: object) -> bool:
    """Return whether computing rows reads a file, which the GUI must do in a worker thread."""
    if not isinstance(e, Stored):
        return False
    return e.file_content is None or not e.file_content.is_in_memory
