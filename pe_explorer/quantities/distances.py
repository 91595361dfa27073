"""Distances from a reference, similarity to the cursor, the distance matrix and its histogram."""

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
    data_of_values,
    joined,
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
    def side_by_side(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of several named inputs, for one or two metrics."""
        first = next(iter(named_inputs.values()))
        below = first.options["below"]
        if below in (distance.SECOND_METRIC.default, first.metric):
            return super().side_by_side(named_inputs)
        columns, notes = {}, []
        for metric in (first.metric, below):
            measure_name = distance.measure(metric)
            for name, inputs in named_inputs.items():
                inputs_by_metric = inputs._replace(metric=metric)
                try:
                    data = cls.data(inputs_by_metric)
                    columns[f"{name}, {measure_name}"] = inputs_by_metric, data
                except EncodingError as error:
                    notes.append(f"{name}, {measure_name} is not in the file: {error.fault}.")
        return replace(joined(cls, columns), notes=tuple(notes))

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, reference, metric = inputs.encoding, inputs.reference, inputs.metric
        e.require_rows(reference, reference, "reference")
        is_bound = metric == distance.SCORE_BOUND
        if is_bound and (problem := needs.score_bound(e)):
            raise EncodingError("below", problem, "choose another second metric")
        if not is_bound and (fault := distance.why_undefined(e, reference, metric)):
            row = f"{e.rows.name} {reference:,} has {fault} in {e.display_name()}"
            remedy = f"choose another metric, or another {e.rows.name} to measure from"
            problem = f"{row}, so it has no {distance.measure(metric)}"
            raise EncodingError("reference", problem, remedy)

        def numbers(part: range) -> Floats:
            if is_bound and isinstance(e, Steady):
                return score_bound.from_reference(e, reference, part)
            return distance.from_reference(e, reference, part, metric)

        title = distance.measure(metric, f"{e.rows.name} {reference}")
        return curve(inputs, e.rows.name, title, numbers)


class LikenessToCursor(Quantity):
    """The similarity of each position to the cursor (for some metrics, the distance): (n,)."""

    name = "likeness"
    help = "the similarity of each position to the cursor's position"
    rank = 54
    curve_axis = "positions"

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, position, metric = inputs.encoding, inputs.position, inputs.metric
        e.require_rows(position, position, "position")
        if math.isnan(distance.between(e, position, position, metric)):
            row = f"the row of {e.rows.name} {position:,} in {e.display_name()}"
            problem = f"{row} has no {distance.measure(metric, 'any')}"
            remedy = f"choose another metric, or another {e.rows.name}"
            raise EncodingError("position", problem, remedy)

        def numbers(part: range) -> Floats:
            return likeness.as_likeness(distance.from_reference(e, position, part, metric), metric)

        title = likeness.title(metric, f"{e.rows.name} {position}")
        return curve(inputs, e.rows.name, title, numbers)


class DistanceMatrixRows(Quantity):
    """The distance of each position from every position: (n, n)."""

    name = "matrix"
    help = "the distance of each position from every other position"
    rank = 40
    has_difference = True
    why_not_comparable = staticmethod(why_other_rows)

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.less is not None:
            sizes = [distance.rounding_size(e, inputs.metric) for e in inputs.subject.encodings]
            return subtracted(cls, inputs, max(sizes))
        e, positions, metric = inputs.encoding, inputs.positions, inputs.metric
        distance.between(e, positions[0], positions[0], metric)  # raises for an illegal metric

        def fill(part: range, out: Floats) -> None:
            out[:] = distance.matrix(e, part, positions, metric)

        titles = titled(e.rows.name, lambda: map(str, positions))
        return Data(positions, len(positions), titles, fill)


class DistanceHistogram(Quantity):
    """The edges of each bin of distances, and the share and number of pairs in it: (bins, 4).

    If there are too many pairs, a sample is used.
    """

    name = "distance-histogram"
    help = "the histogram of the distances between all pairs of positions"
    rank = 53
    curve_axis = "bins"

    @classmethod
    def check(cls, inputs: QuantityInput) -> None:
        """Raise `EncodingError` without a pair of rows; skip the distances, which take long."""
        inputs.encoding.require_rows(inputs.positions[0], inputs.positions[-1])
        if len_of(inputs.positions) < 2:
            raise _no_pairs(inputs)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        DistanceHistogram.check(inputs)
        spread = _spread(inputs)
        edges = _edges(inputs, spread)
        shares = spread.shares(edges)
        pairs = np.rint(shares * (spread.pairs - spread.undefined))
        return data_of_values(
            "bin", _TITLES, np.column_stack([edges[:-1], edges[1:], shares, pairs])
        )

    @classmethod
    def side_by_side(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        """Return common bins, and the share of pairs in each bin for every input."""
        spreads = {name: _spread(inputs) for name, inputs in named_inputs.items()}
        edges = _edges(next(iter(named_inputs.values())), *spreads.values())
        shares = [spread.shares(edges) for spread in spreads.values()]
        numbers = np.column_stack([edges[:-1], edges[1:], *shares])
        names = ("from", "to", *spreads)
        return replace(data_of_values("bin", names, numbers), curves=names)


def _spread(inputs: QuantityInput) -> histogram.PairDistances:
    return histogram.spread(inputs.encoding, inputs.positions, inputs.metric, inputs.report)


def _edges(inputs: QuantityInput, *spreads: histogram.PairDistances) -> Floats:
    edges = histogram.edges(spreads)
    if not len(edges):
        raise _no_pairs(inputs)
    return edges


def _no_pairs(inputs: QuantityInput) -> EncodingError:
    e, metric = inputs.encoding, inputs.metric
    measure_name = distance.measure(metric)
    problem = f"no two of these {e.rows.plural} have a finite {measure_name} in {e.display_name()}"
    return EncodingError("positions", problem, "choose more positions, or another metric")
