"""The numbers of the distances: curves and matrix, and what they cost."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import same_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Multiples, Stored, Unknown, Waves, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import capitalised
from pe_explorer.pictures.cost import closeness_cost, reading_cost, start_cost
from pe_explorer.pictures.distances import histogram
from pe_explorer.pictures.distances.histogram import Histogram
from pe_explorer.pictures.distances.options import DistancesOptions
from pe_explorer.pictures.levels import level_above, why_not_drawn
from pe_explorer.pictures.pixels import Size, colour_indices, spread
from pe_explorer.progress import Part, report

Blocks = tuple[int, int]
"""How many positions are in a block, and how many blocks there are."""

# The cost of an offset in one dimension, where there is a closed form, in values of a table.
_OFFSET_COST = 0.5
_PAIR_COST = 0.2  # of comparing two values of tables
_ROWS_COST = 4.0  # of comparing two rows, however few values they have
_PRODUCT_COST = 0.01  # of multiplying them, in products of matrices
_EXACT_COST = 20  # times what others cost: an offset that is far from all others


class Matrix(NamedTuple):
    """The distances between all positions.

    Attributes
    ----------
    values : (cells, cells) float64
        Between blocks of positions; nan for no distance.
    indices : (cells, cells) uint8
        Their colours.
    block : int
        Positions that a side of a cell stands for.
    levels : (float, float)
        The values at the two ends of the colour map.
    """

    values: Floats
    indices: npt.NDArray[np.uint8]
    block: int
    levels: tuple[float, float]


class Numbers(NamedTuple):
    """The numbers of the distances.

    Attributes
    ----------
    curves : tuple of (columns,) float64
        From the reference, of the current encoding and of each pin; nan for no distance. There
        are none where they are not shown.
    curve_block : int
        Positions that a number of a curve stands for.
    curve_levels : (float, float)
        The range of the curves' axis.
    matrix : Matrix or None
        None where it is not shown.
    note : str
        In a sentence, why there is nothing to see of the current encoding, or an empty text.
    rows : range or None
        The rows to go to then.
    metric : str
        Or the metric that has a curve, empty for none.
    histogram : Histogram or None
        None where it is not shown.
    """

    curves: tuple[Floats, ...]
    curve_block: int
    curve_levels: tuple[float, float]
    matrix: Matrix | None
    note: str = ""
    rows: range | None = None
    metric: str = ""
    histogram: Histogram | None = None


def compute(
    state: Exploration, options: DistancesOptions, size: Size, cancelled: threading.Event
) -> Numbers:
    """Return the distances; `size` has the curve's width and the matrix's side."""
    e = require_known(state.encoding)
    if options.shows_histogram:
        return _histogram(state, e, cancelled)
    curve_block, columns = _spread(state, size.width)
    block, cells = _spread(state, size.height)
    encodings = curve_encodings(state) if options.shows_curve else ()
    total = len(encodings) + (cells if options.shows_matrix else 0)  # rows of numbers
    curves = []
    for done, each in enumerate(encodings):
        progress = _progress(cancelled, done / total, 1 / total)
        curves.append(_curve(state, each, curve_block, columns, progress))
    tables, matrix = list(curves), None
    if options.shows_matrix:
        progress = _progress(cancelled, len(encodings) / total, cells / total)
        values = _matrix(e, (state.start, block, cells), state.metric, progress)
        levels = _levels([values], state.metric)  # of the colours, whatever the curves are
        matrix = Matrix(values, colour_indices(values, levels), block, levels)
        tables.append(values)
    curve_levels = _levels(tables, state.metric)
    numbers = Numbers(tuple(curves), curve_block, curve_levels, matrix)
    if np.isfinite(tables[0]).any():
        note = _why_not_drawn(curves[0]) or _why_alone(state, e, curves[0]) if curves else ""
        return numbers._replace(note=note)
    if not options.shows_curve:
        return _without_matrix(state, e, numbers)
    why = why_no_curve(state, e)
    numbers = numbers._replace(note=f"{capitalised(why)}.")
    if not has_rows(state, e):
        return numbers._replace(rows=e.domain)
    other = _other_metric(state, e, curve_block, columns, cancelled)
    return numbers._replace(metric=other)


def _why_not_drawn(curve: Floats) -> str:
    """Return in a sentence why no two numbers of a curve can be seen, or an empty text."""
    sizes = np.sort(np.abs(curve[np.isfinite(curve)]))
    if not len(sizes):
        return ""
    if sizes[-1] < 1:
        return why_not_drawn(float(sizes[-1]))
    return why_not_drawn(float(sizes[:2][-1]))  # one number is no line


def _why_alone(state: Exploration, e: Encoding, curve: Floats) -> str:
    """Return in a sentence that one number is no curve, or an empty text."""
    if len(curve) == 1 or np.isfinite(curve).sum() != 1:
        return ""
    if state.metric == "correlation" and isinstance(e, Waves):
        return f"{capitalised(why_no_curve(state, e))}."
    rows = f"only one of the {e.rows.plural} shown has a {state.metric}"
    return f"{capitalised(rows)} from {state.reference:,}; choose another metric."


def _histogram(state: Exploration, e: Encoding, cancelled: threading.Event) -> Numbers:
    """Return how distances are spread, or the reason why there is none."""
    found = histogram.compute(state, curve_encodings(state), cancelled)
    numbers = Numbers((), 1, (0.0, 1.0), None, histogram=found)
    if found.of_current is not None:
        return numbers
    if state.count == 1:
        return numbers._replace(note=f"One {e.rows.name} makes no pair; show more {e.rows.plural}.")
    return _without_matrix(state, e, numbers)


def _without_matrix(state: Exploration, e: Encoding, numbers: Numbers) -> Numbers:
    """Return numbers without a distance in the matrix, with the reason."""
    shown = blocks_inside(state.start, 1, state.count, e.domain)
    note = f"{capitalised(why_no_matrix(state, e))}."
    return numbers._replace(note=note, rows=None if shown else e.domain)


def curve_encodings(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the encodings that belong to curves, the current one first."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def comparable_encodings(state: Exploration) -> tuple[Encoding, ...]:
    """Return those of them that can have a curve."""
    return tuple(e for e in curve_encodings(state) if _comparable(e, state))


def _comparable(e: Encoding | Unknown, state: Exploration) -> TypeGuard[Encoding]:
    """Return whether an encoding is known, and its rows mean what those of the current one do."""
    return not isinstance(e, Unknown) and not same_rows(require_known(state.encoding), e)


def _spread(state: Exploration, pixels: int) -> Blocks:
    block, cells = spread(state.count, pixels)
    most = (LIMIT + 1 - state.start) // block
    return block, max(1, min(cells, most))


def _progress(cancelled: threading.Event, done: float, share: float) -> distance.Progress:
    """Return what reports the progress of a part: `share` of the work, after `done` of it."""
    return partial(report, Part(cancelled, done, share))


def _curve(
    state: Exploration,
    e: Encoding | Unknown,
    block: int,
    columns: int,
    progress: distance.Progress,
) -> Floats:
    """Return the distances of blocks from the reference; nan where there are none."""
    curve = np.full(columns, np.nan)
    if not _comparable(e, state):
        return curve
    inside = blocks_inside(state.start, block, columns, e.domain)
    if state.reference in e.domain and inside:
        reference = (state.reference, 1, 1)
        blocks = (state.start + inside.start * block, block, len(inside))
        found = distance.matrix_block_means(e, reference, blocks, state.metric, progress)
        curve[inside.start : inside.stop] = found[0]
    return curve


def _matrix(
    e: Encoding, blocks: tuple[int, int, int], metric: str, progress: distance.Progress
) -> Floats:
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
    state: Exploration, e: Encoding, block: int, columns: int, cancelled: threading.Event
) -> str:
    """Return the metric that has a curve where the cosine has none, such as of zeros."""
    if state.metric not in ("cosine", "correlation"):
        return ""
    straight = replace(state, metric="euclidean")
    curve = _curve(straight, e, block, columns, _progress(cancelled, 1.0, 0.0))
    return straight.metric if np.isfinite(curve).any() else ""


def _levels(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    """Return levels from 0, or from as far below it where products are negative."""
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    upper, lowest = level_above(values), float(values.min(initial=0.0))
    has_negative = metric == "dot" and lowest < 0
    return (-upper if has_negative else 0.0), upper


# -- costs ---------------------------------------------------------------------------------------


def cost(state: Exploration, options: DistancesOptions, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    total = 0.0
    if options.shows_histogram:
        return sum(_histogram_cost(state, e) for e in comparable_encodings(state))
    if options.shows_matrix:
        side = spread(state.count, size.height)
        total += _cost(state, require_known(state.encoding), side, side)
    if options.shows_curve:
        curve = spread(state.count, size.width)
        for e in comparable_encodings(state):
            total += _cost(state, e, (1, 1), curve)
    return total


def _histogram_cost(state: Exploration, e: Encoding) -> float:
    """Return what the distances of all pairs cost, in values of a table."""
    separations, positions = histogram.measured(e, state.metric, state.count)
    if separations:
        one = pairs_cost(e, state.metric, (1, 1), (1, separations))
        scattered = separations < state.count - 1
        return one * (_EXACT_COST if scattered else closeness_cost(e, state.count))
    return _cost(state, e, (1, positions), (1, positions))


def _cost(state: Exploration, e: Encoding, rows: Blocks, columns: Blocks) -> float:
    return pairs_cost(e, state.metric, rows, columns) * closeness_cost(e, state.count)


def pairs_cost(e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    """Return what the distances between rows and columns cost, in values of a table."""
    pairs = rows[1] * columns[1]
    if isinstance(e, Multiples) and metric != "dot":
        return pairs
    if distance.has_closed_form(e, metric):
        offsets = rows[1] + columns[1]
        return e.width * (_OFFSET_COST * offsets + start_cost(e)) + pairs
    each, apart = (_PRODUCT_COST, 0.0) if metric == "dot" else (_PAIR_COST, _ROWS_COST)
    reads = _read(e, metric, *rows) + _read(e, metric, *columns)
    each_dimension = 2 * start_cost(e) + each * pairs
    return reading_cost(e) + reads + e.width * each_dimension + apart * pairs


def _read(e: Encoding, metric: str, block: int, rows: int) -> float:
    """Return how many numbers are made or read for the rows that stand for blocks.

    Products are those of the blocks' means, for which all rows of a file are read; for other
    metrics a row in the middle of each block is taken.
    """
    return e.cost(rows, block if metric == "dot" else 1)


_NEARLY_EQUAL = "numbers so nearly equal that its correlation with others is not determined"
_EQUAL = "no two numbers that differ by much, or some that are not finite"


def has_rows(state: Exploration, e: Encoding) -> bool:
    """Return whether there are rows for the reference and for some of what is shown."""
    return state.reference in e.domain and _shows_rows(state, e)


def _shows_rows(state: Exploration, e: Encoding) -> bool:
    """Return whether there are rows for some of what is shown."""
    return bool(blocks_inside(state.start, 1, state.count, e.domain))


def why_no_curve(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why an encoding has no curve, without a full stop."""
    if isinstance(e, Unknown):
        return e.problem
    if problem := same_rows(require_known(state.encoding), e):
        return problem
    name, reference = e.rows.name, state.reference
    if not has_rows(state, e):
        if e.shortage or reference in e.domain:
            return _why_no_rows(e)
        problem = f"{e.called()} has no row for the {name} {reference:,} to measure from"
        return f"{problem}: {_rows_of(e)}"
    row = f"{capitalised(name)} {reference:,}"
    remedy = f"choose another metric, or another {name} to measure from"
    if state.metric == "correlation" and _is_nearly_constant(e, reference):
        return f"{row} has {_NEARLY_EQUAL}; {remedy}"
    if state.metric == "correlation":
        return f"{row} has {_EQUAL}, so nothing can correlate with it; choose another metric"
    if state.metric != "cosine":
        return f"{row} has no finite {state.metric} from any row shown; {remedy}"
    return f"{row} has {_zeros(e)}, so no angle can be measured from it; {remedy}"


def _is_nearly_constant(e: Encoding, position: int) -> bool:
    """Return whether a row has numbers that differ, but hardly; of a file it is not asked here."""
    if isinstance(e, Stored):
        return False
    return not math.isnan(distance.between(e, position, position, "correlation"))


def why_no_matrix(state: Exploration, e: Encoding) -> str:
    """Return why there is no distance between any two of the rows shown, without a full stop."""
    if not _shows_rows(state, e):
        return _why_no_rows(e)
    if state.metric == "correlation":
        return f"every row shown has {_EQUAL}, so none can correlate; choose another metric"
    if state.metric != "cosine":
        return f"No two rows shown have a finite {state.metric}; choose another metric"
    shown = f"every row shown has {_zeros(e)}, so no angle can be measured"
    return f"{shown}; choose another metric"


def _why_no_rows(e: Encoding) -> str:
    """Return why there are no rows for what is shown."""
    plural = e.rows.plural
    if e.shortage:
        return f"{e.name} has no rows for the {plural} shown: {e.shortage}"
    return f"{e.called()} has no rows for the {plural} shown: {_rows_of(e)}"


def _rows_of(e: Encoding) -> str:
    first, last = e.domain[0], e.domain[-1]
    span = f"{first:,} to {last:,}"
    return f"it has rows for the {e.rows.plural} {span} only"


def _zeros(e: Encoding) -> str:
    """Return what rows without a direction are made of."""
    finite = not isinstance(e, Stored) or e.stored.not_finite == 0
    return "only zeros" if finite else "only zeros, or numbers that are not finite"


def why_no_curve_in_few_words(state: Exploration, e: Encoding | Unknown) -> str:
    """Return the same, as a legend has room for."""
    if isinstance(e, Unknown):
        return "no table" if e.locate else "not known here"
    if same_rows(require_known(state.encoding), e):
        return f"its rows are {e.rows.plural}"
    if state.reference not in e.domain:
        return f"no row for {state.reference:,}"
    if not has_rows(state, e):
        return "no rows here"
    return f"no {state.metric} from {state.reference:,}"


def kind_of_mean(e: Encoding, metric: str) -> str:
    """Return what stands for many positions."""
    if distance.mean_is_exact(e, metric):
        return "exact means"
    return "roots of mean squares" if distance.has_closed_form(e, metric) else "samples"
