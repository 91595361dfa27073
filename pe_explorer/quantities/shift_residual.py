"""How far rows that are moved are from the true ones."""

from __future__ import annotations

from typing import ClassVar

from pe_explorer.analysis.moved_rows import largest_differences
from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Asked, Data, titled
from pe_explorer.quantities._moving import OfMovedRows, check_rows, mover_of


class ShiftResidual(OfMovedRows):
    """The largest difference of each row that is moved by k from the true one: (n,)."""

    name: ClassVar[str] = "shift-residual"
    help: ClassVar[str] = "the largest difference between each moved row and the true one"
    rank: ClassVar[int] = 58
    over: ClassVar[str] = "positions"

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the differences, shape (n,)."""
        e, k = asked.encoding, asked.options["k"]
        check_rows(asked)
        by = mover_of(asked)

        def fill(part: range, out: Floats) -> None:
            out[:] = largest_differences(e, k, by(), part)

        titles = titled(e.rows.name, lambda: iter(("largest difference",)))
        return Data(asked.positions, None, titles, fill)
