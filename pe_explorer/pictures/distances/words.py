"""Facts about distances, values at the cursor, and NumPy expressions."""

import math
import threading
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np

from pe_explorer.analysis import distance, score_bound
from pe_explorer.analysis.distance import METRICS, SECOND_METRIC, measure
from pe_explorer.analysis.histogram import PairDistances
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, Steady, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration, make_distinguishing_name
from pe_explorer.params import capitalise
from pe_explorer.pictures.distances.numbers import (
    DistancesNumbers,
    find_mean_kind,
    list_comparable_encodings,
)
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.progress import CancelledError
from pe_explorer.words import FACTS, Facts, register_fact, require, require_fact
from pe_explorer.words.texts import Wording

SECOND_PANEL = "second-curve"  # name of the panel for the second metric

FACTS |= {
    "measure": lambda facts: measure(facts.state.metric),
    "joined": lambda facts: distance.choose_preposition(facts.state.metric),
    "metric_means": lambda facts: METRICS[facts.state.metric],
    "second_measure": lambda facts: measure(facts.options.below),
    "second_means": lambda facts: SECOND_METRIC.choices[facts.options.below],
    # Facts about the histogram; its distances are in ascending order.
    "greatest_distance": lambda facts: float(_find_pairs(facts).distances[-1]),
    "farthest_pair": lambda facts: (
        f"{_find_pairs(facts).earlier_positions[-1]:,} and "
        f"{_find_pairs(facts).later_positions[-1]:,}"
    ),
}


def _find_pairs(facts: Facts) -> PairDistances:
    return require_fact(require_fact(facts.cast_numbers(DistancesNumbers).histogram).current_pairs)


@register_fact
def left_out(facts: Facts) -> list[SimpleNamespace]:
    """Return the name of each pin without distances, and the reason for their absence."""
    reasons = facts.cast_numbers(DistancesNumbers).missing_reasons
    return [
        SimpleNamespace(name=make_distinguishing_name(facts.state, pin), why=why)
        for pin, why in zip(facts.state.pins, reasons, strict=False)
        if why
    ]


@register_fact
def pin_kinds(facts: Facts) -> str:
    """Return how the pins combine positions, if a pin differs from the current encoding."""
    numbers = facts.cast_numbers(DistancesNumbers)
    require(numbers.curves and numbers.curve_block > 1)
    encodings = list_comparable_encodings(facts.state)
    current, *pins = (find_mean_kind(e, facts.state.metric) for e in encodings)
    require(set(pins) - {current})
    return ", ".join(f"{kind} ({count})" for kind, count in Counter(pins).items())


# -- the cursor ------------------------------------------------------------------------------------


def inspect(
    wording: Wording, state: Exploration, options: DistancesOptions, cancellation: threading.Event
) -> Inspection:
    """Return the cursor's distances from the second position and, in each metric, the reference."""
    e, first, second = require_known(state.encoding), state.metric, options.second_metric
    requests = {"of_two": (state.second, first), "of_reference": (state.reference, first)}
    if second and not (second == distance.SCORE_BOUND and needs.score_bound(e)):
        requests["of_second_metric"] = state.reference, second
    facts, missing_reason = SimpleNamespace(offset=state.second - state.position), ""
    for name, (position, metric) in requests.items():
        if cancellation.is_set():
            raise CancelledError
        number, text, why = measure_distance(e, state.position, position, metric)
        setattr(facts, name, number)
        setattr(facts, f"no_{name}", text)
        missing_reason = missing_reason or why
    return make_inspection(wording.with_item(facts))._replace(missing_reason=missing_reason)


def measure_distance(e: Encoding, position: int, other: int, metric: str) -> tuple[float, str, str]:
    """Return a distance, the text to show if it is undefined, and the reason.

    The text and the reason are empty if the distance is defined.
    """
    try:
        if metric == distance.SCORE_BOUND and isinstance(e, Steady):
            number = float(score_bound.from_reference(e, other, range(position, position + 1))[0])
        else:
            number = distance.between(e, position, other, metric)
    except EncodingError as error:  # the row does not exist, or a file is missing
        return math.nan, "undefined", error.sentence
    if math.isfinite(number):
        return number, "", ""
    if distance.is_undetermined(e, position, other, metric):
        why = "The values of a row are almost equal"
        return number, "not determined", f"{why}, so rounding error dominates the correlation."
    for row in (position, other):
        if why := distance.explain_undefined_distance(e, row, metric):
            reason = f"{capitalise(e.rows.name)} {row:,} has {why}"
            return number, "undefined", f"{reason}, so it has no {measure(metric)}."
    return number, "undefined", "The values of the rows are too large to compare."


# -- expressions of NumPy --------------------------------------------------------------------------

_SIMILARITY_CODE = "table @ {row} / np.linalg.norm(table, axis=1) / np.linalg.norm({row})"
_EXPRESSIONS = {
    "cosine": f"1 - {_SIMILARITY_CODE}",
    "similarity": _SIMILARITY_CODE,
    "dot": "table @ {row}",
    "normalised-dot": "table @ {row} * 2 / table.shape[1]",
    "euclidean": "np.linalg.norm(table - {row}, axis=1)",
    "sse": "((table - {row}) ** 2).sum(axis=1)",
    "manhattan": "np.abs(table - {row}).sum(axis=1)",
    "chebyshev": "np.abs(table - {row}).max(axis=1)",
    "correlation": "1 - np.array([np.corrcoef(each, {row})[0, 1] for each in table])",
}  # NumPy expressions for the distances from one row to each row of a table, by metric

_MIN_DISTANCE = 1e-6  # the expressions are inaccurate for smaller distances


def make_expressions(
    state: Exploration, second_metric: str, figure: Figure
) -> Mapping[str, tuple[str, ...]]:
    """Return NumPy expressions for the curves and the matrix, by panel name."""
    expressions = {}
    for name, metric in {"curve": state.metric, SECOND_PANEL: second_metric}.items():
        panel = figure.panel(name)
        if panel and state.reference in state.positions and metric in _EXPRESSIONS:
            row = f"table[{state.reference - state.start}]"
            expression = _EXPRESSIONS[metric].format(row=row)
            expressions[name] = tuple(
                expression.replace("table", f"pin_{number}" if number else "table")
                if state.count > 1 and _is_accurate(curve.y, state.count)
                else ""
                for number, curve in enumerate(panel.curves)
            )
    matrix = figure.panel("matrix")
    if matrix and matrix.cells and _is_accurate(matrix.cells.values, state.count, state.count):
        expression = _EXPRESSIONS[state.metric].format(row="row")
        expressions["matrix"] = (f"np.array([{expression} for row in table])",)
    return expressions


def _is_accurate(distances: Floats, *shape: int) -> bool:
    is_complete = distances.shape == shape and np.isfinite(distances).all()
    return bool(is_complete) and float(np.abs(distances).max()) > _MIN_DISTANCE
