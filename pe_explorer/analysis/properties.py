"""What an encoding may be wished to have, measured: evidence that a reader can check.

Each function looks at some positions and returns numbers with their places. Whether a wish is
met is for the reader to say: a measured range is one of these positions alone, `value_range` of
an encoding is that of all.
"""

import math
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, moved_rows, shift
from pe_explorer.analysis._close import unit
from pe_explorer.analysis._rows import scaled
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import declared
from pe_explorer.progress import Reporter, no_report

_CHUNK_NUMBERS = 2**20  # numbers of a table that are computed together
_VALLEY_DIVISOR = 4  # a valley ends at the median distance divided by this
_METRICS_BY_PRODUCTS = ("cosine", "euclidean", "sse")  # they order pairs as products of rows do
_CHUNK_DISTANCES = 2**21  # distances that are computed together
_PRODUCT_ROUNDING = 1e-12  # error of squares by products, relative to the largest square
_MOST_CANDIDATES = 1000  # pairs whose distances are measured to the last digit


class LocatedNumber(NamedTuple):
    """A number of a table and its place there."""

    position: int
    column: int
    value: float


class Extremes(NamedTuple):
    """The first of the least numbers of some rows, and the first of the greatest."""

    low: LocatedNumber
    high: LocatedNumber


class ClosestPair(NamedTuple):
    """The two positions whose rows are closest, the first of equal pairs, and their distance."""

    first: int
    second: int
    distance: float


class Growth(NamedTuple):
    """The steps outward from a reference at which the distance grows, and those at which not."""

    steps: int  # between rows with a distance
    growing: int  # those at which it grows
    exceptions: tuple[int, ...]  # positions at whose step it does not, the nearest first
    falls: bool = False  # whether it gets smaller at the first of them, and not only stays

    @property
    def first_exception(self) -> int | None:
        """The first position that is no farther than the one before it; None if all are."""
        return self.exceptions[0] if self.exceptions else None


class LookAlike(NamedTuple):
    """A position that is like another one, and their distance."""

    position: int
    distance: float


def extremes(e: Encoding, positions: range) -> Extremes | None:
    """Return the least and the greatest number of some rows; None where none is finite."""
    low = high = None
    together = max(1, _CHUNK_NUMBERS // e.width)
    for start in range(0, len(positions), together):
        some = positions[start : start + together]
        table = e.table(some)
        finite = np.isfinite(table)
        if not finite.any():
            continue
        least = _number(some, table, int(np.where(finite, table, np.inf).argmin()))
        most = _number(some, table, int(np.where(finite, table, -np.inf).argmax()))
        low = least if low is None or least.value < low.value else low
        high = most if high is None or most.value > high.value else high
    return Extremes(low, high) if low and high else None


def other_length(e: Encoding, positions: range) -> tuple[Encoding, LocatedNumber] | None:
    """Return an encoding for texts twice as long, and the number that differs most from `e`.

    None for an encoding that does not depend on the length of a text: that declares no length.
    The number is that of the longer one minus that of `e`.
    """
    if "length" not in declared(type(e)):
        return None
    longer = replace(e, length=2 * e.parameters["length"])  # type: ignore[call-arg]
    differences = longer.table(positions) - e.table(positions)
    place = int(np.abs(differences).argmax())
    return longer, _number(positions, differences, place)


def difference_when_repeated(e: Encoding, positions: range) -> float:
    """Return the largest difference of two tables of the same positions: 0 if deterministic."""
    again = type(e)(**e.parameters)
    table, repeated = e.table(positions), again.table(positions)
    differs = (table != repeated) & ~(np.isnan(table) & np.isnan(repeated))
    return float(np.abs(table[differs] - repeated[differs]).max(initial=0.0))


def growth(e: Encoding, reference: int, positions: range, metric: str = "euclidean") -> Growth:
    """Return how often the distance from a reference grows with the separation.

    Steps go from the reference outward on both of its sides, as far as the positions do. By the
    inner product, rows that are farther have the smaller number.
    """
    base = distance.base_of(metric)  # which has more digits
    steps = growing = 0
    exceptions: list[tuple[int, bool]] = []
    for side in _sides(reference, positions):
        values = distance.from_reference(e, reference, side, base)
        nearness = values if distance.is_similarity(base) else -values
        known = ~np.isnan(nearness[1:]) & ~np.isnan(nearness[:-1])
        grows = nearness[1:] < nearness[:-1]
        steps += int(known.sum())
        growing += int(grows.sum())
        falls = nearness[1:] > nearness[:-1]
        places = np.flatnonzero(known & ~grows).tolist()
        exceptions += [(side[place + 1], bool(falls[place])) for place in places]
    exceptions.sort(key=lambda found: abs(found[0] - reference))
    at_first = bool(exceptions) and exceptions[0][1]
    return Growth(steps, growing, tuple(position for position, _ in exceptions), at_first)


def shift_residual(e: Encoding, positions: range, k: int = 1) -> LocatedNumber | None:
    """Return the largest residual of the matrix that moves rows by k, and its position.

    None where there is no such matrix (`shift.why_none` says why), or none of the positions has a
    row k later. The column is -1: the residual is the largest of all columns.
    """
    if shift.why_none(e, k):
        return None
    where = positions_in(positions, moved_rows.movable(e, k))
    if not where:
        return None
    residuals = moved_rows.largest_differences(e, k, shift.sparse_shift(e, k), where)
    row = int(residuals.argmax())
    return LocatedNumber(where[row], -1, float(residuals[row]))


def look_alikes(
    e: Encoding, position: int, positions: range, metric: str = "cosine", most: int = 10
) -> tuple[LookAlike, ...]:
    """Return the positions that are most like one, beyond its neighbours, the most alike first.

    Its neighbours are those of the valley of small distances around it: on either side until the
    distance is a quarter of the median, and from there on as long as likeness only falls. Of the
    positions beyond, only those count that are more alike than the ones beside them.
    """
    found: list[LookAlike] = []
    sides = _sides(position, positions)
    distances = [distance.from_reference(e, position, side, metric) for side in sides]
    sign = 1 if distance.is_similarity(metric) else -1
    likenesses = [sign * values for values in distances]
    every = np.concatenate([*likenesses, []])
    every = every[np.isfinite(every)]
    edge = math.nan  # nothing is beyond it
    if len(every):
        own, share = float(likenesses[0][0]), 1 / _VALLEY_DIVISOR
        middle = len(every) // 2  # not the mean of two, whose sum could be too large
        edge = (1 - share) * own + share * float(np.partition(every, middle)[middle])
    for side, values, likeness in zip(sides, distances, likenesses, strict=True):
        places = _peaks(likeness, edge)
        # Of two that are as much alike the nearer comes first, as it does along a side.
        best = np.argsort(-likeness[places], kind="stable")[:most]
        found += [LookAlike(side[place], float(values[place])) for place in places[best].tolist()]
    found.sort(key=lambda one: (-sign * one.distance, abs(one.position - position)))
    return tuple(found[:most])


def first_nearer(
    e: Encoding, position: int, positions: range, metric: str = "cosine"
) -> LookAlike | None:
    """Return the first position of some that is nearer than a neighbour, beyond it; or None."""
    limit = distance.between(e, position, position + 1, metric)
    beyond = range(max(positions.start, position + 2), positions.stop)
    values = distance.from_reference(e, position, beyond, metric)
    nearer = values > limit if distance.is_similarity(metric) else values < limit
    if not nearer.any():
        return None
    place = int(nearer.argmax())
    return LookAlike(beyond[place], float(values[place]))


def _peaks(likeness: Floats, edge: float) -> Ints:
    """Return the places that are more alike than those beside them, beyond the first valley."""
    (far,) = np.nonzero(likeness <= edge)
    rises = np.flatnonzero(likeness[1:] > likeness[:-1])
    rises = rises[rises >= far[0]] if len(far) else rises[:0]
    if not len(rises):
        return rises
    beyond = likeness[rises[0] :]
    before = np.append(np.inf, beyond[:-1])
    after = np.append(beyond[1:], -np.inf)
    (peaks,) = np.nonzero((beyond > before) & (beyond >= after))
    return peaks + int(rises[0])


def _sides(reference: int, positions: range) -> list[range]:
    """Return the positions from a reference outward, on both of its sides; steps of 1."""
    right = range(max(positions.start, reference), positions.stop)
    left = range(min(positions.stop - 1, reference), positions.start - 1, -1)
    return [side for side in (right, left) if len(side) > 1]


def _number(positions: range, table: Floats, place: int) -> LocatedNumber:
    row, column = divmod(place, table.shape[1])
    return LocatedNumber(positions[row], column, float(table[row, column]))


# -- the closest of all pairs ----------------------------------------------------------------------


def closest_pair(
    e: Encoding, positions: range, metric: str = "euclidean", progress: Reporter | None = None
) -> ClosestPair | None:
    """Return the two positions whose rows are closest, the first of several such pairs.

    None for fewer than two positions, or where no two have a distance. No similarity is a `metric`
    here: by it no row is closest to itself. `progress` may raise to stop.
    """
    if len(positions) < 2:
        return None
    report = progress or no_report
    if distance.depends_on_offset(e, metric):
        row = distance.from_reference(e, positions[0], positions[1:], metric, report)
        return ClosestPair(positions[0], positions[1 + int(row.argmin())], float(row.min()))
    if metric in _METRICS_BY_PRODUCTS:
        return _by_products(e, positions, metric, report)
    return _by_distances(e, positions, metric, report)


def _by_distances(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    count, best = len(positions), None
    step = max(1, _CHUNK_DISTANCES // count)
    for start in range(0, count - 1, step):
        report(_share_done(start, count))
        some = positions[start : start + step]
        found = distance.matrix(e, some, positions[start:], metric)
        found[np.tri(*found.shape, dtype=np.bool_) | np.isnan(found)] = np.inf
        row, column = divmod(int(found.argmin()), found.shape[1])
        value = float(found[row, column])
        if np.isfinite(value) and (best is None or value < best.distance):
            best = ClosestPair(some[row], positions[start + column], value)
    return best


def _by_products(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    """Return the closest pair, found by products of rows and then measured to the last digit."""
    table = e.table(positions)
    rows = _minus_first(unit(table) if metric == "cosine" else table)
    squares = np.einsum("nd,nd->n", rows, rows)
    present = np.isfinite(squares)
    margin = _PRODUCT_ROUNDING * squares.max(initial=0.0, where=present)
    count, least = len(positions), np.inf
    near: list[tuple[Floats, Ints]] = []
    step = max(1, _CHUNK_DISTANCES // count)
    for start in range(0, count - 1, step):
        report(_share_done(start, count))
        upper = rows[start : start + step]
        with np.errstate(invalid="ignore", over="ignore"):
            found = squares[start : start + step, None] + squares[start:]
            found -= 2 * (upper @ rows[start:].T)
        found[np.tri(*found.shape, dtype=np.bool_) | ~np.isfinite(found)] = np.inf
        least = min(least, float(found.min()))
        cells = np.argwhere(found <= least + margin)[:_MOST_CANDIDATES]
        near.append((found[cells[:, 0], cells[:, 1]], cells + start))
    if not np.isfinite(least):
        return None
    values = np.concatenate([some for some, _ in near])
    pairs = np.concatenate([some for _, some in near])
    candidates = pairs[values <= least + margin][:_MOST_CANDIDATES].tolist()
    places = ((positions[first], positions[second]) for first, second in candidates)
    measured = (ClosestPair(p, q, distance.between(e, p, q, metric)) for p, q in places)
    return min(measured, key=attrgetter("distance"))


def _minus_first(rows: Floats) -> Floats:
    """Return rows less the first that is finite, and of a size whose squares are finite.

    What all rows have in common would cost the digits of the products by which they differ.
    """
    (finite,) = np.nonzero(np.isfinite(rows).all(axis=1))
    if not len(finite):
        return rows
    small, _ = scaled(rows)
    with np.errstate(invalid="ignore"):  # of rows that are not finite
        steps: Floats = small - small[finite[0]]
    return scaled(steps)[0]


def _share_done(start: int, count: int) -> float:
    left = (count - start) / count
    return 1 - left * left
