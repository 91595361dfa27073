"""Measurements of the desirable properties of an encoding."""

import math
from dataclasses import replace

from pe_explorer.analysis import wishes
from pe_explorer.analysis.wishes import Evidence as PropertyEvidence
from pe_explorer.progress import ignore_progress
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, make_value_data


def collect_evidence_values(evidence: PropertyEvidence) -> dict[str, float | None]:
    """Return each value of the evidence by its description, or None if the value is missing."""
    _, extremes, longer_text, repetition, closest_pair, growth, residual = evidence
    change = longer_text[1].value if longer_text else None
    first_exception = growth.first_exception if growth else None
    return {
        "least number": extremes.low.value if extremes else None,
        "greatest number": extremes.high.value if extremes else None,
        "largest change of a value when the text length doubles": change,
        "largest difference when made twice": repetition,
        "smallest distance between two positions": closest_pair.distance if closest_pair else None,
        "first of the two closest positions": closest_pair.first if closest_pair else None,
        "second of the two closest positions": closest_pair.second if closest_pair else None,
        "steps away from the reference": growth.steps if growth else None,
        "steps at which the distance grows": growth.growing_steps if growth else None,
        "first position that is no farther than the previous position": first_exception,
        "largest residual of a shift by 1": residual.value if residual else None,
    }


class MeasuredEvidence(Quantity):
    """The measurements of desirable properties of an encoding: (measurements,).

    Missing measurements are nan.
    """

    name = "evidence"
    rank = 59
    curve_axis = "wishes"

    @classmethod
    def check(cls, inputs: QuantityInput) -> None:
        if not _find_measurable_positions(inputs):
            first, last = sorted((inputs.positions[0], inputs.positions[-1]))
            inputs.encoding.require_rows(first, last)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        MeasuredEvidence.check(inputs)
        e, progress = inputs.encoding, inputs.report or ignore_progress
        positions = _find_measurable_positions(inputs)
        evidence = wishes.measure(e, positions, inputs.reference, inputs.metric, progress)
        numbers = collect_evidence_values(evidence)
        values = [math.nan if number is None else number for number in numbers.values()]
        notes: tuple[str, ...] = ()
        if abs(inputs.positions.step) != 1:
            notes = (f"Evidence compares neighbouring {e.rows.plural}, so the step is ignored.",)
        data = make_value_data("evidence", (e.name,), values)
        return replace(data, labels=tuple(numbers), notes=notes)


def _find_measurable_positions(inputs: QuantityInput) -> range:
    first, last = sorted((inputs.positions[0], inputs.positions[-1]))
    positions = range(first, last + 1)
    settings = positions, inputs.reference, inputs.metric
    return wishes.find_measurable_positions(inputs.encoding, *settings)
