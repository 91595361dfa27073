"""The rows themselves."""

from collections.abc import Iterator
from typing import ClassVar

from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Asked, Data, Quantity, titled
from pe_explorer.quantities._blocks import by_few_rows


class TableRows(Quantity):
    """One row of the encoding, or of the difference, for each position: (n, columns)."""

    name: ClassVar[str] = "table"
    help: ClassVar[str] = "one row of the encoding for each position"
    rank: ClassVar[int] = 10
    in_windows: ClassVar[bool] = True
    differs: ClassVar[bool] = True

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the table, shape (n, columns)."""
        subject = asked.subject

        def fill(part: range, out: Floats) -> None:
            subject.table(part, out=out)

        def titles() -> Iterator[str]:
            return map(subject.column_title, range(subject.width))

        is_difference = subject.less is not None
        filling = by_few_rows(fill, subject) if is_difference else fill
        index = subject.encoding.rows.name
        return Data(asked.positions, subject.width, titled(index, titles), filling)
