"""How the distances of all pairs of positions are spread."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pe_explorer.analysis import histogram
from pe_explorer.analysis.distance import measure
from pe_explorer.encodings import EncodingError
from pe_explorer.numeric.positions import len_of
from pe_explorer.quantities._base import Asked, Data, Quantity, known

_TITLES = ("from", "to", "share of pairs", "pairs")


class DistanceHistogram(Quantity):
    """Where each bin of distances begins and ends, and how many pairs it has: (bins, 4)."""

    name = "distance-histogram"
    help = "how the distances of all pairs of positions are spread, bin by bin"
    rank = 53
    over = "bins"

    @classmethod
    def check(cls, asked: Asked) -> None:
        """Raise `EncodingError` for no pair of rows; whether any has a distance takes long."""
        asked.encoding.require_rows(asked.positions[0], asked.positions[-1])
        if len_of(asked.positions) < 2:
            raise _no_pairs(asked)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the bins, shape (bins, 4); of very many pairs, from some that stand for all."""
        DistanceHistogram.check(asked)
        e, positions, metric = asked.encoding, asked.positions, asked.metric
        found = histogram.spread(e, positions, metric, asked.report)
        edges = histogram.edges([found])
        if not len(edges):
            raise _no_pairs(asked)
        shares = found.shares(edges)
        pairs = np.rint(shares * (found.pairs - found.undefined))
        numbers = np.column_stack([edges[:-1], edges[1:], shares, pairs])
        return known("bin", _TITLES, numbers)

    @classmethod
    def side_by_side(cls, asked: Mapping[str, Asked]) -> Data:
        """Return the bins that all have, and of each encoding the share of its pairs."""
        spreads = {
            name: histogram.spread(each.encoding, each.positions, each.metric, each.report)
            for name, each in asked.items()
        }
        edges = histogram.edges(list(spreads.values()))
        if not len(edges):
            raise _no_pairs(next(iter(asked.values())))
        shares = [spread.shares(edges) for spread in spreads.values()]
        numbers = np.column_stack([edges[:-1], edges[1:], *shares])
        names = ("from", "to", *spreads)
        return replace(known("bin", names, numbers), curves=names)


def _no_pairs(asked: Asked) -> EncodingError:
    e, metric = asked.encoding, asked.metric
    problem = f"no two {e.rows.plural} here have a finite {measure(metric)} in {e.called()}"
    return EncodingError("positions", problem, "choose more of them, or another metric")
