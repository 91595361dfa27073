"""The matrix that moves rows."""

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.shift import SparseShift
from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Asked, Data, same_width, subtracted, titled
from pe_explorer.quantities._moving import MovedRowsQuantity, column_titles, mover_of


class ShiftMatrix(MovedRowsQuantity):
    """The matrix that moves every row by k, or the best fit where there is none: (d, d)."""

    name = "shift-matrix"
    help = "the matrix that moves rows by k, or else the best fit to those shown"
    rank = 56
    differs = True
    why_not_comparable = staticmethod(same_width)

    @classmethod
    def data(cls, asked: Asked) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked)
        e, by = asked.encoding, mover_of(asked)

        def fill(part: range, out: Floats) -> None:
            found = by()
            if not isinstance(found, SparseShift):
                out[:] = found.whole[part.start : part.stop]
                return
            out[:] = 0.0
            own = np.arange(part.start, part.stop)
            out[own - part.start, own] = found.kept[own]
            (others,) = np.nonzero((found.partner >= part.start) & (found.partner < part.stop))
            out[found.partner[others] - part.start, others] = found.taken[others]

        width, name = moved_rows.width(e), moved_rows.columns(e).name
        return Data(range(width), width, titled(name, lambda: column_titles(e)), fill)
