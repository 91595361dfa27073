"""What the distances show: the computing of curves and matrix, and words for them."""

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
from pe_explorer.colours.maps import DIVERGING, VALUE_MAPS
from pe_explorer.encodings import LIMIT, Encoding, Line, Stored, Unknown, Waves, require_known
from pe_explorer.model import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import Choice, capitalised, declare
from pe_explorer.progress import Part, report
from pe_explorer.views._cost import closeness_cost, reading_cost, start_cost
from pe_explorer.views._levels import level_above, stand_in
from pe_explorer.views.base import Options, Size
from pe_explorer.widgets.plot import as_image, spread

__all__ = [
    "DistancesOptions",
    "Picture",
    "colour_map",
    "compared",
    "cost",
    "lacks",
    "offer",
    "pairs_cost",
    "picture",
    "status",
]

Floats = npt.NDArray[np.float64]
Blocks = tuple[int, int]
"""How many positions are in a block, and how many blocks there are."""

# of an offset in one dimension, where there is a closed form; the unit is a value of a table
_OFFSET_COST = 0.5
_PAIR_COST = 0.2  # of comparing two values of tables
_PRODUCT_COST = 0.01  # of multiplying them, in products of matrices


@dataclass(frozen=True)
class DistancesOptions(Options):
    """How the matrix is coloured."""

    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the matrix.")
    )


@dataclass(frozen=True)
class Picture:
    """Distances for every pixel: `curve` from the reference, `pins` likewise, `indices` of the
    matrix.

    `note` says in a sentence why there is no curve; then `there` are the rows to go to, or
    `metric` is one that needs no direction.
    """

    curve: Floats
    pins: tuple[Floats, ...]
    curve_block: int
    curve_levels: tuple[float, float]
    indices: npt.NDArray[np.uint8]
    block: int
    levels: tuple[float, float]
    note: str = ""
    there: range | None = None
    metric: str = ""


def picture(state: Exploration, size: Size, cancelled: threading.Event) -> Picture:
    """Return the distances of an exploration.

    `size` holds the curve's width and the matrix's shorter side.
    """
    metric = state.metric
    block, columns = _spread(state, size.width)
    side, cells = _spread(state, size.height)
    shown = compared(state)
    rows = len(shown) + cells  # of numbers to be computed, of the curves and of the matrix
    curves = []
    for done, one in enumerate(shown):
        tell = _progress(cancelled, done / rows, 1 / rows)
        curves.append(_curve(state, one, block, columns, tell))
    curve = curves[0]
    square, tell = (state.start, side, cells), _progress(cancelled, len(shown) / rows, cells / rows)
    e, note, there, other = require_known(state.encoding), "", None, ""
    matrix = _matrix(e, square, metric, tell)
    if not np.isfinite(curve).any():
        lack = _lack_of_curve(state, e)
        note = f"{capitalised(lack)}."
        there = None if _has_rows(state, e) else e.domain
        other = "" if there else _other_metric(state, e, block, columns, cancelled)
    levels = _levels([matrix], metric)  # of the colours, whatever the curves are
    curve_levels = _levels([*curves, matrix], metric)
    return Picture(
        curve,
        tuple(curves[1:]),
        block,
        curve_levels,
        as_image(matrix, levels),
        side,
        levels,
        note,
        there,
        other,
    )


def _curve(
    state: Exploration, e: Encoding | Unknown, block: int, columns: int, tell: distance.Progress
) -> Floats:
    """Return the distances of blocks from the reference; nan where there are none."""
    curve = np.full(columns, np.nan)
    if not _comparable(e, state):
        return curve
    inside = blocks_inside(state.start, block, columns, e.domain)
    if state.reference in e.domain and inside:
        one = (state.reference, 1, 1)
        many = (state.start + inside.start * block, block, len(inside))
        found = distance.matrix_block_means(e, one, many, state.metric, tell)[0]
        curve[inside.start : inside.stop] = found
    return curve


def _other_metric(
    state: Exploration, e: Encoding, block: int, columns: int, cancelled: threading.Event
) -> str:
    """Return the metric that has a curve where the cosine has none, as of zeros.

    Empty if it has none either.
    """
    if state.metric != "cosine":
        return ""
    straight = replace(state, metric="euclidean")
    curve = _curve(straight, e, block, columns, _progress(cancelled, 1.0, 0.0))
    return straight.metric if np.isfinite(curve).any() else ""


def _matrix(
    e: Encoding, blocks: tuple[int, int, int], metric: str, tell: distance.Progress
) -> Floats:
    """Return the distances between blocks; nan for those that have no rows."""
    start, block, cells = blocks
    matrix = np.full((cells, cells), np.nan)
    inside = blocks_inside(start, block, cells, e.domain)
    if inside:
        square = (start + inside.start * block, block, len(inside))
        part = slice(inside.start, inside.stop)
        matrix[part, part] = distance.matrix_block_means(e, square, square, metric, tell)
    return matrix


def _comparable(e: Encoding | Unknown, state: Exploration) -> TypeGuard[Encoding]:
    """Whether an encoding is known, and has its rows for what the current one has them for."""
    return not isinstance(e, Unknown) and not same_rows(require_known(state.encoding), e)


def offer(picture: Picture) -> str:
    """Return the text of a button that leads to a curve, empty where there is one."""
    if picture.there:
        return "Show its rows"
    return f"Measure by {picture.metric}" if picture.metric else ""


def _has_rows(state: Exploration, e: Encoding) -> bool:
    """Whether there are rows for the reference and for some of what is shown."""
    shown = blocks_inside(state.start, 1, state.count, e.domain)
    return state.reference in e.domain and bool(shown)


def _lack_of_curve(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why an encoding has no curve, without a full stop."""
    if isinstance(e, Unknown):
        return e.problem
    if problem := same_rows(require_known(state.encoding), e):
        return problem
    if e.shortage and not _has_rows(state, e):
        return f"{e.name} has no rows for the {e.rows.plural} shown: {e.shortage}"
    name, reference = e.rows.name, state.reference
    rows = f"it has rows for the {e.rows.plural} {e.domain[0]:,} to {e.domain[-1]:,} only"
    if reference not in e.domain:
        return f"{e.called()} has no row for the {name} {reference:,} to measure from: {rows}"
    if not _has_rows(state, e):
        return f"{e.called()} has no rows for the {e.rows.plural} shown: {rows}"
    whose = f"{capitalised(name)} {reference:,}"
    remedy = f"choose another metric, or another {name} to measure from"
    if state.metric == "cosine":
        finite = not isinstance(e, Stored) or e.stored.not_finite == 0
        zeros = "zeros" if finite else "zeros, or of numbers that are not finite"
        return f"{whose} is a row of {zeros}, without a direction for the cosine; {remedy}"
    return f"{whose} has no finite {state.metric} from any row shown; {remedy}"


def _in_few_words(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why an encoding has no curve, as a legend has room for."""
    if isinstance(e, Unknown):
        return "no table" if e.locate else "not known here"
    if not _comparable(e, state):
        return f"its rows are {e.rows.plural}"
    if state.reference not in e.domain:
        return f"no row for {state.reference:,}"
    return f"no {state.metric} from {state.reference:,}" if _has_rows(state, e) else "no rows here"


def _spread(state: Exploration, pixels: int) -> tuple[int, int]:
    block, cells = spread(state.count, pixels)
    return block, max(1, min(cells, (LIMIT + 1 - state.start) // block))


def _progress(cancelled: threading.Event, done: float, share: float) -> distance.Progress:
    """Return what reports the progress of a part that is `share` of the work and begins at
    `done`.
    """
    return partial(report, Part(cancelled, done, share))


def _closed(e: Encoding, metric: str) -> bool:
    return isinstance(e, Waves) and e.shift_invariant and metric != "manhattan"


def _levels(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    """Return levels from 0, or from as far below it where products are negative."""
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    upper = level_above(values)
    return (-upper if metric == "dot" and float(values.min(initial=0.0)) < 0 else 0.0), upper


def cost(state: Exploration, size: Size) -> float:
    """Return about how many numbers `picture` makes."""
    side, curve = spread(state.count, size.height), spread(state.count, size.width)
    curves = sum(_cost(state, e, (1, 1), curve) for e in _drawn(state))
    return curves + _cost(state, require_known(state.encoding), side, side)


def _cost(state: Exploration, e: Encoding, rows: Blocks, columns: Blocks) -> float:
    return pairs_cost(e, state.metric, rows, columns) * closeness_cost(e, state.count)


def pairs_cost(e: Encoding, metric: str, rows: Blocks, columns: Blocks) -> float:
    """Return what the distances between rows and columns cost, in values of a table."""
    pairs = rows[1] * columns[1]
    if isinstance(e, Line) and metric != "dot":
        return pairs
    if _closed(e, metric):
        return e.width * (_OFFSET_COST * (rows[1] + columns[1]) + start_cost(e)) + pairs
    each = _PRODUCT_COST if metric == "dot" else _PAIR_COST
    reads = _read(e, metric, *rows) + _read(e, metric, *columns)
    return reading_cost(e) + reads + e.width * (2 * start_cost(e) + each * pairs)


def _read(e: Encoding, metric: str, block: int, rows: int) -> float:
    """Return how many numbers are made or read for the rows that stand for blocks.

    Products are those of the blocks' means, for which all rows of a file are read; for other
    metrics a row in the middle of each block is taken.
    """
    return e.cost(rows, block if metric == "dot" else 1)


def compared(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the encodings that belong to curves, the current one first."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def _drawn(state: Exploration) -> tuple[Encoding, ...]:
    """Return those of them that can have a curve."""
    return tuple(e for e in compared(state) if _comparable(e, state))


def colour_map(options: DistancesOptions, picture: Picture) -> str:
    """Return the map for the matrix: one with a middle only where values lie on both sides of 0."""
    return options.values if picture.levels[0] < 0 or options.values not in DIVERGING else "viridis"


def status(state: Exploration, options: DistancesOptions, picture: Picture) -> str:
    """Return in sentences what the pixels are, and their colours where they are not the chosen
    ones.
    """
    colours = stand_in(options.values, colour_map(options, picture))
    return f"{_pixels(state, picture)}{_left_out(state, picture)}{colours}"


def lacks(state: Exploration, picture: Picture) -> tuple[str, ...]:
    """Return for each pin why it has no curve, in few words; empty where it has one."""
    pairs = zip(state.pins, picture.pins, strict=True)
    drawn = [(pin, bool(np.isfinite(curve).any())) for pin, curve in pairs]
    return tuple("" if there else _in_few_words(state, pin.encoding) for pin, there in drawn)


def _left_out(state: Exploration, picture: Picture) -> str:
    """Return which pins have no curve, and why."""
    pairs = zip(state.pins, picture.pins, strict=True)
    lost = [pin for pin, curve in pairs if not np.isfinite(curve).any()]
    reasons = [f"{pin.name} ({_lack_of_curve(state, pin.encoding)})" for pin in lost]
    return f" Not drawn: {'; '.join(reasons)}." if reasons else ""


def _pixels(state: Exploration, picture: Picture) -> str:
    if picture.there is not None:
        return f"Distances: {picture.note}"
    rows = require_known(state.encoding).rows
    if picture.block == 1 and picture.curve_block == 1:
        return f"Distances: every {rows.name} is shown."
    own, *pins = (_kind(e, state.metric) for e in _drawn(state))
    counts = [f"{pins.count(kind)} of {kind}" for kind in dict.fromkeys(pins)]
    others = (
        f" Curves of pins: {', '.join(counts)}."
        if picture.curve_block > 1 and {*pins} - {own}
        else ""
    )
    of_curve = f"{own} over {picture.curve_block:,} {rows.plural} a pixel of the curve"
    return f"Distances: {of_curve}, {picture.block:,} a side of the matrix.{others}"


def _kind(e: Encoding, metric: str) -> str:
    """Return what stands for many positions."""
    if distance.mean_is_exact(e, metric):
        return "exact means"
    return "roots of mean squares" if _closed(e, metric) else "samples"
