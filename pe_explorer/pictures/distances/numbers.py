"""Compute distances for curves and the matrix, and estimate the cost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, score_bound
from pe_explorer.analysis.comparison import explain_different_rows
from pe_explorer.analysis.histogram import MAX_POSITIONS, MAX_SEPARATIONS, SAMPLE_SIZE
from pe_explorer.analysis.ranges import (
    Ranges,
    compute_distance_ranges,
    find_slow_waves,
    measure_ranges,
)
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Multiples, Steady, Unknown, Waves, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import find_blocks_inside
from pe_explorer.params import capitalise
from pe_explorer.pictures import limits
from pe_explorer.pictures.cost import (
    compute_exact_factor,
    estimate_reading_cost,
    estimate_start_cost,
)
from pe_explorer.pictures.distances import histogram
from pe_explorer.pictures.distances.histogram import Histogram
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import explain_no_distance, no_rows_reason
from pe_explorer.pictures.figure import Note
from pe_explorer.pictures.named import list_encodings
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.progress import PartialProgress, Reporter, report

Blocks = tuple[int, int]  # the number of positions per block, and the number of blocks

# Costs in the unit of `pictures.cost`.
_OFFSET_COST = 0.5  # cost per offset and dimension if distances have a closed form
_BOUND_COST = 7.0  # cost per wave and block of finding the extremes of a cosine
_PAIR_COST = 0.2  # cost per comparison of two values
_ROWS_COST = 4.0  # cost per pair of rows, in addition to the comparison of their values
_PRODUCT_COST = 0.01  # cost per multiplication in a matrix product
_SCATTERED_COST_FACTOR = 20  # cost factor for offsets that are far apart
_SORT_COST = 10  # sorting cost per distance
_MAX_EXACT_VALUES = 2**31  # maximum number of table values for exact ranges, computed in about 20 s
_CURVE_OPTIONS = DistancesOptions(part="curve")


class DistancesNumbers(NamedTuple):
    """The values of the distances view."""

    # Distances from the reference position, for the encoding and each pin; nan if undefined.
    curves: tuple[Floats, ...] = ()
    curve_block: int = 1  # positions per point of a curve
    curve_limits: tuple[float, float] = (0.0, 1.0)  # limits of the vertical axis of the curves
    ranges: tuple[Ranges | None, ...] = ()  # range at each point of each curve; None if unknown
    badge: str = ""  # how the first curve combines positions; empty if each position has a point
    matrix_badge: str = ""  # how positions are combined in the matrix
    matrix: limits.PixelImage | None = None  # distances between blocks; nan if undefined
    block: int = 1  # number of positions along each side of a matrix cell
    histogram: Histogram | None = None
    note: Note | None = None  # why the current encoding is not visible, with a remedy
    undetermined: str = ""  # sentence with the number of values dominated by rounding error, if any
    # Why each pin has no values, without a full stop; empty for a pin with values.
    missing_reasons: tuple[str, ...] = ()
    below: DistancesNumbers | None = None  # curves in the second metric, if shown


def compute(
    state: Exploration, options: DistancesOptions, size: Size, cancellation: threading.Event
) -> DistancesNumbers:
    """Return the distances; `size` has the width of the curve and the height of the matrix."""
    metric, second = state.metric, options.second_metric
    if options.has_histogram:
        return _compute_histogram(state, cancellation)
    if not second:
        return _compute_metric_numbers(state, metric, options, size, cancellation)
    share = _estimate_metric_cost(state, second, _CURVE_OPTIONS, size) / cost(state, options, size)
    first = PartialProgress(cancellation, 0.0, 1 - share)
    numbers = _compute_metric_numbers(state, metric, options, size, first)
    below = _compute_metric_numbers(
        state, second, _CURVE_OPTIONS, size, PartialProgress(cancellation, 1 - share, share)
    )
    if below.missing_reasons == numbers.missing_reasons:
        below = below._replace(missing_reasons=())  # avoid repeating the reasons
    return numbers._replace(below=below)


def _compute_histogram(state: Exploration, cancellation: threading.Event) -> DistancesNumbers:
    numbers = histogram.compute(state, list_encodings(state), cancellation)
    note = _note(state, state.metric, numbers.shares[0], is_pairwise=True)
    if state.count == 1:
        rows = require_known(state.encoding).rows
        note = Note(f"A single {rows.name} has no pairs to compare; show more {rows.plural}.")
    missing_reasons = _list_missing_reasons(state, state.metric, numbers.shares, is_pairwise=True)
    return DistancesNumbers(histogram=numbers, note=note, missing_reasons=missing_reasons)


def _compute_metric_numbers(
    state: Exploration,
    metric: str,
    options: DistancesOptions,
    size: Size,
    progress: threading.Event,
) -> DistancesNumbers:
    e = require_known(state.encoding)
    curve_block, _ = _find_blocks(state, size.width)
    block, cells = _find_blocks(state, size.height)
    encodings = list_encodings(state) if options.has_curve else ()
    total = len(encodings) + cells * options.has_matrix  # number of curves and matrix rows
    curves, ranges = [], []
    for done_count, encoding in enumerate(encodings):
        reporter = partial(report, PartialProgress(progress, done_count / total, 1 / total))
        curve, span = _compute_curve(state, encoding, metric, size, reporter)
        curves.append(curve)
        ranges.append(span)
    tables = [*curves, *chain.from_iterable((span.low, span.high) for span in ranges if span)]
    ends = limits.find_finite_limits(np.concatenate(tables or [np.empty(0)])) or (0.0, 0.0)
    matrix = None
    if options.has_matrix:
        part = PartialProgress(progress, len(encodings) / total, cells / total)
        values = _compute_matrix(e, (state.start, block, cells), metric, partial(report, part))
        matrix = limits.make_pixel_image(values, _compute_limits([values], metric))
        tables.append(values)
    kind = find_mean_kind(e, metric)
    return DistancesNumbers(
        tuple(curves),
        curve_block,
        limits.narrow_limits(_compute_limits(tables, metric), *ends),
        tuple(ranges),
        _format_curve_badge(kind, e.rows.format_count(curve_block), ranges)
        if curves and curve_block > 1
        else "",
        f"{kind} of {block:,} × {e.rows.format_count(block)}" if matrix and block > 1 else "",
        matrix,
        block,
        note=_note(state, metric, tables[0], is_pairwise=not curves),
        undetermined=_describe_nan_correlations(e, metric, tables[0]),
        missing_reasons=_list_missing_reasons(state, metric, curves),
    )


def _format_curve_badge(kind: str, positions: str, ranges: Sequence[Ranges | None]) -> str:
    exact = [span.is_exact for span in ranges if span]
    if exact and all(exact):
        return f"least to greatest of {positions}"
    return f"{kind} of {positions}{', within proven bounds' if exact else ''}"


def _describe_nan_correlations(e: Encoding, metric: str, numbers: Floats) -> str:
    count = int(np.isnan(numbers).sum())
    if metric != "correlation" or not isinstance(e, Waves) or count in (0, numbers.size):
        return ""
    share = f"{count:,} of {numbers.size:,} correlations"
    return f"{share} cannot be determined, because rows are nearly constant."


def _list_missing_reasons(
    state: Exploration, metric: str, tables: Sequence[Floats], *, is_pairwise: bool = False
) -> tuple[str, ...]:
    reason = partial(explain_no_distance, metric=metric, is_pairwise=is_pairwise)
    return tuple(
        "" if np.isfinite(numbers).any() else reason(state, pin.encoding)
        for pin, numbers in zip(state.pins, tables[1:], strict=False)
    )


def _note(state: Exploration, metric: str, numbers: Floats, *, is_pairwise: bool) -> Note | None:
    e, reference = require_known(state.encoding), state.reference
    if np.isfinite(numbers).any():
        why = "" if is_pairwise else _explain_invisible_curve(state, e, metric, numbers)
        return Note(why) if why else None
    sentence = f"{capitalise(explain_no_distance(state, e, metric, is_pairwise=is_pairwise))}."
    if no_rows_reason(state, e) or not (is_pairwise or reference in e.domain):
        return Note(sentence, "Show its rows", rows=e.domain)
    is_angle = not is_pairwise and distance.find_base_metric(metric) in ("cosine", "correlation")
    if is_angle and not distance.explain_undefined_distance(e, reference, "euclidean"):
        return Note(sentence, f"Use the {distance.measure('euclidean')}", metric="euclidean")
    return Note(sentence)


def _explain_invisible_curve(state: Exploration, e: Encoding, metric: str, curve: Floats) -> str:
    sizes = np.sort(np.abs(curve[np.isfinite(curve)]))
    size = sizes[-1] if sizes[-1] < 1 else sizes[:2][-1]  # a curve needs two drawable values
    why = limits.explain_not_drawn(float(size))
    if why or len(curve) == 1 or len(sizes) != 1:
        return why
    if metric == "correlation" and isinstance(e, Waves):
        return f"{capitalise(explain_no_distance(state, e, metric))}."
    measure = distance.measure(metric, f"{e.rows.name} {state.reference:,}")
    problem = f"Only one of the {e.rows.plural} shown has a {measure}, so no curve can be drawn"
    return f"{problem}; choose another metric."


def list_comparable_encodings(state: Exploration) -> list[Encoding]:
    """Return the known encodings with the same kind of rows as the current encoding."""
    current, known = require_known(state.encoding), list_encodings(state)
    return [e for e in known if isinstance(e, Encoding) and not explain_different_rows(current, e)]


def _find_blocks(state: Exploration, pixels: int) -> Blocks:
    block, cells = spread(state.count, pixels)
    return block, max(1, min(cells, (LIMIT + 1 - state.start) // block))


def _compute_curve(
    state: Exploration, e: Encoding | Unknown, metric: str, size: Size, progress: Reporter
) -> tuple[Floats, Ranges | None]:
    block, columns = _find_blocks(state, size.width)
    curve, span = np.full(columns, np.nan), None
    if isinstance(e, Unknown) or no_rows_reason(state, e):
        return curve, None
    inside = find_blocks_inside(state.start, block, columns, e.domain)
    if not inside or state.reference not in e.domain:
        return curve, None
    rows = state.start + inside.start * block, block, len(inside)
    part = slice(inside.start, inside.stop)
    max_count = _count_exact_positions(e, size.ranges) if block > 1 else 0
    if metric != distance.SCORE_BOUND:
        reference = state.reference, 1, 1
        curve[part] = distance.matrix_block_means(e, reference, rows, metric, progress)[0]
        if max_count:
            span = compute_distance_ranges(e, state.reference, rows, metric, progress, max_count)
    elif isinstance(e, Steady) and e.pairs:
        bounds = partial(score_bound.from_reference, e, state.reference)
        first = rows[0] + (block - 1) // 2
        curve[part] = bounds(range(first, first + len(inside) * block, block), progress)
        if block * len(inside) <= max_count:
            span = measure_ranges(bounds, rows, progress)
    if span is None:
        return curve, None
    low, high = np.full((2, columns), np.nan)
    low[part], high[part] = span.low, span.high
    return curve, Ranges(low, high, span.is_exact)


def _count_exact_positions(e: Encoding, upper_limit: int) -> int:
    return min(upper_limit, _MAX_EXACT_VALUES // e.width)


def _compute_matrix(
    e: Encoding, blocks: tuple[int, int, int], metric: str, progress: Reporter
) -> Floats:
    start, block, cells = blocks
    matrix = np.full((cells, cells), np.nan)
    if inside := find_blocks_inside(start, block, cells, e.domain):
        rows = (start + inside.start * block, block, len(inside))
        part = slice(inside.start, inside.stop)
        matrix[part, part] = distance.matrix_block_means(e, rows, rows, metric, progress)
    return matrix


def _compute_limits(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    ends = np.array([ends for table in tables if (ends := limits.find_finite_limits(table))])
    upper = limits.find_limit_above(ends)
    has_negative_values = distance.is_similarity(metric) and ends.min(initial=0.0) < 0
    return (-upper if has_negative_values else 0.0), upper


# -- costs ---------------------------------------------------------------------------------------


def cost(state: Exploration, options: DistancesOptions, size: Size) -> float:
    """Return the approximate cost of `compute`; see `pictures.cost` for the unit."""
    total = _estimate_metric_cost(state, state.metric, options, size)
    if options.second_metric:
        total += _estimate_metric_cost(state, options.second_metric, _CURVE_OPTIONS, size)
    return total


def _estimate_metric_cost(
    state: Exploration, metric: str, options: DistancesOptions, size: Size
) -> float:
    if options.has_histogram:
        return sum(_estimate_histogram_cost(state, e) for e in list_comparable_encodings(state))
    total = 0.0
    if options.has_matrix:
        side = spread(state.count, size.height)
        total += _estimate_pairs_cost(state, require_known(state.encoding), metric, side, side)
    if options.has_curve:
        block, columns = spread(state.count, size.width)
        for e in list_comparable_encodings(state):
            total += _estimate_pairs_cost(state, e, metric, (1, 1), (block, columns))
            if block > 1 and state.count <= _count_exact_positions(e, size.ranges):
                total += _estimate_pairs_cost(state, e, metric, (1, 1), (1, state.count))
            elif block > 1 and size.ranges and distance.has_closed_form(e, metric):
                total += _BOUND_COST * columns * len(find_slow_waves(e, block))
    return total


def _estimate_histogram_cost(state: Exploration, e: Encoding) -> float:
    metric, count = state.metric, state.count
    if not distance.depends_on_offset(e, metric):
        rows = min(count, MAX_POSITIONS)
        pairs_cost = _estimate_pairs_cost(state, e, metric, (1, rows), (1, rows))
        return pairs_cost + _SORT_COST * rows * (rows - 1) / 2
    factor = compute_exact_factor(e, count)
    if count - 1 > MAX_SEPARATIONS:
        count, factor = SAMPLE_SIZE, _SCATTERED_COST_FACTOR
    return estimate_pairs_cost(e, metric, (1, 1), (1, count)) * factor + _SORT_COST * count


def _estimate_pairs_cost(
    state: Exploration, e: Encoding, metric: str, rows: Blocks, columns: Blocks
) -> float:
    return estimate_pairs_cost(e, metric, rows, columns) * compute_exact_factor(e, state.count)


def estimate_pairs_cost(e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    """Return the cost of a matrix of distances between blocks; see `pictures.cost` for the unit."""
    pairs = rows[1] * columns[1]
    is_dot_product = distance.find_base_metric(metric) == "dot"
    if isinstance(e, Multiples) and not is_dot_product:
        return pairs
    if distance.has_closed_form(e, metric) or metric == distance.SCORE_BOUND:
        offsets = rows[1] + columns[1]
        return e.width * (_OFFSET_COST * offsets + estimate_start_cost(e)) + pairs
    value_cost, row_cost = (_PRODUCT_COST, 0.0) if is_dot_product else (_PAIR_COST, _ROWS_COST)
    # Dot products use block means, which read all rows of a file; other metrics use the middle row
    # of each block.
    total = sum(e.cost(count, block if is_dot_product else 1) for block, count in (rows, columns))
    total += e.width * (2 * estimate_start_cost(e) + value_cost * pairs) + row_cost * pairs
    return estimate_reading_cost(e) + total


def find_mean_kind(e: Encoding, metric: str) -> str:
    """Return how positions in a block are combined: mean, root mean square or middle position."""
    if metric == distance.SCORE_BOUND:
        return "middle"
    if distance.has_exact_mean(e, metric):
        return "mean"
    return "root mean square" if distance.has_closed_form(e, metric) else "middle"
