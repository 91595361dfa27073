"""Compute similarities to the cursor's position, and find the most similar positions."""

import threading
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, properties
from pe_explorer.analysis.comparison import explain_different_rows
from pe_explorer.analysis.likeness import is_angle, to_similarity
from pe_explorer.analysis.properties import SimilarPosition
from pe_explorer.analysis.ranges import Ranges
from pe_explorer.analysis.wishes import find_nearest_positions
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.pictures.axis_numbers import find_round_number
from pe_explorer.pictures.cost import estimate_reading_cost
from pe_explorer.pictures.distances import numbers as distances
from pe_explorer.pictures.distances.numbers import DistancesNumbers
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.limits import find_finite_limits, find_limit_above, narrow_limits
from pe_explorer.pictures.lines import Band
from pe_explorer.pictures.named import list_encodings
from pe_explorer.pictures.pixels import Size

SIMILAR_POSITION_COUNT = 5  # number of similar positions in the table

# Maximum numbers of values to search for a fine and for a coarse picture.
_MAX_SEARCHED_VALUES, _MAX_COARSE_VALUES = 1 << 22, 1 << 16
_SEARCH_COST = 1.5  # cost of searching one value, in units of `pictures.cost`
_CURVE_OPTIONS = DistancesOptions(part="curve")
_TOLERANCE = 1e-9  # absolute value below which a negative similarity counts as 0
_MAX_HEIGHT_RATIO = 5  # maximum ratio of the heights of two curves drawn at the same scale


class RankedPosition(NamedTuple):
    """A position, its similarity to the cursor's position, and its rank."""

    rank: int = 0
    alike: int | None = None  # the position, or None if no position qualifies
    size: float | None = None  # similarity to the cursor's position, or None if `alike` is None
    is_undetermined: bool = False  # whether rounding error dominates the distance
    # Last searched position, for `RankedPositions.nearer`; otherwise None.
    last_searched: int | None = None


class RankedPositions(NamedTuple):
    """The positions most similar to the cursor's position, for one encoding."""

    # The next position, in a tuple because texts are repeated for each item of a sequence.
    next: tuple[RankedPosition, ...] = (RankedPosition(),)
    # The most similar positions, excluding neighbours, in descending order of similarity.
    ranks: tuple[RankedPosition, ...] = tuple(
        map(RankedPosition, range(1, SIMILAR_POSITION_COUNT + 1))
    )
    # The first later position that is closer to the cursor's than the next one, in a tuple, too.
    nearer: tuple[RankedPosition, ...] = (RankedPosition(),)
    searched: int = 0  # number of positions searched


class SimilarityNumbers(NamedTuple):
    """The similarity of all positions to the cursor's position.

    The fields `curves`, `factors`, `bands` and `ranked_positions` have one element for the current
    encoding, followed by one for each pin.
    """

    distances: DistancesNumbers  # distances from the cursor
    curves: tuple[Floats, ...]  # similarities, nan if undefined
    factors: tuple[float, ...]  # factors that make all curves legible on one axis, usually 1
    bands: tuple[Band | None, ...]  # ranges of the similarities at each point; None if unknown
    limits: tuple[float, float]  # rounded limits of the axis
    colour_limits: tuple[float, float]  # rounded limits of the current encoding's values
    # The most similar positions by encoding; None if its rows are missing or not comparable.
    ranked_positions: tuple[RankedPositions | None, ...]


def compute(
    state: Exploration, size: Size, cancellation: threading.Event, *, is_coarse: bool
) -> SimilarityNumbers:
    """Return the similarities for the width of `size`; search fewer positions if `is_coarse`."""
    numbers = distances.compute(_make_cursor_state(state), _CURVE_OPTIONS, size, cancellation)
    curves = tuple(to_similarity(curve, state.metric) for curve in numbers.curves)
    has_one_scale = is_angle(state.metric)
    factors = tuple(
        1.0 if has_one_scale else _compute_scale_factor(curve, curves[0]) for curve in curves
    )
    bands = tuple(span and _make_band(span, state.metric) for span in numbers.ranges)
    pairs = zip(factors, bands, strict=True)
    edges = (factor * edge for factor, band in pairs if band for edge in (band.low, band.high))
    values = np.concatenate([*map(np.multiply, curves, factors), *edges])
    sign = -1 if numbers.curve_limits[0] < 0 else 0
    largest = map(find_limit_above, (values, curves[0]))
    limits, colour_limits = ((sign * limit, limit) for limit in largest)
    if has_one_scale:
        lowest_value = min(np.nanmin(curve, initial=0.0) for curve in curves)
        limits = colour_limits = (-1.0 if lowest_value < -_TOLERANCE else 0.0), 1.0
    limits = narrow_limits(limits, *(find_finite_limits(values) or (0.0, 0.0)))
    ranks = tuple(_rank_positions(state, e, is_coarse=is_coarse) for e in list_encodings(state))
    return SimilarityNumbers(numbers, curves, factors, bands, limits, colour_limits, ranks)


def _make_band(span: Ranges, metric: str) -> Band:
    ends = to_similarity(np.array([span.low, span.high]), metric)
    return Band(ends.min(axis=0), ends.max(axis=0), span.is_exact)


def cost(state: Exploration, size: Size, *, is_coarse: bool) -> float:
    """Return the approximate cost of `compute`, in units of `pictures.cost`."""
    total = distances.cost(_make_cursor_state(state), _CURVE_OPTIONS, size)
    for e in list_encodings(state):
        candidates = _find_candidates(state, e, is_coarse=is_coarse)
        if candidates is not None and isinstance(e, Encoding):
            total += _SEARCH_COST * len(candidates) * e.width + estimate_reading_cost(e)
    return total


def _make_cursor_state(state: Exploration) -> Exploration:
    return replace(state, reference=state.position)


def _compute_scale_factor(curve: Floats, current: Floats) -> float:
    """Return a round factor that scales a curve to about the height of `current`.

    The result is 1 if both curves are legible without a factor.
    """
    height, target = _find_max_magnitude(curve), _find_max_magnitude(current)
    if not height or not target or 1 / _MAX_HEIGHT_RATIO <= height / target <= _MAX_HEIGHT_RATIO:
        return 1.0
    if height > target:
        return 1 / find_round_number(height / target)
    return find_round_number(target / height)


def _find_max_magnitude(curve: Floats) -> float:
    low, high = find_finite_limits(curve) or (0.0, 0.0)
    return max(-low, high)


def _find_candidates(state: Exploration, e: Encoding | Unknown, *, is_coarse: bool) -> range | None:
    if isinstance(e, Unknown) or explain_different_rows(require_known(state.encoding), e):
        return None
    if state.position not in e.domain:
        return None
    limit = (_MAX_COARSE_VALUES if is_coarse else _MAX_SEARCHED_VALUES) // e.width
    positions = clip_positions(state.positions, e.domain)
    return find_nearest_positions(positions, state.position, max(2, limit))


def _rank_positions(
    state: Exploration, e: Encoding | Unknown, *, is_coarse: bool
) -> RankedPositions | None:
    candidates = _find_candidates(state, e, is_coarse=is_coarse)
    if candidates is None:
        return None
    e, position, metric = require_known(e), state.position, state.metric

    def make_ranked_position(result: SimilarPosition | None, rank: int = 0) -> RankedPosition:
        if result is None:
            return RankedPosition(rank)
        return RankedPosition(rank, result.position, to_similarity(result.distance, metric))

    results = properties.find_similar_positions(
        e, position, candidates, metric, SIMILAR_POSITION_COUNT
    )
    missing_positions = [None] * (SIMILAR_POSITION_COUNT - len(results))
    ranks = tuple(
        map(
            make_ranked_position,
            [*results, *missing_positions],
            range(1, SIMILAR_POSITION_COUNT + 1),
        )
    )
    next_position, nearer, neighbour = RankedPosition(), RankedPosition(), position + 1
    if neighbour in e.domain:
        result = SimilarPosition(neighbour, distance.between(e, position, neighbour, metric))
        is_undetermined = distance.is_undetermined(e, position, neighbour, metric)
        next_position = make_ranked_position(result)._replace(is_undetermined=is_undetermined)
        nearer = make_ranked_position(
            properties.find_first_nearer_row(e, position, candidates, metric)
        )
    nearer = nearer._replace(last_searched=candidates[-1] if candidates else None)
    return RankedPositions((next_position,), ranks, (nearer,), len(candidates))
