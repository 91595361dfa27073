"""The rows themselves."""

from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Asked, Data, Quantity, by_columns, by_few_rows


class TableRows(Quantity):
    """One row of the encoding, or of the difference, for each position: (n, columns)."""

    name = "table"
    help = "one row of the encoding for each position"
    rank = 10
    in_windows = True
    differs = True

    @staticmethod
    def data(asked: Asked) -> Data:
        subject = asked.subject

        def fill(part: range, out: Floats) -> None:
            subject.table(part, out=out)

        is_difference = subject.less is not None
        return by_columns(asked, by_few_rows(subject.table, subject) if is_difference else fill)
