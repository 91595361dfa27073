"""What the distances say of the cursor: how far it is from a second position and the reference."""

import math
import threading
from concurrent.futures import CancelledError
from dataclasses import replace

from pe_explorer.analysis import distance
from pe_explorer.analysis.distance import METRICS, measure
from pe_explorer.encodings import Encoding, EncodingError, reads_a_file, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.distances.numbers import pairs_cost
from pe_explorer.pictures.inspection import Inspection, Value

MAIN = "d(p, q)"
_FROM_REFERENCE = "d(p, r)"
_DISTANCE_HELP = "Distance of the rows of the two {}, with all digits that float64 has."
_REFERENCE_HELP = "Distance of the row of the cursor from that of the reference, with all digits."
_SECOND_METRIC_HELP = "The same by the second metric, which is drawn below: {}."
_METRIC_HELP = "How the distances are measured: {}."
_OFFSET_HELP = "How far the second {} is after the first."
_UNDEFINED, _UNDETERMINED = "undefined", "not determined"
_ROUNDED_AWAY = (
    "The numbers of a row are so nearly equal that rounding decides, "
    "so the correlation is not determined."
)
_ONE_ROW = (1, 1)  # a block of one row


def inspect(state: Exploration, other_metric: str, cancelled: threading.Event) -> Inspection:
    """Return the distance of the cursor from the second position, and from the reference.

    The latter is there by another metric, too, if that is not an empty text.
    """
    e = require_known(state.encoding)
    of_two, lack = _measured(e, state, state.second, cancelled)
    of_reference, lack_of_reference = _measured(e, state, state.reference, cancelled)
    second = _by_other_metric(e, state, other_metric, cancelled)
    offset = state.second - state.position
    metric_help = _METRIC_HELP.format(METRICS[state.metric])
    values = (
        Value(MAIN, of_two, _DISTANCE_HELP.format(e.rows.plural)),
        Value(_FROM_REFERENCE, of_reference, _REFERENCE_HELP),
        *second,
        Value("Metric", measure(state.metric), metric_help),
        Value("q − p", str(offset), _OFFSET_HELP.format(e.rows.name)),
    )
    from_reference = f"{distance.joined(state.metric)} r"
    distances = {measure(state.metric, "q"): of_two, from_reference: of_reference}
    distances |= {measure(other_metric, "r"): value.text for value in second}
    brief = tuple(f"{name} {_brief(text)}" for name, text in distances.items())
    return Inspection(values, lack=lack or lack_of_reference, brief=brief)


def takes_long_to_inspect(state: Exploration, other_metric: str = "") -> bool:
    """Return whether the distances take longer than a frame, or read a file."""
    e = state.encoding
    if not isinstance(e, Encoding):
        return False
    cost = 2 * pairs_cost(e, state.metric, _ONE_ROW, _ONE_ROW)
    if other_metric:
        cost += pairs_cost(e, other_metric, _ONE_ROW, _ONE_ROW)
    return takes_long(cost)


def _by_other_metric(
    e: Encoding, state: Exploration, metric: str, cancelled: threading.Event
) -> tuple[Value, ...]:
    """Return the distance from the reference by a metric, if it has a name."""
    if not metric:
        return ()
    text, _ = _measured(e, replace(state, metric=metric), state.reference, cancelled)
    name = f"{_FROM_REFERENCE} by the {measure(metric)}"
    return (Value(name, text, _SECOND_METRIC_HELP.format(METRICS[metric])),)


def distance_of_two(state: Exploration) -> float | None:
    """Return how far the two positions of the cursor are apart, None if that is not known soon."""
    e = state.encoding
    if not isinstance(e, Encoding) or takes_long_to_inspect(state) or reads_a_file(e):
        return None
    try:
        found = distance.between(e, state.position, state.second, state.metric)
    except EncodingError:  # no row there
        return None
    return found if math.isfinite(found) else None


def _measured(
    e: Encoding, state: Exploration, other: int, cancelled: threading.Event
) -> tuple[str, str]:
    """Return the distance of a position from the cursor as text, and why there is none."""
    if cancelled.is_set():
        raise CancelledError
    try:
        measured = distance.between(e, state.position, other, state.metric)
    except EncodingError as error:  # no row there, or its file is gone
        return _UNDEFINED, error.sentence
    if math.isfinite(measured):
        return repr(measured), ""
    if distance.is_undetermined(e, state.position, other, state.metric):
        return _UNDETERMINED, _ROUNDED_AWAY
    if state.metric == "correlation":
        return _UNDEFINED, "A row of equal numbers correlates with nothing."
    if state.metric == "cosine":
        return _UNDEFINED, "A row of zeros has no direction, so there is no cosine distance."
    return _UNDEFINED, "The numbers of the rows are too large, or not finite."


def _brief(text: str) -> str:
    return text if text in (_UNDEFINED, _UNDETERMINED) else printed.fine(float(text))
