"""Distances: from a position, to that of the cursor, of all from all, and how these are spread."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pe_explorer.analysis import distance, histogram, likeness, score_bound
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError, Steady, needs
from pe_explorer.numeric.positions import len_of
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    curve,
    joined,
    known,
    subtracted,
    titled,
)

_TITLES = ("from", "to", "share of pairs", "pairs")


class DistancesFromReference(Quantity):
    """The distance of each position from the reference: (n,)."""

    name = "distances"
    help = "the distance of each position from the reference"
    rank = 20
    curve_axis = "positions"
    options = {"below": distance.SECOND_METRIC}
    view = "distances"

    @classmethod
    def side_by_side(cls, asked: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of several encodings; with a second metric, all by each of the two."""
        first = next(iter(asked.values()))
        below = first.options["below"]
        if below in (distance.SECOND_METRIC.default, first.metric):
            return super().side_by_side(asked)
        found, notes = {}, []
        for metric in (first.metric, below):
            what = distance.measure(metric)
            for name, each in asked.items():
                measured = each._replace(metric=metric)
                try:
                    found[f"{name}, {what}"] = measured, cls.data(measured)
                except EncodingError as error:
                    notes.append(f"{name}, {what} is not in the file: {error.fault}.")
        return replace(joined(cls, found), notes=tuple(notes))

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, reference, metric = asked.encoding, asked.reference, asked.metric
        e.require_rows(reference, reference, "reference")
        is_bound = metric == distance.SCORE_BOUND
        if is_bound and (problem := needs.score_bound(e)):
            raise EncodingError("below", problem, "choose another second metric")
        if not is_bound and (what := distance.why_undefined(e, reference, metric)):
            row = f"{e.rows.name} {reference:,} has {what} in {e.display_name()}"
            remedy = f"choose another metric, or another {e.rows.name} to measure from"
            problem = f"{row}, so it has no {distance.measure(metric)}"
            raise EncodingError("reference", problem, remedy)

        def numbers(part: range) -> Floats:
            if is_bound and isinstance(e, Steady):
                return score_bound.from_reference(e, reference, part)
            return distance.from_reference(e, reference, part, metric)

        what = distance.measure(metric, f"{e.rows.name} {reference}")
        return curve(asked, e.rows.name, what, numbers)


class LikenessToCursor(Quantity):
    """The likeness of each position to that of the cursor, a distance for some metrics: (n,)."""

    name = "likeness"
    help = "how similar each position is to that of the cursor"
    rank = 54
    curve_axis = "positions"

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, position, metric = asked.encoding, asked.position, asked.metric
        e.require_rows(position, position, "position")
        if math.isnan(distance.between(e, position, position, metric)):
            row = f"the row of {e.rows.name} {position:,} in {e.display_name()}"
            problem = f"{row} has no {distance.measure(metric, 'any')}"
            remedy = f"choose another metric, or another {e.rows.name}"
            raise EncodingError("position", problem, remedy)

        def numbers(part: range) -> Floats:
            return likeness.as_likeness(distance.from_reference(e, position, part, metric), metric)

        what = likeness.title(metric, f"{e.rows.name} {position}")
        return curve(asked, e.rows.name, what, numbers)


class DistanceMatrixRows(Quantity):
    """The distance of each position from every other: (n, n)."""

    name = "matrix"
    help = "the distance of each position from every other"
    rank = 40
    has_difference = True
    why_not_comparable = staticmethod(why_other_rows)

    @classmethod
    def data(cls, asked: QuantityInput) -> Data:
        if asked.subject.less is not None:
            sizes = [distance.rounding_size(e, asked.metric) for e in asked.subject.encodings]
            return subtracted(cls, asked, max(sizes))
        e, positions, metric = asked.encoding, asked.positions, asked.metric
        distance.between(e, positions[0], positions[0], metric)  # raises now for a bad metric

        def fill(part: range, out: Floats) -> None:
            out[:] = distance.matrix(e, part, positions, metric)

        titles = titled(e.rows.name, lambda: map(str, positions))
        return Data(positions, len(positions), titles, fill)


class DistanceHistogram(Quantity):
    """Where each bin of distances begins and ends, and how many pairs it has: (bins, 4).

    Of very many pairs, some stand for all.
    """

    name = "distance-histogram"
    help = "how the distances of all pairs of positions are spread, bin by bin"
    rank = 53
    curve_axis = "bins"

    @classmethod
    def check(cls, asked: QuantityInput) -> None:
        """Raise `EncodingError` for no pair of rows; whether any has a distance takes long."""
        asked.encoding.require_rows(asked.positions[0], asked.positions[-1])
        if len_of(asked.positions) < 2:
            raise _no_pairs(asked)

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        DistanceHistogram.check(asked)
        found = _spread(asked)
        edges = _edges(asked, found)
        shares = found.shares(edges)
        pairs = np.rint(shares * (found.pairs - found.undefined))
        return known("bin", _TITLES, np.column_stack([edges[:-1], edges[1:], shares, pairs]))

    @classmethod
    def side_by_side(cls, asked: Mapping[str, QuantityInput]) -> Data:
        """Return the bins that all have, and of each encoding the share of its pairs."""
        spreads = {name: _spread(each) for name, each in asked.items()}
        edges = _edges(next(iter(asked.values())), *spreads.values())
        shares = [spread.shares(edges) for spread in spreads.values()]
        numbers = np.column_stack([edges[:-1], edges[1:], *shares])
        names = ("from", "to", *spreads)
        return replace(known("bin", names, numbers), curves=names)


def _spread(asked: QuantityInput) -> histogram.PairDistances:
    return histogram.spread(asked.encoding, asked.positions, asked.metric, asked.report)


def _edges(asked: QuantityInput, *spreads: histogram.PairDistances) -> Floats:
    edges = histogram.edges(spreads)
    if not len(edges):
        raise _no_pairs(asked)
    return edges


def _no_pairs(asked: QuantityInput) -> EncodingError:
    e, metric = asked.encoding, asked.metric
    what = f"a finite {distance.measure(metric)} in {e.display_name()}"
    problem = f"no two {e.rows.plural} here have {what}"
    return EncodingError("positions", problem, "choose more of them, or another metric")
