"""Distances from a reference, similarity to the cursor, the distance matrix and its histogram."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pe_explorer.analysis import distance, histogram, likeness, score_bound
from pe_explorer.analysis.comparison import explain_different_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError, Steady, needs
from pe_explorer.numeric.positions import count_positions
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    join_curves,
    make_curve_data,
    make_value_data,
    subtract,
)


class DistancesFromReference(Quantity):
    """The distance of each position from the reference: (n,)."""

    name = "distances"
    rank = 20
    curve_axis = "positions"
    options = {"below": distance.SECOND_METRIC}
    view = "distances"

    @classmethod
    def join_data(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        first_inputs = next(iter(named_inputs.values()))
        second_metric = first_inputs.options["below"]
        if second_metric in (distance.SECOND_METRIC.default, first_inputs.metric):
            return super().join_data(named_inputs)
        columns, notes = {}, []
        for metric in (first_inputs.metric, second_metric):
            for name, inputs in named_inputs.items():
                title = f"{name}, {distance.measure(metric)}"
                column_inputs = inputs._replace(metric=metric)
                try:
                    columns[title] = column_inputs, cls.data(column_inputs)
                except EncodingError as error:
                    notes.append(f"{title} is not in the file: {error.fault}.")
        return replace(join_curves(cls, columns), notes=tuple(notes))

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, reference, metric = inputs.encoding, inputs.reference, inputs.metric
        e.require_rows(reference, reference, "reference")
        is_bound = metric == distance.SCORE_BOUND
        if is_bound and (problem := needs.score_bound(e)):
            raise EncodingError("below", problem, "choose another second metric")
        if not is_bound and (fault := distance.explain_undefined_distance(e, reference, metric)):
            row = f"{e.rows.name} {reference:,} has {fault} in {e.format_name()}"
            problem = f"{row}, so it has no {distance.measure(metric)}"
            remedy = f"choose another metric, or another {e.rows.name} to measure from"
            raise EncodingError("reference", problem, remedy)

        def compute(part: range) -> Floats:
            if is_bound and isinstance(e, Steady):
                return score_bound.from_reference(e, reference, part)
            return distance.from_reference(e, reference, part, metric)

        title = distance.measure(metric, f"{e.rows.name} {reference}")
        return make_curve_data(inputs, e.rows.name, title, compute)


class SimilarityToCursor(Quantity):
    """The similarity of each position to the cursor (a distance for some metrics): (n,)."""

    name = "likeness"
    rank = 54
    curve_axis = "positions"

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, position, metric = inputs.encoding, inputs.position, inputs.metric
        e.require_rows(position, position, "position")
        if math.isnan(distance.between(e, position, position, metric)):
            row = f"the row of {e.rows.name} {position:,} in {e.format_name()}"
            problem = f"{row} has no {distance.measure(metric, 'any')}"
            remedy = f"choose another metric, or another {e.rows.name}"
            raise EncodingError("position", problem, remedy)

        def compute(part: range) -> Floats:
            distances = distance.from_reference(e, position, part, metric)
            return likeness.to_similarity(distances, metric)

        title = likeness.title(metric, f"{e.rows.name} {position}")
        return make_curve_data(inputs, e.rows.name, title, compute)


class DistanceMatrixRows(Quantity):
    """The distance of each position from every other position: (n, n)."""

    name = "matrix"
    rank = 40
    has_difference = True
    explain_mismatch = staticmethod(explain_different_rows)

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        e, positions, metric = inputs.encoding, inputs.positions, inputs.metric
        if inputs.subject.subtrahend is not None:
            sizes = [distance.compute_rounding_size(e, metric) for e in inputs.subject.encodings]
            return subtract(cls, inputs, max(sizes))
        distance.between(e, positions[0], positions[0], metric)  # raises if the metric is unknown

        def fill(part: range, out: Floats) -> None:
            out[:] = distance.matrix(e, part, positions, metric)

        return Data(positions, len(positions), e.rows.name, lambda: map(str, positions), fill)


class DistanceHistogram(Quantity):
    """The histogram of the distances between all pairs of positions: (bins, 4).

    Each row has the edges of a bin, and the share and the number of pairs in the bin. If there are
    too many pairs, a sample is used.
    """

    name = "distance-histogram"
    rank = 53
    curve_axis = "bins"

    @classmethod
    def check(cls, inputs: QuantityInput) -> None:
        inputs.encoding.require_rows(inputs.positions[0], inputs.positions[-1])
        if count_positions(inputs.positions) < 2:
            raise _make_no_pairs_error(inputs)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        DistanceHistogram.check(inputs)
        distances = _measure_all_pairs(inputs)
        edges = _compute_bin_edges(inputs, distances)
        shares = distances.shares(edges)
        pairs = np.rint(shares * (distances.pairs - distances.undefined_count))
        values = np.column_stack([edges[:-1], edges[1:], shares, pairs])
        return make_value_data("bin", ("from", "to", "share of pairs", "pairs"), values)

    @classmethod
    def join_data(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        distances = [_measure_all_pairs(inputs) for inputs in named_inputs.values()]
        edges = _compute_bin_edges(next(iter(named_inputs.values())), *distances)
        shares = [part.shares(edges) for part in distances]
        values = np.column_stack([edges[:-1], edges[1:], *shares])
        names = ("from", "to", *named_inputs)
        return replace(make_value_data("bin", names, values), curves=names)


def _measure_all_pairs(inputs: QuantityInput) -> histogram.PairDistances:
    return histogram.spread(inputs.encoding, inputs.positions, inputs.metric, inputs.report)


def _compute_bin_edges(inputs: QuantityInput, *distances: histogram.PairDistances) -> Floats:
    edges = histogram.edges(distances)
    if not len(edges):
        raise _make_no_pairs_error(inputs)
    return edges


def _make_no_pairs_error(inputs: QuantityInput) -> EncodingError:
    e, measure = inputs.encoding, distance.measure(inputs.metric)
    problem = f"no two of these {e.rows.plural} have a finite {measure} in {e.format_name()}"
    return EncodingError("positions", problem, "choose more positions, or another metric")
