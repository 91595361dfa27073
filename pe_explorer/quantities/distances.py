"""Distances from one position."""

from collections.abc import Mapping
from dataclasses import replace

from pe_explorer.analysis import distance, score_bound
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError, Steady, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, curve, joined


class DistancesFromReference(Quantity):
    """The distance of each position from the reference: (n,)."""

    name = "distances"
    help = "the distance of each position from the reference"
    rank = 20
    over = "positions"

    options = {"below": distance.SECOND_METRIC}
    view = "distances"

    @classmethod
    def side_by_side(cls, asked: Mapping[str, Asked]) -> Data:
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
    def data(asked: Asked) -> Data:
        e, reference, metric = asked.encoding, asked.reference, asked.metric
        e.require_rows(reference, reference, "reference")
        is_bound = metric == distance.SCORE_BOUND
        if is_bound and (problem := needs.score_bound(e)):
            raise EncodingError("below", problem, "choose another second metric")
        if not is_bound and (what := distance.why_undefined(e, reference, metric)):
            row = f"{e.rows.name} {reference:,} has {what} in {e.called()}"
            remedy = f"choose another metric, or another {e.rows.name} to measure from"
            problem = f"{row}, so it has no {distance.measure(metric)}"
            raise EncodingError("reference", problem, remedy)

        def numbers(part: range) -> Floats:
            if is_bound and isinstance(e, Steady):
                return score_bound.from_reference(e, reference, part)
            return distance.from_reference(e, reference, part, metric)

        what = distance.measure(metric, f"{e.rows.name} {reference}")
        return curve(asked, e.rows.name, what, numbers)
