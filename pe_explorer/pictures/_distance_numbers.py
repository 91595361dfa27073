"""The numbers of the distances: curves and matrix, what they cost, and why one may be missing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import same_rows
from pe_explorer.encodings import LIMIT, Encoding, Line, Stored, Unknown, Waves, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import capitalised
from pe_explorer.pictures.cost import closeness_cost, reading_cost, start_cost
from pe_explorer.pictures.levels import level_above
from pe_explorer.pictures.pixels import Size, colour_indices, spread
from pe_explorer.progress import Part, report

__all__ = [
    "Numbers",
    "compared",
    "compute",
    "cost",
    "kind_of_mean",
    "pairs_cost",
    "why_no_curve",
    "why_no_curve_in_few_words",
    "with_curves",
]

Floats = npt.NDArray[np.float64]
Blocks = tuple[int, int]
"""How many positions are in a block, and how many blocks there are."""

# The cost of an offset in one dimension, where there is a closed form, in values of a table.
_OFFSET_COST = 0.5
_PAIR_COST = 0.2  # of comparing two values of tables
_PRODUCT_COST = 0.01  # of multiplying them, in products of matrices


@dataclass(frozen=True)
class Numbers:
    """The numbers of the distances.

    Attributes
    ----------
    curves : tuple of (columns,) float64
        From the reference, of the current encoding and of each pin; nan for no distance.
    curve_block : int
        Positions that a number of a curve stands for.
    curve_levels : (float, float)
        The range of the curves' axis.
    matrix : (cells, cells) float64
        Between blocks of positions; nan for no distance.
    indices : (cells, cells) uint8
        Its colours.
    block : int
        Positions that a side of a cell stands for.
    levels : (float, float)
        The values at the two ends of the colour map.
    note : str
        In a sentence, why there is no current curve, or an empty text.
    rows : range or None
        The rows to go to then.
    metric : str
        Or the metric that has a curve, empty for none.
    """

    curves: tuple[Floats, ...]
    curve_block: int
    curve_levels: tuple[float, float]
    matrix: Floats
    indices: npt.NDArray[np.uint8]
    block: int
    levels: tuple[float, float]
    note: str = ""
    rows: range | None = None
    metric: str = ""


def compute(state: Exploration, size: Size, cancelled: threading.Event) -> Numbers:
    """Return the distances; `size` has the curve's width and the matrix's shorter side."""
    metric, e = state.metric, require_known(state.encoding)
    curve_block, columns = _spread(state, size.width)
    block, cells = _spread(state, size.height)
    encodings = compared(state)
    total = len(encodings) + cells  # rows of numbers, in the curves and in the matrix
    curves = []
    for done, each in enumerate(encodings):
        progress = _progress(cancelled, done / total, 1 / total)
        curves.append(_curve(state, each, curve_block, columns, progress))
    progress = _progress(cancelled, len(encodings) / total, cells / total)
    matrix = _matrix(e, (state.start, block, cells), metric, progress)
    levels = _levels([matrix], metric)  # of the colours, whatever the curves are
    curve_levels = _levels([*curves, matrix], metric)
    indices = colour_indices(matrix, levels)
    numbers = Numbers(tuple(curves), curve_block, curve_levels, matrix, indices, block, levels)
    if np.isfinite(curves[0]).any():
        return numbers
    note = f"{capitalised(why_no_curve(state, e))}."
    if not _has_rows(state, e):
        return replace(numbers, note=note, rows=e.domain)
    other = _other_metric(state, e, curve_block, columns, cancelled)
    return replace(numbers, note=note, metric=other)


def compared(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the encodings that belong to curves, the current one first."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def with_curves(state: Exploration) -> tuple[Encoding, ...]:
    """Return those of them that can have a curve."""
    return tuple(e for e in compared(state) if _comparable(e, state))


def _comparable(e: Encoding | Unknown, state: Exploration) -> TypeGuard[Encoding]:
    """Return whether an encoding is known, and its rows mean what those of the current one do."""
    return not isinstance(e, Unknown) and not same_rows(require_known(state.encoding), e)


def _spread(state: Exploration, pixels: int) -> Blocks:
    block, cells = spread(state.count, pixels)
    return block, max(1, min(cells, (LIMIT + 1 - state.start) // block))


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
    if state.metric != "cosine":
        return ""
    straight = replace(state, metric="euclidean")
    curve = _curve(straight, e, block, columns, _progress(cancelled, 1.0, 0.0))
    return straight.metric if np.isfinite(curve).any() else ""


def _levels(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    """Return levels from 0, or from as far below it where products are negative."""
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    upper = level_above(values)
    negative = metric == "dot" and float(values.min(initial=0.0)) < 0
    return (-upper if negative else 0.0), upper


# -- costs ---------------------------------------------------------------------------------------


def cost(state: Exploration, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    curve = spread(state.count, size.width)
    side = spread(state.count, size.height)
    total = _cost(state, require_known(state.encoding), side, side)
    for e in with_curves(state):
        total += _cost(state, e, (1, 1), curve)
    return total


def _cost(state: Exploration, e: Encoding, rows: Blocks, columns: Blocks) -> float:
    return pairs_cost(e, state.metric, rows, columns) * closeness_cost(e, state.count)


def pairs_cost(e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    """Return what the distances between rows and columns cost, in values of a table."""
    pairs = rows[1] * columns[1]
    if isinstance(e, Line) and metric != "dot":
        return pairs
    if _closed(e, metric):
        offsets = rows[1] + columns[1]
        return e.width * (_OFFSET_COST * offsets + start_cost(e)) + pairs
    each = _PRODUCT_COST if metric == "dot" else _PAIR_COST
    reads = _read(e, metric, *rows) + _read(e, metric, *columns)
    each_dimension = 2 * start_cost(e) + each * pairs
    return reading_cost(e) + reads + e.width * each_dimension


def _closed(e: Encoding, metric: str) -> bool:
    """Return whether distances have a closed form in the offset."""
    return isinstance(e, Waves) and e.shift_invariant and metric != "manhattan"


def _read(e: Encoding, metric: str, block: int, rows: int) -> float:
    """Return how many numbers are made or read for the rows that stand for blocks.

    Products are those of the blocks' means, for which all rows of a file are read; for other
    metrics a row in the middle of each block is taken.
    """
    return e.cost(rows, block if metric == "dot" else 1)


# -- why there is no curve -----------------------------------------------------------------------


def _has_rows(state: Exploration, e: Encoding) -> bool:
    """Return whether there are rows for the reference and for some of what is shown."""
    shown = blocks_inside(state.start, 1, state.count, e.domain)
    return state.reference in e.domain and bool(shown)


def why_no_curve(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why an encoding has no curve, without a full stop."""
    if isinstance(e, Unknown):
        return e.problem
    if problem := same_rows(require_known(state.encoding), e):
        return problem
    name, plural, reference = e.rows.name, e.rows.plural, state.reference
    if not _has_rows(state, e):
        if e.shortage:
            return f"{e.name} has no rows for the {plural} shown: {e.shortage}"
        first, last = e.domain[0], e.domain[-1]
        rows = f"it has rows for the {plural} {first:,} to {last:,} only"
        if reference not in e.domain:
            return f"{e.called()} has no row for the {name} {reference:,} to measure from: {rows}"
        return f"{e.called()} has no rows for the {plural} shown: {rows}"
    row = f"{capitalised(name)} {reference:,}"
    remedy = f"choose another metric, or another {name} to measure from"
    if state.metric != "cosine":
        return f"{row} has no finite {state.metric} from any row shown; {remedy}"
    finite = not isinstance(e, Stored) or e.stored.not_finite == 0
    zeros = "only zeros" if finite else "only zeros, or numbers that are not finite"
    return f"{row} has {zeros}, so no angle can be measured from it; {remedy}"


def why_no_curve_in_few_words(state: Exploration, e: Encoding | Unknown) -> str:
    """Return the same, as a legend has room for."""
    if isinstance(e, Unknown):
        return "no table" if e.locate else "not known here"
    if not _comparable(e, state):
        return f"its rows are {e.rows.plural}"
    if state.reference not in e.domain:
        return f"no row for {state.reference:,}"
    if not _has_rows(state, e):
        return "no rows here"
    return f"no {state.metric} from {state.reference:,}"


# -- what a number stands for ---------------------------------------------------------------------


def kind_of_mean(e: Encoding, metric: str) -> str:
    """Return what stands for many positions."""
    if distance.mean_is_exact(e, metric):
        return "exact means"
    return "roots of mean squares" if _closed(e, metric) else "samples"
