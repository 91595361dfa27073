"""Distances between the encodings of positions.

For a shift-invariant encoding (sines with their cosines), four metrics depend only on
the offset Δ between two positions. They follow from w, the contribution of a pair to
the squared length of a row, and from

    K(Δ) = Σ_i cos(Δ·ω_i) = pairs - V(Δ),    V(Δ) = 2 Σ_i sin²(Δ·ω_i / 2).

V is computed instead of K, because V is accurate for neighbouring positions, where K is
close to `pairs`. Encodings whose rows are multiples of one row (index, fraction, ALiBi)
also have closed forms. All other distances (Manhattan, or between rows of single waves
or bits) are computed from tables, in blocks. If two rows are so close that digits would
be lost, the distance is computed from the differences between their angles (see
`_close`). The definitions are those of SciPy's `spatial.distance`. The cosine
similarity is 1 minus the cosine distance. The normalised dot product is the dot product
divided by half the width. For sine-cosine pairs, it is the mean of cos(Δ·ω) over the
pairs, times the squared amplitude. For other rows, it is twice the mean of the products
of corresponding values.

Accuracy: the relative error of a distance is at most 1e-12, however small it is. There
are two exceptions, with an error of at most 1e-15 of the largest possible value:
similarities (the dot product, normalised or not, and the cosine), and the cosine
distance of rows that differ in length far more than in direction, such as single waves
near their zeros. The correlation distance of nearly constant rows is nan if rounding
can change it by more than 5 %. Otherwise, a correlation distance with fewer than twelve
accurate digits is rounded to these digits. For rows of two values, it is 0 or 2, with
an error of at most 1e-15. Squares below the smallest float64 number, 5e-324, are zero,
and overflowing values are infinite.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeGuard

import numpy as np

from pe_explorer.analysis import _offsets
from pe_explorer.analysis._rows import Blocks
from pe_explorer.analysis._tables import compute_row_distances, measure_row_distance, multiply_means
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, LinearRows, Multiples, Steady, Waves
from pe_explorer.encodings.abilities.checks import check_blocks, to_positions
from pe_explorer.numeric.positions import Positions, is_whole
from pe_explorer.params import Choice, describe_bad_choice, quote_value
from pe_explorer.progress import Reporter, ignore_progress

METRICS: Mapping[str, str] = {
    "cosine": (
        "the cosine distance, 1 − the cosine similarity: 0 for the same direction, 2 for "
        "opposite directions"
    ),
    "similarity": "the cosine similarity: 1 for the same direction, −1 for opposite directions",
    "dot": "the dot product, which is large for similar rows",
    "normalised-dot": (
        "the dot product divided by half the width: the mean of cos(Δω) for sine–cosine pairs"
    ),
    "euclidean": "the Euclidean distance, the length of the straight line between two rows",
    "sse": "the sum of squared errors (SSE), the square of the Euclidean distance",
    "manhattan": "the Manhattan distance, the sum of absolute differences",
    "chebyshev": "the Chebyshev distance, the largest absolute difference",
    "correlation": "the correlation distance, 1 − the correlation of the rows",
}  # the description of each metric

METRIC_NAMES: Mapping[str, str] = {
    "cosine": "cosine distance",
    "similarity": "cosine similarity",
    "dot": "dot product",
    "normalised-dot": "normalised dot product",
    "euclidean": "Euclidean distance",
    "sse": "sum of squared errors",
    "manhattan": "Manhattan distance",
    "chebyshev": "Chebyshev distance",
    "correlation": "correlation distance",
}  # the display name of each metric

# The metric from which each similarity is computed.
_SIMILARITY_METRICS = {"dot": "dot", "similarity": "cosine", "normalised-dot": "dot"}

# The property of finite rows that makes each metric undefined.
_UNDEFINED_CAUSES = {"cosine": "only zeros", "correlation": "the same number in every column"}

SCORE_BOUND = "score-bound"  # RoFormer's upper bound of the score, which is not a metric

SECOND_METRIC = Choice(
    "none",
    {
        "none": "no second curve",
        **METRICS,
        SCORE_BOUND: "RoFormer's upper bound of the score at the offset from the reference",
    },
    texts={"none": "none", **METRIC_NAMES, SCORE_BOUND: "upper bound of the score"},
    label="Second metric",
    help="Draw a second curve below the first. If you export all curves, the file includes it.",
)

_MIN_CHUNK_POSITIONS, _MAX_CHUNK_POSITIONS = 16, 128  # limits for the size of a chunk, in positions
_CHUNK_VALUES = 1024  # desired number of table values per chunk
_CLOSED_FORM_METRICS = ("cosine", "dot", "sse", "euclidean")  # metrics that are functions of V(Δ)
_NORM_METRICS = ("euclidean", "sse", "manhattan", "chebyshev")  # functions of the row difference


def measure(metric: str, place: str = "") -> str:
    """Return the display name of a metric, such as ``cosine distance from position 0``."""
    name = SECOND_METRIC.texts[metric]
    return f"{name} {choose_preposition(metric)} {place}" if place else name


def choose_preposition(metric: str) -> str:
    """Return the preposition that follows a metric's name, such as ``from`` for a distance."""
    return "with" if is_similarity(metric) else "from"


def is_similarity(metric: str) -> bool:
    """Return whether larger values mean more similar rows; similarities can be negative."""
    return metric in _SIMILARITY_METRICS


def find_base_metric(metric: str) -> str:
    """Return the metric from which `metric` is computed, such as `cosine` for `similarity`."""
    return _SIMILARITY_METRICS.get(metric, metric)


def between(e: Encoding, p: float, q: float, metric: str = "cosine") -> float:
    """Return the distance between the encodings of two positions.

    Parameters
    ----------
    e : Encoding
    p, q : int or float
        Positions within ±2^53.
    metric : str
        One of `METRICS`.

    Returns
    -------
    float
        nan for `cosine` and `similarity` if a row is zero in float64 and therefore has no
        direction, and for `correlation` if the values of a row are equal or almost equal.

    Raises
    ------
    EncodingError
        If the metric is unknown or a position is out of range.
    """
    return float(from_reference(e, p, to_positions([q], "q"), metric)[0])


def measure_vector_distance(
    u: Floats, v: Floats, metric: str = "cosine", amplitude: float = 0.0
) -> float:
    """Return the distance between two vectors of shape (n,).

    The distance is nan in the same cases as for `between`. `amplitude` is the amplitude of
    the waves in the vectors; 0 means that the vectors are exact.
    """
    _check_metric(metric)
    value = np.array(measure_row_distance(u, v, find_base_metric(metric), amplitude))
    return float(convert_to_metric(value, metric, len(u)))


@lru_cache(maxsize=4)  # texts use the same distances at every refresh
def measure_neighbours(e: Encoding, positions: range, metric: str = "cosine") -> Floats:
    """Return the distance between consecutive positions, shape (n - 1,); the array is read-only."""
    first, second = positions[:-1], positions[1:]
    distances = np.empty(len(first))
    if first and depends_on_offset(e, metric):
        distances[:] = between(e, first[0], second[0], metric)
    else:
        chunk = min(max(_CHUNK_VALUES // e.width, _MIN_CHUNK_POSITIONS), _MAX_CHUNK_POSITIONS)
        for start in range(0, len(first), chunk):
            part = slice(start, start + chunk)
            distances[part] = np.diag(matrix(e, first[part], second[part], metric))
    distances.setflags(write=False)
    return distances


def is_undetermined(e: Encoding, p: float, q: float, metric: str) -> bool:
    """Return whether the correlation is nan only because rounding errors dominate the value."""
    if metric != "correlation" or not math.isnan(between(e, p, q, metric)):
        return False
    return not any(math.isnan(between(e, position, position, metric)) for position in (p, q))


def explain_undefined_distance(e: Encoding, p: float, metric: str) -> str:
    """Return the property of a row that makes distances undefined, or "" if they are defined."""
    if not math.isnan(between(e, p, p, metric)):
        return ""
    if not np.isfinite(e.table([p])).all():
        return "NaN or infinity"
    return _UNDEFINED_CAUSES[find_base_metric(metric)]


def has_variation(numbers: Floats) -> bool:
    """Return whether values, shape (n,), are finite and not all equal."""
    return bool(np.isfinite(numbers).all() and (numbers != numbers[0]).any())


def from_reference(
    e: Encoding, p: float, positions: Any, metric: str = "cosine", progress: Reporter | None = None
) -> Floats:
    """Return the distance of each position from position `p`, shape (n,).

    `positions` are as in `Encoding.table`. The other parameters are as in `between`. Raise
    the same exceptions as `matrix`.
    """
    return matrix(e, to_positions([p], "p"), to_positions(positions), metric, progress)[0]


def matrix(
    e: Encoding, rows: Any, cols: Any, metric: str = "cosine", progress: Reporter | None = None
) -> Floats:
    """Return the distance of each position in `rows` from each position in `cols`.

    For a shift-invariant encoding, every distinct offset is evaluated once, in O(pairs):
    10,000 x 10,000 consecutive positions have only 19,999 offsets. If scattered positions
    have too many distinct offsets, rows of the table are compared instead.

    Parameters
    ----------
    e : Encoding
    rows, cols : positions
        As in `Encoding.table`.
    metric : str
        One of `METRICS`.
    progress : function, optional
        Called between blocks with the finished share, from 0 to 1; it may raise an
        exception to cancel.

    Returns
    -------
    (r, c) float64
        The distances. Memory is needed for this array and a few blocks.

    Raises
    ------
    EncodingError
        If the metric is unknown or a position is out of range.
    """
    _check_metric(metric)
    if (base := find_base_metric(metric)) != metric:
        return convert_to_metric(matrix(e, rows, cols, base, progress), metric, e.width)
    p, q = to_positions(rows, "rows"), to_positions(cols, "cols")
    report = progress or ignore_progress
    if isinstance(e, Multiples):
        return _compute_line_distances(e, p, q, metric)
    if not (is_whole(p) and is_whole(q)) or not has_closed_form(e, metric):
        return compute_row_distances(e, p, q, metric, report)
    turns, weight = e.turns, e.pair_weight

    def evaluate(offsets: Positions, report: Reporter) -> Floats:
        versines = _offsets.versines(turns, offsets, report)
        return _offsets.convert_versines(versines, metric, len(turns), weight)

    def evaluate_rows(part: Positions, report: Reporter) -> Floats:
        return compute_row_distances(e, part, q, metric, report)

    return _offsets.build_offset_matrix(p, q, report, evaluate, evaluate_rows)


def _compute_line_distances(e: Multiples, p: Positions, q: Positions, metric: str) -> Floats:
    """Return distances between rows that are multiples of one row, shape (len(p), len(q))."""
    u, v, slopes = e.factors(p), e.factors(q), e.slopes
    if metric == "correlation" and (slopes == slopes[0]).all():
        return np.full((len(u), len(v)), np.nan)  # constant rows have no correlation
    if metric in ("cosine", "correlation"):
        signs = np.sign(u)[:, None] * np.sign(v).astype(np.float64)
        return np.where(signs == 0, np.nan, 1 - signs)
    squared_length = float(np.square(slopes).sum())
    if metric == "dot":
        return (u / e.divisor)[:, None] * (v / e.divisor) * squared_length
    steps: Floats = np.abs(u[:, None] - v) / e.divisor
    if metric == "sse":
        return steps**2 * squared_length
    lengths = {"chebyshev": slopes.max(), "manhattan": slopes.sum()}
    return steps * float(lengths.get(metric, math.sqrt(squared_length)))


def matrix_block_means(
    e: Encoding,
    rows: Blocks,
    cols: Blocks,
    metric: str = "cosine",
    progress: Reporter | None = None,
) -> Floats:
    """Return the mean distance between blocks of positions, shape (row blocks, column blocks).

    `rows` and `cols` are (start, block, count), as in `Encoding.block_means`. The other
    parameters and the exceptions are as in `matrix`. Blocks must stay within ±2^53.

    The means of `dot` and `normalised-dot` are exact for every encoding. The means of
    `cosine`, `similarity` and `sse` are exact for shift-invariant encodings, for which the
    result for `euclidean` is the root of the mean square. Otherwise the result is a sample,
    the distance between the centres of the blocks; see `has_exact_mean`.
    """
    _check_metric(metric)
    if (base := find_base_metric(metric)) != metric:
        return convert_to_metric(matrix_block_means(e, rows, cols, base, progress), metric, e.width)
    rows, cols = _check_blocks(rows, "rows"), _check_blocks(cols, "cols")
    report = progress or ignore_progress
    has_blocks = max(rows[1], cols[1]) > 1
    if has_blocks and has_closed_form(e, metric):
        if metric == "dot":
            return e.pair_weight * _offsets.compute_mean_products(e, rows, cols, report)
        means = _offsets.compute_mean_versines(e, rows, cols, report)
        return _offsets.convert_versines(means, metric, e.pairs, e.pair_weight)
    if has_blocks and metric == "dot":
        return multiply_means(e, rows, cols, report)
    return matrix(e, _list_centres(*rows), _list_centres(*cols), metric, report)


def has_exact_mean(e: Encoding, metric: str) -> bool:
    """Return whether `matrix_block_means` returns exact means instead of samples."""
    _check_metric(metric)
    is_exact = find_base_metric(metric) == "dot" or has_closed_form(e, metric)
    return is_exact and metric != "euclidean"


def compute_rounding_size(e: Encoding, metric: str) -> float:
    """Return the value to which rounding errors are proportional.

    Return 0 if rounding errors are proportional to the distance itself.
    """
    if metric == "similarity":
        return 1.0
    if not isinstance(e, Waves):
        return 0.0
    if find_base_metric(metric) == "dot":
        return (e.width if metric == "dot" else 2.0) * e.amplitude**2
    return 1.0 if metric in ("cosine", "correlation") and not has_closed_form(e, "cosine") else 0.0


def has_closed_form(e: Encoding, metric: str) -> TypeGuard[Steady]:
    """Return whether the distance is a closed-form function of the offset between two positions."""
    is_shift_invariant = isinstance(e, Steady) and e.is_shift_invariant
    return is_shift_invariant and find_base_metric(metric) in _CLOSED_FORM_METRICS


def depends_on_offset(e: Encoding, metric: str) -> bool:
    """Return whether the distance between two positions depends only on their offset."""
    has_norm_metric = isinstance(e, LinearRows) and metric in _NORM_METRICS
    return has_norm_metric or has_closed_form(e, metric)


def convert_to_metric(values: Floats, metric: str, width: int) -> Floats:
    """Convert values of the base metric to `metric` in place, and return them."""
    if metric == "similarity":
        np.subtract(1.0, values, out=values)
    elif metric == "normalised-dot":
        with np.errstate(over="ignore"):  # for a width of 1, the division by 1/2 can overflow
            values /= width / 2
    return values


def _check_metric(metric: str) -> None:
    if not isinstance(metric, str) or metric not in METRICS:
        raise EncodingError("metric", describe_bad_choice(metric, METRICS))


def _check_blocks(blocks: Any, name: str) -> Blocks:
    try:
        start, block, count = blocks
    except (TypeError, ValueError):
        problem = f"expected (start, block, count), got {quote_value(blocks)}"
        raise EncodingError(name, problem) from None
    return check_blocks(start, block, count)


def _list_centres(start: int, block: int, count: int) -> range:
    first = start + (block - 1) // 2
    return range(first, first + block * count, block)
