"""Rows that are close to each other, or close to zero: their distances to the last digits.

A difference of two rows of a table has the rows' 16 digits, less those that cancel. All
digits of the difference are kept by

    sin a - sin b =  2 sin((a - b)/2) cos((a + b)/2)
    cos a - cos b = -2 sin((a - b)/2) sin((a + b)/2),

where half an offset, and half a sum, of positions is a phase like every other. Each costs an
evaluation, so this is done only where the digits of a table are not enough: `is_close`.
"""

import math
from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis._rows import scaled_one_by_one
from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.numeric import block_means
from pe_explorer.numeric.positions import Positions, is_whole
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter

FractionArray = npt.NDArray[np.object_]
ExactPositions = Ints | FractionArray

_CHUNK_NUMBERS = 2**19  # numbers of intermediate results that are computed together
_ROUNDING = 4.5e-16  # rounding error of a number, relative to the size of its row
_RELATIVE_TOLERANCE = 1e-12  # relative error that every distance may have
_TOLERANCE, _TOLERANCE_OF_CLOSE = 1e-15, 1e-30  # absolute error that any distance may have
_LARGEST_RELATIVE_ERROR = 0.05  # a value with a larger relative error is not determined
SMALL_COSINE_DISTANCE = 1e-5  # below it, rounded rows give 1 - cos with too few digits
_SHORT_RMS = 0.1  # root mean square of a row below which rounding changes its direction

# Distances below which rounded rows give fewer than 13 digits, per dimension if they grow with it.
_CLOSE_DISTANCES = {
    "cosine": 1e-3,
    "correlation": 1e-2,
    "sse": 1e-4,
    "euclidean": 1e-2,
    "manhattan": 4e-3,
    "chebyshev": 4e-3,
}


def keeps_digits(e: Encoding) -> TypeGuard[Steady]:
    """Return whether rows are made of exact phases, so that their differences keep all digits."""
    return isinstance(e, Steady) and len(e.turns) > 0


def is_close(values: Floats, metric: str, dim: int) -> Bools:
    """Return which distances, computed from rounded rows, should be computed again."""
    growth = {"euclidean": math.sqrt(dim), "sse": dim, "manhattan": dim}.get(metric, 1)
    return values < _CLOSE_DISTANCES[metric] * growth


def close_versines(turns: Turns, offsets: ExactPositions, report: Reporter) -> Floats:
    """Return Σ 2 sin²(Δ·ω / 2) for each offset, shape (n,); `report` may raise to stop."""
    sums = np.empty(len(offsets))
    rows = max(1, _CHUNK_NUMBERS // len(turns))
    for start in range(0, len(offsets), rows):
        part = slice(start, start + rows)
        sines = turns.precise_phasors(offsets[part]).imag
        sums[part] = 2 * np.einsum("nw,nw->n", sines, sines)
        report((start + 1) / (len(offsets) + 1))
    report(1.0)
    return sums


def close_mean_versines(
    turns: Turns,
    blocks: tuple[int, int],
    centres: tuple[range, range],
    close: Bools,
    report: Reporter,
) -> Floats:
    """Return the mean of Σ (1 - cos(Δ·ω)) over pairs of blocks, for the pairs that `close` marks.

    `centres` are doubled. With D and D' for the amplitudes of a wave in the means of the two
    blocks, the wave contributes 1 - D·D' + D·D'·(1 - cos) of the angle between the centres.
    """
    if not close.any():
        report(1.0)
        return np.empty(0)
    loss, other = (block_means.losses(turns, block) for block in blocks)
    weights = 2 * (1 - loss) * (1 - other)
    constants = loss + other - loss * other
    constant = float(constants.sum())
    p, q = (np.asarray(doubled, dtype=np.int64) for doubled in centres)
    rows, columns = np.nonzero(close)
    offsets = p[rows] - q[columns]
    distinct, places = np.unique(offsets, return_inverse=True)
    values = np.empty(len(distinct))
    step = max(1, _CHUNK_NUMBERS // len(turns))
    from fractions import Fraction  # seldom needed

    for start in range(0, len(distinct), step):
        part = slice(start, start + step)
        halves = [Fraction(twice, 2) for twice in distinct[part].tolist()]
        sines = turns.precise_phasors(np.array(halves, dtype=object)).imag
        values[part] = constant + sines**2 @ weights
        report((start + 1) / (len(distinct) + 1))
    report(1.0)
    return values[places]


def correct_close_distances(
    e: Steady, p: Positions, q: Positions, metric: str, values: Floats
) -> Bools:
    """Correct the distances of rows that are close, in `values` of shape (p, q); return which."""
    at, to = _as_exact(p, q)
    same = at[:, None] == to
    values[same & ~np.isnan(values)] = 0.0
    if metric == "correlation":
        found = np.flatnonzero(same.any(axis=1))
        rows = _repeated_rows(e, at[found])
        constant = (rows == rows[:, :1]).all(axis=1)
        values[found[constant]] = np.nan  # not even a row itself correlates with one
    close = is_close(values, metric, e.width) & ~same
    most = max(1, _CHUNK_NUMBERS // e.width)
    for i, j in _cells_by_square(close, most):
        rounded = values[i, j]
        values[i, j] = _pair_distances(e, at[i], to[j], metric, rounded)
    return close | same


def correct_small_angles(u: Floats, v: Floats, metric: str, values: Floats) -> None:
    """Correct 1 - cos of small angles between exact rows, in `values` of shape (len(u), len(v))."""
    u, v = scaled_one_by_one(u), scaled_one_by_one(v)
    small = values < SMALL_COSINE_DISTANCE
    for i in np.flatnonzero(small.any(axis=1)).tolist():
        close = small[i]
        one, other = u[i : i + 1], v[close]
        differences = one - other
        if metric == "correlation":
            one, other, differences = centred(one), centred(other), centred(differences)
        values[i, close] = _cosine_distances(one, other, differences, values[i, close])


def differences_from(e: Steady, positions: range, first: int) -> Floats:
    """Return the rows of positions less the row of a first one, to the last digits: (n, width)."""
    p = np.asarray(positions, dtype=np.int64)
    return _differences(e, p, np.full(len(p), first))


def correct_short_rows(e: Steady, positions: Positions, table: Floats) -> None:
    """Correct rows of a table that are close to zero: rounding has changed their direction."""
    squares = np.einsum("nd,nd->n", table, table)
    short = np.flatnonzero(squares < _SHORT_RMS**2 * e.width)
    step = max(1, _CHUNK_NUMBERS // e.width)
    (at,) = _as_exact(positions)
    for start in range(0, len(short), step):
        rows = short[start : start + step]
        table[rows] = _rows(e, at[rows])


def unit(rows: Floats) -> Floats:
    """Return rows scaled to length 1, shape (n, width); nan for rows of zeros.

    Their squares neither underflow nor overflow.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        largest = np.abs(rows).max(axis=1, keepdims=True)
        scaled = rows / largest
        lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
        units: Floats = scaled / lengths
    return units


def centred(rows: Floats) -> Floats:
    """Return rows less their means; exactly zero where all numbers of a row are equal."""
    steps = rows - rows[:, :1]
    return steps - steps.mean(axis=1, keepdims=True)


def angles_of_rounding(amplitude: float, rows: Floats, deviations: Floats) -> Floats:
    """Return the angles by which rounding may have turned centred rows of waves, radians: (n,)."""
    sizes = np.minimum(np.abs(rows).max(axis=1) / _SHORT_RMS, amplitude)
    return _angles_of_rounding(sizes, deviations)


def rounded_to_right_digits(values: Floats, errors: Floats, least: float = _TOLERANCE) -> Floats:
    """Return values rounded to the digits that are right; nan where no digit is.

    Values whose `errors` are at most 1e-12 of themselves, or `least`, stay unchanged.
    """
    doubtful = errors > np.maximum(_RELATIVE_TOLERANCE * values, least)
    if not doubtful.any():
        return values
    found = values.copy()
    found[doubtful & ~(errors < _LARGEST_RELATIVE_ERROR * values)] = np.nan
    some = doubtful & (errors < _LARGEST_RELATIVE_ERROR * values)
    decimals = -np.ceil(np.log10(errors[some]))
    for place, number in zip(np.argwhere(some), decimals.astype(int).tolist(), strict=True):
        found[tuple(place)] = round(float(found[tuple(place)]), number)
    return found


def cosine_errors(cosines: Floats, turned: Floats) -> Floats:
    """Return the errors of 1 - cos of angles, from the errors of the angles in radians."""
    sines = np.sqrt(np.maximum(cosines * (2 - cosines), 0.0))
    return turned * (sines + turned / 2)


def _pair_distances(
    e: Steady, p: ExactPositions, q: ExactPositions, metric: str, rounded: Floats
) -> Floats:
    differences = _differences(e, p, q)
    if metric in ("cosine", "correlation"):
        by_angle = _cosine_distances if metric == "cosine" else _correlations
        return by_angle(_repeated_rows(e, p), _repeated_rows(e, q), differences, rounded)
    sizes = np.abs(differences)
    if metric == "chebyshev":
        return sizes.max(axis=1)
    if metric == "manhattan":
        return sizes.sum(axis=1)
    lengths = row_lengths(sizes)
    return np.square(lengths) if metric == "sse" else lengths


def row_lengths(sizes: Floats) -> Floats:
    """Return the length of each row of numbers from 0 on; their squares may be no float64."""
    largest = sizes.max(axis=1)
    divisors = np.where((largest > 0) & (largest < np.inf), largest, 1.0)
    scaled = sizes / divisors[:, None]
    return largest * np.linalg.norm(scaled, axis=1)


def _correlations(u: Floats, v: Floats, differences: Floats, rounded: Floats) -> Floats:
    """Return the correlation distances of each row of u from that of v, to the right digits."""
    of_u, of_v, across = centred(u), centred(v), centred(differences)
    values = _cosine_distances(of_u, of_v, across, rounded)
    turned_u = _angles_of_rounding(np.abs(u).max(axis=1), of_u)
    turned_v = _angles_of_rounding(np.abs(v).max(axis=1), of_v)
    turned = turned_u + turned_v
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart = row_lengths(np.abs(across)) / row_lengths(np.abs(of_v))
        moved = _angles_of_rounding(np.abs(differences).max(axis=1), of_v) + apart * turned_u
        by_differences = cosine_errors(values, moved) + 2 * values * turned_v
        errors = np.where(_are_near(across, of_v), by_differences, cosine_errors(values, turned))
    return rounded_to_right_digits(values, errors, _TOLERANCE_OF_CLOSE)


def _angles_of_rounding(sizes: Floats, deviations: Floats) -> Floats:
    """Return the angles by which rounding may have turned deviations of rows, in radians."""
    of_a_number = np.maximum(_ROUNDING * sizes, math.ulp(0.0))
    errors = math.sqrt(deviations.shape[1]) * of_a_number
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        turned: Floats = errors / row_lengths(np.abs(deviations))
    if deviations.shape[1] == 2:  # all lie on one line: they are turned to its other side, or not
        return np.where(turned < 1, 0.0, turned)
    return turned


def _are_near(differences: Floats, v: Floats) -> Bools:
    """Return which rows differ from those of v by no more than these are long."""
    return np.abs(differences).max(axis=1) <= np.abs(v).max(axis=1)


def _cosine_distances(u: Floats, v: Floats, differences: Floats, rounded: Floats) -> Floats:
    """Return 1 - cos of the small angle between each row of u, or its only one, and a row of v.

    It is made of the part of their difference that is perpendicular to u.
    """
    longest = np.abs(v).max(axis=1)
    found = _are_near(differences, v)
    direction = unit(u if len(u) == 1 else u[found])
    scale = longest[found, None]
    steps = differences[found] / scale
    along = np.einsum("nd,nd->n", np.broadcast_to(direction, steps.shape), steps)
    across = steps - direction * along[:, None]
    lengths = np.square(v[found] / scale).sum(axis=1)
    squares = np.einsum("nd,nd->n", across, across) / lengths
    cosines = rounded.copy()
    cosines[found] = squares / (1 + np.sqrt(1 - squares))
    return cosines


def _differences(e: Steady, p: ExactPositions, q: ExactPositions) -> Floats:
    offsets, first = np.unique(p - q, return_inverse=True)
    doubled_middles = p + q + 2 * e.origin
    sums, second = np.unique(doubled_middles, return_inverse=True)
    sines = e.turns.precise_phasors(offsets).imag
    halves = 2 * sines[:, e.wave_of]
    middles = _column_values(e, 1j * e.turns.precise_phasors(sums))
    return halves[first] * middles[second]


def _rows(e: Steady, positions: ExactPositions) -> Floats:
    return _column_values(e, e.turns.precise_phasors(2 * (positions + e.origin)))


def _repeated_rows(e: Steady, positions: ExactPositions) -> Floats:
    distinct: Any
    distinct, places = np.unique(positions, return_inverse=True)
    return _rows(e, distinct)[places]


def _column_values(e: Steady, phasors: Phasors) -> Floats:
    """Return the sine or cosine of each column's wave, shape (n, width); zero without a wave."""
    wave_of = e.wave_of
    by_column = phasors[:, wave_of]
    values: Floats = np.where(e.sines, by_column.imag, by_column.real)
    values[:, wave_of < 0] = 0.0
    return values * e.amplitude


def _as_exact(*positions: Positions) -> list[Any]:
    """Return positions as int64 arrays, or, if any is fractional, all as arrays of fractions."""
    if all(map(is_whole, positions)):
        return [np.asarray(some, dtype=np.int64) for some in positions]
    from fractions import Fraction  # seldom needed

    lists = (np.asarray(some).tolist() for some in positions)
    return [np.array([Fraction(place) for place in some], dtype=object) for some in lists]


def _cells_by_square(cells: Bools, most: int) -> Iterator[tuple[ExactPositions, ExactPositions]]:
    """Yield rows and columns of the cells that are true, square by square.

    Within a square, the offsets between two progressions are few.
    """
    side = math.isqrt(most)
    rows, columns = np.nonzero(cells)
    square = rows // side * cells.shape[1] + columns // side
    order = np.argsort(square, kind="stable")
    ends = np.flatnonzero(np.diff(square[order])) + 1
    for group in np.split(order, ends):
        if len(group):
            yield rows[group], columns[group]
