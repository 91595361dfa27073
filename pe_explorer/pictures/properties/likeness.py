"""How like the cursor's position all others are, which are most like it, and how that is said."""

import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, properties
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.analysis.likeness import as_likeness, is_angle, title
from pe_explorer.analysis.properties import LookAlike
from pe_explorer.analysis.ranges import Ranges
from pe_explorer.analysis.wishes import around
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.axis_numbers import round_number
from pe_explorer.pictures.cost import reading_cost
from pe_explorer.pictures.distances import numbers as distances
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.figure import Band
from pe_explorer.pictures.limits import finite_ends, limit_above
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.table import Cell, Detail

MOST_NAMED = 5
"""Look-alikes that the table names."""

_MOST_SEARCHED, _MOST_SEARCHED_AT_ONCE = 1 << 22, 1 << 16  # numbers of the rows searched
_SEARCH_COST = 1.5  # of searching a number, in values of a table
_CURVE_OPTIONS = DistancesOptions(part="curve")
_ROUNDING = 1e-9  # a likeness so little below 0 counts as 0
_SAME_SCALE = 5  # curves whose heights differ by no larger factor share a scale


class Alikes(NamedTuple):
    """The positions that are most like that of the cursor, for one encoding.

    Attributes
    ----------
    searched : range
        Where they were looked for.
    found : tuple of LookAlike
        The most alike first, beyond the neighbours.
    neighbour : float
        The distance of the next position; nan where it has no row.
    nearer : LookAlike or None
        The first position beyond the neighbour that is nearer than it.
    undetermined : bool
        Whether rounding leaves no digit of the distance of the next position.
    """

    searched: range
    found: tuple[LookAlike, ...]
    neighbour: float
    nearer: LookAlike | None
    undetermined: bool = False


class LikenessNumbers(NamedTuple):
    """How like the cursor's position all others are.

    Attributes
    ----------
    curves : tuple of (columns,) float64
        Of the current encoding and of each pin; nan where there is no number.
    factors : tuple of float
        By which each curve is drawn higher, so that all of them can be seen; mostly 1.
    bands : tuple of (Band or None)
        How far the numbers of each curve reach that one of `curves` stands for; empty where that
        is not asked for.
    block : int
        Positions that a number stands for.
    limits : (float, float)
        The range of the numbers, rounded.
    colour_limits : (float, float)
        The range of the current encoding's numbers, rounded.
    alikes : tuple of Alikes or None
        The most alike positions, of each encoding; None for one without such rows.
    note : str
        In a sentence, why there is no curve of the current encoding, or an empty text.
    rows : range or None
        The rows that there are, where none of them is shown.
    metric : str
        A metric that has a curve, where the chosen one has none; else empty.
    """

    curves: tuple[Floats, ...]
    factors: tuple[float, ...]
    bands: tuple[Band | None, ...]
    block: int
    limits: tuple[float, float]
    colour_limits: tuple[float, float]
    alikes: tuple[Alikes | None, ...]
    note: str
    rows: range | None
    metric: str


def compute(
    state: Exploration, size: Size, cancelled: threading.Event, *, at_once: bool
) -> LikenessNumbers:
    """Return the curves for so many pixels across; `at_once` if it has to end within a frame."""
    numbers = distances.compute(_from_cursor(state), _CURVE_OPTIONS, size, cancelled)
    curves = tuple(as_likeness(curve, state.metric) for curve in numbers.curves)
    one_axis = is_angle(state.metric)
    factors = tuple(1.0 if one_axis else _factor(curve, curves[0]) for curve in curves)
    bands = tuple(_band(each, state.metric) for each in numbers.ranges)
    edges = (edge for band in bands if band for edge in (band.low, band.high))
    drawn = np.concatenate([*map(np.multiply, curves, factors), *edges])
    is_below = numbers.curve_limits[0] < 0
    limits, colour_limits = _limits(drawn, is_below=is_below), _limits(curves[0], is_below=is_below)
    if one_axis:
        least = min(np.nanmin(curve, initial=0.0) for curve in curves)
        limits = colour_limits = (-1.0 if least < -_ROUNDING else 0.0), 1.0
    alikes = tuple(_alikes(state, e, at_once=at_once) for e in every_encoding(state))
    note, rows, metric = numbers.note, numbers.rows, numbers.metric
    block = numbers.curve_block
    return LikenessNumbers(
        curves, factors, bands, block, limits, colour_limits, alikes, note, rows, metric
    )


def _band(found: Ranges | None, metric: str) -> Band | None:
    """Return from where to where a likeness runs within the range of its distances."""
    if found is None:
        return None
    ends = as_likeness(np.array([found.low, found.high]), metric)
    return Band(ends.min(axis=0), ends.max(axis=0), found.exact)


def cost(state: Exploration, size: Size, *, at_once: bool) -> float:
    """Return about how many numbers `compute` makes."""
    total = distances.cost(_from_cursor(state), _CURVE_OPTIONS, size)
    for e in every_encoding(state):
        if isinstance(e, Encoding) and _has_rows(state, e):
            numbers = len(_searched(state, e, at_once=at_once)) * e.width
            total += _SEARCH_COST * numbers + reading_cost(e)
    return total


def _from_cursor(state: Exploration) -> Exploration:
    """Return an exploration that measures distances from the cursor."""
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
    """Return the greatest size of a curve's numbers, 0 where it has none."""
    low, high = finite_ends(curve) or (0.0, 0.0)
    return max(-low, high)


def _limits(values: Floats, *, is_below: bool) -> tuple[float, float]:
    """Return limits from 0, or from as far below it, up to a round number."""
    upper = limit_above(values)
    return (-upper if is_below else 0.0), upper


def _has_rows(state: Exploration, e: Encoding | Unknown) -> bool:
    if isinstance(e, Unknown) or why_other_rows(require_known(state.encoding), e):
        return False
    return state.position in e.domain


def _searched(state: Exploration, e: Encoding, *, at_once: bool) -> range:
    """Return the positions shown among which look-alikes are looked for."""
    domain, shown = e.domain, state.positions
    first = max(shown.start, domain[0])
    there = range(first, max(first, min(shown.stop, domain[-1] + 1)))
    most = (_MOST_SEARCHED_AT_ONCE if at_once else _MOST_SEARCHED) // e.width
    return around(there, state.position, max(2, most))


def _alikes(state: Exploration, e: Encoding | Unknown, *, at_once: bool) -> Alikes | None:
    if isinstance(e, Unknown) or not _has_rows(state, e):
        return None
    searched, metric = _searched(state, e, at_once=at_once), state.metric
    found = properties.look_alikes(e, state.position, searched, metric, MOST_NAMED)
    if state.position + 1 not in e.domain:
        return Alikes(searched, found, float("nan"), None)
    after = state.position + 1
    neighbour = distance.between(e, state.position, after, metric)
    nearer = properties.first_nearer(e, state.position, searched, metric)
    undetermined = distance.is_undetermined(e, state.position, after, metric)
    return Alikes(searched, found, neighbour, nearer, undetermined)


# -- words ---------------------------------------------------------------------------------------


_MOST_IN_A_SENTENCE = 3  # look-alikes
ROWS = MOST_NAMED + 2
"""Rows of the table that are about look-alikes."""


def titles(state: Exploration) -> Iterator[str]:
    """Yield what the rows are called."""
    yield f"Next to {state.position:,}"
    for rank in range(1, MOST_NAMED + 1):
        yield f"Look-alike {rank}"
    yield "First nearer than next"


def cells(state: Exploration, alikes: Alikes | None) -> Iterator[Cell]:
    """Yield the neighbour, the look-alikes by rank, and the first that is nearer."""
    rows = require_known(state.encoding).rows
    here = f"{rows.name} {state.position:,}"
    if alikes is None:
        lack = Detail(f"It has no row for {here} that could be compared.")
        yield "none", lack._replace(in_full=True)
        for _ in range(ROWS - 1):
            yield "–", lack
        return
    after, what = state.position + 1, title(state.metric)
    if math.isfinite(alikes.neighbour):
        size = _size(state, alikes.neighbour)
        sentence = f"The {what} of {here} and its neighbour {after:,} is {size}."
        yield _cell(state, after, alikes.neighbour, sentence)
    elif alikes.undetermined:
        yield "not determined", Detail(f"Rounding decides the {what} of {here} and {after:,}.")
    else:
        yield "none", Detail(f"No {what} to the {rows.name} after {here} can be measured.")
    nothing = Detail(
        f"Beyond its neighbours, no further {rows.name} stands out as similar to {here}."
    )
    for rank in range(MOST_NAMED):
        if rank >= len(alikes.found):
            yield "none", nothing
            continue
        position, size = alikes.found[rank].position, _size(state, alikes.found[rank].distance)
        sentence = f"Look-alike {rank + 1} of {here} is {rows.name} {position:,}: {what} {size}."
        yield _cell(state, position, alikes.found[rank].distance, sentence)
    if alikes.nearer is None:
        within = f"up to {alikes.searched[-1]:,}" if alikes.searched else "here"
        yield "none", Detail(f"Beyond it, no {rows.name} {within} is nearer than the next one.")
        return
    nearer = alikes.nearer
    size = _size(state, nearer.distance)
    sentence = f"The first {rows.name} that is nearer than the next: {nearer.position:,} ({size})."
    yield _cell(state, nearer.position, nearer.distance, sentence)


def _cell(state: Exploration, position: int, distance: float, sentence: str) -> Cell:
    """Return a position and how alike it is: shortly, in words and in full."""
    rows, what = require_known(state.encoding).rows, title(state.metric)
    size = printed.rounded(as_likeness(distance, state.metric))
    words = f"{rows.name} {position:,}, {what} {size}"
    # Beside the cursor, or the list would be about another position.
    there, is_shown = {"reference": position}, position == state.reference
    return f"{position:,} ({size})", Detail(sentence, there, words=words, shown=is_shown)


def named(alikes: Alikes | None) -> Iterator[tuple[int, str]]:
    """Yield the positions that are most alike with their ranks: ``1: 622``."""
    for rank, alike in enumerate(alikes.found if alikes else (), 1):
        yield alike.position, f"{rank}: {printed.whole(alike.position)}"


def alike_sentence(state: Exploration, alikes: Alikes | None) -> str:
    """Return which positions are most like that of the cursor."""
    rows = require_known(state.encoding).rows
    here = f"{rows.name} {state.position:,}"
    if alikes is None or not alikes.searched:
        return ""
    count = len(alikes.searched)
    of = f" among the nearest {rows.counted(count)}" if count < state.count else ""
    if not alikes.found:
        return f"Beyond its neighbours, no {rows.name} stands out as similar to {here}{of}."
    best = ", ".join(
        f"{alike.position:,} ({_size(state, alike.distance)})"
        for alike in alikes.found[:_MOST_IN_A_SENTENCE]
    )
    return f"Most like {here} beyond its neighbours, by the {title(state.metric)}: {best}{of}."


def _size(state: Exploration, distance: float) -> str:
    """Return a likeness, or a distance, in six digits."""
    return printed.fine(as_likeness(distance, state.metric))
