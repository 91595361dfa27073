"""Map positions to pixels, and values to colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats, Ints

NO_VALUE_INDEX = 255  # colour index of a cell without a value, which is transparent
HALF_PIXEL = 0.5 + 1e-6  # half a pixel, with a margin for rounding errors
_CELLS_PER_TOLERANCE = 100  # number of cells per tolerated missing or additional pixel
_CHUNK_SIZE = 1 << 16  # number of values coloured at a time, small enough for the CPU cache


@dataclass(frozen=True)
class Size:
    """The size of a picture in device pixels."""

    width: int
    height: int
    stripe: int = 1  # minimum width of the stripes of alternating columns
    second_width: int = 0  # width of the second panel; 0 if equal to `width`
    # If positive, each curve point that represents many positions has a range of values. The range
    # is exact if at most this many positions are shown; otherwise, it is a proven bound. If 0,
    # points have no ranges.
    ranges: int = 0

    @property
    def second_panel_size(self) -> Size:
        """The size of the second panel."""
        return replace(self, width=self.second_width or self.width)


class FigureSpace(NamedTuple):
    """The space available to a figure on a page."""

    panels: tuple[Size, ...]  # size of each panel, or of the clocks, in device pixels
    ratio: float = 1.0  # device pixels per screen pixel
    text: float = 0.0  # height of the text below a clock, in screen pixels
    clocks: tuple[int, ...] = ()  # pairs to draw; empty to draw the pairs on the screen


def combine_sizes(panels: Sequence[Size]) -> Size:
    """Return one size for all panels, with the smallest height.

    Up to two panels keep their widths; three or more panels get the smallest width.
    """
    width, second_width = panels[0].width, panels[1].width if len(panels) > 1 else 0
    if len(panels) > 2:
        width = second_width = min(size.width for size in panels)
    height = min(size.height for size in panels)
    return replace(panels[0], width=width, height=height, second_width=second_width)


def spread(count: int, pixels: int) -> tuple[int, int]:
    """Return how many positions share a pixel, and how many of the `pixels` are used."""
    block = -(-count // max(1, pixels))
    return block, -(-count // block)


def find_nearest_pixel(place: float) -> int:
    """Return a coordinate rounded to the nearest pixel, with halves rounded up."""
    return math.floor(place + HALF_PIXEL)


def find_row_edges(cells: int, low: float, high: float) -> Ints:
    """Return the edges of equal cells from `low` to `high`, rounded to whole pixels."""
    places: Floats = np.linspace(low, high, cells + 1)
    return np.floor(places + HALF_PIXEL).astype(np.int64)


def find_column_edges(cells: int, low: float, high: float) -> Ints:
    """Return the edges of equal cells from `low` to `high`, in whole pixels.

    If there is about one pixel per cell, each cell has exactly one pixel, except at the
    right end, where missing or additional pixels are inconspicuous.
    """
    edges = find_row_edges(cells, low, high)
    first, last = edges[0], edges[-1]
    if abs(last - first - cells) <= cells // _CELLS_PER_TOLERANCE:
        edges[:-1] = first + np.minimum(np.arange(cells), last - first)
    return edges


def compute_colour_indices(
    values: npt.NDArray[Any], limits: tuple[float, float]
) -> npt.NDArray[np.uint8]:
    """Return the colour index of each value as an array that Qt can use.

    The index is 0 for the lower limit, 254 for the upper limit, and `NO_VALUE_INDEX` for values
    that are not finite. The result is 2-D, C-contiguous and uint8 for any input.
    """
    table = np.atleast_2d(np.asarray(values))
    indices = np.empty(table.shape, dtype=np.uint8)
    (low, high), exponent = limits, 0
    scale = 254 / ((high - low) or 1.0)
    if not scale or math.isinf(scale):  # the scale overflows or underflows
        exponent = math.frexp(max(abs(low), abs(high)))[1] + 1
        low, high = math.ldexp(low, -exponent), math.ldexp(high, -exponent)
        scale = 254 / (high - low)
    step = max(1, _CHUNK_SIZE // max(1, table.shape[1]))
    for first in range(0, len(table), step):
        part = slice(first, first + step)
        numbers = np.asarray(table[part], dtype=np.float64)
        if exponent:
            numbers = np.ldexp(numbers, -exponent)
        with np.errstate(invalid="ignore", over="ignore"):
            levels = (numbers - low) * scale
            np.maximum(levels, 0, out=levels)
            np.minimum(levels, 254, out=levels)
            levels += 0.5
            indices[part] = levels.astype(np.uint8)
        np.copyto(indices[part], NO_VALUE_INDEX, where=~np.isfinite(numbers))
    return indices
