"""The numbers of the distances: curves and matrix, and what they cost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeGuard

import numpy as np

from pe_explorer.analysis import distance, score_bound
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.analysis.ranges import MOST_EXACT, Ranges, distance_ranges, exact_ranges
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Multiples, Steady, Unknown, Waves, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import capitalised
from pe_explorer.pictures.cost import exact_distance_factor, reading_cost, start_cost
from pe_explorer.pictures.distances import histogram
from pe_explorer.pictures.distances.histogram import Histogram
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.distances.reasons import has_rows, why_no_curve, why_no_matrix
from pe_explorer.pictures.limits import PixelImage, coloured, limit_above, why_not_drawn
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.progress import Part, Reporter, report

Blocks = tuple[int, int]
"""How many positions are in a block, and how many blocks there are."""

# Costs in values of a table.
_OFFSET_COST = 0.5  # of an offset in one dimension, by a closed form
_PAIR_COST = 0.2  # of comparing two numbers
_ROWS_COST = 4.0  # of comparing two rows, besides their numbers
_PRODUCT_COST = 0.01  # of multiplying two numbers, in products of matrices
_SCATTERED_FACTOR = 20  # cost factor of offsets that are far from each other
_SORT_COST = 10  # of sorting a distance among the others
_CURVE = DistancesOptions(part="curve")


class DistancesNumbers(NamedTuple):
    """The numbers of the distances.

    Attributes
    ----------
    curves : tuple of (columns,) float64
        From the reference, of the current encoding and of each pin; nan for no distance. There
        are none where they are not shown.
    curve_block : int
        Positions that a number of a curve stands for.
    curve_limits : (float, float)
        The range of the curves' axis.
    matrix : PixelImage or None
        The distances between blocks of positions, nan for none; None where it is not shown.
    block : int
        Positions that a side of a cell of the matrix stands for.
    note : str
        In a sentence, why there is nothing to see of the current encoding, or an empty text.
    rows : range or None
        The rows that there are, where none of them is shown.
    metric : str
        A metric that has a curve, where the chosen one has none; else empty.
    histogram : Histogram or None
        None where it is not shown.
    ranges : tuple of (Ranges or None)
        How far the numbers of each curve reach that one of `curves` stands for; empty where that
        is not asked for.
    below : DistancesNumbers or None
        The curves by the second metric, None where there is none.
    """

    curves: tuple[Floats, ...]
    curve_block: int
    curve_limits: tuple[float, float]
    matrix: PixelImage | None = None
    block: int = 1
    note: str = ""
    rows: range | None = None
    metric: str = ""
    histogram: Histogram | None = None
    ranges: tuple[Ranges | None, ...] = ()
    below: DistancesNumbers | None = None


def compute(
    state: Exploration, options: DistancesOptions, size: Size, cancelled: threading.Event
) -> DistancesNumbers:
    """Return the distances; `size` has the curve's width and the matrix's side."""
    metric, second = state.metric, options.second_metric
    if not second:
        return _by_one_metric(state, metric, options, size, cancelled)
    share = _cost_by(state, second, _CURVE, size) / cost(state, options, size)
    first = Part(cancelled, 0.0, 1 - share)
    numbers = _by_one_metric(state, metric, options, size, first)
    below = _by_one_metric(state, second, _CURVE, size, Part(cancelled, 1 - share, share))
    return numbers._replace(below=below)


def _by_one_metric(
    state: Exploration,
    metric: str,
    options: DistancesOptions,
    size: Size,
    cancelled: threading.Event,
) -> DistancesNumbers:
    e = require_known(state.encoding)
    if options.shows_histogram:
        return _histogram(state, e, cancelled)
    curve_block, columns = _spread(state, size.width)
    block, cells = _spread(state, size.height)
    encodings = every_encoding(state) if options.shows_curve else ()
    total = len(encodings) + cells * options.shows_matrix  # rows of numbers
    curves = []
    ranges: list[Ranges | None] = []
    for done, each in enumerate(encodings):
        progress = _progress(cancelled, done / total, 1 / total)
        curves.append(_curve(state, each, metric, (curve_block, columns), progress))
        if size.ranges and curve_block > 1:
            ranges.append(_ranges(state, each, metric, (curve_block, columns), progress))
    tables, matrix = list(curves), None
    if options.shows_matrix:
        progress = _progress(cancelled, len(encodings) / total, cells / total)
        values = _matrix(e, (state.start, block, cells), metric, progress)
        limits = _limits([values], metric)  # of the colours, whatever the curves are
        matrix = coloured(values, limits)
        tables.append(values)
    ends = chain.from_iterable((each.low, each.high) for each in ranges if each)
    curve_limits = _limits([*tables, *ends], metric)
    numbers = DistancesNumbers(tuple(curves), curve_block, curve_limits, matrix, block)
    numbers = numbers._replace(ranges=tuple(ranges))
    if not curves:
        return numbers if np.isfinite(tables[0]).any() else _without_matrix(state, e, numbers)
    if np.isfinite(curves[0]).any():
        return numbers._replace(note=_why_not_seen(state, e, metric, curves[0]))
    why = why_no_curve(state, e, metric)
    numbers = numbers._replace(note=f"{capitalised(why)}.")
    if not has_rows(state, e):
        return numbers._replace(rows=e.domain)
    other = _other_metric(state, e, metric, (curve_block, columns), cancelled)
    return numbers._replace(metric=other)


def _why_not_seen(state: Exploration, e: Encoding, metric: str, curve: Floats) -> str:
    """Return in a sentence why no two numbers of a curve can be seen, or an empty text."""
    sizes = np.sort(np.abs(curve[np.isfinite(curve)]))
    size = sizes[-1] if sizes[-1] < 1 else sizes[:2][-1]  # one number is no line
    if why := why_not_drawn(float(size)):
        return why
    if len(curve) == 1 or len(sizes) != 1:
        return ""
    if metric == "correlation" and isinstance(e, Waves):
        return f"{capitalised(why_no_curve(state, e, metric))}."
    what = distance.measure(metric, f"{e.rows.name} {state.reference:,}")
    return f"Only one of the {e.rows.plural} shown has a {what}; choose another metric."


def _histogram(state: Exploration, e: Encoding, cancelled: threading.Event) -> DistancesNumbers:
    """Return how distances are spread, or the reason why there is none."""
    found = histogram.compute(state, every_encoding(state), cancelled)
    numbers = DistancesNumbers((), 1, (0.0, 1.0), histogram=found)
    if found.of_current is not None:
        return numbers
    if state.count == 1:
        return numbers._replace(note=f"One {e.rows.name} makes no pair; show more {e.rows.plural}.")
    return _without_matrix(state, e, numbers)


def _without_matrix(state: Exploration, e: Encoding, numbers: DistancesNumbers) -> DistancesNumbers:
    """Return numbers without a distance in the matrix, with the reason."""
    shown = blocks_inside(state.start, 1, state.count, e.domain)
    note = f"{capitalised(why_no_matrix(state, e))}."
    return numbers._replace(note=note, rows=None if shown else e.domain)


def comparable_encodings(state: Exploration) -> tuple[Encoding, ...]:
    """Return the encodings that can have a curve."""
    return tuple(e for e in every_encoding(state) if _comparable(e, state))


def _comparable(e: Encoding | Unknown, state: Exploration) -> TypeGuard[Encoding]:
    """Return whether an encoding is known, and its rows mean what those of the current one do."""
    return not isinstance(e, Unknown) and not why_other_rows(require_known(state.encoding), e)


def _spread(state: Exploration, pixels: int) -> Blocks:
    block, cells = spread(state.count, pixels)
    most = (LIMIT + 1 - state.start) // block
    return block, max(1, min(cells, most))


def _progress(cancelled: threading.Event, done: float, share: float) -> Reporter:
    """Return what reports the progress of a part: `share` of the work, after `done` of it."""
    return partial(report, Part(cancelled, done, share))


def _curve(
    state: Exploration, e: Encoding | Unknown, metric: str, blocks: Blocks, progress: Reporter
) -> Floats:
    """Return the distances of blocks from the reference; nan where there are none."""
    block, columns = blocks
    curve = np.full(columns, np.nan)
    if not _comparable(e, state):
        return curve
    inside = blocks_inside(state.start, block, columns, e.domain)
    if state.reference not in e.domain or not inside:
        return curve
    part = slice(inside.start, inside.stop)
    start = state.start + inside.start * block
    if metric != distance.SCORE_BOUND:
        reference, there = (state.reference, 1, 1), (start, block, len(inside))
        curve[part] = distance.matrix_block_means(e, reference, there, metric, progress)[0]
    elif isinstance(e, Steady) and not needs.score_bound(e):
        first = start + (block - 1) // 2
        middles = range(first, first + len(inside) * block, block)
        curve[part] = score_bound.from_reference(e, state.reference, middles, progress)
    return curve


def _ranges(
    state: Exploration, e: Encoding | Unknown, metric: str, blocks: Blocks, progress: Reporter
) -> Ranges | None:
    """Return how far the distances of blocks reach, None where that is not known."""
    if not _comparable(e, state):
        return None
    block, columns = blocks
    inside = blocks_inside(state.start, block, columns, e.domain)
    if state.reference not in e.domain or not inside:
        return None
    there = (state.start + inside.start * block, block, len(inside))
    if metric != distance.SCORE_BOUND:
        found = distance_ranges(e, state.reference, there, metric, progress)
    elif isinstance(e, Steady) and e.pairs and block * len(inside) <= MOST_EXACT:
        one_by_one = partial(score_bound.from_reference, e, state.reference)
        found = exact_ranges(one_by_one, there, progress)
    else:
        return None
    if found is None:
        return None
    around = (inside.start, columns - inside.stop)
    low, high = (np.pad(each, around, constant_values=np.nan) for each in (found.low, found.high))
    return Ranges(low, high, found.exact)


def _matrix(e: Encoding, blocks: tuple[int, int, int], metric: str, progress: Reporter) -> Floats:
    """Return the distances between blocks; nan for those that have no rows."""
    start, block, cells = blocks
    matrix = np.full((cells, cells), np.nan)
    inside = blocks_inside(start, block, cells, e.domain)
    if inside:
        square = (start + inside.start * block, block, len(inside))
        part = slice(inside.start, inside.stop)
        matrix[part, part] = distance.matrix_block_means(e, square, square, metric, progress)
    return matrix


def _other_metric(
    state: Exploration, e: Encoding, metric: str, blocks: Blocks, cancelled: threading.Event
) -> str:
    """Return the metric that has a curve where the cosine has none, such as of zeros."""
    if distance.base_of(metric) not in ("cosine", "correlation"):
        return ""
    curve = _curve(state, e, "euclidean", blocks, _progress(cancelled, 1.0, 0.0))
    return "euclidean" if np.isfinite(curve).any() else ""


def _limits(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    """Return limits from 0, or from as far below it where products are negative."""
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    upper, lowest = limit_above(values), float(values.min(initial=0.0))
    has_negative = distance.is_similarity(metric) and lowest < 0
    return (-upper if has_negative else 0.0), upper


# -- costs ---------------------------------------------------------------------------------------


def cost(state: Exploration, options: DistancesOptions, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    total = _cost_by(state, state.metric, options, size)
    if options.second_metric:
        total += _cost_by(state, options.second_metric, _CURVE, size)
    return total


def _cost_by(state: Exploration, metric: str, options: DistancesOptions, size: Size) -> float:
    """Return the cost of what is shown by one metric."""
    total = 0.0
    if options.shows_histogram:
        return sum(_histogram_cost(state, e) for e in comparable_encodings(state))
    if options.shows_matrix:
        side = spread(state.count, size.height)
        total += _cost(state, require_known(state.encoding), metric, side, side)
    if options.shows_curve:
        curve = spread(state.count, size.width)
        for e in comparable_encodings(state):
            total += _cost(state, e, metric, (1, 1), curve)
    return total


def _histogram_cost(state: Exploration, e: Encoding) -> float:
    """Return what the distances of all pairs and their order cost, in values of a table."""
    separations, positions = histogram.measured(e, state.metric, state.count)
    if separations:
        one = pairs_cost(e, state.metric, (1, 1), (1, separations))
        scattered = separations < state.count - 1
        factor = _SCATTERED_FACTOR if scattered else exact_distance_factor(e, state.count)
        return one * factor + _SORT_COST * separations
    sorting = _SORT_COST * positions * (positions - 1) / 2
    return _cost(state, e, state.metric, (1, positions), (1, positions)) + sorting


def _cost(state: Exploration, e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    return pairs_cost(e, metric, rows, columns) * exact_distance_factor(e, state.count)


def pairs_cost(e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    """Return what the distances between rows and columns cost, in values of a table."""
    pairs = rows[1] * columns[1]
    is_dot = distance.base_of(metric) == "dot"
    if isinstance(e, Multiples) and not is_dot:
        return pairs
    if distance.has_closed_form(e, metric) or metric == distance.SCORE_BOUND:
        offsets = rows[1] + columns[1]
        return e.width * (_OFFSET_COST * offsets + start_cost(e)) + pairs
    each, apart = (_PRODUCT_COST, 0.0) if is_dot else (_PAIR_COST, _ROWS_COST)
    reads = _read(e, metric, *rows) + _read(e, metric, *columns)
    each_dimension = 2 * start_cost(e) + each * pairs
    return reading_cost(e) + reads + e.width * each_dimension + apart * pairs


def _read(e: Encoding, metric: str, block: int, rows: int) -> float:
    """Return how many numbers are made or read for the rows that stand for blocks.

    Products are those of the blocks' means, for which all rows of a file are read; for other
    metrics a row in the middle of each block is taken.
    """
    return e.cost(rows, block if distance.base_of(metric) == "dot" else 1)


def kind_of_mean(e: Encoding, metric: str) -> str:
    """Return which kind of number stands for many positions."""
    if metric == distance.SCORE_BOUND:
        return "samples"
    if distance.mean_is_exact(e, metric):
        return "exact means"
    return "roots of mean squares" if distance.has_closed_form(e, metric) else "samples"
