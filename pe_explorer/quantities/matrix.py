"""Distances of every position from every other."""

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Asked, Data, Quantity, subtracted, titled


class DistanceMatrixRows(Quantity):
    """The distance of each position from every other: (n, n)."""

    name = "matrix"
    help = "the distance of each position from every other"
    rank = 40
    differs = True

    why_not_comparable = staticmethod(why_other_rows)

    @classmethod
    def data(cls, asked: Asked) -> Data:
        if asked.subject.less is not None:
            sizes = [distance.rounding_size(e, asked.metric) for e in asked.subject.encodings]
            return subtracted(cls, asked, max(sizes))
        e, positions, metric = asked.encoding, asked.positions, asked.metric
        distance.between(e, positions[0], positions[0], metric)  # raises now for a bad metric

        def fill(part: range, out: Floats) -> None:
            out[:] = distance.matrix(e, part, positions, metric)

        titles = titled(e.rows.name, lambda: map(str, positions))
        return Data(positions, len(positions), titles, fill)
