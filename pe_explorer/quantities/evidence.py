"""The evidence for what an encoding is wished to have."""

import math
from dataclasses import replace

from pe_explorer.analysis import wishes
from pe_explorer.analysis.wishes import Evidence as Found
from pe_explorer.progress import no_report
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, known


def numbers_in(found: Found) -> dict[str, float | None]:
    """Return each number of the evidence by what it is, None where there is none."""
    _, extremes, longer, repeated, closest, growth, residual = found
    return {
        "least number": extremes.low.value if extremes else None,
        "greatest number": extremes.high.value if extremes else None,
        "largest change in a text twice as long": longer[1].value if longer else None,
        "largest difference when made twice": repeated,
        "distance of the closest pair": closest.distance if closest else None,
        "first of the closest pair": closest.first if closest else None,
        "second of the closest pair": closest.second if closest else None,
        "steps away from the reference": growth.steps if growth else None,
        "steps at which the distance grows": growth.growing if growth else None,
        "first position that is no farther": growth.first_exception if growth else None,
        "largest residual of moving by 1": residual.value if residual else None,
    }


class MeasuredEvidence(Quantity):
    """What was measured for each wish, nan where there is no number: (wishes,)."""

    name = "evidence"
    help = "what was measured of the properties that an encoding is wished to have"
    rank = 59
    curve_axis = "wishes"

    @classmethod
    def check(cls, asked: QuantityInput) -> None:
        """Raise `EncodingError` where no position has a row; to measure takes long."""
        if not _measured(asked):
            first, last = sorted((asked.positions[0], asked.positions[-1]))
            asked.encoding.require_rows(first, last)

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        MeasuredEvidence.check(asked)
        e, progress = asked.encoding, asked.report or no_report
        found = wishes.measure(e, _measured(asked), asked.reference, asked.metric, progress)
        numbers = numbers_in(found)
        values = [math.nan if number is None else number for number in numbers.values()]
        notes: tuple[str, ...] = ()
        if abs(asked.positions.step) != 1:
            notes = (f"Evidence compares neighbouring {e.rows.plural}, so the step is ignored.",)
        return replace(known("evidence", (e.name,), values), labels=tuple(numbers), notes=notes)


def _measured(asked: QuantityInput) -> range:
    first, last = sorted((asked.positions[0], asked.positions[-1]))
    shown = range(first, last + 1)
    return wishes.measurable(asked.encoding, shown, asked.reference, asked.metric)
