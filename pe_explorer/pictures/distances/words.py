"""What the pixels of distances are, in words: in the status, and in badges over them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pe_explorer.analysis.distance import measure
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Waves, require_known
from pe_explorer.exploration import Exploration, distinguishing_name
from pe_explorer.params import capitalised
from pe_explorer.pictures.distances.numbers import (
    DistancesNumbers,
    by_second_metric,
    comparable_encodings,
    kind_of_mean,
)
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import why_no_curve
from pe_explorer.pictures.figure import Note

SECOND = "second-curve"
"""The panel of the curve by the second metric."""

_PIXEL_KINDS = {
    "exact means": "mean",
    "roots of mean squares": "root mean square",
    "samples": "middle",
}
"""What one pixel shows, by `kind_of_mean`."""


def badge(state: Exploration, block: int, *, both_ways: bool = False) -> str:
    """Return what a pixel shows of a block of positions; an empty text of a single one."""
    if block == 1:
        return ""
    e = require_known(state.encoding)
    kind = _PIXEL_KINDS[kind_of_mean(e, state.metric)]
    positions = e.rows.counted(block)
    return f"{kind} of {block:,} × {positions}" if both_ways else f"{kind} of {positions}"


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
    unknown = undetermined(state, numbers.curves or _values_of(numbers))
    first = f"{_pixels(state, numbers)}{unknown}{left_out(state, numbers.curves)}"
    second = by_second_metric(state, options)
    below = _below(second[0], numbers, state.metric) if second else ""
    return f"{first}{below}"


def _below(state: Exploration, numbers: DistancesNumbers, above: str) -> str:
    """Return in sentences how the curve by the second metric differs from that by `above`."""
    below, e = numbers.below, require_known(state.encoding)
    assert below is not None
    if below.note == numbers.note and below.note:
        return ""
    if below.note:
        return f" No {measure(state.metric)} below: {below.note}"
    kind = kind_of_mean(e, state.metric)
    is_other = below.curve_block > 1 and kind != kind_of_mean(e, above)
    means = f" {capitalised(kind)} of the {measure(state.metric)} below." if is_other else ""
    lacking = left_out(state, below.curves)
    more = "" if lacking == left_out(replace(state, metric=above), numbers.curves) else lacking
    return f"{means}{undetermined(state, below.curves)}{more}"


def undetermined(state: Exploration, drawn: Sequence[Floats]) -> str:
    """Return how many of the distances drawn first are not determined, or an empty text."""
    if state.metric != "correlation" or not drawn:
        return ""
    shown = drawn[0]
    unknown = int(np.isnan(shown).sum())
    if not isinstance(require_known(state.encoding), Waves) or unknown in (0, shown.size):
        return ""
    return f" {unknown:,} of {shown.size:,} are not determined: their rows are nearly constant."


def _values_of(numbers: DistancesNumbers) -> Sequence[Floats]:
    return (numbers.matrix.values,) if numbers.matrix else ()


def _pixels(state: Exploration, numbers: DistancesNumbers) -> str:
    if numbers.rows is not None:
        return f"Distances: {numbers.note}"
    e = require_known(state.encoding)
    on_curve = numbers.curve_block if numbers.curves else 0
    in_matrix = numbers.matrix.block if numbers.matrix else 0
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


def left_out(state: Exploration, curves: Sequence[Floats]) -> str:
    """Return which pins have no curve, and why."""
    reasons = []
    for pin, curve in zip(state.pins, curves[1:], strict=False):
        if not np.isfinite(curve).any():
            why = why_no_curve(state, pin.encoding)
            name = distinguishing_name(pin, state.encoding)
            reasons.append(f"{name} ({why})")
    return f" Not drawn: {'; '.join(reasons)}." if reasons else ""
