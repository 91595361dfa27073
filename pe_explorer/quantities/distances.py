"""Distances from one position."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from pe_explorer.analysis import distance, score_bound
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError, Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.params import Parameter
from pe_explorer.quantities._base import Asked, Data, Quantity, joined, titled

_UNDEFINED_ROWS = {"cosine": "only zeros", "correlation": "the same number in every column"}
"""The content of a row of finite numbers that has no distance by a metric."""


class DistancesFromReference(Quantity):
    """The distance of each position from the reference: (n,)."""

    name: ClassVar[str] = "distances"
    help: ClassVar[str] = "the distance of each position from the reference"
    rank: ClassVar[int] = 20
    over: ClassVar[str] = "positions"

    options: ClassVar[Mapping[str, Parameter]] = {"below": distance.SECOND_METRIC}
    view: ClassVar[str] = "distances"

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
        """Return the distances, shape (n,)."""
        e, reference, metric = asked.encoding, asked.reference, asked.metric
        e.require_rows(reference, reference, "reference")
        is_bound = metric == distance.SCORE_BOUND
        if is_bound and (problem := needs.score_bound(e)):
            raise EncodingError("below", problem, "choose another second metric")
        if not is_bound and math.isnan(distance.between(e, reference, reference, metric)):
            finite = np.isfinite(e.table([reference])).all()
            numbers = (
                _UNDEFINED_ROWS[distance.base_of(metric)]
                if finite
                else "numbers that are not finite"
            )
            row = f"{e.rows.name} {reference:,} has {numbers} in {e.called()}"
            remedy = f"choose another metric, or another {e.rows.name} to measure from"
            problem = f"{row}, so it has no {distance.measure(metric)}"
            raise EncodingError("reference", problem, remedy)

        def fill(part: range, out: Floats) -> None:
            if is_bound and isinstance(e, Waves):
                out[:] = score_bound.from_reference(e, reference, part)
            else:
                out[:] = distance.from_reference(e, reference, part, metric)

        what = distance.measure(metric, f"{e.rows.name} {reference}")
        titles = titled(e.rows.name, lambda: (what,))
        return Data(asked.positions, None, titles, fill)
