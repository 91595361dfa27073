"""A learned table with one row for each position."""

import dataclasses
from dataclasses import dataclass

from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.stored import Stored
from pe_explorer.numeric.positions import LIMIT
from pe_explorer.params import FileName, Whole, declare, to_one_line
from pe_explorer.tables import Table


@dataclass(frozen=True)
class Learned(Stored):
    """Rows that a model has learned, read from a file; there are none beyond its training length.

    PE(p, j) is the value in row p + row_offset and column j of the array. There is no formula, so
    positions beyond the last row have no encoding.

    Sources
    -------
    Gehring et al. 2017 and Vaswani et al. 2017, table 3 row E; the position embeddings of
    BERT and GPT-2. fairseq and its descendants, such as OPT and BART, keep two rows for
    padding: `row_offset` 2.
    """

    name = "learned"
    family = "learned"
    rank = 50

    file: str = declare(
        FileName(
            "",
            (".npy",),
            label="File",
            help="A .npy file from numpy.save with an array of shape (positions, dimensions).",
        )
    )
    row_offset: int = declare(
        Whole(
            0,
            0,
            LIMIT,
            slider_range=(0, 100),
            label="First rows",
            unit="rows",
            help="The number of rows before the row of position 0, such as 2 for padding.",
        )
    )
    file_content: Table | None = dataclasses.field(default=None, repr=False)

    @property
    def code_imports(self) -> tuple[str, ...]:
        return ("import numpy as np",)

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that load the table; NumPy reads the file for every library."""
        rows_code = f"rows[np.asarray(positions).astype(int){self._offset_text}]"
        return f"rows = np.load({self.file!r})", f"table = {library.array(rows_code)}"

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        return (
            f"PE(p, {column}) = row p{self._offset_text}, column {column}",
            f"of {to_one_line(FileName.get_last_part(self.file))}",
            f"= row {position + self.row_offset}, column {column}",
            f"= {self.value(position, column):+.6g}",
        )

    @property
    def _offset_text(self) -> str:
        return f" + {self.row_offset}" if self.row_offset else ""
