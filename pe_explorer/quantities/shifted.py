"""Rows that are moved by a matrix."""

from pe_explorer.analysis import moved_rows
from pe_explorer.quantities._base import Asked, Data, by_few_rows, titled
from pe_explorer.quantities._moving import MovedRowsQuantity, column_titles, mover_of


class Shifted(MovedRowsQuantity):
    """The row of each position, moved by k by the matrix: (n, d)."""

    name = "shifted"
    help = "the row of each position, moved by k by that matrix"
    rank = 57

    @staticmethod
    def data(asked: Asked) -> Data:
        e, by = asked.encoding, mover_of(asked)
        titles = titled(e.rows.name, lambda: column_titles(e))
        fill = by_few_rows(lambda part: by().moved(moved_rows.rows(e, part)), asked.subject)
        return Data(asked.positions, moved_rows.width(e), titles, fill)
