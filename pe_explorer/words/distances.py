"""Facts about distances between rows, in the metric of the exploration."""

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.arrays import Bools, Floats
from pe_explorer.words.facts import FACTS, MOST_NUMBERS, Facts, differing, fact, require

_EXACT_COST = 16  # cost of an exact frequency, relative to a number in a table
_HALF = 0.5
_RELATIVE_ROUNDING = 1e-12  # rounding error of a distance, relative to the largest distance

FACTS |= {
    # distance between the reference and the next row
    "next_distance": lambda facts: _between(facts, 1, facts.state.metric),
    # similarity of the reference with itself, or the dot product if the metric is a distance
    "self_product": lambda facts: _between(
        facts, 0, facts.state.metric if distance.is_similarity(facts.state.metric) else "dot"
    ),
    # distance or similarity of neighbours, if it is equal for all neighbours
    "next_anywhere": lambda facts: _anywhere(facts, similarity=False),
    "next_product": lambda facts: _anywhere(facts, similarity=True),
    # minimum and maximum distance from the reference, and the first rows with these distances
    "largest_distance": lambda facts: float(np.nanmax(_curve(facts))),
    "largest_row": lambda facts: facts.shown_rows[int(np.nanargmax(_curve(facts)))],
    "smallest_product": lambda facts: float(np.nanmin(_curve(facts))),
    "smallest_row": lambda facts: facts.shown_rows[int(np.nanargmin(_curve(facts)))],
    "nearest_neighbours": lambda facts: float(facts.neighbours.min()),
    "farthest_neighbours": lambda facts: differing(facts.neighbours),
    # number of steps from the reference to the farther end; number of decreases of the distance
    "steps": lambda facts: len(_walk(facts)[2]),
    "falls": lambda facts: int(_walk(facts)[2].sum()),
    # the row after which the distance first decreases, and its distance
    "peak_row": lambda facts: _peak(facts)[0],
    "peak_distance": lambda facts: _peak(facts)[1],
}


@fact
def cursor_distance(facts: Facts) -> float:
    """Return the distance between the cursor's position and the reference."""
    facts.require_few(facts.e.width)
    rows = range(facts.state.position, facts.state.position + 1)
    state = facts.state
    return float(distance.from_reference(facts.e, state.reference, rows, state.metric)[0])


@fact
def half_offset(facts: Facts) -> int:
    """Return the smallest offset at which the cosine similarity is below one half."""
    e = facts.waves
    require(e.shift_invariant)
    offsets = range(1, 1 + MOST_NUMBERS // e.pairs)
    distances = distance.from_reference(e, 0, offsets, "cosine")
    is_below_half = np.flatnonzero(distances > _HALF)
    require(len(is_below_half))
    return offsets[int(is_below_half[0])]


@fact
def growing_steps(facts: Facts) -> int:
    """Return the number of steps from the reference, which must all increase the distance."""
    _, walk, _ = _walk(facts)
    require((np.diff(walk) > 0).all())
    return len(walk) - 1


def _anywhere(facts: Facts, *, similarity: bool) -> float:
    metric = facts.state.metric
    require(distance.is_similarity(metric) == similarity)
    require(distance.depends_on_offset(facts.e, metric))
    return _between(facts, 1, metric)


def _between(facts: Facts, offset: int, metric: str) -> float:
    facts.require_few(_EXACT_COST * facts.e.width)
    return distance.between(facts.e, facts.state.reference, facts.state.reference + offset, metric)


def _curve(facts: Facts) -> Floats:
    require(np.isfinite(facts.curve).any())
    return facts.curve


def _walk(facts: Facts) -> tuple[range, Floats, Bools]:
    require(
        facts.state.reference in facts.shown_rows and not distance.is_similarity(facts.state.metric)
    )
    place = facts.shown_rows.index(facts.state.reference)
    rows, walk = facts.shown_rows[place:], facts.curve[place:]
    if len(rows) <= place:
        rows, walk = facts.shown_rows[place::-1], facts.curve[place::-1]
    require(len(rows) >= 3 and np.isfinite(walk).all())
    rounding = _RELATIVE_ROUNDING * float(np.abs(walk).max())
    falling: Bools = np.diff(walk) < -rounding
    return rows, walk, falling


def _peak(facts: Facts) -> tuple[int, float]:
    rows, walk, is_falling = _walk(facts)
    require(is_falling.any())
    place = int(is_falling.argmax())
    return rows[place], float(walk[place])
