"""Facts about distances between rows, in the metric of the exploration."""

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.arrays import Bools, Floats
from pe_explorer.words.facts import (
    FACTS,
    MAX_VALUES,
    Facts,
    find_distinct_maximum,
    register_fact,
    require,
)

_EXACT_COST = 16  # cost of computing an exact frequency, relative to a value in a table
_ROUNDING_PER_ROW = 1e-12  # rounding error of a distance, relative to the largest distance

FACTS |= {
    "next_distance": lambda facts: _compute_distance_at(facts, 1, facts.state.metric),
    # similarity of the reference with itself; the dot product if the metric is a distance
    "self_product": lambda facts: _compute_distance_at(
        facts, 0, facts.state.metric if distance.is_similarity(facts.state.metric) else "dot"
    ),
    # distance or similarity of neighbouring rows, if equal for all neighbours
    "next_anywhere": lambda facts: _compute_common_distance(facts, similarity=False),
    "next_product": lambda facts: _compute_common_distance(facts, similarity=True),
    # largest and smallest value of the curve, and the first rows with these values
    "largest_distance": lambda facts: float(np.nanmax(_curve(facts))),
    "largest_row": lambda facts: facts.shown_rows[int(np.nanargmax(_curve(facts)))],
    "smallest_product": lambda facts: float(np.nanmin(_curve(facts))),
    "smallest_row": lambda facts: facts.shown_rows[int(np.nanargmin(_curve(facts)))],
    "nearest_neighbours": lambda facts: float(facts.neighbours.min()),
    "farthest_neighbours": lambda facts: find_distinct_maximum(facts.neighbours),
    # number of steps from the reference to the farther end, and how many decrease the distance
    "steps": lambda facts: len(_measure_farther_side(facts)[2]),
    "falls": lambda facts: int(_measure_farther_side(facts)[2].sum()),
    # the row after which the distance first decreases, and its distance from the reference
    "peak_row": lambda facts: _find_peak(facts)[0],
    "peak_distance": lambda facts: _find_peak(facts)[1],
}


@register_fact
def cursor_distance(facts: Facts) -> float:
    """Return the distance between the cursor's position and the reference."""
    facts.require_few_numbers(facts.e.width)
    state = facts.state
    return distance.between(facts.e, state.reference, state.position, state.metric)


@register_fact
def half_offset(facts: Facts) -> int:
    """Return the smallest offset at which the cosine similarity is below one half."""
    e = facts.waves
    require(e.is_shift_invariant)
    offsets = range(1, 1 + MAX_VALUES // e.pairs)
    is_below_half = distance.from_reference(e, 0, offsets, "cosine") > 0.5
    require(is_below_half.any())
    return offsets[int(is_below_half.argmax())]


@register_fact
def growing_steps(facts: Facts) -> int:
    """Return the number of steps to the farther end, if each of them increases the distance."""
    _, distances, _ = _measure_farther_side(facts)
    require((np.diff(distances) > 0).all())
    return len(distances) - 1


def _compute_common_distance(facts: Facts, *, similarity: bool) -> float:
    metric = facts.state.metric
    require(distance.is_similarity(metric) == similarity)
    require(distance.depends_on_offset(facts.e, metric))
    return _compute_distance_at(facts, 1, metric)


def _compute_distance_at(facts: Facts, offset: int, metric: str) -> float:
    facts.require_few_numbers(_EXACT_COST * facts.e.width)
    return distance.between(facts.e, facts.state.reference, facts.state.reference + offset, metric)


def _curve(facts: Facts) -> Floats:
    require(np.isfinite(facts.curve).any())
    return facts.curve


def _measure_farther_side(facts: Facts) -> tuple[range, Floats, Bools]:
    """Return the rows from the reference to the farther end, and their distances from it.

    Also return whether each step to the next row decreases the distance.
    """
    state, rows = facts.state, facts.shown_rows
    require(state.reference in rows and not distance.is_similarity(state.metric))
    index = rows.index(state.reference)
    side = slice(index, None, -1) if len(rows) - index <= index else slice(index, None)
    rows, distances = rows[side], facts.curve[side]
    require(len(rows) >= 3 and np.isfinite(distances).all())
    rounding = _ROUNDING_PER_ROW * float(np.abs(distances).max())
    is_falling: Bools = np.diff(distances) < -rounding
    return rows, distances, is_falling


def _find_peak(facts: Facts) -> tuple[int, float]:
    rows, distances, is_falling = _measure_farther_side(facts)
    require(is_falling.any())
    index = int(is_falling.argmax())
    return rows[index], float(distances[index])
