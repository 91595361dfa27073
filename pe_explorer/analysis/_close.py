"""Accurate distances between rows that are close to each other or to zero.

Subtracting two nearly equal rows of a table loses significant digits. These identities
avoid the loss:

    sin a - sin b =  2 sin((a - b)/2) cos((a + b)/2)
    cos a - cos b = -2 sin((a - b)/2) sin((a + b)/2)

The phases of (a - b)/2 and (a + b)/2 are as exact as those of a and b. Evaluating the
identities is slow, so they are used only where subtraction would lose digits.
"""

import math
from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis._rows import Blocks, scale_each_row
from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.numeric import block_means
from pe_explorer.numeric.positions import Positions, is_whole, list_doubled_centres
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter

ExactPositions = Ints | npt.NDArray[np.object_]  # array of integers or of `Fraction` objects

_CHUNK_VALUES = 2**19  # intermediate values per chunk
_ROUNDOFF = 4.5e-16  # rounding error of a value, relative to the largest absolute value in its row
_RELATIVE_TOLERANCE = 1e-12  # maximum relative error of a distance
_TOLERANCE, _CLOSE_TOLERANCE = 1e-15, 1e-30  # maximum absolute error, in general and for close rows
_MAX_RELATIVE_ERROR = 0.05  # values with a larger relative error become nan
MIN_ACCURATE_DISTANCE = 1e-5  # below this distance, 1 - cos of rounded rows is inaccurate
_MIN_RMS = 0.1  # root mean square below which rounding errors make a row's direction inaccurate

# Smaller distances between rounded rows have fewer than 13 accurate digits. For metrics whose
# values grow with the dimension, `is_close` multiplies these limits by a factor that depends on the
# dimension.
_CLOSE_LIMITS = {
    "cosine": 1e-3,
    "correlation": 1e-2,
    "sse": 1e-4,
    "euclidean": 1e-2,
    "manhattan": 4e-3,
    "chebyshev": 4e-3,
}


def has_exact_phases(e: Encoding) -> TypeGuard[Steady]:
    """Return whether rows are computed from exact phases, which allow accurate differences."""
    return isinstance(e, Steady) and len(e.turns) > 0


def is_close(values: Floats, metric: str, dim: int) -> Bools:
    """Return a mask of the distances that are too small to be accurate and must be recomputed."""
    growth_factor = {"euclidean": math.sqrt(dim), "sse": dim, "manhattan": dim}.get(metric, 1)
    return values < _CLOSE_LIMITS[metric] * growth_factor


def compute_close_versines(turns: Turns, offsets: ExactPositions, report: Reporter) -> Floats:
    """Return Σ 2 sin²(Δ·ω / 2) over all waves for each offset Δ, shape (n,)."""
    sums = np.empty(len(offsets))
    rows = max(1, _CHUNK_VALUES // len(turns))
    for start in range(0, len(offsets), rows):
        part = slice(start, start + rows)
        sines = turns.compute_precise_phasors(offsets[part]).imag
        sums[part] = 2 * np.einsum("nw,nw->n", sines, sines)
        report((start + 1) / (len(offsets) + 1))
    report(1.0)
    return sums


def compute_close_means(
    turns: Turns, rows: Blocks, cols: Blocks, mask: Bools, report: Reporter
) -> Floats:
    """Return the mean of Σ (1 - cos(Δ·ω)) over offsets Δ for each true cell of `mask`.

    A cell stands for a pair of blocks. A wave whose means over the two blocks have the
    amplitudes D and D' contributes 1 - D·D' + D·D'·(1 - cos φ), where φ is its phase
    difference between the centres of the blocks.
    """
    if not mask.any():
        report(1.0)
        return np.empty(0)
    row_loss, column_loss = (
        block_means.compute_losses(turns, block) for _, block, _ in (rows, cols)
    )
    weights = 2 * (1 - row_loss) * (1 - column_loss)
    constant_term = float((row_loss + column_loss - row_loss * column_loss).sum())
    p, q = (np.asarray(list_doubled_centres(*blocks), dtype=np.int64) for blocks in (rows, cols))
    i, j = np.nonzero(mask)
    distinct_offsets, indices = np.unique(p[i] - q[j], return_inverse=True)
    values = np.empty(len(distinct_offsets))
    step = max(1, _CHUNK_VALUES // len(turns))
    from fractions import Fraction  # imported here because it is rarely needed

    for start in range(0, len(distinct_offsets), step):
        part = slice(start, start + step)
        half_offsets = [Fraction(offset, 2) for offset in distinct_offsets[part].tolist()]
        sines = turns.compute_precise_phasors(np.array(half_offsets, dtype=object)).imag
        values[part] = constant_term + sines**2 @ weights
        report((start + 1) / (len(distinct_offsets) + 1))
    report(1.0)
    return values[indices]


def correct_close_distances(
    e: Steady, p: Positions, q: Positions, metric: str, values: Floats
) -> Bools:
    """Correct small distances in `values`, shape (len(p), len(q)), in place; return their mask."""
    exact_p, exact_q = _to_exact_positions(p, q)
    is_same_position = exact_p[:, None] == exact_q
    values[is_same_position & ~np.isnan(values)] = 0.0
    if metric == "correlation":
        indices = np.flatnonzero(is_same_position.any(axis=1))
        rows = _compute_repeated_rows(e, exact_p[indices])
        is_constant = (rows == rows[:, :1]).all(axis=1)
        values[indices[is_constant]] = np.nan  # a constant row has no correlation, even with itself
    is_close_cell = is_close(values, metric, e.width) & ~is_same_position
    for i, j in _group_cells(is_close_cell, max(1, _CHUNK_VALUES // e.width)):
        values[i, j] = _compute_pair_distances(e, exact_p[i], exact_q[j], metric, values[i, j])
    return is_close_cell | is_same_position


def correct_small_angles(u: Floats, v: Floats, metric: str, values: Floats) -> None:
    """Correct the values 1 - cos θ in place where the angle θ between two rows is small.

    The shape of `values` is (len(u), len(v)).
    """
    u, v = scale_each_row(u), scale_each_row(v)
    is_small = values < MIN_ACCURATE_DISTANCE
    for i in np.flatnonzero(is_small.any(axis=1)).tolist():
        row, close_rows = u[i : i + 1], v[is_small[i]]
        differences = row - close_rows
        if metric == "correlation":
            row, close_rows, differences = map(subtract_mean, (row, close_rows, differences))
        estimates = values[i, is_small[i]]
        values[i, is_small[i]] = _find_cosine_distances(row, close_rows, differences, estimates)


def compute_differences_from(e: Steady, positions: range, first: int) -> Floats:
    """Return rows minus the row at `first`, shape (n, width), accurate even if they are close."""
    p = np.asarray(positions, dtype=np.int64)
    return _compute_differences(e, p, np.full(len(p), first))


def correct_short_rows(e: Steady, positions: Positions, table: Floats) -> None:
    """Recompute rows of `table` that are close to 0, because rounding changes their direction."""
    squares = np.einsum("nd,nd->n", table, table)
    short_rows = np.flatnonzero(squares < _MIN_RMS**2 * e.width)
    step = max(1, _CHUNK_VALUES // e.width)
    (exact_positions,) = _to_exact_positions(positions)
    for start in range(0, len(short_rows), step):
        rows = short_rows[start : start + step]
        table[rows] = _compute_rows(e, exact_positions[rows])


def normalise(rows: Floats) -> Floats:
    """Return rows scaled to length 1, shape (n, width); rows of zeros become nan."""
    with np.errstate(invalid="ignore", divide="ignore"):
        maxima = np.abs(rows).max(axis=1, keepdims=True)
        scaled_rows = rows / maxima  # so that sums of squares neither underflow nor overflow
        unit_rows: Floats = scaled_rows / np.linalg.norm(scaled_rows, axis=1, keepdims=True)
    return unit_rows


def subtract_mean(rows: Floats) -> Floats:
    """Return rows minus their means; a row of equal values becomes exactly zero."""
    deltas = rows - rows[:, :1]
    return deltas - deltas.mean(axis=1, keepdims=True)


def compute_rounding_angles(amplitude: float, rows: Floats, deviations: Floats) -> Floats:
    """Return the angles in radians by which rounding errors can rotate centred rows, shape (n,)."""
    sizes = np.minimum(np.abs(rows).max(axis=1) / _MIN_RMS, amplitude)
    return _compute_rounding_angles(sizes, deviations)


def keep_accurate_digits(values: Floats, errors: Floats, tolerance: float = _TOLERANCE) -> Floats:
    """Return values rounded to their accurate digits, or nan if no digit is accurate.

    Values are returned unchanged if their error is at most `tolerance`, or at most 1e-12 relative
    to the value.
    """
    is_inaccurate = errors > np.maximum(_RELATIVE_TOLERANCE * values, tolerance)
    if not is_inaccurate.any():
        return values
    has_accurate_digits = errors < _MAX_RELATIVE_ERROR * values
    result = np.where(is_inaccurate & ~has_accurate_digits, np.nan, values)
    for cell in map(tuple, np.argwhere(is_inaccurate & has_accurate_digits)):
        result[cell] = round(float(values[cell]), -math.ceil(math.log10(errors[cell])))
    return result


def compute_cosine_errors(cosines: Floats, angle_errors: Floats) -> Floats:
    """Return the errors of 1 - cos θ, given the errors of the angles θ in radians."""
    sines = np.sqrt(np.maximum(cosines * (2 - cosines), 0.0))
    return angle_errors * (sines + angle_errors / 2)


def _compute_pair_distances(
    e: Steady, p: ExactPositions, q: ExactPositions, metric: str, estimates: Floats
) -> Floats:
    differences = _compute_differences(e, p, q)
    if metric in ("cosine", "correlation"):
        measure = _find_cosine_distances if metric == "cosine" else _compute_correlations
        u, v = _compute_repeated_rows(e, p), _compute_repeated_rows(e, q)
        return measure(u, v, differences, estimates)
    sizes = np.abs(differences)
    if metric == "chebyshev":
        return sizes.max(axis=1)
    if metric == "manhattan":
        return sizes.sum(axis=1)
    lengths = compute_row_lengths(sizes)
    return np.square(lengths) if metric == "sse" else lengths


def compute_row_lengths(sizes: Floats) -> Floats:
    """Return the Euclidean length of each row without overflow, given its absolute values."""
    maxima = sizes.max(axis=1)
    divisors = np.where((maxima > 0) & (maxima < np.inf), maxima, 1.0)
    return maxima * np.linalg.norm(sizes / divisors[:, None], axis=1)


def _compute_correlations(u: Floats, v: Floats, differences: Floats, estimates: Floats) -> Floats:
    centred_u, centred_v, deltas = subtract_mean(u), subtract_mean(v), subtract_mean(differences)
    values = _find_cosine_distances(centred_u, centred_v, deltas, estimates)
    angles_u = _compute_rounding_angles(np.abs(u).max(axis=1), centred_u)
    angles_v = _compute_rounding_angles(np.abs(v).max(axis=1), centred_v)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        ratios = compute_row_lengths(np.abs(deltas)) / compute_row_lengths(np.abs(centred_v))
        step_angles = _compute_rounding_angles(np.abs(differences).max(axis=1), centred_v)
        close_errors = compute_cosine_errors(values, step_angles + ratios * angles_u)
        close_errors += 2 * values * angles_v
        errors = compute_cosine_errors(values, angles_u + angles_v)
        errors = np.where(_is_near(deltas, centred_v), close_errors, errors)
    return keep_accurate_digits(values, errors, _CLOSE_TOLERANCE)


def _compute_rounding_angles(sizes: Floats, deviations: Floats) -> Floats:
    value_errors = np.maximum(_ROUNDOFF * sizes, math.ulp(0.0))
    errors = math.sqrt(deviations.shape[1]) * value_errors
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        angles: Floats = errors / compute_row_lengths(np.abs(deviations))
    # Centred rows of two values lie on one line, so rounding can only reverse them.
    return np.where(angles < 1, 0.0, angles) if deviations.shape[1] == 2 else angles


def _is_near(differences: Floats, v: Floats) -> Bools:
    return np.abs(differences).max(axis=1) <= np.abs(v).max(axis=1)


def _find_cosine_distances(u: Floats, v: Floats, differences: Floats, estimates: Floats) -> Floats:
    """Return 1 - cos of the angle between corresponding rows of u and v, shape (n,).

    If u has only one row, it is compared with every row of v. If two rows are close, the
    angle is computed from the part of their difference that is perpendicular to u;
    otherwise, the corresponding value of `estimates` is returned.
    """
    is_near = _is_near(differences, v)
    direction = normalise(u if len(u) == 1 else u[is_near])
    scale = np.abs(v[is_near]).max(axis=1, keepdims=True)
    deltas = differences[is_near] / scale
    projections = np.einsum("nd,nd->n", np.broadcast_to(direction, deltas.shape), deltas)
    deltas -= direction * projections[:, None]
    squares = np.einsum("nd,nd->n", deltas, deltas) / np.square(v[is_near] / scale).sum(axis=1)
    distances = estimates.copy()
    distances[is_near] = squares / (1 + np.sqrt(1 - squares))
    return distances


def _compute_differences(e: Steady, p: ExactPositions, q: ExactPositions) -> Floats:
    offsets, offset_indices = np.unique(p - q, return_inverse=True)
    sums, sum_indices = np.unique(p + q + 2 * e.origin, return_inverse=True)
    sines = 2 * e.turns.compute_precise_phasors(offsets).imag[:, e.wave_indices]
    means = _compute_column_values(e, 1j * e.turns.compute_precise_phasors(sums))
    return sines[offset_indices] * means[sum_indices]


def _compute_rows(e: Steady, positions: ExactPositions) -> Floats:
    return _compute_column_values(e, e.turns.compute_precise_phasors(2 * (positions + e.origin)))


def _compute_repeated_rows(e: Steady, positions: ExactPositions) -> Floats:
    distinct_positions: Any
    distinct_positions, indices = np.unique(positions, return_inverse=True)
    return _compute_rows(e, distinct_positions)[indices]


def _compute_column_values(e: Steady, phasors: Phasors) -> Floats:
    """Return the value of each column's wave, shape (n, width); 0 for columns without a wave."""
    column_phasors = phasors[:, e.wave_indices]
    values: Floats = np.where(e.sines, column_phasors.imag, column_phasors.real)
    values[:, e.wave_indices < 0] = 0.0
    return values * e.amplitude


def _to_exact_positions(*positions: Positions) -> list[Any]:
    if all(map(is_whole, positions)):
        return [np.asarray(values, dtype=np.int64) for values in positions]
    from fractions import Fraction  # imported here because it is rarely needed

    position_lists = (np.asarray(values).tolist() for values in positions)
    return [np.array(list(map(Fraction, values)), dtype=object) for values in position_lists]


def _group_cells(mask: Bools, limit: int) -> Iterator[tuple[ExactPositions, ExactPositions]]:
    """Yield the row and column indices of the true cells of a mask, square by square.

    Consecutive positions have few distinct offsets within a square, so few phases must be
    computed.
    """
    side = math.isqrt(limit)
    rows, columns = np.nonzero(mask)
    squares = rows // side * mask.shape[1] + columns // side
    order = np.argsort(squares, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(squares[order])) + 1):
        if len(group):
            yield rows[group], columns[group]
