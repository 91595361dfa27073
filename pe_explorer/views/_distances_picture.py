"""What the distances show: the computing of curves and matrix, and words for them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT, Encoding, Unknown, known
from pe_explorer.model import Exploration
from pe_explorer.model.worker import Part, report
from pe_explorer.params import Choice, declare
from pe_explorer.views._cost import closeness_cost, start_cost
from pe_explorer.views._levels import level_above, stand_in
from pe_explorer.views.base import Options, Size
from pe_explorer.widgets.plot import as_image, spread
from pe_explorer.widgets.theme import DIVERGING, VALUE_MAPS

__all__ = ["DistancesOptions", "Picture", "colour_map", "compared", "cost", "pairs_cost", "picture", "status"]

Floats = npt.NDArray[np.float64]

_OFFSET_COST = 0.5  # of an offset in one dimension, where there is a closed form; the unit is a value of a table
_PAIR_COST = 0.2  # of comparing two values of tables
_PRODUCT_COST = 0.01  # of multiplying them, in products of matrices


@dataclass(frozen=True)
class DistancesOptions(Options):
    """How the matrix is coloured."""

    values: str = declare(Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the matrix."))


@dataclass(frozen=True)
class Picture:
    """Distances for every pixel: `curve` from the reference, `pins` likewise, `indices` of the matrix."""

    curve: Floats
    pins: tuple[Floats, ...]
    curve_block: int
    curve_levels: tuple[float, float]
    indices: npt.NDArray[np.uint8]
    block: int
    levels: tuple[float, float]
    note: str = ""


def picture(state: Exploration, size: Size, cancelled: threading.Event) -> Picture:
    """Return the distances of an exploration; `size` holds the curve's width and the matrix's shorter side."""
    metric = state.metric
    block, columns = _spread(state, size.width)
    side, cells = _spread(state, size.height)
    shown = compared(state)
    rows = len(shown) + cells  # of numbers to be computed, of the curves and of the matrix
    curves = []
    for done, e in enumerate(shown):
        curves.append(_curve(state, e, block, columns, _progress(cancelled, done / rows, 1 / rows)))
    curve = curves[0]
    square, tell = (state.start, side, cells), _progress(cancelled, len(shown) / rows, cells / rows)
    matrix = distance.matrix_block_means(known(state.encoding), square, square, metric, tell)
    note = "" if np.isfinite(curve).any() else f"Position {state.reference:,} is a row of zeros, without a direction: no {metric} distance from it."
    levels = _levels([matrix], metric)  # of the colours, whatever the curves are
    curve_levels = _levels([*curves, matrix], metric)
    return Picture(curve, tuple(curves[1:]), block, curve_levels, as_image(matrix, levels), side, levels, note)


def _curve(state: Exploration, e: Encoding | Unknown, block: int, columns: int, tell: distance.Progress) -> Floats:
    """Return the distances of blocks from the reference; nan for an unknown encoding."""
    if isinstance(e, Unknown):
        return np.full(columns, np.nan)
    one, many = (state.reference, 1, 1), (state.start, block, columns)
    curve: Floats = distance.matrix_block_means(e, one, many, state.metric, tell)[0]
    return curve


def _spread(state: Exploration, pixels: int) -> tuple[int, int]:
    block, cells = spread(state.count, pixels)
    return block, max(1, min(cells, (LIMIT + 1 - state.start) // block))


def _progress(cancelled: threading.Event, done: float, share: float) -> distance.Progress:
    """Return what reports the progress of a part that is `share` of the work and begins at `done`."""
    return partial(report, Part(cancelled, done, share))


def _closed(e: Encoding, metric: str) -> bool:
    return e.shift_invariant and metric != "manhattan"


def _levels(tables: Sequence[Floats], metric: str) -> tuple[float, float]:
    """Return levels from 0, or from as far below it where products are negative."""
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    upper = level_above(values)
    return (-upper if metric == "dot" and float(values.min(initial=0.0)) < 0 else 0.0), upper


def cost(state: Exploration, size: Size) -> float:
    """Return about how many numbers `picture` makes."""
    cells, columns = spread(state.count, size.height)[1], spread(state.count, size.width)[1]
    curves = sum(pairs_cost(e, state.metric, 1, columns) * closeness_cost(e, state.count) for e in _drawn(state))
    own = known(state.encoding)
    matrix = pairs_cost(own, state.metric, cells, cells) * closeness_cost(own, state.count)
    return curves + matrix


def pairs_cost(e: Encoding, metric: str, rows: int, columns: int) -> float:
    """Return what the distances between rows and columns cost, in values of a table."""
    pairs = rows * columns
    if e.divisor and metric != "dot":
        return pairs
    if _closed(e, metric):
        return e.dim * (_OFFSET_COST * (rows + columns) + start_cost(e)) + pairs
    each = _PRODUCT_COST if metric == "dot" else _PAIR_COST
    return e.dim * (rows + columns + 2 * start_cost(e) + each * pairs)


def compared(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the encodings that belong to curves, the current one first."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def _drawn(state: Exploration) -> tuple[Encoding, ...]:
    """Return those of them that are known here."""
    return tuple(e for e in compared(state) if not isinstance(e, Unknown))


def colour_map(options: DistancesOptions, picture: Picture) -> str:
    """Return the map for the matrix: one with a middle only where values lie on both sides of 0."""
    return options.values if picture.levels[0] < 0 or options.values not in DIVERGING else "viridis"


def status(state: Exploration, options: DistancesOptions, picture: Picture) -> str:
    """Return in sentences what the pixels are, and their colours where they are not the chosen ones."""
    return _pixels(state, picture) + stand_in(options.values, colour_map(options, picture))


def _pixels(state: Exploration, picture: Picture) -> str:
    if picture.block == 1 and picture.curve_block == 1:
        return "Distances: every position is shown."
    own, *pins = (_kind(e, state.metric) for e in _drawn(state))
    counts = [f"{pins.count(kind)} of {kind}" for kind in dict.fromkeys(pins)]
    others = f" Curves of pins: {', '.join(counts)}." if picture.curve_block > 1 and {*pins} - {own} else ""
    return f"Distances: {own} over {picture.curve_block:,} positions a pixel of the curve, {picture.block:,} a side of the matrix.{others}"


def _kind(e: Encoding, metric: str) -> str:
    """Return what stands for many positions."""
    if distance.mean_is_exact(e, metric):
        return "exact means"
    return "roots of mean squares" if _closed(e, metric) else "samples"
