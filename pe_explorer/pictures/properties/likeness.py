"""How like the cursor's position all others are, and which are most like it."""

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
from pe_explorer.pictures.limits import finite_ends, limit_above, without_empty_range
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Size

MOST_NAMED = 5
"""Look-alikes that the table names."""

_MOST_SEARCHED, _MOST_SEARCHED_AT_ONCE = 1 << 22, 1 << 16  # numbers of the rows searched
_SEARCH_COST = 1.5  # of searching a number, in values of a table
_CURVE_OPTIONS = DistancesOptions(part="curve")
_ROUNDING = 1e-9  # a likeness so little below 0 counts as 0
_SAME_SCALE = 5  # curves whose heights differ by no larger factor share a scale


class Alike(NamedTuple):
    """A position by its rank, and how alike it is, as it is drawn; None for no such position.

    `is_undetermined` says that rounding leaves no digit of its distance. `last_searched` is the
    last position that it was looked for among.
    """

    rank: int = 0
    alike: int | None = None
    size: float | None = None
    is_undetermined: bool = False
    last_searched: int | None = None


class Alikes(NamedTuple):
    """The positions that are most like that of the cursor, for one encoding.

    Attributes
    ----------
    next : tuple of Alike
        The neighbour alone.
    ranks : tuple of Alike
        The most alike first, beyond the neighbours.
    nearer : tuple of Alike
        The first position beyond the neighbour that is nearer than it, alone.
    searched : int
        How many positions they were looked for among.
    """

    next: tuple[Alike, ...] = (Alike(),)
    ranks: tuple[Alike, ...] = tuple(map(Alike, range(1, MOST_NAMED + 1)))
    nearer: tuple[Alike, ...] = (Alike(),)
    searched: int = 0


class LikenessNumbers(NamedTuple):
    """How like the cursor's position all others are.

    Attributes
    ----------
    distances : DistancesNumbers
        Those from the cursor.
    curves : tuple of (columns,) float64
        Of the current encoding and of each pin; nan where there is no number.
    factors : tuple of float
        By which each curve is drawn higher, so that all of them can be seen; mostly 1.
    bands : tuple of (Band or None)
        How far the numbers of each curve reach that one of `curves` stands for.
    limits : (float, float)
        The range of the numbers, rounded.
    colour_limits : (float, float)
        The range of the current encoding's numbers, rounded.
    alikes : tuple of Alikes or None
        The most alike positions, of each encoding; None for one without such rows.
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
    """Return the curves for so many pixels across; `at_once` if it has to end within a frame."""
    numbers = distances.compute(_from_cursor(state), _CURVE_OPTIONS, size, cancelled)
    curves = tuple(as_likeness(curve, state.metric) for curve in numbers.curves)
    one_axis = is_angle(state.metric)
    factors = tuple(1.0 if one_axis else _factor(curve, curves[0]) for curve in curves)
    bands = tuple(_band(each, state.metric) for each in numbers.ranges)
    pairs = zip(factors, bands, strict=True)
    edges = (factor * edge for factor, band in pairs if band for edge in (band.low, band.high))
    drawn = np.concatenate([*map(np.multiply, curves, factors), *edges])
    is_below = numbers.curve_limits[0] < 0
    limits, colour_limits = _limits(drawn, is_below=is_below), _limits(curves[0], is_below=is_below)
    if one_axis:
        least = min(np.nanmin(curve, initial=0.0) for curve in curves)
        limits = colour_limits = (-1.0 if least < -_ROUNDING else 0.0), 1.0
    limits = without_empty_range(limits, *(finite_ends(drawn) or (0.0, 0.0)))
    alikes = tuple(_alikes(state, e, at_once=at_once) for e in every_encoding(state))
    return LikenessNumbers(numbers, curves, factors, bands, limits, colour_limits, alikes)


def _band(found: Ranges | None, metric: str) -> Band | None:
    if found is None:
        return None
    ends = as_likeness(np.array([found.low, found.high]), metric)
    return Band(ends.min(axis=0), ends.max(axis=0), found.exact)


def cost(state: Exploration, size: Size, *, at_once: bool) -> float:
    """Return about how many numbers `compute` makes."""
    total = distances.cost(_from_cursor(state), _CURVE_OPTIONS, size)
    for e in every_encoding(state):
        searched = _searched(state, e, at_once=at_once)
        if searched is not None and isinstance(e, Encoding):
            total += _SEARCH_COST * len(searched) * e.width + reading_cost(e)
    return total


def _from_cursor(state: Exploration) -> Exploration:
    return replace(state, reference=state.position)


def _factor(curve: Floats, current: Floats) -> float:
    """Return the round number that makes a curve about as high as the current one.

    It is 1 where both can be read on one axis.
    """
    height, wanted = _height(curve), _height(current)
    if not height or not wanted or 1 / _SAME_SCALE <= height / wanted <= _SAME_SCALE:
        return 1.0
    if height > wanted:
        return 1 / round_number(height / wanted)
    return round_number(wanted / height)


def _height(curve: Floats) -> float:
    low, high = finite_ends(curve) or (0.0, 0.0)
    return max(-low, high)


def _limits(values: Floats, *, is_below: bool) -> tuple[float, float]:
    upper = limit_above(values)
    return (-upper if is_below else 0.0), upper


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

    def ranked(found: LookAlike | None, rank: int = 0, **more: Any) -> Alike:
        if found is None:
            return Alike(rank, **more)
        return Alike(rank, found.position, as_likeness(found.distance, metric), **more)

    found = properties.look_alikes(e, here, searched, metric, MOST_NAMED)
    missing = [None] * (MOST_NAMED - len(found))
    ranks = tuple(map(ranked, [*found, *missing], range(1, MOST_NAMED + 1)))
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
