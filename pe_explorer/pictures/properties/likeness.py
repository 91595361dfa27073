"""Compute the similarity of all positions to the cursor's position, and the most similar ones."""

import threading
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import distance, properties
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.analysis.likeness import as_likeness, is_angle
from pe_explorer.analysis.properties import LookAlike
from pe_explorer.analysis.ranges import Ranges
from pe_explorer.analysis.wishes import around
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import positions_in
from pe_explorer.pictures.axis_numbers import round_number
from pe_explorer.pictures.cost import reading_cost
from pe_explorer.pictures.distances import numbers as distances
from pe_explorer.pictures.distances.numbers import DistancesNumbers
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.figure import Band
from pe_explorer.pictures.limits import finite_ends, limit_above, narrow_limits
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Size

MOST_NAMED = 5  # number of similar positions in the table

_MOST_SEARCHED, _MOST_SEARCHED_AT_ONCE = 1 << 22, 1 << 16  # maximum values in the rows searched
_SEARCH_COST = 1.5  # cost of searching one value, in values of a table
_CURVE_OPTIONS = DistancesOptions(part="curve")
_ROUNDING = 1e-9  # absolute value below which a negative similarity counts as 0
_SAME_SCALE = 5  # maximum ratio of the heights of curves on one scale


class Alike(NamedTuple):
    """A similar position with its rank and similarity; None if there is no such position.

    `is_undetermined` is set if rounding error dominates the distance. `last_searched` is the last
    position that was searched.
    """

    rank: int = 0
    alike: int | None = None
    size: float | None = None
    is_undetermined: bool = False
    last_searched: int | None = None


class Alikes(NamedTuple):
    """The positions most similar to the cursor's position, for one encoding.

    Attributes
    ----------
    next : tuple of Alike
        The next position, as a single element.
    ranks : tuple of Alike
        The most similar positions except neighbours, most similar first.
    nearer : tuple of Alike
        The first later position that is closer than the next position, as a single element.
    searched : int
        The number of positions searched.
    """

    next: tuple[Alike, ...] = (Alike(),)
    ranks: tuple[Alike, ...] = tuple(map(Alike, range(1, MOST_NAMED + 1)))
    nearer: tuple[Alike, ...] = (Alike(),)
    searched: int = 0


class LikenessNumbers(NamedTuple):
    """The similarity of all positions to the cursor's position.

    Attributes
    ----------
    distances : DistancesNumbers
        Distances from the cursor.
    curves : tuple of (columns,) float64
        Similarities of the current encoding and of each pin, nan if undefined.
    factors : tuple of float
        Factors that make all curves visible on one axis, usually 1.
    bands : tuple of (Band or None)
        Ranges of the similarities combined in each point.
    limits : (float, float)
        Rounded limits of the axis.
    colour_limits : (float, float)
        Rounded limits of the current encoding's values.
    alikes : tuple of Alikes or None
        The most similar positions of each encoding; None if its rows are missing or not comparable.
    """

    distances: DistancesNumbers
    curves: tuple[Floats, ...]
    factors: tuple[float, ...]
    bands: tuple[Band | None, ...]
    limits: tuple[float, float]
    colour_limits: tuple[float, float]
    alikes: tuple[Alikes | None, ...]


def compute(
    state: Exploration, size: Size, cancelled: threading.Event, *, at_once: bool
) -> LikenessNumbers:
    """Return the curves for the width of `size`; with `at_once`, fast enough for one frame."""
    numbers = distances.compute(_from_cursor(state), _CURVE_OPTIONS, size, cancelled)
    curves = tuple(as_likeness(curve, state.metric) for curve in numbers.curves)
    one_axis = is_angle(state.metric)
    factors = tuple(1.0 if one_axis else _factor(curve, curves[0]) for curve in curves)
    bands = tuple(_band(reach, state.metric) for reach in numbers.ranges)
    pairs = zip(factors, bands, strict=True)
    edges = (factor * edge for factor, band in pairs if band for edge in (band.low, band.high))
    drawn = np.concatenate([*map(np.multiply, curves, factors), *edges])
    sign = -1 if numbers.curve_limits[0] < 0 else 0
    limits, colour_limits = ((sign * top, top) for top in map(limit_above, (drawn, curves[0])))
    if one_axis:
        least = min(np.nanmin(curve, initial=0.0) for curve in curves)
        limits = colour_limits = (-1.0 if least < -_ROUNDING else 0.0), 1.0
    limits = narrow_limits(limits, *(finite_ends(drawn) or (0.0, 0.0)))
    alikes = tuple(_alikes(state, e, at_once=at_once) for e in every_encoding(state))
    return LikenessNumbers(numbers, curves, factors, bands, limits, colour_limits, alikes)


def _band(reach: Ranges | None, metric: str) -> Band | None:
    if reach is None:
        return None
    ends = as_likeness(np.array([reach.low, reach.high]), metric)
    return Band(ends.min(axis=0), ends.max(axis=0), reach.exact)


def cost(state: Exploration, size: Size, *, at_once: bool) -> float:
    """Return the approximate cost of `compute`, in values of a table."""
    total = distances.cost(_from_cursor(state), _CURVE_OPTIONS, size)
    for e in every_encoding(state):
        searched = _searched(state, e, at_once=at_once)
        if searched is not None and isinstance(e, Encoding):
            total += _SEARCH_COST * len(searched) * e.width + reading_cost(e)
    return total


def _from_cursor(state: Exploration) -> Exploration:
    return replace(state, reference=state.position)


def _factor(curve: Floats, current: Floats) -> float:
    """Return a round factor that scales a curve to about the height of the current curve.

    The factor is 1 if both curves are legible on one axis.
    """
    height, target = _height(curve), _height(current)
    if not height or not target or 1 / _SAME_SCALE <= height / target <= _SAME_SCALE:
        return 1.0
    if height > target:
        return 1 / round_number(height / target)
    return round_number(target / height)


def _height(curve: Floats) -> float:
    low, high = finite_ends(curve) or (0.0, 0.0)
    return max(-low, high)


def _searched(state: Exploration, e: Encoding | Unknown, *, at_once: bool) -> range | None:
    if isinstance(e, Unknown) or why_other_rows(require_known(state.encoding), e):
        return None
    if state.position not in e.domain:
        return None
    most = (_MOST_SEARCHED_AT_ONCE if at_once else _MOST_SEARCHED) // e.width
    return around(positions_in(state.positions, e.domain), state.position, max(2, most))


def _alikes(state: Exploration, e: Encoding | Unknown, *, at_once: bool) -> Alikes | None:
    searched = _searched(state, e, at_once=at_once)
    if searched is None:
        return None
    e, here, after, metric = require_known(e), state.position, state.position + 1, state.metric

    def ranked(position: LookAlike | None, rank: int = 0, **facts: Any) -> Alike:
        if position is None:
            return Alike(rank, **facts)
        return Alike(rank, position.position, as_likeness(position.distance, metric), **facts)

    similar = properties.look_alikes(e, here, searched, metric, MOST_NAMED)
    missing = [None] * (MOST_NAMED - len(similar))
    ranks = tuple(map(ranked, [*similar, *missing], range(1, MOST_NAMED + 1)))
    last = searched[-1] if searched else None
    if after not in e.domain:
        return Alikes(ranks=ranks, nearer=(Alike(last_searched=last),), searched=len(searched))
    neighbour = LookAlike(after, distance.between(e, here, after, metric))
    undetermined = distance.is_undetermined(e, here, after, metric)
    nearer = properties.first_nearer(e, here, searched, metric)
    return Alikes(
        (ranked(neighbour, is_undetermined=undetermined),),
        ranks,
        (ranked(nearer, last_searched=last),),
        len(searched),
    )
