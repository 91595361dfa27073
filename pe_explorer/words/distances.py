"""Facts of distances between rows, as the metric measures them."""

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.arrays import Bools, Floats
from pe_explorer.words.facts import FACTS, MOST_NUMBERS, Facts, differing, fact, require

_EXACT_COST = 16  # cost of one exact frequency, in numbers of a table
_HALF = 0.5
_RELATIVE_ROUNDING = 1e-12  # difference of equal distances by rounding, of the largest one

FACTS |= {
    # between the reference and the row after it
    "next_distance": lambda of: _between(of, 1, of.state.metric),
    # the similarity of the reference's row with itself; by distances, the dot product
    "self_product": lambda of: _between(
        of, 0, of.state.metric if distance.is_similarity(of.state.metric) else "dot"
    ),
    # between any two neighbours, where it is the same for all
    "next_anywhere": lambda of: _anywhere(of, similarity=False),
    "next_product": lambda of: _anywhere(of, similarity=True),
    # from the reference to the rows shown, and the first row at that distance
    "largest_distance": lambda of: float(np.nanmax(_curve(of))),
    "largest_row": lambda of: of.shown[int(np.nanargmax(_curve(of)))],
    "smallest_product": lambda of: float(np.nanmin(_curve(of))),
    "smallest_row": lambda of: of.shown[int(np.nanargmin(_curve(of)))],
    "nearest_neighbours": lambda of: float(of.neighbours.min()),
    "farthest_neighbours": lambda of: differing(of.neighbours),
    # steps away from the reference on the side that shows more, and at how many the distance falls
    "steps": lambda of: len(_walk(of)[2]),
    "falls": lambda of: int(_walk(of)[2].sum()),
    # the row up to which the distance grows with every step, before it first falls
    "peak_row": lambda of: _peak(of)[0],
    "peak_distance": lambda of: _peak(of)[1],
}


@fact
def cursor_distance(of: Facts) -> float:
    """Return the distance of the cursor's position from the reference, by the metric."""
    of.require_few(of.e.width)
    rows = range(of.state.position, of.state.position + 1)
    return float(distance.from_reference(of.e, of.state.reference, rows, of.state.metric)[0])


@fact
def half_offset(of: Facts) -> int:
    """Return the least distance in rows at which the similarity is below one half."""
    e = of.waves
    require(e.shift_invariant)
    offsets = range(1, 1 + MOST_NUMBERS // e.pairs)
    distances = distance.from_reference(e, 0, offsets, "cosine")
    far = np.flatnonzero(distances > _HALF)
    require(len(far))
    return offsets[int(far[0])]


@fact
def growing_steps(of: Facts) -> int:
    """Return the number of steps away from the reference, where the distance grows at each."""
    _, walk, _ = _walk(of)
    require((np.diff(walk) > 0).all())
    return len(walk) - 1


def _anywhere(of: Facts, *, similarity: bool) -> float:
    metric = of.state.metric
    require(distance.is_similarity(metric) == similarity)
    require(distance.depends_on_offset(of.e, metric))
    return _between(of, 1, metric)


def _between(of: Facts, offset: int, metric: str) -> float:
    of.require_few(_EXACT_COST * of.e.width)
    return distance.between(of.e, of.state.reference, of.state.reference + offset, metric)


def _curve(of: Facts) -> Floats:
    require(np.isfinite(of.curve).any())
    return of.curve


def _walk(of: Facts) -> tuple[range, Floats, Bools]:
    """Return the rows from the reference on, their distances, and where the distance falls.

    It goes to the side where more rows are shown.
    """
    require(of.state.reference in of.shown and not distance.is_similarity(of.state.metric))
    place = of.shown.index(of.state.reference)
    rows, walk = of.shown[place:], of.curve[place:]
    if len(rows) <= place:
        rows, walk = of.shown[place::-1], of.curve[place::-1]
    require(len(rows) >= 3 and np.isfinite(walk).all())
    rounding = _RELATIVE_ROUNDING * float(np.abs(walk).max())
    falling: Bools = np.diff(walk) < -rounding
    return rows, walk, falling


def _peak(of: Facts) -> tuple[int, float]:
    rows, walk, falls = _walk(of)
    require(falls.any())
    place = int(falls.argmax())
    return rows[place], float(walk[place])
