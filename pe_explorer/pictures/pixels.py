"""Map positions to pixels, and values to colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats, Ints

NO_VALUE = 255  # the colour index of a cell without a value, which is transparent
HALF = 0.5 + 1e-6  # half a pixel, with a margin for rounding errors
_CELLS_PER_SPARE = 100  # number of cells for which one missing or additional pixel is tolerated
_CHUNK = 1 << 16  # values coloured at a time, which fit into the CPU cache


@dataclass(frozen=True)
class Size:
    """The size of a picture in device pixels.

    Attributes
    ----------
    width, height : int
    stripe : int
        Minimum width of alternating columns.
    beside : int
        Width of the second panel; 0 for the same width.
    ranges : int
        If positive, each point of a curve that represents many positions has a range: the exact
        minimum and maximum for at most this many positions, otherwise proven bounds.
    """

    width: int
    height: int
    stripe: int = 1
    beside: int = 0
    ranges: int = 0

    @property
    def second(self) -> Size:
        return replace(self, width=self.beside or self.width)


class Room(NamedTuple):
    """The space of a figure on a page."""

    panels: tuple[Size, ...]  # size of each panel, or of the clocks, in device pixels
    ratio: float = 1.0  # device pixels per screen pixel
    text: float = 0.0  # height of the text below a clock, in screen pixels
    clocks: tuple[int, ...] = ()  # pairs to draw; empty for the pairs on the screen


def size_of_all(panels: Sequence[Size]) -> Size:
    """Return the size for all panels, with the smallest height.

    Up to two panels keep their widths; more than two panels have the smallest width.
    """
    first, *further = panels
    beside = further[0].width if further else 0
    if len(further) > 1:
        beside = min(size.width for size in panels)
        first = replace(first, width=beside)
    return replace(first, height=min(size.height for size in panels), beside=beside)


def spread(count: int, pixels: int) -> tuple[int, int]:
    """Return (block, rows): the positions per pixel, and the number of pixels needed."""
    block = -(-count // max(1, pixels))
    return block, -(-count // block)


def nearest_pixel(place: float) -> int:
    """Return the nearest pixel, rounding half up."""
    return math.floor(place + HALF)


def edges_down(cells: int, low: float, high: float) -> Ints:
    """Return the edges of equal cells from `low` to `high`, rounded to whole pixels."""
    places: Floats = np.linspace(low, high, cells + 1)
    return np.floor(places + HALF).astype(np.int64)


def edges_across(cells: int, low: float, high: float) -> Ints:
    """Return the edges of equal cells from `low` to `high`, in whole pixels.

    If there is about one cell per pixel, each cell has exactly one pixel. A few pixels too many or
    too few, caused by rounding, go to the right end, where they are inconspicuous.
    """
    edges = edges_down(cells, low, high)
    first, last = edges[0], edges[-1]
    if abs(last - first - cells) <= cells // _CELLS_PER_SPARE:
        edges[:-1] = first + np.minimum(np.arange(cells), last - first)
    return edges


def colour_indices(values: npt.NDArray[Any], limits: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """Return the colour index of each value in a form that is safe to pass to Qt.

    The index is 0 for the lower limit, 254 for the upper limit, and `NO_VALUE` for values that are
    not finite. The result is 2-D, C-contiguous and uint8 for any input.
    """
    table = np.atleast_2d(np.asarray(values))
    indices = np.empty(table.shape, dtype=np.uint8)
    (low, high), exponent = limits, 0
    scale = 254 / ((high - low) or 1.0)
    if not scale or math.isinf(scale):  # the scale overflows or underflows
        exponent = math.frexp(max(abs(low), abs(high)))[1] + 1
        low, high = math.ldexp(low, -exponent), math.ldexp(high, -exponent)
        scale = 254 / (high - low)
    step = max(1, _CHUNK // max(1, table.shape[1]))
    for first in range(0, len(table), step):
        part = slice(first, first + step)
        numbers = np.asarray(table[part], dtype=np.float64)
        if exponent:
            numbers = np.ldexp(numbers, -exponent)
        with np.errstate(invalid="ignore", over="ignore"):
            scaled = (numbers - low) * scale
            np.maximum(scaled, 0, out=scaled)
            np.minimum(scaled, 254, out=scaled)
            scaled += 0.5
            indices[part] = scaled.astype(np.uint8)
        np.copyto(indices[part], NO_VALUE, where=~np.isfinite(numbers))
    return indices
