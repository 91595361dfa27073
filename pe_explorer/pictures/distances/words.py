"""What distances say: what their pixels are, how far the cursor is, and how a table gives them."""

import math
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace

import numpy as np

from pe_explorer.analysis import distance, score_bound
from pe_explorer.analysis.distance import METRICS, SECOND_METRIC, measure
from pe_explorer.analysis.ranges import Ranges
from pe_explorer.arrays import Floats
from pe_explorer.encodings import (
    Encoding,
    EncodingError,
    Steady,
    Waves,
    reads_a_file,
    require_known,
)
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration, distinguishing_name
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.distances.numbers import (
    DistancesNumbers,
    comparable_encodings,
    kind_of_mean,
    pairs_cost,
)
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import why_no_curve
from pe_explorer.pictures.figure import Band, Figure, Note
from pe_explorer.pictures.inspection import Inspection, Value

SECOND = "second-curve"
"""The panel of the curve by the second metric."""

_PIXEL_KINDS = {
    "exact means": "mean",
    "roots of mean squares": "root mean square",
    "samples": "middle",
}
"""What one pixel shows, by `kind_of_mean`."""


def badge(state: Exploration, metric: str, block: int, *, both_ways: bool = False) -> str:
    """Return what a pixel shows of a block of positions; an empty text of a single one."""
    if block == 1:
        return ""
    e = require_known(state.encoding)
    kind = _PIXEL_KINDS[kind_of_mean(e, metric)]
    positions = e.rows.counted(block)
    return f"{kind} of {block:,} × {positions}" if both_ways else f"{kind} of {positions}"


def badge_of_curves(
    state: Exploration, metric: str, block: int, bands: Sequence[Ranges | Band | None]
) -> str:
    """Return what a point of a curve shows of a block of positions, and of its band."""
    found = badge(state, metric, block)
    kinds = {band.exact for band in bands if band}
    if not kinds:
        return found
    positions = require_known(state.encoding).rows.counted(block)
    return f"least to greatest of {positions}" if all(kinds) else f"{found}, within proven bounds"


def note(sentence: str, rows: range | None, metric: str) -> Note | None:
    """Return why there is no curve, and what leads to one: other rows, or another metric."""
    if not sentence:
        return None
    if rows is not None:
        return Note(sentence, "Show its rows", rows=rows)
    offer = f"Use {measure(metric)}" if metric else ""
    return Note(sentence, offer, metric=metric)


def note_of_two(first: Note | None, numbers: DistancesNumbers) -> Note | None:
    """Return why a curve is missing by one metric or by both, over its panel.

    `first` is the reason for the first metric.
    """
    below = numbers.below
    if below is None or (first and below.note):
        return first
    if first:
        return first._replace(panel="curve")
    return Note(below.note, panel=SECOND) if below.note else None


def status(state: Exploration, options: DistancesOptions, numbers: DistancesNumbers) -> str:
    """Return in sentences what the pixels are, and which pins are left out."""
    metric, second = state.metric, options.second_metric
    drawn = numbers.curves or ((numbers.matrix.values,) if numbers.matrix else ())
    unknown = undetermined(state, metric, drawn)
    first = f"{_pixels(state, numbers)}{unknown}{left_out(state, metric, numbers.curves)}"
    below = _below(state, numbers, second) if second else ""
    return f"{first}{below}"


def _below(state: Exploration, numbers: DistancesNumbers, metric: str) -> str:
    """Return in sentences how the curve by the second metric differs from the first one."""
    below, e = numbers.below, require_known(state.encoding)
    assert below is not None
    if below.note == numbers.note and below.note:
        return ""
    if below.note:
        return f" No {measure(metric)} below: {below.note}"
    kind = kind_of_mean(e, metric)
    is_other = below.curve_block > 1 and kind != kind_of_mean(e, state.metric)
    means = f" {capitalised(kind)} of the {measure(metric)} below." if is_other else ""
    lacking = left_out(state, metric, below.curves)
    more = "" if lacking == left_out(state, state.metric, numbers.curves) else lacking
    return f"{means}{undetermined(state, metric, below.curves)}{more}"


def undetermined(state: Exploration, metric: str, drawn: Sequence[Floats]) -> str:
    """Return how many of the distances drawn first are not determined, or an empty text."""
    if metric != "correlation" or not drawn:
        return ""
    shown = drawn[0]
    unknown = int(np.isnan(shown).sum())
    if not isinstance(require_known(state.encoding), Waves) or unknown in (0, shown.size):
        return ""
    return f" {unknown:,} of {shown.size:,} are not determined: their rows are nearly constant."


def _pixels(state: Exploration, numbers: DistancesNumbers) -> str:
    if numbers.rows is not None:
        return f"Distances: {numbers.note}"
    e = require_known(state.encoding)
    on_curve = numbers.curve_block if numbers.curves else 0
    in_matrix = numbers.block if numbers.matrix else 0
    if on_curve <= 1 and in_matrix <= 1:
        return f"Distances: every {e.rows.name} is shown."
    current = kind_of_mean(e, state.metric)
    square = f"{in_matrix:,} × {e.rows.counted(in_matrix)}"
    of_matrix = f"of {square} for each pixel of the matrix"
    if not on_curve:
        return f"Distances: {current} {of_matrix}."
    if on_curve == 1:
        return f"Distances: every {e.rows.name} is on the curve; {current} {of_matrix}."
    of_curve = f"of {e.rows.counted(on_curve)} for each pixel of the curve"
    both = f"{of_curve}, {of_matrix}" if in_matrix else of_curve
    of_pins = _means_of_pins(state, current)
    return f"Distances: {current} {both}.{of_pins}"


def _means_of_pins(state: Exploration, current: str) -> str:
    """Return what stands for many positions on the curves of pins, where that differs."""
    _, *pins = comparable_encodings(state)
    kinds = Counter(kind_of_mean(e, state.metric) for e in pins)
    if not kinds.keys() - {current}:
        return ""
    counts = ", ".join(f"{count} of {kind}" for kind, count in kinds.items())
    return f" Curves of pins: {counts}."


def left_out(state: Exploration, metric: str, curves: Sequence[Floats]) -> str:
    """Return which pins have no curve, and why."""
    reasons = []
    for pin, curve in zip(state.pins, curves[1:], strict=False):
        if not np.isfinite(curve).any():
            why = why_no_curve(state, pin.encoding, metric)
            name = distinguishing_name(pin, state.encoding)
            reasons.append(f"{name} ({why})")
    return f" Not drawn: {'; '.join(reasons)}." if reasons else ""


# -- the cursor ------------------------------------------------------------------------------------


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


def inspect(
    state: Exploration, options: DistancesOptions, cancelled: threading.Event
) -> Inspection:
    """Return the distance of the cursor from the second position, and from the reference.

    The latter is there by the second metric, too, if one is drawn.
    """
    e, other_metric = require_known(state.encoding), options.second_metric
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
    if metric == distance.SCORE_BOUND:
        if not isinstance(e, Steady) or needs.score_bound(e):
            return ()
        bound = score_bound.from_reference(
            e, state.reference, range(state.position, state.position + 1)
        )
        name, text = capitalised(measure(metric)), repr(float(bound[0]))
    else:
        text, _ = _measured(e, replace(state, metric=metric), state.reference, cancelled)
        name = f"{_FROM_REFERENCE} by the {measure(metric)}"
    return (Value(name, text, _SECOND_METRIC_HELP.format(SECOND_METRIC.choices[metric])),)


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
    if distance.base_of(state.metric) == "cosine":
        what = measure(state.metric)
        return _UNDEFINED, f"A row of zeros has no direction, so there is no {what}."
    return _UNDEFINED, "The numbers of the rows are too large, or not finite."


def _brief(text: str) -> str:
    return text if text in (_UNDEFINED, _UNDETERMINED) else printed.fine(float(text))


# -- expressions of NumPy --------------------------------------------------------------------------


_SIMILARITY = "table @ {row} / np.linalg.norm(table, axis=1) / np.linalg.norm({row})"
_FROM_ROW = {
    "cosine": f"1 - {_SIMILARITY}",
    "similarity": _SIMILARITY,
    "dot": "table @ {row}",
    "normalised-dot": "table @ {row} * 2 / table.shape[1]",
    "euclidean": "np.linalg.norm(table - {row}, axis=1)",
    "sse": "((table - {row}) ** 2).sum(axis=1)",
    "manhattan": "np.abs(table - {row}).sum(axis=1)",
    "chebyshev": "np.abs(table - {row}).max(axis=1)",
    "correlation": "1 - np.array([np.corrcoef(each, {row})[0, 1] for each in table])",
}
"""The distances of all rows of a table from one row, by metric."""

_LEAST_DISTANCE = 1e-6  # smaller distances lose their digits in these expressions


def formula_of(
    state: Exploration, second_metric: str, figure: Figure
) -> Mapping[str, tuple[str, ...]]:
    """Return how curves and matrix follow from the table of the positions shown, by their names."""
    metrics = {"curve": state.metric, SECOND: second_metric}
    found = {}
    for name, metric in metrics.items():
        panel = figure.panel(name)
        if panel and state.reference in state.positions and metric in _FROM_ROW:
            found[name] = tuple(
                _FROM_ROW[metric]
                .format(row=f"table[{state.reference - state.start}]")
                .replace("table", f"pin_{number}" if number else "table")
                if state.count > 1 and _has_digits(curve.y, state.count)
                else ""
                for number, curve in enumerate(panel.curves)
            )
    matrix = figure.panel("matrix")
    if matrix and matrix.cells and _has_digits(matrix.cells.values, state.count, state.count):
        from_row = _FROM_ROW[state.metric].format(row="row")
        found["matrix"] = (f"np.array([{from_row} for row in table])",)
    return found


def _has_digits(distances: Floats, *shape: int) -> bool:
    """Return whether all are shown and finite, and the largest is not lost in rounding."""
    is_whole = distances.shape == shape and np.isfinite(distances).all()
    return bool(is_whole) and float(np.abs(distances).max()) > _LEAST_DISTANCE
