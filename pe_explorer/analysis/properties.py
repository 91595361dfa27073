"""Measurements of the properties that a good encoding should have.

Each function measures some positions and returns values and their locations as
evidence. The functions do not decide whether a criterion is met, because measurements
are valid only for these positions. For example, the measured range can be smaller than
the `value_range` of the encoding, which is valid for all positions.
"""

import math
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, moved_rows, shift
from pe_explorer.analysis._close import normalise
from pe_explorer.analysis._rows import scale_rows
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import declared
from pe_explorer.progress import Reporter, ignore_progress

_CHUNK_VALUES = 2**20  # values of a table per chunk
_VALLEY_SHARE = 1 / 4  # share of the median distance at which a valley ends
_PRODUCT_METRICS = ("cosine", "euclidean", "sse")  # metrics that follow from products of rows
_DISTANCES_PER_CHUNK = 2**21  # distances per chunk
_PRODUCT_ROUNDING = 1e-12  # rounding error of squared distances, relative to the largest square
_MAX_CANDIDATES = 1000  # maximum number of pairs whose distances are measured accurately


class LocatedNumber(NamedTuple):
    """A value of a table with its position and column."""

    position: int
    column: int
    value: float


class Extremes(NamedTuple):
    """The minimum and maximum value in some rows, each with the place of its first occurrence."""

    low: LocatedNumber
    high: LocatedNumber


class ClosestPair(NamedTuple):
    """The first pair of positions with the smallest distance, and that distance."""

    first: int
    second: int
    distance: float


class Growth(NamedTuple):
    """The growth of the distance from a reference, step by step."""

    steps: int  # the number of steps between rows with defined distances
    growing_steps: int  # the number of steps at which the distance grows
    exceptions: tuple[int, ...]  # the positions at which the distance does not grow, nearest first
    is_decreasing: bool = False  # whether the distance decreases at the first exception

    @property
    def first_exception(self) -> int | None:
        """The nearest position at which the distance does not grow; None if it always grows."""
        return self.exceptions[0] if self.exceptions else None


class SimilarPosition(NamedTuple):
    """A position that is similar to another position, and their distance."""

    position: int
    distance: float


def extremes(e: Encoding, positions: range) -> Extremes | None:
    """Return the minimum and maximum finite value in the rows, or None if no value is finite."""
    minima, maxima = [], []
    chunk = max(1, _CHUNK_VALUES // e.width)
    for start in range(0, len(positions), chunk):
        part = positions[start : start + chunk]
        table = e.table(part)
        is_finite = np.isfinite(table)
        if is_finite.any():
            low, high = np.where(is_finite, table, np.inf), np.where(is_finite, table, -np.inf)
            minima.append(_locate_number(part, table, int(low.argmin())))
            maxima.append(_locate_number(part, table, int(high.argmax())))
    value = attrgetter("value")
    return Extremes(min(minima, key=value), max(maxima, key=value)) if minima else None


def compare_doubled_length(e: Encoding, positions: range) -> tuple[Encoding, LocatedNumber] | None:
    """Return an encoding for sequences twice as long, and the largest difference from `e`.

    The difference is a value of the longer encoding minus the value of `e`. Return None if the
    encoding has no parameter `length`.
    """
    if "length" not in declared(type(e)):
        return None
    longer = replace(e, length=2 * e.parameters["length"])  # type: ignore[call-arg]
    differences = longer.table(positions) - e.table(positions)
    return longer, _locate_number(positions, differences, int(np.abs(differences).argmax()))


def measure_repetition(e: Encoding, positions: range) -> float:
    """Return the largest difference between two computations of a table, which is normally 0."""
    encoding_copy = type(e)(**e.parameters)
    table, repeated_table = e.table(positions), encoding_copy.table(positions)
    is_different = (table != repeated_table) & ~(np.isnan(table) & np.isnan(repeated_table))
    return float(np.abs(table[is_different] - repeated_table[is_different]).max(initial=0.0))


def growth(e: Encoding, reference: int, positions: range, metric: str = "euclidean") -> Growth:
    """Measure the growth of the distance from a reference, step by step.

    Steps lead away from the reference in both directions, to the ends of the positions. For
    the inner product, growth means that the value decreases.
    """
    base = distance.find_base_metric(metric)  # the base metric is more accurate
    steps = growing_step_count = 0
    exceptions: list[tuple[int, bool]] = []
    for side in _split_sides(reference, positions):
        values = distance.from_reference(e, reference, side, base)
        row_similarity = values if distance.is_similarity(base) else -values
        is_known = ~np.isnan(row_similarity[1:]) & ~np.isnan(row_similarity[:-1])
        is_growing = row_similarity[1:] < row_similarity[:-1]
        steps += int(is_known.sum())
        growing_step_count += int(is_growing.sum())
        is_falling = row_similarity[1:] > row_similarity[:-1]
        indices = np.flatnonzero(is_known & ~is_growing).tolist()
        exceptions += [(side[place + 1], bool(is_falling[place])) for place in indices]
    exceptions.sort(key=lambda exception: abs(exception[0] - reference))
    is_decreasing = bool(exceptions) and exceptions[0][1]
    exception_positions = tuple(position for position, _ in exceptions)
    return Growth(steps, growing_step_count, exception_positions, is_decreasing)


def compute_shift_residual(e: Encoding, positions: range, k: int = 1) -> LocatedNumber | None:
    """Return the largest residual of the matrix that moves rows by k, and its position.

    Return None if the matrix does not exist (see `shift.explain_no_matrix`), or if there is no
    position p for which both p and p + k have rows. The column is -1, because the residual is the
    largest of all columns.
    """
    if shift.explain_no_matrix(e, k):
        return None
    positions = clip_positions(positions, moved_rows.movable_positions(e, k))
    if not positions:
        return None
    residuals = moved_rows.compute_max_differences(e, k, shift.build_sparse_shift(e, k), positions)
    row = int(residuals.argmax())
    return LocatedNumber(positions[row], -1, float(residuals[row]))


def find_similar_positions(
    e: Encoding, position: int, positions: range, metric: str = "cosine", limit: int = 10
) -> tuple[SimilarPosition, ...]:
    """Return the positions most similar to `position`, except its neighbours, best first.

    Neighbours form a valley of small distances on either side of the position. The valley
    ends where the distance exceeds a quarter of the median distance and the similarity
    stops decreasing. Beyond the valley, only local maxima of the similarity count.
    """
    results: list[SimilarPosition] = []
    sides = _split_sides(position, positions)
    sign = 1 if distance.is_similarity(metric) else -1
    similarities = [sign * distance.from_reference(e, position, side, metric) for side in sides]
    finite_values = np.concatenate([*similarities, []])
    finite_values = finite_values[np.isfinite(finite_values)]
    valley_limit = math.nan  # finds no peaks, because comparisons with nan are false
    if len(finite_values):
        middle_index = len(finite_values) // 2  # the mean of the two middle values could overflow
        median = float(np.partition(finite_values, middle_index)[middle_index])
        valley_limit = (1 - _VALLEY_SHARE) * float(similarities[0][0]) + _VALLEY_SHARE * median
    for side, similarity in zip(sides, similarities, strict=True):
        peaks = _find_peaks(similarity, valley_limit)
        # A stable sort returns the nearer of two equally similar positions first.
        indices = peaks[np.argsort(-similarity[peaks], kind="stable")[:limit]]
        results += [SimilarPosition(side[i], sign * float(similarity[i])) for i in indices.tolist()]
    results.sort(key=lambda item: (-sign * item.distance, abs(item.position - position)))
    return tuple(results[:limit])


def find_first_nearer_row(
    e: Encoding, position: int, positions: range, metric: str = "cosine"
) -> SimilarPosition | None:
    """Return the first later position that is closer to `position` than the next one, or None."""
    limit = distance.between(e, position, position + 1, metric)
    candidates = range(max(positions.start, position + 2), positions.stop)
    values = distance.from_reference(e, position, candidates, metric)
    is_nearer = values > limit if distance.is_similarity(metric) else values < limit
    index = int(is_nearer.argmax()) if is_nearer.any() else None
    return None if index is None else SimilarPosition(candidates[index], float(values[index]))


def _find_peaks(similarity: Floats, valley_limit: float) -> Ints:
    """Return the indices of local maxima beyond the first valley."""
    (outside_indices,) = np.nonzero(similarity <= valley_limit)
    ascents = np.flatnonzero(similarity[1:] > similarity[:-1])
    ascents = ascents[ascents >= outside_indices[0]] if len(outside_indices) else ascents[:0]
    if not len(ascents):
        return ascents
    tail = similarity[ascents[0] :]
    is_above_previous = tail > np.append(np.inf, tail[:-1])
    peaks = np.flatnonzero(is_above_previous & (tail >= np.append(tail[1:], -np.inf)))
    return peaks + int(ascents[0])


def _split_sides(reference: int, positions: range) -> list[range]:
    """Return the positions from a reference to the right and to the left; omit empty sides."""
    right = range(max(positions.start, reference), positions.stop)
    left = range(min(positions.stop - 1, reference), positions.start - 1, -1)
    return [side for side in (right, left) if len(side) > 1]


def _locate_number(positions: range, table: Floats, index: int) -> LocatedNumber:
    row, column = divmod(index, table.shape[1])
    return LocatedNumber(positions[row], column, float(table[row, column]))


def find_closest_pair(
    e: Encoding, positions: range, metric: str = "euclidean", progress: Reporter | None = None
) -> ClosestPair | None:
    """Return the first pair of positions with the smallest distance.

    Return None if there are fewer than two positions, or all distances are undefined. The
    metric must not be a similarity. `progress` may raise an exception to cancel.
    """
    if len(positions) < 2:
        return None
    report = progress or ignore_progress
    if distance.depends_on_offset(e, metric):
        row = distance.from_reference(e, positions[0], positions[1:], metric, report)
        return ClosestPair(positions[0], positions[1 + int(row.argmin())], float(row.min()))
    if metric in _PRODUCT_METRICS:
        return _find_pair_by_products(e, positions, metric, report)
    count, best_pair = len(positions), None
    step = max(1, _DISTANCES_PER_CHUNK // count)
    for start in range(0, count - 1, step):
        report(_compute_completed_share(start, count))
        part = positions[start : start + step]
        distances = distance.matrix(e, part, positions[start:], metric)
        distances[np.tri(*distances.shape, dtype=np.bool_) | np.isnan(distances)] = np.inf
        row, column = divmod(int(distances.argmin()), distances.shape[1])
        value = float(distances[row, column])
        if np.isfinite(value) and (best_pair is None or value < best_pair.distance):
            best_pair = ClosestPair(part[row], positions[start + column], value)
    return best_pair


def _find_pair_by_products(
    e: Encoding, positions: range, metric: str, report: Reporter
) -> ClosestPair | None:
    """Return the closest pair among candidates that are selected by products of rows."""
    table = e.table(positions)
    rows = _subtract_first_row(normalise(table) if metric == "cosine" else table)
    squares = np.einsum("nd,nd->n", rows, rows)
    is_finite = np.isfinite(squares)
    margin = _PRODUCT_ROUNDING * squares.max(initial=0.0, where=is_finite)
    count, minimum = len(positions), np.inf
    candidate_parts: list[tuple[Floats, Ints]] = []
    step = max(1, _DISTANCES_PER_CHUNK // count)
    for start in range(0, count - 1, step):
        report(_compute_completed_share(start, count))
        left_rows = rows[start : start + step]
        with np.errstate(invalid="ignore", over="ignore"):
            block = squares[start : start + step, None] + squares[start:]  # squared distances
            block -= 2 * (left_rows @ rows[start:].T)
        block[np.tri(*block.shape, dtype=np.bool_) | ~np.isfinite(block)] = np.inf
        minimum = min(minimum, float(block.min()))
        cells = np.argwhere(block <= minimum + margin)[:_MAX_CANDIDATES]
        candidate_parts.append((block[cells[:, 0], cells[:, 1]], cells + start))
    if not np.isfinite(minimum):
        return None
    values, pairs = map(np.concatenate, zip(*candidate_parts, strict=True))
    candidates = pairs[values <= minimum + margin][:_MAX_CANDIDATES].tolist()
    position_pairs = ((positions[first], positions[second]) for first, second in candidates)
    results = (ClosestPair(p, q, distance.between(e, p, q, metric)) for p, q in position_pairs)
    return min(results, key=attrgetter("distance"))


def _subtract_first_row(rows: Floats) -> Floats:
    """Return rows minus the first finite row, scaled so that their squares are finite.

    A common offset of all rows would make products of rows inaccurate.
    """
    (finite_row_indices,) = np.nonzero(np.isfinite(rows).all(axis=1))
    if not len(finite_row_indices):
        return rows
    scaled_rows, _ = scale_rows(rows)
    with np.errstate(invalid="ignore"):  # rows can contain infinity
        steps: Floats = scaled_rows - scaled_rows[finite_row_indices[0]]
    return scale_rows(steps)[0]


def _compute_completed_share(start: int, count: int) -> float:
    remaining_share = (count - start) / count
    return 1 - remaining_share * remaining_share
